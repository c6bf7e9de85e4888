/* SPDX-License-Identifier: MIT
 *
 * A table of Push Fight, made by the fast solver and read as users read it, against the plain solution of the board:
 * every permutation whose anchor fits, both halves of a board with a half turn, and every opening. */
#ifndef TESTS_PUSHFIGHT_TESTING_H
#define TESTS_PUSHFIGHT_TESTING_H

#include "tests/support/testing.h"

#include "games/pushfight/check/plain.h"
#include "games/pushfight/rules/board.h"
#include "games/pushfight/rules/rules.h"
#include "games/pushfight/solve/reach.h"

#include <kanzen/game.h>
#include <kanzen/pushfight.h>
#include <kanzen/solve.h>
#include <kanzen/table.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* `values`: of all permutations, as the plain solver found them. `fit` and `openings`: how many positions there are to
 * compare. */
void assert_table_agrees(const char *name, const kz_pf_plain *plain, const uint8_t *values, kz_pool *pool, uint64_t fit,
                         uint64_t openings);

/* What the tests of Push Fight share. */

const kz_game *game(void);

kz_position parsed(int rules, const char *text);

/* A fixed sequence of numbers that look random (xorshift). */
uint64_t next_random(uint64_t *state);

/* A file of tests/data/pushfight. */
FILE *open_data(const char *name);

/* Which positions can be reached: the kernels and the public call against a search that plays all turns of the plain
 * rules from all starting positions. */

/* With folded half turns, if the board has them, and without. */
void check_board(int number, bool after_each_turn);

#endif
