/* SPDX-License-Identifier: MIT
 *
 * Pages of values made ten runs at a time, for processors with AVX-512; the build compiles this file with their
 * instructions. The plain twin is in page_runs.c. */
#include "games/pushfight/check/value_pages.h"

#ifdef __x86_64__
#include "base/bits.h"

#include <immintrin.h>

enum { WIDTH = KZ_PF_MOST_ANCHORED_SPLITS, RUNS = 10, BYTES = RUNS * WIDTH, AHEAD = 2048 };

#define FIRST_OF_RUNS UINT64_C(0x0041041041041041) /* a bit for the first byte of each of ten runs */

/* The runs of which some byte has a bit. */
static inline uint64_t some_of_runs(uint64_t bytes) {
    uint64_t two = bytes | bytes >> 1;
    return _pext_u64(two | two >> 2 | two >> 4, FIRST_OF_RUNS);
}

/* What the anchor allows, by its set. */
static void fill_allowed(const kz_pf_space *space, uint64_t allowed[KZ_PF_SUBSETS]) {
    for (uint32_t anchors = 0; anchors < UINT32_C(1) << space->pieces; anchors++) {
        allowed[anchors] = kz_pf_allowed(space, anchors);
    }
}

static uint32_t find_open(const kz_pf_space *space, uint32_t own_set, const uint8_t *bytes, uint64_t *open,
                          size_t *runs) {
    uint32_t own = space->own_squares[own_set];
    uint32_t room = space->board->squares & ~own;
    unsigned places = (unsigned)(space->lanes * space->splits);
    uint64_t allowed[KZ_PF_SUBSETS];
    fill_allowed(space, allowed);
    for (uint32_t pair = 0; pair < space->enemy_sets; pair++, bytes += places) {
        uint32_t enemy = _pdep_u32(space->others.patterns[pair], room);
        uint64_t differ = 0;
        uint64_t missing = 0;
        for (unsigned place = 0; place < places; place += BYTES) {
            unsigned left = places - place < BYTES ? places - place : BYTES;
            __mmask64 here = (UINT64_C(1) << left) - 1;
            __builtin_prefetch(bytes + place + AHEAD);
            __m512i values = _mm512_maskz_loadu_epi8(here, bytes + place);
            uint64_t not_won = _mm512_mask_cmpneq_epi8_mask(here, values, _mm512_set1_epi8(KZ_PF_BYTE_WIN));
            uint64_t none = _mm512_mask_cmpeq_epi8_mask(here, values, _mm512_set1_epi8((char)KZ_PF_NO_POSITION));
            differ |= some_of_runs(not_won) << place / WIDTH;
            missing |= some_of_runs(none) << place / WIDTH;
        }
        uint64_t wanted = allowed[_pext_u32(kz_pf_anchorable(space->board, own | enemy), enemy)];
        if (missing & wanted) {
            return pair;
        }
        open[pair] = differ & wanted;
        *runs += kz_popcount64(open[pair]);
    }
    return space->enemy_sets;
}

/* As kz_pf_offer. */
static inline __m128i offers(__m128i bytes) {
    __m128i half = _mm_and_si128(_mm_srli_epi16(bytes, 1), _mm_set1_epi8(127));
    __mmask16 odd = _mm_test_epi8_mask(bytes, _mm_set1_epi8(1));
    __m128i offer = _mm_mask_sub_epi8(half, odd, _mm_set1_epi8(-1), half);
    return _mm_mask_mov_epi8(offer, _mm_testn_epi8_mask(bytes, bytes), _mm_set1_epi8((char)KZ_PF_WORTH_TIE));
}

/* Words are stored, so a run is overwritten from its seventh byte on by the next one. */
static void fill(const kz_pf_space *space, const uint64_t *open, const uint8_t *bytes, kz_pf_value_page *page) {
    size_t places = (size_t)space->lanes * (size_t)space->splits;
    uint64_t run = 0;
    for (uint32_t pair = 0; pair < space->enemy_sets; pair++, bytes += places) {
        kz_pf_page_number(&page->page, pair, open[pair], run);
        for (uint64_t rest = open[pair]; rest; rest &= rest - 1, run++) {
            const uint8_t *from = bytes + kz_lowest_bit64(rest) * WIDTH;
            uint64_t word = 0;
            memcpy(&word, from, WIDTH);
            uint64_t offer = (uint64_t)_mm_cvtsi128_si64(offers(_mm_cvtsi64_si128((long long)word)));
            memcpy(page->runs + run * WIDTH, &offer, sizeof offer);
        }
    }
}

const kz_pf_page_maker kz_pf_page_maker_avx512 = {find_open, fill};

#endif
