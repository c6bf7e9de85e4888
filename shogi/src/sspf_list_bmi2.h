/* SPDX-License-Identifier: MIT
 *
 * A board as the list of its pieces, and the list as words that have one bit of all its codes each, with AVX2 and
 * BMI2. */
#ifndef KZ_SHOGI_SSPF_LIST_BMI2_H
#define KZ_SHOGI_SSPF_LIST_BMI2_H

#include "shogi/src/sspf_groups.h"
#include "shogi/src/sspf_pext.h"

/* A bit for each square: 0-63, and 64-80. */
typedef struct kz_sspf_squares {
    uint64_t low;
    uint64_t high;
} kz_sspf_squares;

static inline uint32_t kz_sspf_gather32(__m256i bytes, int bit) {
    return (uint32_t)_mm256_movemask_epi8(_mm256_slli_epi16(bytes, 7 - bit));
}

/* The bits of all squares. Hands are behind the high squares, so these have to be cut off where it matters. */
KZ_SSPF_INLINE void kz_sspf_gather_board(const uint8_t *board, kz_sspf_squares bit[8]) {
    const __m256i *blocks = (const __m256i *)(const void *)board;
    const __m256i block[3] = {_mm256_loadu_si256(blocks), _mm256_loadu_si256(blocks + 1),
                              _mm256_loadu_si256(blocks + 2)};
    for (int i = 0; i < 8; i++) {
        bit[i].low = kz_sspf_gather32(block[0], i) | (uint64_t)kz_sspf_gather32(block[1], i) << 32;
        bit[i].high = kz_sspf_gather32(block[2], i);
    }
}

KZ_SSPF_INLINE void kz_sspf_take_list(const uint8_t *board, kz_sspf_list *list) {
    const uint64_t high_squares = kz_sspf_ones(KZ_SHOGI_SQUARES - 64);
    kz_sspf_squares bit[8];
    kz_sspf_gather_board(board, bit);
    list->pieces[0] = bit[7].low;
    list->pieces[1] = bit[7].high & high_squares;
    /* A king has the bit of those who are no pawns, but not that of a piece. */
    list->kings[0] = bit[0].low & ~bit[7].low;
    list->kings[1] = bit[0].high & ~bit[7].high & high_squares;
    list->in_low = kz_popcount64(list->pieces[0]);
    list->count = list->in_low + kz_popcount64(list->pieces[1]);
#pragma GCC unroll 7
    for (int i = 0; i < 7; i++) {
        list->bit[i] = _pext_u64(bit[i].low, list->pieces[0]) | _pext_u64(bit[i].high, list->pieces[1])
                                                                    << (list->in_low & 63);
    }
}

/* The list in the making: entries 0-31 and 32-39. */
typedef struct kz_sspf_half_made {
    __m256i first;
    uint64_t last;
} kz_sspf_half_made;

static inline kz_sspf_half_made kz_sspf_add_bit(kz_sspf_half_made list, uint64_t where, int bit) {
    const __m256i own_bit = _mm256_set1_epi64x((long long)0x8040201008040201U);
    const __m256i own_byte = _mm256_set_epi64x(0x0303030303030303, 0x0202020202020202, 0x0101010101010101, 0);
    __m256i spread = _mm256_shuffle_epi8(_mm256_set1_epi32((int)(uint32_t)where), own_byte);
    __m256i is_set = _mm256_cmpeq_epi8(_mm256_and_si256(spread, own_bit), own_bit);
    list.first = _mm256_or_si256(list.first, _mm256_and_si256(is_set, _mm256_set1_epi8((char)bit)));
    list.last |= _pdep_u64(where >> 32, KZ_SSPF_EACH_BYTE * (unsigned)bit);
    return list;
}

/* Puts a list on its squares; the others become 0. */
KZ_SSPF_INLINE void kz_sspf_put_list(const uint64_t bit[7], const uint64_t squares[2], uint8_t *board) {
    kz_sspf_half_made made = {_mm256_set1_epi8((char)KZ_SHOGI_CODE_PAWN), KZ_SSPF_EACH_BYTE << 7};
#pragma GCC unroll 7
    for (int i = 0; i < 7; i++) {
        made = kz_sspf_add_bit(made, bit[i], 1 << i);
    }
    uint8_t bytes[64];
    _mm256_storeu_si256((__m256i *)(void *)bytes, made.first);
    kz_store_le64(bytes + 32, made.last);
    kz_sspf_stretch_board(board, bytes, squares);
}

#endif
