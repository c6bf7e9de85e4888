/* SPDX-License-Identifier: MIT
 *
 * What several answers are made of. */
#include "app/api/question.h"

#include "base/error.h"
#include "base/text_reader.h"
#include "game/defined.h"

#include <kanzen/system.h>
#include <stdlib.h>
#include <string.h>

kz_status kz_read_position(const kz_values *values, const char *text, size_t length, kz_position *position,
                           kz_problem *problem) {
    kz_status status = kz_parse(values->game, values->rules, text, length, position, &problem->error);
    if (status == KZ_ERR_INPUT) {
        problem->code = "bad_position";
        size_t place = kz_bad_place(&problem->error);
        if (place > 0) {
            kz_json_unsigned(kz_problem_params(problem), "character", place);
        }
    }
    return status;
}

kz_status kz_no_table(const kz_values *values, kz_problem *problem) {
    kz_add_game(kz_problem_params(problem), values);
    return kz_refuse(problem, KZ_ERR_UNSUPPORTED, "no_table", "there is no table for %s by %s rules here",
                     kz_game_name(values->game), kz_rules_name(values->game, values->rules));
}

void kz_add_game(kz_json *json, const kz_values *values) {
    kz_json_text(json, "game", kz_game_name(values->game));
    kz_json_text(json, "rules", kz_rules_name(values->game, values->rules));
}

void kz_add_game_at(kz_json *json, const kz_values *values, const kz_position *position) {
    bool parts = kz_game_has_parts(values->game);
    int rules = parts ? kz_defined_rules(position) : values->rules;
    kz_json_text(json, "game", kz_game_name(values->game));
    kz_json_text(json, "rules", kz_rules_name(values->game, rules));
}

kz_status kz_add_position(kz_json *json, const kz_game *game, const kz_position *position, kz_error *error) {
    char text[KZ_TEXT_BYTES];
    KZ_TRY(kz_format(game, position, 0, text, sizeof text, error));
    kz_json_text(json, "position", text);
    return KZ_OK;
}

void kz_add_value(kz_json *json, const kz_game *game, kz_value value) {
    kz_json_text(json, "value", kz_outcome_name(value.outcome));
    if (value.outcome == KZ_WIN || value.outcome == KZ_LOSS) {
        kz_json_integer(json, "distance", kz_distance_shown(game, value));
        kz_json_integer(json, "plies", value.distance);
    } else {
        kz_json_null(json, "distance");
        kz_json_null(json, "plies");
    }
}

kz_status kz_add_move(kz_json *json, const kz_game *game, const kz_position *before, kz_move move,
                      const kz_position *after, kz_error *error) {
    char text[KZ_TEXT_BYTES];
    KZ_TRY(kz_move_format(game, before, move, text, sizeof text, error));
    kz_json_text(json, "move", text);
    return kz_add_position(json, game, after, error);
}

kz_status kz_add_found(kz_json *json, const kz_values *values, const kz_position *position, kz_value value,
                       kz_move move, kz_error *error) {
    char text[KZ_TEXT_BYTES];
    KZ_TRY(kz_add_position(json, values->game, position, error));
    kz_json_text(json, "side", kz_side_to_move(values->game, position));
    kz_add_value(json, values->game, value);
    KZ_TRY(kz_move_format(values->game, position, move, text, sizeof text, error));
    kz_json_text(json, "move", text);
    return KZ_OK;
}

kz_status kz_question_draw(kz_question *question, const char **svg, kz_error *error) {
    enum { SVG_BYTES = 32 << 10 };
    char *text = malloc(SVG_BYTES);
    question->memory = text;
    *svg = text;
    return text ? kz_draw_svg(question->values.game, &question->position, text, SVG_BYTES, error)
                : kz_fail(error, KZ_ERR_MEMORY, "out of memory");
}

void kz_limit_search(kz_values *values, double end) {
    const double moment = 1e-9; /* 0 would be no limit */
    double left = (end - kz_seconds()) / 2;
    values->seconds = left > moment ? left : moment;
    values->value_seconds = values->seconds;
}
