/* SPDX-License-Identifier: MIT
 *
 * The rules of Dobutsu Shogi a second time, as plainly as they can be put: what verification trusts.
 *
 * Nothing is shared with rules.c, and as little as possible is thought of in the same way: the board stays where it
 * is and both sides move on it, in opposite directions, by make and unmake. Side 0 moves up, from row 0 to row 3. */
#ifndef KZ_DOBUTSU_PLAIN_H
#define KZ_DOBUTSU_PLAIN_H

#include "game/gamedef.h"

#include <kanzen/dobutsu.h>

enum { KZ_DOBUTSU_PLAIN_DROP = 12 }; /* a drop comes from "square" 12 + kind */

typedef struct kz_dobutsu_plain {
    int board[KZ_DOBUTSU_SQUARES]; /* 0: empty; 1 + kind: side 0's; -1 - kind: side 1's */
    int hand[2][4];                /* [side][chick, elephant, giraffe, lion] */
    int side;                      /* who is to move */
} kz_dobutsu_plain;

typedef struct kz_dobutsu_plain_move {
    int from;
    int to;
} kz_dobutsu_plain_move;

/* What a move destroys, and unmake needs. */
typedef struct kz_dobutsu_plain_undo {
    int moved; /* the piece as it was before the move */
    int taken;
} kz_dobutsu_plain_undo;

/* The mover becomes side 0, so that squares keep their numbers. */
void kz_dobutsu_plain_from(const kz_dobutsu *position, kz_dobutsu_plain *plain);
/* As the side to move sees it; sente to move, and no move number. */
void kz_dobutsu_plain_to(const kz_dobutsu_plain *plain, kz_dobutsu *position);

/* The set of squares that a piece can step to, were the board empty: bit 3 * row + column. */
unsigned kz_dobutsu_plain_steps(int kind, int side, int square);

/* The legal moves, in no particular order; `moves` has room for KZ_DOBUTSU_MAX_MOVES. A finished game has none. */
int kz_dobutsu_plain_moves(int rules, const kz_dobutsu_plain *plain, kz_dobutsu_plain_move *moves);
/* Whether the pieces of the side to move can move at all, be the game over or not. */
bool kz_dobutsu_plain_can_move(const kz_dobutsu_plain *plain);

kz_dobutsu_plain_undo kz_dobutsu_plain_make(kz_dobutsu_plain *plain, kz_dobutsu_plain_move move);
void kz_dobutsu_plain_unmake(kz_dobutsu_plain *plain, kz_dobutsu_plain_move move, kz_dobutsu_plain_undo undo);

/* What kz_immediate and kz_perft promise. */
kz_value kz_dobutsu_plain_immediate(int rules, const kz_dobutsu_plain *plain);
uint64_t kz_dobutsu_plain_perft(int rules, const kz_dobutsu_plain *plain, int depth);

/* The check of a whole table by these rules (plain_check.c). */
extern const struct kz_checker_ops kz_dobutsu_checker;

/* These rules for the self-test (plain_twin.c). */
extern const kz_twin_ops kz_dobutsu_twin;

#endif
