/* SPDX-License-Identifier: MIT
 *
 * The sweeps over strips for processors with AVX-512; the build compiles this file with their instructions. It does
 * what strips_plain.c does, with strips in registers from beginning to end.
 *
 * The squares of chicks are *sides* of sixteen words: side x, lane y is the word of a pair as the piece on x comes
 * first; lane 12 is a single chick on x, its bits where those of a pair's marks are. Sums of sides are kept for one of
 * the two views (mirrored or not); what belongs to the other one is mirrored when it is added. */
#include "games/dobutsu/solve/strips.h"

#ifdef __x86_64__
#include "base/bits.h"
#include "games/dobutsu/solve/strips_x86.h"

/* Marks of the piece that moves: an enemy's chick is 1, a hen 3. */
enum { CHICK_NIBBLE = 0x00F0, HEN_NIBBLE = 0xF000, PROMOTED_ROW = 3, SIDES = 16 };

/* Truth tables of three inputs. */
enum { XOR3 = 0x96, OR3 = 0xFE, FIRST_OR_BOTH = 0xF8, BY_FIRST = 0xCA, DIFFERENT_AND_THIRD = 0x28 };

/* A strip: the words of 64 pairs; then those of two, the singles, and the hands. */
typedef struct parts {
    __m512i low;
    __m512i high;
    __m256i tail;
} parts;

/* Side 15 takes what belongs to no square. */
typedef union grid {
    __m512i two[SIDES / 2];
    __m256i side[SIDES];
} grid;

static inline parts load_parts(const kz_dobutsu_strip *strip) {
    const uint8_t *bytes = (const uint8_t *)strip;
    return (parts){_mm512_loadu_si512(bytes), _mm512_loadu_si512(bytes + 64),
                   _mm256_load_si256((const __m256i *)(const void *)(bytes + 128))};
}

static inline void store_parts(kz_dobutsu_strip *strip, parts p) {
    uint8_t *bytes = (uint8_t *)strip;
    _mm512_storeu_si512(bytes, p.low);
    _mm512_storeu_si512(bytes + 64, p.high);
    _mm256_store_si256((__m256i *)(void *)(bytes + 128), p.tail);
}

static inline parts no_parts(void) {
    return (parts){_mm512_setzero_si512(), _mm512_setzero_si512(), _mm256_setzero_si256()};
}

/* Exchanges the two marks in each word: bits 4 a + b and 4 b + a. */
static inline __m512i transpose(__m512i v) {
    __m512i near =
        _mm512_ternarylogic_epi32(v, _mm512_srli_epi16(v, 3), _mm512_set1_epi16(0x0A0A), DIFFERENT_AND_THIRD);
    v = _mm512_ternarylogic_epi32(v, near, _mm512_slli_epi16(near, 3), XOR3);
    __m512i far = _mm512_ternarylogic_epi32(v, _mm512_srli_epi16(v, 6), _mm512_set1_epi16(0x00CC), DIFFERENT_AND_THIRD);
    return _mm512_ternarylogic_epi32(v, far, _mm512_slli_epi16(far, 6), XOR3);
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
static inline void add_turned(const kz_dobutsu_turn *turn, parts p, parts *sum) {
    enum { SINGLES_AT = 4, HANDS_AT = 16, TWO_WORDS = 3 };
    parts swaps = load_parts(&turn->swaps);
    __m512i low = turn_words(p.low, swaps.low);
    __m512i high = turn_words(p.high, swaps.high);
    __m512i last = turn_words(_mm512_castsi256_si512(p.tail), _mm512_castsi256_si512(swaps.tail));
    sum->low = _mm512_or_si512(sum->low, pick(low, high, last, _mm512_loadu_si512(turn->from)));
    sum->high = _mm512_or_si512(sum->high, pick(low, high, last, _mm512_loadu_si512(turn->from + 32)));
    __m512i words = pick(low, high, last, _mm512_maskz_loadu_epi16(TWO_WORDS, turn->from + 64));
    /* Singles: owner and hand change. */
    __m128i singles = _mm256_castsi256_si128(p.tail);
    singles =
        _mm_ternarylogic_epi32(_mm_set1_epi8(0x55), _mm_srli_epi16(singles, 1), _mm_slli_epi16(singles, 1), BY_FIRST);
    singles =
        _mm_ternarylogic_epi32(_mm_set1_epi8(0x33), _mm_srli_epi16(singles, 2), _mm_slli_epi16(singles, 2), BY_FIRST);
    __m128i from = _mm_loadu_si128((const __m128i *)(const void *)turn->single_from);
    singles = _mm_shuffle_epi8(_mm_srli_si128(singles, SINGLES_AT), from);
    singles = _mm_mask_mov_epi32(_mm_slli_si128(singles, SINGLES_AT), 1, _mm512_castsi512_si128(words));
    unsigned hands = (uint8_t)_mm256_extract_epi8(p.tail, HANDS_AT);
    hands = (hands >> 2 | (hands & 2) | (hands & 1) << 2) & 7;
    __m256i tail = _mm256_inserti128_si256(_mm256_castsi128_si256(singles), _mm_cvtsi32_si128((int)hands), 1);
    sum->tail = _mm256_or_si256(sum->tail, tail);
}

/* ---- Rows -------------------------------------------------------------------------------------------------------- */

/* The bits of singles where those of a pair's marks are, and back. */
static inline __m512i spread_singles(__m256i tail) {
    /* As the tail of `pick`: the words of two pairs, then the singles. */
    __m128i two = _mm256_castsi256_si128(tail);
    __m256i v = _mm256_cvtepu8_epi16(_mm_srli_si128(two, 2)); /* singles from lane 2 on */
    v = _mm256_or_si256(_mm256_or_si256(_mm256_and_si256(v, _mm256_set1_epi16(0x03)),
                                        _mm256_slli_epi16(_mm256_and_si256(v, _mm256_set1_epi16(0x0C)), 2)),
                        _mm256_or_si256(_mm256_slli_epi16(_mm256_and_si256(v, _mm256_set1_epi16(0x30)), 4),
                                        _mm256_slli_epi16(_mm256_and_si256(v, _mm256_set1_epi16(0xC0)), 6)));
    return _mm512_castsi256_si512(_mm256_mask_mov_epi32(v, 1, tail));
}

static inline __m256i join_singles(__m256i v) {
    return _mm256_or_si256(_mm256_or_si256(_mm256_and_si256(v, _mm256_set1_epi16(0x03)),
                                           _mm256_and_si256(_mm256_srli_epi16(v, 2), _mm256_set1_epi16(0x0C))),
                           _mm256_or_si256(_mm256_and_si256(_mm256_srli_epi16(v, 4), _mm256_set1_epi16(0x30)),
                                           _mm256_and_si256(_mm256_srli_epi16(v, 6), _mm256_set1_epi16(0xC0))));
}

static inline __m256i lanes_of(const uint16_t *lanes) {
    return _mm256_loadu_si256((const __m256i *)(const void *)lanes);
}

/* The singles of a tail as words, then the hands. */
static inline __m256i singles_as_words(__m256i tail) {
    __m128i singles = _mm_alignr_epi8(_mm256_extracti128_si256(tail, 1), _mm256_castsi256_si128(tail), 4);
    return _mm256_cvtepu8_epi16(singles);
}

#define OR2(a, b) _mm256_or_si256(s[a], s[b])
#define OR3(a, b, c) _mm256_ternarylogic_epi32(s[a], s[b], s[c], OR3)
#define OR4(a, b, c, d) _mm256_or_si256(OR3(a, b, c), s[d])
#define OR5(a, b, c, d, e) _mm256_or_si256(OR3(a, b, c), OR2(d, e))
#define OR6(a, b, c, d, e, f) _mm256_or_si256(OR3(a, b, c), OR3(d, e, f))

/* For each square the sides of those that an enemy's hen goes to from there. */
static inline void gather_hens(const __m256i s[KZ_DOBUTSU_SQUARES], __m256i hens[KZ_DOBUTSU_SQUARES]) {
    hens[0] = OR2(1, 3);
    hens[1] = OR3(0, 2, 4);
    hens[2] = OR2(1, 5);
    hens[3] = OR4(0, 1, 4, 6);
    hens[4] = OR6(0, 1, 2, 3, 5, 7);
    hens[5] = OR4(1, 2, 4, 8);
    hens[6] = OR4(3, 4, 7, 9);
    hens[7] = OR6(3, 4, 5, 6, 8, 10);
    hens[8] = OR4(4, 5, 7, 11);
    hens[9] = OR3(6, 7, 10);
    hens[10] = OR5(6, 7, 8, 9, 11);
    hens[11] = OR3(7, 8, 10);
}

/* A chick, dropped or on the board, moves without a capture or captures a chick. */
static inline void move_chicks(const kz_dobutsu_strip_tables *tables, parts from, grid *sums, parts *sum) {
    grid spread;
    __m512i tail = spread_singles(from.tail);
    __m512i swapped_low = transpose(from.low);
    __m512i swapped_high = transpose(from.high);
    __m512i swapped_tail = transpose(_mm512_castsi256_si512(from.tail));
#pragma GCC unroll 6
    for (int x = 0; x < KZ_DOBUTSU_SQUARES; x += 2) {
        __m512i straight = pick(from.low, from.high, tail, _mm512_loadu_si512(tables->side_from[0][x]));
        __m512i numbers = _mm512_loadu_si512(tables->side_from[1][x]);
        __m512i swapped = x == 10 ? pick(swapped_low, swapped_high, swapped_tail, numbers)
                                  : pick_first(swapped_low, swapped_high, numbers);
        spread.two[x / 2] = _mm512_or_si512(straight, swapped);
    }
    __m256i s[KZ_DOBUTSU_SQUARES];
    __m256i hens[KZ_DOBUTSU_SQUARES];
#pragma GCC unroll 12
    for (int x = 0; x < KZ_DOBUTSU_SQUARES; x++) {
        s[x] = spread.side[x];
    }
    gather_hens(s, hens);
    /* A chick that is captured, a chick or a hen of the other side, goes to the hand; by a chick and by a hen: */
    __m256i words = singles_as_words(from.tail);
    __mmask16 arrive = _mm256_test_epi16_mask(words, lanes_of(tables->chick_arrives));
    __m256i by_chick = _mm256_maskz_mov_epi16(arrive, _mm256_set1_epi16(0x0050));
    __m256i by_hen =
        _mm256_maskz_mov_epi16(_mm256_test_epi16_mask(words, _mm256_set1_epi16(0x80)), _mm256_set1_epi16(0x5000));
#pragma GCC unroll 12
    for (int x = 0; x < KZ_DOBUTSU_SQUARES; x++) {
        __m256i side = _mm256_and_si256(hens[x], _mm256_set1_epi16((short)HEN_NIBBLE));
        side = _mm256_ternarylogic_epi32(side, by_hen, lanes_of(tables->hen_lanes[x]), FIRST_OR_BOTH);
        if (x >= PROMOTED_ROW) {
            __m256i chicks = s[x - PROMOTED_ROW];
            chicks = x < 2 * PROMOTED_ROW ? _mm256_srli_epi16(chicks, 8) : chicks;
            side = _mm256_ternarylogic_epi32(side, chicks, _mm256_set1_epi16(CHICK_NIBBLE), FIRST_OR_BOTH);
            side = _mm256_ternarylogic_epi32(side, by_chick, lanes_of(tables->chick_lanes[x]), FIRST_OR_BOTH);
        }
        hens[x] = side;
    }
#pragma GCC unroll 6
    for (int i = 0; i < KZ_DOBUTSU_SQUARES / 2; i++) {
        __m512i two = _mm512_inserti64x4(_mm512_castsi256_si512(hens[2 * i]), hens[2 * i + 1], 1);
        sums->two[i] = _mm512_or_si512(sums->two[i], two);
    }
    __m256i any = _mm256_ternarylogic_epi32(OR6(0, 1, 2, 3, 4, 5), OR3(6, 7, 8), OR3(9, 10, 11), OR3);
    __m256i dropped =
        _mm256_or_si256(_mm256_or_si256(_mm256_and_si256(_mm256_srli_epi16(any, 3), _mm256_set1_epi16(0x02)),
                                        _mm256_and_si256(_mm256_srli_epi16(any, 2), _mm256_set1_epi16(0x08))),
                        _mm256_or_si256(_mm256_and_si256(_mm256_srli_epi16(any, 1), _mm256_set1_epi16(0x20)),
                                        _mm256_and_si256(any, _mm256_set1_epi16(0x80))));
    unsigned hands = (unsigned)_mm256_extract_epi16(any, KZ_DOBUTSU_SQUARES) >> 3 & 6;
    __m128i singles = _mm_slli_si128(_mm256_cvtepi16_epi8(dropped), 4);
    __m256i more = _mm256_inserti128_si256(_mm256_castsi128_si256(singles), _mm_cvtsi32_si128((int)hands), 1);
    sum->tail = _mm256_or_si256(sum->tail, more);
}

static inline void add_side(grid *sums, unsigned square, __m256i side) {
    sums->side[square] = _mm256_or_si256(sums->side[square], side);
}

/* A chick captures an elephant or a giraffe on a square. `other`: the sums are for the other view. */
static inline void capture_with_chicks(const kz_dobutsu_strip_tables *tables, parts from, unsigned square, bool other,
                                       grid *sums) {
    __m512i tail = spread_singles(from.tail);
    __m512i numbers = _mm512_castsi256_si512(lanes_of(tables->side_from[0][square]));
    __m512i side = pick(from.low, from.high, tail, numbers);
    numbers = _mm512_castsi256_si512(lanes_of(tables->side_from[1][square]));
    side = _mm512_or_si512(side, transpose(pick(from.low, from.high, tail, numbers)));
    const uint16_t *images = tables->lane_images[other];
    __m256i straight = _mm256_permutexvar_epi16(lanes_of(images), _mm512_castsi512_si256(side));
    __m256i chicks = _mm256_srl_epi16(straight, _mm_cvtsi32_si128(square < PROMOTED_ROW ? 8 : 0));
    __m256i hens = _mm256_and_si256(straight, _mm256_set1_epi16((short)HEN_NIBBLE));
    square = images[square];
    for (unsigned to = tables->hen_to[square]; to; to &= to - 1) {
        add_side(sums, kz_lowest_bit32(to), hens);
    }
    if (square + PROMOTED_ROW < KZ_DOBUTSU_SQUARES) {
        add_side(sums, square + PROMOTED_ROW, _mm256_and_si256(chicks, _mm256_set1_epi16(CHICK_NIBBLE)));
    }
}

/* Another piece has captured an own chick or hen on a square: it is in the opponent's hand then. */
static inline void return_captured(const kz_dobutsu_strip_tables *tables, const kz_dobutsu_strip *from, unsigned square,
                                   bool other, grid *sums) {
    __m128i marks = kz_dobutsu_captured_marks(from);
    __m256i side = _mm256_cvtepu8_epi16(marks);
    side = _mm256_or_si256(side, _mm256_slli_epi16(side, 8));
    const uint16_t *images = tables->lane_images[other];
    add_side(sums, images[square], _mm256_permutexvar_epi16(lanes_of(images), side));
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
    sum->low = _mm512_ternarylogic_epi32(sum->low, low, swapped_low, OR3);
    sum->high = _mm512_ternarylogic_epi32(sum->high, high, swapped_high, OR3);
    __m256i words = _mm512_castsi512_si256(tail);
    __m128i singles = _mm_slli_si128(_mm256_cvtepi16_epi8(join_singles(words)), 2);
    __m256i two = _mm256_or_si256(words, _mm512_castsi512_si256(swapped_tail));
    singles = _mm_mask_mov_epi32(singles, TWO_WORDS, _mm256_castsi256_si128(two));
    sum->tail = _mm256_or_si256(sum->tail, _mm256_zextsi128_si256(singles));
}

/* ---- All of it --------------------------------------------------------------------------------------------------- */

/* Adds a strip if the mask has all bits, and nothing if it has none. */
static inline void add_parts_if(parts *sum, __mmask8 wanted, parts p) {
    sum->low = _mm512_mask_or_epi64(sum->low, wanted, sum->low, p.low);
    sum->high = _mm512_mask_or_epi64(sum->high, wanted, sum->high, p.high);
    sum->tail = _mm256_mask_or_epi64(sum->tail, wanted, sum->tail, p.tail);
}

void kz_dobutsu_gather_avx512(const kz_dobutsu_strips *strips, const uint32_t *targets, unsigned count,
                              const kz_dobutsu_strip *plane, kz_dobutsu_strip *result) {
    const kz_dobutsu_strip_tables *tables = &strips->tables;
    parts views[2] = {no_parts(), no_parts()}; /* as they are, and mirrored */
    unsigned used = 0;
    unsigned pieces = count;
    while (pieces > 0 && kz_dobutsu_target_kind(targets[pieces - 1]) != KZ_DOBUTSU_PIECE_MOVES) {
        pieces--; /* moves of chicks come last, the one without a capture first of them */
    }
    bool view = count > 0 && kz_dobutsu_is_mirrored(targets[pieces < count ? pieces : count - 1]);
    bool sides = pieces < count;
    grid sums;
    for (int i = 0; i < SIDES / 2; i++) {
        sums.two[i] = _mm512_setzero_si512();
    }
    for (unsigned i = 0; i < pieces; i++) {
        const kz_dobutsu_strip *from = &plane[targets[i] & KZ_DOBUTSU_TARGET_RUN];
        unsigned image = kz_dobutsu_is_mirrored(targets[i]);
        unsigned square = kz_dobutsu_target_square(targets[i]);
        parts p = load_parts(from);
        add_parts_if(&views[0], (__mmask8)(image - 1), p);
        add_parts_if(&views[1], (__mmask8)-image, p);
        return_captured(tables, from, square, image != view, &sums);
        used |= 1U << image;
        sides |= square != KZ_DOBUTSU_TARGET_NO_SQUARE;
    }
    if (sides) {
        parts sum = no_parts();
        for (unsigned i = count; i-- > pieces;) {
            parts from = load_parts(&plane[targets[i] & KZ_DOBUTSU_TARGET_RUN]);
            if (kz_dobutsu_target_kind(targets[i]) == KZ_DOBUTSU_CHICK_CAPTURES) {
                capture_with_chicks(tables, from, kz_dobutsu_target_square(targets[i]),
                                    kz_dobutsu_is_mirrored(targets[i]) != view, &sums);
            } else {
                move_chicks(tables, from, &sums, &sum);
            }
        }
        join_sides(tables, &sums, &sum);
        add_parts_if(&views[0], (__mmask8)(view - 1), sum);
        add_parts_if(&views[1], (__mmask8)-view, sum);
        used |= 1U << view;
    }
    parts turned = no_parts();
    if (used & 1) {
        add_turned(&tables->turns[0], views[0], &turned);
    }
    if (used & 2) {
        add_turned(&tables->turns[1], views[1], &turned);
    }
    store_parts(result, turned);
}
#endif
