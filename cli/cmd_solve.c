/* SPDX-License-Identifier: MIT */
#include "common.h"
#include "options.h"
#include "progress.h"

#include <kanzen/paths.h>
#include <kanzen/solve.h>
#include <kanzen/system.h>
#include <stdio.h>
#include <unistd.h>

struct result {
    const kz_game *game;
    int rules;
    const char *path;
    kz_summary summary;
    double seconds;
    uint64_t peak_memory;
};

static void print_count(const char *label, uint64_t count, const char *unit) {
    char text[THOUSANDS_BYTES];
    printf("%-14s %15s%s\n", label, format_thousands(count, text), unit);
}

static void print_text(const struct result *result) {
    const kz_summary *summary = &result->summary;
    char longest[THOUSANDS_BYTES];
    printf("%s, %s rules\n", kz_game_name(result->game), kz_rules_name(result->game, result->rules));
    print_count("positions", summary->positions, "");
    print_count("wins", summary->wins, "");
    print_count("losses", summary->losses, "");
    print_count("draws", summary->draws, "");
    printf("%-14s %15d plies (%s position%s)\n", "longest win", summary->longest_win,
           format_thousands(summary->longest_wins, longest), summary->longest_wins == 1 ? "" : "s");
    printf("%-14s %15.2f s\n", "solving", summary->solve_seconds);
    printf("%-14s %15.2f s\n", "writing", summary->write_seconds);
    printf("%-14s %15.2f s\n", "total", result->seconds);
    print_count("peak memory", result->peak_memory >> 20, " MiB");
    print_count("table", summary->table_bytes, " bytes");
    printf("%s\n", result->path);
}

static void print_json(const struct result *result) {
    const kz_summary *summary = &result->summary;
    struct json json = json_start(stdout);
    json_object(&json, NULL);
    json_text(&json, "game", kz_game_name(result->game));
    json_text(&json, "rules", kz_rules_name(result->game, result->rules));
    json_unsigned(&json, "positions", summary->positions);
    json_unsigned(&json, "wins", summary->wins);
    json_unsigned(&json, "losses", summary->losses);
    json_unsigned(&json, "draws", summary->draws);
    json_integer(&json, "longest_win", summary->longest_win);
    json_unsigned(&json, "longest_wins", summary->longest_wins);
    json_double(&json, "solve_seconds", summary->solve_seconds);
    json_double(&json, "write_seconds", summary->write_seconds);
    json_double(&json, "total_seconds", result->seconds);
    json_unsigned(&json, "peak_memory_bytes", result->peak_memory);
    json_unsigned(&json, "table_bytes", summary->table_bytes);
    json_text(&json, "table", result->path);
    json_end_object(&json);
    json_finish(&json);
}

static int run(struct arguments *arguments) {
    const struct command *command = arguments->command;
    const char *rules = NULL;
    const char *out = NULL;
    uint64_t threads = 0;
    bool force = false;
    bool quiet = false;
    bool json = false;
    const struct option options[] = {
        OPTION_TEXT("rules", &rules),
        OPTION_NUMBER("threads", &threads, 1, MOST_THREADS),
        OPTION_TEXT("out", &out),
        OPTION_FLAG("force", &force),
        OPTION_FLAG("quiet", &quiet),
        OPTION_FLAG("json", &json),
        OPTION_END,
    };
    if (!parse_options(arguments, options, 1, 1)) {
        return STATUS_USAGE;
    }
    struct result result = {.game = choose_game(command, arguments->items[0])};
    if (result.game == NULL) {
        return STATUS_USAGE;
    }
    result.rules = choose_rules(command, result.game, rules);
    if (result.rules < 0) {
        return STATUS_USAGE;
    }
    kz_error error;
    char path[KZ_PATH_BYTES];
    result.path = out;
    if (out == NULL) {
        if (kz_table_path(kz_game_name(result.game), kz_rules_name(result.game, result.rules), path, sizeof path,
                          &error) != KZ_OK) {
            return report_error(command, &error);
        }
        result.path = path;
    }
    /* The library refuses, too; but only the command knows the option that helps. */
    if (!force && access(result.path, F_OK) == 0) {
        fprintf(stderr, "kanzen solve: %s is there already; --force replaces it\n", result.path);
        return STATUS_IO;
    }

    struct progress_display display;
    double begin = kz_seconds();
    progress_begin(&display, quiet);
    kz_status status = kz_solve(result.game, result.rules, (int)threads, result.path, force, &display.progress,
                                &result.summary, &error);
    progress_end(&display);
    if (status != KZ_OK) {
        return report_error(command, &error);
    }
    result.seconds = kz_seconds() - begin;
    result.peak_memory = kz_peak_memory_bytes();
    (json ? print_json : print_text)(&result);
    return STATUS_FINE;
}

const struct command command_solve = {
    .name = "solve",
    .summary = "Solve a game completely and write its table",
    .usage = "GAME [--rules RULES] [--threads N] [--out FILE] [--force] [--quiet] [--json]",
    .help = "Finds the value of every position and writes them to a table, which most other\n"
            "commands use. The table is the same, byte for byte, whatever the number of\n"
            "threads is. It goes to the folder KANZEN_TABLES if that environment variable is\n"
            "set, else to $XDG_DATA_HOME/kanzen (~/.local/share/kanzen), where the other\n"
            "commands find it. Progress is shown on standard error; Ctrl-C stops and leaves\n"
            "nothing behind.\n"
            "\n" HELP_OPTIONS HELP_RULES HELP_THREADS "  --out FILE       write the table to FILE\n"
            "  --force          replace a table that is there already\n" HELP_QUIET HELP_JSON "\n"
            "Examples:\n"
            "  kanzen solve dobutsu\n"
            "  kanzen solve dobutsu --rules simplified --out simplified.kzt\n",
    .run = run,
};
