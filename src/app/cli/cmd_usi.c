/* SPDX-License-Identifier: MIT
 *
 * The engine of kanzen/usi.h behind standard input and output. */
#include "common.h"

#include <errno.h>
#include <inttypes.h>
#include <kanzen/paths.h>
#include <kanzen/system.h>
#include <kanzen/usi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- What the engine needs -------------------------------------------------------------------------------------- */

typedef struct usi_host {
    const kz_game *game;
    kz_table *table;
} usi_host;

static void say(void *user, const char *line) {
    (void)user;
    puts(line);
}

static kz_status open_for_engine(void *user, const char *path, int rules, const kz_table **table, kz_error *error) {
    usi_host *host = user;
    char found[KZ_PATH_BYTES];
    kz_table_close(host->table);
    host->table = NULL;
    *table = NULL;
    if (path[0] == '\0') {
        KZ_TRY(kz_table_find(kz_game_name(host->game), kz_rules_name(host->game, rules), found, sizeof found, error));
        path = found;
    }
    KZ_TRY(open_path(path, host->game, &host->table, error));
    *table = host->table;
    return KZ_OK;
}

/* Another number for each game and each process. It need not be secret. */
static uint64_t new_seed(void *user) {
    (void)user;
    double seconds = kz_seconds();
    uint64_t bits;
    memcpy(&bits, &seconds, sizeof bits);
    return bits ^ (uint64_t)time(NULL) << 20 ^ (uint64_t)getpid() << 40;
}

/* ---- Lines ------------------------------------------------------------------------------------------------------ */

/* The program that asked waits for the answer, so every line is flushed. */
static int talk(const cli_command *command, kz_usi *usi, char *line) {
    size_t length;
    bool goes_on = true;
    while (goes_on && read_input_line(line, KZ_USI_LINE_BYTES + 1, &length)) {
        /* Of a line that is too long, one byte more than the engine takes shows that it is. */
        goes_on = kz_usi_line(usi, line, length <= KZ_USI_LINE_BYTES ? length : KZ_USI_LINE_BYTES + 1);
        goes_on = fflush(stdout) == 0 && goes_on;
    }
    if (ferror(stdin)) {
        return report_message(command, STATUS_IO, "can't read the input: %s", strerror(errno));
    }
    return STATUS_FINE;
}

/* ---- The commands ----------------------------------------------------------------------------------------------- */

/* The rules of a table that was named, so that they need not be named, too. What is wrong with it is told when the
 * engine opens it. */
static int rules_of_file(const kz_game *game, const char *path) {
    kz_table *table;
    int rules = 0;
    if (open_path(path, game, &table, NULL) == KZ_OK) {
        rules = kz_table_game(table) == game ? kz_table_rules(table) : 0;
        kz_table_close(table);
    }
    return rules;
}

typedef struct usi_setting {
    const char *name;
    const char *value; /* NULL: the engine's own */
} usi_setting;

static int apply(const cli_command *command, kz_usi *usi, const usi_setting *settings, size_t count) {
    for (size_t i = 0; i < count; i++) {
        kz_error error;
        if (settings[i].value && kz_usi_set(usi, settings[i].name, settings[i].value, &error) != KZ_OK) {
            return report_usage(command, "%s", error.message);
        }
    }
    return STATUS_FINE;
}

static int run_protocol(cli_arguments *arguments, kz_protocol protocol) {
    const cli_command *command = arguments->command;
    cli_asked asked = {.table = NULL};
    const char *level = NULL;
    uint64_t seed = 0;
    uint64_t lines = 1;
    bool aggressive = false;
    const cli_option options[] = {
        OPTION_TEXT("level", &level, "NAME", "beginner, easy, medium, hard, expert or perfect (the default)",
                    .words = LEVEL_WORDS),
        OPTION_FLAG("aggressive", &aggressive, "of equal moves, the one that leaves the fewest good replies"),
        OPTION_NUMBER("multipv", &lines, 1, 100, "tell the values of N moves (default: 1)"),
        OPTION_NUMBER("seed", &seed, 0, INT_MAX,
                      "choose between equal moves by this (default: 0, a new one each game)"),
        OPTIONS_TABLE(&asked),
        OPTION_END,
    };
    CLI_TRY(read_options(arguments, options, 0, 1));
    usi_host host = {kz_usi_game(), NULL};
    if (arguments->count > 0) {
        CLI_TRY(choose_game(command, arguments->items[0], &host.game));
    }
    int rules;
    if (asked.table && !asked.rules && !asked.board) {
        rules = rules_of_file(host.game, asked.table);
    } else {
        CLI_TRY(choose_rules(command, host.game, &asked, &rules));
    }
    enum { NUMBER_BYTES = 24 };
    char lines_text[NUMBER_BYTES];
    char seed_text[NUMBER_BYTES];
    snprintf(lines_text, sizeof lines_text, "%" PRIu64, lines);
    snprintf(seed_text, sizeof seed_text, "%" PRIu64, seed);
    const usi_setting settings[] = {
        {"Rules", kz_rules_name(host.game, rules)}, {"Table", asked.table},  {"Level", level},
        {"Aggressive", aggressive ? "true" : NULL}, {"MultiPV", lines_text}, {"Seed", seed_text},
    };
    kz_usi_host calls = {.say = say, .open_table = open_for_engine, .new_seed = new_seed, .user = &host};
    kz_usi *usi = kz_usi_new(host.game, protocol, &calls);
    char *line = malloc((size_t)KZ_USI_LINE_BYTES + 1);
    int code = usi && line ? apply(command, usi, settings, sizeof settings / sizeof *settings)
                           : report_message(command, STATUS_IO, "no memory");
    if (code == STATUS_FINE) {
        code = talk(command, usi, line);
    }
    kz_usi_free(usi);
    kz_table_close(host.table);
    free(line);
    return code;
}

static int run_usi(cli_arguments *arguments) { return run_protocol(arguments, KZ_PROTOCOL_USI); }
static int run_uci(cli_arguments *arguments) { return run_protocol(arguments, KZ_PROTOCOL_UCI); }

#define HELP_PLAYING                                                                                                   \
    "Values and moves come from the table; without one the engine still plays, but\n"                                  \
    "knows little. What the options set, a program can change with setoption.\n"                                       \
    "docs/usi.md describes it all. Without GAME it is the first one that shogi programs know.\n"

const cli_command command_usi = {
    .name = "usi",
    .summary = "Play as an engine of a shogi program",
    .operands = "[GAME]",
    .help = "Reads commands of the Universal Shogi Interface from standard input and answers\n"
            "on standard output, until quit or the end of the input.\n"
            "\n" HELP_PLAYING,
    .examples = "kanzen usi --level easy\n"
                "printf 'position startpos\\ngo\\n' | kanzen usi --multipv 4\n",
    .run = run_usi,
};

const cli_command command_uci = {
    .name = "uci",
    .summary = "The same for programs that speak UCI",
    .operands = "[GAME]",
    .help = "As kanzen usi, for programs that speak UCI: it counts moves where USI counts\n"
            "plies, and has the coordinates of Fairy-Stockfish (b2b3, C@b3).\n"
            "\n" HELP_PLAYING,
    .examples = "kanzen uci --level hard\n"
                "printf 'position startpos moves b2b3\\ngo\\n' | kanzen uci\n",
    .run = run_uci,
};
