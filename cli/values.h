/* SPDX-License-Identifier: MIT
 *
 * What positions and moves are worth: from a table, or, where there is none and the game has a search, from that. */
#ifndef CLI_VALUES_H
#define CLI_VALUES_H

#include "common.h"

struct values {
    const kz_game *game;
    int rules;
    kz_table *table; /* NULL: values come from a search, and may be unknown */
};

/* As choose_table does. If no table was named and none is found, and the game has a search, says so on standard error
 * and goes on without. Returns the exit code. Close it after STATUS_FINE. */
int values_open(const struct command *command, const kz_game *game, const struct rules_option *asked, const char *path,
                struct values *values);
void values_close(struct values *values);

/* The value of a position, and a move that is worth it (0: there is none, or none is known). A search knows one when
 * the game is won or lost. */
kz_status values_best(const struct values *values, const kz_position *position, kz_value *value, kz_move *best,
                      kz_error *error);

/* The value of a position and of every move, best first, as kz_probe_moves has them. A search takes a few seconds at
 * most; what it does not find out in that time is unknown, and stands where a draw would. `moves` has room for
 * KZ_MAX_MOVES. */
kz_status values_moves(const struct values *values, const kz_position *position, kz_value *value, kz_scored_move *moves,
                       int *count, kz_error *error);

#endif
