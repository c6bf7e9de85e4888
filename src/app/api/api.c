/* SPDX-License-Identifier: MIT
 *
 * The tables that answers come from, and the calls of kanzen/api.h. */
#include "app/api/question.h"

#include "base/error.h"

#include <stdlib.h>

/* ---- Tables ---------------------------------------------------------------------------------------------------- */

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

bool kz_api_has_many_moves(const kz_api *api, const kz_game *game) {
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

/* ---- Requests -------------------------------------------------------------------------------------------------- */

void kz_api_ask(const kz_api *api, const kz_api_request *request, kz_api_answer *answer) {
    kz_question question;
    kz_question_open(&question, api, request);
    kz_question_read_body(&question, request->body ? request->body : "", request->body ? request->body_length : 0);
    kz_question_answer(&question, answer);
    kz_question_close(&question);
}

bool kz_api_tag(const kz_api *api, const kz_api_request *request, char tag[KZ_API_TAG_BYTES]) {
    kz_question question;
    kz_question_open(&question, api, request);
    bool steady = kz_question_tag(&question, request, tag);
    kz_question_close(&question);
    return steady;
}

kz_api_cost kz_api_cost_of(const kz_api *api, const kz_api_request *request) {
    kz_question question;
    kz_question_open(&question, api, request);
    if (request->body) {
        kz_question_read_body(&question, request->body, request->body_length);
    }
    kz_api_cost cost = kz_question_cost(&question);
    kz_question_close(&question);
    return cost;
}

void kz_api_answer_free(kz_api_answer *answer) {
    free(answer->body);
    *answer = (kz_api_answer){.status = 0};
}
