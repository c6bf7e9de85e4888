/* SPDX-License-Identifier: MIT
 *
 * kanzen shogi diff: the positions that only one of two sets of files has. */
#include "commands.h"

#include <errno.h>
#include <kanzen/shogi_pipeline.h>
#include <stdio.h>
#include <string.h>

typedef struct diff_request {
    const cli_command *command;
    shogi_reading reading;
    const char *memory;
    uint64_t threads;
    bool quiet, json;
    kz_shogi_file_options options;
    shogi_inputs sets[2];
} diff_request;

static void print_line(const diff_request *request, int set, const char *sfen) {
    cli_report report = report_begin(stdout, request->json);
    report_line(&report, "%c %s\n", "<>"[set], sfen);
    json_text(&report.json, "only_in", set == 0 ? "first" : "second");
    json_text(&report.json, "sfen", sfen);
    report_end(&report);
}

/* Prints the lines of a file. */
static int print_file(const diff_request *request, int set, const char *path) {
    FILE *file = fopen(path, "r");
    if (!file) {
        return report_message(request->command, STATUS_IO, "can't read %.200s: %s", path, strerror(errno));
    }
    char line[KZ_SHOGI_SFEN_BYTES + 2];
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        print_line(request, set, line);
    }
    fclose(file);
    return STATUS_FINE;
}

/* The positions of one set that the other has not. */
static int list_set(const diff_request *request, const char *const names[2], int set, const char *path,
                    uint64_t *count) {
    const kz_shogi_pipeline pipeline = {
        .inputs = request->sets[set].sources,
        .input_count = request->sets[set].count,
        .references = request->sets[1 - set].sources,
        .reference_count = request->sets[1 - set].count,
        .path = path,
        .record = KZ_SHOGI_RECORD_SFEN,
        .dialect = KZ_SHOGI_DIALECTS,
    };
    kz_shogi_file_options options = request->options;
    options.scratch = NULL;
    kz_shogi_pipeline_report report;
    kz_error error;
    kz_status status = kz_shogi_pipeline_run(&pipeline, &options, show_progress(request->quiet), &report, &error);
    end_progress();
    *count = report.records.written;
    CLI_TRY(exit_code(request->command, status, &error));
    print_offenders(request->command, pipeline.inputs[0].record, names[set], &report.records);
    return print_file(request, set, path);
}

/* Each set has a folder of its own, which is gone before the other set takes as much disk. */
static int list_both(const diff_request *request, const char *const names[2]) {
    uint64_t counts[2] = {0, 0};
    int code = STATUS_FINE;
    for (int set = 0; set < 2 && code == STATUS_FINE; set++) {
        scratch_folder folder = {""};
        code = make_scratch_folder(request->command, request->options.scratch, &folder);
        if (code == STATUS_FINE) {
            char path[sizeof folder.path + 16];
            snprintf(path, sizeof path, "%s/diff.sfen", folder.path);
            code = list_set(request, names, set, path, &counts[set]);
            remove_scratch_folder(&folder);
        }
    }
    return code != STATUS_FINE ? code : counts[0] == 0 && counts[1] == 0 ? STATUS_FINE : STATUS_NO;
}

static int run(cli_arguments *arguments) {
    diff_request request = {.command = arguments->command};
    const cli_option options[] = {
        OPTION_TEXT("record", &request.reading.record, "RECORDS",
                    "which records files have whose names don't tell, or end in .bin or .txt"),
        OPTION_TEXT("dialect", &request.reading.dialect, "NAME", "of their moves: yaneuraou, drops82 or apery",
                    .words = DIALECT_WORDS),
        OPTION_FLAG("skip-bad", &request.options.skip_bad,
                    "leave out bad records; otherwise the first one is an error"),
        OPTION_TEXT("memory", &request.memory, "SIZE",
                    "bytes to use at most, like 800M or 16G (default: a quarter of the machine's)"),
        OPTION_TEXT("scratch", &request.options.scratch, "FOLDER",
                    "where temporary files go (default: $TMPDIR, or /tmp)"),
        OPTION_THREADS(&request.threads),
        OPTION_QUIET(&request.quiet),
        OPTION_JSON(&request.json),
        OPTION_END,
    };
    CLI_TRY(read_options(arguments, options, 2, 2));
    CLI_TRY(memory_of_option(request.command, request.memory, &request.options.memory));
    for (int i = 0; i < 2; i++) {
        if (strcmp(arguments->items[i], "-") == 0) {
            return report_usage(request.command, "both files are read twice, which the standard input (-) can't be");
        }
    }
    request.reading.command = request.command;
    request.options.threads = (int)request.threads;
    const char *names[2] = {arguments->items[0], arguments->items[1]};
    int code = add_two_sets(request.sets, &request.reading, names);
    if (code == STATUS_FINE) {
        code = list_both(&request, names);
    }
    free_inputs(&request.sets[0]);
    free_inputs(&request.sets[1]);
    return code;
}

const cli_command command_shogi_diff = {
    .name = "shogi diff",
    .summary = "List the positions that only one of two files of shogi records has",
    .operands = "FILE FILE",
    .help = "Prints a line for each different position that is only in the first FILE, \"< \" and an\n"
            "SFEN, then one for each that is only in the second, \"> \" and an SFEN. Positions are\n"
            "compared, not bytes, so the files may have different formats; a FILE may be a folder\n"
            "or a pattern. The lines of each come in an order that depends on the positions alone.\n"
            "The exit code is 0 if both have the same positions, and 1 if not. kanzen shogi compare\n"
            "only counts them.\n",
    .examples = "kanzen shogi diff old.psv new.hcpe\n",
    .run = run,
};
