/* SPDX-License-Identifier: MIT
 *
 * Perfect play from a position on, and single moves of players who are weaker. */
#include "app/api/question.h"

#include "app/engine/players.h"
#include "base/error.h"

#include <kanzen/system.h>
#include <stdlib.h>

/* ---- Perfect play ---------------------------------------------------------------------------------------------- */

/* Writes the members "value" to "ending". `line` has room for a position more than the line has plies. */
static kz_status add_line(kz_question *question, uint64_t limit, kz_position *line, kz_error *error) {
    const char *ending = NULL;
    kz_json *json = &question->json;
    kz_values *values = &question->values;
    double end = kz_seconds() + question->api->seconds;
    line[0] = question->position;
    /* A decided game comes nearer to its end with every ply, so only draws can repeat. */
    for (uint64_t plies = 0; !ending; plies++) {
        kz_value value;
        kz_move move;
        kz_limit_search(values, end);
        KZ_TRY(kz_values_best(values, &line[plies], &value, &move, error));
        if (plies == 0) {
            kz_add_value(json, values->game, value);
            kz_json_array(json, "line");
        }
        if (move == 0) {
            ending = value.outcome != KZ_UNKNOWN && value.distance == 0 ? "over" : "unknown";
        } else if (value.outcome == KZ_DRAW && kz_was_there(values->game, (kz_past){line, (int)plies}, &line[plies])) {
            ending = "repetition";
        } else if (plies == limit || (plies > 0 && kz_seconds() >= end)) {
            ending = "limit";
        } else {
            line[plies + 1] = line[plies];
            kz_play(values->game, values->rules, &line[plies + 1], move);
            kz_json_object(json, NULL);
            KZ_TRY(kz_add_move(json, values->game, &line[plies], move, &line[plies + 1], error));
            kz_add_value(json, values->game, value);
            kz_json_end_object(json);
        }
    }
    kz_json_end_array(json);
    kz_json_text(json, "ending", ending);
    kz_json_boolean(json, "complete", ending[0] == 'o' || ending[0] == 'r');
    return KZ_OK;
}

kz_status kz_answer_line(kz_question *question, kz_problem *problem) {
    uint64_t limit = KZ_API_MOST_LINE;
    KZ_TRY(kz_query_number(&question->query, KZ_Q_LIMIT, 1, KZ_API_MOST_LINE, &limit, problem));
    kz_position *line = malloc((size_t)(limit + 1) * sizeof *line);
    question->memory = line;
    if (!line) {
        return kz_fail(&problem->error, KZ_ERR_MEMORY, "out of memory");
    }
    kz_json_object(&question->json, NULL);
    kz_add_game_at(&question->json, &question->values, &question->position);
    KZ_TRY(kz_add_position(&question->json, question->values.game, &question->position, &problem->error));
    KZ_TRY(add_line(question, limit, line, &problem->error));
    kz_json_end_object(&question->json);
    return KZ_OK;
}

/* ---- Players --------------------------------------------------------------------------------------------------- */

static const char *level_name(const void *none, size_t number) {
    (void)none;
    return kz_level_name((int)number);
}

static kz_status read_level(const kz_query *query, int *level, kz_problem *problem) {
    const char *name = query->values[KZ_Q_LEVEL].text;
    *level = kz_level_find(name ? name : "perfect");
    if (*level >= 0) {
        return KZ_OK;
    }
    char list[120];
    kz_json_text(kz_problem_params(problem), "level", name);
    kz_problem_known(problem, level_name, NULL, list, sizeof list);
    return kz_refuse(problem, KZ_ERR_INPUT, "unknown_level", "there is no level '%.40s'; there are: %s", name, list);
}

static kz_status read_player(const kz_query *query, kz_player *player, kz_problem *problem) {
    uint64_t aggressive = 0;
    *player = (kz_player){.seed = 0};
    KZ_TRY(read_level(query, &player->level, problem));
    KZ_TRY(kz_query_number(query, KZ_Q_AGGRESSIVE, 0, 1, &aggressive, problem));
    player->aggressive = aggressive;
    return kz_query_number(query, KZ_Q_SEED, 0, UINT64_MAX, &player->seed, problem);
}

kz_status kz_answer_play(kz_question *question, kz_problem *problem) {
    const kz_values *values = &question->values;
    const kz_position *position = &question->position;
    kz_json *json = &question->json;
    kz_player player;
    kz_move move = 0;
    KZ_TRY(read_player(&question->query, &player, problem));
    KZ_TRY(kz_choose_move_after(values, question->past, position, player, &move, &problem->error));
    kz_json_object(json, NULL);
    kz_add_game_at(json, values, position);
    if (move) {
        kz_position after = *position;
        kz_play(values->game, values->rules, &after, move);
        KZ_TRY(kz_add_move(json, values->game, position, move, &after, &problem->error));
    } else {
        kz_json_null(json, "move");
        KZ_TRY(kz_add_position(json, values->game, position, &problem->error));
    }
    kz_json_end_object(json);
    return KZ_OK;
}
