/* SPDX-License-Identifier: MIT
 *
 * kanzen export to one file: what all such formats do, and csv. */
#include "export.h"
#include "progress.h"

#include <kanzen/system.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TABLE_CACHE = 1 << 28 };

static uint64_t bytes_of(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 ? (uint64_t)status.st_size : 0;
}

static void print_text(const cli_export *request, uint64_t written, double seconds, FILE *out) {
    char text[THOUSANDS_BYTES];
    fprintf(out, "%-14s %15s\n", "positions", format_thousands(written, text));
    if (!request->stream) {
        fprintf(out, "%-14s %15s bytes\n", "written", format_thousands(bytes_of(request->out), text));
    }
    fprintf(out, "%-14s %15.2f s\n", "total", seconds);
}

static void print_json(const cli_export *request, const char *format, uint64_t written, double seconds, FILE *out) {
    cli_json json = json_start(out);
    json_object(&json, NULL);
    json_text(&json, "game", kz_game_name(request->game));
    json_text(&json, "format", format);
    json_text(&json, "out", request->out);
    json_unsigned(&json, "positions", written);
    if (!request->stream) {
        json_unsigned(&json, "bytes", bytes_of(request->out));
    }
    json_double(&json, "total_seconds", seconds);
    json_end_object(&json);
    json_finish(&json);
}

const char *export_path(const cli_export *request) { return request->stream ? NULL : request->out; }

int export_file(const cli_export *request, const char *format, const kz_table *table, write_file *write) {
    cli_progress display;
    const kz_export_options options = {
        .threads = (int)request->threads,
        .replace = request->force,
        .count = request->count,
        .descriptor = STDOUT_FILENO,
        .progress = &display.progress,
    };
    uint64_t written = 0;
    kz_error error;
    if (!request->stream && check_replacing(request->command, request->out, request->force) != STATUS_FINE) {
        return STATUS_IO;
    }
    double begin = kz_seconds();
    progress_begin(&display, request->quiet);
    kz_status result = write(request, table, &options, &written, &error);
    progress_end(&display);
    if (result != KZ_OK) {
        return report_error(request->command, &error);
    }
    /* Standard output has the lines, so the report goes elsewhere. */
    FILE *out = request->stream ? stderr : stdout;
    if (request->json) {
        print_json(request, format, written, kz_seconds() - begin, out);
    } else if (!request->stream || !request->quiet) {
        print_text(request, written, kz_seconds() - begin, out);
    }
    return STATUS_FINE;
}

int export_file_from_table(const cli_export *request, const char *format, write_file *write) {
    kz_table *table;
    int code = choose_table(request->command, request->game, &request->rules, request->table, &table);
    if (code == STATUS_FINE) {
        /* Positions are looked up all over the table: a table of some hundred million fits in. */
        kz_table_cache(table, TABLE_CACHE, NULL);
        code = export_file(request, format, table, write);
        kz_table_close(table);
    }
    return code;
}

static kz_status write_csv(const cli_export *request, const kz_table *table, const kz_export_options *options,
                           uint64_t *written, kz_error *error) {
    return kz_export_csv(table, export_path(request), request->sample, request->seed, options, written, error);
}

int export_csv(const cli_export *request) { return export_file_from_table(request, "csv", write_csv); }
