/* SPDX-License-Identifier: MIT */
#include "app/cli/common.h"

#include <kanzen/dobutsu_files.h>
#include <kanzen/solve.h>
#include <stdio.h>
#include <string.h>

static void print_report(const kz_dobutsu_try_rule_report *found, bool good, bool as_json) {
    cli_report report = report_begin(stdout, as_json);
    json_boolean(&report.json, "ok", good);
    report_tally(&report, "positions", found->positions, "positions compared");
    report_tally(&report, "same", found->same, "same value and distance by both rules");
    report_tally(&report, "one_ply_longer", found->one_ply_longer,
                 "same winner, one ply longer by the simplified rule");
    report_tally(&report, "longer_wins", found->longer_wins, "of these, wins of the side to move");
    report_tally(&report, "longer_at_once", found->longer_at_once, "of these wins, those by a safe Try at once");
    report_tally(&report, "longer_losses", found->longer_losses, "of those, losses of the side to move");
    report_tally(&report, "one_ply_shorter", found->one_ply_shorter,
                 "same winner, one ply shorter by the simplified rule");
    report_tally(&report, "further", found->further, "same winner, more than one ply apart");
    report_tally(&report, "other_winner", found->other_winner, "another winner, or a draw by one rule only");
    report_line(&report, good ? "ok\n" : "not ok\n");
    report_end(&report);
}

static int run(cli_arguments *arguments) {
    cli_work work = {.threads = 0};
    const cli_option options[] = {OPTIONS_WORK(&work), OPTION_END};
    CLI_TRY(read_options(arguments, options, 0, 0));
    kz_dobutsu_try_rule_report found = {0};
    kz_error error;
    kz_status status = kz_dobutsu_check_try_rule((int)work.threads, show_progress(work.quiet), &found, &error);
    end_progress();
    if (status == KZ_OK || status == KZ_ERR_MISMATCH) {
        print_report(&found, status == KZ_OK, work.json);
    }
    return exit_code(arguments->command, status, &error);
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
