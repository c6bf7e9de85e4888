/* SPDX-License-Identifier: MIT */
#include "common.h"

#include <kanzen/solve.h>
#include <stdio.h>
#include <string.h>

enum { MOST_COUNTS = 64 };

static void print_counts(const kz_game *game, const kz_count *counts, size_t found, bool as_json) {
    cli_report report = report_begin(stdout, as_json);
    cli_json *json = &report.json;
    int name_width = 0;
    for (size_t i = 0; i < found; i++) {
        int length = (int)strlen(counts[i].name);
        name_width = length > name_width ? length : name_width;
    }
    json_text(json, "game", kz_game_name(game));
    report_list(&report, "counts");
    for (size_t i = 0; i < found; i++) {
        char text[THOUSANDS_BYTES];
        report_line(&report, "%15s  %-*s  %s\n", format_thousands(counts[i].count, text), name_width, counts[i].name,
                    counts[i].meaning);
        json_object(json, NULL);
        json_text(json, "name", counts[i].name);
        json_unsigned(json, "count", counts[i].count);
        json_text(json, "meaning", counts[i].meaning);
        json_end_object(json);
    }
    report_end_list(&report);
    report_end(&report);
}

static int run(cli_arguments *arguments) {
    cli_work work = {.threads = 0};
    const cli_option options[] = {OPTIONS_WORK(&work), OPTION_END};
    CLI_TRY(read_options(arguments, options, 1, 1));
    const kz_game *game;
    CLI_TRY(choose_game(arguments->command, arguments->items[0], &game));
    kz_count counts[MOST_COUNTS];
    size_t found = 0;
    kz_error error;
    CLI_TRY(end_work(
        arguments->command,
        kz_count_positions(game, (int)work.threads, show_progress(work.quiet), counts, MOST_COUNTS, &found, &error),
        &error));
    print_counts(game, counts, found, work.json);
    return STATUS_FINE;
}

const cli_command command_count = {
    .name = "count",
    .summary = "Count the sets of positions that figures are published for",
    .operands = "GAME",
    .help = "Prints a line for each set: how many positions are in it, its name, and what it\n"
            "is. Needs no table.\n",
    .examples = "kanzen count dobutsu\n",
    .run = run,
};
