/* SPDX-License-Identifier: MIT */
#include "app/cli/common.h"
#include "app/cli/progress.h"

#include <kanzen/dobutsu_files.h>
#include <kanzen/solve.h>
#include <stdio.h>
#include <string.h>

typedef struct count_line {
    const char *key;
    const char *meaning;
    uint64_t count;
} count_line;

enum { LINES = 9 };

static void list_lines(const kz_dobutsu_try_rule_report *report, count_line lines[LINES]) {
    const count_line list[LINES] = {
        {"positions", "positions compared", report->positions},
        {"same", "same value and distance by both rules", report->same},
        {"one_ply_longer", "same winner, one ply longer by the simplified rule", report->one_ply_longer},
        {"longer_wins", "of these, wins of the side to move", report->longer_wins},
        {"longer_at_once", "of these wins, those by a safe Try at once", report->longer_at_once},
        {"longer_losses", "of those, losses of the side to move", report->longer_losses},
        {"one_ply_shorter", "same winner, one ply shorter by the simplified rule", report->one_ply_shorter},
        {"further", "same winner, more than one ply apart", report->further},
        {"other_winner", "another winner, or a draw by one rule only", report->other_winner},
    };
    memcpy(lines, list, sizeof list);
}

static void print_text(const count_line lines[LINES], bool good) {
    for (int i = 0; i < LINES; i++) {
        char text[THOUSANDS_BYTES];
        printf("%15s  %s\n", format_thousands(lines[i].count, text), lines[i].meaning);
    }
    puts(good ? "ok" : "not ok");
}

static void print_json(const count_line lines[LINES], bool good) {
    cli_json json = json_start(stdout);
    json_object(&json, NULL);
    json_boolean(&json, "ok", good);
    for (int i = 0; i < LINES; i++) {
        json_unsigned(&json, lines[i].key, lines[i].count);
    }
    json_end_object(&json);
    json_finish(&json);
}

static int run(cli_arguments *arguments) {
    const cli_command *command = arguments->command;
    cli_work work;
    if (!parse_work_options(arguments, 0, &work)) {
        return STATUS_USAGE;
    }
    cli_progress display;
    kz_dobutsu_try_rule_report report = {0};
    kz_error error;
    progress_begin(&display, work.quiet);
    kz_status status = kz_dobutsu_check_try_rule((int)work.threads, &display.progress, &report, &error);
    progress_end(&display);
    if (status == KZ_OK || status == KZ_ERR_MISMATCH) {
        count_line lines[LINES];
        list_lines(&report, lines);
        (work.json ? print_json : print_text)(lines, status == KZ_OK);
    }
    return status == KZ_OK ? STATUS_FINE : report_error(command, &error);
}

const cli_command command_check = {
    .name = "check",
    .summary = "Check a claim about a game by computing it",
    .operands = "",
    .help = "",
};

const cli_command command_check_try_rule = {
    .name = "check try-rule",
    .summary = "Check what the simplified Try rule of Dobutsu Shogi changes",
    .operands = "",
    .help = "Solves Dobutsu Shogi by the official and by the simplified Try rule and compares\n"
            "the values of all positions. 'ok' means that nothing changes but the distance, by\n"
            "one ply at most; the exit code is 1 otherwise.\n",
    .examples = "kanzen check try-rule\n",
    .run = run,
};
