/* SPDX-License-Identifier: MIT
 *
 * The sweeps over strips for processors with AVX-512 (strips_body.h); the build compiles this file with their
 * instructions. Strips are in registers from beginning to end. */
#include "games/dobutsu/solve/strips.h"

#ifdef __x86_64__

#include <immintrin.h>

enum { GRID_SIDES = 16, ALWAYS_RETURNS = 1 };

/* Truth tables of three inputs. */
enum { XOR_ALL = 0x96, OR_ALL = 0xFE, FIRST_OR_BOTH = 0xF8, BY_FIRST = 0xCA, DIFFERENT_AND_THIRD = 0x28 };

/* A strip: the words of 64 pairs; then those of two, the singles, and the hands. */
typedef struct parts {
    __m512i low;
    __m512i high;
    __m256i tail;
} parts;

typedef union grid {
    __m512i two[GRID_SIDES / 2];
    __m256i side[GRID_SIDES];
} grid;

typedef parts origin;

static inline __m256i or_three(__m256i a, __m256i b, __m256i c) { return _mm256_ternarylogic_epi32(a, b, c, OR_ALL); }

/* The bits of `added` that are in the mask, too. */
static inline __m256i or_masked(__m256i sum, __m256i added, __m256i mask) {
    return _mm256_ternarylogic_epi32(sum, added, mask, FIRST_OR_BOTH);
}

/* Words with a value where the others have some bits of a mask. */
static inline __m256i where_any(__m256i words, __m256i mask, int value) {
    return _mm256_maskz_mov_epi16(_mm256_test_epi16_mask(words, mask), _mm256_set1_epi16((short)value));
}

/* Bytes of squares as words, mirrored or not. */
static inline __m256i mirror_marks(const kz_dobutsu_strip_tables *tables, __m128i marks, bool mirrored) {
    __m256i images = _mm256_loadu_si256((const __m256i *)(const void *)tables->lane_images[mirrored]);
    return _mm256_permutexvar_epi16(images, _mm256_cvtepu8_epi16(marks));
}

static inline void add_sides(grid *sums, const __m256i sides[KZ_DOBUTSU_SQUARES]) {
#pragma GCC unroll 6
    for (int i = 0; i < KZ_DOBUTSU_SQUARES / 2; i++) {
        __m512i two = _mm512_inserti64x4(_mm512_castsi256_si512(sides[2 * i]), sides[2 * i + 1], 1);
        sums->two[i] = _mm512_or_si512(sums->two[i], two);
    }
}

#include "games/dobutsu/solve/strips_body.h"

static inline parts load_parts(const kz_dobutsu_strip *strip) {
    const uint8_t *bytes = (const uint8_t *)strip;
    return (parts){_mm512_loadu_si512(bytes), _mm512_loadu_si512(bytes + 64),
                   _mm256_load_si256((const __m256i *)(const void *)(bytes + 128))};
}

static inline origin take_from(const kz_dobutsu_strip *strip) { return load_parts(strip); }

static inline void store_parts(kz_dobutsu_strip *strip, const parts *p) {
    uint8_t *bytes = (uint8_t *)strip;
    _mm512_storeu_si512(bytes, p->low);
    _mm512_storeu_si512(bytes + 64, p->high);
    _mm256_store_si256((__m256i *)(void *)(bytes + 128), p->tail);
}

/* Adds a strip if the mask has all bits, and nothing if it has none. */
static inline void add_parts_if(parts *sum, __mmask8 wanted, parts p) {
    sum->low = _mm512_mask_or_epi64(sum->low, wanted, sum->low, p.low);
    sum->high = _mm512_mask_or_epi64(sum->high, wanted, sum->high, p.high);
    sum->tail = _mm256_mask_or_epi64(sum->tail, wanted, sum->tail, p.tail);
}

static inline void add_to_view(parts views[2], unsigned view, parts p) {
    add_parts_if(&views[0], (__mmask8)(view - 1), p);
    add_parts_if(&views[1], (__mmask8)-view, p);
}

/* Exchanges the two marks in each word: bits 4 a + b and 4 b + a. */
static inline __m512i transpose(__m512i v) {
    __m512i near =
        _mm512_ternarylogic_epi32(v, _mm512_srli_epi16(v, 3), _mm512_set1_epi16(0x0A0A), DIFFERENT_AND_THIRD);
    v = _mm512_ternarylogic_epi32(v, near, _mm512_slli_epi16(near, 3), XOR_ALL);
    __m512i far = _mm512_ternarylogic_epi32(v, _mm512_srli_epi16(v, 6), _mm512_set1_epi16(0x00CC), DIFFERENT_AND_THIRD);
    return _mm512_ternarylogic_epi32(v, far, _mm512_slli_epi16(far, 6), XOR_ALL);
}

/* Words by their numbers from the pairs of a strip; 64 and more are in `tail`, 128 and more are zero. */
static inline __m512i pick(__m512i low, __m512i high, __m512i tail, __m512i numbers) {
    __mmask32 last = _mm512_test_epi16_mask(numbers, _mm512_set1_epi16(64));
    __mmask32 first = _mm512_testn_epi16_mask(numbers, _mm512_set1_epi16(64 + KZ_DOBUTSU_NO_WORD));
    return _mm512_or_si512(_mm512_maskz_permutex2var_epi16(first, low, numbers, high),
                           _mm512_maskz_permutexvar_epi16(last, numbers, tail));
}

/* The same without a tail. */
static inline __m512i pick_first(__m512i low, __m512i high, __m512i numbers) {
    __mmask32 first = _mm512_testn_epi16_mask(numbers, _mm512_set1_epi16(64 + KZ_DOBUTSU_NO_WORD));
    return _mm512_maskz_permutex2var_epi16(first, low, numbers, high);
}

/* ---- Turning ----------------------------------------------------------------------------------------------------- */

/* Words of pairs as the other side sees them, but in their old places. */
static inline __m512i turn_words(__m512i v, __m512i swaps) {
    v = _mm512_ternarylogic_epi32(swaps, transpose(v), v, BY_FIRST);
    /* Each mark's lowest bit is the owner. */
    v = _mm512_ternarylogic_epi32(_mm512_set1_epi16(0x5555), _mm512_srli_epi16(v, 1), _mm512_slli_epi16(v, 1),
                                  BY_FIRST);
    return _mm512_ternarylogic_epi32(_mm512_set1_epi16(0x0F0F), _mm512_srli_epi16(v, 4), _mm512_slli_epi16(v, 4),
                                     BY_FIRST);
}

/* Adds a strip to another one as the other side sees it. */
static inline void add_turned(const kz_dobutsu_strip_tables *tables, const kz_dobutsu_turn *turn, const parts *p,
                              parts *sum) {
    (void)tables;
    enum { SINGLES_AT = 4, HANDS_AT = 16, TWO_WORDS = 3 };
    parts swaps = load_parts(&turn->swaps);
    __m512i low = turn_words(p->low, swaps.low);
    __m512i high = turn_words(p->high, swaps.high);
    __m512i last = turn_words(_mm512_castsi256_si512(p->tail), _mm512_castsi256_si512(swaps.tail));
    sum->low = _mm512_or_si512(sum->low, pick(low, high, last, _mm512_loadu_si512(turn->from)));
    sum->high = _mm512_or_si512(sum->high, pick(low, high, last, _mm512_loadu_si512(turn->from + 32)));
    __m512i words = pick(low, high, last, _mm512_maskz_loadu_epi16(TWO_WORDS, turn->from + 64));
    /* Singles: owner and hand change. */
    __m128i singles = _mm256_castsi256_si128(p->tail);
    singles =
        _mm_ternarylogic_epi32(_mm_set1_epi8(0x55), _mm_srli_epi16(singles, 1), _mm_slli_epi16(singles, 1), BY_FIRST);
    singles =
        _mm_ternarylogic_epi32(_mm_set1_epi8(0x33), _mm_srli_epi16(singles, 2), _mm_slli_epi16(singles, 2), BY_FIRST);
    __m128i from = _mm_loadu_si128((const __m128i *)(const void *)turn->single_from);
    singles = _mm_shuffle_epi8(_mm_srli_si128(singles, SINGLES_AT), from);
    singles = _mm_mask_mov_epi32(_mm_slli_si128(singles, SINGLES_AT), 1, _mm512_castsi512_si128(words));
    unsigned hands = (uint8_t)_mm256_extract_epi8(p->tail, HANDS_AT);
    hands = (hands >> 2 | (hands & 2) | (hands & 1) << 2) & 7;
    __m256i tail = _mm256_inserti128_si256(_mm256_castsi128_si256(singles), _mm_cvtsi32_si128((int)hands), 1);
    sum->tail = _mm256_or_si256(sum->tail, tail);
}

/* ---- Rows -------------------------------------------------------------------------------------------------------- */

static inline __m512i spread_singles(__m256i tail) {
    /* As the tail of `pick`: the words of two pairs, then the singles. */
    __m128i two = _mm256_castsi256_si128(tail);
    __m256i v = _mm256_cvtepu8_epi16(_mm_srli_si128(two, 2)); /* singles from lane 2 on */
    return _mm512_castsi256_si512(_mm256_mask_mov_epi32(spread_words(v), 1, tail));
}

/* The singles of a tail as words, then the hands. */
static inline __m256i singles_as_words(__m256i tail) {
    __m128i singles = _mm_alignr_epi8(_mm256_extracti128_si256(tail, 1), _mm256_castsi256_si128(tail), 4);
    return _mm256_cvtepu8_epi16(singles);
}

/* A chick, dropped or on the board, moves without a capture or captures a chick. */
static inline void move_chicks(const kz_dobutsu_strip_tables *tables, origin strip, grid *sums, parts *sum) {
    grid spread;
    __m512i tail = spread_singles(strip.tail);
    __m512i swapped_low = transpose(strip.low);
    __m512i swapped_high = transpose(strip.high);
    __m512i swapped_tail = transpose(_mm512_castsi256_si512(strip.tail));
#pragma GCC unroll 6
    for (int x = 0; x < KZ_DOBUTSU_SQUARES; x += 2) {
        __m512i straight = pick(strip.low, strip.high, tail, _mm512_loadu_si512(tables->side_from[0][x]));
        __m512i numbers = _mm512_loadu_si512(tables->side_from[1][x]);
        __m512i swapped = x == 10 ? pick(swapped_low, swapped_high, swapped_tail, numbers)
                                  : pick_first(swapped_low, swapped_high, numbers);
        spread.two[x / 2] = _mm512_or_si512(straight, swapped);
    }
    __m256i s[KZ_DOBUTSU_SQUARES];
#pragma GCC unroll 12
    for (int x = 0; x < KZ_DOBUTSU_SQUARES; x++) {
        s[x] = spread.side[x];
    }
    move_on_board(tables, s, singles_as_words(strip.tail), sums);
    sum->tail = _mm256_or_si256(sum->tail, drop_chicks(s));
}

/* The side of a square, as the view of the sums has it (`other`: that is the other one). */
static inline __m256i straight_side(const kz_dobutsu_strip_tables *tables, origin strip, unsigned square, bool other) {
    __m512i tail = spread_singles(strip.tail);
    __m512i numbers = _mm512_castsi256_si512(load_lanes(tables->side_from[0][square]));
    __m512i side = pick(strip.low, strip.high, tail, numbers);
    numbers = _mm512_castsi256_si512(load_lanes(tables->side_from[1][square]));
    side = _mm512_or_si512(side, transpose(pick(strip.low, strip.high, tail, numbers)));
    return _mm256_permutexvar_epi16(load_lanes(tables->lane_images[other]), _mm512_castsi512_si256(side));
}

/* Words of pairs, or the tail of them: from sides as they are numbered for it. */
static inline __m512i collect(const uint16_t from[3][2 * KZ_DOBUTSU_VECTOR_WORDS], const grid *sums, int first) {
    __m512i sum = _mm512_setzero_si512();
#pragma GCC unroll 3
    for (int i = first; i < 3; i++) {
        __m512i numbers = _mm512_loadu_si512(from[i]);
        sum = _mm512_or_si512(sum, pick_first(sums->two[2 * i], sums->two[2 * i + 1], numbers));
    }
    return sum;
}

/* Adds what is in the sides to a strip. */
static inline void join_sides(const kz_dobutsu_strip_tables *tables, const grid *sums, parts *sum) {
    enum { TWO_WORDS = 1 };
    __m512i low = collect(tables->join_from[0][0], sums, 0);
    __m512i high = collect(tables->join_from[0][1], sums, 0);
    __m512i tail = collect(tables->join_from[0][2], sums, 0);
    __m512i swapped_low = transpose(collect(tables->join_from[1][0], sums, 0));
    __m512i swapped_high = transpose(collect(tables->join_from[1][1], sums, 2));
    __m512i swapped_tail = transpose(collect(tables->join_from[1][2], sums, 2));
    sum->low = _mm512_ternarylogic_epi32(sum->low, low, swapped_low, OR_ALL);
    sum->high = _mm512_ternarylogic_epi32(sum->high, high, swapped_high, OR_ALL);
    __m256i words = _mm512_castsi512_si256(tail);
    __m128i singles = _mm_slli_si128(_mm256_cvtepi16_epi8(join_words(words)), 2);
    __m256i two = _mm256_or_si256(words, _mm512_castsi512_si256(swapped_tail));
    singles = _mm_mask_mov_epi32(singles, TWO_WORDS, _mm256_castsi256_si128(two));
    sum->tail = _mm256_or_si256(sum->tail, _mm256_zextsi128_si256(singles));
}

#define GATHER kz_dobutsu_gather_avx512
#include "games/dobutsu/solve/strips_body.h"
#endif
