/* SPDX-License-Identifier: MIT
 *
 * The board of a game in the terminal: in colours, and from either side. */
#ifndef CLI_PLAY_BOARD_H
#define CLI_PLAY_BOARD_H

#include "terminal.h"

#include <kanzen/game.h>

kz_status print_board(const cli_terminal *terminal, const kz_game *game, const kz_position *position, bool turned,
                      kz_error *error);

/* Turns a drawn board (kz_draw) half around in place. */
void turn_board(char board[KZ_TEXT_BYTES]);

#endif
