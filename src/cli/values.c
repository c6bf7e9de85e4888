/* SPDX-License-Identifier: MIT */
#include "values.h"

#include "positions.h"

#include <stdio.h>

static const double SEARCH_SECONDS = 5;

int values_open(const struct command *command, const kz_game *game, const struct rules_option *asked, const char *path,
                struct values *values) {
    kz_table *table = NULL;
    int rules = 0;
    int code;
    if (kz_can_prove(game)) {
        code = choose_table_if_any(command, game, asked, path, &table, &rules);
    } else {
        code = choose_table(command, game, asked, path, &table);
    }
    if (code != STATUS_FINE) {
        return code;
    }
    if (table != NULL) {
        rules = kz_table_rules(table);
    } else {
        (void)report_message(command, STATUS_IO, "no table for %s by %s rules was found, so values come from a search",
                             kz_game_name(game), kz_rules_name(game, rules));
    }
    *values = (struct values){
        .source = {.game = game, .rules = rules, .table = table, .seconds = SEARCH_SECONDS},
        .table = table,
    };
    return STATUS_FINE;
}

void values_close(struct values *values) { kz_table_close(values->table); }

int values_open_at(const struct arguments *arguments, const struct rules_option *asked, const char *path,
                   struct values *values, kz_position *position) {
    const kz_game *game = choose_game(arguments->command, arguments->items[0]);
    if (game == NULL) {
        return STATUS_USAGE;
    }
    int code = values_open(arguments->command, game, asked, path, values);
    if (code != STATUS_FINE) {
        return code;
    }
    code = position_operand(arguments, 1, game, values->source.rules, position);
    if (code != STATUS_FINE) {
        values_close(values);
    }
    return code;
}
