/* SPDX-License-Identifier: MIT */
#include "base/http.h"
#include "game_commands.h"
#include "positions.h"
#include "values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct probe_job {
    const kz_game *game;
    cli_values values;
    const cli_packets *database; /* of the game */
    void *packets;               /* an open database; NULL: the values tell */
    bool json;
} probe_job;

static kz_status probe_position(void *context, const kz_position *position, const char *input, size_t length,
                                kz_error *error) {
    const probe_job *probe = context;
    const kz_game *game = probe->game;
    kz_value value;
    kz_move move;
    int depth = 0;
    char text[KZ_TEXT_BYTES];
    char best[KZ_TEXT_BYTES];
    char depth_text[DEPTH_BYTES];
    KZ_TRY(probe->packets ? probe->database->probe(probe->packets, position, &value, &move, error)
                          : kz_values_search(&probe->values.source, position, &value, &move, &depth, error));
    KZ_TRY(kz_format(game, position, 0, text, sizeof text, error));
    if (move != 0) {
        KZ_TRY(kz_move_format(game, position, move, best, sizeof best, error));
    }
    cli_report report = report_begin(stdout, probe->json);
    json_text_of_length(&report.json, "input", input, length);
    report_text(&report, "position", text);
    report_value(&report, game, value);
    report_text(&report, "best", move != 0 ? best : NULL);
    json_depth(&report.json, value, depth);
    if (format_depth(game, value, depth, depth_text)[0] != '\0') {
        report_text(&report, NULL, depth_text);
    }
    report_end(&report);
    if (!probe->json) {
        (void)fflush(stdout); /* the next one may take seconds */
    }
    return KZ_OK;
}

enum { DEFAULT_TIMEOUT = 60, MOST_TIMEOUT = 86400 };

static int probe_opened(cli_arguments *arguments, int rules, kz_status status, const kz_error *error,
                        probe_job *probe) {
    CLI_TRY(exit_code(arguments->command, status, error));
    int code = for_each_position(arguments, 1, probe->game, rules, probe_position,
                                 probe->json ? print_failure_json : NULL, probe);
    probe->database->close(probe->packets);
    return code;
}

/* ---- Packets ----------------------------------------------------------------------------------------------------- */

/* Files of a packet database on a web server. */
typedef struct packet_server {
    char *base; /* the URL, without a slash at the end */
    kz_http *http;
} packet_server;

/* One file may take `seconds`. Only http and https. KZ_ERR_UNSUPPORTED if there is no module for it. */
static kz_status open_files(packet_server *files, const char *url, uint64_t seconds, kz_error *error) {
    *files = (packet_server){.base = strdup(url)};
    if (!files->base) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory to read %s", url);
    }
    size_t length = strlen(files->base);
    while (length > 0 && files->base[length - 1] == '/') {
        files->base[--length] = '\0';
    }
    const kz_http_limits limits = {.seconds = (long)seconds, .whole = (long)seconds};
    kz_status status = kz_http_open(&limits, &files->http, error);
    if (status != KZ_OK) {
        free(files->base);
    }
    return status;
}

static void close_files(packet_server *files) {
    kz_http_close(files->http);
    free(files->base);
}

/* The `get` of cli_packets.open_files. */
static kz_status get_file(void *user, const char *name, uint8_t *data, size_t most, size_t *size, kz_error *error) {
    const packet_server *files = user;
    char url[KZ_HTTP_URL_BYTES];
    int length = snprintf(url, sizeof url, "%s/%s", files->base, name);
    if (length < 0 || (size_t)length >= sizeof url) {
        return kz_fail(error, KZ_ERR_INPUT, "the URL is too long");
    }
    return kz_http_get_file(files->http, url, data, most, size, error);
}

/* A URL is read as a folder is, file by file. */
static int probe_url(cli_arguments *arguments, int rules, const char *url, uint64_t timeout, probe_job *probe) {
    packet_server files;
    kz_error error;
    kz_status status = open_files(&files, url, timeout, &error);
    CLI_TRY(exit_code(arguments->command, status, &error));
    status = probe->database->open_files(files.base, get_file, &files, &probe->packets, &error);
    int code = probe_opened(arguments, rules, status, &error, probe);
    close_files(&files);
    return code;
}

/* Packets hold values by one rule set of one game, and only these. */
static int probe_packets(cli_arguments *arguments, const cli_asked *asked, const char *path, uint64_t timeout,
                         probe_job *probe) {
    const cli_command *command = arguments->command;
    int rules;
    int asked_rules;
    probe->database = commands_of_game(probe->game)->packets;
    if (!probe->database) {
        return report_usage(command, "there are no packets of %s", kz_game_name(probe->game));
    }
    const cli_asked made_by = {.rules = probe->database->rules};
    if (asked->table) {
        return report_usage(command, "--table and --packets exclude each other");
    }
    if (choose_rules(command, probe->game, &made_by, &rules) != STATUS_FINE ||
        ((asked->rules || asked->board) &&
         (choose_rules(command, probe->game, asked, &asked_rules) != STATUS_FINE || asked_rules != rules))) {
        return report_usage(command, "packets are made by the %s rules", made_by.rules);
    }
    if (kz_is_url(path)) {
        return probe_url(arguments, rules, path, timeout, probe);
    }
    kz_error error;
    kz_status status = probe->database->open(path, &probe->packets, &error);
    return probe_opened(arguments, rules, status, &error, probe);
}

static int run(cli_arguments *arguments) {
    const cli_command *command = arguments->command;
    cli_asked asked = {.table = NULL};
    const char *packets = NULL;
    uint64_t timeout = DEFAULT_TIMEOUT;
    probe_job probe = {.json = false};
    const cli_option options[] = {
        OPTIONS_VALUES(&asked),
        OPTION_TEXT("packets", &packets, "FOLDER|URL", "the packet database to use"),
        OPTION_NUMBER("timeout", &timeout, 1, MOST_TIMEOUT, "seconds that one of its files may take (default: 60)"),
        OPTION_FLAG("json", &probe.json, "print JSON, one object a line"),
        OPTION_END,
    };
    CLI_TRY(read_options(arguments, options, 1, MANY_OPERANDS));
    CLI_TRY(choose_game(command, arguments->items[0], &probe.game));
    if (packets) {
        return probe_packets(arguments, &asked, packets, timeout, &probe);
    }
    CLI_TRY(values_open(command, probe.game, &asked, &probe.values));
    int code = for_each_position(arguments, 1, probe.game, probe.values.source.rules, probe_position,
                                 probe.json ? print_failure_json : NULL, &probe);
    values_close(&probe.values);
    return code;
}

const cli_command command_probe = {
    .name = "probe",
    .summary = "Look up what positions are worth, and the best move",
    .operands = "GAME [POSITION...]",
    .help = "Prints a line for each position: the position, its value for the side to move\n"
            "and the best move, separated by tabs. A value is 'win N' or 'loss N' with the\n"
            "number of plies to the end, or 'draw'; the best move is '-' when the game is\n"
            "over. In games that people count in turns, N is the turns of the side to move.\n"
            "\n"
            "If there is no table, and the game has a search, positions are searched for some\n"
            "seconds, deeper while there is time. A value that is not found is 'unknown' with the\n"
            "best move '-', and one more column says how far it is known: 'no win within 3 turns'.\n"
            "\n"
            "A position is one argument in any notation of the game, or 'startpos'. Without\n"
            "any, or with '-', positions are read from standard input, one a line (or as many lines as a\n"
            "diagram has). What can't be read is reported with its place, and the rest goes\n"
            "on; the exit code is 2 then.\n"
            "\n"
            "With --packets, values and moves come from a packet database (see 'kanzen help\n"
            "export'), by the rules that it was made by: one that was exported, or a copy of the\n"
            "published one. It is a folder, or a URL (http or https) below which its\n"
            "files are; then only maximums.dat and the packets that are needed are fetched.\n"
            "What is read is checked as far as the format allows, which has no checksums: a flipped\n"
            "bit may go unnoticed. The exit code is 4 if it is damaged, and 3 if it can't be had.\n",
    .examples = "kanzen probe dobutsu startpos\n"
                "kanzen probe dobutsu \"gle/1c1/1C1/ELG b - 1\" 0xabe0785c1d\n"
                "kanzen probe dobutsu --json < positions.txt\n"
                "kanzen probe dobutsu --packets http://127.0.0.1:8000/db startpos\n",
    .run = run,
};
