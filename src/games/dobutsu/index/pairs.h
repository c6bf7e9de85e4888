/* SPDX-License-Identifier: MIT
 *
 * Two pieces of one kind as one number.
 *
 * Dobutsu Shogi has a pair of chicks, a pair of elephants and a pair of giraffes, and nothing tells the two pieces of
 * a pair apart. What a pair does is therefore one number, its state: where the two stand, whose they are and, for
 * chicks, whether they are promoted. A position is two lions and three such states.
 *
 *   both on the board, squares a < b    triangle(b) + a, then a's marks, then b's       66 * m * m
 *   one on the board, one in a hand     square, then its marks, then whose hand         12 * m * 2
 *   both in hand                        how many of them the opponent holds              3
 *
 * where m is 2 (owner) for elephants and giraffes and 4 (owner, promoted) for chicks. Replace squares by their
 * rank among the squares that are free, and 12 by the number of these, and the same formula is a dense rank of the
 * states that fit around what already stands on the board. */
#ifndef KZ_DOBUTSU_PAIRS_H
#define KZ_DOBUTSU_PAIRS_H

#include <kanzen/dobutsu.h>

enum {
    KZ_DOBUTSU_PLAIN_BITS = 1, /* marks of an elephant or giraffe: owner */
    KZ_DOBUTSU_CHICK_BITS = 2, /* marks of a chick: owner, promoted */
    KZ_DOBUTSU_PLAIN_STATES = 66 * 4 + 12 * 4 + 3,
    KZ_DOBUTSU_CHICK_STATES = 66 * 16 + 12 * 8 + 3,
    KZ_DOBUTSU_ALL_SQUARES = (1 << KZ_DOBUTSU_SQUARES) - 1,
    KZ_DOBUTSU_MARK_ENEMY = 1,
    KZ_DOBUTSU_MARK_HEN = 2
};

/* A pair taken apart. */
typedef struct kz_dobutsu_pair {
    int on_board;   /* 0, 1 or 2 */
    int square[2];  /* of those on the board, ascending */
    int mark[2];    /* KZ_DOBUTSU_MARK_ENEMY | KZ_DOBUTSU_MARK_HEN */
    int enemy_hand; /* how many of the others the opponent holds */
} kz_dobutsu_pair;

/* How many states fit on `free` free squares. */
static inline unsigned kz_dobutsu_pair_states(int bits, unsigned free) {
    return ((free * (free - 1) / 2) << (2 * bits)) + (free << (bits + 1)) + 3;
}

/* The rank of a pair among those that fit on the squares outside `taken`; with nothing taken, its state. */
unsigned kz_dobutsu_pair_rank(const kz_dobutsu_pair *pair, int bits, unsigned taken);
void kz_dobutsu_pair_unrank(unsigned rank, int bits, unsigned taken, kz_dobutsu_pair *pair);

/* The state of a pair: its rank with nothing taken. */
static inline unsigned kz_dobutsu_pair_state(const kz_dobutsu_pair *pair, int bits) {
    unsigned a = (unsigned)pair->square[0];
    unsigned b = (unsigned)pair->square[1];
    if (pair->on_board == 2) {
        return (b * (b - 1) / 2 + a) << (2 * bits) | (unsigned)pair->mark[0] << bits | (unsigned)pair->mark[1];
    }
    enum { SQUARE_PAIRS = KZ_DOBUTSU_SQUARES * (KZ_DOBUTSU_SQUARES - 1) / 2 };
    unsigned offset = (unsigned)SQUARE_PAIRS << (2 * bits);
    if (pair->on_board == 1) {
        return offset + (a << (bits + 1) | (unsigned)pair->mark[0] << 1 | (unsigned)pair->enemy_hand);
    }
    return offset + ((unsigned)KZ_DOBUTSU_SQUARES << (bits + 1)) + (unsigned)pair->enemy_hand;
}

/* The squares that the pair takes. */
unsigned kz_dobutsu_pair_mask(const kz_dobutsu_pair *pair);
/* The pair as the opponent sees it: rotated, and its owners exchanged. */
kz_dobutsu_pair kz_dobutsu_pair_flip(const kz_dobutsu_pair *pair);
/* The pair with left and right exchanged. */
kz_dobutsu_pair kz_dobutsu_pair_mirror(const kz_dobutsu_pair *pair);

/* The mirror image of a square, and of a set of squares. */
static inline int kz_dobutsu_mirror_square(int square) { return square + 2 - 2 * (square % 3); }
static inline unsigned kz_dobutsu_mirror_mask(unsigned mask) {
    return ((mask & 0x249U) << 2) | (mask & 0x492U) | ((mask >> 2) & 0x249U);
}

#endif
