/* SPDX-License-Identifier: MIT */
#include "values.h"

#include "positions.h"

#include <stdio.h>

static const double SEARCH_SECONDS = 5;

int values_open(const cli_command *command, const kz_game *game, const cli_asked *asked, cli_values *values) {
    double seconds = asked->seconds > 0 ? (double)asked->seconds : SEARCH_SECONDS;
    kz_table *table;
    int rules = 0;
    CLI_TRY(open_table(command, game, asked, kz_can_prove(game) ? USE_IF_THERE : USE_VALUES, &table));
    if (table) {
        rules = kz_table_rules(table);
    } else {
        CLI_TRY(choose_rules(command, game, asked, &rules));
        (void)report_message(command, STATUS_IO, "no table for %s by %s rules was found, so values come from a search",
                             kz_game_name(game), kz_rules_name(game, rules));
    }
    *values = (cli_values){
        .source = {.game = game,
                   .rules = rules,
                   .table = table,
                   .seconds = seconds,
                   .value_seconds = seconds,
                   .deepens = true},
        .table = table,
    };
    return STATUS_FINE;
}

void values_close(cli_values *values) { kz_table_close(values->table); }

int values_open_at(const cli_arguments *arguments, const cli_asked *asked, cli_values *values, kz_position *position) {
    const kz_game *game;
    CLI_TRY(choose_game(arguments->command, arguments->items[0], &game));
    CLI_TRY(values_open(arguments->command, game, asked, values));
    int code = position_operand(arguments, 1, game, values->source.rules, position);
    if (code == STATUS_FINE && kz_game_has_parts(game) && values->table) {
        kz_value value;
        kz_error error;
        code = kz_probe(values->table, position, &value, &error) == KZ_OK
                   ? STATUS_FINE
                   : report_position(arguments->command, game, &error);
    }
    if (code != STATUS_FINE) {
        values_close(values);
    }
    return code;
}

const char *format_depth(const kz_game *game, kz_value value, int depth, char text[DEPTH_BYTES]) {
    text[0] = '\0';
    if (value.outcome == KZ_UNKNOWN && depth > 0) {
        snprintf(text, DEPTH_BYTES, "no win within %d %s", depth, kz_distance_unit(game));
    }
    return text;
}

void json_depth(cli_json *json, kz_value value, int depth) {
    if (value.outcome == KZ_UNKNOWN && depth > 0) {
        json_integer(json, "searched", depth);
    } else {
        json_null(json, "searched");
    }
}
