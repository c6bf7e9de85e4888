/* SPDX-License-Identifier: MIT */
#include "common.h"
#include "progress.h"

#include <inttypes.h>
#include <kanzen/selftest.h>
#include <stdio.h>

#define MOST_POSITIONS UINT64_C(1000000000000)

typedef struct selftest_job {
    const kz_game *game;
    const char *name; /* as the user calls it */
    int rules;
    const char *table_path;
    kz_table *table;
    kz_selftest_options options;
} selftest_job;

/* What a person needs to set up the position and to run the same test again. */
static void print_failure(const selftest_job *selftest, const kz_selftest_report *report) {
    printf("failed     %s\n", kz_selftest_name(report->failed));
    printf("position   %s\n", report->position);
    printf("problem    %s\n", report->problem);
    printf("again      kanzen selftest %s --rules %s --positions %" PRIu64 " --seed %" PRIu64 "%s%s\n", selftest->name,
           kz_rules_name(selftest->game, selftest->rules), selftest->options.positions, selftest->options.seed,
           selftest->table_path ? " --table " : "", selftest->table_path ? selftest->table_path : "");
}

static void print_text(const selftest_job *selftest, const kz_selftest_report *report) {
    char text[THOUSANDS_BYTES];
    printf("%s, %s rules, seed %" PRIu64 "\n", kz_game_name(selftest->game),
           kz_rules_name(selftest->game, selftest->rules), selftest->options.seed);
    printf("%15s  positions\n", format_thousands(report->positions, text));
    for (int check = 0; check < KZ_SELFTEST_CHECKS; check++) {
        if (report->counts[check] > 0) {
            printf("%15s  %s\n", format_thousands(report->counts[check], text), kz_selftest_title(check));
        }
    }
    if (report->failed >= 0) {
        print_failure(selftest, report);
    }
    puts(report->failed < 0 ? "ok" : "not ok");
}

static void print_json(const selftest_job *selftest, const kz_selftest_report *report) {
    bool good = report->failed < 0;
    cli_json json = json_start(stdout);
    json_object(&json, NULL);
    json_boolean(&json, "ok", good);
    json_text(&json, "game", kz_game_name(selftest->game));
    json_text(&json, "rules", kz_rules_name(selftest->game, selftest->rules));
    json_unsigned(&json, "seed", selftest->options.seed);
    json_unsigned(&json, "positions", report->positions);
    json_object(&json, "checks");
    for (int check = 0; check < KZ_SELFTEST_CHECKS; check++) {
        json_unsigned(&json, kz_selftest_name(check), report->counts[check]);
    }
    json_end_object(&json);
    json_text(&json, "failed", kz_selftest_name(report->failed));
    json_text(&json, "position", good ? NULL : report->position);
    json_text(&json, "problem", good ? NULL : report->problem);
    json_double(&json, "seconds", report->seconds);
    json_end_object(&json);
    json_finish(&json);
}

static int run_selftest(const cli_command *command, selftest_job *selftest, bool quiet, bool as_json) {
    cli_progress display;
    kz_selftest_report report;
    kz_error error;
    progress_begin(&display, quiet);
    kz_status status =
        kz_selftest(selftest->game, selftest->rules, &selftest->options, &display.progress, &report, &error);
    progress_end(&display);
    if (status != KZ_OK && status != KZ_ERR_MISMATCH) {
        return report_error(command, &error);
    }
    (as_json ? print_json : print_text)(selftest, &report);
    return status == KZ_OK ? STATUS_FINE : STATUS_NO;
}

static int run(cli_arguments *arguments) {
    cli_rules rules = {NULL, NULL};
    uint64_t threads = 0;
    bool quiet = false;
    bool json = false;
    selftest_job selftest = {.options = {.positions = 2000, .seed = 1}};
    const cli_option options[] = {
        OPTION_RULES(&rules),
        OPTION_NUMBER("positions", &selftest.options.positions, 1, MOST_POSITIONS, "test N positions (default: 2000)"),
        OPTION_NUMBER("seed", &selftest.options.seed, 0, UINT64_MAX,
                      "which ones: the same seed, the same positions (default: 1)"),
        OPTION_TEXT("table", &selftest.table_path, "FILE|URL", "test the values of this table, too"),
        OPTION_NUMBER("threads", &threads, 0, MOST_THREADS, "use N threads (default: one for each processor)"),
        OPTION_QUIET(&quiet),
        OPTION_JSON(&json),
        OPTION_END,
    };
    if (!parse_options(arguments, options, 1, 1)) {
        return STATUS_USAGE;
    }
    const cli_command *command = arguments->command;
    selftest.name = arguments->items[0];
    int failure;
    selftest.game = choose_game(command, arguments->items[0], &failure);
    if (!selftest.game) {
        return failure;
    }
    if (selftest.table_path) {
        int code = choose_table(command, selftest.game, &rules, selftest.table_path, &selftest.table);
        if (code != STATUS_FINE) {
            return code;
        }
        selftest.rules = kz_table_rules(selftest.table);
    } else {
        selftest.rules = choose_one_part(command, selftest.game, &rules);
        if (selftest.rules < 0) {
            return STATUS_USAGE;
        }
    }
    selftest.options.threads = (int)threads;
    selftest.options.table = selftest.table;
    int code = run_selftest(command, &selftest, quiet, json);
    kz_table_close(selftest.table);
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
