/* SPDX-License-Identifier: MIT
 *
 * Where a command's values come from: a table that the user means, or a search. */
#ifndef CLI_VALUES_H
#define CLI_VALUES_H

#include "common.h"

#include <kanzen/values.h>

struct values {
    kz_values source;
    kz_table *table; /* the same as in `source`, to be closed */
};

/* As choose_table does. If no table was named and none is found, and the game has a search, says so on standard error
 * and goes on without. Returns the exit code. Close it after STATUS_FINE. */
int values_open(const struct command *command, const kz_game *game, const struct rules_option *asked, const char *path,
                struct values *values);
void values_close(struct values *values);

/* The same for a command whose operands are a game and, perhaps, a position in it. */
int values_open_at(const struct arguments *arguments, const struct rules_option *asked, const char *path,
                   struct values *values, kz_position *position);

#endif
