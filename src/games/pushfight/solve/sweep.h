/* SPDX-License-Identifier: MIT
 *
 * Solving by sweeps: phases one after the other until one finds nothing, each saved in a file of the work folder. */
#ifndef KZ_SOLVE_SWEEP_H
#define KZ_SOLVE_SWEEP_H

#include "game/gamedef.h"
#include "games/pushfight/solve/sweep_ops.h"

/* A solve, finished or stopped on request. */
typedef struct kz_sweep kz_sweep;

/* Goes on from what the folder holds. Interrupted, it leaves there what it has found. With a team in the options all
 * members call it with the same arguments, and member 0 alone looks at the folder; interrupted, a team loses the phase
 * that was going on. */
kz_status kz_sweep_run(const kz_game *game, int rules, const char *folder, kz_pool *pool,
                       const kz_solve_options *options, kz_sweep **finished, kz_error *error);
void kz_sweep_close(kz_sweep *sweep);

/* Whether it came to its end. */
bool kz_sweep_complete(const kz_sweep *sweep);
/* The numbers of positions by value, of the index. */
void kz_sweep_histogram(const kz_sweep *sweep, kz_histogram *histogram);
/* Where the table's numbers come from: a unit is a page. In a team that is for member 0, and while it reads, the others
 * answer: kz_sweep_serve returns when member 0 calls kz_sweep_dismiss. */
kz_source kz_sweep_source(kz_sweep *sweep);
kz_status kz_sweep_serve(kz_sweep *sweep, kz_error *error);
kz_status kz_sweep_dismiss(kz_sweep *sweep, kz_error *error);

/* Removes the files of a solve and the folder, if nothing else is in it. */
void kz_sweep_clean(const char *folder);

#endif
