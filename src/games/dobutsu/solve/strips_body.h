/* SPDX-License-Identifier: MIT
 *
 * The gather of sweeps over strips for processors of x86-64 with vectors. It does what strips_plain.c does, but words
 * of pairs change their places many at a time.
 *
 * The squares of chicks are *sides* of sixteen words: side x, lane y is the word of a pair as the piece on x comes
 * first; lane 12 is a single chick on x, its bits where those of a pair's marks are. Sums of sides are kept for one of
 * the two views (mirrored or not); what belongs to the other one is mirrored when it is added.
 *
 * A file that includes this defines what processors do in different ways: the types parts (a strip), grid (sides) and
 * origin (a strip that moves lead to), or_three, or_masked, where_any, mirror_marks and add_sides. Then it includes
 * this, and uses it for load_parts, take_from, add_to_view, add_turned, store_parts, move_chicks, straight_side and
 * join_sides. Then it defines GATHER, the name of the gather, and includes this once more. ALWAYS_RETURNS: to add in
 * vain is cheaper than a branch. */
#ifndef GATHER
#include "base/bits.h"
#include "games/dobutsu/solve/strips.h"

#include <immintrin.h>
#include <string.h>

/* Marks of the piece that moves: an enemy's chick is 1, a hen 3. */
enum { CHICK_NIBBLE = 0x00F0, HEN_NIBBLE = 0xF000, PROMOTED_ROW = 3 };

/* Side 12 is for singles, side 15 takes what belongs to no square. */
enum { SINGLES_SIDE = KZ_DOBUTSU_SQUARES, SIDES = 16 };

static inline __m256i load_lanes(const void *lanes) { return _mm256_loadu_si256((const __m256i *)lanes); }

/* The bits of singles where those of a pair's marks are, and back. */
static inline __m256i spread_words(__m256i v) {
    return _mm256_or_si256(_mm256_or_si256(_mm256_and_si256(v, _mm256_set1_epi16(0x03)),
                                           _mm256_slli_epi16(_mm256_and_si256(v, _mm256_set1_epi16(0x0C)), 2)),
                           _mm256_or_si256(_mm256_slli_epi16(_mm256_and_si256(v, _mm256_set1_epi16(0x30)), 4),
                                           _mm256_slli_epi16(_mm256_and_si256(v, _mm256_set1_epi16(0xC0)), 6)));
}

static inline __m256i join_words(__m256i v) {
    return _mm256_or_si256(_mm256_or_si256(_mm256_and_si256(v, _mm256_set1_epi16(0x03)),
                                           _mm256_and_si256(_mm256_srli_epi16(v, 2), _mm256_set1_epi16(0x0C))),
                           _mm256_or_si256(_mm256_and_si256(_mm256_srli_epi16(v, 4), _mm256_set1_epi16(0x30)),
                                           _mm256_and_si256(_mm256_srli_epi16(v, 6), _mm256_set1_epi16(0xC0))));
}

#define OR2(a, b) _mm256_or_si256(s[a], s[b])
#define OR3(a, b, c) or_three(s[a], s[b], s[c])

/* For each square the sides of those that an enemy's hen goes to from there. */
static inline void gather_hens(const __m256i s[KZ_DOBUTSU_SQUARES], __m256i hens[KZ_DOBUTSU_SQUARES]) {
    hens[0] = OR2(1, 3);
    hens[1] = OR3(0, 2, 4);
    hens[2] = OR2(1, 5);
    hens[3] = _mm256_or_si256(OR3(0, 1, 4), s[6]);
    hens[4] = _mm256_or_si256(OR3(0, 1, 2), OR3(3, 5, 7));
    hens[5] = _mm256_or_si256(OR3(1, 2, 4), s[8]);
    hens[6] = _mm256_or_si256(OR3(3, 4, 7), s[9]);
    hens[7] = _mm256_or_si256(OR3(3, 4, 5), OR3(6, 8, 10));
    hens[8] = _mm256_or_si256(OR3(4, 5, 7), s[11]);
    hens[9] = OR3(6, 7, 10);
    hens[10] = _mm256_or_si256(OR3(6, 7, 8), OR2(9, 11));
    hens[11] = OR3(7, 8, 10);
}

/* Adds what chicks on the board lead to, without a capture or with that of a chick, from the sides of their strip.
 * `words`: the singles as words. */
static inline void move_on_board(const kz_dobutsu_strip_tables *tables, const __m256i s[KZ_DOBUTSU_SQUARES],
                                 __m256i words, grid *sums) {
    __m256i hens[KZ_DOBUTSU_SQUARES];
    gather_hens(s, hens);
    /* A chick that is captured, a chick or a hen of the other side, goes to the hand; by a chick and by a hen: */
    __m256i by_chick = where_any(words, load_lanes(tables->chick_arrives), 0x0050);
    __m256i by_hen = where_any(words, _mm256_set1_epi16(0x80), 0x5000);
#pragma GCC unroll 12
    for (int x = 0; x < KZ_DOBUTSU_SQUARES; x++) {
        __m256i side = _mm256_and_si256(hens[x], _mm256_set1_epi16((short)HEN_NIBBLE));
        side = or_masked(side, by_hen, load_lanes(tables->hen_lanes[x]));
        if (x >= PROMOTED_ROW) {
            __m256i chicks = s[x - PROMOTED_ROW];
            chicks = x < 2 * PROMOTED_ROW ? _mm256_srli_epi16(chicks, 8) : chicks;
            side = or_masked(side, chicks, _mm256_set1_epi16(CHICK_NIBBLE));
            side = or_masked(side, by_chick, load_lanes(tables->chick_lanes[x]));
        }
        hens[x] = side;
    }
    add_sides(sums, hens);
}

/* The same of dropped chicks: singles, and the hands, as the end of a strip has them. */
static inline __m256i drop_chicks(const __m256i s[KZ_DOBUTSU_SQUARES]) {
    __m256i any = or_three(_mm256_or_si256(OR3(0, 1, 2), OR3(3, 4, 5)), OR3(6, 7, 8), OR3(9, 10, 11));
    __m256i dropped =
        _mm256_or_si256(_mm256_or_si256(_mm256_and_si256(_mm256_srli_epi16(any, 3), _mm256_set1_epi16(0x02)),
                                        _mm256_and_si256(_mm256_srli_epi16(any, 2), _mm256_set1_epi16(0x08))),
                        _mm256_or_si256(_mm256_and_si256(_mm256_srli_epi16(any, 1), _mm256_set1_epi16(0x20)),
                                        _mm256_and_si256(any, _mm256_set1_epi16(0x80))));
    unsigned hands = (unsigned)_mm256_extract_epi16(any, SINGLES_SIDE) >> 3 & 6;
    __m128i singles = _mm_packus_epi16(_mm256_castsi256_si128(dropped), _mm256_extracti128_si256(dropped, 1));
    return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_slli_si128(singles, 4)), _mm_cvtsi32_si128((int)hands),
                                   1);
}

static inline void add_side(grid *sums, unsigned square, __m256i side) {
    sums->side[square] = _mm256_or_si256(sums->side[square], side);
}

/* A chick has captured an elephant or a giraffe on a square; `straight` is its side, as the view of the sums has it. */
static inline void add_captures(const kz_dobutsu_strip_tables *tables, __m256i straight, unsigned square, bool other,
                                grid *sums) {
    __m256i chicks = _mm256_srl_epi16(straight, _mm_cvtsi32_si128(square < PROMOTED_ROW ? 8 : 0));
    __m256i hens = _mm256_and_si256(straight, _mm256_set1_epi16((short)HEN_NIBBLE));
    square = tables->lane_images[other][square];
    for (unsigned to = tables->hen_to[square]; to; to &= to - 1) {
        add_side(sums, kz_lowest_bit32(to), hens);
    }
    if (square + PROMOTED_ROW < KZ_DOBUTSU_SQUARES) {
        add_side(sums, square + PROMOTED_ROW, _mm256_and_si256(chicks, _mm256_set1_epi16(CHICK_NIBBLE)));
    }
}

/* Another piece has captured an own chick or hen on a square: it is in the opponent's hand then. By the square of the
 * other chick: the four marks of that one, a byte each; after the squares those of no other chick on the board. Bits 1
 * and 3 of a single, and 5 and 7, are the marks; bits 1 and 2 of the hands are as those of a single. */
static inline void return_captured(const kz_dobutsu_strip_tables *tables, const kz_dobutsu_strip *strip,
                                   unsigned square, bool other, grid *sums) {
    const __m128i low_marks = _mm_setr_epi8(0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3);
    const __m128i high_marks = _mm_slli_epi16(low_marks, 2);
    const __m128i nibble = _mm_set1_epi8(0x0F);
    __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)strip->of.singles);
    bytes = _mm_add_epi8(bytes, _mm_and_si128(bytes, _mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0)));
    __m128i marks = _mm_or_si128(_mm_shuffle_epi8(low_marks, _mm_and_si128(bytes, nibble)),
                                 _mm_shuffle_epi8(high_marks, _mm_and_si128(_mm_srli_epi16(bytes, 4), nibble)));
    __m256i side = mirror_marks(tables, marks, other);
    add_side(sums, tables->lane_images[other][square], _mm256_or_si256(side, _mm256_slli_epi16(side, 8)));
}

#else

void GATHER(const kz_dobutsu_strips *strips, const uint32_t *targets, unsigned count, const kz_dobutsu_strip *plane,
            kz_dobutsu_strip *result) {
    const kz_dobutsu_strip_tables *tables = &strips->tables;
    const parts none = {0};
    parts views[2] = {none, none}; /* as they are, and mirrored */
    unsigned used = 0;
    unsigned pieces = count;
    while (pieces > 0 && kz_dobutsu_target_kind(targets[pieces - 1]) != KZ_DOBUTSU_PIECE_MOVES) {
        pieces--; /* moves of chicks come last, the one without a capture first of them */
    }
    bool view = count > 0 && kz_dobutsu_is_mirrored(targets[pieces < count ? pieces : count - 1]);
    bool sides = pieces < count;
    grid sums;
#pragma GCC unroll 16
    for (int i = 0; i < SIDES; i++) {
        sums.side[i] = _mm256_setzero_si256();
    }
    for (unsigned i = 0; i < pieces; i++) {
        const kz_dobutsu_strip *strip = &plane[targets[i] & KZ_DOBUTSU_TARGET_RUN];
        unsigned image = kz_dobutsu_is_mirrored(targets[i]);
        unsigned square = kz_dobutsu_target_square(targets[i]);
        add_to_view(views, image, load_parts(strip));
        used |= 1U << image;
        if (ALWAYS_RETURNS || square != KZ_DOBUTSU_TARGET_NO_SQUARE) {
            return_captured(tables, strip, square, image != view, &sums);
            sides |= square != KZ_DOBUTSU_TARGET_NO_SQUARE;
        }
    }
    if (sides) {
        parts sum = none;
        for (unsigned i = count; i-- > pieces;) {
            origin strip = take_from(&plane[targets[i] & KZ_DOBUTSU_TARGET_RUN]);
            if (kz_dobutsu_target_kind(targets[i]) == KZ_DOBUTSU_CHICK_CAPTURES) {
                unsigned square = kz_dobutsu_target_square(targets[i]);
                bool other = kz_dobutsu_is_mirrored(targets[i]) != view;
                add_captures(tables, straight_side(tables, strip, square, other), square, other, &sums);
            } else {
                move_chicks(tables, strip, &sums, &sum);
            }
        }
        join_sides(tables, &sums, &sum);
        add_to_view(views, view, sum);
        used |= 1U << view;
    }
    parts turned = none;
    for (unsigned i = 0; i < 2; i++) {
        if (used >> i & 1) {
            add_turned(tables, &tables->turns[i], &views[i], &turned);
        }
    }
    store_parts(result, &turned);
}
#endif
