/* SPDX-License-Identifier: MIT
 *
 * kanzen shogi pipeline: many files in, one shuffled set without duplicates out. */
#include "commands.h"

#include <inttypes.h>
#include <kanzen/shogi_pipeline.h>
#include <kanzen/system.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct pipeline_request {
    const cli_command *command;
    shogi_reading reading;
    const char *to, *to_dialect;
    const char *same, *keep;
    const char *memory;
    const char *share;
    cli_texts references;
    shogi_filter filter;
    uint64_t threads, checkpoint;
    bool estimate, quiet, json;
    kz_shogi_file_options options;
    kz_shogi_pipeline pipeline;
    shogi_inputs inputs;
    shogi_inputs reference_inputs;
} pipeline_request;

/* ---- What the user wants ----------------------------------------------------------------------------------------- */

static int choose_word(const pipeline_request *request, const char *option, const char *word, const char *const *words,
                       int *choice) {
    *choice = 0;
    if (!word) {
        return STATUS_FINE;
    }
    for (int i = 0; words[i]; i++) {
        if (strcmp(words[i], word) == 0) {
            *choice = i;
            return STATUS_FINE;
        }
    }
    return report_usage(request->command, "--%s: there is no '%s'", option, word);
}

static int choose_settings(pipeline_request *request) {
    static const char *const same[] = {"position", "move", "nothing", NULL};
    static const char *const keep[] = {"first", "last", "best", "mean", NULL};
    int chosen_same;
    int chosen_keep;
    CLI_TRY(choose_word(request, "same", request->same, same, &chosen_same));
    CLI_TRY(choose_word(request, "keep", request->keep, keep, &chosen_keep));
    request->pipeline.same = (kz_shogi_same)chosen_same;
    request->pipeline.keep = (kz_shogi_keep)chosen_keep;
    CLI_TRY(memory_of_option(request->command, request->memory, &request->options.memory));
    if (!request->pipeline.held_path != !request->share) {
        return report_usage(request->command, "--validation and --share go together");
    }
    if (request->share) {
        char *end;
        request->pipeline.held_share = strtod(request->share, &end);
        if (*end != '\0' || !(request->pipeline.held_share > 0 && request->pipeline.held_share < 1)) {
            return report_usage(request->command, "--share takes a number between 0 and 1, like 0.01, not '%s'",
                                request->share);
        }
    }
    return STATUS_FINE;
}

static int choose_files(pipeline_request *request, const cli_arguments *arguments) {
    const char *out = arguments->items[arguments->count - 1];
    int code = refuse_stream(request->command, "OUT", out, "what this command writes");
    request->reading.command = request->command;
    for (int i = 0; i < arguments->count - 1 && code == STATUS_FINE; i++) {
        code = add_inputs(&request->inputs, &request->reading, arguments->items[i]);
    }
    for (int i = 0; i < request->references.count && code == STATUS_FINE; i++) {
        code = add_inputs(&request->reference_inputs, &request->reading, request->references.items[i]);
    }
    if (code != STATUS_FINE) {
        return code;
    }
    if (request->inputs.count == 0) {
        return report_usage(request->command, "there is no file to read; the names in a folder have to tell which "
                                              "records they have, or --record");
    }
    code = check_record_option(&request->reading,
                               (const shogi_inputs *const[]){&request->inputs, &request->reference_inputs}, 2);
    if (code != STATUS_FINE) {
        return code;
    }
    request->pipeline.inputs = request->inputs.sources;
    request->pipeline.input_count = request->inputs.count;
    request->pipeline.references = request->reference_inputs.sources;
    request->pipeline.reference_count = request->reference_inputs.count;
    request->pipeline.path = out;
    request->pipeline.record = record_of_option_or_path(request->command, "to", request->to, out);
    return request->pipeline.record == KZ_SHOGI_RECORDS
               ? STATUS_USAGE
               : dialect_of_option(request->command, "to-dialect", request->to_dialect, &request->pipeline.dialect);
}

/* Whether there is a run to go on with. */
static bool has_state(const pipeline_request *request) {
    const char *out = request->pipeline.path;
    const char *slash = strrchr(out, '/');
    char *path = NULL;
    int length = request->options.scratch
                     ? asprintf(&path, "%s/%s.pipeline/state", request->options.scratch, slash ? slash + 1 : out)
                     : asprintf(&path, "%s.pipeline/state", out);
    bool there = length >= 0 && access(path, F_OK) == 0;
    free(length >= 0 ? path : NULL);
    return there;
}

/* The library refuses these, too; but only the command knows the options that help. */
static int refuse_what_is_there(const pipeline_request *request) {
    if (request->pipeline.replace || request->options.resume || !has_state(request)) {
        return STATUS_FINE;
    }
    fprintf(stderr,
            "kanzen %s: there is a run of %s that was interrupted; --resume goes on with it, --force begins again\n",
            request->command->name, request->pipeline.path);
    return STATUS_IO;
}

/* ---- What is printed --------------------------------------------------------------------------------------------- */

static double gigabytes(uint64_t bytes) { return (double)bytes / 1e9; }

enum { CLOCK_BYTES = 32 };

/* "1:02:03". */
static const char *format_clock(double duration, char text[CLOCK_BYTES]) {
    uint64_t seconds = (uint64_t)(duration + 0.5);
    snprintf(text, CLOCK_BYTES, "%" PRIu64 ":%02" PRIu64 ":%02" PRIu64, seconds / 3600, seconds / 60 % 60,
             seconds % 60);
    return text;
}

static void print_estimate(const kz_shogi_pipeline_estimate *estimate) {
    char text[THOUSANDS_BYTES];
    fprintf(stderr, "records to read  %15s%s\n", format_thousands(estimate->records, text),
            estimate->exact ? "" : "  (about)");
    fprintf(stderr, "input            %12.3f GB\n", gigabytes(estimate->input));
    fprintf(stderr, "disk it takes    %12.3f GB  (%.3f GB are free)\n", gigabytes(estimate->disk),
            gigabytes(estimate->disk_free));
    fprintf(stderr, "memory           %12.3f GB\n", gigabytes(estimate->memory));
    char duration[CLOCK_BYTES];
    fprintf(stderr, "time             %15s  (from a sample)\n", format_clock(estimate->seconds, duration));
}

static void json_estimate(cli_json *json, const kz_shogi_pipeline_estimate *estimate) {
    json_object(json, "estimate");
    json_unsigned(json, "records", estimate->records);
    json_boolean(json, "exact", estimate->exact);
    json_unsigned(json, "input_bytes", estimate->input);
    json_unsigned(json, "disk_bytes", estimate->disk);
    json_unsigned(json, "disk_free_bytes", estimate->disk_free);
    json_unsigned(json, "memory_bytes", estimate->memory);
    json_double(json, "seconds", estimate->seconds);
    json_double(json, "reading_seconds", estimate->reading_seconds);
    json_double(json, "writing_seconds", estimate->writing_seconds);
    json_double(json, "hashing_seconds", estimate->hashing_seconds);
    json_unsigned(json, "partitions", estimate->partitions);
    json_end_object(json);
}

static void report_some(cli_report *report, const char *key, const char *label, uint64_t count, bool always) {
    if (always) {
        report_count(report, key, label, count, "");
    } else {
        report_if_any(report, key, label, count);
    }
}

static void report_run(cli_report *report, const pipeline_request *request, const kz_shogi_pipeline_report *found,
                       double seconds) {
    const kz_shogi_pipeline *pipeline = &request->pipeline;
    const kz_shogi_file_report *records = &found->records;
    cli_json *json = &report->json;
    char members[MEMBERS_BYTES];
    report->label = 16;
    report_count(report, "read", "records", records->read, "");
    json_bad_records(json, pipeline->inputs[0].record, records);
    report_if_any(report, NULL, "bad", records->bad);
    json_unsigned(json, "references_read", found->reference_records);
    report_if_any(report, "references_bad", "bad references", found->references.bad);
    report_losses(report, records);
    report_count(report, "repeated", "repeated", records->repeated, "");
    report_some(report, "referenced", "in references", found->referenced, pipeline->reference_count > 0);
    report_if_any(report, "beyond", "beyond sample", found->beyond);
    report_some(report, "held", "held out", found->held, pipeline->held_path);
    report_count(report, "written", "written", records->written, "");
    if (records->lost != 0) {
        report_line(report, "%-16s %15s\n", "lost", format_members(records->lost, members));
    }
    if (records->missing != 0) {
        report_line(report, "%-16s %15s\n", "missing", format_members(records->missing, members));
    }
    json_members(json, "lost", records->lost);
    json_members(json, "missing", records->missing);
    report_count(report, "files", "files", found->shards, "");
    json_unsigned(json, "bytes", found->bytes);
    json_boolean(json, "resumed", found->resumed);
    json_double(json, "reading_seconds", found->reading_seconds);
    json_double(json, "writing_seconds", found->writing_seconds);
    json_double(json, "hashing_seconds", found->hashing_seconds);
    json_double(json, "total_seconds", seconds);
    report_line(report, "%-16s %15.2f s (reading %.2f, writing %.2f, hashing %.2f)\n", "total", seconds,
                found->reading_seconds, found->writing_seconds, found->hashing_seconds);
    report_line(report, "%s.manifest.json\n", pipeline->path);
}

/* `found` is NULL if nothing but the estimate was asked for; the text has had that before. */
static void print_report(const pipeline_request *request, const kz_shogi_pipeline_estimate *estimate,
                         const kz_shogi_pipeline_report *found, double seconds) {
    cli_report report = report_begin(stdout, request->json);
    json_estimate(&report.json, estimate);
    if (found) {
        report_run(&report, request, found, seconds);
    }
    report_end(&report);
}

/* ---- The run ----------------------------------------------------------------------------------------------------- */

/* Corrects the estimate as the run goes on: at the end of a stage, what is left is multiplied by how much longer than
 * expected the stages before took. */
typedef struct run_forecast {
    kz_progress progress;     /* what the library gets */
    const kz_progress *shown; /* and hands it on to */
    const kz_shogi_pipeline_estimate *estimate;
    double begin;
    char stage[PROGRESS_STAGE_BYTES];
    bool quiet;
} run_forecast;

static void correct_estimate(const run_forecast *forecast, const char *stage) {
    const kz_shogi_pipeline_estimate *estimate = forecast->estimate;
    double expected = strcmp(stage, "writing") == 0 ? estimate->reading_seconds
                                                    : estimate->reading_seconds + estimate->writing_seconds;
    double took = kz_seconds() - forecast->begin;
    if (forecast->quiet || expected <= 0 || took < 5) {
        return;
    }
    char left[CLOCK_BYTES];
    char all[CLOCK_BYTES];
    double rest = (estimate->seconds - expected) * took / expected;
    pause_progress();
    fprintf(stderr, "about %s left of %s\n", format_clock(rest, left), format_clock(took + rest, all));
}

static bool forward(void *user, const char *stage, uint64_t done, uint64_t total) {
    run_forecast *forecast = user;
    if (strncmp(stage, forecast->stage, sizeof forecast->stage - 1) != 0) {
        if (forecast->stage[0] != '\0' && (strcmp(stage, "writing") == 0 || strcmp(stage, "hashing") == 0)) {
            correct_estimate(forecast, stage);
        }
        snprintf(forecast->stage, sizeof forecast->stage, "%s", stage);
    }
    return forecast->shown->report(forecast->shown->user, stage, done, total);
}

static int run_pipeline(pipeline_request *request) {
    kz_shogi_pipeline_estimate estimate = {.records = 0};
    kz_shogi_pipeline_report report;
    kz_error error;
    kz_status status = KZ_OK;
    if (request->json || request->estimate || !request->quiet) {
        status = kz_shogi_pipeline_plan(&request->pipeline, &request->options, &estimate, &error);
    }
    CLI_TRY(exit_code(request->command, status, &error));
    if (!request->json && (request->estimate || !request->quiet)) {
        print_estimate(&estimate);
    }
    if (request->estimate) {
        print_report(request, &estimate, NULL, 0);
        return STATUS_FINE;
    }
    double begin = kz_seconds();
    run_forecast forecast = {.shown = show_progress(request->quiet),
                             .estimate = &estimate,
                             .begin = begin,
                             .quiet = request->quiet || request->options.resume};
    forecast.progress = (kz_progress){.report = forward, .user = &forecast};
    status = kz_shogi_pipeline_run(&request->pipeline, &request->options, &forecast.progress, &report, &error);
    end_progress();
    double seconds = kz_seconds() - begin;
    if (report.references.bad > 0 && (status == KZ_OK || report.references.bad > 1)) {
        print_offenders(request->command, request->pipeline.references[0].record,
                        request->reference_inputs.count == 1 ? request->reference_inputs.paths[0] : "the references",
                        &report.references);
    }
    if (report.records.bad > 0 && (status == KZ_OK || report.records.bad > 1)) {
        print_offenders(request->command, request->pipeline.inputs[0].record,
                        request->inputs.count == 1 ? request->inputs.paths[0] : "the inputs", &report.records);
    }
    if (status != KZ_OK) {
        int code = report_error(request->command, &error);
        if ((status == KZ_ERR_CANCELLED || status == KZ_ERR_IO) && has_state(request)) {
            fprintf(stderr, "what was done so far is kept; --resume goes on from there\n");
        }
        return code;
    }
    print_report(request, &estimate, &report, seconds);
    return report.records.bad == 0 && report.references.bad == 0 ? STATUS_FINE : STATUS_NO;
}

static int run_read(pipeline_request *request, cli_arguments *arguments, const cli_option *options) {
    kz_shogi_filter filter;
    CLI_TRY(read_options(arguments, options, 2, MANY_OPERANDS));
    request->options.threads = (int)request->threads;
    request->options.checkpoint_seconds = request->checkpoint > 0 ? (double)request->checkpoint : 1e-3;
    request->options.filter = &filter;
    CLI_TRY(refuse_stream(request->command, "--validation", request->pipeline.held_path, "records that are held out"));
    CLI_TRY(choose_settings(request));
    CLI_TRY(read_filter(request->command, &request->filter, &filter));
    CLI_TRY(choose_files(request, arguments));
    CLI_TRY(refuse_what_is_there(request));
    return run_pipeline(request);
}

static int run(cli_arguments *arguments) {
    pipeline_request request = {.command = arguments->command, .checkpoint = 30};
    request.references.items = calloc((size_t)arguments->count + 1, sizeof *request.references.items);
    if (!request.references.items) {
        return report_error(request.command, &(kz_error){.status = KZ_ERR_MEMORY, .message = "out of memory"});
    }
    const cli_option options[] = {
        OPTION_TEXT("record", &request.reading.record, "RECORDS",
                    "which records inputs and references have whose names don't tell, or end in .bin or .txt"),
        OPTION_TEXT("dialect", &request.reading.dialect, "NAME", "of their moves: yaneuraou, drops82 or apery",
                    .words = DIALECT_WORDS),
        OPTION_TEXT("to", &request.to, "RECORDS", "what OUT gets (default: the ending of its name tells)"),
        OPTION_TEXT("to-dialect", &request.to_dialect, "NAME", "of the moves in OUT", .words = DIALECT_WORDS),
        OPTION_TEXT(
            "same", &request.same, "WHAT",
            "records are duplicates if they have the same: position (default), move (position and move), nothing",
            .words = "position move nothing"),
        OPTION_TEXT(
            "keep", &request.keep, "WHICH",
            "which one of them stays: first (default), last, best (highest score), mean (first, with mean score)",
            .words = "first last best mean"),
        OPTION_TEXTS("reference", &request.references, "FILE", "drop records whose position is in this file or folder"),
        OPTION_NUMBER("shard", &request.pipeline.shard_records, 1, UINT64_MAX,
                      "write N records to a file: OUT-00000, OUT-00001, ... (before the ending of its name)"),
        OPTION_NUMBER("sample", &request.pipeline.most, 1, UINT64_MAX,
                      "write only N records to OUT; every choice is equally likely"),
        OPTION_TEXT(
            "validation", &request.pipeline.held_path, "FILE",
            "hold records out and write them to FILE, or with --shard to FILE-00000, ...; no position is in both sets"),
        OPTION_TEXT("share", &request.share, "SHARE", "about which share of the positions is held out, like 0.01"),
        OPTION_NUMBER("seed", &request.options.seed, 0, UINT64_MAX, "another number gives another order (default: 0)"),
        OPTIONS_OF_FILTER(&request.filter),
        OPTION_FLAG("legal", &request.options.legal, "positions that are not legal are bad"),
        OPTION_FLAG("skip-bad", &request.options.skip_bad,
                    "leave out bad records; otherwise the first one is an error"),
        OPTION_FLAG("no-box", &request.options.without_box,
                    "handicaps may lack the codes of the removed pieces, as in records of before 2024"),
        OPTION_UNSEARCHED(&request.options.unsearched),
        OPTION_TEXT("memory", &request.memory, "SIZE",
                    "bytes to use at most, like 800M or 16G (default: a quarter of the machine's)"),
        OPTION_TEXT("scratch", &request.options.scratch, "FOLDER", "where partitions go (default: beside OUT)"),
        OPTION_FLAG("estimate", &request.estimate, "only say what the run would take"),
        OPTION_FLAG("resume", &request.options.resume, "go on with a run that was interrupted, if there is one"),
        OPTION_NUMBER("checkpoint", &request.checkpoint, 0, 86400,
                      "save what that needs every N seconds (default: 30)"),
        OPTION_FLAG("force", &request.pipeline.replace, "replace what is there already"),
        OPTION_THREADS(&request.threads),
        OPTION_QUIET(&request.quiet),
        OPTION_JSON(&request.json),
        OPTION_END,
    };
    int code = run_read(&request, arguments, options);
    free_inputs(&request.inputs);
    free_inputs(&request.reference_inputs);
    free(request.references.items);
    return code;
}

const cli_command command_shogi_pipeline = {
    .name = "shogi pipeline",
    .summary = "Check, filter, deduplicate and shuffle files of shogi positions of any size",
    .operands = "IN... OUT",
    .help = "Reads all files IN (files, folders, patterns; - is standard input; .zst and .gz are\n"
            "unpacked), drops bad records, those that a filter leaves out and duplicates, and\n"
            "writes the rest in a random order to OUT. Two passes over the data, whatever its size:\n"
            "what is read once is written once to partitions, and each of these is finished in\n"
            "memory. Duplicates are found exactly, and by position, however it was written.\n"
            "\n"
            "The same inputs and seed give the same bytes at any number of threads and with any\n"
            "memory. A run that is interrupted or killed goes on with --resume. The estimate comes\n"
            "first; OUT.manifest.json, with counts and digests, comes last.\n",
    .examples = "kanzen shogi pipeline games/ train.psv --memory 8G --shard 100000000\n"
                "kanzen shogi pipeline 'raw/*.bin.zst' new.hcpe --record psv --skip-bad --reference old.hcpe\n"
                "kanzen shogi pipeline a.psv b.psv train.psv --validation test.psv --share 0.01\n",
    .run = run,
};
