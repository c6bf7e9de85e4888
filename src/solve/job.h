/* SPDX-License-Identifier: MIT
 *
 * A solve with what it needs and what it leaves, and what every solver asks for on its way: where files of the work
 * go, whether the disk has room, and the table at the end. kz_solve opens a job; the game's solver gets it. */
#ifndef KZ_SOLVE_JOB_H
#define KZ_SOLVE_JOB_H

#include "game/gamedef.h"
#include "table/writer.h"

#include <kanzen/paths.h>

typedef struct kz_solve_job {
    const kz_game *game;
    int rules;
    const char *path; /* of the table; NULL: only the values are wanted */
    const kz_solve_options *options;
    kz_pool *pool;
    double begin; /* kz_seconds when it began */
    kz_summary *summary;
} kz_solve_job;

/* Whether a name of kz_solve_options means a graphics card: NULL and "cpu" don't, "cuda" does, and others are
 * KZ_ERR_INPUT. */
kz_status kz_device_is_card(const char *device, bool *card, kz_error *error);

/* ---- The folder of the work, where a solve keeps what it has found so far: the path of the table and ".work" ------
 */

/* Its path. */
kz_status kz_job_work_path(const kz_solve_job *job, char folder[KZ_PATH_BYTES], kz_error *error);

/* What the disk has room for: free space where the table goes, and what an interrupted run has written already. */
uint64_t kz_job_disk_room(const kz_solve_job *job, const char *folder);

/* Makes the folder if it is missing, and locks it, because only one solve at a time may use it: KZ_ERR_IO if another
 * process does. */
kz_status kz_work_folder_lock(const char *folder, int *lock, kz_error *error);
/* -1 does nothing. */
void kz_work_folder_unlock(int lock);
/* After the last file in it is gone: removes the lock and the folder. */
void kz_work_folder_remove(const char *folder);

/* ---- The table --------------------------------------------------------------------------------------------------- */

/* Writes the table of entries that `source` has, and fills in the summary. */
kz_status kz_job_write_table(const kz_solve_job *job, const kz_source *source, const kz_histogram *histogram,
                             kz_error *error);

/* The entries of positions that are kept by several members of a team, in equal parts (kz_team_part) of segments. */
typedef struct kz_far_shard {
    kz_team *team;
    kz_source own; /* reads what this member has */
    uint64_t positions;
    uint64_t extent;  /* positions that are read together */
    uint64_t segment; /* positions: a whole number of extents */
} kz_far_shard;

/* Writes the table in a team. All members call it: member 0 writes, the others tell it what they have. */
kz_status kz_job_write_table_together(const kz_solve_job *job, const kz_far_shard *shard, const kz_histogram *histogram,
                                      kz_error *error);

/* The source that member 0 reads from then (team/far_source.c). */
typedef struct kz_far_source kz_far_source;

/* For member 0. `workers`: that will read. NULL if there is no memory. */
kz_far_source *kz_far_source_new(const kz_far_shard *shard, int workers);
void kz_far_source_free(kz_far_source *far);
kz_source kz_far_source_of(kz_far_source *far);

/* For the others: agrees with member 0 that all are ready, and returns when they are dismissed. */
kz_status kz_far_source_serve(const kz_far_shard *shard, kz_error *error);

#endif
