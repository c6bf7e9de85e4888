/* SPDX-License-Identifier: MIT */
#include "common.h"
#include "svg.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BAR_CELLS = 50 };

static void report_share(cli_report *report, const char *key, uint64_t count, uint64_t of) {
    char unit[THOUSANDS_BYTES];
    snprintf(unit, sizeof unit, "  %6.2f %%", of > 0 ? 100.0 * (double)count / (double)of : 0.0);
    report_count(report, key, key, count, unit);
}

static void report_bar(cli_report *report, int distance, bool win, uint64_t count, uint64_t largest) {
    char text[THOUSANDS_BYTES];
    char bar[BAR_CELLS + 1];
    if (count > 0) {
        int cells = (int)lround(BAR_CELLS * log10(1 + (double)count) / log10(1 + (double)largest));
        memset(bar, win ? '#' : '=', BAR_CELLS);
        bar[cells > 0 ? cells : 1] = '\0';
        report_line(report, "%5d  %-4s %15s  %s\n", distance, win ? "win" : "loss", format_thousands(count, text), bar);
    }
}

static void print_stats(const kz_table *table, const cli_histogram *histogram, bool as_json) {
    cli_report report = report_begin(stdout, as_json);
    cli_json *json = &report.json;
    report_title(&report, kz_table_game(table), kz_table_rules(table));
    report_count(&report, "positions", "positions", histogram->positions, "");
    report_share(&report, "wins", histogram->all_wins, histogram->positions);
    report_share(&report, "losses", histogram->all_losses, histogram->positions);
    report_share(&report, "draws", histogram->draws, histogram->positions);
    if (histogram->longest_win >= 0) {
        char text[THOUSANDS_BYTES];
        uint64_t count = histogram->wins[histogram->longest_win];
        report_line(&report, "%-14s %15d %s (%s position%s)\n", "longest win", histogram->longest_win, histogram->unit,
                    format_thousands(count, text), count == 1 ? "" : "s");
    }
    json_integer(json, "longest_win", histogram->longest_win);
    report_count(&report, "table_bytes", "table", kz_table_bytes(table), " bytes");
    report_field(&report, "digest", "digest", kz_table_digest(table));
    json_text(json, "sha256", kz_table_digest(table)); /* its name before 0.3 */
    report_line(&report, "\n%5s  %-5s %14s  bars are logarithmic: # wins, = losses\n", histogram->unit, "value",
                "positions");
    report_list(&report, "distances");
    for (int distance = 0; distance <= histogram->longest; distance++) {
        uint64_t wins = histogram->wins[distance];
        uint64_t losses = histogram->losses[distance];
        report_bar(&report, distance, true, wins, histogram->largest);
        report_bar(&report, distance, false, losses, histogram->largest);
        if (wins + losses > 0) {
            json_object(json, NULL);
            json_integer(json, histogram->unit, distance);
            json_unsigned(json, "wins", wins);
            json_unsigned(json, "losses", losses);
            json_end_object(json);
        }
    }
    report_end_list(&report);
    report_end(&report);
}

static int run(cli_arguments *arguments) {
    const cli_command *command = arguments->command;
    cli_asked asked = {.table = NULL};
    const char *svg = NULL;
    bool json = false;
    const cli_option options[] = {
        OPTIONS_TABLE(&asked),
        OPTION_TEXT("svg", &svg, "FILE", "write a diagram to FILE instead; '-' is standard output"),
        OPTION_JSON(&json),
        OPTION_END,
    };
    CLI_TRY(read_options(arguments, options, 1, 1));
    if (svg && json) {
        return report_usage(command, "--svg and --json don't go together");
    }
    kz_table *table;
    CLI_TRY(open_table_of(arguments, &asked, USE_WHOLE, &table));
    cli_histogram histogram;
    kz_error error;
    kz_status status = KZ_OK;
    histogram_read(table, &histogram);
    if (svg) {
        status = svg_write(svg, histogram_write_svg, &histogram, &error);
    } else {
        print_stats(table, &histogram, json);
    }
    kz_table_close(table);
    return exit_code(command, status, &error);
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
