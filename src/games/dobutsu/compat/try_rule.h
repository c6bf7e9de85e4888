/* SPDX-License-Identifier: MIT
 *
 * How much the Try rule of Dobutsu Shogi matters: two solutions, position by position. */
#ifndef KZ_SOLVE_TRY_RULE_H
#define KZ_SOLVE_TRY_RULE_H

#include "game/gamedef.h"

#include <kanzen/dobutsu_files.h>

/* kz_dobutsu_check_try_rule without the solving: `official` and `simplified` are finished solvers of Dobutsu Shogi. */
kz_status kz_dobutsu_compare_try_rules(const kz_game *game, const void *official, const void *simplified, kz_pool *pool,
                                       const kz_progress *progress, kz_dobutsu_try_rule_report *report,
                                       kz_error *error);

#endif
