/* SPDX-License-Identifier: MIT
 *
 * What a game adds to the command. It is in the game's folder (src/games/NAME/commands), which uses public headers and
 * those of src/app/cli; src/games/commands.c has the list of all games that add something. */
#ifndef CLI_GAME_COMMANDS_H
#define CLI_GAME_COMMANDS_H

#include "command.h"

#include <kanzen/game.h>

typedef struct cli_format cli_format;

/* A database of packets for `kanzen probe`: in a folder, or its files one by one from elsewhere. The calls promise what
 * those of the game's public header do. */
typedef struct cli_packets {
    const char *rules; /* that its values are made by */
    kz_status (*open)(const char *path, void **opened, kz_error *error);
    /* `get` fetches the file `name` into `data`, which has room for `most` bytes, and tells its size. */
    kz_status (*open_files)(const char *base,
                            kz_status (*get)(void *user, const char *name, uint8_t *data, size_t most, size_t *size,
                                             kz_error *error),
                            void *user, void **opened, kz_error *error);
    kz_status (*probe)(const void *opened, const kz_position *position, kz_value *value, kz_move *move,
                       kz_error *error);
    void (*close)(void *opened);
} cli_packets;

typedef struct cli_game_commands {
    const char *game;
    const cli_command *const *commands; /* of its own, in the order of help; NULL after the last */
    /* What `kanzen export` can write (export.h), without what all games have; no name after the last. NULL: nothing. */
    const cli_format *formats;
    const char *export_help;    /* paragraphs about these formats, each with an empty line before it; or NULL */
    const cli_packets *packets; /* for `kanzen probe --packets`; NULL: there are none */
    /* What it takes to solve the game by these rules, where that is much: "hours and 10 GB of memory"; else NULL. The
     * whole may be NULL. */
    const char *(*solve_cost)(int rules);
    const char *move_example; /* what `kanzen play` says about how to type a move; or NULL */
} cli_game_commands;

/* NULL after the last. */
extern const cli_game_commands *const game_commands[];

/* What the game adds; all members are NULL if it adds nothing. */
const cli_game_commands *commands_of_game(const kz_game *game);

#endif
