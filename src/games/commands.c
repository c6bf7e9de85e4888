/* SPDX-License-Identifier: MIT
 *
 * The games that add something to the command. A game that adds nothing is not listed here. */
#include "app/cli/game_commands.h"

extern const cli_game_commands dobutsu_commands;
extern const cli_game_commands pushfight_commands;

const cli_game_commands *const game_commands[] = {
    &dobutsu_commands,
    &pushfight_commands,
    NULL,
};
