/* SPDX-License-Identifier: MIT
 *
 * The list of commands. */
#include "command.h"

#include <string.h>

/* In the order in which help lists them; command_shogi_check is "shogi check". */
/* clang-format off */
#define COMMANDS(entry)        \
    entry(solve)               \
    entry(verify)              \
    entry(selftest)            \
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
    entry(check)               \
    entry(check_try_rule)      \
    entry(compare)             \
    entry(export)              \
    entry(pushfight)           \
    entry(pushfight_phase0)    \
    entry(pushfight_chunk)     \
    entry(pushfight_values)    \
    entry(pushfight_openings)  \
    entry(pushfight_reachable) \
    entry(shogi)               \
    entry(shogi_check)         \
    entry(shogi_stats)         \
    entry(shogi_shuffle)       \
    entry(shogi_dedupe)        \
    entry(shogi_sample)        \
    entry(shogi_head)          \
    entry(shogi_cat)           \
    entry(shogi_show)          \
    entry(serve)               \
    entry(usi)                 \
    entry(uci)                 \
    entry(bench)               \
    entry(bench_pack)          \
    entry(help)                \
    entry(version)
/* clang-format on */

#define DECLARATION(name) extern const struct command command_##name;
#define ENTRY(name) &command_##name,

COMMANDS(DECLARATION)

const struct command *const commands[] = {COMMANDS(ENTRY) NULL};

/* How many of the words are the command's name; 0 if they are not. */
static int words_of_name(const struct command *command, int count, char *const *words) {
    size_t first = strcspn(command->name, " ");
    if (count == 0 || strlen(words[0]) != first || memcmp(command->name, words[0], first) != 0) {
        return 0;
    }
    if (command->name[first] == '\0') {
        return 1;
    }
    return count > 1 && strcmp(words[1], command->name + first + 1) == 0 ? 2 : 0;
}

const struct command *find_command(int count, char *const *words, int *used) {
    const struct command *found = NULL;
    *used = 0;
    for (int i = 0; commands[i] != NULL; i++) {
        int matched = words_of_name(commands[i], count, words);
        if (matched > *used) {
            *used = matched;
            found = commands[i];
        }
    }
    return found;
}

const char *name_in_group(const struct command *command, const struct command *group) {
    size_t length = strlen(group->name);
    return strncmp(command->name, group->name, length) == 0 && command->name[length] == ' ' ? command->name + length + 1
                                                                                            : NULL;
}
