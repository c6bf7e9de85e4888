/* SPDX-License-Identifier: MIT
 *
 * From strips to cells for processors with VBMI2; the build compiles this file with their instructions.
 *
 * The cells of a run are in the order of its states, without those that stand on taken squares. So a strip without the
 * words and bytes of these squares has a bit for each cell. */
#include "games/dobutsu/solve/strips.h"

#ifdef __x86_64__
#include <immintrin.h>
#include <string.h>

enum { CELLS = 64, FIRST_WORDS = 64, LAST_SQUARE = KZ_DOBUTSU_SQUARES - 1 };

void kz_dobutsu_list_cells_vbmi2(const kz_dobutsu_strips *strips, const kz_dobutsu_run *run, unsigned taken,
                                 const kz_dobutsu_strip *found, kz_dobutsu_waiting *waiting) {
    uint64_t words = strips->tables.fitting[taken];
    unsigned free = ~taken & (unsigned)KZ_DOBUTSU_ALL_SQUARES;
    /* The last two words are those of the last square with the two before it. */
    unsigned last = free >> LAST_SQUARE ? free >> (LAST_SQUARE - 2) & 3 : 0;
    __m512i low = _mm512_loadu_si512(found->of.pairs);
    __m512i high = _mm512_loadu_si512(found->of.pairs + FIRST_WORDS / 2);
    uint8_t *at = waiting->cells;
    _mm512_storeu_si512(at, _mm512_maskz_compress_epi16((__mmask32)words, low));
    at += 2 * _mm_popcnt_u32((uint32_t)words);
    _mm512_storeu_si512(at, _mm512_maskz_compress_epi16((__mmask32)(words >> 32), high));
    at += 2 * _mm_popcnt_u32((uint32_t)(words >> 32));
    __m128i tail = _mm_loadu_si128((const __m128i *)(const void *)(found->of.pairs + FIRST_WORDS));
    _mm_storeu_si128((__m128i *)(void *)at, _mm_maskz_compress_epi16((__mmask8)last, tail));
    at += 2 * _mm_popcnt_u32(last);
    _mm_storeu_si128((__m128i *)(void *)at, _mm_maskz_compress_epi8((__mmask16)(free << 4), tail));
    at += _mm_popcnt_u32(free);
    _mm512_storeu_si512(at, _mm512_zextsi128_si512(_mm_cvtsi32_si128(found->of.hands)));
    waiting->size = (unsigned)(at - waiting->cells) + 1;
    waiting->base = run->base;
    for (unsigned i = 0; i < run->size; i += KZ_DOBUTSU_CACHE_LINE) {
        __builtin_prefetch((const void *)&strips->retro->cells[run->base + i], 1);
    }
}

uint64_t kz_dobutsu_write_cells_vbmi2(const kz_dobutsu_strips *strips, kz_dobutsu_waiting *waiting, int n) {
    uint8_t *cells = (uint8_t *)(void *)(uintptr_t)&strips->retro->cells[waiting->base];
    __m512i number = _mm512_set1_epi8((char)n);
    uint64_t count = 0;
    for (unsigned i = 0; i < waiting->size; i += CELLS / 8) {
        uint64_t bits;
        memcpy(&bits, waiting->cells + i, sizeof bits);
        if (bits) {
            _mm512_mask_storeu_epi8(cells + (size_t)8 * i, bits, number);
            count += (uint64_t)_mm_popcnt_u64(bits);
        }
    }
    waiting->size = 0;
    return count;
}
#endif
