/* SPDX-License-Identifier: MIT
 *
 * kanzen export to one file: what all such formats do, and csv. */
#include "export.h"

#include <kanzen/system.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TABLE_CACHE = 1 << 28 };

static uint64_t bytes_of(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 ? (uint64_t)status.st_size : 0;
}

static void print_written(const cli_export *request, const char *format, uint64_t written, double seconds) {
    /* Standard output has the lines then, so the report goes elsewhere. */
    cli_report report = report_begin(request->stream ? stderr : stdout, request->json);
    json_text(&report.json, "game", kz_game_name(request->game));
    json_text(&report.json, "format", format);
    json_text(&report.json, "out", request->out);
    report_count(&report, "positions", "positions", written, "");
    if (!request->stream) {
        report_count(&report, "bytes", "written", bytes_of(request->out), " bytes");
    }
    report_seconds(&report, "total_seconds", "total", seconds);
    report_end(&report);
}

const char *export_path(const cli_export *request) { return request->stream ? NULL : request->out; }

int export_file(const cli_export *request, const char *format, const kz_table *table, write_file *write) {
    uint64_t written = 0;
    kz_error error;
    if (!request->stream) {
        CLI_TRY(check_replacing(request->command, request->out, request->force));
    }
    const kz_export_options options = {
        .threads = (int)request->threads,
        .replace = request->force,
        .count = request->count,
        .descriptor = STDOUT_FILENO,
        .progress = show_progress(request->quiet),
    };
    double begin = kz_seconds();
    CLI_TRY(end_work(request->command, write(request, table, &options, &written, &error), &error));
    if (request->json || !request->stream || !request->quiet) {
        print_written(request, format, written, kz_seconds() - begin);
    }
    return STATUS_FINE;
}

int export_file_from_table(const cli_export *request, const char *format, write_file *write) {
    kz_table *table;
    CLI_TRY(open_table(request->command, request->game, &request->asked, USE_WHOLE, &table));
    /* Positions are looked up all over the table: a table of some hundred million fits in. */
    kz_table_cache(table, TABLE_CACHE, NULL);
    int code = export_file(request, format, table, write);
    kz_table_close(table);
    return code;
}

static kz_status write_csv(const cli_export *request, const kz_table *table, const kz_export_options *options,
                           uint64_t *written, kz_error *error) {
    return kz_export_csv(table, export_path(request), request->sample, request->seed, options, written, error);
}

int export_csv(const cli_export *request) { return export_file_from_table(request, "csv", write_csv); }
