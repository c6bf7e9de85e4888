/* SPDX-License-Identifier: MIT */
#include "common.h"
#include "positions.h"

#include <stdio.h>

typedef struct position_conversion {
    const kz_game *game;
    int notation;
    bool json;
} position_conversion;

static kz_status convert_position(void *context, const kz_position *position, const char *input, size_t length,
                                  kz_error *error) {
    const position_conversion *conversion = context;
    char text[KZ_TEXT_BYTES];
    kz_status status = kz_format(conversion->game, position, conversion->notation, text, sizeof text, error);
    if (status != KZ_OK) {
        return status;
    }
    if (conversion->json) {
        cli_json json = json_start(stdout);
        json_object(&json, NULL);
        json_text_of_length(&json, "input", input, length);
        json_text(&json, "form", kz_notation_name(conversion->game, conversion->notation));
        json_text(&json, "position", text);
        json_end_object(&json);
        json_finish(&json);
    } else {
        puts(text);
    }
    return KZ_OK;
}

/* The number of the notation, or -1 after telling the user which there are. */
static int choose_form(const cli_command *command, const kz_game *game, const char *name) {
    int notation = name ? kz_notation_find(game, name) : -1;
    if (notation >= 0) {
        return notation;
    }
    char list[LIST_BYTES];
    list_names(game, kz_notation_name, list);
    if (!name) {
        report_usage(command, "to which form? Say --to with one of: %s", list);
    } else {
        report_usage(command, "%s has no form '%s'; it has: %s", kz_game_name(game), name, list);
    }
    return -1;
}

static int convert_positions(cli_arguments *arguments, const char *form, const cli_rules *asked, bool json) {
    position_conversion conversion = {.json = json};
    int failure;
    conversion.game = choose_game(arguments->command, arguments->items[0], &failure);
    if (!conversion.game) {
        return failure;
    }
    conversion.notation = choose_form(arguments->command, conversion.game, form);
    if (conversion.notation < 0) {
        return STATUS_USAGE;
    }
    int rules = choose_rules(arguments->command, conversion.game, asked);
    if (rules < 0) {
        return STATUS_USAGE;
    }
    return for_each_position(arguments, 1, conversion.game, rules, convert_position, json ? print_failure_json : NULL,
                             &conversion);
}

static int run(cli_arguments *arguments) {
    cli_rules rules = {NULL, NULL};
    const char *form = NULL;
    bool json = false;
    const cli_option options[] = {
        OPTION_TEXT("to", &form, "FORM", "the notation to write", .required = true),
        OPTION_RULES(&rules),
        OPTION_FLAG("json", &json, "print JSON, one object a line"),
        OPTION_END,
    };
    if (!parse_options(arguments, options, 1, MANY_OPERANDS)) {
        return STATUS_USAGE;
    }
    return convert_positions(arguments, form, &rules, json);
}

const cli_command command_convert = {
    .name = "convert",
    .summary = "Write positions in another notation, or files of shogi in another form",
    .operands = "GAME [POSITION...]",
    .help = "Prints each position in the notation FORM, one a line (a diagram takes several).\n"
            "Positions are read in any notation; which one a text is in is found out. They are\n"
            "arguments, or else lines of standard input. What can't be read, or can't be\n"
            "written in that notation, is reported with its place, and the rest goes on; the\n"
            "exit code is 2 then. kanzen help lists the forms of each game.\n",
    .examples = "kanzen convert dobutsu --to state40 startpos\n"
                "kanzen convert dobutsu --to sfen < positions.txt\n",
    .run = run,
};
