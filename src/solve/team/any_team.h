/* SPDX-License-Identifier: MIT
 *
 * The tiers of any game (solve/any_tier.h), solved by the members of a team together. docs/scale.md has the design.
 *
 * Each member has a range of every tier, its shard: the cells of the tier that is being solved, and the values of the
 * lower tiers that its moves lead to. Member 0 has the files of finished tiers.
 *
 *     before a tier      member 0 sends everybody the shards of lower tiers that are needed and not there
 *     looking at moves   numbers of lower tiers that lie in other shards -> their owners -> values
 *     distance n         predecessors in other shards -> their owners, which apply them
 *                        positions whose last move has failed: their moves to lower tiers are asked about again
 *     after it           member 0 asks for the values of the other shards and writes the tier's file */
#ifndef KZ_SOLVE_TEAM_ANY_TEAM_H
#define KZ_SOLVE_TEAM_ANY_TEAM_H

#include "base/pool.h"
#include "solve/any_rules.h"
#include "solve/team/team.h"

#include <kanzen/solve.h>

/* Bytes of memory that each of so many members takes at most, if no win takes over 126 plies. */
uint64_t kz_any_team_bytes(const kz_any_rules *rules, int members);

/* Solves all tiers that have no file in `folder` yet, which is member 0's. Collective. Afterwards member 0 can make the
 * table of the files as if it had solved alone. */
kz_status kz_any_team_solve(const kz_game *game, const kz_any_rules *rules, const char *rules_name, const char *folder,
                            kz_pool *pool, const kz_solve_options *options, kz_error *error);

#endif
