/* SPDX-License-Identifier: MIT */
#include "convert_files.h"

#include "common.h"
#include "progress.h"
#include "shogi_records.h"
#include "shogi_report.h"

#include <kanzen/system.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct result {
    const kz_shogi_source *source;
    const kz_shogi_target *target;
    kz_shogi_file_report report;
    double seconds;
};

static const char *record_name(kz_shogi_record record) { return kz_shogi_record_at(record)->name; }

static void print_count(const char *label, uint64_t count) {
    char text[THOUSANDS_BYTES];
    fprintf(stderr, "%-14s %15s\n", label, format_thousands(count, text));
}

/* All of it on stderr: the records themselves may go to stdout. */
static void print_text(const struct result *result) {
    const kz_shogi_file_report *report = &result->report;
    const char *to = record_name(result->target->record);
    char members[MEMBERS_BYTES];
    print_count("records read", report->read);
    print_count("written", report->written);
    if (report->bad != 0) {
        print_count("bad, left out", report->bad);
    }
    if (report->lost != 0) {
        fprintf(stderr, "%-14s %15s (%s can't hold it)\n", "lost", format_members(report->lost, members), to);
    }
    if (report->missing != 0) {
        fprintf(stderr, "%-14s %15s (%s has it, and not every record told; written as 0)\n", "missing",
                format_members(report->missing, members), to);
    }
    fprintf(stderr, "%-14s %15.2f s\n", "total", result->seconds);
}

static void print_json(const struct result *result) {
    const kz_shogi_file_report *report = &result->report;
    struct json json = json_start(strcmp(result->target->path, "-") == 0 ? stderr : stdout);
    json_object(&json, NULL);
    json_text(&json, "from", record_name(result->source->record));
    json_text(&json, "to", record_name(result->target->record));
    json_text(&json, "source", result->source->path);
    json_text(&json, "target", result->target->path);
    json_unsigned(&json, "read", report->read);
    json_unsigned(&json, "written", report->written);
    json_bad_records(&json, result->source->record, report);
    json_members(&json, "lost", report->lost);
    json_members(&json, "missing", report->missing);
    json_double(&json, "total_seconds", result->seconds);
    json_end_object(&json);
    json_finish(&json);
}

static bool is_stream(const char *path) { return strcmp(path, "-") == 0; }

static bool is_there(const char *path, const char *ending) {
    char name[4096];
    int length = snprintf(name, sizeof name, "%s%s", path, ending);
    return length > 0 && (size_t)length < sizeof name && access(name, F_OK) == 0;
}

/* The library refuses these, too; but only the command knows the options that help. */
static int refuse_what_is_there(const struct convert_files *asked, const char *out) {
    if (is_stream(out) || asked->force) {
        return STATUS_FINE;
    }
    if (is_there(out, "")) {
        fprintf(stderr, "kanzen convert: %s is there already; --force replaces it\n", out);
        return STATUS_IO;
    }
    if (!asked->resume && is_there(out, ".part")) {
        fprintf(stderr,
                "kanzen convert: %s.part is there, of a run that was interrupted; --resume goes on with it, --force\n"
                "begins again\n",
                out);
        return STATUS_IO;
    }
    return STATUS_FINE;
}

static int finish(const struct command *command, const struct convert_files *asked, const struct result *result,
                  const kz_error *error) {
    if (error->status == KZ_OK || result->report.bad > 1) {
        print_offenders(command, result->source->record, result->source->path, &result->report);
    }
    if (error->status != KZ_OK) {
        int code = report_error(command, error);
        if (is_there(result->target->path, ".part")) {
            fprintf(stderr, "%s.part has what was written so far; --resume goes on from there\n", result->target->path);
        }
        return code;
    }
    (asked->json ? print_json : print_text)(result);
    return result->report.bad == 0 ? STATUS_FINE : STATUS_NO;
}

int convert_files(const struct command *command, const struct convert_files *asked, const char *in, const char *out) {
    if (asked->skip_bad && asked->stop) {
        return report_usage(command, "--skip-bad and --stop exclude each other");
    }
    kz_shogi_source source = {.path = in, .first = asked->first, .count = asked->count};
    kz_shogi_target target = {.path = out, .replace = asked->force};
    source.record = record_of_option_or_path(command, "from", asked->from, in);
    if (source.record == KZ_SHOGI_RECORDS) {
        return STATUS_USAGE;
    }
    target.record = record_of_option_or_path(command, "to", asked->to, out);
    if (target.record == KZ_SHOGI_RECORDS || !dialect_of_option(command, "dialect", asked->dialect, &source.dialect) ||
        !dialect_of_option(command, "to-dialect", asked->to_dialect, &target.dialect)) {
        return STATUS_USAGE;
    }
    if (is_stream(out) && isatty(STDOUT_FILENO) && kz_shogi_record_at(target.record)->bytes != 0) {
        return report_usage(command, "records of %s are not for terminals", record_name(target.record));
    }
    int code = refuse_what_is_there(asked, out);
    if (code != STATUS_FINE) {
        return code;
    }

    const kz_shogi_file_options options = {
        .threads = (int)asked->threads,
        .skip_bad = asked->skip_bad,
        .without_box = asked->no_box,
        .legal = asked->legal,
        .resume = asked->resume,
        .checkpoint_seconds = asked->checkpoint > 0 ? (double)asked->checkpoint : 1e-3,
    };
    struct result result = {.source = &source, .target = &target};
    struct progress_display display;
    kz_error error = {.status = KZ_OK};
    double begin = kz_seconds();
    progress_begin(&display, asked->quiet);
    kz_shogi_convert(&source, &target, &options, &display.progress, &result.report, &error);
    progress_end(&display);
    result.seconds = kz_seconds() - begin;
    return finish(command, asked, &result, &error);
}
