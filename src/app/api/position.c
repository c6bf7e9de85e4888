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

static kz_status add_moves(kz_json *json, const kz_values *values, const kz_position *position,
                           const kz_scored_move *moves, int count, kz_error *error) {
    kz_status status = KZ_OK;
    kz_json_array(json, "moves");
    for (int i = 0; i < count && status == KZ_OK; i++) {
        kz_json_object(json, NULL);
        status = kz_add_move(json, values, position, moves[i].move, error);
        kz_add_value(json, values->game, moves[i].value);
        kz_json_end_object(json);
    }
    kz_json_end_array(json);
    return status;
}

/* What is worth saying about a position. `moves` is NULL, or has `listed` of its `count` moves. */
static kz_status add_facts(kz_json *json, const kz_values *values, const kz_position *position, kz_value value,
                           const kz_scored_move *moves, int listed, int count, kz_error *error) {
    kz_json_object(json, NULL);
    kz_add_game_at(json, values, position);
    kz_status status = kz_add_position(json, values->game, position, error);
    kz_json_text(json, "side", kz_side_to_move(values->game, position));
    kz_add_value(json, values->game, value);
    kz_json_text(json, "unit", kz_distance_unit(values->game));
    kz_json_text(json, "source", source_of(values, position, value));
    kz_json_boolean(json, "over", count == 0);
    kz_json_integer(json, "count", count);
    if (status == KZ_OK && moves) {
        status = add_moves(json, values, position, moves, listed, error);
    }
    add_notations(json, values->game, position);
    kz_json_end_object(json);
    return status;
}

static kz_status no_memory(kz_error *error) { return kz_fail(error, KZ_ERR_MEMORY, "no memory to list the moves"); }

/* A position without a list of moves: only its own value is needed. */
static kz_status add_without_moves(kz_json *json, const kz_values *values, const kz_position *position,
                                   kz_error *error) {
    kz_list memory;
    kz_move *moves = kz_list_open(&memory, kz_max_moves(values->game, values->rules), sizeof *moves);
    kz_value value;
    kz_status status = moves ? kz_values_value(values, position, &value, error) : no_memory(error);
    if (status == KZ_OK) {
        int count = kz_moves(values->game, values->rules, position, moves);
        status = add_facts(json, values, position, value, NULL, 0, count, error);
    }
    kz_list_close(&memory);
    return status;
}

kz_status kz_answer_position(kz_question *question, kz_problem *problem) {
    const kz_values *values = &question->values;
    uint64_t limit = KZ_MAX_MOVES;
    kz_value value;
    int count;
    kz_status status = kz_query_number(&question->query, KZ_Q_MOVES, 0, KZ_MAX_MOVES, &limit, problem);
    if (status == KZ_OK && limit == 0) {
        return add_without_moves(question->json, values, &question->position, &problem->error);
    }
    if (status != KZ_OK) {
        return status;
    }
    kz_list memory;
    kz_scored_move *moves = kz_list_open(&memory, kz_max_moves(values->game, values->rules), sizeof *moves);
    status = moves ? kz_values_moves(values, &question->position, &value, moves, &count, &problem->error)
                   : no_memory(&problem->error);
    if (status == KZ_OK) {
        int listed = limit < (uint64_t)count ? (int)limit : count;
        status = add_facts(question->json, values, &question->position, value, moves, listed, count, &problem->error);
    }
    kz_list_close(&memory);
    return status;
}

kz_status kz_answer_moves(kz_question *question, kz_problem *problem) {
    const kz_values *values = &question->values;
    kz_json *json = question->json;
    kz_value value;
    int count;
    kz_list memory;
    kz_scored_move *moves = kz_list_open(&memory, kz_max_moves(values->game, values->rules), sizeof *moves);
    kz_status status = moves ? kz_values_moves(values, &question->position, &value, moves, &count, &problem->error)
                             : no_memory(&problem->error);
    if (status != KZ_OK) {
        kz_list_close(&memory);
        return status;
    }
    kz_json_object(json, NULL);
    kz_add_game_at(json, values, &question->position);
    status = kz_add_position(json, values->game, &question->position, &problem->error);
    kz_json_integer(json, "count", count);
    if (status == KZ_OK) {
        status = add_moves(json, values, &question->position, moves, count, &problem->error);
    }
    kz_json_end_object(json);
    kz_list_close(&memory);
    return status;
}

kz_status kz_answer_legal(kz_question *question, kz_problem *problem) {
    const kz_values *values = &question->values;
    kz_json *json = question->json;
    kz_list memory;
    kz_move *moves = kz_list_open(&memory, kz_max_moves(values->game, values->rules), sizeof *moves);
    if (!moves) {
        return no_memory(&problem->error);
    }
    int count = kz_moves(values->game, values->rules, &question->position, moves);
    kz_json_object(json, NULL);
    kz_add_game_at(json, values, &question->position);
    kz_status status = kz_add_position(json, values->game, &question->position, &problem->error);
    kz_json_integer(json, "count", count);
    kz_json_array(json, "moves");
    for (int i = 0; i < count && status == KZ_OK; i++) {
        kz_json_object(json, NULL);
        status = kz_add_move(json, values, &question->position, moves[i], &problem->error);
        kz_json_end_object(json);
    }
    kz_json_end_array(json);
    kz_json_end_object(json);
    kz_list_close(&memory);
    return status;
}

/* The board as an image. */
kz_status kz_answer_svg(kz_question *question, kz_problem *problem) {
    enum { SVG_BYTES = 32 << 10 };
    char *text = malloc(SVG_BYTES);
    if (!text) {
        return kz_fail(&problem->error, KZ_ERR_MEMORY, "out of memory");
    }
    kz_status status = kz_draw_svg(question->values.game, &question->position, text, SVG_BYTES, &problem->error);
    if (status == KZ_OK) {
        kz_json_raw(question->json, NULL, text);
    }
    free(text);
    return status;
}

/* ---- Many positions -------------------------------------------------------------------------------------------- */

static kz_status add_one(kz_json *json, const kz_values *values, const char *text, kz_problem *problem) {
    kz_position position;
    kz_status status = kz_read_position(values, text, strlen(text), &position, problem);
    return status == KZ_OK ? add_without_moves(json, values, &position, &problem->error) : status;
}

/* A position that can't be read gets an error as its answer. Any other failure fails the whole request. */
kz_status kz_answer_positions(kz_question *question, kz_problem *problem) {
    kz_json *json = question->json;
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
