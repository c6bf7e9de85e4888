/* SPDX-License-Identifier: MIT */
#include "common.h"
#include "positions.h"
#include "progress.h"

#include <kanzen/excerpt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

enum { LEAST_BYTES = 4096, DEFAULT_BYTES = 50000000 };

/* The positions that the user names. */
typedef struct start_list {
    kz_position *items;
    size_t count;
    size_t room;
} start_list;

static kz_status add_start(void *context, const kz_position *position, const char *input, size_t length,
                           kz_error *error) {
    start_list *starts = context;
    (void)input;
    (void)length;
    if (starts->count == starts->room) {
        size_t room = 2 * starts->room + 64;
        kz_position *items = realloc(starts->items, room * sizeof *items);
        if (!items) {
            return out_of_memory(error);
        }
        starts->items = items;
        starts->room = room;
    }
    starts->items[starts->count++] = *position;
    return KZ_OK;
}

static void print_text(const char *path, const kz_excerpt_report *report) {
    char text[THOUSANDS_BYTES];
    printf("%-14s %15s\n", "positions", format_thousands(report->positions, text));
    printf("%-14s %15s\n", "with moves", format_thousands(report->expanded, text));
    if (report->distance == INT_MAX) {
        printf("%-14s %15s\n", "distance", "all");
    } else {
        printf("%-14s %15d\n", "distance", report->distance);
    }
    printf("%-14s %15s bytes\n", "excerpt", format_thousands(report->bytes, text));
    puts(path);
}

static void print_json(const char *path, const kz_table *table, const kz_excerpt_report *report) {
    cli_json json = json_start(stdout);
    json_object(&json, NULL);
    json_text(&json, "game", kz_game_name(kz_table_game(table)));
    json_text(&json, "rules", rules_of(table));
    json_unsigned(&json, "positions", report->positions);
    json_unsigned(&json, "expanded", report->expanded);
    if (report->distance == INT_MAX) {
        json_null(&json, "distance");
    } else {
        json_integer(&json, "distance", report->distance);
    }
    json_unsigned(&json, "bytes", report->bytes);
    json_text(&json, "table", path);
    json_end_object(&json);
    json_finish(&json);
}

static int write_excerpt(const cli_command *command, const kz_table *table, const start_list *starts,
                         kz_excerpt_wish wish, const char *path, bool quiet, bool json) {
    kz_excerpt_report report;
    kz_error error;
    cli_progress display;
    wish.starts = starts->items;
    wish.start_count = starts->count;
    progress_begin(&display, quiet);
    kz_status status = kz_excerpt_write(table, &wish, path, &display.progress, &report, &error);
    progress_end(&display);
    if (status != KZ_OK) {
        return report_error(command, &error);
    }
    if (json) {
        print_json(path, table, &report);
    } else {
        print_text(path, &report);
    }
    return STATUS_FINE;
}

static int run(cli_arguments *arguments) {
    const cli_command *command = arguments->command;
    cli_rules rules = {NULL, NULL};
    const char *table_path = NULL;
    const char *path = NULL;
    kz_excerpt_wish wish = {.most_bytes = DEFAULT_BYTES};
    uint64_t threads = 0;
    bool quiet = false;
    bool json = false;
    const cli_option options[] = {
        OPTION_TEXT("out", &path, "FILE", "the file to write", .required = true),
        OPTION_NUMBER("bytes", &wish.most_bytes, LEAST_BYTES, UINT64_C(1) << 40,
                      "how many bytes it may have (default: 50,000,000)"),
        OPTION_RULES(&rules),
        OPTION_TABLE(&table_path),
        OPTION_THREADS(&threads),
        OPTION_FLAG("force", &wish.replace, "replace a file that is there already"),
        OPTION_QUIET(&quiet),
        OPTION_JSON(&json),
        OPTION_END,
    };
    if (!parse_options(arguments, options, 1, MANY_OPERANDS) ||
        refuse_stream(command, "--out", path, "an excerpt") != STATUS_FINE) {
        return STATUS_USAGE;
    }
    if (!path) {
        return report_usage(command, "where to? Give --out FILE");
    }
    int failure = check_replacing(command, path, wish.replace);
    if (failure != STATUS_FINE) {
        return failure;
    }
    const kz_game *game = choose_game(command, arguments->items[0], &failure);
    if (!game) {
        return failure;
    }
    kz_table *table;
    int code = choose_table(command, game, &rules, table_path, &table);
    if (code != STATUS_FINE) {
        return code;
    }
    start_list starts = {.items = NULL};
    wish.threads = (int)threads;
    if (arguments->count > 1) {
        code = for_each_position(arguments, 1, game, kz_table_rules(table), add_start, NULL, &starts);
    }
    if (code == STATUS_FINE) {
        code = write_excerpt(command, table, &starts, wish, path, quiet, json);
    }
    free(starts.items);
    kz_table_close(table);
    return code;
}

const cli_command command_excerpt = {
    .name = "excerpt",
    .summary = "Write a small table of the positions that games are likely to come to",
    .operands = "GAME [POSITION...]",
    .help = "Takes the values of some positions out of a table and writes them to FILE, for\n"
            "phones and web pages. FILE is used like any table, but most positions are unknown\n"
            "in it. It has the positions that are nearest to the POSITIONs (- for those on\n"
            "standard input; default: the start position), with all their moves, as many as fit:\n"
            "a position is as far away as the moves that lead to it, and a best move counts 1,\n"
            "any other one 2. 'distance' is how far away all positions have their moves in it.\n"
            "Tables that store losses only have no excerpts: they are small themselves.\n",
    .examples = "kanzen excerpt pushfight --out pushfight-small.kzt\n"
                "kanzen excerpt pushfight --bytes 10000000 --out openings.kzt - < openings.txt\n"
                "kanzen moves pushfight --table pushfight-small.kzt\n",
    .run = run,
};
