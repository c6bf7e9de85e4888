/* SPDX-License-Identifier: MIT
 *
 * The list of commands: those of every game, and those that one game adds (game_commands.h). */
#include "command.h"
#include "game_commands.h"

#include <string.h>

/* In the order in which help lists them; command_shogi_check is "shogi check". */
/* clang-format off */
#define FIRST_COMMANDS(entry)  \
    entry(solve)               \
    entry(verify)              \
    entry(selftest)            \
    entry(new)                 \
    entry(estimate)            \
    entry(probe)               \
    entry(moves)               \
    entry(line)                \
    entry(inspect)             \
    entry(play)                \
    entry(annotate)            \
    entry(show)                \
    entry(convert)             \
    entry(convert_shogi)       \
    entry(stats)               \
    entry(longest)             \
    entry(puzzles)             \
    entry(count)               \
    entry(perft)               \
    entry(export)              \
    entry(fetch)               \
    entry(publish)             \
    entry(excerpt)
/* Here come the commands of single games. */
#define LAST_COMMANDS(entry)   \
    entry(shogi)               \
    entry(shogi_check)         \
    entry(shogi_stats)         \
    entry(shogi_shuffle)       \
    entry(shogi_dedupe)        \
    entry(shogi_sample)        \
    entry(shogi_pipeline)      \
    entry(shogi_compare)       \
    entry(shogi_diff)          \
    entry(shogi_head)          \
    entry(shogi_cat)           \
    entry(shogi_show)          \
    entry(ask)                 \
    entry(serve)               \
    entry(usi)                 \
    entry(uci)                 \
    entry(bench)               \
    entry(bench_pack)          \
    entry(help)                \
    entry(version)
/* clang-format on */

#define DECLARATION(name) extern const cli_command command_##name;
#define ENTRY(name) &command_##name,

FIRST_COMMANDS(DECLARATION)
LAST_COMMANDS(DECLARATION)

static const cli_command *const first_commands[] = {FIRST_COMMANDS(ENTRY) NULL};
static const cli_command *const last_commands[] = {LAST_COMMANDS(ENTRY) NULL};

/* The command with this number in the list, or NULL; then the number is less by the length of the list. */
static const cli_command *take_from(const cli_command *const *list, int *number) {
    while (*list && *number > 0) {
        list++;
        (*number)--;
    }
    return *list;
}

const cli_command *command_at(int number) {
    const cli_command *found = take_from(first_commands, &number);
    for (int i = 0; !found && game_commands[i]; i++) {
        if (game_commands[i]->commands) {
            found = take_from(game_commands[i]->commands, &number);
        }
    }
    return found ? found : take_from(last_commands, &number);
}

const cli_game_commands *commands_of_game(const kz_game *game) {
    static const cli_game_commands none = {.commands = NULL};
    for (int i = 0; game_commands[i]; i++) {
        if (strcmp(game_commands[i]->game, kz_game_name(game)) == 0) {
            return game_commands[i];
        }
    }
    return &none;
}

/* How many of the words are the command's name; 0 if they are not. */
static int words_of_name(const cli_command *command, int count, char *const *words) {
    size_t first = strcspn(command->name, " ");
    if (count == 0 || strlen(words[0]) != first || memcmp(command->name, words[0], first) != 0) {
        return 0;
    }
    if (command->name[first] == '\0') {
        return 1;
    }
    return count > 1 && strcmp(words[1], command->name + first + 1) == 0 ? 2 : 0;
}

const cli_command *find_command(int count, char *const *words, int *used) {
    const cli_command *found = NULL;
    *used = 0;
    for (int i = 0; command_at(i); i++) {
        int matched = words_of_name(command_at(i), count, words);
        if (matched > *used) {
            *used = matched;
            found = command_at(i);
        }
    }
    return found;
}

const char *name_in_group(const cli_command *command, const cli_command *group) {
    size_t length = strlen(group->name);
    return strncmp(command->name, group->name, length) == 0 && command->name[length] == ' ' ? command->name + length + 1
                                                                                            : NULL;
}
