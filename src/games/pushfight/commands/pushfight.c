/* SPDX-License-Identifier: MIT
 *
 * kanzen pushfight: what is special to Push Fight, in the forms of its published solution. */
#include "app/cli/common.h"
#include "app/cli/game_commands.h"
#include "games/pushfight/commands/openings.h"

#include <kanzen/paths.h>
#include <kanzen/pushfight.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Options that several subcommands have. */
typedef struct pushfight_request {
    const cli_command *command;
    const kz_game *game;
    cli_asked asked;
    cli_work work;
    const char *out;
    bool force;
} pushfight_request;

/* clang-format off */
#define OPTIONS_OF_FILE(request_)                                       \
    OPTION_TEXT("out", &(request_)->out, "FILE", "the file to write"),  \
    OPTION_FLAG("force", &(request_)->force, "replace a file that is there already")
/* clang-format on */

static pushfight_request new_request(const cli_arguments *arguments) {
    return (pushfight_request){.command = arguments->command, .game = kz_game_find("pushfight")};
}

/* Whether the file can be written, if there is one; the library refuses, too, but only the command knows the option
 * that helps. Returns the exit code. */
static int check_output(const pushfight_request *request) {
    kz_error error;
    if (!request->out) {
        return STATUS_FINE;
    }
    CLI_TRY(refuse_stream(request->command, "--out", request->out, "this file"));
    CLI_TRY(check_replacing(request->command, request->out, request->force));
    return exit_code(request->command, kz_prepare_output(request->out, request->force, &error), &error);
}

/* The table that is asked for; the output is checked as well, before any work is done. */
static int open_for(const pushfight_request *request, kz_table **table) {
    CLI_TRY(open_table(request->command, request->game, &request->asked, USE_WHOLE, table));
    int code = check_output(request);
    if (code != STATUS_FINE) {
        kz_table_close(*table);
    }
    return code;
}

static const char *board_name(const pushfight_request *request, int rules) {
    return kz_rules_name(request->game, rules);
}

static void report_time(cli_report *report, double seconds) {
    report_line(report, "%15.2f  seconds\n", seconds);
    json_double(&report->json, "seconds", seconds);
}

/* ---- phase0 ---------------------------------------------------------------------------------------------------- */

static void print_phase0(const pushfight_request *request, int rules, const kz_pushfight_phase0_report *found) {
    cli_report report = report_begin(stdout, request->work.json);
    json_text(&report.json, "board", board_name(request, rules));
    report_tally(&report, "permutations", found->permutations, "permutations of the pieces on the board");
    report_tally(&report, "wins", found->wins, "of these, wins at once");
    report_tally(&report, "stuck", found->stuck, "of these, losses for want of a legal turn");
    report_tally(&report, "reachable", found->reachable, "permutations whose anchor passes the test");
    report_tally(&report, "reachable_wins", found->reachable_wins, "of these, wins at once");
    report_tally(&report, "reachable_stuck", found->reachable_stuck, "of these, losses for want of a legal turn");
    report_time(&report, found->seconds);
    report_end(&report);
}

static int count_phase0(const pushfight_request *request, int rules) {
    kz_pushfight_phase0_report report = {0};
    kz_error error;
    CLI_TRY(end_work(
        request->command,
        kz_pushfight_phase0(rules, (int)request->work.threads, show_progress(request->work.quiet), &report, &error),
        &error));
    print_phase0(request, rules, &report);
    return STATUS_FINE;
}

static int write_phase0_chunk(const pushfight_request *request, int rules, uint64_t chunk) {
    uint64_t wins = 0;
    kz_error error;
    if (rules != KZ_PUSHFIGHT_STANDARD) {
        return report_usage(request->command, "only the %s board has chunks",
                            board_name(request, KZ_PUSHFIGHT_STANDARD));
    }
    if (!request->out) {
        return report_usage(request->command, "to which file? Say --out FILE");
    }
    CLI_TRY(check_output(request));
    CLI_TRY(end_work(request->command,
                     kz_pushfight_phase0_chunk((int)request->work.threads, chunk, request->out, request->force,
                                               show_progress(request->work.quiet), &wins, &error),
                     &error));
    cli_report report = report_begin(stdout, request->work.json);
    json_unsigned(&report.json, "chunk", chunk);
    report_tally(&report, "wins", wins, "wins at once");
    report_text(&report, "file", request->out);
    report_end(&report);
    return STATUS_FINE;
}

static int run_phase0(cli_arguments *arguments) {
    pushfight_request request = new_request(arguments);
    uint64_t chunk = KZ_PUSHFIGHT_CHUNKS; /* none */
    int rules;
    const cli_option options[] = {
        OPTION_NUMBER("chunk", &chunk, 0, KZ_PUSHFIGHT_CHUNKS - 1, "write this chunk of the bitmap, 0 to 7428"),
        OPTION_RULES(&request.asked),
        OPTIONS_OF_FILE(&request),
        OPTIONS_WORK(&request.work),
        OPTION_END,
    };
    CLI_TRY(read_options(arguments, options, 0, 0));
    if (chunk == KZ_PUSHFIGHT_CHUNKS && request.out) {
        return report_usage(request.command, "--out goes with --chunk only; the whole phase 0 is counted, not written");
    }
    CLI_TRY(choose_rules(request.command, request.game, &request.asked, &rules));
    return chunk < KZ_PUSHFIGHT_CHUNKS ? write_phase0_chunk(&request, rules, chunk) : count_phase0(&request, rules);
}

/* ---- chunk, values --------------------------------------------------------------------------------------------- */

/* Of a chunk, or of all positions, minimized or not. */
static void print_values(const pushfight_request *request, int rules, const uint64_t *chunk, const bool *minimized,
                         const kz_pushfight_values_report *found) {
    cli_report report = report_begin(stdout, request->work.json);
    cli_json *json = &report.json;
    json_text(json, "board", board_name(request, rules));
    if (chunk) {
        json_unsigned(json, "chunk", *chunk);
    }
    if (minimized) {
        json_boolean(json, "minimized", *minimized);
    }
    report_value_counts(&report, request->game, found->counts);
    report_line(&report, "sha256 %s\n", found->sha256);
    json_text(json, "sha256", found->sha256);
    if (request->out) {
        report_line(&report, "%s\n", request->out);
    }
    json_text(json, "file", request->out);
    report_end(&report);
}

static int run_chunk(cli_arguments *arguments) {
    pushfight_request request = new_request(arguments);
    uint64_t chunk = KZ_PUSHFIGHT_CHUNKS; /* none */
    const cli_option options[] = {
        OPTION_NUMBER("merged", &chunk, 0, KZ_PUSHFIGHT_CHUNKS - 1, "the chunk of the values, 0 to 7428",
                      .required = true),
        OPTION_TABLE(&request.asked),
        OPTIONS_OF_FILE(&request),
        OPTIONS_WORK(&request.work),
        OPTION_END,
    };
    CLI_TRY(read_options(arguments, options, 0, 0));
    if (chunk == KZ_PUSHFIGHT_CHUNKS) {
        return report_usage(request.command, "which chunk? Say --merged with a number from 0 to %d",
                            KZ_PUSHFIGHT_CHUNKS - 1);
    }
    request.asked.board = board_name(&request, KZ_PUSHFIGHT_STANDARD);
    kz_table *table;
    kz_pushfight_values_report report;
    kz_error error;
    CLI_TRY(open_for(&request, &table));
    int code = end_work(request.command,
                        kz_pushfight_merged_chunk(table, (int)request.work.threads, chunk, request.out, request.force,
                                                  show_progress(request.work.quiet), &report, &error),
                        &error);
    if (code == STATUS_FINE) {
        print_values(&request, KZ_PUSHFIGHT_STANDARD, &chunk, NULL, &report);
    }
    kz_table_close(table);
    return code;
}

static int run_values(cli_arguments *arguments) {
    pushfight_request request = new_request(arguments);
    bool minimized = false;
    const cli_option options[] = {
        OPTION_FLAG("minimized", &minimized, "only positions that can occur, up to a half turn"),
        OPTIONS_TABLE(&request.asked),
        OPTIONS_OF_FILE(&request),
        OPTIONS_WORK(&request.work),
        OPTION_END,
    };
    CLI_TRY(read_options(arguments, options, 0, 0));
    kz_table *table;
    kz_pushfight_values_report report;
    kz_error error;
    CLI_TRY(open_for(&request, &table));
    int code = end_work(request.command,
                        kz_pushfight_values(table, (int)request.work.threads, minimized, request.out, request.force,
                                            show_progress(request.work.quiet), &report, &error),
                        &error);
    if (code == STATUS_FINE) {
        print_values(&request, kz_table_rules(table), NULL, &minimized, &report);
    }
    kz_table_close(table);
    return code;
}

/* ---- openings -------------------------------------------------------------------------------------------------- */

/* `first` is NULL for all openings. */
static kz_status work_out_openings(const pushfight_request *request, const kz_table *table, const uint32_t *first,
                                   uint64_t best, kz_error *error) {
    pushfight_openings openings = {.game = request->game, .rules = kz_table_rules(table), .best = best};
    kz_status status = kz_pushfight_openings(table, (int)request->work.threads, show_progress(request->work.quiet),
                                             &openings.report, error);
    end_progress();
    KZ_TRY_OR(done, status);
    if (request->out) {
        size_t size = (size_t)openings.report.firsts * openings.report.seconds;
        KZ_TRY_OR(done, kz_write_file(request->out, openings.report.values, size, request->force, error));
    }
    KZ_TRY_OR(done, first ? print_answers(&openings, *first, request->work.json, error)
                          : print_openings(&openings, request->work.json, error));
done:
    kz_pushfight_openings_free(&openings.report);
    return status;
}

static int run_openings(cli_arguments *arguments) {
    pushfight_request request = new_request(arguments);
    enum { DEFAULT_BEST = 10, MOST_BEST = 1000000 };
    const char *first_text = NULL;
    uint64_t best = DEFAULT_BEST;
    const cli_option options[] = {
        OPTION_TEXT("first", &first_text, "PLACEMENT", "only openings with this first placement"),
        OPTION_NUMBER("best", &best, 1, MOST_BEST, "how many placements to list (default: 10)"),
        OPTIONS_TABLE(&request.asked),
        OPTIONS_OF_FILE(&request),
        OPTIONS_WORK(&request.work),
        OPTION_END,
    };
    CLI_TRY(read_options(arguments, options, 0, 0));
    kz_table *table;
    CLI_TRY(open_for(&request, &table));
    uint32_t first = 0;
    kz_error error;
    kz_status status = KZ_OK;
    if (first_text) {
        status = kz_pushfight_placement_parse(kz_table_rules(table), KZ_PUSHFIGHT_FIRST, first_text, strlen(first_text),
                                              &first, &error);
    }
    if (status == KZ_OK) {
        status = work_out_openings(&request, table, first_text ? &first : NULL, best, &error);
    }
    kz_table_close(table);
    return exit_code(request.command, status, &error);
}

/* ---- reachable ------------------------------------------------------------------------------------------------- */

/* Where half turns are the same, the text has two numbers. */
static void report_reached(cli_report *report, const char *key, uint64_t count, const char *meaning, bool folded) {
    char text[THOUSANDS_BYTES];
    char all[THOUSANDS_BYTES];
    report_line(report, "%15s ", format_thousands(count, text));
    if (folded) {
        report_line(report, "%15s ", format_thousands(2 * count, all));
    }
    report_line(report, " %s\n", meaning);
    json_unsigned(&report->json, key, count);
}

static kz_status report_examples(cli_report *report, const kz_game *game, const kz_pushfight_reach_report *found,
                                 kz_error *error) {
    kz_status status = KZ_OK;
    for (int i = 0; status == KZ_OK && i < found->examples; i++) {
        char position[KZ_TEXT_BYTES];
        status = kz_format(game, &found->unreached[i], 0, position, sizeof position, error);
        if (status == KZ_OK) {
            report_line(report, "%s\n", position);
        }
        json_text(&report->json, NULL, status == KZ_OK ? position : NULL);
    }
    return status;
}

static kz_status print_reachable(const pushfight_request *request, int rules, const kz_pushfight_reach_report *found,
                                 kz_error *error) {
    cli_report report = report_begin(stdout, request->work.json);
    cli_json *json = &report.json;
    bool folded = found->folded;
    char text[THOUSANDS_BYTES];
    json_text(json, "board", board_name(request, rules));
    json_boolean(json, "folded", folded);
    if (folded) {
        report_line(&report, "%15s %15s\n", "up to half turn", "all");
    }
    report_reached(&report, "positions", found->positions, "positions whose anchor passes the test", folded);
    report_reached(&report, "reachable", found->reached, "can be reached", folded);
    report_reached(&report, "unreachable", found->positions - found->reached, "can't be reached", folded);
    report_reached(&report, "no_predecessor", found->no_predecessor, "of these, no position leads there", folded);
    report_reached(&report, "cornered", found->cornered, "of these, the pushers stand where no push ends", folded);
    report_line(&report, "%15.2f  seconds\n\n", found->seconds);
    report_list(&report, "in_turns");
    for (int turn = 1; turn <= found->turns; turn++) {
        report_line(&report, "%15s  in %d turn%s\n", format_thousands(found->reached_in[turn], text), turn,
                    turn == 1 ? "" : "s");
        json_unsigned(json, NULL, found->reached_in[turn]);
    }
    report_end_list(&report);
    report_line(&report, "\n");
    report_list(&report, "examples");
    kz_status status = report_examples(&report, request->game, found, error);
    report_end_list(&report);
    json_double(json, "seconds", found->seconds);
    report_end(&report);
    return status;
}

static int run_reachable(cli_arguments *arguments) {
    pushfight_request request = new_request(arguments);
    bool unfold = false;
    const cli_option options[] = {
        OPTION_FLAG("unfold", &unfold, "tell half turns apart"),
        OPTION_RULES(&request.asked),
        OPTIONS_WORK(&request.work),
        OPTION_END,
    };
    CLI_TRY(read_options(arguments, options, 0, 0));
    int rules;
    kz_pushfight_reach_report report;
    kz_error error;
    CLI_TRY(choose_rules(request.command, request.game, &request.asked, &rules));
    CLI_TRY(end_work(request.command,
                     kz_pushfight_reachable(rules, (int)request.work.threads, unfold, show_progress(request.work.quiet),
                                            &report, &error),
                     &error));
    return exit_code(request.command, print_reachable(&request, rules, &report, &error), &error);
}

/* ---- The commands ---------------------------------------------------------------------------------------------- */

#define HELP_VALUE_BYTES                                                                                               \
    "A value byte is 0 for a draw, 2k for a win in k turns of the side to move, 2k + 1\n"                              \
    "for a loss in k.\n"

static const cli_command command_pushfight = {
    .name = "pushfight",
    .summary = "Write Push Fight's values in published forms, rate its openings",
    .operands = "",
    .help = "",
};

static const cli_command command_pushfight_phase0 = {
    .name = "pushfight phase0",
    .summary = "Count the positions of Push Fight that are won at once",
    .operands = "",
    .help = "Finds out who can push a piece off the board at once, and counts such positions.\n"
            "With --chunk N and --out FILE it writes chunk N of the published bitmap instead\n"
            "(standard board; 54,054,000 permutations, a bit each). Needs no table.\n",
    .examples = "kanzen pushfight phase0 --board mini\n"
                "kanzen pushfight phase0 --chunk 100 --out chunk-r0-0100.bin\n",
    .run = run_phase0,
};

static const cli_command command_pushfight_chunk = {
    .name = "pushfight chunk",
    .summary = "Find a chunk of the published values of Push Fight",
    .operands = "",
    .help = "Finds chunk N of the published values, a byte for each permutation. Prints how many\n"
            "there are of each value and the SHA-256 of the bytes, and writes them to --out FILE\n"
            "if that is given.\n"
            "\n" HELP_VALUE_BYTES,
    .examples = "kanzen pushfight chunk --merged 100 --out chunk-0100.bin\n",
    .run = run_chunk,
};

static const cli_command command_pushfight_values = {
    .name = "pushfight values",
    .summary = "Find the values of all permutations of a board",
    .operands = "",
    .help = "Finds the value bytes of all permutations of a board, or of those that can occur, up\n"
            "to a half turn (--minimized). Prints how many there are of each value and the\n"
            "SHA-256 of the bytes, and writes them to --out FILE if that is given.\n"
            "\n" HELP_VALUE_BYTES,
    .examples = "kanzen pushfight values --board mini --out mini.bin\n",
    .run = run_values,
};

static const cli_command command_pushfight_openings = {
    .name = "pushfight openings",
    .summary = "Rate the placements that Push Fight begins with",
    .operands = "",
    .help = "Values every placement of the first player's pieces against every one of the second\n"
            "player's. Prints how many there are of each value and the best first placements: the\n"
            "placement, its value against the best answer, how many answers win, draw and lose\n"
            "for the first player, and the best answer, separated by tabs. With --first it prints\n"
            "the same about the answers to that placement. --out FILE writes all values, a byte\n"
            "each.\n"
            "\n"
            "A placement is the board, square by square from the top left: o for a mover and O\n"
            "for a pusher of the first player, x and X for the second, and a dot for an empty\n"
            "square.\n"
            "\n" HELP_VALUE_BYTES,
    .examples = "kanzen pushfight openings --board mini --best 5\n",
    .run = run_openings,
};

static const cli_command command_pushfight_reachable = {
    .name = "pushfight reachable",
    .summary = "Count the positions that can come up in a game of Push Fight",
    .operands = "",
    .help = "Counts the positions that legal turns can make of some starting position, and how\n"
            "many turns it takes; prints some that can't be reached although their anchor passes\n"
            "the test. Where the board has a half turn, a position and its half turn are the\n"
            "same, unless --unfold is given: then the first player always starts on the left.\n"
            "Needs no table; 18 GB of memory for the standard board, 36 GB with --unfold.\n",
    .examples = "kanzen pushfight reachable --board mini\n",
    .run = run_reachable,
};

/* ---- What Push Fight adds to the command ------------------------------------------------------------------------- */

static const cli_command *const commands_of_pushfight[] = {
    &command_pushfight,
    &command_pushfight_phase0,
    &command_pushfight_chunk,
    &command_pushfight_values,
    &command_pushfight_openings,
    &command_pushfight_reachable,
    NULL,
};

static const char *solve_cost(int rules) {
    return rules == KZ_PUSHFIGHT_STANDARD ? "hours on a few processors, and 10 GB of memory and disk" : NULL;
}

extern const cli_game_commands pushfight_commands;
const cli_game_commands pushfight_commands = {
    .solve_cost = solve_cost,
    .game = "pushfight",
    .commands = commands_of_pushfight,
    .move_example = "c2-d2, or b2-a2,c2-d2 with a move before the push",
};
