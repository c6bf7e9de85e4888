/* SPDX-License-Identifier: MIT
 *
 * Sweeps by a team (solve/team/team.h): each member keeps a range of the pages and sweeps the slices of the same range,
 * slice by slice. Before a slice it gets images of the pages that its slices look at and others keep; after it, what
 * the slices found goes to those who keep the pages. All phases of all members begin and end together, so all know the
 * same counts. Member 0 has the files: the others get from it what they need of them.
 *
 * All of these calls are made by all members, in the same order. What one fails with, all fail with. */
#ifndef KZ_SOLVE_SWEEP_TEAM_H
#define KZ_SOLVE_SWEEP_TEAM_H

#include "games/pushfight/solve/sweep_runner.h"

typedef struct kz_sweep_team kz_sweep_team;

/* The functions of kz_sweep_team_runner. */
kz_status kz_sweep_team_open(kz_sweep *s, kz_error *error);
void kz_sweep_team_close(kz_sweep *s);
kz_status kz_sweep_team_start(kz_sweep *s, kz_sweep_counts *won, kz_error *error);
kz_status kz_sweep_team_sweep(kz_sweep *s, const char *stage, kz_error *error);
kz_status kz_sweep_team_settle(kz_sweep *s, const char *path, kz_error *error);
/* Reads the phase that member 0 has in s->files; the others get the facts of it there. */
kz_status kz_sweep_team_restore(kz_sweep *s, kz_error *error);
kz_status kz_sweep_team_numbers(kz_sweep *s, int worker, uint64_t page, const uint64_t *values, uint8_t *numbers,
                                kz_error *error);
kz_status kz_sweep_team_serve(kz_sweep *s, kz_error *error);
kz_status kz_sweep_team_dismiss(kz_sweep *s, kz_error *error);

#endif
