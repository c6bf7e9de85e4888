/* SPDX-License-Identifier: MIT
 *
 * Positions and turns as text.
 *
 *   string     a character for each square, row by row from the top: '.' empty, 'o' and 'O' mover and pusher of red,
 * 'x' and 'X' of blue, 'Y' a blue pusher with the anchor, 'P' a red one. The anchor is on a piece of the side that
 * moved last, so 'Y' means that red moves, and 'P' that blue does. Without an anchor red makes the first turn of the
 * game. diagram    the same drawn as a board, with or without coordinates; rows may be separated by '/'. index      the
 * permutation index in decimal. minimized  the minimized index, after a '-' if the position has to be rotated for it,
 * and a '+' if not.
 *
 * The indices see a position as the side to move does, so one that is read from an index has red to move. */
#ifndef KZ_PUSHFIGHT_NOTATION_H
#define KZ_PUSHFIGHT_NOTATION_H

#include "games/pushfight/rules/board.h"

#include <kanzen/game.h>

enum { KZ_PF_STRING, KZ_PF_DIAGRAM, KZ_PF_PERMUTATION, KZ_PF_MINIMIZED, KZ_PF_NOTATIONS };

/* Their names, NULL-terminated. */
extern const char *const kz_pf_notations[KZ_PF_NOTATIONS + 1];

/* Columns have letters from the left, rows have numbers from the bottom. */
typedef struct kz_pf_square_name {
    char text[3];
} kz_pf_square_name;

kz_pf_square_name kz_pf_name_square(const kz_pf_board *board, int bit);
/* The number of rows, of columns; the squares of a row, 0 on top. */
int kz_pf_row_count(const kz_pf_board *board);
int kz_pf_column_count(const kz_pf_board *board);
static inline uint32_t kz_pf_row(const kz_pf_board *board, int row) {
    return board->squares & UINT32_C(0xFF) << 8 * row;
}

/* The character of the notations for a square of the grid: ' ' if it is not on the board. */
char kz_pf_symbol(const kz_pf_position *position, int bit);

/* What the calls of kanzen/game.h promise; `rules` is the number of the board. */
kz_status kz_pf_parse(int rules, const char *text, size_t length, kz_pf_position *position, kz_error *error);
int kz_pf_position_lines(int rules, const char *first_line, size_t length);
kz_status kz_pf_format(const kz_pf_position *position, int notation, char *text, size_t size, kz_error *error);

/* Turns: "d1-a2,d3-c3,c2-d2", moves first, the push last. Any legal turn is read, and becomes the one that is listed
 * for the same result. */
kz_status kz_pf_turn_parse(const kz_pf_position *position, const char *text, size_t length, kz_move *move,
                           kz_error *error);
kz_status kz_pf_turn_format(const kz_pf_position *position, kz_move move, char *text, size_t size, kz_error *error);

/* ---- Drawings (draw.c): what the calls of kanzen/game.h promise ------------------------------------------------- */

kz_status kz_pf_draw(const kz_pf_position *position, char *text, size_t size, kz_error *error);
kz_status kz_pf_draw_svg(const kz_pf_position *position, char *text, size_t size, kz_error *error);

/* "red" or "blue". */
const char *kz_pf_side_name(int side);

#endif
