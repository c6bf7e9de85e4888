/* SPDX-License-Identifier: MIT
 *
 * A Push Fight board as data: which squares there are, where railings stop a push, what each side has, where the sides
 * set up. Adding a board is adding one definition to board.c.
 *
 * Squares are bits of a grid of 8 columns and 4 rows: bit 8 * row + column, row 0 on top. So a step is a shift, and
 * counting bits from the lowest on goes through the squares in the order of the published numbering. */
#ifndef KZ_PUSHFIGHT_BOARD_H
#define KZ_PUSHFIGHT_BOARD_H

#include "base/bits.h"

#include <stdbool.h>
#include <stdint.h>

enum { KZ_PF_COLUMNS = 8, KZ_PF_ROWS = 4, KZ_PF_GRID = 32, KZ_PF_MOST_SQUARES = 26, KZ_PF_MOST_PIECES = 5 };

typedef enum kz_pf_direction { KZ_PF_LEFT, KZ_PF_RIGHT, KZ_PF_UP, KZ_PF_DOWN, KZ_PF_DIRECTIONS } kz_pf_direction;

typedef struct kz_pf_board {
    const char *name;
    const char *title;
    uint32_t squares; /* of the grid */
    /* Squares that have a railing on that side: nothing is pushed across it. Where there is neither a square nor a
     * railing, pieces fall. */
    uint32_t rail[KZ_PF_DIRECTIONS];
    int movers;     /* round pieces a side; at least 1 */
    int pushers;    /* square pieces a side; at least 1 */
    uint32_t home;  /* where the first player sets up; the second takes all other squares */
    int phases;     /* that a solve was seen to take; 0: not known */
    bool symmetric; /* the rotation maps squares, railings and homes onto each other, and fixes no square */
} kz_pf_board;

/* The boards; the number is the number of the game's rule set. NULL past the last. */
const kz_pf_board *kz_pf_board_at(int number);
/* Their names by number; NULL is the last. */
extern const char *const kz_pushfight_rule_names[];

/* The square next to each of `squares` in a direction, whether it is on the board or not; what leaves the grid is
 * gone. */
KZ_DEVICE static inline uint32_t kz_pf_step(uint32_t squares, kz_pf_direction direction) {
    switch (direction) {
    case KZ_PF_LEFT:
        return (squares & ~UINT32_C(0x01010101)) >> 1;
    case KZ_PF_RIGHT:
        return (squares & ~UINT32_C(0x80808080)) << 1;
    case KZ_PF_UP:
        return squares >> 8;
    default:
        return squares << 8;
    }
}

/* Squares that a piece standing on one of `squares` of the board reaches by one step to any side. */
KZ_DEVICE static inline uint32_t kz_pf_neighbours(uint32_t squares) {
    return (squares & ~UINT32_C(0x01010101)) >> 1 | (squares & ~UINT32_C(0x80808080)) << 1 | squares >> 8 |
           squares << 8;
}

/* Squares of `squares` where the anchor may stand when `taken` are the squares with a piece: it must have pushed from
 * an empty square against a piece, so on some line both squares beside it are on the board and just one is taken. */
static inline uint32_t kz_pf_anchorable(const kz_pf_board *board, uint32_t taken) {
    uint32_t on = board->squares;
    uint32_t across = kz_pf_step(on, KZ_PF_LEFT) & kz_pf_step(on, KZ_PF_RIGHT);
    uint32_t along = kz_pf_step(on, KZ_PF_UP) & kz_pf_step(on, KZ_PF_DOWN);
    return ((kz_pf_step(taken, KZ_PF_LEFT) ^ kz_pf_step(taken, KZ_PF_RIGHT)) & across) |
           ((kz_pf_step(taken, KZ_PF_UP) ^ kz_pf_step(taken, KZ_PF_DOWN)) & along);
}

/* The rotation of a board: the squares of the mask in reverse order. Only for symmetric boards. */
uint32_t kz_pf_rotate_squares(const kz_pf_board *board, uint32_t squares);

/* The number of a square in the published order (row by row from the top), and back. The bit is on the board. */
int kz_pf_square_number(const kz_pf_board *board, int bit);
int kz_pf_square_bit(const kz_pf_board *board, int number);
int kz_pf_square_count(const kz_pf_board *board);

/* ---- Positions ------------------------------------------------------------------------------------------------- */

enum { KZ_PF_NO_ANCHOR = -1 };

/* What kz_position holds for this game: a position as the side to move sees it, whose pieces are the own ones, and the
 * anchor is on an enemy pusher. The board does not turn when the sides change. Sets of squares are bits of the board's
 * grid. */
typedef struct kz_pf_position {
    uint32_t own_movers;
    uint32_t own_pushers;
    uint32_t enemy_movers;
    uint32_t enemy_pushers; /* with the anchored one */
    int8_t anchor;          /* the square (bit number) of the anchored enemy pusher, or KZ_PF_NO_ANCHOR before turn 1 */
    uint8_t board;          /* the number of the board */
    uint8_t side;           /* who moves, for people: 0 red, who moves first; 1 blue */
    uint8_t spare[5];       /* 0 */
} kz_pf_position;

#endif
