/* SPDX-License-Identifier: MIT
 *
 * From a request to the function that answers it. */
#include "app/api/routes.h"

#include "base/error.h"
#include "base/hash.h"
#include "base/text_writer.h"

#include <kanzen/system.h>
#include <stdlib.h>
#include <string.h>

/* ---- Tables ---------------------------------------------------------------------------------------------------- */

/* Whether positions of the game have so many moves that a list of them takes a while. */
static bool lists_many_moves(const kz_game *game) {
    enum { MANY = 256 };
    return kz_max_moves(game, 0) > MANY;
}

kz_api *kz_api_new(void) {
    kz_api *api = calloc(1, sizeof *api);
    if (api) {
        api->seconds = 1;
        for (size_t i = 0; i < KZ_API_MOST_GAMES && kz_game_at(i); i++) {
            api->many_moves[i] = lists_many_moves(kz_game_at(i));
        }
#ifndef KANZEN_READ_ONLY
        api->longest = kz_longest_new();
        if (!api->longest) {
            free(api);
            return NULL;
        }
#endif
    }
    return api;
}

static bool has_many_moves(const kz_api *api, const kz_game *game) {
    size_t number = 0;
    while (number < KZ_API_MOST_GAMES && kz_game_at(number) != game) {
        number++;
    }
    return number == KZ_API_MOST_GAMES || api->many_moves[number];
}

void kz_api_free(kz_api *api) {
#ifndef KANZEN_READ_ONLY
    if (api) {
        kz_longest_free(api->longest);
    }
#endif
    free(api);
}

static bool is_table_of(const kz_table *table, const kz_game *game, int rules) {
    return kz_table_game(table) == game && (kz_table_rules(table) == rules || kz_game_has_parts(game));
}

const kz_game *kz_api_game(const kz_api *api, size_t number) {
    size_t known = 0;
    while (kz_game_at(known)) {
        known++;
    }
    if (number < known) {
        return kz_game_at(number);
    }
    if (api->added && known++ == number) {
        return api->added;
    }
    for (size_t i = 0; i < api->table_count; i++) {
        const kz_game *game = kz_table_game(api->tables[i]);
        bool counted = game == api->added || kz_game_find(kz_game_name(game)) != NULL;
        for (size_t j = 0; j < i && !counted; j++) {
            counted = kz_table_game(api->tables[j]) == game;
        }
        if (!counted && known++ == number) {
            return game;
        }
    }
    return NULL;
}

const kz_table *kz_api_table(const kz_api *api, const kz_game *game, int rules) {
    for (size_t i = 0; i < api->table_count; i++) {
        if (is_table_of(api->tables[i], game, rules)) {
            return api->tables[i];
        }
    }
    return NULL;
}

kz_status kz_api_use(kz_api *api, const kz_table *table, kz_error *error) {
    for (size_t i = 0; i < api->table_count; i++) {
        if (is_table_of(api->tables[i], kz_table_game(table), kz_table_rules(table))) {
#ifndef KANZEN_READ_ONLY
            kz_longest_forget(api->longest, api->tables[i]);
#endif
            api->tables[i] = table;
            return KZ_OK;
        }
    }
    if (api->table_count == KZ_API_MOST_TABLES) {
        return kz_fail(error, KZ_ERR_UNSUPPORTED, "there is no room for more than %d tables", KZ_API_MOST_TABLES);
    }
    api->tables[api->table_count++] = table;
    return KZ_OK;
}

void kz_api_limit(kz_api *api, double seconds) { api->seconds = seconds; }

/* ---- Games and rules -------------------------------------------------------------------------------------------- */

static kz_status find_game(const kz_api *api, const char *name, size_t length, const kz_game **game,
                           kz_problem *problem) {
    char list[120];
    kz_writer writer = kz_writer_into(list, sizeof list);
    for (size_t i = 0; kz_api_game(api, i); i++) {
        const char *known = kz_game_name(kz_api_game(api, i));
        if (strlen(known) == length && memcmp(known, name, length) == 0) {
            *game = kz_api_game(api, i);
            return KZ_OK;
        }
        kz_write(&writer, "%s%s", i > 0 ? ", " : "", known);
    }
    kz_json *params = kz_problem_params(problem);
    kz_json_text_of_length(params, "game", name, length);
    kz_json_array(params, "known");
    for (size_t i = 0; kz_api_game(api, i); i++) {
        kz_json_text(params, NULL, kz_game_name(kz_api_game(api, i)));
    }
    kz_json_end_array(params);
    return kz_refuse(problem, KZ_ERR_UNSUPPORTED, "unknown_game", "there is no game '%.*s'; there are: %s",
                     length < 40 ? (int)length : 40, name, list);
}

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
    kz_writer writer = kz_writer_into(list, sizeof list);
    for (int i = 0; kz_rules_name(values->game, i); i++) {
        kz_write(&writer, "%s%s", i > 0 ? ", " : "", kz_rules_name(values->game, i));
    }
    kz_json *params = kz_problem_params(problem);
    kz_json_text(params, "game", kz_game_name(values->game));
    kz_json_text(params, "rules", name);
    kz_json_array(params, "known");
    for (int i = 0; kz_rules_name(values->game, i); i++) {
        kz_json_text(params, NULL, kz_rules_name(values->game, i));
    }
    kz_json_end_array(params);
    return kz_refuse(problem, KZ_ERR_INPUT, "unknown_rules", "%s has no rules called '%.40s'; there are: %s",
                     kz_game_name(values->game), name, list);
}

/* ---- Understanding a request ------------------------------------------------------------------------------------ */

static kz_status not_found(kz_problem *problem) {
    return kz_refuse(problem, KZ_ERR_UNSUPPORTED, "not_found",
                     "there is nothing at this address; docs: /api/v1/openapi.json");
}

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

/* What is asked about a game, "GAME/position": the game, the route and the query. Not the body. */
static kz_status find_question(kz_question *question, const kz_api_request *request, const kz_route **route,
                               kz_problem *problem) {
    static const char base[] = "/api/v1/";
    const char *path = request->path;
    if (strncmp(path, base, sizeof base - 1) != 0) {
        return not_found(problem);
    }
    path += sizeof base - 1;
    const char *slash = strchr(path, '/');
    *route = slash ? kz_route_find(slash + 1) : NULL;
    if (!*route) {
        return not_found(problem);
    }
    kz_status status = find_game(question->api, path, (size_t)(slash - path), &question->values.game, problem);
    if (status == KZ_OK) {
        status = check_method(request, (*route)->members != 0, problem);
    }
    if (status == KZ_OK) {
        status = kz_query_read(&question->query, request->query, (*route)->parameters, problem);
    }
    return status;
}

static kz_status read_body(kz_question *question, const kz_api_request *request, const kz_route *route,
                           kz_problem *problem) {
    return route->members ? kz_body_read(&question->body, request->body ? request->body : "", request->body_length,
                                         route->members, problem)
                          : KZ_OK;
}

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
    if (status == KZ_OK) {
        kz_play(values->game, values->rules, &question->position, move);
    } else {
        kz_json_integer(kz_problem_params(problem), "number", number);
        kz_json_text_of_length(kz_problem_params(problem), "move", text, length);
        kz_refuse(problem, status, "bad_move", "played: move %d: %s", number, reason.message);
    }
    return status;
}

/* Plays the moves of the query, which have spaces between them: all of them, or as many as the query says. Puts the
 * positions before each of them, at most KZ_API_MOST_LINE, into `past` (may be NULL), and says how many there were. */
static kz_status play_moves(kz_question *question, kz_position *past, int *count, kz_problem *problem) {
    const char *text = question->query.values[KZ_Q_PLAYED].text;
    uint64_t at = KZ_API_MOST_LINE + 1;
    kz_status status = kz_query_number(&question->query, KZ_Q_AT, 0, KZ_API_MOST_LINE, &at, problem);
    *count = 0;
    for (int number = 1; text && status == KZ_OK && (uint64_t)number <= at; number++) {
        text += strspn(text, " ");
        size_t length = strcspn(text, " ");
        if (length == 0) {
            break;
        }
        kz_position before = question->position;
        status = play_move(question, text, length, number, problem);
        text += length;
        if (status == KZ_OK) {
            *count = number;
            if (past) {
                past[number - 1] = before;
            }
        }
    }
    return status;
}

/* The position that the query names, after the moves that it names. `past` and `count` as above. */
static kz_status go_to_position(kz_question *question, kz_position *past, int *count, kz_problem *problem) {
    const kz_query_value *position = &question->query.values[KZ_Q_POS];
    kz_start(question->values.game, question->values.rules, &question->position);
    kz_status status = KZ_OK;
    if (position->text) {
        status = kz_read_position(&question->values, position->text, position->length, &question->position, problem);
    }
    return status == KZ_OK ? play_moves(question, past, count, problem) : status;
}

static kz_status find_position(kz_question *question, kz_problem *problem) {
    if (!question->values.table) { /* only a search needs to know the time */
        kz_limit_search(&question->values, kz_seconds() + question->api->seconds);
    }
    int count;
    return go_to_position(question, NULL, &count, problem);
}

kz_status kz_question_past(kz_question *question, kz_past *past, kz_problem *problem) {
    *past = (kz_past){.count = 0};
    if (!question->query.values[KZ_Q_PLAYED].text) {
        return KZ_OK;
    }
    kz_position *positions = malloc(KZ_API_MOST_LINE * sizeof *positions);
    question->memory = positions;
    past->positions = positions;
    return positions ? go_to_position(question, positions, &past->count, problem)
                     : kz_fail(&problem->error, KZ_ERR_MEMORY, "out of memory");
}

/* The text of a query is long and need not be cleared. */
static void start_question(kz_question *question, const kz_api *api, kz_json *json) {
    question->api = api;
    question->body = (kz_body){.memory = NULL};
    question->values = (kz_values){.game = NULL};
    question->moves = NULL;
    question->memory = NULL;
    question->json = json;
}

kz_status kz_question_about_position(kz_question *question, const kz_api *api, const kz_api_request *request,
                                     const char *game, kz_problem *problem) {
    start_question(question, api, NULL);
    kz_status status = check_query_size(request, problem);
    if (status == KZ_OK) {
        status = find_game(api, game, strlen(game), &question->values.game, problem);
    }
    if (status == KZ_OK) {
        status = kz_query_read(&question->query, request->query, kz_route_find("png")->parameters, problem);
    }
    if (status == KZ_OK) {
        status = find_rules(question, problem);
    }
    return status == KZ_OK ? find_position(question, problem) : status;
}

/* ---- Answers --------------------------------------------------------------------------------------------------- */

static kz_status ask_about_game(const kz_api *api, const kz_api_request *request, kz_json *json, const char **type,
                                kz_problem *problem) {
    kz_question question;
    const kz_route *route;
    start_question(&question, api, json);
    kz_status status = find_question(&question, request, &route, problem);
    if (status == KZ_OK) {
        status = read_body(&question, request, route, problem);
    }
    if (status == KZ_OK) {
        status = find_rules(&question, problem);
    }
    if (status == KZ_OK && route->parameters & KZ_Q(KZ_Q_POS)) {
        status = find_position(&question, problem);
    }
    if (status == KZ_OK) {
        status = route->answer(&question, problem);
    }
    if (status == KZ_OK && route->type) {
        *type = route->type;
    }
    kz_body_free(&question.body);
    free(question.moves);
    free(question.memory);
    return status;
}

static kz_status ask_in_general(const kz_api *api, const kz_api_request *request, const kz_general_route *general,
                                kz_json *json, kz_problem *problem) {
    kz_status status = check_method(request, false, problem);
    if (status == KZ_OK) {
        kz_query none;
        status = kz_query_read(&none, request->query, 0, problem);
    }
    if (status == KZ_OK) {
        general->answer(api, json);
    }
    return status;
}

static kz_status ask(const kz_api *api, const kz_api_request *request, kz_json *json, const char **type,
                     kz_problem *problem) {
    kz_status status = check_query_size(request, problem);
    if (status != KZ_OK) {
        return status;
    }
    const kz_general_route *general = kz_general_route_find(request->path);
    if (general) {
        return ask_in_general(api, request, general, json, problem);
    }
    status = ask_about_game(api, request, json, type, problem);
    if (status == KZ_OK && json->failed) {
        status = kz_fail(&problem->error, KZ_ERR_MEMORY, "out of memory");
    }
    return status;
}

void kz_api_ask(const kz_api *api, const kz_api_request *request, kz_api_answer *answer) {
    kz_json json = {.text = NULL};
    kz_problem problem = {.code = NULL};
    *answer = (kz_api_answer){.status = 200, .type = "application/json"};
    if (ask(api, request, &json, &answer->type, &problem) != KZ_OK) {
        kz_json_free(&json);
        answer->type = "application/json";
        answer->status = kz_problem_write(&problem, &json);
    }
    kz_problem_clear(&problem);
    answer->body = kz_json_take(&json, &answer->length);
}

/* ---- Names of answers -------------------------------------------------------------------------------------------- */

bool kz_api_tag(const kz_api *api, const kz_api_request *request, char tag[KZ_API_TAG_BYTES]) {
    kz_question question;
    const kz_route *route;
    kz_problem problem = {.code = NULL};
    start_question(&question, api, NULL);
    bool good = !request->post && check_query_size(request, &problem) == KZ_OK &&
                find_question(&question, request, &route, &problem) == KZ_OK && route->steady &&
                find_rules(&question, &problem) == KZ_OK;
    /* Where there is no table, there may be one another day. */
    const kz_table *table = question.values.table;
    if (good && (table || (route->work < KZ_WORK_MOVES && route->parameters & KZ_Q(KZ_Q_POS)))) {
        uint64_t hash = kz_hash64(kz_version(), strlen(kz_version()));
        hash = kz_hash64_seeded(request->path, strlen(request->path), hash);
        hash = request->query ? kz_hash64_seeded(request->query, strlen(request->query), hash) : hash;
        snprintf(tag, KZ_API_TAG_BYTES, "%.16s-%016llx", table ? kz_table_digest(table) : "rules",
                 (unsigned long long)hash);
    } else {
        good = false;
    }
    kz_problem_clear(&problem);
    return good;
}

/* ---- Costs ------------------------------------------------------------------------------------------------------ */

kz_api_cost kz_api_cost_of(const kz_api *api, const kz_api_request *request) {
    kz_question question;
    const kz_route *route;
    kz_problem problem = {.code = NULL};
    kz_api_cost cost = KZ_API_AT_ONCE; /* of an error, too */
    start_question(&question, api, NULL);
    bool understood =
        check_query_size(request, &problem) == KZ_OK && find_question(&question, request, &route, &problem) == KZ_OK;
    if (understood && route->members && !request->body) {
        cost = KZ_API_LOOKUPS;
    } else if (understood && read_body(&question, request, route, &problem) == KZ_OK &&
               find_rules(&question, &problem) == KZ_OK) {
        const kz_values *values = &question.values;
        bool proves = route->work >= KZ_WORK_MOVES && !values->table && kz_can_prove(values->game);
        if (proves || (route->work == KZ_WORK_TABLE && values->table)) {
            cost = KZ_API_SEARCH;
        } else if (route->work == KZ_WORK_MANY || route->work == KZ_WORK_PIXELS ||
                   (route->work != KZ_WORK_NONE && has_many_moves(api, values->game))) {
            cost = KZ_API_LOOKUPS;
        }
    }
    kz_body_free(&question.body);
    kz_problem_clear(&problem);
    return cost;
}

void kz_api_answer_free(kz_api_answer *answer) {
    free(answer->body);
    *answer = (kz_api_answer){.status = 0};
}
