/* SPDX-License-Identifier: MIT
 *
 * A table of Push Fight, made by the fast solver and read as users read it, against the plain solution of the board:
 * every permutation whose anchor fits, both halves of a board with a half turn, and every opening. */
#ifndef TESTS_PUSHFIGHT_COMPARE_H
#define TESTS_PUSHFIGHT_COMPARE_H

#include "tests/support/testing.h"

#include "games/pushfight/check/plain.h"
#include "games/pushfight/rules/position.h"

#include <kanzen/solve.h>
#include <kanzen/table.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* `values`: of all permutations, as the plain solver found them. `fit` and `openings`: how many positions there are to
 * compare. */
void assert_table_agrees(const char *name, const kz_pf_plain *plain, const uint8_t *values, kz_pool *pool, uint64_t fit,
                         uint64_t openings);

#endif
