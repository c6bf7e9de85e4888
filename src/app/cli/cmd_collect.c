/* SPDX-License-Identifier: MIT
 *
 * kanzen longest and kanzen puzzles: won positions of a table that take longest, and those in which just one move
 * wins. */
#include "common.h"

#include <kanzen/collect.h>
#include <stdio.h>
#include <stdlib.h>

enum { DEFAULT_COUNT = 20, DEFAULT_PER_LENGTH = 5, MOST_PER_LENGTH = 200 };

/* Options of both. */
typedef struct collect_request {
    cli_asked asked;
    cli_work work;
    uint64_t number; /* of positions, or of puzzles of each length */
    uint64_t seed;
} collect_request;

/* ---- What is printed --------------------------------------------------------------------------------------------- */

static cli_report begin_list(const kz_table *table, bool as_json) {
    cli_report report = report_begin(stdout, as_json);
    report_game(&report, kz_table_game(table), kz_table_rules(table));
    json_text(&report.json, "unit", kz_distance_unit(kz_table_game(table)));
    return report;
}

static void end_list(cli_report *report) {
    report_end_list(report);
    report_end(report);
}

/* A puzzle is won, so that its JSON has no outcome. */
static kz_status report_position_of(cli_report *report, const kz_game *game, const kz_position *position,
                                    kz_value value, kz_move move, bool puzzle, kz_error *error) {
    char text[KZ_TEXT_BYTES];
    char move_text[KZ_TEXT_BYTES];
    char value_text[VALUE_BYTES];
    KZ_TRY(kz_format(game, position, 0, text, sizeof text, error));
    KZ_TRY(kz_move_format(game, position, move, move_text, sizeof move_text, error));
    report_row(report);
    report_text(report, "position", text);
    report_text(report, NULL, format_value(game, value, value_text));
    if (puzzle) {
        json_integer(&report->json, "distance", kz_distance_shown(game, value));
    } else {
        json_value(&report->json, game, value);
    }
    json_integer(&report->json, "plies", value.distance);
    report_text(report, puzzle ? "move" : "best", move_text);
    report_end_row(report);
    return KZ_OK;
}

/* ---- longest ----------------------------------------------------------------------------------------------------- */

static kz_status print_longest(const kz_table *table, const kz_found *found, size_t count, bool as_json,
                               kz_error *error) {
    kz_list memory;
    kz_status status = KZ_OK;
    kz_scored_move *moves = open_moves(&memory, table);
    if (!moves) {
        status = out_of_memory(error);
    }
    cli_report report = begin_list(table, as_json);
    report_list(&report, "positions");
    for (size_t i = 0; status == KZ_OK && i < count; i++) {
        int move_count;
        status = kz_probe_moves(table, &found[i].position, moves, &move_count, error);
        if (status == KZ_OK) {
            status = report_position_of(&report, kz_table_game(table), &found[i].position, found[i].value,
                                        moves[0].move, false, error);
        }
    }
    end_list(&report);
    kz_list_close(&memory);
    return status;
}

static kz_status find_longest(const kz_table *table, const collect_request *request, kz_error *error) {
    size_t most = (size_t)request->number;
    size_t count;
    kz_found *found = malloc(most * sizeof *found);
    if (!found) {
        return out_of_memory(error);
    }
    kz_status status = kz_collect_longest(table, most, (int)request->work.threads, show_progress(request->work.quiet),
                                          found, &count, error);
    end_progress();
    if (status == KZ_OK) {
        status = print_longest(table, found, count, request->work.json, error);
    }
    free(found);
    return status;
}

/* ---- puzzles ----------------------------------------------------------------------------------------------------- */

static kz_status find_puzzles(const kz_table *table, const collect_request *request, kz_error *error) {
    kz_puzzle *puzzles = NULL;
    size_t count = 0;
    const kz_puzzle_wish wish = {
        .per_length = (unsigned)request->number, .seed = request->seed, .threads = (int)request->work.threads};
    kz_status status = kz_collect_puzzles(table, &wish, show_progress(request->work.quiet), &puzzles, &count, error);
    end_progress();
    if (status == KZ_OK) {
        cli_report report = begin_list(table, request->work.json);
        json_unsigned(&report.json, "seed", request->seed);
        report_list(&report, "puzzles");
        for (size_t i = 0; status == KZ_OK && i < count; i++) {
            status = report_position_of(&report, kz_table_game(table), &puzzles[i].position, puzzles[i].value,
                                        puzzles[i].move, true, error);
        }
        end_list(&report);
    }
    free(puzzles);
    return status;
}

/* ---- The commands ------------------------------------------------------------------------------------------------ */

static int collect(cli_arguments *arguments, const cli_option *options, const collect_request *request,
                   kz_status (*find)(const kz_table *table, const collect_request *request, kz_error *error)) {
    kz_table *table;
    kz_error error;
    CLI_TRY(read_options(arguments, options, 1, 1));
    CLI_TRY(open_table_of(arguments, &request->asked, USE_WHOLE, &table));
    kz_status status = find(table, request, &error);
    kz_table_close(table);
    return exit_code(arguments->command, status, &error);
}

static int run_longest(cli_arguments *arguments) {
    collect_request request = {.number = DEFAULT_COUNT};
    const cli_option options[] = {
        OPTIONS_TABLE(&request.asked),
        OPTION_NUMBER("count", &request.number, 1, KZ_COLLECT_MOST, "list N positions (default: 20)"),
        OPTIONS_WORK(&request.work),
        OPTION_END,
    };
    return collect(arguments, options, &request, find_longest);
}

static int run_puzzles(cli_arguments *arguments) {
    collect_request request = {.number = DEFAULT_PER_LENGTH, .seed = 1};
    const cli_option options[] = {
        OPTIONS_TABLE(&request.asked),
        OPTION_NUMBER("per-length", &request.number, 1, MOST_PER_LENGTH,
                      "look for N puzzles of each length (default: 5)"),
        OPTION_NUMBER("seed", &request.seed, 0, UINT64_MAX, "other puzzles for another number (default: 1)"),
        OPTIONS_WORK(&request.work),
        OPTION_END,
    };
    return collect(arguments, options, &request, find_puzzles);
}

const cli_command command_longest = {
    .name = "longest",
    .summary = "List the positions with the longest wins",
    .operands = "GAME",
    .help = "Goes over a whole table and prints a line for each of the won positions that take\n"
            "longest, longest first: the position, its value and a best move, separated by tabs.\n"
            "Mirror images and turns are folded.\n",
    .examples = "kanzen longest dobutsu --count 14\n"
                "kanzen longest pushfight --board mini --json\n",
    .run = run_longest,
};

const cli_command command_puzzles = {
    .name = "puzzles",
    .summary = "Make puzzles: positions in which just one move wins",
    .operands = "GAME",
    .help = "Looks in a table for won positions with several legal moves of which just one wins,\n"
            "a few for each number of plies or turns that a win takes. Prints a line for each:\n"
            "the position, its value and the move, separated by tabs; short ones first.\n"
            "The same seed gives the same puzzles. Some lengths may have fewer than asked for.\n",
    .examples = "kanzen puzzles dobutsu --per-length 3\n"
                "kanzen puzzles pushfight --board mini --seed 7 --json\n",
    .run = run_puzzles,
};
