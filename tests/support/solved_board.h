/* SPDX-License-Identifier: MIT
 *
 * Tables of Push Fight's smallest boards, which are solved in no time. */
#ifndef TESTS_SOLVED_BOARD_H
#define TESTS_SOLVED_BOARD_H

#include "tests/support/testing.h"

#include <kanzen/solve.h>
#include <kanzen/table.h>
#include <stdio.h>

/* Solves the board into a file of the current folder and opens it. */
kz_table *solved_board(const char *board);

#endif
