/* SPDX-License-Identifier: MIT
 *
 * From a request to the function that answers it. */
#include "app/api/question.h"

#include "base/error.h"
#include "base/hash.h"

#include <kanzen/system.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Games and rules ------------------------------------------------------------------------------------------- */

static const char *game_name(const void *api, size_t number) {
    const kz_game *game = kz_api_game(api, number);
    return game ? kz_game_name(game) : NULL;
}

static kz_status find_game(const kz_api *api, const char *name, size_t length, const kz_game **game,
                           kz_problem *problem) {
    for (size_t i = 0; kz_api_game(api, i); i++) {
        const char *known = game_name(api, i);
        if (strlen(known) == length && memcmp(known, name, length) == 0) {
            *game = kz_api_game(api, i);
            return KZ_OK;
        }
    }
    char list[120];
    kz_json_text_of_length(kz_problem_params(problem), "game", name, length);
    kz_problem_known(problem, game_name, api, list, sizeof list);
    return kz_refuse(problem, KZ_ERR_UNSUPPORTED, "unknown_game", "there is no game '%.*s'; there are: %s",
                     length < 40 ? (int)length : 40, name, list);
}

static const char *rules_name(const void *game, size_t number) { return kz_rules_name(game, (int)number); }

static kz_status find_rules(kz_question *question, kz_problem *problem) {
    kz_values *values = &question->values;
    const char *of_body = question->body.texts[KZ_B_RULES];
    const char *name = of_body && *of_body ? of_body : question->query.values[KZ_Q_RULES].text;
    values->rules = kz_rules_find(values->game, name);
    if (values->rules >= 0) {
        values->table = kz_api_table(question->api, values->game, values->rules);
        return KZ_OK;
    }
    char list[160];
    kz_json_text(kz_problem_params(problem), "game", kz_game_name(values->game));
    kz_json_text(kz_problem_params(problem), "rules", name);
    kz_problem_known(problem, rules_name, values->game, list, sizeof list);
    return kz_refuse(problem, KZ_ERR_INPUT, "unknown_rules", "%s has no rules called '%.40s'; there are: %s",
                     kz_game_name(values->game), name, list);
}

/* ---- Understanding a request ------------------------------------------------------------------------------------ */

static kz_status check_method(const kz_api_request *request, bool post, kz_problem *problem) {
    if (request->post == post) {
        return KZ_OK;
    }
    problem->http_status = 405;
    kz_json_text(kz_problem_params(problem), "method", post ? "POST" : "GET");
    return kz_refuse(problem, KZ_ERR_INPUT, "wrong_method", "this address answers %s only", post ? "POST" : "GET");
}

static kz_status check_query_size(const kz_api_request *request, kz_problem *problem) {
    if (!request->query || strlen(request->query) <= KZ_API_MOST_QUERY) {
        return KZ_OK;
    }
    problem->http_status = 414;
    kz_json_unsigned(kz_problem_params(problem), "most", KZ_API_MOST_QUERY);
    return kz_refuse(problem, KZ_ERR_INPUT, "query_too_long", "the query is longer than %d bytes", KZ_API_MOST_QUERY);
}

/* The route of a path, "/api/v1/GAME/position", and the name of the game; NULL: about no game. */
static const kz_route *find_route(const char *path, const char **game, size_t *length) {
    static const char base[] = "/api/v1/";
    const kz_route *general = *path == '/' ? kz_route_find(path) : NULL;
    *game = NULL;
    *length = 0;
    if (general || strncmp(path, base, sizeof base - 1) != 0) {
        return general;
    }
    *game = path + sizeof base - 1;
    *length = strcspn(*game, "/");
    const char *slash = *game + *length;
    return slash[0] && slash[1] != '/' ? kz_route_find(slash + 1) : NULL;
}

static kz_status understand(kz_question *question, const kz_api_request *request, const char *game, size_t length,
                            kz_problem *problem) {
    const kz_route *route = question->route;
    KZ_TRY(check_query_size(request, problem));
    if (!route) {
        return kz_refuse(problem, KZ_ERR_UNSUPPORTED, "not_found",
                         "there is nothing at this address; docs: /api/v1/openapi.json");
    }
    if (game) {
        KZ_TRY(find_game(question->api, game, length, &question->values.game, problem));
    }
    KZ_TRY(check_method(request, route->members != 0, problem));
    KZ_TRY(kz_query_read(&question->query, request->query, route->parameters, problem));
    return game && !route->members ? find_rules(question, problem) : KZ_OK;
}

kz_status kz_question_about(kz_question *question, const kz_api *api, const kz_api_request *request,
                            const kz_route *route, const char *game, size_t length) {
    /* All but the query, whose text is long and need not be cleared. */
    question->api = api;
    question->route = route;
    question->problem = (kz_problem){.code = NULL};
    question->body = (kz_body){.memory = NULL};
    question->values = (kz_values){.game = NULL};
    question->past = (kz_past){.count = 0};
    question->json = (kz_json){.text = NULL};
    question->moves = NULL;
    question->memory = NULL;
    question->status = understand(question, request, game, length, &question->problem);
    return question->status;
}

void kz_question_open(kz_question *question, const kz_api *api, const kz_api_request *request) {
    const char *game;
    size_t length;
    const kz_route *route = find_route(request->path, &game, &length);
    kz_question_about(question, api, request, route, game, length);
}

void kz_question_read_body(kz_question *question, const char *body, size_t length) {
    if (question->status == KZ_OK && question->route->members && !question->body.memory) {
        kz_problem *problem = &question->problem;
        question->status = kz_body_read(&question->body, body, length, question->route->members, problem);
        question->status = question->status == KZ_OK ? find_rules(question, problem) : question->status;
    }
}

void kz_question_close(kz_question *question) {
    kz_problem_clear(&question->problem);
    kz_body_free(&question->body);
    kz_json_free(&question->json);
    free(question->moves);
    free(question->memory);
}

/* ---- The position ---------------------------------------------------------------------------------------------- */

/* Plays one move of the query; `number` counts from 1. */
static kz_status play_move(kz_question *question, const char *text, size_t length, int number, kz_problem *problem) {
    const kz_values *values = &question->values;
    kz_move move;
    if (number > KZ_API_MOST_LINE) {
        kz_json_unsigned(kz_problem_params(problem), "most", KZ_API_MOST_LINE);
        return kz_refuse(problem, KZ_ERR_INPUT, "too_many_moves", "played: there are more than %d moves",
                         KZ_API_MOST_LINE);
    }
    kz_error reason;
    kz_status status = kz_move_parse(values->game, values->rules, &question->position, text, length, &move, &reason);
    if (status != KZ_OK) {
        kz_json_integer(kz_problem_params(problem), "number", number);
        kz_json_text_of_length(kz_problem_params(problem), "move", text, length);
        return kz_refuse(problem, status, "bad_move", "played: move %d: %s", number, reason.message);
    }
    kz_play(values->game, values->rules, &question->position, move);
    return KZ_OK;
}

/* Plays the moves of the query, which have spaces between them: all of them, or as many as the query says. */
static kz_status play_moves(kz_question *question, kz_position *past, kz_problem *problem) {
    const char *text = question->query.values[KZ_Q_PLAYED].text;
    uint64_t at = KZ_API_MOST_LINE + 1;
    KZ_TRY(kz_query_number(&question->query, KZ_Q_AT, 0, KZ_API_MOST_LINE, &at, problem));
    for (int number = 1; text && (uint64_t)number <= at; number++) {
        text += strspn(text, " ");
        size_t length = strcspn(text, " ");
        if (length == 0) {
            break;
        }
        kz_position before = question->position;
        KZ_TRY(play_move(question, text, length, number, problem));
        text += length;
        if (past) {
            past[question->past.count++] = before;
        }
    }
    return KZ_OK;
}

static kz_status find_position(kz_question *question, kz_problem *problem) {
    const kz_query_value *position = &question->query.values[KZ_Q_POS];
    kz_values *values = &question->values;
    kz_position *past = NULL;
    if (!values->table) { /* only a search needs to know the time */
        kz_limit_search(values, kz_seconds() + question->api->seconds);
    }
    kz_start(values->game, values->rules, &question->position);
    if (position->text) {
        KZ_TRY(kz_read_position(values, position->text, position->length, &question->position, problem));
    }
    if (question->route->past && question->query.values[KZ_Q_PLAYED].text) {
        past = malloc(KZ_API_MOST_LINE * sizeof *past);
        question->memory = past;
        question->past.positions = past;
        if (!past) {
            return kz_fail(&problem->error, KZ_ERR_MEMORY, "out of memory");
        }
    }
    return play_moves(question, past, problem);
}

kz_status kz_question_position(kz_question *question) {
    if (question->status == KZ_OK && question->route->parameters & KZ_Q(KZ_Q_POS)) {
        question->status = find_position(question, &question->problem);
    }
    return question->status;
}

/* ---- Answers --------------------------------------------------------------------------------------------------- */

static kz_status answer_it(kz_question *question) {
    KZ_TRY(kz_question_position(question));
    KZ_TRY(question->route->answer(question, &question->problem));
    return question->json.failed ? kz_fail(&question->problem.error, KZ_ERR_MEMORY, "out of memory") : KZ_OK;
}

void kz_question_answer(kz_question *question, kz_api_answer *answer) {
    *answer = (kz_api_answer){.status = 200, .type = "application/json"};
    question->status = answer_it(question);
    if (question->status != KZ_OK) {
        kz_json_free(&question->json);
        answer->status = kz_problem_write(&question->problem, &question->json);
    } else if (question->route->type) {
        answer->type = question->route->type;
    }
    answer->body = kz_json_take(&question->json, &answer->length);
}

bool kz_question_tag(const kz_question *question, const kz_api_request *request, char tag[KZ_API_TAG_BYTES]) {
    const kz_route *route = question->route;
    const kz_table *table = question->values.table;
    /* Where there is no table, there may be one another day. */
    if (question->status != KZ_OK || !route->steady ||
        !(table || (route->work < KZ_WORK_MOVES && route->parameters & KZ_Q(KZ_Q_POS)))) {
        return false;
    }
    uint64_t hash = kz_hash64(kz_version(), strlen(kz_version()));
    hash = kz_hash64_seeded(request->path, strlen(request->path), hash);
    hash = request->query ? kz_hash64_seeded(request->query, strlen(request->query), hash) : hash;
    snprintf(tag, KZ_API_TAG_BYTES, "%.16s-%016llx", table ? kz_table_digest(table) : "rules",
             (unsigned long long)hash);
    return true;
}

kz_api_cost kz_question_cost(const kz_question *question) {
    const kz_route *route = question->route;
    const kz_values *values = &question->values;
    if (question->status != KZ_OK || route->work == KZ_WORK_NONE) {
        return KZ_API_AT_ONCE;
    }
    if (route->members && !question->body.memory) { /* it is not known yet */
        return KZ_API_LOOKUPS;
    }
    if (values->table ? route->work == KZ_WORK_TABLE : route->work >= KZ_WORK_MOVES && kz_can_prove(values->game)) {
        return KZ_API_SEARCH;
    }
    bool long_list = route->work == KZ_WORK_MANY || route->work == KZ_WORK_PIXELS;
    return long_list || kz_api_has_many_moves(question->api, values->game) ? KZ_API_LOOKUPS : KZ_API_AT_ONCE;
}
