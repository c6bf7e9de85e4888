/* SPDX-License-Identifier: MIT
 *
 * Solving any game that is defined (kanzen/define.h): tier by tier, each in a file of its own as soon as it is done,
 * then the table. */
#ifndef KZ_SOLVE_ANY_H
#define KZ_SOLVE_ANY_H

#include "base/pool.h"
#include "solve/any_rules.h"

#include <kanzen/solve.h>

/* As kz_solve promises. `folder` is where finished tiers are kept; it exists. */
kz_status kz_any_solve(const kz_game *game, const kz_any_rules *rules, const char *rules_name, const char *folder,
                       const char *path, kz_pool *pool, const kz_solve_options *options, kz_summary *summary,
                       kz_error *error);

#endif
