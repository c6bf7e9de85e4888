/* SPDX-License-Identifier: MIT
 *
 * Which positions can be reached: the kernels and the public call against a search that plays all turns of the plain
 * rules from all starting positions. */
#ifndef TESTS_PUSHFIGHT_REACH_H
#define TESTS_PUSHFIGHT_REACH_H

#include "tests/support/testing.h"

#include "games/pushfight/check/plain.h"
#include "games/pushfight/rules/rules.h"
#include "games/pushfight/solve/reach.h"

#include <kanzen/pushfight.h>
#include <stdlib.h>
#include <string.h>

/* With folded half turns, if the board has them, and without. */
void check_board(int number, bool after_each_turn);

#endif
