/* SPDX-License-Identifier: MIT
 *
 * Positions with their values and moves. */
#include "app/api/question.h"
#include "base/error.h"
#include "base/list.h"

#include <kanzen/system.h>
#include <stdlib.h>
#include <string.h>

/* Where a value comes from. */
static const char *source_of(const kz_values *values, const kz_position *position, kz_value value) {
    if (kz_immediate(values->game, values->rules, position).outcome != KZ_UNKNOWN) {
        return "rules";
    }
    return value.outcome == KZ_UNKNOWN ? "none" : values->table ? "table" : "search";
}

/* The position in all notations of the game; null where it can't be written. */
static void add_notations(kz_json *json, const kz_game *game, const kz_position *position) {
    kz_json_object(json, "notations");
    for (int i = 0; kz_notation_name(game, i); i++) {
        char text[KZ_TEXT_BYTES];
        bool written = kz_format(game, position, i, text, sizeof text, NULL) == KZ_OK;
        kz_json_text(json, kz_notation_name(game, i), written ? text : NULL);
    }
    kz_json_end_object(json);
}

/* The member "moves"; with their values, if these were looked for. */
static kz_status add_moves(kz_json *json, const kz_game *game, const kz_position *position, const kz_choice *moves,
                           int count, bool valued, kz_error *error) {
    kz_json_array(json, "moves");
    for (int i = 0; i < count; i++) {
        kz_json_object(json, NULL);
        KZ_TRY(kz_add_move(json, game, position, moves[i].move, &moves[i].after, error));
        if (valued) {
            kz_add_value(json, game, moves[i].value);
        }
        kz_json_end_object(json);
    }
    kz_json_end_array(json);
    return KZ_OK;
}

/* What is worth saying about a position. `moves` is NULL, or has `listed` of its `count` moves. */
static kz_status add_facts(kz_json *json, const kz_values *values, const kz_position *position, kz_value value,
                           const kz_choice *moves, int listed, int count, kz_error *error) {
    kz_json_object(json, NULL);
    kz_add_game_at(json, values, position);
    KZ_TRY(kz_add_position(json, values->game, position, error));
    kz_json_text(json, "side", kz_side_to_move(values->game, position));
    kz_add_value(json, values->game, value);
    kz_json_text(json, "unit", kz_distance_unit(values->game));
    kz_json_text(json, "source", source_of(values, position, value));
    kz_json_boolean(json, "over", count == 0);
    kz_json_integer(json, "count", count);
    if (moves) {
        KZ_TRY(add_moves(json, values->game, position, moves, listed, true, error));
    }
    add_notations(json, values->game, position);
    kz_json_end_object(json);
    return KZ_OK;
}

/* A position without a list of moves: only its own value is needed. */
static kz_status add_without_moves(kz_json *json, const kz_values *values, const kz_position *position,
                                   kz_error *error) {
    kz_list memory;
    kz_move *moves = kz_list_open(&memory, kz_max_moves(values->game, values->rules), sizeof *moves);
    kz_value value;
    kz_status status = moves ? kz_values_value(values, position, &value, error)
                             : kz_fail(error, KZ_ERR_MEMORY, "no memory to list the moves");
    if (status == KZ_OK) {
        int count = kz_moves(values->game, values->rules, position, moves);
        status = add_facts(json, values, position, value, NULL, 0, count, error);
    }
    kz_list_close(&memory);
    return status;
}

kz_status kz_answer_position(kz_question *question, kz_problem *problem) {
    const kz_values *values = &question->values;
    const kz_position *position = &question->position;
    uint64_t limit = KZ_MAX_MOVES;
    KZ_TRY(kz_query_number(&question->query, KZ_Q_MOVES, 0, KZ_MAX_MOVES, &limit, problem));
    if (limit == 0) {
        return add_without_moves(&question->json, values, position, &problem->error);
    }
    kz_value value;
    int count;
    KZ_TRY(kz_values_choices(values, position, &value, &question->moves, &count, &problem->error));
    int listed = limit < (uint64_t)count ? (int)limit : count;
    return add_facts(&question->json, values, position, value, question->moves, listed, count, &problem->error);
}

static kz_status answer_list(kz_question *question, bool valued, kz_error *error) {
    const kz_values *values = &question->values;
    const kz_position *position = &question->position;
    kz_json *json = &question->json;
    kz_value value;
    int count;
    KZ_TRY(valued ? kz_values_choices(values, position, &value, &question->moves, &count, error)
                  : kz_list_choices(values->game, values->rules, position, &question->moves, &count, error));
    kz_json_object(json, NULL);
    kz_add_game_at(json, values, position);
    KZ_TRY(kz_add_position(json, values->game, position, error));
    kz_json_integer(json, "count", count);
    KZ_TRY(add_moves(json, values->game, position, question->moves, count, valued, error));
    kz_json_end_object(json);
    return KZ_OK;
}

kz_status kz_answer_moves(kz_question *question, kz_problem *problem) {
    return answer_list(question, true, &problem->error);
}

kz_status kz_answer_legal(kz_question *question, kz_problem *problem) {
    return answer_list(question, false, &problem->error);
}

/* The board as an image. */
kz_status kz_answer_svg(kz_question *question, kz_problem *problem) {
    const char *svg;
    KZ_TRY(kz_question_draw(question, &svg, &problem->error));
    kz_json_raw(&question->json, NULL, svg);
    return KZ_OK;
}

/* ---- Many positions -------------------------------------------------------------------------------------------- */

static kz_status add_one(kz_json *json, const kz_values *values, const char *text, kz_problem *problem) {
    kz_position position;
    KZ_TRY(kz_read_position(values, text, strlen(text), &position, problem));
    return add_without_moves(json, values, &position, &problem->error);
}

/* A position that can't be read gets an error as its answer. Any other failure fails the whole request. */
kz_status kz_answer_positions(kz_question *question, kz_problem *problem) {
    kz_json *json = &question->json;
    double end = kz_seconds() + question->api->seconds;
    kz_status missing = KZ_OK;
    kz_json_object(json, NULL);
    kz_json_array(json, "answers");
    for (size_t i = 0; i < question->body.position_count; i++) {
        kz_problem reason = {.code = NULL};
        kz_limit_search(&question->values, end);
        kz_status status = add_one(json, &question->values, question->body.positions[i], &reason);
        if (status == KZ_ERR_INPUT) {
            kz_problem_write(&reason, json);
        } else if (status == KZ_ERR_IO) {
            missing = status; /* the others may need bytes, too (kanzen/table.h) */
            problem->error = reason.error;
        } else if (status != KZ_OK) {
            problem->error = reason.error;
            return status;
        }
    }
    kz_json_end_array(json);
    kz_json_end_object(json);
    return missing;
}
