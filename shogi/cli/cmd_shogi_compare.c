/* SPDX-License-Identifier: MIT
 *
 * kanzen shogi compare: which positions two sets of files have in common. */
#include "commands.h"

#include <kanzen/shogi_pipeline.h>
#include <stdio.h>
#include <string.h>

typedef struct compare_request {
    const cli_command *command;
    shogi_reading reading;
    const char *same;
    const char *memory;
    uint64_t threads;
    bool quiet, json;
    kz_shogi_file_options options;
    shogi_inputs sets[2];
} compare_request;

static void print_result(const compare_request *request, const char *const names[2],
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

static int compare(const compare_request *request, const char *const names[2]) {
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
    kz_shogi_file_options options = request->options;
    options.scratch = NULL;
    kz_shogi_pipeline_report report;
    kz_error error;
    kz_status status = kz_shogi_pipeline_run(&pipeline, &options, show_progress(request->quiet), &report, &error);
    end_progress();
    remove_scratch_folder(&folder);
    CLI_TRY(exit_code(request->command, status, &error));
    print_offenders(request->command, pipeline.references[0].record, names[0], &report.references);
    print_offenders(request->command, pipeline.inputs[0].record, names[1], &report.records);
    print_result(request, names, &report);
    return report.only_inputs == 0 && report.only_references == 0 ? STATUS_FINE : STATUS_NO;
}

static int run(cli_arguments *arguments) {
    compare_request request = {.command = arguments->command};
    const cli_option options[] = {
        OPTION_TEXT("record", &request.reading.record, "RECORDS",
                    "which records files have whose names don't tell, or end in .bin or .txt"),
        OPTION_TEXT("dialect", &request.reading.dialect, "NAME", "of their moves: yaneuraou, drops82 or apery",
                    .words = DIALECT_WORDS),
        OPTION_TEXT("same", &request.same, "WHAT", "compare positions (default), or positions and moves: move",
                    .words = "position move"),
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
    if (request.same && strcmp(request.same, "move") != 0 && strcmp(request.same, "position") != 0) {
        return report_usage(request.command, "--same: there is no '%s'; there are: position, move", request.same);
    }
    request.reading.command = request.command;
    request.options.threads = (int)request.threads;
    const char *names[2] = {arguments->items[0], arguments->items[1]};
    int code = add_two_sets(request.sets, &request.reading, names);
    if (code == STATUS_FINE) {
        code = compare(&request, names);
    }
    free_inputs(&request.sets[0]);
    free_inputs(&request.sets[1]);
    return code;
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
    .run = run,
};
