/* SPDX-License-Identifier: MIT
 *
 * A board as the list of its pieces, and the list as words that have one bit of all its codes each, with AVX-512 VBMI2.
 *
 * Moving a mask between its own registers and the others takes as long as several of these steps, so there are as few
 * such moves as can be: bits of bytes become words, and words bits of bytes, by turning matrices. */
#ifndef KZ_SHOGI_SSPF_LIST_VBMI2_H
#define KZ_SHOGI_SSPF_LIST_VBMI2_H

#include "shogi/src/sspf_pext.h"

/* Turns each of 8 matrices of 8 by 8 bits: byte j of a word gets bit j of the word's bytes. */
static inline __m512i kz_sspf_turn_words(__m512i words) {
    const __m512i identity = _mm512_set1_epi64((long long)0x8040201008040201U);
    const __m512i reverse =
        _mm512_set4_epi64(0x08090A0B0C0D0E0F, 0x0001020304050607, 0x08090A0B0C0D0E0F, 0x0001020304050607);
    return _mm512_gf2p8affine_epi64_epi8(identity, _mm512_shuffle_epi8(words, reverse), 0);
}

/* Indices of bytes: byte i of each word, in a row. Of words that have been turned, that is bit i of all bytes. */
#define KZ_SSPF_ROW(i) (i), 8 + (i), 16 + (i), 24 + (i), 32 + (i), 40 + (i), 48 + (i), 56 + (i)
static const _Alignas(64) uint8_t kz_sspf_rows[64] = {KZ_SSPF_ROW(0), KZ_SSPF_ROW(1), KZ_SSPF_ROW(2), KZ_SSPF_ROW(3),
                                                      KZ_SSPF_ROW(4), KZ_SSPF_ROW(5), KZ_SSPF_ROW(6), KZ_SSPF_ROW(7)};

/* 0 to 63, twice: what begins at byte n of it moves bytes down by n, and what begins at 64 - n moves them up. */
#define COUNT8(i) (i), (i) + 1, (i) + 2, (i) + 3, (i) + 4, (i) + 5, (i) + 6, (i) + 7
#define COUNT64 COUNT8(0), COUNT8(8), COUNT8(16), COUNT8(24), COUNT8(32), COUNT8(40), COUNT8(48), COUNT8(56)
static const _Alignas(64) uint8_t kz_sspf_twice[128] = {COUNT64, COUNT64};
#undef COUNT8
#undef COUNT64

/* The list itself, turned. Its words become those of kz_sspf_list by kz_sspf_rows. */
KZ_SSPF_INLINE __m512i kz_sspf_turned_list(const uint8_t *board, kz_sspf_list *list) {
    const __m256i no_hands = _mm256_setr_epi64x(-1, -1, 0xFF, 0);
    const __m512i low = _mm512_loadu_si512(board);
    const __m256i high = _mm256_and_si256(_mm256_loadu_si256((const __m256i *)(const void *)(board + 64)), no_hands);
    const __mmask64 low_pieces = _mm512_movepi8_mask(low);
    const __mmask32 high_pieces = _mm256_movepi8_mask(high);
    list->pieces[0] = low_pieces;
    list->pieces[1] = high_pieces;
    /* Kings are above 0, as signed numbers, and pieces below. */
    list->kings[0] = _mm512_cmpgt_epi8_mask(low, _mm512_setzero_si512());
    list->kings[1] = _mm256_cmpgt_epi8_mask(high, _mm256_setzero_si256());
    list->in_low = kz_popcount64(low_pieces);
    list->count = list->in_low + kz_popcount32(high_pieces);
    /* The list of the low squares, and that of the high ones moved up behind it. */
    __m512i high_list = _mm512_zextsi256_si512(_mm256_maskz_compress_epi8(high_pieces, high));
    return kz_sspf_turn_words(
        _mm512_or_si512(_mm512_maskz_compress_epi8(low_pieces, low),
                        _mm512_permutexvar_epi8(_mm512_loadu_si512(kz_sspf_twice + 64 - list->in_low), high_list)));
}

KZ_SSPF_INLINE void kz_sspf_store_list(__m512i turned, kz_sspf_list *list) {
    _mm512_store_si512(list->bit, _mm512_permutexvar_epi8(_mm512_load_si512(kz_sspf_rows), turned));
}

KZ_SSPF_INLINE void kz_sspf_take_list(const uint8_t *board, kz_sspf_list *list) {
    kz_sspf_store_list(kz_sspf_turned_list(board, list), list);
}

/* Puts a list on its squares; the others become 0, and 15 bytes after the board as well. */
KZ_SSPF_INLINE void kz_sspf_put_list(const uint64_t bit[7], const uint64_t squares[2], uint8_t *board) {
    __m512i bits = _mm512_set_epi64(-1, (long long)bit[6], (long long)bit[5], (long long)bit[4], (long long)bit[3],
                                    (long long)bit[2], (long long)bit[1], (long long)bit[0]);
    __m512i list = kz_sspf_turn_words(_mm512_permutexvar_epi8(_mm512_load_si512(kz_sspf_rows), bits));
    unsigned in_low = kz_popcount64(squares[0]);
    __m256i high_list =
        _mm512_castsi512_si256(_mm512_permutexvar_epi8(_mm512_loadu_si512(kz_sspf_twice + in_low), list));
    _mm512_storeu_si512(board, _mm512_maskz_expand_epi8(squares[0], list));
    _mm256_storeu_si256((__m256i *)(void *)(board + 64), _mm256_maskz_expand_epi8((__mmask32)squares[1], high_list));
}

#endif
