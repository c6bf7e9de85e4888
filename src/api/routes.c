/* SPDX-License-Identifier: MIT */
#include "api/routes.h"

#include <string.h>

/* ---- About a game ----------------------------------------------------------------------------------------------- */

enum { POSITION = KZ_Q(KZ_Q_POS) | KZ_Q(KZ_Q_RULES) };

static const kz_route routes[] = {
    {"position", KZ_WORK_MOVES, POSITION | KZ_Q(KZ_Q_MOVES), 0, kz_answer_position},
    {"moves", KZ_WORK_MOVES, POSITION, 0, kz_answer_moves},
    {"legal", KZ_WORK_RULES, POSITION, 0, kz_answer_legal},
    {"line", KZ_WORK_MANY, POSITION | KZ_Q(KZ_Q_LIMIT), 0, kz_answer_line},
    {"play", KZ_WORK_MOVES, POSITION | KZ_Q(KZ_Q_LEVEL) | KZ_Q(KZ_Q_AGGRESSIVE) | KZ_Q(KZ_Q_SEED), 0, kz_answer_play},
    {"positions", KZ_WORK_MANY, KZ_Q(KZ_Q_RULES), KZ_B(KZ_B_POSITIONS) | KZ_B(KZ_B_RULES), kz_answer_positions},
    {"table", KZ_WORK_NONE, KZ_Q(KZ_Q_RULES), 0, kz_answer_table},
};

enum { ROUTES = sizeof routes / sizeof *routes };

const kz_route *kz_route_at(size_t number) { return number < ROUTES ? &routes[number] : NULL; }

const kz_route *kz_route_find(const char *name) {
    for (size_t i = 0; i < ROUTES; i++) {
        if (strcmp(routes[i].name, name) == 0) {
            return &routes[i];
        }
    }
    return NULL;
}

/* ---- In general ------------------------------------------------------------------------------------------------- */

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

static const kz_general_route general_routes[] = {
    {"/healthz", answer_health},
    {"/api/v1/games", kz_answer_games},
    {"/api/v1/openapi.json", answer_description},
};

enum { GENERAL_ROUTES = sizeof general_routes / sizeof *general_routes };

const kz_general_route *kz_general_route_at(size_t number) {
    return number < GENERAL_ROUTES ? &general_routes[number] : NULL;
}

const kz_general_route *kz_general_route_find(const char *path) {
    for (size_t i = 0; i < GENERAL_ROUTES; i++) {
        if (strcmp(general_routes[i].path, path) == 0) {
            return &general_routes[i];
        }
    }
    return NULL;
}
