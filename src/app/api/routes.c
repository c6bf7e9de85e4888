/* SPDX-License-Identifier: MIT */
#include "app/api/routes.h"

#include <string.h>

/* ---- About a game ----------------------------------------------------------------------------------------------- */

enum { POSITION = KZ_Q(KZ_Q_POS) | KZ_Q(KZ_Q_RULES) | KZ_Q(KZ_Q_PLAYED) };

static const kz_route routes[] = {
    {.name = "position",
     .work = KZ_WORK_MOVES,
     .parameters = POSITION | KZ_Q(KZ_Q_MOVES),
     .steady = true,
     .answer = kz_answer_position},
    {.name = "moves", .work = KZ_WORK_MOVES, .parameters = POSITION, .steady = true, .answer = kz_answer_moves},
    {.name = "legal", .work = KZ_WORK_RULES, .parameters = POSITION, .steady = true, .answer = kz_answer_legal},
#if !defined KANZEN_READ_ONLY || defined KANZEN_SOLVES /* the games of the page draw themselves */
    {.name = "board", .work = KZ_WORK_RULES, .parameters = POSITION, .steady = true, .answer = kz_answer_board},
#endif
    {.name = "svg",
     .work = KZ_WORK_NONE,
     .parameters = POSITION,
     .steady = true,
     .type = "image/svg+xml",
     .answer = kz_answer_svg},
#ifndef KANZEN_READ_ONLY
    {.name = "png",
     .work = KZ_WORK_PIXELS,
     .parameters = POSITION | KZ_Q(KZ_Q_AT),
     .steady = true,
     .type = "image/png",
     .answer = kz_answer_png},
    {.name = "longest",
     .work = KZ_WORK_TABLE,
     .parameters = KZ_Q(KZ_Q_RULES) | KZ_Q(KZ_Q_COUNT),
     .steady = true,
     .answer = kz_answer_longest},
#endif
    /* A line may end because its time is up. */
    {.name = "line", .work = KZ_WORK_MANY, .parameters = POSITION | KZ_Q(KZ_Q_LIMIT), .answer = kz_answer_line},
    {.name = "play",
     .work = KZ_WORK_MOVES,
     .parameters = POSITION | KZ_Q(KZ_Q_LEVEL) | KZ_Q(KZ_Q_AGGRESSIVE) | KZ_Q(KZ_Q_SEED),
     .steady = true,
     .answer = kz_answer_play},
    {.name = "positions",
     .work = KZ_WORK_MANY,
     .parameters = KZ_Q(KZ_Q_RULES),
     .members = KZ_B(KZ_B_POSITIONS) | KZ_B(KZ_B_RULES),
     .answer = kz_answer_positions},
    {.name = "annotate", .work = KZ_WORK_MANY, .members = KZ_B(KZ_B_RECORD), .answer = kz_answer_annotate},
    /* A search for puzzles may end because its time is up. */
    {.name = "puzzles",
     .work = KZ_WORK_MANY,
     .parameters = KZ_Q(KZ_Q_RULES) | KZ_Q(KZ_Q_PLIES) | KZ_Q(KZ_Q_COUNT) | KZ_Q(KZ_Q_SEED),
     .answer = kz_answer_puzzles},
    {.name = "table", .work = KZ_WORK_NONE, .parameters = KZ_Q(KZ_Q_RULES), .steady = true, .answer = kz_answer_table},
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

#ifndef KANZEN_READ_ONLY /* a site without a server has the description as a file */
static void answer_description(const kz_api *api, kz_json *json) {
    (void)api;
    kz_json_raw(json, NULL, kz_api_description());
}
#endif

static const kz_general_route general_routes[] = {
    {"/healthz", answer_health},
    {"/api/v1/games", kz_answer_games},
#ifndef KANZEN_READ_ONLY
    {"/api/v1/openapi.json", answer_description},
#endif
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
