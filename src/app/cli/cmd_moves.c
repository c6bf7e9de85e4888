/* SPDX-License-Identifier: MIT */
#include "positions.h"

#include "base/list.h"
#include "values.h"

#include <stdio.h>

/* Prints one move, as a line or as an object in the array that is open. */
static kz_status print_move(const kz_values *values, const kz_position *position, const kz_scored_move *scored,
                            cli_json *json, kz_error *error) {
    const kz_game *game = values->game;
    char move[KZ_TEXT_BYTES];
    char after[KZ_TEXT_BYTES];
    kz_position next = *position;
    kz_play(game, values->rules, &next, scored->move);
    kz_status status = kz_move_format(game, position, scored->move, move, sizeof move, error);
    if (status == KZ_OK) {
        status = kz_format(game, &next, 0, after, sizeof after, error);
    }
    if (status != KZ_OK) {
        return status;
    }
    if (json) {
        json_object(json, NULL);
        json_text(json, "move", move);
        json_value(json, game, scored->value);
        json_text(json, "position", after);
        json_end_object(json);
    } else {
        char value[VALUE_BYTES];
        printf("%s\t%s\t%s\n", move, format_value(game, scored->value, value), after);
    }
    return KZ_OK;
}

static kz_status print_text(const kz_values *values, const kz_position *position, const kz_scored_move *moves,
                            int count, kz_value value, kz_error *error) {
    if (count == 0) {
        char text[VALUE_BYTES];
        fprintf(stderr, "kanzen moves: the game is over (%s), so there are no moves\n",
                format_value(values->game, value, text));
    }
    for (int i = 0; i < count; i++) {
        kz_status status = print_move(values, position, &moves[i], NULL, error);
        if (status != KZ_OK) {
            return status;
        }
    }
    return KZ_OK;
}

static kz_status print_json(const kz_values *values, const kz_position *position, const kz_scored_move *moves,
                            int count, kz_value value, kz_error *error) {
    char text[KZ_TEXT_BYTES];
    kz_status status = kz_format(values->game, position, 0, text, sizeof text, error);
    if (status != KZ_OK) {
        return status;
    }
    cli_json json = json_start(stdout);
    json_object(&json, NULL);
    json_text(&json, "game", kz_game_name(values->game));
    json_text(&json, "rules", kz_rules_name(values->game, values->rules));
    json_text(&json, "position", text);
    json_text(&json, "side", kz_side_to_move(values->game, position));
    json_value(&json, values->game, value);
    json_array(&json, "moves");
    for (int i = 0; i < count && status == KZ_OK; i++) {
        status = print_move(values, position, &moves[i], &json, error);
    }
    json_end_array(&json);
    json_end_object(&json);
    json_finish(&json);
    return status;
}

static kz_status print_moves(const kz_values *values, const kz_position *position, bool json, kz_error *error) {
    kz_value value;
    kz_list memory;
    kz_scored_move *moves = kz_list_open(&memory, kz_max_moves(values->game, values->rules), sizeof *moves);
    int count;
    kz_status status = moves ? kz_values_moves(values, position, &value, moves, &count, error) : out_of_memory(error);
    if (status == KZ_OK) {
        status = (json ? print_json : print_text)(values, position, moves, count, value, error);
    }
    kz_list_close(&memory);
    return status;
}

static int run(cli_arguments *arguments) {
    cli_values_options wanted = {.table = NULL};
    bool json = false;
    const cli_option options[] = {
        OPTIONS_VALUES(&wanted),
        OPTION_JSON(&json),
        OPTION_END,
    };
    if (!parse_options(arguments, options, 1, 2)) {
        return STATUS_USAGE;
    }
    cli_values values;
    kz_position position;
    int code = values_open_at(arguments, &wanted, &values, &position);
    if (code != STATUS_FINE) {
        return code;
    }
    kz_error error;
    if (print_moves(&values.source, &position, json, &error) != KZ_OK) {
        code = report_error(arguments->command, &error);
    }
    values_close(&values);
    return code;
}

const cli_command command_moves = {
    .name = "moves",
    .summary = "List the moves of a position with their values, best first",
    .operands = "GAME [POSITION]",
    .help = "Prints a line for each legal move: the move, what it leads to for the side that\n"
            "makes it, and the position after it, separated by tabs. 'win N' and 'loss N'\n"
            "count the plies to the end, this move included, or in games that people count in\n"
            "turns, the turns of the side that makes it. Without a position it is the one that the game\n"
            "begins with.\n"
            "\n"
            "If there is no table, and the game has a search, the moves are searched for a few\n"
            "seconds; values that are not found are 'unknown'.\n",
    .examples = "kanzen moves dobutsu\n"
                "kanzen moves dobutsu \"gle/1C1/3/ELG w C 2\"\n",
    .run = run,
};
