/* SPDX-License-Identifier: MIT
 *
 * Retrograde analysis: from the positions that the rules decide back to all others, one ply at a time. */
#ifndef KZ_SOLVE_RETROGRADE_H
#define KZ_SOLVE_RETROGRADE_H

#include "game/gamedef.h"

/* Solves the game in memory. The result belongs to the caller: game->solver->close(*solver). */
kz_status kz_retrograde(const kz_game *game, int rules, kz_pool *pool, const kz_progress *progress, void **solver,
                        kz_error *error);

/* The same with options. */
typedef struct kz_retrograde_plan {
    const kz_game *game;
    int rules;
    kz_pool *pool;
    const kz_progress *progress;
    kz_team *team;             /* each member gets a solver with its shard; NULL: this process alone */
    const char *folder;        /* where checkpoints are written, and read at the beginning; NULL: none */
    double checkpoint_seconds; /* 0: ten minutes */
    const char *device;        /* as in kz_solve_options */
    int last_distance;         /* stop after that distance with a checkpoint; 0: go on to the end */
} kz_retrograde_plan;

/* `complete` is false if last_distance ended the solve. When the progress callback asks to stop, the solve leaves a
 * checkpoint, unless the first distance was not finished yet. */
kz_status kz_retrograde_run(const kz_retrograde_plan *plan, void **solver, bool *complete, kz_error *error);

/* The numbers of positions by value, of all members. */
kz_status kz_retrograde_histogram(const kz_game *game, const void *solver, kz_pool *pool, kz_team *team,
                                  kz_histogram *histogram, kz_error *error);

#endif
