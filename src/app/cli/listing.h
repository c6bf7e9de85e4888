/* SPDX-License-Identifier: MIT
 *
 * Positions that a command has found in a table, as it prints them: a line each, with the position, its value and a
 * move, separated by tabs; or a JSON document with the game, its rules, the unit of distances, and a list. */
#ifndef CLI_LISTING_H
#define CLI_LISTING_H

#include "common.h"

struct listing {
    const kz_table *table;
    const char *move_name; /* in the JSON */
    bool only_wins;        /* so the JSON has no outcomes */
    bool as_json;
    struct json json; /* between begin and open, other members of the document may be written */
};

void listing_begin(struct listing *listing, const kz_table *table, bool as_json);
/* `name`: of the list. */
void listing_open(struct listing *listing, const char *name, const char *move_name);
kz_status listing_add(struct listing *listing, const kz_position *position, kz_value value, kz_move move,
                      kz_error *error);
void listing_end(struct listing *listing);

#endif
