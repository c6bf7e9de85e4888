/* SPDX-License-Identifier: MIT */
#include "common.h"

#include <inttypes.h>
#include <kanzen/selftest.h>
#include <stdio.h>

#define MOST_POSITIONS UINT64_C(1000000000000)

typedef struct selftest_job {
    const kz_game *game;
    const char *name; /* as the user calls it */
    int rules;
    const char *table_path;
    kz_selftest_options options;
} selftest_job;

/* What a person needs to set up the position and to run the same test again. */
static void report_failure(cli_report *report, const selftest_job *job, const kz_selftest_report *found) {
    report_line(report, "failed     %s\nposition   %s\nproblem    %s\n", kz_selftest_name(found->failed),
                found->position, found->problem);
    report_line(report, "again      kanzen selftest %s --rules %s --positions %" PRIu64 " --seed %" PRIu64 "%s%s\n",
                job->name, kz_rules_name(job->game, job->rules), job->options.positions, job->options.seed,
                job->table_path ? " --table " : "", job->table_path ? job->table_path : "");
}

static void print_report(const selftest_job *job, const kz_selftest_report *found, bool as_json) {
    cli_report report = report_begin(stdout, as_json);
    cli_json *json = &report.json;
    bool good = found->failed < 0;
    json_boolean(json, "ok", good);
    report_game(&report, job->game, job->rules);
    report_line(&report, "%s, %s rules, seed %" PRIu64 "\n", kz_game_name(job->game),
                kz_rules_name(job->game, job->rules), job->options.seed);
    json_unsigned(json, "seed", job->options.seed);
    report_tally(&report, "positions", found->positions, "positions");
    json_object(json, "checks");
    for (int check = 0; check < KZ_SELFTEST_CHECKS; check++) {
        if (as_json || found->counts[check] > 0) {
            report_tally(&report, kz_selftest_name(check), found->counts[check], kz_selftest_title(check));
        }
    }
    json_end_object(json);
    if (!good) {
        report_failure(&report, job, found);
    }
    json_text(json, "failed", kz_selftest_name(found->failed));
    json_text(json, "position", good ? NULL : found->position);
    json_text(json, "problem", good ? NULL : found->problem);
    json_double(json, "seconds", found->seconds);
    report_line(&report, good ? "ok\n" : "not ok\n");
    report_end(&report);
}

static int run_selftest(const cli_command *command, const selftest_job *job, const cli_work *work) {
    kz_selftest_report found;
    kz_error error;
    kz_status status = kz_selftest(job->game, job->rules, &job->options, show_progress(work->quiet), &found, &error);
    end_progress();
    if (status != KZ_OK && status != KZ_ERR_MISMATCH) {
        return report_error(command, &error);
    }
    print_report(job, &found, work->json);
    return status == KZ_OK ? STATUS_FINE : STATUS_NO;
}

static int run(cli_arguments *arguments) {
    const cli_command *command = arguments->command;
    cli_asked asked = {.table = NULL};
    cli_work work = {.threads = 0};
    selftest_job job = {.options = {.positions = 2000, .seed = 1}};
    const cli_option options[] = {
        OPTION_RULES(&asked),
        OPTION_NUMBER("positions", &job.options.positions, 1, MOST_POSITIONS, "test N positions (default: 2000)"),
        OPTION_NUMBER("seed", &job.options.seed, 0, UINT64_MAX,
                      "which ones: the same seed, the same positions (default: 1)"),
        OPTION_TEXT("table", &asked.table, "FILE|URL", "test the values of this table, too"),
        OPTION_NUMBER("threads", &work.threads, 0, MOST_THREADS, "use N threads (default: one for each processor)"),
        OPTION_QUIET(&work.quiet),
        OPTION_JSON(&work.json),
        OPTION_END,
    };
    CLI_TRY(read_options(arguments, options, 1, 1));
    kz_table *table = NULL;
    job.name = arguments->items[0];
    job.table_path = asked.table;
    CLI_TRY(choose_game(command, job.name, &job.game));
    if (asked.table) {
        CLI_TRY(open_table(command, job.game, &asked, USE_WHOLE, &table));
        job.rules = kz_table_rules(table);
    } else {
        CLI_TRY(choose_one_part(command, job.game, &asked, &job.rules));
    }
    job.options.threads = (int)work.threads;
    job.options.table = table;
    int code = run_selftest(command, &job, &work);
    kz_table_close(table);
    return code;
}

const cli_command command_selftest = {
    .name = "selftest",
    .summary = "Compare a game with a second program of its rules, and with itself",
    .operands = "GAME",
    .help = "Takes random positions of GAME, from its index and from random games, and looks\n"
            "whether its parts agree: legal moves and results with a second, plain\n"
            "program of the rules; moves with those that are taken back; indices with\n"
            "positions; every notation with what it reads; mirror images with each other;\n"
            "and, with a table, values with those of the moves. Illegal moves have to be\n"
            "refused. Prints how much was compared and 'ok', or the first position where\n"
            "something does not agree, and then the exit code is 1. Any new game is tested\n"
            "the same way.\n",
    .examples = "kanzen selftest dobutsu --positions 1000000\n"
                "kanzen selftest pushfight --board mini --table mini.kzt --seed 7\n",
    .run = run,
};
