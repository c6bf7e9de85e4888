/* SPDX-License-Identifier: MIT */
#include "table_list.h"

#include <kanzen/load.h>
#include <kanzen/paths.h>
#include <stdlib.h>
#include <string.h>

/* `parts`: the tables of all parts of the game, the first of which is at `path`. */
static int add_table(const cli_command *command, cli_table_list *tables, const kz_game *game, const char *path,
                     bool parts) {
    kz_error error;
    kz_table *table;
    if ((parts ? kz_table_open_parts(game, &table, &error) : open_table_of(path, game, &table, &error)) != KZ_OK) {
        return report_error(command, &error);
    }
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
        (void)report_message(command, STATUS_IO, "no memory for the tables");
        return STATUS_IO;
    }
    items[tables->count].table = table;
    items[tables->count].path = copy;
    tables->count++;
    return STATUS_FINE;
}

/* Every table of a game that is found, for whatever rules. */
static int add_tables_of(const cli_command *command, cli_table_list *tables, const kz_game *game) {
    int code = STATUS_FINE;
    for (int rules = 0; kz_rules_name(game, rules) && code == STATUS_FINE; rules++) {
        char path[KZ_PATH_BYTES];
        if (kz_table_find(kz_game_name(game), kz_rules_name(game, rules), path, sizeof path, NULL) == KZ_OK) {
            bool parts = kz_game_has_parts(game);
            code = add_table(command, tables, game, path, parts);
            if (parts) {
                break; /* all tables of its parts are one */
            }
        }
    }
    return code;
}

/* The tables of games whose texts come with Kanzen. */
static int add_tables_of_texts(const cli_command *command, cli_table_list *tables) {
    int code = STATUS_FINE;
    for (int number = 0; kz_game_text_name(number) && code == STATUS_FINE; number++) {
        const char *name = kz_game_text_name(number);
        kz_rules_text found[1];
        if (!kz_game_find(name) && kz_table_list(name, found, 1) > 0) {
            const kz_game *game = choose_game(command, name, &code);
            code = game ? add_tables_of(command, tables, game) : code;
        }
    }
    return code;
}

static int add_found_tables(const cli_command *command, cli_table_list *tables) {
    int code = STATUS_FINE;
    for (size_t number = 0; kz_game_at(number) && code == STATUS_FINE; number++) {
        code = add_tables_of(command, tables, kz_game_at(number));
    }
    if (code == STATUS_FINE && tables->may_be_empty) {
        code = add_tables_of_texts(command, tables);
    }
    if (code == STATUS_FINE && tables->count == 0 && tables->may_be_empty) {
        (void)report_message(command, STATUS_IO,
                             "no table is there, so most values are unknown (kanzen solve %s makes one)",
                             kz_game_name(kz_game_at(0)));
    }
    return code;
}

/* A named table is of one of the games that were named, or else of one that comes with Kanzen. */
static int add_named_table(const cli_command *command, cli_table_list *tables, const kz_game *const *games, int count,
                           const char *path) {
    for (int i = 0; i < count; i++) {
        kz_table *table;
        kz_status status = open_table_as(path, games[i], &table, NULL);
        if (status == KZ_OK) {
            kz_table_close(table);
        }
        if (status != KZ_ERR_INPUT) { /* that would be: a table of another game */
            return add_table(command, tables, games[i], path, false);
        }
    }
    return add_table(command, tables, NULL, path, false);
}

int table_list_open(const cli_arguments *arguments, int first, const cli_texts *named, cli_table_list *tables) {
    const cli_command *command = arguments->command;
    const kz_game *games[TABLE_LIST_MOST_GAMES];
    char *const *names = arguments->items + first;
    int count = arguments->count - first;
    int code = STATUS_FINE;
    for (int i = 0; i < count; i++) {
        games[i] = choose_game(command, names[i], &code);
        if (!games[i]) {
            return code;
        }
    }
    for (int i = 0; i < named->count && code == STATUS_FINE; i++) {
        code = add_named_table(command, tables, games, count, named->items[i]);
    }
    for (int i = 0; i < count && named->count == 0 && code == STATUS_FINE; i++) {
        size_t before = tables->count;
        code = add_tables_of(command, tables, games[i]);
        if (code == STATUS_FINE && tables->count == before && !kz_game_find(kz_game_name(games[i]))) {
            code = report_message(command, STATUS_IO, "there is no table for %s; make it with: kanzen solve %s",
                                  kz_game_name(games[i]), names[i]);
        }
    }
    if (code == STATUS_FINE && named->count == 0 && count == 0) {
        code = add_found_tables(command, tables);
    }
    return code;
}

void table_list_close(cli_table_list *tables) {
    for (size_t i = 0; i < tables->count; i++) {
        kz_table_close((kz_table *)tables->items[i].table);
        free((char *)tables->items[i].path);
    }
    free(tables->items);
}
