/* SPDX-License-Identifier: MIT
 *
 * What Dobutsu Shogi adds to the command. */
#include "app/cli/export.h"
#include "app/cli/game_commands.h"

#include <kanzen/dobutsu_files.h>
#include <kanzen/system.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

extern const cli_command command_check;
extern const cli_command command_check_try_rule;
extern const cli_command command_compare;

static const cli_command *const commands_of_dobutsu[] = {
    &command_check,
    &command_check_try_rule,
    &command_compare,
    NULL,
};

/* ---- export: states, wins, values and sqlite, one file each ------------------------------------------------------ */

static kz_status write_states(const cli_export *request, const kz_table *table, const kz_export_options *options,
                              uint64_t *written, kz_error *error) {
    (void)table;
    return kz_dobutsu_export_states(export_path(request), false, options, written, error);
}

static kz_status write_wins(const cli_export *request, const kz_table *table, const kz_export_options *options,
                            uint64_t *written, kz_error *error) {
    (void)table;
    return kz_dobutsu_export_states(export_path(request), true, options, written, error);
}

static kz_status write_values(const cli_export *request, const kz_table *table, const kz_export_options *options,
                              uint64_t *written, kz_error *error) {
    return kz_dobutsu_export_values(table, export_path(request), options, written, error);
}

static kz_status write_sqlite(const cli_export *request, const kz_table *table, const kz_export_options *options,
                              uint64_t *written, kz_error *error) {
    return kz_dobutsu_export_sqlite(table, export_path(request), options, written, error);
}

static int export_states(const cli_export *request) { return export_file(request, "states", NULL, write_states); }

static int export_wins(const cli_export *request) { return export_file(request, "wins", NULL, write_wins); }

static int export_values(const cli_export *request) { return export_file_from_table(request, "values", write_values); }

static int export_sqlite(const cli_export *request) { return export_file_from_table(request, "sqlite", write_sqlite); }

/* ---- export: packets --------------------------------------------------------------------------------------------- */

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

static int export_packets(const cli_export *request) {
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
    CLI_TRY(end_work(request->command,
                     kz_dobutsu_packets_write(request->stream ? NULL : request->out, &options, &summary, &error),
                     &error));
    if (request->json || !request->stream || !request->quiet) {
        print_summary(request, &summary, kz_seconds() - begin);
    }
    return STATUS_FINE;
}

static const cli_format formats[] = {
    {"packets", EXPORT_RANGE | EXPORT_TAR | EXPORT_FIX | EXPORT_STREAM, export_packets},
    {"states", EXPORT_COUNT | EXPORT_STREAM, export_states},
    {"wins", EXPORT_COUNT | EXPORT_STREAM, export_wins},
    {"values", EXPORT_TABLE | EXPORT_COUNT | EXPORT_STREAM, export_values},
    {"sqlite", EXPORT_TABLE | EXPORT_COUNT, export_sqlite},
    {NULL, 0, NULL},
};

/* ---- probe: packets ---------------------------------------------------------------------------------------------- */

static kz_status open_packets(const char *path, void **opened, kz_error *error) {
    kz_dobutsu_packets *packets = NULL;
    kz_status status = kz_dobutsu_packets_open(path, &packets, error);
    *opened = packets;
    return status;
}

static kz_status open_packet_files(const char *base,
                                   kz_status (*get)(void *user, const char *name, uint8_t *data, size_t most,
                                                    size_t *size, kz_error *error),
                                   void *user, void **opened, kz_error *error) {
    const kz_dobutsu_packets_files files = {.get = get, .user = user};
    kz_dobutsu_packets *packets = NULL;
    kz_status status = kz_dobutsu_packets_open_files(base, &files, &packets, error);
    *opened = packets;
    return status;
}

static kz_status probe_packets(const void *opened, const kz_position *position, kz_value *value, kz_move *move,
                               kz_error *error) {
    return kz_dobutsu_packets_probe(opened, position, value, move, error);
}

static void close_packets(void *opened) { kz_dobutsu_packets_close(opened); }

static const cli_packets packets = {
    .rules = "simplified",
    .open = open_packets,
    .open_files = open_packet_files,
    .probe = probe_packets,
    .close = close_packets,
};

/* ---- All of it -------------------------------------------------------------------------------------------------- */

extern const cli_game_commands dobutsu_commands;
const cli_game_commands dobutsu_commands = {
    .game = "dobutsu",
    .commands = commands_of_dobutsu,
    .formats = formats,
    .export_help = "\n"
                   "dobutsu, packets: the database of the Dobutsu Shogi Analyzer of 2024, byte for\n"
                   "byte: the best child of each of 1,098,348,205 positions, in key order, 1,000 to a\n"
                   "file (packet), in folders of 1,000 packets, and maximums.dat. PATH is a folder, or\n"
                   "with --tar a file. The complete database has 1.1 million files, 8.8 GB. It needs no\n"
                   "table. The same command goes on where it was interrupted.\n"
                   "\n"
                   "dobutsu, states, wins, values and sqlite: the files of kota7's doubutsushogi, with\n"
                   "its state indices. States and wins list the positions that a game can lead to,\n"
                   "those that are not and those that are won in one ply (109,179,572 and 398,489,958\n"
                   "lines, 17 and 7 GB), as that program finds them. Values and sqlite have the values\n"
                   "of the former, by index: text (3 GB), or the SQLite table stateValues (2 GB) with a\n"
                   "view \"positions\" that has SFEN, result and plies.\n",
    .packets = &packets,
    .move_example = "2c2b, or C*2b to drop a chick",
};
