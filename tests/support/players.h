/* SPDX-License-Identifier: MIT
 *
 * What is true of players whatever the game, as far as a table can tell. Values come from single lookups here, not from
 * the lists of moves that players choose from. */
#ifndef TESTS_PLAYERS_H
#define TESTS_PLAYERS_H

#include "tests/support/testing.h"

#include <kanzen/values.h>

kz_values values_from(const kz_table *table);

kz_value looked_up(const kz_values *values, const kz_position *position);

kz_position after_move(const kz_values *values, const kz_position *position, kz_move move);

kz_move chosen(const kz_values *values, const kz_position *position, const char *level, bool aggressive, uint64_t seed);

/* What a move is worth to the side that makes it. */
kz_value worth_of(const kz_values *values, const kz_position *position, kz_move move);

bool same_value(kz_value a, kz_value b);

/* A perfect player keeps the value, and an aggressive one leaves the fewest good replies among the moves that do. */
void check_perfection(const kz_values *values, const kz_position *position, uint64_t seed);

/* The value that comes with a list of moves is the one that is looked up, and so are those of the moves. */
void check_lists(const kz_values *values, const kz_position *position);

/* Plays a game to its end, or for so many plies. Returns the number of plies; `winner` is the side (0: who moves first)
 * that won, or -1. */
int played(const kz_values *values, const kz_position *start, const char *const levels[2], uint64_t seed, int most,
           int *winner);

#endif
