/* SPDX-License-Identifier: MIT
 *
 * Where pieces can go on a board, and which squares they attack. */
#ifndef KZ_SHOGI_ATTACKS_H
#define KZ_SHOGI_ATTACKS_H

#include "base/bits.h"
#include "shogi/src/position.h"

/* A set of squares: bit `square % 64` of word `square / 64`. */
typedef struct kz_shogi_squares {
    uint64_t words[2];
} kz_shogi_squares;

static inline void kz_shogi_add(kz_shogi_squares *set, int square) {
    set->words[square >> 6] |= UINT64_C(1) << (square & 63);
}

static inline bool kz_shogi_has(const kz_shogi_squares *set, int square) {
    return set->words[square >> 6] >> (square & 63) & 1;
}

/* Takes the lowest square out of a set; KZ_SHOGI_NO_SQUARE if there is none. */
static inline int kz_shogi_take_lowest(kz_shogi_squares *set) {
    for (int word = 0; word < 2; word++) {
        uint64_t bits = set->words[word];
        if (bits != 0) {
            set->words[word] = bits & (bits - 1);
            return 64 * word + (int)kz_lowest_bit64(bits);
        }
    }
    return KZ_SHOGI_NO_SQUARE;
}

/* Ranks as a side counts them: 0 is the one farthest away from it. */
static inline int kz_shogi_rank_for(int square, unsigned side) {
    int rank = kz_shogi_rank_of(square);
    return side == KZ_SHOGI_BLACK ? rank : 8 - rank;
}

/* Whether an unpromoted piece could never move again from there. */
static inline bool kz_shogi_is_dead(unsigned kind, unsigned side, int square) {
    int ranks = kind == KZ_SHOGI_KNIGHT ? 2 : kind == KZ_SHOGI_PAWN || kind == KZ_SHOGI_LANCE ? 1 : 0;
    return kz_shogi_rank_for(square, side) < ranks;
}

/* Directions go around clockwise as black sees the board, beginning straight ahead. The opposite of d is d ^ 4, and
 * white's directions are black's opposites. A set of them is a byte. By kind, and by kind + 8 for promoted ones:
 * black's directions in which a piece goes one step, and any number of steps. The jumps of knights are not in them. */
extern const uint8_t kz_shogi_steps[16];
extern const uint8_t kz_shogi_slides[16];
/* What a direction adds to a square: files count to the left, ranks downwards. */
extern const int8_t kz_shogi_deltas[8];

/* Whether a piece of `side` attacks a square, whatever stands there. */
bool kz_shogi_attacked(const uint8_t board[KZ_SHOGI_SQUARES], int square, unsigned side);

/* Squares that the piece on `from` reaches and that hold no piece of its own side. */
kz_shogi_squares kz_shogi_targets(const uint8_t board[KZ_SHOGI_SQUARES], int from);

/* Whether two squares are on one rank, file or diagonal. */
bool kz_shogi_in_line(int square, int other);

#endif
