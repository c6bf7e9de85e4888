/* SPDX-License-Identifier: MIT
 *
 * kanzen export dobutsu --format packets */
#include "app/cli/progress.h"
#include "games/dobutsu/commands/export.h"

#include <kanzen/dobutsu_files.h>
#include <kanzen/system.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* "FIRST-LAST", or one number. */
static bool parse_range(const char *text, uint64_t *first, uint64_t *last) {
    const char *dash = strchr(text, '-');
    char begin[THOUSANDS_BYTES];
    size_t length = dash ? (size_t)(dash - text) : strlen(text);
    if (length >= sizeof begin) {
        return false;
    }
    memcpy(begin, text, length);
    begin[length] = '\0';
    return parse_number(begin, 0, KZ_DOBUTSU_PACKETS_COUNT - 1, first) &&
           parse_number(dash ? dash + 1 : begin, *first, KZ_DOBUTSU_PACKETS_COUNT - 1, last);
}

static void print_text(const kz_dobutsu_packets_summary *summary, double seconds, FILE *out) {
    char text[THOUSANDS_BYTES];
    fprintf(out, "%-14s %15s\n", "packets", format_thousands(summary->packets, text));
    if (summary->kept != 0) {
        fprintf(out, "%-14s %15s\n", "kept", format_thousands(summary->kept, text));
    }
    fprintf(out, "%-14s %15s bytes\n", "written", format_thousands(summary->bytes, text));
    fprintf(out, "%-14s %15.2f s\n", "total", seconds);
}

static void print_json(const cli_export *request, const kz_dobutsu_packets_summary *summary, double seconds,
                       FILE *out) {
    cli_json json = json_start(out);
    json_object(&json, NULL);
    json_text(&json, "game", kz_game_name(request->game));
    json_text(&json, "format", "packets");
    json_text(&json, "out", request->out);
    json_unsigned(&json, "packets", summary->packets);
    json_unsigned(&json, "kept", summary->kept);
    json_unsigned(&json, "bytes", summary->bytes);
    json_double(&json, "total_seconds", seconds);
    json_end_object(&json);
    json_finish(&json);
}

int export_packets(const cli_export *request) {
    cli_progress display;
    kz_dobutsu_packets_options options = {
        .threads = (int)request->threads,
        .tar = request->tar,
        .fix = request->fix,
        .descriptor = STDOUT_FILENO,
        .replace = request->force,
        .progress = &display.progress,
    };
    if (request->stream && !request->tar) {
        return report_usage(request->command, "only an archive (--tar) can go to standard output");
    }
    if (request->stream && isatty(STDOUT_FILENO)) {
        return report_usage(request->command, "an archive is not for a terminal: send it to a file or a program");
    }
    uint64_t last = KZ_DOBUTSU_PACKETS_COUNT - 1;
    if (request->range && !parse_range(request->range, &options.first, &last)) {
        return report_usage(request->command, "--range is FIRST-LAST, packets 0 to %d, not \"%s\"",
                            KZ_DOBUTSU_PACKETS_COUNT - 1, request->range);
    }
    options.count = last - options.first + 1;
    kz_dobutsu_packets_summary summary;
    kz_error error;
    double begin = kz_seconds();
    progress_begin(&display, request->quiet);
    kz_status status = kz_dobutsu_packets_write(request->stream ? NULL : request->out, &options, &summary, &error);
    progress_end(&display);
    if (status != KZ_OK) {
        return report_error(request->command, &error);
    }
    /* Standard output has the archive, so the report goes elsewhere. */
    FILE *out = request->stream ? stderr : stdout;
    if (request->json) {
        print_json(request, &summary, kz_seconds() - begin, out);
    } else if (!request->stream || !request->quiet) {
        print_text(&summary, kz_seconds() - begin, out);
    }
    return STATUS_FINE;
}
