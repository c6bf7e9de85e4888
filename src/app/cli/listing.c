/* SPDX-License-Identifier: MIT */
#include "listing.h"

#include <stdio.h>

void listing_begin(cli_listing *listing, const kz_table *table, bool as_json) {
    const kz_game *game = kz_table_game(table);
    *listing = (cli_listing){.table = table, .as_json = as_json, .json = json_start(stdout)};
    if (as_json) {
        json_object(&listing->json, NULL);
        json_text(&listing->json, "game", kz_game_name(game));
        json_text(&listing->json, "rules", rules_of(table));
        json_text(&listing->json, "unit", kz_distance_unit(game));
    }
}

void listing_open(cli_listing *listing, const char *name, const char *move_name) {
    listing->move_name = move_name;
    if (listing->as_json) {
        json_array(&listing->json, name);
    }
}

kz_status listing_add(cli_listing *listing, const kz_position *position, kz_value value, kz_move move,
                      kz_error *error) {
    const kz_game *game = kz_table_game(listing->table);
    char text[KZ_TEXT_BYTES];
    char move_text[KZ_TEXT_BYTES];
    kz_status status = kz_format(game, position, 0, text, sizeof text, error);
    if (status == KZ_OK) {
        status = kz_move_format(game, position, move, move_text, sizeof move_text, error);
    }
    if (status != KZ_OK) {
        return status;
    }
    if (!listing->as_json) {
        char value_text[VALUE_BYTES];
        printf("%s\t%s\t%s\n", text, format_value(game, value, value_text), move_text);
        return KZ_OK;
    }
    cli_json *json = &listing->json;
    json_object(json, NULL);
    json_text(json, "position", text);
    if (listing->only_wins) {
        json_integer(json, "distance", kz_distance_shown(game, value));
    } else {
        json_value(json, game, value);
    }
    json_integer(json, "plies", value.distance);
    json_text(json, listing->move_name, move_text);
    json_end_object(json);
    return KZ_OK;
}

void listing_end(cli_listing *listing) {
    if (listing->as_json) {
        json_end_array(&listing->json);
        json_end_object(&listing->json);
        json_finish(&listing->json);
    }
}
