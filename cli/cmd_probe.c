/* SPDX-License-Identifier: MIT */
#include "positions.h"
#include "values.h"

#include <stdio.h>

struct probe {
    struct values values;
    bool json;
};

static kz_status probe_position(void *context, const kz_position *position, const char *input, size_t length,
                                kz_error *error) {
    const struct probe *probe = context;
    const kz_game *game = probe->values.source.game;
    kz_value value;
    kz_move move;
    char text[KZ_TEXT_BYTES];
    char best[KZ_TEXT_BYTES] = "-";
    kz_status status = kz_values_best(&probe->values.source, position, &value, &move, error);
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
        struct json json = json_start(stdout);
        json_object(&json, NULL);
        json_text_of_length(&json, "input", input, length);
        json_text(&json, "position", text);
        json_value(&json, game, value);
        json_text(&json, "best", move != 0 ? best : NULL);
        json_end_object(&json);
        json_finish(&json);
    } else {
        char value_text[VALUE_BYTES];
        printf("%s\t%s\t%s\n", text, format_value(game, value, value_text), best);
    }
    return KZ_OK;
}

static int run(struct arguments *arguments) {
    struct rules_option rules = {NULL, NULL};
    const char *path = NULL;
    struct probe probe = {.json = false};
    const struct option options[] = {
        OPTION_RULES(&rules),
        OPTION_TEXT("table", &path),
        OPTION_FLAG("json", &probe.json),
        OPTION_END,
    };
    if (!parse_options(arguments, options, 1, MANY_OPERANDS)) {
        return STATUS_USAGE;
    }
    const kz_game *game = choose_game(arguments->command, arguments->items[0]);
    if (game == NULL) {
        return STATUS_USAGE;
    }
    int code = values_open(arguments->command, game, &rules, path, &probe.values);
    if (code == STATUS_FINE) {
        code = for_each_position(arguments, 1, game, probe.values.source.rules, probe_position, &probe);
        values_close(&probe.values);
    }
    return code;
}

const struct command command_probe = {
    .name = "probe",
    .summary = "Look up what positions are worth, and the best move",
    .usage = "GAME [POSITION...] [--rules|--board NAME] [--table FILE] [--json]",
    .help = "Prints a line for each position: the position, its value for the side to move\n"
            "and the best move, separated by tabs. A value is 'win N' or 'loss N' with the\n"
            "number of plies to the end, or 'draw'; the best move is '-' when the game is\n"
            "over. In Push Fight N counts the turns of the side to move.\n"
            "\n"
            "If there is no table, Push Fight positions are searched for a while; a value that\n"
            "is not found is 'unknown', and then the best move is '-'.\n"
            "\n"
            "A position is one argument in any notation of the game, or 'startpos'. Without\n"
            "any, positions are read from standard input, one a line (or as many lines as a\n"
            "diagram has). What can't be read is reported with its place, and the rest goes\n"
            "on; the exit code is 2 then.\n"
            "\n" HELP_OPTIONS HELP_RULES HELP_TABLE HELP_JSON_LINES "\n"
            "Examples:\n"
            "  kanzen probe dobutsu startpos\n"
            "  kanzen probe dobutsu \"gle/1c1/1C1/ELG b - 1\" 0xabe0785c1d\n"
            "  kanzen probe dobutsu --json < positions.txt\n",
    .run = run,
};
