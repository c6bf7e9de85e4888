/* SPDX-License-Identifier: MIT */
#include "positions.h"

#include "base/list.h"
#include "values.h"

#include <stdio.h>

static kz_status report_move(cli_report *report, const kz_values *values, const kz_position *position,
                             const kz_scored_move *scored, kz_error *error) {
    char move[KZ_TEXT_BYTES];
    char after[KZ_TEXT_BYTES];
    kz_position next = *position;
    kz_play(values->game, values->rules, &next, scored->move);
    KZ_TRY(kz_move_format(values->game, position, scored->move, move, sizeof move, error));
    KZ_TRY(kz_format(values->game, &next, 0, after, sizeof after, error));
    report_row(report);
    report_text(report, "move", move);
    report_value(report, values->game, scored->value);
    report_text(report, "position", after);
    report_end_row(report);
    return KZ_OK;
}

static kz_status print_moves(const kz_values *values, const kz_position *position, const kz_scored_move *moves,
                             int count, kz_value value, bool as_json, kz_error *error) {
    char text[KZ_TEXT_BYTES];
    char value_text[VALUE_BYTES];
    KZ_TRY(kz_format(values->game, position, 0, text, sizeof text, error));
    cli_report report = report_begin(stdout, as_json);
    if (count == 0 && !as_json) {
        fprintf(stderr, "kanzen moves: the game is over (%s), so there are no moves\n",
                format_value(values->game, value, value_text));
    }
    report_game(&report, values->game, values->rules);
    json_text(&report.json, "position", text);
    json_text(&report.json, "side", kz_side_to_move(values->game, position));
    json_value(&report.json, values->game, value);
    report_list(&report, "moves");
    kz_status status = KZ_OK;
    for (int i = 0; i < count && status == KZ_OK; i++) {
        status = report_move(&report, values, position, &moves[i], error);
    }
    report_end_list(&report);
    report_end(&report);
    return status;
}

static kz_status list_moves(const kz_values *values, const kz_position *position, bool json, kz_error *error) {
    kz_value value;
    kz_list memory;
    int count;
    kz_status status;
    kz_scored_move *moves = kz_list_open(&memory, kz_max_moves(values->game, values->rules), sizeof *moves);
    KZ_TRY_OR(done, moves ? KZ_OK : out_of_memory(error));
    KZ_TRY_OR(done, kz_values_moves(values, position, &value, moves, &count, error));
    KZ_TRY_OR(done, print_moves(values, position, moves, count, value, json, error));
done:
    kz_list_close(&memory);
    return status;
}

static int run(cli_arguments *arguments) {
    cli_asked asked = {.table = NULL};
    bool json = false;
    const cli_option options[] = {
        OPTIONS_VALUES(&asked),
        OPTION_JSON(&json),
        OPTION_END,
    };
    CLI_TRY(read_options(arguments, options, 1, 2));
    cli_values values;
    kz_position position;
    kz_error error;
    CLI_TRY(values_open_at(arguments, &asked, &values, &position));
    kz_status status = list_moves(&values.source, &position, json, &error);
    values_close(&values);
    return exit_code(arguments->command, status, &error);
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
