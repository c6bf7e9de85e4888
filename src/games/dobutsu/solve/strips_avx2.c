/* SPDX-License-Identifier: MIT
 *
 * The sweeps over strips for processors with AVX2 (strips_body.h); the build compiles this file with their
 * instructions.
 *
 * The pairs of a strip are a triangle: side b holds the words of the pairs (a, b), a < b, one after the other. So sides
 * are loaded and stored as they are, and what is wanted by columns comes from transposing all sides. */
#include "games/dobutsu/solve/strips.h"

#ifdef __x86_64__

#include <immintrin.h>

enum { GRID_SIDES = 16, HALF = 8, TAIL = KZ_DOBUTSU_STRIP_VECTORS - 1, HANDS_AT = 16, ALWAYS_RETURNS = 0 };

typedef struct parts {
    __m256i v[KZ_DOBUTSU_STRIP_VECTORS]; /* the last one: the words of two pairs, the singles, the hands */
} parts;

typedef struct grid {
    __m256i side[GRID_SIDES];
} grid;

typedef const kz_dobutsu_strip *origin;

/* Room for sides that are stored one after the other, with what is beyond the last one. */
typedef union triangle {
    __m256i v[KZ_DOBUTSU_STRIP_VECTORS + 1];
    uint16_t words[KZ_DOBUTSU_VECTOR_WORDS * (KZ_DOBUTSU_STRIP_VECTORS + 1)];
} triangle;

static inline __m256i load(const void *bytes) { return _mm256_loadu_si256((const __m256i *)bytes); }

static inline __m128i low_half(__m256i v) { return _mm256_castsi256_si128(v); }

static inline __m128i high_half(__m256i v) { return _mm256_extracti128_si256(v, 1); }

static inline __m256i join_halves(__m128i low, __m128i high) {
    return _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
}

static inline __m256i or_three(__m256i a, __m256i b, __m256i c) { return _mm256_or_si256(_mm256_or_si256(a, b), c); }

/* The bits of `added` that are in the mask, too. */
static inline __m256i or_masked(__m256i sum, __m256i added, __m256i mask) {
    return _mm256_or_si256(sum, _mm256_and_si256(added, mask));
}

/* Words with a value where the others have some bits of a mask. */
static inline __m256i where_any(__m256i words, __m256i mask, int value) {
    __m256i none = _mm256_cmpeq_epi16(_mm256_and_si256(words, mask), _mm256_setzero_si256());
    return _mm256_andnot_si256(none, _mm256_set1_epi16((short)value));
}

/* Bytes of squares as words, mirrored or not. */
static inline __m256i mirror_marks(const kz_dobutsu_strip_tables *tables, __m128i marks, bool mirrored) {
    static const uint8_t images[2][16] = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
                                          {2, 1, 0, 5, 4, 3, 8, 7, 6, 11, 10, 9, 12, 13, 14, 15}};
    (void)tables;
    __m128i image = _mm_loadu_si128((const __m128i *)(const void *)images[mirrored]);
    return _mm256_cvtepu8_epi16(_mm_shuffle_epi8(marks, image));
}

static inline void add_sides(grid *sums, const __m256i sides[KZ_DOBUTSU_SQUARES]) {
    for (int x = 0; x < KZ_DOBUTSU_SQUARES; x++) {
        sums->side[x] = _mm256_or_si256(sums->side[x], sides[x]);
    }
}

#include "games/dobutsu/solve/strips_body.h"

static inline parts load_parts(const kz_dobutsu_strip *strip) {
    parts p;
    for (int i = 0; i < KZ_DOBUTSU_STRIP_VECTORS; i++) {
        p.v[i] = load(&strip->vectors[i]);
    }
    return p;
}

static inline origin take_from(const kz_dobutsu_strip *strip) { return strip; }

static inline void store_parts(kz_dobutsu_strip *strip, const parts *p) { memcpy(strip, p, sizeof *p); }

static inline void add_to_view(parts views[2], unsigned view, parts p) {
    for (int i = 0; i < KZ_DOBUTSU_STRIP_VECTORS; i++) {
        views[view].v[i] = _mm256_or_si256(views[view].v[i], p.v[i]);
    }
}

/* Exchanges the two marks in each word: bits 4 a + b and 4 b + a. */
static inline __m256i transpose_marks(__m256i v) {
    __m256i near = _mm256_and_si256(_mm256_xor_si256(v, _mm256_srli_epi16(v, 3)), _mm256_set1_epi16(0x0A0A));
    v = _mm256_xor_si256(v, _mm256_xor_si256(near, _mm256_slli_epi16(near, 3)));
    __m256i far = _mm256_and_si256(_mm256_xor_si256(v, _mm256_srli_epi16(v, 6)), _mm256_set1_epi16(0x00CC));
    return _mm256_xor_si256(v, _mm256_xor_si256(far, _mm256_slli_epi16(far, 6)));
}

/* ---- Rows and columns -------------------------------------------------------------------------------------------- */

static inline unsigned side_at(unsigned side) { return side * (side - 1) / 2; }

/* Side b of a triangle, and nothing beyond it. */
static inline __m256i load_side(const kz_dobutsu_strip_tables *tables, const uint16_t *words, unsigned b) {
    return _mm256_and_si256(load(words + side_at(b)), load_lanes(tables->lanes_below[b]));
}

/* Exchanges sides and lanes of eight sides, in both halves of the vectors by itself. */
static inline void transpose_eight(const __m256i in[HALF], __m256i out[HALF]) {
    __m256i a[HALF];
    __m256i b[HALF];
    for (int i = 0; i < HALF; i += 2) {
        a[i] = _mm256_unpacklo_epi16(in[i], in[i + 1]);
        a[i + 1] = _mm256_unpackhi_epi16(in[i], in[i + 1]);
    }
    for (int i = 0; i < HALF; i += 4) {
        b[i] = _mm256_unpacklo_epi32(a[i], a[i + 2]);
        b[i + 1] = _mm256_unpackhi_epi32(a[i], a[i + 2]);
        b[i + 2] = _mm256_unpacklo_epi32(a[i + 1], a[i + 3]);
        b[i + 3] = _mm256_unpackhi_epi32(a[i + 1], a[i + 3]);
    }
    for (int i = 0; i < HALF / 2; i++) {
        out[2 * i] = _mm256_unpacklo_epi64(b[i], b[i + 4]);
        out[2 * i + 1] = _mm256_unpackhi_epi64(b[i], b[i + 4]);
    }
}

/* The columns of a triangle as sides: side x has lanes y > x. Lane 12 has the singles. */
static inline void load_columns(const kz_dobutsu_strip_tables *tables, const uint16_t *words, __m256i singles,
                                __m256i columns[KZ_DOBUTSU_SQUARES]) {
    __m256i last[4];
    __m256i in[HALF];
    for (unsigned i = 0; i < 4; i++) {
        last[i] = load_side(tables, words, HALF + i);
        in[i] = i == 0 ? _mm256_setzero_si256() : load_side(tables, words, i);
        in[i] = join_halves(low_half(in[i]), low_half(last[i]));
        in[4 + i] = load_side(tables, words, 4 + i);
    }
    in[4] = join_halves(low_half(in[4]), low_half(singles));
    transpose_eight(in, columns);
    __m128i s = high_half(singles);
    __m128i a = _mm_unpacklo_epi16(high_half(last[0]), high_half(last[1]));
    __m128i b = _mm_unpacklo_epi16(high_half(last[2]), high_half(last[3]));
    __m128i low = _mm_unpacklo_epi32(a, b);
    __m128i high = _mm_unpackhi_epi32(a, b);
    const __m128i none = _mm_setzero_si128();
    columns[8] = join_halves(none, _mm_unpacklo_epi64(low, s));
    columns[9] = join_halves(none, _mm_unpackhi_epi64(low, _mm_slli_si128(s, 6)));
    columns[10] = join_halves(none, _mm_unpacklo_epi64(high, _mm_srli_si128(s, 4)));
    columns[11] = join_halves(none, _mm_unpackhi_epi64(high, _mm_slli_si128(s, 2)));
}

/* ---- Turning ----------------------------------------------------------------------------------------------------- */

/* Words of pairs as the other side sees them, but in their old places. */
static inline __m256i turn_words(__m256i v, __m256i swaps) {
    v = _mm256_xor_si256(v, _mm256_and_si256(_mm256_xor_si256(v, transpose_marks(v)), swaps));
    /* Each mark's lowest bit is the owner. */
    const __m256i b = _mm256_set1_epi16(0x5555);
    v = _mm256_or_si256(_mm256_and_si256(_mm256_srli_epi16(v, 1), b), _mm256_slli_epi16(_mm256_and_si256(v, b), 1));
    const __m256i a = _mm256_set1_epi16(0x0F0F);
    return _mm256_or_si256(_mm256_and_si256(_mm256_srli_epi16(v, 4), a), _mm256_slli_epi16(_mm256_and_si256(v, a), 4));
}

/* Adds a strip to another one as the other side sees it. Square x becomes single_from[x], and the other way round. */
static inline void add_turned(const kz_dobutsu_strip_tables *tables, const kz_dobutsu_turn *turn, const parts *p,
                              parts *sum) {
    triangle words;
    triangle turned;
    __m256i columns[KZ_DOBUTSU_SQUARES];
    for (int i = 0; i < KZ_DOBUTSU_STRIP_VECTORS; i++) {
        words.v[i] = turn_words(p->v[i], load(&turn->swaps.vectors[i]));
    }
    words.v[KZ_DOBUTSU_STRIP_VECTORS] = _mm256_setzero_si256();
    load_columns(tables, words.words, _mm256_setzero_si256(), columns);
    for (unsigned x = 1; x < KZ_DOBUTSU_SQUARES; x++) {
        columns[x] = _mm256_or_si256(columns[x], load_side(tables, words.words, x));
    }
    __m128i low_low = _mm_load_si128((const __m128i *)(const void *)turn->lanes_from[0]);
    __m128i low_high = _mm_load_si128((const __m128i *)(const void *)turn->lanes_from[1]);
    __m128i high_low = _mm_load_si128((const __m128i *)(const void *)turn->lanes_from[2]);
    for (unsigned x = 1; x < KZ_DOBUTSU_SQUARES; x++) {
        __m256i side = columns[turn->single_from[x]];
        __m128i low =
            _mm_or_si128(_mm_shuffle_epi8(low_half(side), low_low), _mm_shuffle_epi8(high_half(side), low_high));
        uint16_t *to = turned.words + side_at(x);
        _mm_storeu_si128((__m128i *)(void *)to, low);
        if (x > HALF) {
            _mm_storeu_si128((__m128i *)(void *)(to + HALF), _mm_shuffle_epi8(low_half(side), high_low));
        }
    }
    for (int i = 0; i < TAIL; i++) {
        sum->v[i] = _mm256_or_si256(sum->v[i], turned.v[i]);
    }
    /* Singles: owner and hand change. */
    __m128i singles = low_half(p->v[TAIL]);
    const __m128i hand = _mm_set1_epi8(0x55);
    singles =
        _mm_or_si128(_mm_and_si128(_mm_srli_epi16(singles, 1), hand), _mm_slli_epi16(_mm_and_si128(singles, hand), 1));
    const __m128i owner = _mm_set1_epi8(0x33);
    singles = _mm_or_si128(_mm_and_si128(_mm_srli_epi16(singles, 2), owner),
                           _mm_slli_epi16(_mm_and_si128(singles, owner), 2));
    __m128i from = _mm_loadu_si128((const __m128i *)(const void *)turn->single_from);
    singles = _mm_slli_si128(_mm_shuffle_epi8(_mm_srli_si128(singles, 4), from), 4);
    singles = _mm_blend_epi16(singles, low_half(turned.v[TAIL]), 3);
    unsigned hands = (uint8_t)_mm256_extract_epi8(p->v[TAIL], HANDS_AT);
    hands = (hands >> 2 | (hands & 2) | (hands & 1) << 2) & 7;
    sum->v[TAIL] = _mm256_or_si256(sum->v[TAIL], join_halves(singles, _mm_cvtsi32_si128((int)hands)));
}

/* ---- Moves of chicks --------------------------------------------------------------------------------------------- */

/* The singles as words, then the hands. */
static inline __m256i singles_as_words(const kz_dobutsu_strip *strip) {
    return _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)(const void *)strip->of.singles));
}

/* A chick, dropped or on the board, moves without a capture or captures a chick. */
static inline void move_chicks(const kz_dobutsu_strip_tables *tables, origin strip, grid *sums, parts *sum) {
    triangle swapped;
    __m256i s[KZ_DOBUTSU_SQUARES];
    for (int i = 0; i < KZ_DOBUTSU_STRIP_VECTORS; i++) {
        swapped.v[i] = transpose_marks(load(&strip->vectors[i]));
    }
    __m256i words = singles_as_words(strip);
    load_columns(tables, strip->of.pairs, spread_words(words), s);
    for (unsigned x = 1; x < KZ_DOBUTSU_SQUARES; x++) {
        s[x] = _mm256_or_si256(s[x], load_side(tables, swapped.words, x));
    }
    move_on_board(tables, s, words, sums);
    sum->v[TAIL] = _mm256_or_si256(sum->v[TAIL], drop_chicks(s));
}

/* The side of a square, as the view of the sums has it (`other`: that is the other one). */
static inline __m256i straight_side(const kz_dobutsu_strip_tables *tables, origin strip, unsigned square, bool other) {
    kz_dobutsu_lanes side = {0};
    const uint16_t *images = tables->lane_images[other];
    for (unsigned y = 0; y < KZ_DOBUTSU_SQUARES; y++) {
        side[y] = y == square ? 0 : strip->of.pairs[tables->pair_word[square][y]];
    }
    __m256i straight = load(side);
    __m256i below = load_lanes(tables->lanes_below[square]);
    straight = _mm256_blendv_epi8(straight, transpose_marks(straight), below);
    unsigned single = strip->of.singles[square]; /* as spread_words has it */
    single = (single & 0x03) | (single & 0x0C) << 2 | (single & 0x30) << 4 | (single & 0xC0) << 6;
    straight = _mm256_insert_epi16(straight, (short)single, SINGLES_SIDE);
    if (other) {
        kz_dobutsu_lanes mirrored;
        _mm256_store_si256((__m256i *)(void *)side, straight);
        for (unsigned y = 0; y < KZ_DOBUTSU_VECTOR_WORDS; y++) {
            mirrored[y] = side[images[y]];
        }
        straight = load(mirrored);
    }
    return straight;
}

/* Adds what is in the sides to a strip. */
static inline void join_sides(const kz_dobutsu_strip_tables *tables, const grid *sums, parts *sum) {
    (void)tables;
    triangle words;
    __m256i columns[HALF];
    const __m256i *side = sums->side;
    transpose_eight(side, columns); /* sides b, and in the high halves sides 8 + b */
    __m128i a = _mm_unpacklo_epi16(high_half(side[8]), high_half(side[9]));
    __m128i b = _mm_unpacklo_epi16(high_half(side[10]), high_half(side[11]));
    __m128i c = _mm_unpackhi_epi16(high_half(side[8]), high_half(side[9]));
    __m128i d = _mm_unpackhi_epi16(high_half(side[10]), high_half(side[11]));
    __m128i ends[4];
    ends[0] = _mm_unpacklo_epi32(a, b);
    ends[1] = _mm_srli_si128(ends[0], 8);
    ends[2] = _mm_unpackhi_epi32(a, b);
    ends[3] = _mm_srli_si128(ends[2], 8);
    __m128i last_singles = _mm_unpacklo_epi32(c, d);
    __m256i two[4]; /* sides i and 4 + i */
    for (int i = 0; i < 4; i++) {
        two[i] = _mm256_or_si256(join_halves(low_half(columns[i]), low_half(columns[4 + i])),
                                 transpose_marks(join_halves(low_half(side[i]), low_half(side[4 + i]))));
    }
    for (unsigned x = 1; x < HALF; x++) {
        __m128i v = x < 4 ? low_half(two[x % 4]) : high_half(two[x % 4]);
        _mm_storeu_si128((__m128i *)(void *)(words.words + side_at(x)), v);
    }
    for (unsigned x = HALF; x < KZ_DOBUTSU_SQUARES; x++) {
        __m256i v =
            _mm256_or_si256(join_halves(high_half(columns[x - HALF]), ends[x - HALF]), transpose_marks(side[x]));
        _mm256_storeu_si256((__m256i *)(void *)(words.words + side_at(x)), v);
    }
    for (int i = 0; i < TAIL; i++) {
        sum->v[i] = _mm256_or_si256(sum->v[i], words.v[i]);
    }
    __m256i singles = join_words(join_halves(high_half(columns[SINGLES_SIDE - HALF]), last_singles));
    __m128i tail = _mm_slli_si128(_mm_packus_epi16(low_half(singles), high_half(singles)), 4);
    tail = _mm_blend_epi16(tail, low_half(words.v[TAIL]), 3);
    sum->v[TAIL] = _mm256_or_si256(sum->v[TAIL], _mm256_inserti128_si256(_mm256_setzero_si256(), tail, 0));
}

#define GATHER kz_dobutsu_gather_avx2
#include "games/dobutsu/solve/strips_body.h"
#endif
