/* SPDX-License-Identifier: MIT
 *
 * Dobutsu Shogi solved, from the rules to the table, or to values in memory. */
#ifndef KZ_DOBUTSU_SOLVE_H
#define KZ_DOBUTSU_SOLVE_H

#include "games/dobutsu/solve/retro.h"
#include "solve/job.h"

kz_status kz_dobutsu_solve(const kz_solve_job *job, kz_error *error);

/* The values of all positions, by this process alone. `sweeps`: with sweeps over strips where there can be any, as
 * above; it is slower without. Free *retro. */
kz_status kz_dobutsu_solve_in_memory(int rules, bool sweeps, kz_pool *pool, const kz_progress *progress,
                                     kz_dobutsu_retro **retro, kz_error *error);

/* What kz_count_positions promises (counts.c). */
kz_status kz_dobutsu_count_positions(kz_pool *pool, const kz_progress *progress, kz_count *counts, size_t room,
                                     size_t *found, kz_error *error);

#endif
