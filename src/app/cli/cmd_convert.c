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
    KZ_TRY(kz_format(conversion->game, position, conversion->notation, text, sizeof text, error));
    cli_report report = report_begin(stdout, conversion->json);
    json_text_of_length(&report.json, "input", input, length);
    json_text(&report.json, "form", kz_notation_name(conversion->game, conversion->notation));
    report_text(&report, "position", text);
    report_end(&report);
    return KZ_OK;
}

/* The number of the notation; if there is none, tells the user which there are. */
static int choose_form(const cli_command *command, const kz_game *game, const char *name, int *notation) {
    char list[LIST_BYTES];
    *notation = name ? kz_notation_find(game, name) : -1;
    if (*notation >= 0) {
        return STATUS_FINE;
    }
    list_names(game, kz_notation_name, list);
    return name ? report_usage(command, "%s has no form '%s'; it has: %s", kz_game_name(game), name, list)
                : report_usage(command, "to which form? Say --to with one of: %s", list);
}

static int run(cli_arguments *arguments) {
    const cli_command *command = arguments->command;
    cli_asked asked = {.rules = NULL};
    const char *form = NULL;
    position_conversion conversion = {.json = false};
    int rules;
    const cli_option options[] = {
        OPTION_TEXT("to", &form, "FORM", "the notation to write", .required = true),
        OPTION_RULES(&asked),
        OPTION_FLAG("json", &conversion.json, "print JSON, one object a line"),
        OPTION_END,
    };
    CLI_TRY(read_options(arguments, options, 1, MANY_OPERANDS));
    CLI_TRY(choose_game(command, arguments->items[0], &conversion.game));
    CLI_TRY(choose_form(command, conversion.game, form, &conversion.notation));
    CLI_TRY(choose_rules(command, conversion.game, &asked, &rules));
    return for_each_position(arguments, 1, conversion.game, rules, convert_position,
                             conversion.json ? print_failure_json : NULL, &conversion);
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
