/* SPDX-License-Identifier: MIT
 *
 * How much the Try rule of Dobutsu Shogi matters: two solutions, position by position. */
#ifndef KZ_SOLVE_TRY_RULE_H
#define KZ_SOLVE_TRY_RULE_H

#include "games/dobutsu/solve/retro.h"

#include <kanzen/dobutsu_files.h>

/* kz_dobutsu_check_try_rule without the solving: `official` and `simplified` are what was found by these rules. */
kz_status kz_dobutsu_compare_try_rules(const kz_dobutsu_retro *official, const kz_dobutsu_retro *simplified,
                                       kz_pool *pool, const kz_progress *progress, kz_dobutsu_try_rule_report *report,
                                       kz_error *error);

#endif
