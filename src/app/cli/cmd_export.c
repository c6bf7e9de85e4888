/* SPDX-License-Identifier: MIT */
#include "export.h"
#include "game_commands.h"

#include <string.h>

/* What every game can be written as; no name after the last. */
static const cli_format general_formats[] = {
    {"csv", EXPORT_TABLE | EXPORT_RULES | EXPORT_COUNT | EXPORT_SAMPLE | EXPORT_STREAM, export_csv},
    {NULL, 0, NULL},
};

/* The format called `name` (NULL: none) in a list; the names are added to `text`. */
static const cli_format *find_format(const cli_format *list, const char *name, char text[LIST_BYTES]) {
    for (; list && list->name; list++) {
        if (name && strcmp(list->name, name) == 0) {
            return list;
        }
        strncat(text, text[0] != '\0' ? ", " : "", LIST_BYTES - strlen(text) - 1);
        strncat(text, list->name, LIST_BYTES - strlen(text) - 1);
    }
    return NULL;
}

/* The format called `name` that the game has; if there is none, tells the user which there are. */
static const cli_format *choose_format(const cli_export *request, const char *name) {
    const char *game = kz_game_name(request->game);
    char list[LIST_BYTES] = "";
    const cli_format *found = find_format(commands_of_game(request->game)->formats, name, list);
    if (!found) {
        found = find_format(general_formats, name, list);
    }
    if (!found && !name) {
        report_usage(request->command, "--format is missing; %s has: %s", game, list);
    } else if (!found) {
        report_usage(request->command, "%s has no format \"%s\"; it has: %s", game, name, list);
    }
    return found;
}

enum { DEFAULT_SEED = 1 };

/* An option that was given, but that the format does not take. */
static const char *surplus_option(const cli_export *request, const cli_format *format) {
    const struct {
        const char *name;
        bool given;
        unsigned option;
    } given[] = {
        {"--rules", request->asked.rules || request->asked.board, EXPORT_RULES},
        {"--table", request->asked.table, EXPORT_TABLE},
        {"--count", request->count != 0, EXPORT_COUNT},
        {"--sample", request->sample != 0, EXPORT_SAMPLE},
        {"--seed", request->seed != DEFAULT_SEED, EXPORT_SAMPLE},
        {"--range", request->range, EXPORT_RANGE},
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

static int run(cli_arguments *arguments) {
    cli_export request = {.command = arguments->command, .seed = DEFAULT_SEED};
    const char *name = NULL;
    const cli_option options[] = {
        OPTION_TEXT("format", &name, "FORMAT", "what to write: packets, states, wins, values, sqlite or csv",
                    .words = "packets states wins values sqlite csv", .required = true),
        OPTION_TEXT("out", &request.out, "PATH",
                    "where to write it; - is standard output (text, and packets with --tar)", .required = true),
        OPTIONS_TABLE(&request.asked),
        OPTION_TEXT("range", &request.range, "FIRST-LAST", "write these packets only (from 0)"),
        OPTION_FLAG("tar", &request.tar, "write one archive"),
        OPTION_FLAG("fix", &request.fix, "write ten entries as they ought to be, not as the original has them"),
        OPTION_THREADS(&request.threads),
        OPTION_NUMBER("count", &request.count, 1, UINT64_MAX, "stop after N lines or rows"),
        OPTION_NUMBER("sample", &request.sample, 1, 10000000, "N positions, each with the same chance (csv)"),
        OPTION_NUMBER("seed", &request.seed, 0, UINT64_MAX, "another seed takes other ones (default: 1)"),
        OPTION_FLAG("force", &request.force, "replace what is there"),
        OPTION_QUIET(&request.quiet),
        OPTION_JSON(&request.json),
        OPTION_END,
    };
    CLI_TRY(read_options(arguments, options, 1, 1));
    CLI_TRY(choose_game(arguments->command, arguments->items[0], &request.game));
    const cli_format *format = choose_format(&request, name);
    if (!format) {
        return STATUS_USAGE;
    }
    const char *surplus = surplus_option(&request, format);
    if (surplus) {
        return report_usage(request.command, "the format \"%s\" does not take %s", format->name, surplus);
    }
    if (!request.out) {
        return report_usage(request.command, "--out is missing");
    }
    request.stream = strcmp(request.out, "-") == 0;
    if (request.stream && !(format->options & EXPORT_STREAM)) {
        return report_usage(request.command, "the format \"%s\" can't go to standard output", format->name);
    }
    return format->write(&request);
}

/* What the games say about their own formats. */
static const char *help_of_games(int number) {
    for (int i = 0; game_commands[i]; i++) {
        if (game_commands[i]->export_help && number-- == 0) {
            return game_commands[i]->export_help;
        }
    }
    return NULL;
}

const cli_command command_export = {
    .name = "export",
    .summary = "Write a solution in the format of another program",
    .operands = "GAME",
    .help = "Writes what is known about a game in a format that another program reads.\n"
            "\n"
            "csv: position, value, distance and best move of all positions of a table of any\n"
            "game, or of a random sample.\n",
    .more_help = help_of_games,
    .examples = "kanzen export dobutsu --format packets --out db\n"
                "kanzen export dobutsu --format packets --tar --out - | zstd > db.tar.zst\n"
                "kanzen export dobutsu --format sqlite --out doubutsu.db\n"
                "kanzen export pushfight --format csv --sample 1000 --out sample.csv\n"
                "kanzen export dobutsu --format states --out - | zstd > states.txt.zst\n",
    .run = run,
};
