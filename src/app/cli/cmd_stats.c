/* SPDX-License-Identifier: MIT */
#include "common.h"
#include "histogram.h"
#include "svg.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BAR_CELLS = 50 };

static void print_share(const char *label, uint64_t count, uint64_t of) {
    char text[THOUSANDS_BYTES];
    printf("%-14s %15s  %6.2f %%\n", label, format_thousands(count, text),
           of > 0 ? 100.0 * (double)count / (double)of : 0.0);
}

static void print_bar(int distance, bool win, uint64_t count, uint64_t largest) {
    char text[THOUSANDS_BYTES];
    char bar[BAR_CELLS + 1];
    int cells = (int)lround(BAR_CELLS * log10(1 + (double)count) / log10(1 + (double)largest));
    memset(bar, win ? '#' : '=', BAR_CELLS);
    bar[cells > 0 ? cells : 1] = '\0';
    printf("%5d  %-4s %15s  %s\n", distance, win ? "win" : "loss", format_thousands(count, text), bar);
}

static void print_text(const kz_table *table, const cli_histogram *histogram) {
    char text[THOUSANDS_BYTES];
    printf("%s, %s rules\n", kz_game_name(kz_table_game(table)), histogram->rules);
    printf("%-14s %15s\n", "positions", format_thousands(histogram->positions, text));
    print_share("wins", histogram->all_wins, histogram->positions);
    print_share("losses", histogram->all_losses, histogram->positions);
    print_share("draws", histogram->draws, histogram->positions);
    if (histogram->longest_win >= 0) {
        uint64_t count = histogram->wins[histogram->longest_win];
        printf("%-14s %15d %s (%s position%s)\n", "longest win", histogram->longest_win, histogram->unit,
               format_thousands(count, text), count == 1 ? "" : "s");
    }
    printf("%-14s %15s bytes\n", "table", format_thousands(kz_table_bytes(table), text));
    printf("%-14s %s\n", "digest", kz_table_digest(table));
    printf("\n%5s  %-5s %14s  bars are logarithmic: # wins, = losses\n", histogram->unit, "value", "positions");
    for (int distance = 0; distance <= histogram->longest; distance++) {
        if (histogram->wins[distance] > 0) {
            print_bar(distance, true, histogram->wins[distance], histogram->largest);
        }
        if (histogram->losses[distance] > 0) {
            print_bar(distance, false, histogram->losses[distance], histogram->largest);
        }
    }
}

static void print_json(const kz_table *table, const cli_histogram *histogram) {
    cli_json json = json_start(stdout);
    json_object(&json, NULL);
    json_text(&json, "game", kz_game_name(kz_table_game(table)));
    json_text(&json, "rules", histogram->rules);
    json_unsigned(&json, "positions", histogram->positions);
    json_unsigned(&json, "wins", histogram->all_wins);
    json_unsigned(&json, "losses", histogram->all_losses);
    json_unsigned(&json, "draws", histogram->draws);
    json_integer(&json, "longest_win", histogram->longest_win);
    json_unsigned(&json, "table_bytes", kz_table_bytes(table));
    json_text(&json, "digest", kz_table_digest(table));
    json_text(&json, "sha256", kz_table_digest(table)); /* its name before 0.3 */
    json_array(&json, "distances");
    for (int distance = 0; distance <= histogram->longest; distance++) {
        if (histogram->wins[distance] + histogram->losses[distance] > 0) {
            json_object(&json, NULL);
            json_integer(&json, histogram->unit, distance);
            json_unsigned(&json, "wins", histogram->wins[distance]);
            json_unsigned(&json, "losses", histogram->losses[distance]);
            json_end_object(&json);
        }
    }
    json_end_array(&json);
    json_end_object(&json);
    json_finish(&json);
}

static int run(cli_arguments *arguments) {
    const cli_command *command = arguments->command;
    cli_rules rules = {NULL, NULL};
    const char *path = NULL;
    const char *svg = NULL;
    bool json = false;
    const cli_option options[] = {
        OPTION_RULES(&rules),
        OPTION_TABLE(&path),
        OPTION_TEXT("svg", &svg, "FILE", "write a diagram to FILE instead; '-' is standard output"),
        OPTION_JSON(&json),
        OPTION_END,
    };
    if (!parse_options(arguments, options, 1, 1)) {
        return STATUS_USAGE;
    }
    if (svg && json) {
        return report_usage(command, "--svg and --json don't go together");
    }
    int failure;
    const kz_game *game = choose_game(command, arguments->items[0], &failure);
    if (!game) {
        return failure;
    }
    kz_table *table;
    int code = choose_table(command, game, &rules, path, &table);
    if (code != STATUS_FINE) {
        return code;
    }
    cli_histogram histogram;
    kz_error error;
    histogram_read(table, &histogram);
    if (svg) {
        code = svg_write(svg, histogram_write_svg, &histogram, &error) == KZ_OK ? STATUS_FINE
                                                                                : report_error(command, &error);
    } else {
        (json ? print_json : print_text)(table, &histogram);
    }
    kz_table_close(table);
    return code;
}

const cli_command command_stats = {
    .name = "stats",
    .summary = "Show how many positions are won or lost, and how soon",
    .operands = "GAME",
    .help = "Prints what the table of a game contains: totals, and a line with a bar for each\n"
            "distance. The counts are those in the table's header; kanzen verify proves them.\n"
            "Mirror images and turns are folded.\n",
    .examples = "kanzen stats dobutsu\n"
                "kanzen stats dobutsu --svg distances.svg\n",
    .run = run,
};
