/* SPDX-License-Identifier: MIT
 *
 * What PEXT and PDEP make shorter: the twins of some functions of sspf_fields.h, for the paths bmi2 and vbmi2. */
#ifndef KZ_SHOGI_SSPF_PEXT_H
#define KZ_SHOGI_SSPF_PEXT_H

#include "shogi/src/sspf_fields.h"

#ifdef __BMI2__
#include <immintrin.h>

/* A board taken apart, by kz_sspf_take_list of sspf_list_vbmi2.h or sspf_list_bmi2.h. If there are more than 38 pieces,
 * the bits make no sense. */
typedef struct kz_sspf_list {
    uint64_t pieces[2]; /* the squares that have one other than a king */
    uint64_t kings[2];
    unsigned in_low;              /* pieces on squares 0-63 */
    unsigned count;               /* on all */
    _Alignas(64) uint64_t bit[8]; /* bit i of the pieces in order of squares, 0 behind the last one */
} kz_sspf_list;

/* What entries of a list are golds: their words, that of bishops and rooks taken off. */
static inline uint64_t kz_sspf_golds(const uint64_t bit[7]) { return bit[1] & bit[2] & ~bit[3]; }

/* Takes the squares of both kings out of those that are occupied. */
static inline void kz_sspf_pext_kings(uint64_t occupied[2], const uint64_t kings[2]) {
    uint64_t high = _pext_u64(occupied[1], ~kings[1]);
    unsigned gap = kz_popcount64(kings[0]) & 63; /* 0 to 2 in a position that is well-formed */
    occupied[0] = _pext_u64(occupied[0], ~kings[0]) | high << 1 << (63 - gap);
    occupied[1] = high >> gap;
}

static inline void kz_sspf_pdep_kings(uint64_t occupied[2], const unsigned king[2]) {
    /* Where a king is can't be foretold, so there are no branches. */
    uint64_t bit[2], low[2];
    for (int side = 0; side < 2; side++) {
        bit[side] = (uint64_t)1 << (king[side] & 63);
        low[side] = bit[side] & ((uint64_t)(king[side] >> 6) - 1);
    }
    uint64_t low_kings = low[0] | low[1];
    uint64_t high_kings = (bit[0] ^ low[0]) | (bit[1] ^ low[1]);
    unsigned gap = kz_popcount64(low_kings);
    uint64_t high = occupied[1] << gap | occupied[0] >> 1 >> (63 - gap);
    occupied[0] = _pdep_u64(occupied[0], ~low_kings);
    occupied[1] = _pdep_u64(high, ~high_kings);
}

/* For each byte from 0 to 4, as many ones. */
static inline __m128i kz_sspf_thermometers(__m128i numbers) {
    return _mm_shuffle_epi8(_mm_setr_epi8(0, 1, 3, 7, 15, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), numbers);
}

/* kz_sspf_tail, of the numbers of all pieces and of black's. There can be 18 pawns; the other kinds fit into a byte. */
static inline uint64_t kz_sspf_pext_tail(uint64_t total, uint64_t black) {
    unsigned pawns = total & 63;
    __m128i ones = kz_sspf_thermometers(_mm_set_epi64x((long long)(black >> 8), (long long)(total >> 8)));
    uint64_t all = (uint64_t)_mm_cvtsi128_si64(ones);
    uint64_t tail = _pext_u64(all ^ (uint64_t)_mm_extract_epi64(ones, 1), all);
    return (((uint64_t)1 << pawns) - ((uint64_t)1 << (black & 63))) | tail << pawns;
}

/* The same where pieces are missing: of `total` of each kind, the first `from` are 0, those up to `to` are 1, and the
 * rest are 0. */
static inline uint64_t kz_sspf_pext_middle(uint64_t total, uint64_t from, uint64_t to) {
    unsigned pawns = total & 63;
    __m128i ends = kz_sspf_thermometers(_mm_set_epi64x((long long)(from >> 8), (long long)(to >> 8)));
    __m128i ones = kz_sspf_thermometers(_mm_cvtsi64_si128((long long)(total >> 8)));
    uint64_t middle = (uint64_t)_mm_cvtsi128_si64(ends) ^ (uint64_t)_mm_extract_epi64(ends, 1);
    return (((uint64_t)1 << (to & 63)) - ((uint64_t)1 << (from & 63))) |
           _pext_u64(middle, (uint64_t)_mm_cvtsi128_si64(ones)) << pawns;
}

static inline uint64_t kz_sspf_pdep_white_in_tail(uint64_t total, uint64_t tail) {
    unsigned pawns = total & 63;
    __m128i ones = kz_sspf_thermometers(_mm_cvtsi64_si128((long long)(total >> 8)));
    uint64_t others = _pdep_u64(tail >> pawns, (uint64_t)_mm_cvtsi128_si64(ones));
    others -= others >> 1 & KZ_SSPF_EACH_BYTE * 0x55;
    others = (others & KZ_SSPF_EACH_BYTE * 0x33) + (others >> 2 & KZ_SSPF_EACH_BYTE * 0x33);
    return others << 8 | kz_popcount64(tail & kz_sspf_ones(pawns));
}

/* ---- What is not on the board ------------------------------------------------------------------------------------ */

/* The tails of two fields. */
typedef struct kz_sspf_hands {
    uint64_t colour_tail;
    uint64_t removed_tail; /* of kind bit 0, in the extension */
} kz_sspf_hands;

/* False if there are too many of a kind; if some are missing, too, without the extension. */
KZ_SSPF_INLINE bool kz_sspf_pext_hands(const kz_shogi_position *position, uint64_t on_board, bool extended,
                                       kz_sspf_hands *hands) {
    uint64_t black = kz_sspf_black_hand(position);
    uint64_t white = kz_sspf_white_hand(position);
    if (__builtin_expect(on_board + black + white == KZ_SSPF_FULL_SET, 1)) {
        *hands = (kz_sspf_hands){kz_sspf_pext_tail(black + white, black), 0};
        return true;
    }
    uint64_t missing;
    if (!extended || !kz_sspf_missing(on_board, black, white, &missing)) {
        return false;
    }
    uint64_t in_hand = black + white;
    uint64_t total = in_hand + missing;
    *hands = (kz_sspf_hands){kz_sspf_pext_middle(total, black, in_hand), kz_sspf_pext_middle(total, in_hand, total)};
    return true;
}
#endif

#endif
