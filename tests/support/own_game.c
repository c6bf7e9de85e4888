/* SPDX-License-Identifier: MIT */
#include "tests/support/graph_game.h"

/* The example's only name that other files see. */
#define kanzen_game own_game
#include "tests/support/tictactoe.h"
