/* SPDX-License-Identifier: MIT
 *
 * kanzen shogi pipeline: many files in, one shuffled set without duplicates out. */
#include "app/cli/common.h"
#include "app/cli/progress.h"
#include "shogi_filter.h"
#include "shogi_inputs.h"
#include "shogi_records.h"
#include "shogi_report.h"

#include <inttypes.h>
#include <kanzen/shogi_pipeline.h>
#include <kanzen/system.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct request {
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
};

/* ---- What the user wants ----------------------------------------------------------------------------------------- */

static bool choose_word(const struct request *request, const char *option, const char *word, const char *const *words,
                        int *choice) {
    *choice = 0;
    if (!word) {
        return true;
    }
    for (int i = 0; words[i]; i++) {
        if (strcmp(words[i], word) == 0) {
            *choice = i;
            return true;
        }
    }
    report_usage(request->command, "--%s: there is no '%s'", option, word);
    return false;
}

static bool choose_settings(struct request *request) {
    static const char *const same[] = {"position", "move", "nothing", NULL};
    static const char *const keep[] = {"first", "last", "best", "mean", NULL};
    int chosen_same;
    int chosen_keep;
    if (!choose_word(request, "same", request->same, same, &chosen_same) ||
        !choose_word(request, "keep", request->keep, keep, &chosen_keep)) {
        return false;
    }
    request->pipeline.same = (kz_shogi_same)chosen_same;
    request->pipeline.keep = (kz_shogi_keep)chosen_keep;
    if (!memory_of_option(request->command, request->memory, &request->options.memory)) {
        return false;
    }
    if (!request->pipeline.held_path != !request->share) {
        report_usage(request->command, "--validation and --share go together");
        return false;
    }
    if (request->share) {
        char *end;
        request->pipeline.held_share = strtod(request->share, &end);
        if (*end != '\0' || !(request->pipeline.held_share > 0 && request->pipeline.held_share < 1)) {
            report_usage(request->command, "--share takes a number between 0 and 1, like 0.01, not '%s'",
                         request->share);
            return false;
        }
    }
    return true;
}

static int choose_files(struct request *request, const cli_arguments *arguments) {
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
    if (request->pipeline.record == KZ_SHOGI_RECORDS ||
        !dialect_of_option(request->command, "to-dialect", request->to_dialect, &request->pipeline.dialect)) {
        return STATUS_USAGE;
    }
    return STATUS_FINE;
}

/* The library refuses these, too; but only the command knows the options that help. */
static int refuse_what_is_there(const struct request *request) {
    const kz_shogi_pipeline *pipeline = &request->pipeline;
    if (pipeline->replace || request->options.resume) {
        return STATUS_FINE;
    }
    char *name;
    const char *slash = strrchr(pipeline->path, '/');
    int length = request->options.scratch ? asprintf(&name, "%s/%s.pipeline/state", request->options.scratch,
                                                     slash ? slash + 1 : pipeline->path)
                                          : asprintf(&name, "%s.pipeline/state", pipeline->path);
    if (length < 0) {
        return report_error(request->command, &(kz_error){.status = KZ_ERR_MEMORY, .message = "out of memory"});
    }
    bool there = access(name, F_OK) == 0;
    free(name);
    if (there) {
        fprintf(
            stderr,
            "kanzen %s: there is a run of %s that was interrupted; --resume goes on with it, --force begins again\n",
            request->command->name, pipeline->path);
        return STATUS_IO;
    }
    return STATUS_FINE;
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

static void print_count(const char *label, uint64_t count, bool always) {
    char text[THOUSANDS_BYTES];
    if (count > 0 || always) {
        printf("%-16s %15s\n", label, format_thousands(count, text));
    }
}

static void print_report(const struct request *request, const kz_shogi_pipeline_report *report, double seconds) {
    char members[MEMBERS_BYTES];
    print_count("records", report->records.read, true);
    print_count("bad", report->records.bad, false);
    print_count("bad references", report->references.bad, false);
    print_losses(stdout, 16, &report->records);
    print_count("repeated", report->records.repeated, true);
    print_count("in references", report->referenced, request->pipeline.reference_count > 0);
    print_count("beyond sample", report->beyond, false);
    print_count("held out", report->held, request->pipeline.held_path);
    print_count("written", report->records.written, true);
    if (report->records.lost != 0) {
        printf("%-16s %15s\n", "lost", format_members(report->records.lost, members));
    }
    if (report->records.missing != 0) {
        printf("%-16s %15s\n", "missing", format_members(report->records.missing, members));
    }
    print_count("files", report->shards, true);
    printf("%-16s %15.2f s (reading %.2f, writing %.2f, hashing %.2f)\n", "total", seconds, report->reading_seconds,
           report->writing_seconds, report->hashing_seconds);
    printf("%s.manifest.json\n", request->pipeline.path);
}

static void print_report_json(const struct request *request, const kz_shogi_pipeline_estimate *estimate,
                              const kz_shogi_pipeline_report *report, double seconds) {
    cli_json json = json_start(stdout);
    json_object(&json, NULL);
    json_estimate(&json, estimate);
    if (report) {
        json_unsigned(&json, "read", report->records.read);
        json_bad_records(&json, request->pipeline.inputs[0].record, &report->records);
        json_unsigned(&json, "references_read", report->reference_records);
        json_unsigned(&json, "references_bad", report->references.bad);
        json_unsigned(&json, "repeated", report->records.repeated);
        json_unsigned(&json, "referenced", report->referenced);
        json_unsigned(&json, "beyond", report->beyond);
        json_unsigned(&json, "held", report->held);
        json_unsigned(&json, "written", report->records.written);
        json_members(&json, "lost", report->records.lost);
        json_members(&json, "missing", report->records.missing);
        json_unsigned(&json, "files", report->shards);
        json_unsigned(&json, "bytes", report->bytes);
        json_boolean(&json, "resumed", report->resumed);
        json_double(&json, "reading_seconds", report->reading_seconds);
        json_double(&json, "writing_seconds", report->writing_seconds);
        json_double(&json, "hashing_seconds", report->hashing_seconds);
        json_double(&json, "total_seconds", seconds);
    }
    json_end_object(&json);
    json_finish(&json);
}

/* ---- The run ----------------------------------------------------------------------------------------------------- */

/* Corrects the estimate as the run goes on: at the end of a stage, what is left is multiplied by how much longer than
 * expected the stages before took. */
struct forecast {
    kz_progress progress; /* what the library gets */
    cli_progress *display;
    const kz_shogi_pipeline_estimate *estimate;
    double begin;
    char stage[PROGRESS_STAGE_BYTES];
    bool quiet;
};

static void correct_estimate(const struct forecast *forecast, const char *stage) {
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
    progress_pause(forecast->display);
    fprintf(stderr, "about %s left of %s\n", format_clock(rest, left), format_clock(took + rest, all));
}

static bool forward(void *user, const char *stage, uint64_t done, uint64_t total) {
    struct forecast *forecast = user;
    if (strncmp(stage, forecast->stage, sizeof forecast->stage - 1) != 0) {
        if (forecast->stage[0] != '\0' && (strcmp(stage, "writing") == 0 || strcmp(stage, "hashing") == 0)) {
            correct_estimate(forecast, stage);
        }
        snprintf(forecast->stage, sizeof forecast->stage, "%s", stage);
    }
    const kz_progress *inner = &forecast->display->progress;
    return inner->report(inner->user, stage, done, total);
}

/* Whether there is a run to go on with. */
static bool has_state(const struct request *request) {
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

static int run_pipeline(struct request *request) {
    kz_shogi_pipeline_estimate estimate = {.records = 0};
    kz_shogi_pipeline_report report;
    kz_error error;
    kz_status status = KZ_OK;
    if (request->json || request->estimate || !request->quiet) {
        status = kz_shogi_pipeline_plan(&request->pipeline, &request->options, &estimate, &error);
    }
    if (status != KZ_OK) {
        return report_error(request->command, &error);
    }
    if (!request->json && (request->estimate || !request->quiet)) {
        print_estimate(&estimate);
    }
    if (request->estimate) {
        if (request->json) {
            print_report_json(request, &estimate, NULL, 0);
        }
        return STATUS_FINE;
    }
    cli_progress display;
    double begin = kz_seconds();
    progress_begin(&display, request->quiet);
    struct forecast forecast = {
        .display = &display, .estimate = &estimate, .begin = begin, .quiet = request->quiet || request->options.resume};
    forecast.progress = (kz_progress){.report = forward, .user = &forecast};
    status = kz_shogi_pipeline_run(&request->pipeline, &request->options, &forecast.progress, &report, &error);
    progress_end(&display);
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
    if (request->json) {
        print_report_json(request, &estimate, &report, seconds);
    } else {
        print_report(request, &report, seconds);
    }
    return report.records.bad == 0 && report.references.bad == 0 ? STATUS_FINE : STATUS_NO;
}

static int run(cli_arguments *arguments) {
    struct request request = {.command = arguments->command, .checkpoint = 30};
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
    int code = parse_options(arguments, options, 2, MANY_OPERANDS) ? STATUS_FINE : STATUS_USAGE;
    kz_shogi_filter filter;
    request.options.threads = (int)request.threads;
    request.options.checkpoint_seconds = request.checkpoint > 0 ? (double)request.checkpoint : 1e-3;
    request.options.filter = &filter;
    if (code == STATUS_FINE) {
        code = refuse_stream(request.command, "--validation", request.pipeline.held_path, "records that are held out");
    }
    if (code == STATUS_FINE &&
        (!choose_settings(&request) || !read_filter(request.command, &request.filter, &filter))) {
        code = STATUS_USAGE;
    }
    if (code == STATUS_FINE) {
        code = choose_files(&request, arguments);
    }
    if (code == STATUS_FINE) {
        code = refuse_what_is_there(&request);
    }
    if (code == STATUS_FINE) {
        code = run_pipeline(&request);
    }
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
