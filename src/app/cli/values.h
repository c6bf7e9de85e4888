/* SPDX-License-Identifier: MIT
 *
 * Where a command's values come from: a table that the user means, or a search. */
#ifndef CLI_VALUES_H
#define CLI_VALUES_H

#include "common.h"

#include <kanzen/values.h>

typedef struct cli_values {
    kz_values source;
    kz_table *table; /* the same as in `source`, to be closed */
} cli_values;

/* clang-format off */
#define OPTION_SECONDS(asked_)           \
    OPTION_NUMBER("seconds", &(asked_)->seconds, 1, 86400, \
                  "without a table: search for N seconds at most, if the game has a search (default: 5)")
#define OPTIONS_VALUES(asked_) OPTIONS_TABLE(asked_), OPTION_SECONDS(asked_)
/* clang-format on */

/* As open_table does. If no table was named and none is found, and the game has a search, says so on standard error
 * and goes on without. Returns the exit code. Close it after STATUS_FINE. */
int values_open(const cli_command *command, const kz_game *game, const cli_asked *asked, cli_values *values);
void values_close(cli_values *values);

/* The same for a command whose operands are a game and, perhaps, a position in it. */
int values_open_at(const cli_arguments *arguments, const cli_asked *asked, cli_values *values, kz_position *position);

/* "no win within 3 turns", if a search has looked so deep without finding the value; else "". */
enum { DEPTH_BYTES = 48 };
const char *format_depth(const kz_game *game, kz_value value, int depth, char text[DEPTH_BYTES]);
/* The member "searched": that depth, or null. */
void json_depth(cli_json *json, kz_value value, int depth);

#endif
