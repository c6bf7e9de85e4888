/* SPDX-License-Identifier: MIT
 *
 * What there is: games, rules, levels, tables, and what can be asked. */
#include "app/api/question.h"

kz_status kz_answer_health(kz_question *question, kz_problem *problem) {
    (void)problem;
    kz_json_object(&question->json, NULL);
    kz_json_text(&question->json, "status", "ok");
    kz_json_text(&question->json, "version", kz_version());
    kz_json_end_object(&question->json);
    return KZ_OK;
}

/* A rule set, with the position that the game begins with. */
static void add_rules(kz_json *json, const kz_api *api, const kz_game *game, int rules) {
    char text[KZ_TEXT_BYTES];
    kz_position start;
    kz_start(game, rules, &start);
    kz_json_object(json, NULL);
    kz_json_text(json, "name", kz_rules_name(game, rules));
    kz_json_text(json, "start", kz_format(game, &start, 0, text, sizeof text, NULL) == KZ_OK ? text : NULL);
    kz_json_text(json, "diagram", kz_draw(game, &start, text, sizeof text, NULL) == KZ_OK ? text : NULL);
    kz_json_boolean(json, "table", kz_api_table(api, game, rules));
    kz_json_end_object(json);
}

static void add_game(kz_json *json, const kz_api *api, const kz_game *game) {
    kz_json_object(json, NULL);
    kz_json_text(json, "name", kz_game_name(game));
    kz_json_text(json, "title", kz_game_title(game));
    kz_json_text(json, "unit", kz_distance_unit(game));
    kz_json_boolean(json, "proves", kz_can_prove(game));
    kz_json_array(json, "notations");
    for (int i = 0; kz_notation_name(game, i); i++) {
        kz_json_text(json, NULL, kz_notation_name(game, i));
    }
    kz_json_end_array(json);
    kz_json_array(json, "levels");
    for (int i = 0; kz_level_name(i); i++) {
        kz_json_text(json, NULL, kz_level_name(i));
    }
    kz_json_end_array(json);
    kz_json_array(json, "rules");
    for (int i = 0; kz_rules_name(game, i); i++) {
        add_rules(json, api, game, i);
    }
    kz_json_end_array(json);
    kz_json_end_object(json);
}

kz_status kz_answer_games(kz_question *question, kz_problem *problem) {
    (void)problem;
    const kz_api *api = question->api;
    kz_json *json = &question->json;
    kz_json_object(json, NULL);
    kz_json_array(json, "games");
    for (size_t i = 0; kz_api_game(api, i); i++) {
        add_game(json, api, kz_api_game(api, i));
    }
    kz_json_end_array(json);
    kz_json_end_object(json);
    return KZ_OK;
}

kz_status kz_answer_table(kz_question *question, kz_problem *problem) {
    const kz_values *values = &question->values;
    const kz_table *table = values->table;
    kz_json *json = &question->json;
    if (!table) {
        return kz_no_table(values, problem);
    }
    kz_json_object(json, NULL);
    kz_add_game(json, values);
    kz_json_unsigned(json, "positions", kz_table_positions(table));
    kz_json_unsigned(json, "bytes", kz_table_bytes(table));
    kz_json_text(json, "digest", kz_table_digest(table));
    kz_json_array(json, "counts");
    kz_value value;
    uint64_t count;
    for (size_t i = 0; kz_table_count(table, i, &value, &count); i++) {
        kz_json_object(json, NULL);
        kz_add_value(json, values->game, value);
        kz_json_unsigned(json, "count", count);
        kz_json_end_object(json);
    }
    kz_json_end_array(json);
    kz_json_end_object(json);
    return KZ_OK;
}

#ifndef KANZEN_READ_ONLY /* a site without a server has the description as a file */

/* The description of all requests: src/app/api/openapi.json, which the build turns into a string (tools/embed). The
 * tests hold every route and every kind of answer against it. All compilers that this is made for take long strings. */
#pragma GCC diagnostic ignored "-Woverlength-strings"

static const char description[] =
#include <openapi_text.h>
    ;

const char *kz_api_description(void) { return description; }

kz_status kz_answer_description(kz_question *question, kz_problem *problem) {
    (void)problem;
    kz_json_raw(&question->json, NULL, description);
    return KZ_OK;
}
#endif
