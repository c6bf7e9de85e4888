/* SPDX-License-Identifier: MIT */
#include "common.h"
#include "progress.h"

#include <kanzen/solve.h>
#include <stdio.h>
#include <string.h>

enum { MOST_COUNTS = 64 };

static void print_text(const kz_count *counts, size_t found) {
    int name_width = 0;
    for (size_t i = 0; i < found; i++) {
        int length = (int)strlen(counts[i].name);
        name_width = length > name_width ? length : name_width;
    }
    for (size_t i = 0; i < found; i++) {
        char text[THOUSANDS_BYTES];
        printf("%15s  %-*s  %s\n", format_thousands(counts[i].count, text), name_width, counts[i].name,
               counts[i].meaning);
    }
}

static void print_json(const kz_game *game, const kz_count *counts, size_t found) {
    cli_json json = json_start(stdout);
    json_object(&json, NULL);
    json_text(&json, "game", kz_game_name(game));
    json_array(&json, "counts");
    for (size_t i = 0; i < found; i++) {
        json_object(&json, NULL);
        json_text(&json, "name", counts[i].name);
        json_unsigned(&json, "count", counts[i].count);
        json_text(&json, "meaning", counts[i].meaning);
        json_end_object(&json);
    }
    json_end_array(&json);
    json_end_object(&json);
    json_finish(&json);
}

static int run(cli_arguments *arguments) {
    cli_work work;
    if (!parse_work_options(arguments, 1, &work)) {
        return STATUS_USAGE;
    }
    int failure;
    const kz_game *game = choose_game(arguments->command, arguments->items[0], &failure);
    if (!game) {
        return failure;
    }
    kz_count counts[MOST_COUNTS];
    size_t found = 0;
    kz_error error;
    cli_progress display;
    progress_begin(&display, work.quiet);
    kz_status status =
        kz_count_positions(game, (int)work.threads, &display.progress, counts, MOST_COUNTS, &found, &error);
    progress_end(&display);
    if (status != KZ_OK) {
        return report_error(arguments->command, &error);
    }
    if (work.json) {
        print_json(game, counts, found);
    } else {
        print_text(counts, found);
    }
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
