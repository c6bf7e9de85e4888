/* SPDX-License-Identifier: MIT
 *
 * To learn from: the mistakes of a game, and puzzles. */
#include "app/api/question.h"

#include "base/error.h"
#include "base/random.h"
#include "table/reader.h"

#include <kanzen/annotate.h>
#include <kanzen/system.h>
#include <stdlib.h>
#include <string.h>

/* ---- Annotated games -------------------------------------------------------------------------------------------- */

static void add_named_value(kz_json *json, const kz_game *game, const char *name, kz_value value) {
    kz_json_object(json, name);
    kz_add_value(json, game, value);
    kz_json_end_object(json);
}

static kz_status add_note(kz_json *json, const kz_game *game, const kz_position *position, kz_move move,
                          const kz_position *after, const kz_note *note, kz_error *error) {
    char best[KZ_TEXT_BYTES] = "";
    if (note->best) {
        KZ_TRY(kz_move_format(game, position, note->best, best, sizeof best, error));
    }
    kz_json_object(json, NULL);
    kz_json_text(json, "side", kz_side_to_move(game, position));
    KZ_TRY(kz_add_move(json, game, position, move, after, error));
    add_named_value(json, game, "before", note->before);
    add_named_value(json, game, "after", note->after);
    kz_json_text(json, "mistake", kz_mistake_name(note->mistake));
    kz_json_integer(json, "cost", note->cost);
    kz_json_text(json, "best", best[0] ? best : NULL);
    kz_json_end_object(json);
    return KZ_OK;
}

static kz_status add_notes(kz_question *question, const kz_record *record, const kz_note *notes, kz_error *error) {
    static const char *const results[] = {"unfinished", "first", "second", "draw"};
    const kz_values *values = &question->values;
    kz_json *json = &question->json;
    kz_position position = record->start;
    kz_json_object(json, NULL);
    kz_add_game_at(json, values, &position);
    KZ_TRY(kz_add_position(json, values->game, &position, error));
    kz_json_text(json, "result", results[record->result]);
    kz_json_array(json, "moves");
    for (size_t i = 0; i < record->count; i++) {
        kz_position after = position;
        kz_play(values->game, values->rules, &after, record->moves[i]);
        KZ_TRY(add_note(json, values->game, &position, record->moves[i], &after, &notes[i], error));
        position = after;
    }
    kz_json_end_array(json);
    kz_json_end_object(json);
    return KZ_OK;
}

static kz_status too_many_moves(kz_problem *problem) {
    problem->http_status = 413;
    kz_json_unsigned(kz_problem_params(problem), "most", KZ_API_MOST_LINE);
    return kz_refuse(problem, KZ_ERR_INPUT, "too_many_moves", "the game has more moves than there is time for");
}

static kz_status annotate(kz_question *question, const kz_record *record, kz_problem *problem) {
    kz_values *values = &question->values;
    double end = kz_seconds() + question->api->seconds;
    const kz_progress progress = {.report = kz_has_time, .user = &end};
    if (record->game != values->game) {
        return kz_refuse(problem, KZ_ERR_INPUT, "bad_record", "this is a game of %s, and not of %s",
                         kz_game_name(record->game), kz_game_name(values->game));
    }
    if (record->count > KZ_API_MOST_LINE) {
        return too_many_moves(problem);
    }
    values->rules = record->rules;
    values->table = kz_api_table(question->api, record->game, record->rules);
    kz_limit_search(values, end);
    values->seconds /= (double)record->count + 1;
    values->value_seconds /= (double)record->count + 1;
    kz_note *notes = calloc(record->count + 1, sizeof *notes);
    question->memory = notes;
    if (!notes) {
        return kz_fail(&problem->error, KZ_ERR_MEMORY, "out of memory");
    }
    kz_status status = kz_annotate(values, record, values->table ? &progress : NULL, notes, &problem->error);
    return status == KZ_OK              ? add_notes(question, record, notes, &problem->error)
           : status == KZ_ERR_CANCELLED ? too_many_moves(problem)
                                        : status;
}

kz_status kz_answer_annotate(kz_question *question, kz_problem *problem) {
    const char *text = question->body.texts[KZ_B_RECORD];
    kz_record record;
    kz_status status = kz_record_parse_as(text, strlen(text), question->values.game, &record, &problem->error);
    if (status != KZ_OK) {
        problem->code = status == KZ_ERR_INPUT ? "bad_record" : NULL;
        return status;
    }
    status = annotate(question, &record, problem);
    kz_record_free(&record);
    return status;
}

/* ---- Puzzles ---------------------------------------------------------------------------------------------------- */

/* A puzzle is a won position with several moves, of which one wins. Whether this is one, and the move. */
static kz_status look_for_puzzle(const kz_values *values, const kz_position *position, uint64_t plies, bool *found,
                                 kz_value *value, kz_move *move, kz_error *error) {
    enum { SHORTEST = 3 }; /* plies, if nothing else is asked for: what the rules decide is no puzzle */
    *found = false;
    kz_status status = kz_probe(values->table, position, value, error);
    bool wanted = status == KZ_OK && value->outcome == KZ_WIN &&
                  (plies > 0 ? (uint64_t)value->distance == plies : value->distance >= SHORTEST);
    if (!wanted) {
        return status;
    }
    kz_choice *moves;
    int count;
    status = kz_probe_choices(values->table, position, &moves, &count, error);
    *found = status == KZ_OK && count > 1 && moves[0].value.outcome == KZ_WIN && moves[1].value.outcome != KZ_WIN;
    *move = *found ? moves[0].move : 0;
    free(moves);
    return status;
}

static kz_status add_puzzles(kz_question *question, uint64_t plies, uint64_t wanted, kz_random random,
                             kz_error *error) {
    enum { TRIES = 100000 };
    const kz_values *values = &question->values;
    kz_json *json = &question->json;
    uint64_t size = kz_index_size(values->game, values->rules);
    double end = kz_seconds() + question->api->seconds;
    uint64_t count = 0;
    for (int i = 0; i < TRIES && count < wanted && kz_seconds() < end; i++) {
        kz_position position;
        kz_value value;
        kz_move move;
        bool found;
        uint64_t index;
        if (!kz_unrank(values->game, values->rules, kz_random_below(&random, size), &position) ||
            !kz_rank(values->game, &position, &index)) {
            continue;
        }
        KZ_TRY(look_for_puzzle(values, &position, plies, &found, &value, &move, error));
        if (found) {
            kz_json_object(json, NULL);
            KZ_TRY(kz_add_found(json, values, &position, value, move, error));
            kz_json_end_object(json);
            count++;
        }
    }
    return KZ_OK;
}

kz_status kz_answer_puzzles(kz_question *question, kz_problem *problem) {
    enum { MOST_PLIES = 1000, MOST_PUZZLES = 100 };
    const kz_values *values = &question->values;
    kz_json *json = &question->json;
    uint64_t plies = 0, count = 1, seed = 0;
    KZ_TRY(kz_query_number(&question->query, KZ_Q_PLIES, 1, MOST_PLIES, &plies, problem));
    KZ_TRY(kz_query_number(&question->query, KZ_Q_COUNT, 1, MOST_PUZZLES, &count, problem));
    KZ_TRY(kz_query_number(&question->query, KZ_Q_SEED, 0, UINT64_MAX, &seed, problem));
    /* Most positions of an excerpt have moves of unknown value. */
    if (!values->table || kz_table_is_excerpt(values->table)) {
        return kz_no_table(values, problem);
    }
    kz_json_object(json, NULL);
    kz_add_game(json, values);
    kz_json_array(json, "puzzles");
    KZ_TRY(add_puzzles(question, plies, count, (kz_random){seed}, &problem->error));
    kz_json_end_array(json);
    kz_json_end_object(json);
    return KZ_OK;
}
