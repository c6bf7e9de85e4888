/* SPDX-License-Identifier: MIT */
#include "game_commands.h"
#include "packet_files.h"
#include "positions.h"
#include "values.h"

#include <stdio.h>
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
    char best[KZ_TEXT_BYTES] = "-";
    kz_status status = probe->packets ? probe->database->probe(probe->packets, position, &value, &move, error)
                                      : kz_values_search(&probe->values.source, position, &value, &move, &depth, error);
    if (status == KZ_OK) {
        status = kz_format(game, position, 0, text, sizeof text, error);
    }
    if (status == KZ_OK && move != 0) {
        status = kz_move_format(game, position, move, best, sizeof best, error);
    }
    if (status != KZ_OK) {
        return status;
    }
    if (probe->json) {
        cli_json json = json_start(stdout);
        json_object(&json, NULL);
        json_text_of_length(&json, "input", input, length);
        json_text(&json, "position", text);
        json_value(&json, game, value);
        json_text(&json, "best", move != 0 ? best : NULL);
        json_depth(&json, value, depth);
        json_end_object(&json);
        json_finish(&json);
    } else {
        char value_text[VALUE_BYTES];
        char depth_text[DEPTH_BYTES];
        format_depth(game, value, depth, depth_text);
        printf("%s\t%s\t%s%s%s\n", text, format_value(game, value, value_text), best, depth_text[0] != '\0' ? "\t" : "",
               depth_text);
        (void)fflush(stdout); /* the next one may take seconds */
    }
    return KZ_OK;
}

enum { DEFAULT_TIMEOUT = 60, MOST_TIMEOUT = 86400 };

static int probe_opened(cli_arguments *arguments, int rules, kz_status status, const kz_error *error,
                        probe_job *probe) {
    if (status != KZ_OK) {
        return report_error(arguments->command, error);
    }
    int code = for_each_position(arguments, 1, probe->game, rules, probe_position,
                                 probe->json ? print_failure_json : NULL, probe);
    probe->database->close(probe->packets);
    return code;
}

/* A URL is read as a folder is, file by file. */
static int probe_url(cli_arguments *arguments, int rules, const char *url, uint64_t timeout, probe_job *probe) {
    cli_packet_files files;
    kz_error error;
    kz_status status = packet_files_open(&files, url, timeout, &error);
    if (status != KZ_OK) {
        return report_error(arguments->command, &error);
    }
    status = probe->database->open_files(files.base, packet_files_get, &files, &probe->packets, &error);
    int code = probe_opened(arguments, rules, status, &error, probe);
    packet_files_close(&files);
    return code;
}

/* Packets hold values by one rule set of one game, and only these. */
static int probe_packets(cli_arguments *arguments, const cli_values_options *wanted, const char *path, uint64_t timeout,
                         probe_job *probe) {
    const cli_rules *asked = &wanted->rules;
    probe->database = commands_of_game(probe->game)->packets;
    if (!probe->database) {
        return report_usage(arguments->command, "there are no packets of %s", kz_game_name(probe->game));
    }
    const cli_rules made_by = {probe->database->rules, NULL};
    if (wanted->table) {
        return report_usage(arguments->command, "--table and --packets exclude each other");
    }
    int rules = choose_rules(arguments->command, probe->game, &made_by);
    if (rules < 0 ||
        ((asked->rules || asked->board) && choose_rules(arguments->command, probe->game, asked) != rules)) {
        return report_usage(arguments->command, "packets are made by the %s rules", made_by.rules);
    }
    if (kz_is_url(path)) {
        return probe_url(arguments, rules, path, timeout, probe);
    }
    kz_error error;
    kz_status status = probe->database->open(path, &probe->packets, &error);
    return probe_opened(arguments, rules, status, &error, probe);
}

static int run(cli_arguments *arguments) {
    cli_values_options wanted = {.table = NULL};
    const char *packets = NULL;
    uint64_t timeout = DEFAULT_TIMEOUT;
    probe_job probe = {.json = false};
    const cli_option options[] = {
        OPTIONS_VALUES(&wanted),
        OPTION_TEXT("packets", &packets, "FOLDER|URL", "the packet database to use"),
        OPTION_NUMBER("timeout", &timeout, 1, MOST_TIMEOUT, "seconds that one of its files may take (default: 60)"),
        OPTION_FLAG("json", &probe.json, "print JSON, one object a line"),
        OPTION_END,
    };
    if (!parse_options(arguments, options, 1, MANY_OPERANDS)) {
        return STATUS_USAGE;
    }
    int failure;
    probe.game = choose_game(arguments->command, arguments->items[0], &failure);
    if (!probe.game) {
        return failure;
    }
    if (packets) {
        return probe_packets(arguments, &wanted, packets, timeout, &probe);
    }
    int code = values_open(arguments->command, probe.game, &wanted, &probe.values);
    if (code == STATUS_FINE) {
        code = for_each_position(arguments, 1, probe.game, probe.values.source.rules, probe_position,
                                 probe.json ? print_failure_json : NULL, &probe);
        values_close(&probe.values);
    }
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
