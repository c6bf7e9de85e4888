/* SPDX-License-Identifier: MIT
 *
 * Positions that a command has found in a table, as it prints them: a line each, with the position, its value and a
 * move, separated by tabs; or a JSON document with the game, its rules, the unit of distances, and a list. */
#ifndef CLI_LISTING_H
#define CLI_LISTING_H

#include "common.h"

typedef struct listing {
    const kz_table *table;
    const char *move_name; /* in the JSON */
    bool only_wins;        /* so the JSON has no outcomes */
    bool as_json;
    cli_json json; /* between begin and open, other members of the document may be written */
} cli_listing;

void listing_begin(cli_listing *listing, const kz_table *table, bool as_json);
/* `name`: of the list. */
void listing_open(cli_listing *listing, const char *name, const char *move_name);
kz_status listing_add(cli_listing *listing, const kz_position *position, kz_value value, kz_move move, kz_error *error);
void listing_end(cli_listing *listing);

#endif
