/* SPDX-License-Identifier: MIT
 *
 * kanzen help. Two options are not in the help: --format is for tools/update-docs and tools/make-man, --complete for
 * the completions of the shells. */
#include "common.h"

#include <kanzen/load.h>
#include <stdio.h>
#include <string.h>

static void print_games(void) {
    printf("\nGames:\n");
    for (size_t number = 0; kz_game_at(number); number++) {
        const kz_game *game = kz_game_at(number);
        char list[LIST_BYTES];
        printf("  %-10s %s\n", kz_game_name(game), kz_game_title(game));
        printf("  %-10s rules: %s\n", "", list_names(game, kz_rules_name, list));
        printf("  %-10s forms: %s\n", "", list_names(game, kz_notation_name, list));
    }
}

/* Games that are no part of the program: their texts come with it, or they are files. */
static void print_texts(void) {
    enum { MOST_COLUMNS = 80, INDENT = 13 };
    printf("\nTexts of games that come with Kanzen (most are solved in parts: --ending, --men):\n");
    size_t column = MOST_COLUMNS;
    for (int number = 0; kz_game_text_name(number); number++) {
        const char *name = kz_game_text_name(number);
        bool wraps = column + strlen(name) + 3 > MOST_COLUMNS;
        if (number > 0) {
            printf(",%s", wraps ? "\n" : " ");
        }
        column = (wraps ? INDENT : column + 2) + strlen(name);
        printf("%*s%s", wraps ? INDENT : 0, "", name);
    }
    printf("\n");
    printf("\nFiles of games:\n"
           "  NAME.ini   a variant of chess or shogi as a text\n"
           "  ./NAME.so  a game of your own, built from C: kanzen new\n"
           "  NAME       that is NAME.so in a folder of the environment variable KANZEN_GAMES\n");
}

static void print_overview(void) {
    printf("Kanzen solves board games exactly.\n\nUsage: kanzen COMMAND [ARGUMENT...]\n\nCommands:\n");
    for (int i = 0; command_at(i); i++) {
        if (!strchr(command_at(i)->name, ' ')) {
            printf("  %-10s %s\n", command_at(i)->name, command_at(i)->summary);
        }
    }
    print_games();
    print_texts();
    printf("\nBegin with: kanzen solve %s\n"
           "kanzen help COMMAND, or kanzen COMMAND --help, tells more.\n"
           "\nExit codes: 0 fine, 1 the answer is no, 2 wrong usage, 3 input or output failed,\n"
           "4 corrupt data, 130 interrupted.\n",
           kz_game_name(kz_game_at(0)));
}

/* The part of a document that is made from the tables of all commands. */
static int print_format(const cli_command *command, const char *format) {
    void (*print)(const cli_command *) = NULL;
    if (strcmp(format, "man") == 0) {
        print = print_help_man;
    } else if (strcmp(format, "markdown") == 0) {
        print = print_help_markdown;
    } else {
        return report_usage(command, "there is no format '%s'; there are: man, markdown", format);
    }
    for (int i = 0; command_at(i); i++) {
        print(command_at(i));
    }
    return STATUS_FINE;
}

static int run(cli_arguments *arguments) {
    const char *format = NULL;
    bool complete = false;
    const cli_option options[] = {
        OPTION_TEXT("format", &format, "NAME", "", .words = "man markdown", .old = true),
        OPTION_FLAG("complete", &complete, "", .old = true),
        OPTION_END,
    };
    CLI_TRY(read_options(arguments, options, 0, MANY_OPERANDS));
    if (complete) {
        print_completions(arguments->count, arguments->items);
        return STATUS_FINE;
    }
    if (format) {
        return print_format(arguments->command, format);
    }
    if (arguments->count == 0) {
        print_overview();
        return STATUS_FINE;
    }
    int used;
    const cli_command *command = find_command(arguments->count, arguments->items, &used);
    if (!command) {
        return report_unknown_command(arguments->count, arguments->items);
    }
    if (used < arguments->count) {
        return report_usage(arguments->command, "unexpected argument '%s'", arguments->items[used]);
    }
    print_help(command);
    return STATUS_FINE;
}

const cli_command command_help = {
    .name = "help",
    .summary = "List the commands, or explain one",
    .operands = "[COMMAND...]",
    .help = "Without a command it also lists the games, their rules and their forms\n"
            "(notations of positions).\n",
    .examples = "kanzen help\n"
                "kanzen help shogi check\n",
    .run = run,
};
