/* SPDX-License-Identifier: MIT
 *
 * What the gathers for AVX2 and for AVX-512 have in common. */
#ifndef KZ_DOBUTSU_STRIPS_X86_H
#define KZ_DOBUTSU_STRIPS_X86_H

#include "games/dobutsu/solve/strips.h"

#include <immintrin.h>

/* A chick that has been captured, by the square of the other chick: the four marks of that one, a byte each; after the
 * squares those of no other chick on the board. Bits 1 and 3 of a single, and 5 and 7, are the marks; bits 1 and 2 of
 * the hands are as those of a single. */
static inline __m128i kz_dobutsu_captured_marks(const kz_dobutsu_strip *from) {
    const __m128i low_marks = _mm_setr_epi8(0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3);
    const __m128i high_marks = _mm_slli_epi16(low_marks, 2);
    const __m128i nibble = _mm_set1_epi8(0x0F);
    __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)from->of.singles);
    bytes = _mm_add_epi8(bytes, _mm_and_si128(bytes, _mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0)));
    return _mm_or_si128(_mm_shuffle_epi8(low_marks, _mm_and_si128(bytes, nibble)),
                        _mm_shuffle_epi8(high_marks, _mm_and_si128(_mm_srli_epi16(bytes, 4), nibble)));
}

#endif
