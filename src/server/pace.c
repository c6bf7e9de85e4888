/* SPDX-License-Identifier: MIT */
#include "server/pace.h"

#include <string.h>

static bool has_table(const kz_server_table *tables, size_t count, const kz_game *game, const char *rules) {
    int number = kz_rules_find(game, rules && *rules ? rules : NULL);
    for (size_t i = 0; i < count; i++) {
        if (kz_table_game(tables[i].table) == game && kz_table_rules(tables[i].table) == number) {
            return true;
        }
    }
    return false;
}

/* The game in "/api/v1/GAME/WHAT", and where WHAT begins. NULL: there is none. */
static const kz_game *game_in(const char *path, const char **what) {
    static const char prefix[] = "/api/v1/";
    if (strncmp(path, prefix, sizeof prefix - 1) != 0) {
        return NULL;
    }
    const char *name = path + sizeof prefix - 1;
    const char *end = strchr(name, '/');
    if (!end) {
        return NULL;
    }
    *what = end + 1;
    for (size_t number = 0; kz_game_at(number); number++) {
        const char *known = kz_game_name(kz_game_at(number));
        if (strlen(known) == (size_t)(end - name) && strncmp(known, name, strlen(known)) == 0) {
            return kz_game_at(number);
        }
    }
    return NULL;
}

kz_pace kz_pace_of(const kz_server_table *tables, size_t count, const char *path, const char *rules) {
    const char *what;
    const kz_game *game = game_in(path, &what);
    if (!game || strcmp(what, "table") == 0) {
        return KZ_PACE_NOW;
    }
    /* A game that has a search for want of a table is a large one: thousands of moves, each in a part of the table of
     * its own. */
    bool large = kz_can_prove(game);
    if (large && strcmp(what, "legal") != 0 && !has_table(tables, count, game, rules)) {
        return KZ_PACE_SEARCH;
    }
    bool many = strcmp(what, "positions") == 0 || strcmp(what, "line") == 0;
    return large || many ? KZ_PACE_TABLE : KZ_PACE_NOW;
}
