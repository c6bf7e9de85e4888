/* SPDX-License-Identifier: MIT
 *
 * Tables of all values: the neighbourhoods and contexts of 64 places at once, for processors with AVX-512 VBMI2. The
 * places are those with the same number in 64 runs. What comes out is what run_view.h says of each. Only for files that
 * are compiled for these processors. */
#ifndef KZ_TABLE_RUN_LANES_VBMI2_H
#define KZ_TABLE_RUN_LANES_VBMI2_H

#include "games/pushfight/table/run_view.h"
#include "games/pushfight/table/run_window.h"

#include <immintrin.h>
#include <string.h>

enum { LANES = 64, PART_LANES = 16, PARTS = LANES / PART_LANES };

static inline __m512i filled(unsigned byte) { return _mm512_set1_epi8((char)byte); }

static inline __m512i lane_numbers(void) {
    static const _Alignas(64) uint8_t numbers[LANES] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                                        16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
                                                        32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,
                                                        48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};
    return _mm512_load_si512(numbers);
}

/* ---- What the rules tell ----------------------------------------------------------------------------------------- */

/* Fills in what the rules tell about a group, as kz_run_block_begin. */
static inline void begin_group(const kz_run_layout *layout, const kz_group_plan *group, uint8_t *numbers) {
    const uint8_t *run_of = layout->windows->run_of;
    __m512i runs = _mm512_mask_blend_epi8(group->won, filled(KZ_NO_ENTRY), filled(KZ_WON_AT_ONCE));
    for (unsigned place = 0; place < layout->group; place += LANES) {
        unsigned left = layout->group - place;
        __mmask64 here = left < LANES ? (UINT64_C(1) << left) - 1 : UINT64_MAX;
        __m512i filled_in = _mm512_permutexvar_epi8(_mm512_loadu_si512(run_of + place), runs);
        _mm512_mask_storeu_epi8(numbers + place, here, filled_in);
    }
}

/* ---- Neighbours -------------------------------------------------------------------------------------------------- */

typedef struct lanes_around {
    _Alignas(64) uint8_t windows[LANES][KZ_WINDOW_BYTES];
    _Alignas(64) uint8_t rows[PART_LANES][PARTS][16]; /* the neighbours of a lane */
    _Alignas(64) uint8_t kinds[LANES];
    unsigned places[LANES]; /* where the runs begin, in their groups */
} lanes_around;

static inline void begin_around(lanes_around *around) {
    memset(around, 0, sizeof *around);
    for (unsigned i = 0; i < LANES; i++) {
        memset(around->windows[i] + (size_t)8 * KZ_WINDOW_UNKNOWN, KZ_NO_ENTRY, 8);
    }
}

/* All of a window but the run itself. `numbers` are those of the group. */
static inline void fill_window(const kz_run_layout *layout, lanes_around *around, unsigned number,
                               const uint8_t *numbers, const kz_group_plan *group, unsigned run_number) {
    const kz_run_windows *windows = layout->windows;
    const uint8_t *run = numbers + (size_t)run_number * layout->run;
    const uint16_t *back = windows->back[run_number];
    uint8_t *window = around->windows[number];
#pragma GCC unroll 16
    for (unsigned k = 0; k < KZ_WINDOW_RUNS; k++) {
        memcpy(window + (size_t)8 * k, run - back[k], 8);
    }
    for (unsigned k = 0; k < KZ_GROUP_NEIGHBOURS; k++) {
        const uint8_t *other = run - (size_t)group->back[k] * layout->group;
        other = group->back[k] ? other : window + (size_t)8 * KZ_WINDOW_UNKNOWN;
        memcpy(window + (size_t)8 * (KZ_WINDOW_GROUPS + k), other, 8);
    }
    around->places[number] = run_number * layout->run;
}

/* The neighbours of place `number` of all runs, a vector of lanes for each neighbour; then the place itself. */
static inline void find_neighbours(const kz_run_layout *layout, lanes_around *around, unsigned number,
                                   __m512i near[KZ_NEIGHBOURS + 1]) {
    const kz_run_windows *windows = layout->windows;
#pragma GCC unroll 4
    for (unsigned i = 0; i < LANES; i++) {
        unsigned place = around->places[i] + number;
        __m512i low = _mm512_load_si512(around->windows[i]);
        __m512i choose = _mm512_castsi128_si512(_mm_loadu_si128((const void *)windows->choose[place]));
        __m512i row = _mm512_permutex2var_epi8(low, choose, _mm512_load_si512(around->windows[i] + 64));
        around->kinds[i] = windows->kind[place];
        _mm_store_si128((void *)around->rows[i % PART_LANES][i / PART_LANES], _mm512_castsi512_si128(row));
    }
    /* In each quarter of the vectors, sixteen rows of sixteen bytes change places with the columns. */
    __m512i rows[PART_LANES];
    for (unsigned i = 0; i < PART_LANES; i++) {
        rows[i] = _mm512_load_si512(around->rows[i]);
    }
#pragma GCC unroll 4
    for (unsigned round = 0; round < 4; round++) {
        __m512i mixed[PART_LANES];
#pragma GCC unroll 8
        for (unsigned i = 0; i < PART_LANES / 2; i++) {
            mixed[2 * i] = _mm512_unpacklo_epi8(rows[i], rows[i + PART_LANES / 2]);
            mixed[2 * i + 1] = _mm512_unpackhi_epi8(rows[i], rows[i + PART_LANES / 2]);
        }
#pragma GCC unroll 16
        for (unsigned i = 0; i < PART_LANES; i++) {
            rows[i] = mixed[i];
        }
    }
#pragma GCC unroll 16
    for (unsigned i = 0; i <= KZ_NEIGHBOURS; i++) {
        near[i] = rows[i];
    }
}

/* ---- Views ------------------------------------------------------------------------------------------------------- */

/* As kz_run_views. */
typedef struct lane_views {
    __m512i candidates[KZ_CANDIDATES + 1];
    __m512i at[KZ_CANDIDATES];
    __m512i won;
} lane_views;

/* The weight of each neighbour's value; 0 where that is no candidate. */
static inline void weigh(const __m512i near[KZ_NEIGHBOURS], __m512i weight[KZ_NEIGHBOURS]) {
    static const uint8_t weights[KZ_NEIGHBOURS] = {KZ_NEIGHBOUR_WEIGHTS};
#pragma GCC unroll 16
    for (unsigned i = 0; i < KZ_NEIGHBOURS; i++) {
        weight[i] = filled(weights[i]);
    }
#pragma GCC unroll 16
    for (unsigned i = 1; i < KZ_NEIGHBOURS; i++) {
#pragma GCC unroll 16
        for (unsigned k = 0; k < i; k++) {
            __mmask64 equal = _mm512_cmpeq_epi8_mask(near[i], near[k]);
            weight[i] = _mm512_mask_add_epi8(weight[i], equal, weight[i], filled(weights[k]));
            weight[k] = _mm512_mask_add_epi8(weight[k], equal, weight[k], filled(weights[i]));
        }
    }
#pragma GCC unroll 16
    for (unsigned i = 0; i < KZ_NEIGHBOURS; i++) {
        __mmask64 some = _mm512_cmpneq_epi8_mask(near[i], filled(KZ_NO_ENTRY));
        some = _mm512_mask_cmpneq_epi8_mask(some, near[i], filled(KZ_WON_AT_ONCE));
        weight[i] = _mm512_maskz_mov_epi8(some, weight[i]);
    }
}

static inline __m512i heaviest(const __m512i near[KZ_NEIGHBOURS], const __m512i weight[KZ_NEIGHBOURS]) {
    __m512i most = weight[0];
    __m512i value = near[0];
#pragma GCC unroll 16
    for (unsigned i = 1; i < KZ_NEIGHBOURS; i++) {
        value = _mm512_mask_mov_epi8(value, _mm512_cmpgt_epu8_mask(weight[i], most), near[i]);
        most = _mm512_max_epu8(most, weight[i]);
    }
    return _mm512_mask_mov_epi8(value, _mm512_testn_epi8_mask(most, most), filled(KZ_NO_ENTRY));
}

static inline void look_at(const __m512i near[KZ_NEIGHBOURS], lane_views *views) {
    __m512i weight[KZ_NEIGHBOURS];
    weigh(near, weight);
#pragma GCC unroll 8
    for (unsigned k = 0; k < KZ_CANDIDATES; k++) {
        __m512i value = heaviest(near, weight);
        __m512i at = _mm512_setzero_si512();
#pragma GCC unroll 16
        for (unsigned i = 0; i < KZ_NEIGHBOURS; i++) {
            __mmask64 equal = _mm512_cmpeq_epi8_mask(near[i], value);
            weight[i] = _mm512_mask_mov_epi8(weight[i], equal, _mm512_setzero_si512());
            if (i < KZ_RUN_NEAREST) {
                at = _mm512_mask_add_epi8(at, equal, at, filled(1U << i));
            }
        }
        views->candidates[k] = value;
        views->at[k] = at;
    }
    views->candidates[KZ_CANDIDATES] = heaviest(near, weight);
    views->won = _mm512_setzero_si512();
#pragma GCC unroll 8
    for (unsigned i = 0; i < KZ_RUN_NEAREST; i++) {
        __mmask64 won = _mm512_cmpeq_epi8_mask(near[i], filled(KZ_WON_AT_ONCE));
        views->won = _mm512_mask_add_epi8(views->won, won, views->won, filled(1U << i));
    }
}

/* ---- Contexts ---------------------------------------------------------------------------------------------------- */

/* Those of kz_run_layout, as tables of 16 bytes. */
typedef struct context_tables {
    _Alignas(16) uint8_t ternary_low[16]; /* of the lower four of the nearest neighbours */
    uint8_t ternary_high[16];             /* of the others, in units of 81 */
    uint8_t levels[16];
    uint8_t questions[KZ_CANDIDATES][16]; /* by what the next candidate is: none, a draw, a loss, a win */
} context_tables;

enum { TERNARY_HIGH = 81 };

static inline void fill_context_tables(const kz_run_layout *layout, context_tables *tables) {
    memset(tables, 0, sizeof *tables);
    for (unsigned i = 0; i < 16; i++) {
        tables->ternary_low[i] = (uint8_t)layout->ternary[i];
    }
    for (unsigned i = 0; i < 1U << (KZ_RUN_NEAREST - 4); i++) {
        tables->ternary_high[i] = (uint8_t)(layout->ternary[16 * i] / TERNARY_HIGH);
    }
    memcpy(tables->levels, layout->levels, 10);
    for (unsigned k = 0; k < KZ_CANDIDATES; k++) {
        const uint8_t *all = layout->questions[k];
        const uint8_t questions[4] = {all[KZ_NO_ENTRY], all[0], all[1], all[2]};
        memcpy(tables->questions[k], questions, sizeof questions);
    }
}

static inline __m512i look_up(const uint8_t table[16], __m512i bytes) {
    return _mm512_shuffle_epi8(_mm512_broadcast_i32x4(_mm_load_si128((const void *)table)), bytes);
}

static inline __m512i upper_bits(__m512i sets) {
    return _mm512_and_si512(_mm512_srli_epi16(sets, 4), filled((1U << (KZ_RUN_NEAREST - 4)) - 1));
}

static inline __m512i lower_bits(__m512i sets) { return _mm512_and_si512(sets, filled(15)); }

/* Level and question, 3 bits each. All values from 8 on have the level of 8 or of 9. */
static inline __m512i levels_and_questions(const context_tables *tables, unsigned number, __m512i values,
                                           __m512i next) {
    __m512i large = _mm512_or_si512(_mm512_and_si512(values, filled(1)), filled(8));
    __m512i level = look_up(tables->levels, _mm512_min_epu8(values, large));
    __m512i kind = _mm512_sub_epi8(filled(3), _mm512_and_si512(next, filled(1)));
    kind = _mm512_mask_mov_epi8(kind, _mm512_testn_epi8_mask(next, next), filled(1));
    kind = _mm512_maskz_mov_epi8(_mm512_cmpneq_epi8_mask(next, filled(KZ_NO_ENTRY)), kind);
    return _mm512_or_si512(_mm512_slli_epi16(level, 3), look_up(tables->questions[number], kind));
}

_Static_assert(KZ_QUESTION_LEVELS == 8 && KZ_QUESTIONS == 8, "three bits each");

/* What all questions about a place have in common: twice the ternary number of what is won, and the kind. */
typedef struct place_contexts {
    __m512i low;
    __m512i high;
    __m512i kind;
} place_contexts;

static inline place_contexts find_place_contexts(const context_tables *tables, __m512i won, __m512i kinds) {
    __m512i low = look_up(tables->ternary_low, lower_bits(won));
    __m512i high = look_up(tables->ternary_high, upper_bits(won));
    return (place_contexts){_mm512_add_epi8(low, low), _mm512_add_epi8(high, high), kinds};
}

/* Numbers of 32 bits for all lanes. */
typedef struct wide {
    __m512i part[PARTS];
} wide;

/* The contexts of sixteen places. `pattern` are two parts of the ternary number. */
static inline __m512i sixteen_contexts(__m128i low, __m128i high, __m128i kind, __m128i rest) {
    __m512i kinds = _mm512_mullo_epi32(_mm512_cvtepu8_epi32(kind), _mm512_set1_epi32(KZ_PATTERNS));
    /* Pairs of bytes, times 1 and 81. */
    __m256i both = _mm256_or_si256(_mm256_cvtepu8_epi16(low), _mm256_slli_epi16(_mm256_cvtepu8_epi16(high), 8));
    __m256i patterns = _mm256_maddubs_epi16(both, _mm256_set1_epi16(TERNARY_HIGH << 8 | 1));
    __m512i places = _mm512_add_epi32(kinds, _mm512_cvtepu16_epi32(patterns));
    return _mm512_or_si512(_mm512_slli_epi32(places, 6), _mm512_cvtepu8_epi32(rest));
}

/* As kz_run_question_context. */
static inline wide find_contexts(const context_tables *tables, const place_contexts *places, unsigned number,
                                 __m512i at, __m512i values, __m512i next) {
    __m512i low = _mm512_add_epi8(places->low, look_up(tables->ternary_low, lower_bits(at)));
    __m512i high = _mm512_add_epi8(places->high, look_up(tables->ternary_high, upper_bits(at)));
    __m512i rest = levels_and_questions(tables, number, values, next);
    wide contexts;
#define PART(i)                                                                                                        \
    contexts.part[i] =                                                                                                 \
        sixteen_contexts(_mm512_extracti32x4_epi32(low, i), _mm512_extracti32x4_epi32(high, i),                        \
                         _mm512_extracti32x4_epi32(places->kind, i), _mm512_extracti32x4_epi32(rest, i))
    PART(0);
    PART(1);
    PART(2);
    PART(3);
#undef PART
    return contexts;
}

/* The same for sixteen lanes. */
typedef struct place_contexts_few {
    __m128i low;
    __m128i high;
    __m128i kind;
} place_contexts_few;

static inline __m512i few_contexts(const context_tables *tables, const place_contexts_few *places, unsigned number,
                                   __m128i at, __m128i values, __m128i next) {
    __m128i low =
        _mm_shuffle_epi8(_mm_load_si128((const void *)tables->ternary_low), _mm_and_si128(at, _mm_set1_epi8(15)));
    __m128i high = _mm_shuffle_epi8(_mm_load_si128((const void *)tables->ternary_high),
                                    _mm_and_si128(_mm_srli_epi16(at, 4), _mm_set1_epi8(7)));
    __m512i rest = levels_and_questions(tables, number, _mm512_castsi128_si512(values), _mm512_castsi128_si512(next));
    return sixteen_contexts(_mm_add_epi8(places->low, low), _mm_add_epi8(places->high, high), places->kind,
                            _mm512_castsi512_si128(rest));
}

/* The shares of a yes; of the whole range where nothing is asked. */
static inline __m512i shares_of(const kz_run_model *model, __mmask16 asked, __m512i contexts) {
    __m512i two = _mm512_mask_i32gather_epi32(_mm512_set1_epi32(KZ_SCALE), asked, contexts, model->yes, 2);
    return _mm512_and_si512(two, _mm512_set1_epi32(0xFFFF));
}

#endif
