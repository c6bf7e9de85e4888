/* SPDX-License-Identifier: MIT
 *
 * Sweeps by a team (solve/team/team.h): each member keeps a range of the pages and sweeps the blocks of the same range,
 * slice by slice. Before a slice it gets images of the pages that its blocks look at and others keep; after it, what
 * the blocks found goes to those who keep the pages. All phases of all members begin and end together, so all know the
 * same counts. Member 0 has the files: the others get from it what they need of them.
 *
 * All of these calls are made by all members, in the same order. What one fails with, all fail with. */
#ifndef KZ_SOLVE_SWEEP_TEAM_H
#define KZ_SOLVE_SWEEP_TEAM_H

#include "solve/sweep_state.h"

typedef struct kz_sweep_team kz_sweep_team;

/* Joins s->options->team if that has more than one member; the solver is open and has begun nothing. */
kz_status kz_sweep_team_open(kz_sweep *s, kz_error *error);
void kz_sweep_team_close(kz_sweep_team *t, int workers);

/* Whether this process has the files. */
bool kz_sweep_has_files(const kz_sweep *s);

/* Phases -1 and 0, what the rules decide: s->total, s->stuck and s->changed, and those won at once. */
kz_status kz_sweep_team_start(kz_sweep *s, kz_sweep_counts *won, kz_error *error);

/* Sweeps all blocks of the phase from s->facts.blocks_done on; adds to the facts. */
kz_status kz_sweep_team_sweep(kz_sweep *s, const char *stage, kz_error *error);

/* Ends the phase, and saves it if there is a path. */
kz_status kz_sweep_team_settle(kz_sweep *s, const char *path, kz_error *error);

/* Reads the phase that member 0 has in s->files; the others get the facts of it there. */
kz_status kz_sweep_team_restore(kz_sweep *s, kz_error *error);

/* For member 0: the numbers of a page that another one keeps. From several threads at once. */
bool kz_sweep_team_is_remote(const kz_sweep *s, uint64_t page);
kz_status kz_sweep_team_numbers(kz_sweep *s, int worker, uint64_t page, const uint64_t *values, uint8_t *numbers,
                                kz_error *error);
/* Until the table is written: the others answer, member 0 lets them go. */
kz_status kz_sweep_team_serve(kz_sweep *s, kz_error *error);
kz_status kz_sweep_team_dismiss(kz_sweep *s, kz_error *error);

#endif
