/* SPDX-License-Identifier: MIT
 *
 * kanzen shogi compare, diff: which positions two sets of files have in common, and which only one of them has. */
#include "commands.h"

#include <errno.h>
#include <kanzen/shogi_pipeline.h>
#include <stdio.h>
#include <string.h>

typedef struct sets_request {
    const cli_command *command;
    shogi_reading reading;
    const char *same;
    const char *memory;
    uint64_t threads;
    bool quiet, json;
    kz_shogi_file_options options;
    shogi_inputs sets[2];
} sets_request;

/* Runs the pipeline over both sets, with the scratch folder in its path. */
static int run_sets(const sets_request *request, const kz_shogi_pipeline *pipeline, kz_shogi_pipeline_report *report) {
    kz_shogi_file_options options = request->options;
    options.scratch = NULL;
    kz_error error;
    kz_status status = kz_shogi_pipeline_run(pipeline, &options, show_progress(request->quiet), report, &error);
    end_progress();
    return exit_code(request->command, status, &error);
}

/* ---- compare ----------------------------------------------------------------------------------------------------- */

static void print_result(const sets_request *request, const char *const names[2],
                         const kz_shogi_pipeline_report *found) {
    cli_report report = report_begin(stdout, request->json);
    const struct {
        const char *key;
        const char *label;
        const char *of;
        uint64_t count;
    } lines[] = {
        {"first_records", "records in ", names[0], found->reference_records},
        {"second_records", "records in ", names[1], found->records.read},
        {"only_first", "different ones only in ", names[0], found->only_references},
        {"only_second", "different ones only in ", names[1], found->only_inputs},
        {"both", "different ones in both", "", found->in_both},
    };
    json_boolean(&report.json, "same", found->only_references == 0 && found->only_inputs == 0);
    json_text(&report.json, "first", names[0]);
    json_text(&report.json, "second", names[1]);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char number[THOUSANDS_BYTES];
        report_line(&report, "%15s  %s%s\n", format_thousands(lines[i].count, number), lines[i].label, lines[i].of);
        json_unsigned(&report.json, lines[i].key, lines[i].count);
    }
    json_unsigned(&report.json, "bad", found->references.bad + found->records.bad);
    report_end(&report);
}

static int compare(const sets_request *request, const char *const names[2]) {
    scratch_folder folder = {""};
    CLI_TRY(make_scratch_folder(request->command, request->options.scratch, &folder));
    char path[sizeof folder.path + 16];
    snprintf(path, sizeof path, "%s/compare", folder.path);
    const kz_shogi_pipeline pipeline = {
        .references = request->sets[0].sources,
        .reference_count = request->sets[0].count,
        .inputs = request->sets[1].sources,
        .input_count = request->sets[1].count,
        .path = path,
        .record = KZ_SHOGI_RECORD_SSPFX,
        .dialect = KZ_SHOGI_DIALECTS,
        .same = request->same && strcmp(request->same, "move") == 0 ? KZ_SHOGI_SAME_MOVE : KZ_SHOGI_SAME_POSITION,
        .count_only = true,
    };
    kz_shogi_pipeline_report report;
    int code = run_sets(request, &pipeline, &report);
    remove_scratch_folder(&folder);
    CLI_TRY(code);
    print_offenders(request->command, pipeline.references[0].record, names[0], &report.references);
    print_offenders(request->command, pipeline.inputs[0].record, names[1], &report.records);
    print_result(request, names, &report);
    return report.only_inputs == 0 && report.only_references == 0 ? STATUS_FINE : STATUS_NO;
}

/* ---- diff -------------------------------------------------------------------------------------------------------- */

static void print_line(const sets_request *request, int set, const char *sfen) {
    cli_report report = report_begin(stdout, request->json);
    report_line(&report, "%c %s\n", "<>"[set], sfen);
    json_text(&report.json, "only_in", set == 0 ? "first" : "second");
    json_text(&report.json, "sfen", sfen);
    report_end(&report);
}

/* Prints the lines of a file. */
static int print_file(const sets_request *request, int set, const char *path) {
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
static int list_set(const sets_request *request, const char *const names[2], int set, const char *path,
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
    kz_shogi_pipeline_report report;
    CLI_TRY(run_sets(request, &pipeline, &report));
    *count = report.records.written;
    print_offenders(request->command, pipeline.inputs[0].record, names[set], &report.records);
    return print_file(request, set, path);
}

/* Each set has a folder of its own, which is gone before the other set takes as much disk. */
static int list_both(const sets_request *request, const char *const names[2]) {
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

/* ---- The commands ------------------------------------------------------------------------------------------------ */

/* clang-format off */
#define OPTIONS_OF_SETS(request_) \
    OPTION_TEXT("record", &(request_)->reading.record, "RECORDS", \
                "which records files have whose names don't tell, or end in .bin or .txt"), \
    OPTION_TEXT("dialect", &(request_)->reading.dialect, "NAME", "of their moves: yaneuraou, drops82 or apery", \
                .words = DIALECT_WORDS)
#define OPTIONS_OF_WORK(request_) \
    OPTION_FLAG("skip-bad", &(request_)->options.skip_bad, \
                "leave out bad records; otherwise the first one is an error"), \
    OPTION_TEXT("memory", &(request_)->memory, "SIZE", \
                "bytes to use at most, like 800M or 16G (default: a quarter of the machine's)"), \
    OPTION_TEXT("scratch", &(request_)->options.scratch, "FOLDER", \
                "where temporary files go (default: $TMPDIR, or /tmp)"), \
    OPTION_THREADS(&(request_)->threads), OPTION_QUIET(&(request_)->quiet), OPTION_JSON(&(request_)->json)
/* clang-format on */

/* Reads both sets, and has `work` do the rest. */
static int with_sets(sets_request *request, cli_arguments *arguments,
                     int (*work)(const sets_request *request, const char *const names[2])) {
    const char *names[2] = {arguments->items[0], arguments->items[1]};
    request->reading.command = request->command;
    request->options.threads = (int)request->threads;
    int code = add_two_sets(request->sets, &request->reading, names);
    if (code == STATUS_FINE) {
        code = work(request, names);
    }
    free_inputs(&request->sets[0]);
    free_inputs(&request->sets[1]);
    return code;
}

static int run_compare(cli_arguments *arguments) {
    sets_request request = {.command = arguments->command};
    const cli_option options[] = {
        OPTIONS_OF_SETS(&request),
        OPTION_TEXT("same", &request.same, "WHAT", "compare positions (default), or positions and moves: move",
                    .words = "position move"),
        OPTIONS_OF_WORK(&request),
        OPTION_END,
    };
    CLI_TRY(read_options(arguments, options, 2, 2));
    CLI_TRY(memory_of_option(request.command, request.memory, &request.options.memory));
    if (request.same && strcmp(request.same, "move") != 0 && strcmp(request.same, "position") != 0) {
        return report_usage(request.command, "--same: there is no '%s'; there are: position, move", request.same);
    }
    return with_sets(&request, arguments, compare);
}

static int run_diff(cli_arguments *arguments) {
    sets_request request = {.command = arguments->command};
    const cli_option options[] = {OPTIONS_OF_SETS(&request), OPTIONS_OF_WORK(&request), OPTION_END};
    CLI_TRY(read_options(arguments, options, 2, 2));
    CLI_TRY(memory_of_option(request.command, request.memory, &request.options.memory));
    for (int i = 0; i < 2; i++) {
        if (strcmp(arguments->items[i], "-") == 0) {
            return report_usage(request.command, "both files are read twice, which the standard input (-) can't be");
        }
    }
    return with_sets(&request, arguments, list_both);
}

const cli_command command_shogi_compare = {
    .name = "shogi compare",
    .summary = "Count the positions that two files of shogi records have in common",
    .operands = "FILE FILE",
    .help = "Counts the different positions that are only in the first FILE, only in the second,\n"
            "and in both, exactly and in bounded memory. Positions are compared, not bytes, so the\n"
            "files may have different formats; a FILE may be a folder or a pattern. The exit code\n"
            "is 0 if both have the same positions, and 1 if not. kanzen shogi pipeline with\n"
            "--reference writes the records that only one of them has.\n",
    .examples = "kanzen shogi compare old.psv new.hcpe\n",
    .run = run_compare,
};

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
    .run = run_diff,
};
