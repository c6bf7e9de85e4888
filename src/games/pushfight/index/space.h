/* SPDX-License-Identifier: MIT
 *
 * How positions are numbered, for one board.
 *
 * A position, as the side to move sees it, is (O, rho, E, alpha, sigma):
 *     O      the squares of the own pieces,   rho    which of them are movers,
 *     E      the squares of the enemy pieces, alpha  which of them carries the anchor,
 *                                             sigma  which of the others are movers.
 * Pieces of a side are counted in the order of their squares. rho is the number of a subset of the pieces, sigma that
 * of a subset of the enemy pieces but the anchored one; subsets are numbered by increasing bit pattern. O is the number
 * of an own set that is kept, E its rank among the sets of the squares that O leaves free. So
 *
 *     index = (((O * enemy_sets + E) * pieces + alpha) * splits + rho) * anchored_splits + sigma
 *
 * On a board with a rotation and an odd number of pieces a side no set of squares is its own rotation; then only one
 * of two own sets that are turns of each other is kept (the one of lower rank), and a position is rotated if need be. A
 * turn reverses the order of the pieces, hence the tables of reversed subsets.
 *
 * A pair is an own set that is kept with an enemy set: the place of pieces * splits * anchored_splits positions, of
 * which those exist whose anchor passes the test of kz_pf_anchorable. */
#ifndef KZ_PUSHFIGHT_SPACE_H
#define KZ_PUSHFIGHT_SPACE_H

#include "base/bits.h"
#include "games/pushfight/rules/board.h"

#include <kanzen/error.h>
#include <stddef.h>

enum {
    KZ_PF_MOST_SPLITS = 10,         /* 5 pieces, 2 of them movers */
    KZ_PF_MOST_ANCHORED_SPLITS = 6, /* 4 pieces, 2 of them movers */
    KZ_PF_MOST_ENEMY_SETS = 20349,  /* 5 of 21 squares */
    KZ_PF_SUBSETS = 1 << KZ_PF_MOST_PIECES,
    /* A set of squares that is packed together (26 bits at most) is ranked in two parts. */
    KZ_PF_LOW_BITS = 13,
    KZ_PF_PART = 1 << KZ_PF_LOW_BITS
};

/* Ranks of sets of k squares among `width` squares, in the order of their bit patterns. */
typedef struct kz_pf_ranks {
    int width;
    int size;
    uint32_t count;
    uint16_t *low;      /* [KZ_PF_PART]: rank of the low part */
    uint32_t *high;     /* [KZ_PF_MOST_PIECES + 1][KZ_PF_PART]: what the high part adds, by the size of the low part */
    uint32_t *patterns; /* [count]: the sets in order */
} kz_pf_ranks;

typedef struct kz_pf_space {
    const kz_pf_board *board;
    int squares;         /* N */
    int pieces;          /* n, a side */
    int splits;          /* values of rho */
    int anchored_splits; /* values of sigma */
    int lanes;           /* pieces * anchored_splits: values of (alpha, sigma) */
    bool folded;         /* rotations are folded */
    kz_pf_ranks sets;    /* n of N squares, packed */
    kz_pf_ranks others;  /* n of N - n squares, packed */
    uint32_t enemy_sets; /* others.count */
    uint32_t own_sets;   /* that are kept */
    uint64_t pairs;      /* own_sets * enemy_sets */
    uint64_t positions;  /* of the index: pairs * pieces * splits * anchored_splits */
    uint32_t *kept; /* [sets.count]: 2 * number of the own set that is kept + 1 if it is the rotation of this one */
    uint32_t *own_squares; /* [own_sets]: grid squares of an own set that is kept */
    /* Subsets of the pieces: bit patterns by number, and numbers by bit pattern. */
    uint8_t split_pattern[KZ_PF_MOST_SPLITS];
    uint8_t split_number[KZ_PF_SUBSETS];
    uint8_t anchored_pattern[KZ_PF_MOST_ANCHORED_SPLITS];
    uint8_t anchored_number[KZ_PF_SUBSETS];
    /* The same subset with the pieces counted from the other end. */
    uint8_t split_reversed[KZ_PF_MOST_SPLITS];
    uint8_t anchored_reversed[KZ_PF_MOST_ANCHORED_SPLITS];
} kz_pf_space;

kz_status kz_pf_space_open(const kz_pf_board *board, kz_pf_space **opened, kz_error *error);
void kz_pf_space_close(kz_pf_space *space);

/* Packs the bits of `squares` that are in `mask` together, lowest first, and back. Plain code; kernels use the
 * processor's instruction where it has one. */
uint32_t kz_pf_pack(uint32_t squares, uint32_t mask);
uint32_t kz_pf_unpack(uint32_t packed, uint32_t mask);

/* A pattern of `width` bits counted from the other end, as a rotation does. */
static inline uint32_t kz_pf_reversed(uint32_t pattern, int width) {
    pattern = (pattern & 0x55555555) << 1 | (pattern >> 1 & 0x55555555);
    pattern = (pattern & 0x33333333) << 2 | (pattern >> 2 & 0x33333333);
    pattern = (pattern & 0x0F0F0F0F) << 4 | (pattern >> 4 & 0x0F0F0F0F);
    return (uint32_t)((uint64_t)__builtin_bswap32(pattern) >> (32 - width)); /* the width may be 0 */
}

/* A pattern without one of its places: those above move down. */
static inline uint32_t kz_pf_without_bit(uint32_t pattern, unsigned place) {
    uint32_t below = (UINT32_C(1) << place) - 1;
    return (pattern & below) | (pattern >> 1 & ~below);
}

/* The rank of a packed set of the right size. */
static inline uint32_t kz_pf_rank(const kz_pf_ranks *ranks, uint32_t packed) {
    uint32_t low = packed & (KZ_PF_PART - 1);
    return ranks->low[low] + ranks->high[(size_t)kz_popcount32(low) * KZ_PF_PART + (packed >> KZ_PF_LOW_BITS)];
}

/* The place of a position in the index. False if it has none: no anchor, a piece missing, or an anchor that fails the
 * test. */
bool kz_pf_index(const kz_pf_space *space, const kz_pf_position *position, uint64_t *index);

/* The position with that index. It may be one whose anchor fails the test: then it returns false, and the position is a
 * permutation that can't occur. */
bool kz_pf_at(const kz_pf_space *space, uint64_t index, kz_pf_position *position);

#endif
