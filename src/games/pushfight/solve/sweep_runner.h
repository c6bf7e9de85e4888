/* SPDX-License-Identifier: MIT
 *
 * Who carries out the sweeps of a solve. sweep.c runs the phases and knows none of the differences:
 *
 *     kz_sweep_local_runner     this process, on the threads of its pool (sweep_local.c)
 *     kz_sweep_device_runner    this process, on a device that sweeps many slices at once (sweep_local.c)
 *     kz_sweep_team_runner      several processes together (team/sweep_team.c)
 *
 * In a team all members make the same calls in the same order, and what one fails with, all fail with. Member 0 has the
 * files. */
#ifndef KZ_SOLVE_SWEEP_RUNNER_H
#define KZ_SOLVE_SWEEP_RUNNER_H

#include "games/pushfight/solve/solve.h"

typedef struct kz_sweep_runner {
    /* After the solver is opened, and before it does anything. Close it in any case. */
    kz_status (*open)(kz_sweep *s, kz_error *error);
    void (*close)(kz_sweep *s);
    /* Whether this process reads and writes the files of the solve. */
    bool (*has_files)(const kz_sweep *s);

    /* Whether it has all pages: then the solver alone can tell what is in them (kz_sweep_ops.open_runs). */
    bool has_all_pages;

    /* Phases -1 and 0, what the rules decide: fills in s->total, s->stuck and s->changed; `won` is won at once. */
    kz_status (*start)(kz_sweep *s, kz_sweep_counts *won, kz_error *error);
    /* Sweeps all slices of the phase from s->facts.slices_done on, and adds to the facts. From phase 1 on it may save
     * checkpoints meanwhile. */
    kz_status (*sweep)(kz_sweep *s, const char *stage, kz_error *error);
    /* Ends the phase: its marks count from now on, and s->changed are the pages that have any. Writes the phase to the
     * file `path`; NULL: does not. */
    kz_status (*settle)(kz_sweep *s, const char *path, kz_error *error);
    /* Takes in the phase s->facts.phase from its file, which is open in s->files. */
    kz_status (*restore)(kz_sweep *s, kz_error *error);

    /* The status of all processes: the first one that is not KZ_OK. */
    kz_status (*agree)(const kz_sweep *s, kz_status mine, kz_error *error);
    /* What the process with the files knows, for all. */
    kz_status (*tell_all)(const kz_sweep *s, bool *fact, kz_error *error);

    /* The numbers of a page, for the table (kz_sweep_ops.numbers). From several threads at once. */
    kz_status (*numbers)(kz_sweep *s, int worker, uint64_t page, const uint64_t *values, uint8_t *numbers,
                         kz_error *error);
    /* While the process with the files writes the table: the others answer until it dismisses them. */
    kz_status (*serve)(kz_sweep *s, kz_error *error);
    kz_status (*dismiss)(kz_sweep *s, kz_error *error);
} kz_sweep_runner;

extern const kz_sweep_runner kz_sweep_local_runner;
extern const kz_sweep_runner kz_sweep_device_runner;
extern const kz_sweep_runner kz_sweep_team_runner;

#endif
