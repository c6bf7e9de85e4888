/* SPDX-License-Identifier: MIT */
#include "export.h"

#include <string.h>

static const struct export_format formats[] = {
    {"packets", "dobutsu", EXPORT_RANGE | EXPORT_TAR | EXPORT_FIX | EXPORT_STREAM, export_packets},
    {"states", "dobutsu", EXPORT_COUNT | EXPORT_STREAM, export_states},
    {"wins", "dobutsu", EXPORT_COUNT | EXPORT_STREAM, export_wins},
    {"values", "dobutsu", EXPORT_TABLE | EXPORT_COUNT | EXPORT_STREAM, export_values},
    {"sqlite", "dobutsu", EXPORT_TABLE | EXPORT_COUNT, export_sqlite},
    {"csv", NULL, EXPORT_TABLE | EXPORT_RULES | EXPORT_COUNT | EXPORT_SAMPLE | EXPORT_STREAM, export_csv},
};

enum { FORMATS = sizeof formats / sizeof formats[0] };

/* The format called `name` that the game has; if there is none, tells the user which there are. */
static const struct export_format *choose_format(const struct export_request *request, const char *name) {
    const char *game = kz_game_name(request->game);
    char list[LIST_BYTES] = "";
    for (int i = 0; i < FORMATS; i++) {
        if (formats[i].game != NULL && strcmp(formats[i].game, game) != 0) {
            continue;
        }
        if (name != NULL && strcmp(formats[i].name, name) == 0) {
            return &formats[i];
        }
        strncat(list, list[0] != '\0' ? ", " : "", sizeof list - strlen(list) - 1);
        strncat(list, formats[i].name, sizeof list - strlen(list) - 1);
    }
    if (list[0] == '\0') {
        report_usage(request->command, "%s has no formats to export to", game);
    } else if (name == NULL) {
        report_usage(request->command, "--format is missing; %s has: %s", game, list);
    } else {
        report_usage(request->command, "%s has no format \"%s\"; it has: %s", game, name, list);
    }
    return NULL;
}

/* An option that was given, but that the format does not take. */
static const char *surplus_option(const struct export_request *request, const struct export_format *format) {
    const struct {
        const char *name;
        bool given;
        unsigned option;
    } given[] = {
        {"--rules", request->rules.rules != NULL || request->rules.board != NULL, EXPORT_RULES},
        {"--table", request->table != NULL, EXPORT_TABLE},
        {"--count", request->count != 0, EXPORT_COUNT},
        {"--sample", request->sample != 0, EXPORT_SAMPLE},
        {"--seed", request->seed != 0, EXPORT_SAMPLE},
        {"--range", request->range != NULL, EXPORT_RANGE},
        {"--tar", request->tar, EXPORT_TAR},
        {"--fix", request->fix, EXPORT_FIX},
    };
    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++) {
        if (given[i].given && !(format->options & given[i].option)) {
            return given[i].name;
        }
    }
    return NULL;
}

static int run(struct arguments *arguments) {
    struct export_request request = {.command = arguments->command};
    const char *name = NULL;
    const struct option options[] = {
        OPTION_TEXT("format", &name, "FORMAT",
                    "what to write: packets, states, wins, values, sqlite (Dobutsu Shogi) or csv",
                    .words = "packets states wins values sqlite csv", .required = true),
        OPTION_TEXT("out", &request.out, "PATH",
                    "where to write it; - is standard output (text, and packets with --tar)", .required = true),
        OPTION_RULES(&request.rules),
        OPTION_TABLE(&request.table),
        OPTION_TEXT("range", &request.range, "FIRST-LAST", "write these packets only (from 0)"),
        OPTION_FLAG("tar", &request.tar, "write one archive"),
        OPTION_FLAG("fix", &request.fix, "write ten entries as they ought to be, not as the original has them"),
        OPTION_THREADS(&request.threads),
        OPTION_NUMBER("count", &request.count, 1, UINT64_MAX, "stop after N lines or rows"),
        OPTION_NUMBER("sample", &request.sample, 1, 10000000, "N positions, each with the same chance (csv)"),
        OPTION_NUMBER("seed", &request.seed, 1, UINT64_MAX, "another seed takes other ones (default: 1)"),
        OPTION_FLAG("force", &request.force, "replace what is there"),
        OPTION_QUIET(&request.quiet),
        OPTION_JSON(&request.json),
        OPTION_END,
    };
    if (!parse_options(arguments, options, 1, 1)) {
        return STATUS_USAGE;
    }
    request.game = choose_game(arguments->command, arguments->items[0]);
    if (request.game == NULL) {
        return STATUS_USAGE;
    }
    const struct export_format *format = choose_format(&request, name);
    if (format == NULL) {
        return STATUS_USAGE;
    }
    const char *surplus = surplus_option(&request, format);
    if (surplus != NULL) {
        return report_usage(request.command, "the format \"%s\" does not take %s", format->name, surplus);
    }
    if (request.out == NULL) {
        return report_usage(request.command, "--out is missing");
    }
    request.stream = strcmp(request.out, "-") == 0;
    if (request.stream && !(format->options & EXPORT_STREAM)) {
        return report_usage(request.command, "the format \"%s\" can't go to standard output", format->name);
    }
    return format->write(&request);
}

const struct command command_export = {
    .name = "export",
    .summary = "Write a solution in the format of another program",
    .operands = "GAME",
    .help = "Writes what is known about a game in a format that another program reads.\n"
            "\n"
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
            "view \"positions\" that has SFEN, result and plies.\n"
            "\n"
            "csv: position, value, distance and best move of all positions of a table of any\n"
            "game, or of a random sample.\n",
    .examples = "kanzen export dobutsu --format packets --out db\n"
                "kanzen export dobutsu --format packets --tar --out - | zstd > db.tar.zst\n"
                "kanzen export dobutsu --format sqlite --out doubutsu.db\n"
                "kanzen export pushfight --format csv --sample 1000 --out sample.csv\n"
                "kanzen export dobutsu --format states --out - | zstd > states.txt.zst\n",
    .run = run,
};
