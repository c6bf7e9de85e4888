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

static void print_summary(const cli_export *request, const kz_dobutsu_packets_summary *summary, double seconds) {
    /* Standard output has the archive then, so the report goes elsewhere. */
    cli_report report = report_begin(request->stream ? stderr : stdout, request->json);
    cli_json *json = &report.json;
    json_text(json, "game", kz_game_name(request->game));
    json_text(json, "format", "packets");
    json_text(json, "out", request->out);
    report_count(&report, "packets", "packets", summary->packets, "");
    if (request->json || summary->kept != 0) {
        report_count(&report, "kept", "kept", summary->kept, "");
    }
    report_count(&report, "bytes", "written", summary->bytes, " bytes");
    report_seconds(&report, "total_seconds", "total", seconds);
    report_end(&report);
}

int export_packets(const cli_export *request) {
    kz_dobutsu_packets_options options = {
        .threads = (int)request->threads,
        .tar = request->tar,
        .fix = request->fix,
        .descriptor = STDOUT_FILENO,
        .replace = request->force,
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
    options.progress = show_progress(request->quiet);
    kz_status status = kz_dobutsu_packets_write(request->stream ? NULL : request->out, &options, &summary, &error);
    end_progress();
    if (status != KZ_OK) {
        return report_error(request->command, &error);
    }
    if (request->json || !request->stream || !request->quiet) {
        print_summary(request, &summary, kz_seconds() - begin);
    }
    return STATUS_FINE;
}
