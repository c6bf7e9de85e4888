/* SPDX-License-Identifier: MIT
 *
 * The rules of Dobutsu Shogi, one position at a time. Squares, pieces and hands as in kanzen/dobutsu.h; a set of
 * squares has bit 3 * row + column, so that an octal digit is a row and the last digit is the mover's home row. */
#ifndef KZ_DOBUTSU_RULES_H
#define KZ_DOBUTSU_RULES_H

#include <kanzen/dobutsu.h>

enum {
    KZ_DOBUTSU_HAND = 12, /* a drop comes from "square" 12 + hand slot */
    KZ_DOBUTSU_FROMS = 15,
    KZ_DOBUTSU_FAR_ROW_SET = 07000,
    KZ_DOBUTSU_HOME_ROW_SET = 07
};

/* A move is where from and where to, as the mover sees the board; promotion follows from the rules. */
static inline kz_move kz_dobutsu_move(int from, int to) { return (kz_move)((from + 1) << 4 | to); }
static inline int kz_dobutsu_move_from(kz_move move) { return (int)(move >> 4) - 1; }
static inline int kz_dobutsu_move_to(kz_move move) { return (int)(move & 15); }

/* By number; NULL is the last. */
extern const char *const kz_dobutsu_rule_names[];

/* "chick", "elephant", "giraffe", "lion", "hen". */
const char *kz_dobutsu_kind_name(int kind);

/* The squares that the mover's piece of that kind can step to from `square`, were the board empty. */
unsigned kz_dobutsu_steps(int kind, int square);

void kz_dobutsu_start(kz_dobutsu *position);

/* Gives the board and the hands as the other side sees them; turn and move number stay. */
void kz_dobutsu_flip(kz_dobutsu *position);

/* What the calls of kanzen/game.h promise. */
int kz_dobutsu_moves(int rules, const kz_dobutsu *position, kz_move *moves);
/* The same for a game that is known not to be over. */
int kz_dobutsu_moves_on(const kz_dobutsu *position, kz_move *moves);
void kz_dobutsu_play(kz_dobutsu *position, kz_move move);
kz_value kz_dobutsu_immediate(int rules, const kz_dobutsu *position);

#endif
