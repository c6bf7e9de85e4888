/* SPDX-License-Identifier: MIT
 *
 * What playing, inspecting and annotating share: values in words, records in files, the board. */
#ifndef CLI_PLAY_PARTS_H
#define CLI_PLAY_PARTS_H

#include "common.h"
#include "terminal.h"

#include <kanzen/record.h>

/* "sente wins in 5 plies", "a draw", "not known"; `value` is for the side called `side`. */
enum { WORDS_BYTES = 96 };
const char *describe_value(const kz_game *game, const char *side, kz_value value, char words[WORDS_BYTES]);
/* "1 ply", "2 turns": as many of what this game counts. */
const char *describe_distance(const kz_game *game, int distance, char words[WORDS_BYTES]);
cli_colour value_colour(kz_value value);

/* What the position after a move is worth to the side that moves there; `value` is that of the move. */
kz_value value_after(kz_value value);

/* Who moves when it is not the turn of the side to move: "gote" where "sente" is to move. */
const char *other_side(const kz_game *game, int rules, const kz_position *position);

/* The record in a file; "-" is standard input. It may be one of `game`; NULL: of any game that can be opened by the
 * name in the record. */
kz_status load_record(const char *path, const kz_game *game, kz_record *record, kz_error *error);
/* The name of its rules; NULL: all parts of a game in parts. */
const char *record_rules(const kz_record *record);
/* Writes one, in the form that the ending of the name says. */
kz_status save_record(const char *path, const kz_record *record, bool replace, kz_error *error);

/* The board in the terminal: in colours, and from either side (play_board.c). */
kz_status print_board(const cli_terminal *terminal, const kz_game *game, const kz_position *position, bool turned,
                      kz_error *error);

/* Turns a drawn board (kz_draw) half around in place. */
void turn_board(char board[KZ_TEXT_BYTES]);

#endif
