/* SPDX-License-Identifier: MIT */
#include "table_list.h"

#include "base/http.h"

#include <kanzen/load.h>
#include <kanzen/paths.h>
#include <stdlib.h>
#include <string.h>

/* Takes an open table over. */
static int add_table(const cli_command *command, cli_table_list *tables, kz_table *table, const char *path) {
    kz_error error;
    if (tables->cache_bytes > 0 && kz_table_cache(table, tables->cache_bytes, &error) != KZ_OK) {
        kz_table_close(table);
        return report_error(command, &error);
    }
    kz_published_table *items = realloc(tables->items, (tables->count + 1) * sizeof *items);
    char *copy = strdup(path);
    if (items) {
        tables->items = items;
    }
    if (!items || !copy) {
        kz_table_close(table);
        free(copy);
        return report_message(command, STATUS_IO, "no memory for the tables");
    }
    items[tables->count].table = table;
    items[tables->count++].path = copy;
    return STATUS_FINE;
}

/* `parts`: the tables of all parts of the game, the first of which is at `path`. */
static int add_path(const cli_command *command, cli_table_list *tables, const kz_game *game, const char *path,
                    bool parts) {
    kz_error error;
    kz_table *table;
    if ((parts ? kz_table_open_parts(game, &table, &error) : open_path(path, game, &table, &error)) != KZ_OK) {
        return report_error(command, &error);
    }
    return add_table(command, tables, table, path);
}

/* Every table of a game that is found, for whatever rules. */
static int add_tables_of(const cli_command *command, cli_table_list *tables, const kz_game *game) {
    bool parts = kz_game_has_parts(game); /* all tables of its parts are one */
    bool found = false;
    for (int rules = 0; kz_rules_name(game, rules) && !(parts && found); rules++) {
        char path[KZ_PATH_BYTES];
        found = kz_table_find(kz_game_name(game), kz_rules_name(game, rules), path, sizeof path, NULL) == KZ_OK;
        if (found) {
            CLI_TRY(add_path(command, tables, game, path, parts));
        }
    }
    return STATUS_FINE;
}

/* The tables of games whose texts come with Kanzen. */
static int add_tables_of_texts(const cli_command *command, cli_table_list *tables) {
    for (int number = 0; kz_game_text_name(number); number++) {
        const char *name = kz_game_text_name(number);
        const kz_game *game;
        kz_rules_text found[1];
        if (!kz_game_find(name) && kz_table_list(name, found, 1) > 0) {
            CLI_TRY(choose_game(command, name, &game));
            CLI_TRY(add_tables_of(command, tables, game));
        }
    }
    return STATUS_FINE;
}

static int add_found_tables(const cli_command *command, cli_table_list *tables) {
    for (size_t number = 0; kz_game_at(number); number++) {
        CLI_TRY(add_tables_of(command, tables, kz_game_at(number)));
    }
    if (tables->may_be_empty) {
        CLI_TRY(add_tables_of_texts(command, tables));
    }
    if (tables->count == 0 && tables->may_be_empty) {
        (void)report_message(command, STATUS_IO,
                             "no table is there, so most values are unknown (kanzen solve %s makes one)",
                             kz_game_name(kz_game_at(0)));
    }
    return STATUS_FINE;
}

/* A named table is of one of the games that were named, or else of one that comes with Kanzen. */
static int add_named_table(const cli_command *command, cli_table_list *tables, const kz_game *const *games, int count,
                           const char *path) {
    const kz_game *game = NULL;
    kz_status status = KZ_ERR_INPUT;
    for (int i = 0; i < count && status == KZ_ERR_INPUT; i++) { /* that is: a table of another game */
        kz_table *table;
        status = kz_is_url(path) ? kz_table_open_url(path, games[i], NULL, &table, NULL)
                                 : kz_table_open_as(path, games[i], &table, NULL);
        if (status == KZ_OK) {
            return add_table(command, tables, table, path);
        }
        game = status == KZ_ERR_INPUT ? NULL : games[i];
    }
    return add_path(command, tables, game, path, false);
}

int table_list_open(const cli_arguments *arguments, int first, const cli_texts *named, cli_table_list *tables) {
    const cli_command *command = arguments->command;
    const kz_game *games[TABLE_LIST_MOST_GAMES];
    char *const *names = arguments->items + first;
    int count = arguments->count - first;
    for (int i = 0; i < count; i++) {
        CLI_TRY(choose_game(command, names[i], &games[i]));
    }
    for (int i = 0; i < named->count; i++) {
        CLI_TRY(add_named_table(command, tables, games, count, named->items[i]));
    }
    for (int i = 0; i < count && named->count == 0; i++) {
        size_t before = tables->count;
        CLI_TRY(add_tables_of(command, tables, games[i]));
        if (tables->count == before && !kz_game_find(kz_game_name(games[i]))) {
            return report_message(command, STATUS_IO, "there is no table for %s; make it with: kanzen solve %s",
                                  kz_game_name(games[i]), names[i]);
        }
    }
    return named->count == 0 && count == 0 ? add_found_tables(command, tables) : STATUS_FINE;
}

void table_list_close(cli_table_list *tables) {
    for (size_t i = 0; i < tables->count; i++) {
        kz_table_close((kz_table *)tables->items[i].table);
        free((char *)tables->items[i].path);
    }
    free(tables->items);
}
