/* SPDX-License-Identifier: MIT
 *
 * A position as sets of squares: one bit of every square's code, gathered into a number of 81 bits. Questions about
 * legality take a few operations on such numbers, where walking over the squares takes a hundred. The calls of
 * shogi/attacks.h and shogi/legal.c are the plain twins. */
#ifndef KZ_SHOGI_BOARDS_H
#define KZ_SHOGI_BOARDS_H

#include "base/bits.h"
#include "shogi/position.h"

/* Bit n is square n. */
__extension__ typedef unsigned __int128 kz_shogi_set;

typedef struct kz_shogi_boards {
    kz_shogi_set bit[8]; /* bit b of the code of each square */
    kz_shogi_set occupied;
    kz_shogi_set side[2]; /* whose pieces */
    kz_shogi_set kings;
} kz_shogi_boards;

static inline kz_shogi_set kz_shogi_set_of(int square) { return (kz_shogi_set)1 << square; }

kz_shogi_boards kz_shogi_boards_of(const kz_shogi_position *position);

/* What kz_shogi_check_legal says about a position that is well-formed. */
kz_shogi_defect kz_shogi_legal_boards(const kz_shogi_position *position, const kz_shogi_boards *boards);
/* What kz_shogi_check_move says, of the same position. */
kz_shogi_defect kz_shogi_legal_move(const kz_shogi_position *position, const kz_shogi_boards *boards,
                                    kz_shogi_move move);
/* What kz_shogi_in_check says. */
bool kz_shogi_boards_in_check(const kz_shogi_boards *boards, kz_shogi_side side);

#endif
