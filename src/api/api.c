/* SPDX-License-Identifier: MIT
 *
 * From a request to the function that answers it. */
#include "api/question.h"

#include "base/error.h"
#include "base/text_writer.h"

#include <kanzen/system.h>
#include <stdlib.h>
#include <string.h>

/* ---- Tables ---------------------------------------------------------------------------------------------------- */

kz_api *kz_api_new(void) {
    kz_api *api = calloc(1, sizeof *api);
    if (api) {
        api->seconds = 1;
    }
    return api;
}

void kz_api_free(kz_api *api) { free(api); }

static bool is_table_of(const kz_table *table, const kz_game *game, int rules) {
    return kz_table_game(table) == game && kz_table_rules(table) == rules;
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

/* ---- Routes ---------------------------------------------------------------------------------------------------- */

/* What can be asked about a game. */
struct route {
    const char *name;
    bool post;
    unsigned parameters;
    kz_answer_fn *answer;
};

enum { POSITION = KZ_Q(KZ_Q_POS) | KZ_Q(KZ_Q_RULES) };

static const struct route routes[] = {
    {"position", false, POSITION | KZ_Q(KZ_Q_MOVES), kz_answer_position},
    {"moves", false, POSITION, kz_answer_moves},
    {"legal", false, POSITION, kz_answer_legal},
    {"line", false, POSITION | KZ_Q(KZ_Q_LIMIT), kz_answer_line},
    {"play", false, POSITION | KZ_Q(KZ_Q_LEVEL) | KZ_Q(KZ_Q_AGGRESSIVE) | KZ_Q(KZ_Q_SEED), kz_answer_play},
    {"positions", true, KZ_Q(KZ_Q_RULES), kz_answer_positions},
    {"table", false, KZ_Q(KZ_Q_RULES), kz_answer_table},
};

static const struct route *find_route(const char *name) {
    for (size_t i = 0; i < sizeof routes / sizeof *routes; i++) {
        if (strcmp(routes[i].name, name) == 0) {
            return &routes[i];
        }
    }
    return NULL;
}

static kz_status find_game(const char *name, size_t length, const kz_game **game, kz_problem *problem) {
    char list[120];
    kz_writer writer = kz_writer_into(list, sizeof list);
    for (size_t i = 0; kz_game_at(i); i++) {
        const char *known = kz_game_name(kz_game_at(i));
        if (strlen(known) == length && memcmp(known, name, length) == 0) {
            *game = kz_game_at(i);
            return KZ_OK;
        }
        kz_write(&writer, "%s%s", i > 0 ? ", " : "", known);
    }
    kz_json *params = kz_problem_params(problem);
    kz_json_text_of_length(params, "game", name, length);
    kz_json_array(params, "known");
    for (size_t i = 0; kz_game_at(i); i++) {
        kz_json_text(params, NULL, kz_game_name(kz_game_at(i)));
    }
    kz_json_end_array(params);
    return kz_refuse(problem, KZ_ERR_UNSUPPORTED, "unknown_game", "there is no game '%.*s'; there are: %s",
                     length < 40 ? (int)length : 40, name, list);
}

static kz_status find_rules(kz_question *question, kz_problem *problem) {
    kz_values *values = &question->values;
    const char *of_body = question->request->post ? question->request->rules : NULL;
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

/* Reads all that the query says but what only the answer needs. */
static kz_status understand(kz_question *question, const struct route *route, kz_problem *problem) {
    kz_status status = kz_query_read(&question->query, question->request->query, route->parameters, problem);
    if (status == KZ_OK) {
        status = find_rules(question, problem);
    }
    if (status != KZ_OK || !(route->parameters & KZ_Q(KZ_Q_POS))) {
        return status;
    }
    if (!question->values.table) { /* only a search needs to know the time */
        kz_limit_search(&question->values, kz_seconds() + question->api->seconds);
    }
    const kz_query_value *position = &question->query.values[KZ_Q_POS];
    if (position->text) {
        return kz_read_position(&question->values, position->text, position->length, &question->position, problem);
    }
    kz_start(question->values.game, question->values.rules, &question->position);
    return KZ_OK;
}

/* ---- Errors that are matters of HTTP --------------------------------------------------------------------------- */

/* These three return the status and leave the reason in `problem`. */
static int not_found(kz_problem *problem) {
    kz_refuse(problem, KZ_ERR_UNSUPPORTED, "not_found", "there is nothing at this address; docs: /api/v1/openapi.json");
    return 404;
}

static int check_method(const kz_api_request *request, bool post, kz_problem *problem) {
    if (request->post == post) {
        return 200;
    }
    kz_json_text(kz_problem_params(problem), "method", post ? "POST" : "GET");
    kz_refuse(problem, KZ_ERR_INPUT, "wrong_method", "this address answers %s only", post ? "POST" : "GET");
    return 405;
}

static int check_size(const kz_api_request *request, kz_problem *problem) {
    if (request->query && strlen(request->query) > KZ_API_MOST_QUERY) {
        kz_json_unsigned(kz_problem_params(problem), "most", KZ_API_MOST_QUERY);
        kz_refuse(problem, KZ_ERR_INPUT, "query_too_long", "the query is longer than %d bytes", KZ_API_MOST_QUERY);
        return 414;
    }
    if (request->post && request->position_count > KZ_API_MOST_POSITIONS) {
        kz_json *params = kz_problem_params(problem);
        kz_json_unsigned(params, "count", request->position_count);
        kz_json_unsigned(params, "most", KZ_API_MOST_POSITIONS);
        kz_refuse(problem, KZ_ERR_INPUT, "too_many_positions", "%zu positions are more than %d",
                  request->position_count, KZ_API_MOST_POSITIONS);
        return 413;
    }
    return 200;
}

/* ---- Answers --------------------------------------------------------------------------------------------------- */

/* What is asked about a game: "dobutsu/position". */
static int ask_about_game(const kz_api *api, const kz_api_request *request, const char *path, kz_json *json,
                          kz_problem *problem) {
    const char *slash = strchr(path, '/');
    const struct route *route = slash ? find_route(slash + 1) : NULL;
    const kz_game *game = NULL;
    if (!route) {
        return not_found(problem);
    }
    kz_status status = find_game(path, (size_t)(slash - path), &game, problem);
    if (status != KZ_OK) {
        return kz_answer_status(status);
    }
    int code = check_method(request, route->post, problem);
    if (code != 200) {
        return code;
    }
    kz_question question; /* its text is long and need not be cleared */
    question.api = api;
    question.request = request;
    question.values = (kz_values){.game = game};
    question.json = json;
    status = understand(&question, route, problem);
    return kz_answer_status(status == KZ_OK ? route->answer(&question, problem) : status);
}

static void answer_health(const kz_api *api, kz_json *json) {
    (void)api;
    kz_json_object(json, NULL);
    kz_json_text(json, "status", "ok");
    kz_json_text(json, "version", kz_version());
    kz_json_end_object(json);
}

static void answer_description(const kz_api *api, kz_json *json) {
    (void)api;
    kz_json_raw(json, NULL, kz_api_description());
}

/* What is asked about no game in particular. */
static const struct general {
    const char *path;
    void (*answer)(const kz_api *api, kz_json *json);
} generals[] = {
    {"/healthz", answer_health},
    {"/api/v1/games", kz_answer_games},
    {"/api/v1/openapi.json", answer_description},
};

static int ask_in_general(const kz_api *api, const kz_api_request *request, const struct general *general,
                          kz_json *json, kz_problem *problem) {
    int code = check_method(request, false, problem);
    if (code == 200) {
        kz_query none;
        code = kz_answer_status(kz_query_read(&none, request->query, 0, problem));
    }
    if (code == 200) {
        general->answer(api, json);
    }
    return code;
}

static int ask(const kz_api *api, const kz_api_request *request, kz_json *json, kz_problem *problem) {
    static const char base[] = "/api/v1/";
    const char *path = request->path;
    int code = check_size(request, problem);
    if (code != 200) {
        return code;
    }
    for (size_t i = 0; i < sizeof generals / sizeof *generals; i++) {
        if (strcmp(path, generals[i].path) == 0) {
            return ask_in_general(api, request, &generals[i], json, problem);
        }
    }
    if (strncmp(path, base, sizeof base - 1) != 0) {
        return not_found(problem);
    }
    return ask_about_game(api, request, path + sizeof base - 1, json, problem);
}

void kz_api_ask(const kz_api *api, const kz_api_request *request, kz_api_answer *answer) {
    kz_json json = {.text = NULL};
    kz_problem problem = {.code = NULL};
    *answer = (kz_api_answer){.status = 500};
    answer->status = ask(api, request, &json, &problem);
    if (answer->status == 200 && json.failed) {
        answer->status = 500;
        kz_fail(&problem.error, KZ_ERR_MEMORY, "out of memory");
    }
    if (answer->status != 200) {
        kz_json_free(&json);
        kz_problem_write(&problem, answer->status, &json);
    }
    kz_problem_clear(&problem);
    answer->body = kz_json_take(&json, &answer->length);
}

void kz_api_answer_free(kz_api_answer *answer) {
    free(answer->body);
    *answer = (kz_api_answer){.status = 0};
}
