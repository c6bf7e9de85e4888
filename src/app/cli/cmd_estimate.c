/* SPDX-License-Identifier: MIT */
#include "common.h"

#include <kanzen/estimate.h>
#include <stdio.h>

static void print_count(const char *label, uint64_t count, const char *unit) {
    char text[THOUSANDS_BYTES];
    printf("%-14s %18s%s\n", label, format_thousands(count, text), unit);
}

static void print_time(double seconds) {
    const char *unit;
    double amount = time_in_units(seconds, &unit);
    printf("%-14s %18.1f %s\n", "time", amount, unit);
}

/* Games that come with Kanzen have kernels, and what is sampled is their definition. */
static bool leaves_out_kernels(const kz_game *game, const kz_estimate_report *report) {
    return report->samples > 0 && kz_game_find(kz_game_name(game)) == game;
}

static void print_text(const kz_game *game, int rules, const kz_estimate_report *report) {
    printf("%s, %s rules", kz_game_name(game), kz_rules_name(game, rules));
    if (report->samples > 0) {
        printf("; from %llu samples\n", (unsigned long long)report->samples);
        print_count("numbers", report->numbers, "");
        print_count("positions", report->positions, " (about)");
        print_count("tiers", (uint64_t)report->tiers, "");
        print_count("largest tier", report->largest_tier, " numbers");
        printf("%-14s %18.1f a position\n", "moves", report->moves);
    } else {
        printf("\n");
        print_count("numbers", report->numbers, "");
        print_count("positions", report->positions, "");
    }
    if (report->predecessors > 0) {
        printf("%-14s %18.1f a position\n", "predecessors", report->predecessors);
    }
    print_count("memory", (report->memory_bytes >> 20) + 1, " MiB");
    print_count("work folder", (report->work_bytes >> 20) + 1, " MiB");
    print_count("table", (report->table_bytes >> 10) + 1, " KiB (about)");
    print_time(report->seconds);
    printf("%-14s %18d\n", "threads", report->threads);
    if (leaves_out_kernels(game, report)) {
        printf("This is for solve --plain, through the definition of the game. Without --plain its kernels\n"
               "solve it in a fraction of that time, and its table is smaller.\n");
    }
}

static void print_json(const kz_game *game, int rules, const kz_estimate_report *report) {
    cli_json json = json_start(stdout);
    json_object(&json, NULL);
    json_text(&json, "game", kz_game_name(game));
    json_text(&json, "rules", kz_rules_name(game, rules));
    json_unsigned(&json, "samples", report->samples);
    json_unsigned(&json, "numbers", report->numbers);
    json_unsigned(&json, "positions", report->positions);
    json_integer(&json, "tiers", report->tiers);
    json_unsigned(&json, "largest_tier", report->largest_tier);
    json_double(&json, "moves", report->moves);
    json_double(&json, "predecessors", report->predecessors);
    json_unsigned(&json, "memory_bytes", report->memory_bytes);
    json_unsigned(&json, "work_bytes", report->work_bytes);
    json_unsigned(&json, "table_bytes", report->table_bytes);
    json_double(&json, "seconds", report->seconds);
    json_integer(&json, "threads", report->threads);
    json_boolean(&json, "plain", leaves_out_kernels(game, report));
    json_end_object(&json);
    json_finish(&json);
}

static int run(cli_arguments *arguments) {
    const cli_command *command = arguments->command;
    cli_rules rules = {NULL, NULL};
    kz_estimate_options wish = {.samples = 0, .seed = 1};
    uint64_t threads = 0;
    bool json = false;
    const cli_option options[] = {
        OPTION_RULES(&rules),
        OPTION_NUMBER("samples", &wish.samples, 1, UINT64_C(1000000000), "look at N numbers (default: 40,000)"),
        OPTION_NUMBER("seed", &wish.seed, 0, UINT64_MAX, "other numbers for another seed (default: 1)"),
        OPTION_NUMBER("threads", &threads, 1, MOST_THREADS, "for N threads (default: one for each processor)"),
        OPTION_JSON(&json),
        OPTION_END,
    };
    if (!parse_options(arguments, options, 1, 1)) {
        return STATUS_USAGE;
    }
    int failure;
    const kz_game *game = choose_game(command, arguments->items[0], &failure);
    if (!game) {
        return failure;
    }
    int number = choose_one_part(command, game, &rules);
    if (number < 0) {
        return STATUS_USAGE;
    }
    kz_estimate_report report;
    kz_error error;
    wish.threads = (int)threads;
    if (kz_estimate(game, number, &wish, &report, &error) != KZ_OK) {
        return report_error(command, &error);
    }
    (json ? print_json : print_text)(game, number, &report);
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
