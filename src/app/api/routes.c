/* SPDX-License-Identifier: MIT
 *
 * What can be asked. */
#include "app/api/question.h"

#include <string.h>

enum { POSITION = KZ_Q(KZ_Q_POS) | KZ_Q(KZ_Q_RULES) | KZ_Q(KZ_Q_PLAYED) };

static const kz_route routes[] = {
    {.name = "/healthz", .answer = kz_answer_health},
    {.name = "/api/v1/games", .answer = kz_answer_games},
#ifndef KANZEN_READ_ONLY /* a site without a server has the description as a file */
    {.name = "/api/v1/openapi.json", .answer = kz_answer_description},
#endif
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
     .past = true,
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
