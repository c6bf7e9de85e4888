/* SPDX-License-Identifier: MIT */
#include "common.h"
#include "positions.h"

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

static void print_excerpt(const char *path, const kz_table *table, const kz_excerpt_report *excerpt, bool as_json) {
    cli_report report = report_begin(stdout, as_json);
    report_game(&report, kz_table_game(table), kz_table_rules(table));
    report_count(&report, "positions", "positions", excerpt->positions, "");
    report_count(&report, "expanded", "with moves", excerpt->expanded, "");
    if (excerpt->distance == INT_MAX) {
        report_line(&report, "%-14s %15s\n", "distance", "all");
        json_null(&report.json, "distance");
    } else {
        report_line(&report, "%-14s %15d\n", "distance", excerpt->distance);
        json_integer(&report.json, "distance", excerpt->distance);
    }
    report_count(&report, "bytes", "excerpt", excerpt->bytes, " bytes");
    report_text(&report, "table", path);
    report_end(&report);
}

static int write_excerpt(const cli_command *command, const kz_table *table, const start_list *starts,
                         kz_excerpt_wish *wish, const char *path, const cli_work *work) {
    kz_excerpt_report report;
    kz_error error;
    wish->starts = starts->items;
    wish->start_count = starts->count;
    wish->threads = (int)work->threads;
    CLI_TRY(
        end_work(command, kz_excerpt_write(table, wish, path, show_progress(work->quiet), &report, &error), &error));
    print_excerpt(path, table, &report, work->json);
    return STATUS_FINE;
}

static int run(cli_arguments *arguments) {
    const cli_command *command = arguments->command;
    cli_asked asked = {.table = NULL};
    cli_work work = {.threads = 0};
    const char *path = NULL;
    kz_excerpt_wish wish = {.most_bytes = DEFAULT_BYTES};
    const cli_option options[] = {
        OPTION_TEXT("out", &path, "FILE", "the file to write", .required = true),
        OPTION_NUMBER("bytes", &wish.most_bytes, LEAST_BYTES, UINT64_C(1) << 40,
                      "how many bytes it may have (default: 50,000,000)"),
        OPTIONS_TABLE(&asked),
        OPTION_THREADS(&work.threads),
        OPTION_FLAG("force", &wish.replace, "replace a file that is there already"),
        OPTION_QUIET(&work.quiet),
        OPTION_JSON(&work.json),
        OPTION_END,
    };
    CLI_TRY(read_options(arguments, options, 1, MANY_OPERANDS));
    CLI_TRY(refuse_stream(command, "--out", path, "an excerpt"));
    if (!path) {
        return report_usage(command, "where to? Give --out FILE");
    }
    CLI_TRY(check_replacing(command, path, wish.replace));
    kz_table *table;
    CLI_TRY(open_table_of(arguments, &asked, USE_WHOLE, &table));
    start_list starts = {.items = NULL};
    int code = STATUS_FINE;
    if (arguments->count > 1) {
        code = for_each_position(arguments, 1, kz_table_game(table), kz_table_rules(table), add_start, NULL, &starts);
    }
    if (code == STATUS_FINE) {
        code = write_excerpt(command, table, &starts, &wish, path, &work);
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
