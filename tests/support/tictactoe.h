/* SPDX-License-Identifier: MIT
 *
 * The example of docs/add-a-game.md, compiled into a test: kanzen_game() returns its definition. */
#ifndef KZ_TESTS_TICTACTOE_H
#define KZ_TESTS_TICTACTOE_H

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wconversion"
#include "examples/games/tictactoe.c" /* NOLINT(bugprone-suspicious-include) */
#pragma GCC diagnostic pop

#endif
