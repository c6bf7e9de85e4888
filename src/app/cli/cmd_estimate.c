/* SPDX-License-Identifier: MIT */
#include "common.h"

#include <kanzen/estimate.h>
#include <stdio.h>

/* Games that come with Kanzen have kernels, and what is sampled is their definition. */
static bool leaves_out_kernels(const kz_game *game, const kz_estimate_report *report) {
    return report->samples > 0 && kz_game_find(kz_game_name(game)) == game;
}

/* A line of the text alone. */
static void report_amount(cli_report *report, const char *label, double amount, const char *unit) {
    report_line(report, "%-14s %18.1f %s\n", label, amount, unit);
}

static void print_estimate(const kz_game *game, int rules, const kz_estimate_report *found, bool as_json) {
    cli_report report = report_begin(stdout, as_json);
    cli_json *json = &report.json;
    bool sampled = found->samples > 0;
    const char *unit;
    double amount = time_in_units(found->seconds, &unit);
    report.width = 18;
    report_game(&report, game, rules);
    report_line(&report, "%s, %s rules", kz_game_name(game), kz_rules_name(game, rules));
    if (sampled) {
        report_line(&report, "; from %llu samples", (unsigned long long)found->samples);
    }
    report_line(&report, "\n");
    json_unsigned(json, "samples", found->samples);
    report_count(&report, "numbers", "numbers", found->numbers, "");
    report_count(&report, "positions", "positions", found->positions, sampled ? " (about)" : "");
    json_integer(json, "tiers", found->tiers);
    json_unsigned(json, "largest_tier", found->largest_tier);
    json_double(json, "moves", found->moves);
    if (sampled) {
        report_count(&report, NULL, "tiers", (uint64_t)found->tiers, "");
        report_count(&report, NULL, "largest tier", found->largest_tier, " numbers");
        report_amount(&report, "moves", found->moves, "a position");
    }
    if (found->predecessors > 0) {
        report_amount(&report, "predecessors", found->predecessors, "a position");
    }
    json_double(json, "predecessors", found->predecessors);
    report_count(&report, NULL, "memory", (found->memory_bytes >> 20) + 1, " MiB");
    report_count(&report, NULL, "work folder", (found->work_bytes >> 20) + 1, " MiB");
    report_count(&report, NULL, "table", (found->table_bytes >> 10) + 1, " KiB (about)");
    json_unsigned(json, "memory_bytes", found->memory_bytes);
    json_unsigned(json, "work_bytes", found->work_bytes);
    json_unsigned(json, "table_bytes", found->table_bytes);
    report_amount(&report, "time", amount, unit);
    json_double(json, "seconds", found->seconds);
    report_line(&report, "%-14s %18d\n", "threads", found->threads);
    json_integer(json, "threads", found->threads);
    json_boolean(json, "plain", leaves_out_kernels(game, found));
    if (leaves_out_kernels(game, found)) {
        report_line(&report,
                    "This is for solve --plain, through the definition of the game. Without --plain its kernels\n"
                    "solve it in a fraction of that time, and its table is smaller.\n");
    }
    report_end(&report);
}

static int run(cli_arguments *arguments) {
    const cli_command *command = arguments->command;
    cli_asked asked = {.rules = NULL};
    kz_estimate_options wish = {.samples = 0, .seed = 1};
    uint64_t threads = 0;
    bool json = false;
    const cli_option options[] = {
        OPTION_RULES(&asked),
        OPTION_NUMBER("samples", &wish.samples, 1, UINT64_C(1000000000), "look at N numbers (default: 40,000)"),
        OPTION_NUMBER("seed", &wish.seed, 0, UINT64_MAX, "other numbers for another seed (default: 1)"),
        OPTION_NUMBER("threads", &threads, 1, MOST_THREADS, "for N threads (default: one for each processor)"),
        OPTION_JSON(&json),
        OPTION_END,
    };
    CLI_TRY(read_options(arguments, options, 1, 1));
    const kz_game *game;
    int rules;
    CLI_TRY(choose_game(command, arguments->items[0], &game));
    CLI_TRY(choose_one_part(command, game, &asked, &rules));
    kz_estimate_report report;
    kz_error error;
    wish.threads = (int)threads;
    CLI_TRY(exit_code(command, kz_estimate(game, rules, &wish, &report, &error), &error));
    print_estimate(game, rules, &report, json);
    return STATUS_FINE;
}

const cli_command command_estimate = {
    .name = "estimate",
    .summary = "Say what solving a game will take, before anybody waits",
    .operands = "GAME",
    .help = "Looks at some random numbers of the game's index and prints how many positions\n"
            "there are, how much memory and disk solving takes, how long it takes on this\n"
            "machine, and how large the table gets. Positions and moves are within a few per\n"
            "cent. Time and size of the table are rough: they may be off by a factor of two or\n"
            "three, more for a game without predecessors that repeats. For games that are\n"
            "defined (docs/add-a-game.md) or solved phase by phase; of the latter a few blocks\n"
            "are measured instead. If a game that comes with Kanzen has other kernels, the\n"
            "estimate is for solve --plain, without them, and the last lines say so.\n",
    .examples = "kanzen estimate ./morris.so --rules nine\n"
                "kanzen estimate ./connect4.so --rules 6x5 --json\n"
                "kanzen estimate pushfight --threads 2\n",
    .run = run,
};
