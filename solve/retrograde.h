/* SPDX-License-Identifier: MIT
 *
 * Retrograde analysis: from the positions that the rules decide back to all others, one ply at a time. */
#ifndef KZ_SOLVE_RETROGRADE_H
#define KZ_SOLVE_RETROGRADE_H

#include "base/gamedef.h"

/* Solves the game in memory. The result belongs to the caller: game->solver->close(*solver). */
kz_status kz_retrograde(const kz_game *game, int rules, kz_pool *pool, const kz_progress *progress, void **solver,
                        kz_error *error);

#endif
