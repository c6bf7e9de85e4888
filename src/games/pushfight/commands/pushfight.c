/* SPDX-License-Identifier: MIT
 *
 * kanzen pushfight: what is special to Push Fight, in the forms of its published solution. */
#include "app/cli/common.h"
#include "app/cli/progress.h"
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
    cli_rules board;
    const char *table;
    const char *out;
    uint64_t threads;
    bool force;
    bool quiet;
    bool json;
} pushfight_request;

/* clang-format off */
#define OPTIONS_OF_WORK(request_) \
    OPTION_THREADS(&(request_)->threads), OPTION_QUIET(&(request_)->quiet), OPTION_JSON(&(request_)->json)
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
    if (refuse_stream(request->command, "--out", request->out, "this file") != STATUS_FINE) {
        return STATUS_USAGE;
    }
    if (check_replacing(request->command, request->out, request->force) != STATUS_FINE) {
        return STATUS_IO;
    }
    return kz_prepare_output(request->out, request->force, &error) == KZ_OK ? STATUS_FINE
                                                                            : report_error(request->command, &error);
}

static int need_output(const pushfight_request *request) {
    return request->out ? check_output(request) : report_usage(request->command, "to which file? Say --out FILE");
}

/* The table that is asked for; the output is checked as well, before any work is done. */
static int open_table(const pushfight_request *request, kz_table **table) {
    int code = choose_table(request->command, request->game, &request->board, request->table, table);
    if (code == STATUS_FINE) {
        code = check_output(request);
        if (code != STATUS_FINE) {
            kz_table_close(*table);
        }
    }
    return code;
}

static const char *board_name(const pushfight_request *request, int rules) {
    return kz_rules_name(request->game, rules);
}

/* ---- phase0 ---------------------------------------------------------------------------------------------------- */

typedef struct count_line {
    const char *key;
    const char *meaning;
    uint64_t count;
} count_line;

static void print_phase0(const pushfight_request *request, int rules, const kz_pushfight_phase0_report *report) {
    const count_line lines[] = {
        {"permutations", "permutations of the pieces on the board", report->permutations},
        {"wins", "of these, wins at once", report->wins},
        {"stuck", "of these, losses for want of a legal turn", report->stuck},
        {"reachable", "permutations whose anchor passes the test", report->reachable},
        {"reachable_wins", "of these, wins at once", report->reachable_wins},
        {"reachable_stuck", "of these, losses for want of a legal turn", report->reachable_stuck},
    };
    enum { LINES = sizeof lines / sizeof *lines };
    if (!request->json) {
        for (int i = 0; i < LINES; i++) {
            char text[THOUSANDS_BYTES];
            printf("%15s  %s\n", format_thousands(lines[i].count, text), lines[i].meaning);
        }
        printf("%15.2f  seconds\n", report->seconds);
        return;
    }
    cli_json json = json_start(stdout);
    json_object(&json, NULL);
    json_text(&json, "board", board_name(request, rules));
    for (int i = 0; i < LINES; i++) {
        json_unsigned(&json, lines[i].key, lines[i].count);
    }
    json_double(&json, "seconds", report->seconds);
    json_end_object(&json);
    json_finish(&json);
}

static int count_phase0(const pushfight_request *request) {
    int rules = choose_rules(request->command, request->game, &request->board);
    if (rules < 0) {
        return STATUS_USAGE;
    }
    kz_pushfight_phase0_report report = {0};
    kz_error error;
    cli_progress display;
    progress_begin(&display, request->quiet);
    kz_status status = kz_pushfight_phase0(rules, (int)request->threads, &display.progress, &report, &error);
    progress_end(&display);
    if (status != KZ_OK) {
        return report_error(request->command, &error);
    }
    print_phase0(request, rules, &report);
    return STATUS_FINE;
}

/* What is printed after a chunk of the bitmap was written. */
static void print_chunk(const pushfight_request *request, uint64_t chunk, uint64_t wins) {
    if (request->json) {
        cli_json json = json_start(stdout);
        json_object(&json, NULL);
        json_unsigned(&json, "chunk", chunk);
        json_unsigned(&json, "wins", wins);
        json_text(&json, "file", request->out);
        json_end_object(&json);
        json_finish(&json);
        return;
    }
    char text[THOUSANDS_BYTES];
    printf("%15s  wins at once\n%s\n", format_thousands(wins, text), request->out);
}

static int write_phase0_chunk(const pushfight_request *request, uint64_t chunk) {
    int rules = choose_rules(request->command, request->game, &request->board);
    if (rules < 0) {
        return STATUS_USAGE;
    }
    if (rules != KZ_PUSHFIGHT_STANDARD) {
        return report_usage(request->command, "only the %s board has chunks",
                            board_name(request, KZ_PUSHFIGHT_STANDARD));
    }
    int code = need_output(request);
    if (code != STATUS_FINE) {
        return code;
    }
    uint64_t wins = 0;
    kz_error error;
    cli_progress display;
    progress_begin(&display, request->quiet);
    kz_status status = kz_pushfight_phase0_chunk((int)request->threads, chunk, request->out, request->force,
                                                 &display.progress, &wins, &error);
    progress_end(&display);
    if (status != KZ_OK) {
        return report_error(request->command, &error);
    }
    print_chunk(request, chunk, wins);
    return STATUS_FINE;
}

static int run_phase0(cli_arguments *arguments) {
    pushfight_request request = new_request(arguments);
    uint64_t chunk = KZ_PUSHFIGHT_CHUNKS; /* none */
    const cli_option options[] = {
        OPTION_NUMBER("chunk", &chunk, 0, KZ_PUSHFIGHT_CHUNKS - 1, "write this chunk of the bitmap, 0 to 7428"),
        OPTION_RULES(&request.board),
        OPTIONS_OF_FILE(&request),
        OPTIONS_OF_WORK(&request),
        OPTION_END,
    };
    if (!parse_options(arguments, options, 0, 0)) {
        return STATUS_USAGE;
    }
    if (chunk < KZ_PUSHFIGHT_CHUNKS) {
        return write_phase0_chunk(&request, chunk);
    }
    if (request.out) {
        return report_usage(request.command, "--out goes with --chunk only; the whole phase 0 is counted, not written");
    }
    return count_phase0(&request);
}

/* ---- chunk, values --------------------------------------------------------------------------------------------- */

/* Of a chunk, or of all positions, minimized or not. */
static void print_values(const pushfight_request *request, int rules, const uint64_t *chunk, const bool *minimized,
                         const kz_pushfight_values_report *report) {
    if (!request->json) {
        print_value_counts(request->game, report->counts);
        printf("sha256 %s\n", report->sha256);
        if (request->out) {
            printf("%s\n", request->out);
        }
        return;
    }
    cli_json json = json_start(stdout);
    json_object(&json, NULL);
    json_text(&json, "board", board_name(request, rules));
    if (chunk) {
        json_unsigned(&json, "chunk", *chunk);
    }
    if (minimized) {
        json_boolean(&json, "minimized", *minimized);
    }
    json_value_counts(&json, request->game, report->counts);
    json_text(&json, "sha256", report->sha256);
    json_text(&json, "file", request->out);
    json_end_object(&json);
    json_finish(&json);
}

static int run_chunk(cli_arguments *arguments) {
    pushfight_request request = new_request(arguments);
    uint64_t chunk = KZ_PUSHFIGHT_CHUNKS; /* none */
    const cli_option options[] = {
        OPTION_NUMBER("merged", &chunk, 0, KZ_PUSHFIGHT_CHUNKS - 1, "the chunk of the values, 0 to 7428",
                      .required = true),
        OPTION_TABLE(&request.table),
        OPTIONS_OF_FILE(&request),
        OPTIONS_OF_WORK(&request),
        OPTION_END,
    };
    if (!parse_options(arguments, options, 0, 0)) {
        return STATUS_USAGE;
    }
    if (chunk == KZ_PUSHFIGHT_CHUNKS) {
        return report_usage(request.command, "which chunk? Say --merged with a number from 0 to %d",
                            KZ_PUSHFIGHT_CHUNKS - 1);
    }
    request.board.board = board_name(&request, KZ_PUSHFIGHT_STANDARD);
    kz_table *table;
    int code = open_table(&request, &table);
    if (code != STATUS_FINE) {
        return code;
    }
    kz_pushfight_values_report report;
    kz_error error;
    cli_progress display;
    progress_begin(&display, request.quiet);
    kz_status status = kz_pushfight_merged_chunk(table, (int)request.threads, chunk, request.out, request.force,
                                                 &display.progress, &report, &error);
    progress_end(&display);
    if (status == KZ_OK) {
        print_values(&request, KZ_PUSHFIGHT_STANDARD, &chunk, NULL, &report);
    }
    kz_table_close(table);
    return status == KZ_OK ? STATUS_FINE : report_error(request.command, &error);
}

static int run_values(cli_arguments *arguments) {
    pushfight_request request = new_request(arguments);
    bool minimized = false;
    const cli_option options[] = {
        OPTION_FLAG("minimized", &minimized, "only positions that can occur, up to a half turn"),
        OPTION_RULES(&request.board),
        OPTION_TABLE(&request.table),
        OPTIONS_OF_FILE(&request),
        OPTIONS_OF_WORK(&request),
        OPTION_END,
    };
    if (!parse_options(arguments, options, 0, 0)) {
        return STATUS_USAGE;
    }
    kz_table *table;
    int code = open_table(&request, &table);
    if (code != STATUS_FINE) {
        return code;
    }
    kz_pushfight_values_report report;
    kz_error error;
    cli_progress display;
    progress_begin(&display, request.quiet);
    kz_status status = kz_pushfight_values(table, (int)request.threads, minimized, request.out, request.force,
                                           &display.progress, &report, &error);
    progress_end(&display);
    if (status == KZ_OK) {
        print_values(&request, kz_table_rules(table), NULL, &minimized, &report);
    }
    kz_table_close(table);
    return status == KZ_OK ? STATUS_FINE : report_error(request.command, &error);
}

/* ---- openings -------------------------------------------------------------------------------------------------- */

/* `first` is NULL for all openings. */
static kz_status work_out_openings(const pushfight_request *request, const kz_table *table, const uint32_t *first,
                                   uint64_t best, kz_error *error) {
    pushfight_openings openings = {.game = request->game, .rules = kz_table_rules(table), .best = best};
    cli_progress display;
    progress_begin(&display, request->quiet);
    kz_status status = kz_pushfight_openings(table, (int)request->threads, &display.progress, &openings.report, error);
    progress_end(&display);
    if (status == KZ_OK && request->out) {
        size_t size = (size_t)openings.report.firsts * openings.report.seconds;
        status = kz_write_file(request->out, openings.report.values, size, request->force, error);
    }
    if (status == KZ_OK) {
        status = first ? print_answers(&openings, *first, request->json, error)
                       : print_openings(&openings, request->json, error);
    }
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
        OPTION_RULES(&request.board),
        OPTION_TABLE(&request.table),
        OPTIONS_OF_FILE(&request),
        OPTIONS_OF_WORK(&request),
        OPTION_END,
    };
    if (!parse_options(arguments, options, 0, 0)) {
        return STATUS_USAGE;
    }
    kz_table *table;
    int code = open_table(&request, &table);
    if (code != STATUS_FINE) {
        return code;
    }
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
    return status == KZ_OK ? STATUS_FINE : report_error(request.command, &error);
}

/* ---- reachable ------------------------------------------------------------------------------------------------- */

enum { REACHABLE_LINES = 5 };

static void list_reachable(const kz_pushfight_reach_report *report, count_line lines[REACHABLE_LINES]) {
    lines[0] = (count_line){"positions", "positions whose anchor passes the test", report->positions};
    lines[1] = (count_line){"reachable", "can be reached", report->reached};
    lines[2] = (count_line){"unreachable", "can't be reached", report->positions - report->reached};
    lines[3] = (count_line){"no_predecessor", "of these, no position leads there", report->no_predecessor};
    lines[4] = (count_line){"cornered", "of these, the pushers stand where no push ends", report->cornered};
}

static kz_status print_reachable(const pushfight_request *request, const kz_pushfight_reach_report *report,
                                 kz_error *error) {
    count_line lines[REACHABLE_LINES];
    char text[THOUSANDS_BYTES];
    char all[THOUSANDS_BYTES];
    list_reachable(report, lines);
    if (report->folded) {
        printf("%15s %15s\n", "up to half turn", "all");
    }
    for (int i = 0; i < REACHABLE_LINES; i++) {
        printf("%15s ", format_thousands(lines[i].count, text));
        if (report->folded) {
            printf("%15s ", format_thousands(2 * lines[i].count, all));
        }
        printf(" %s\n", lines[i].meaning);
    }
    printf("%15.2f  seconds\n\n", report->seconds);
    for (int turn = 1; turn <= report->turns; turn++) {
        printf("%15s  in %d turn%s\n", format_thousands(report->reached_in[turn], text), turn, turn == 1 ? "" : "s");
    }
    printf("\n");
    kz_status status = KZ_OK;
    for (int i = 0; status == KZ_OK && i < report->examples; i++) {
        char position[KZ_TEXT_BYTES];
        status = kz_format(request->game, &report->unreached[i], 0, position, sizeof position, error);
        if (status == KZ_OK) {
            printf("%s\n", position);
        }
    }
    return status;
}

static kz_status print_reachable_json(const pushfight_request *request, int rules,
                                      const kz_pushfight_reach_report *report, kz_error *error) {
    count_line lines[REACHABLE_LINES];
    kz_status status = KZ_OK;
    cli_json json = json_start(stdout);
    list_reachable(report, lines);
    json_object(&json, NULL);
    json_text(&json, "board", board_name(request, rules));
    json_boolean(&json, "folded", report->folded);
    for (int i = 0; i < REACHABLE_LINES; i++) {
        json_unsigned(&json, lines[i].key, lines[i].count);
    }
    json_array(&json, "in_turns");
    for (int turn = 1; turn <= report->turns; turn++) {
        json_unsigned(&json, NULL, report->reached_in[turn]);
    }
    json_end_array(&json);
    json_array(&json, "examples");
    for (int i = 0; status == KZ_OK && i < report->examples; i++) {
        char position[KZ_TEXT_BYTES];
        status = kz_format(request->game, &report->unreached[i], 0, position, sizeof position, error);
        json_text(&json, NULL, status == KZ_OK ? position : NULL);
    }
    json_end_array(&json);
    json_double(&json, "seconds", report->seconds);
    json_end_object(&json);
    json_finish(&json);
    return status;
}

static int run_reachable(cli_arguments *arguments) {
    pushfight_request request = new_request(arguments);
    bool unfold = false;
    const cli_option options[] = {
        OPTION_FLAG("unfold", &unfold, "tell half turns apart"),
        OPTION_RULES(&request.board),
        OPTIONS_OF_WORK(&request),
        OPTION_END,
    };
    if (!parse_options(arguments, options, 0, 0)) {
        return STATUS_USAGE;
    }
    int rules = choose_rules(request.command, request.game, &request.board);
    if (rules < 0) {
        return STATUS_USAGE;
    }
    kz_pushfight_reach_report report;
    kz_error error;
    cli_progress display;
    progress_begin(&display, request.quiet);
    kz_status status = kz_pushfight_reachable(rules, (int)request.threads, unfold, &display.progress, &report, &error);
    progress_end(&display);
    if (status == KZ_OK) {
        status = request.json ? print_reachable_json(&request, rules, &report, &error)
                              : print_reachable(&request, &report, &error);
    }
    return status == KZ_OK ? STATUS_FINE : report_error(request.command, &error);
}

/* ---- The commands ---------------------------------------------------------------------------------------------- */

#define HELP_VALUE_BYTES                                                                                               \
    "A value byte is 0 for a draw, 2k for a win in k turns of the side to move, 2k + 1\n"                              \
    "for a loss in k.\n"

const cli_command command_pushfight = {
    .name = "pushfight",
    .summary = "Write Push Fight's values in published forms, rate its openings",
    .operands = "",
    .help = "",
};

const cli_command command_pushfight_phase0 = {
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

const cli_command command_pushfight_chunk = {
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

const cli_command command_pushfight_values = {
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

const cli_command command_pushfight_openings = {
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

const cli_command command_pushfight_reachable = {
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
