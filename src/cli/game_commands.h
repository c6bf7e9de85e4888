/* SPDX-License-Identifier: MIT
 *
 * What a game adds to the command. It is in the game's folder (src/games/NAME/commands), which uses public headers and
 * those of src/cli; src/games/commands.c has the list of all games that add something. */
#ifndef CLI_GAME_COMMANDS_H
#define CLI_GAME_COMMANDS_H

#include "command.h"

#include <kanzen/game.h>

struct export_format;

struct game_commands {
    const char *game;
    const struct command *const *commands; /* of its own, in the order of help; NULL after the last */
    /* What `kanzen export` can write (export.h), without what all games have; no name after the last. NULL: nothing. */
    const struct export_format *formats;
    const char *export_help;  /* paragraphs about these formats, each with an empty line before it; or NULL */
    const char *packet_rules; /* the rules of the packet databases of `kanzen probe`; NULL: there are none */
    /* What it takes to solve the game by these rules, where that is much: "hours and 10 GB of memory"; else NULL. The
     * whole may be NULL. */
    const char *(*solve_cost)(int rules);
    const char *move_example; /* what `kanzen play` says about how to type a move; or NULL */
};

/* NULL after the last. */
extern const struct game_commands *const game_commands[];

/* What the game adds; all members are NULL if it adds nothing. */
const struct game_commands *commands_of_game(const kz_game *game);

#endif
