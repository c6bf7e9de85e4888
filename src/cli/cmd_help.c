/* SPDX-License-Identifier: MIT */
#include "common.h"

#include <stdio.h>

/* Shell completions read this list: games, rules and forms are known nowhere else. */
static void print_games(void) {
    printf("\nGames:\n");
    for (size_t number = 0; kz_game_at(number) != NULL; number++) {
        const kz_game *game = kz_game_at(number);
        char list[LIST_BYTES];
        printf("  %-10s %s\n", kz_game_name(game), kz_game_title(game));
        printf("  %-10s rules: %s\n", "", list_names(game, kz_rules_name, list));
        printf("  %-10s forms: %s\n", "", list_names(game, kz_notation_name, list));
    }
}

void print_overview(void) {
    printf("Kanzen solves board games exactly.\n\nUsage: kanzen COMMAND [ARGUMENT...]\n\nCommands:\n");
    for (int i = 0; commands[i] != NULL; i++) {
        printf("  %-10s %s\n", commands[i]->name, commands[i]->summary);
    }
    print_games();
    printf("\nBegin with: kanzen solve dobutsu\n"
           "kanzen help COMMAND, or kanzen COMMAND --help, tells more.\n"
           "\nExit codes: 0 fine, 1 the answer is no, 2 wrong usage, 3 input or output failed, 4 corrupt data,\n"
           "130 interrupted.\n");
}

void print_help(const struct command *command) {
    printf("Usage: kanzen %s%s%s\n\n%s.\n", command->name, command->usage[0] != '\0' ? " " : "", command->usage,
           command->summary);
    if (command->help[0] != '\0') {
        printf("\n%s", command->help);
    }
}

static int run(struct arguments *arguments) {
    if (!parse_options(arguments, NULL, 0, 1)) {
        return STATUS_USAGE;
    }
    if (arguments->count == 0) {
        print_overview();
        return STATUS_FINE;
    }
    const struct command *command = find_command(arguments->items[0]);
    if (command == NULL) {
        return report_usage(NULL, "there is no command '%s'", arguments->items[0]);
    }
    print_help(command);
    return STATUS_FINE;
}

const struct command command_help = {
    .name = "help",
    .summary = "List the commands, or explain one",
    .usage = "[COMMAND]",
    .help = "Without a command it also lists the games, their rules and their forms\n"
            "(notations of positions).\n",
    .run = run,
};
