/* SPDX-License-Identifier: MIT
 *
 * A solve with what it needs and what it leaves, and what every solver asks for on its way: where files of the work
 * go, whether the disk has room, and the table at the end. kz_solve opens a job; the game's solver gets it. */
#ifndef KZ_SOLVE_JOB_H
#define KZ_SOLVE_JOB_H

#include "game/gamedef.h"
#include "solve/team/far_source.h"

#include <kanzen/paths.h>

typedef struct kz_solve_job {
    const kz_game *game;
    int rules;
    const char *path; /* of the table */
    const kz_solve_options *options;
    kz_pool *pool;
    double begin; /* kz_seconds when it began */
    kz_summary *summary;
} kz_solve_job;

/* The folder for what is found on the way, PATH.work. */
kz_status kz_job_work_path(const kz_solve_job *job, char folder[KZ_PATH_BYTES], kz_error *error);

/* What the disk has room for: free space where the table goes, and what an interrupted run has written already. */
uint64_t kz_job_disk_room(const kz_solve_job *job, const char *folder);

/* Writes the table of entries that `source` has, and fills in the summary. */
kz_status kz_job_write_table(const kz_solve_job *job, const kz_source *source, const kz_histogram *histogram,
                             kz_error *error);
/* The same by all members of a team, each of which has the entries of its shard. */
kz_status kz_job_write_table_together(const kz_solve_job *job, const kz_far_shard *shard, const kz_histogram *histogram,
                                      kz_error *error);

#endif
