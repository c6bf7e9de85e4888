/* SPDX-License-Identifier: MIT
 *
 * Tables of all values: what the neighbourhood of one place looks like to the coder, and the contexts that follow from
 * it. run_views.h says what a candidate is, and does the same for many places at once. */
#ifndef KZ_TABLE_RUN_VIEW_H
#define KZ_TABLE_RUN_VIEW_H

#include "base/bits.h"
#include "games/pushfight/table/run_coder.h"
#include "games/pushfight/table/run_views.h"

#include <stddef.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* ---- One place --------------------------------------------------------------------------------------------------- */

enum { KZ_ALL_NEIGHBOURS = (1 << KZ_NEIGHBOURS) - 1, KZ_NEAREST = (1 << KZ_RUN_NEAREST) - 1 };

/* A value that occurs among the neighbours: which of them have it. */
typedef struct kz_run_candidate {
    uint8_t value;
    uint16_t at; /* a bit for each neighbour */
    uint16_t weight;
} kz_run_candidate;

typedef struct kz_run_view {
    unsigned won; /* which neighbours are won at once */
    unsigned count;
    kz_run_candidate candidates[KZ_NEIGHBOURS]; /* those with more weight first */
} kz_run_view;

/* The values of all neighbours, eight bytes a word. Put together in registers: bytes that were just written one by one
 * are slow to read as a vector. */
typedef struct kz_run_around {
    uint64_t words[2];
} kz_run_around;

static inline unsigned kz_run_value_at(const kz_run_around *near, unsigned i) {
    return near->words[i / 8] >> i % 8 * 8 & 255;
}

/* Which neighbours have a value. */
static inline unsigned kz_run_with_value(const kz_run_around *near, unsigned value) {
#ifdef __SSE2__
    __m128i all = _mm_set_epi64x((long long)near->words[1], (long long)near->words[0]);
    return (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(all, _mm_set1_epi8((char)value))) & KZ_ALL_NEIGHBOURS;
#else
    unsigned mask = 0;
    for (unsigned i = 0; i < KZ_NEIGHBOURS; i++) {
        mask |= (unsigned)(kz_run_value_at(near, i) == value) << i;
    }
    return mask;
#endif
}

static inline void kz_run_look(const kz_run_layout *layout, const kz_run_around *near, kz_run_view *v) {
    enum { HALF_SETS = 1 << KZ_NEIGHBOURS / 2 };
    v->won = kz_run_with_value(near, KZ_WON_AT_ONCE);
    unsigned left = KZ_ALL_NEIGHBOURS & ~(v->won | kz_run_with_value(near, KZ_NO_ENTRY));
    v->count = 0;
    while (left) {
        unsigned value = kz_run_value_at(near, kz_lowest_bit32(left));
        unsigned same = kz_run_with_value(near, value);
        unsigned weight = (unsigned)layout->weights[0][same % HALF_SETS] + layout->weights[1][same / HALF_SETS];
        unsigned i = v->count++;
        for (; i > 0 && v->candidates[i - 1].weight < weight; i--) {
            v->candidates[i] = v->candidates[i - 1];
        }
        v->candidates[i] = (kz_run_candidate){(uint8_t)value, (uint16_t)same, (uint16_t)weight};
        left &= ~same;
    }
}

/* ---- Contexts ---------------------------------------------------------------------------------------------------- */

/* A value reduced to the `exact` smallest ones and whether it is odd. */
static inline unsigned kz_run_reduced(unsigned value, unsigned exact) {
    return value < exact ? value : exact + value % 2;
}

/* What all questions about a place have in common. */
static inline unsigned kz_run_place_context(const kz_run_layout *layout, unsigned kind, unsigned won) {
    return kind * KZ_PATTERNS + 2U * layout->ternary[won & KZ_NEAREST];
}

/* Question `number` asks about a candidate; `next` is the one after it, KZ_NO_ENTRY if there is none. */
static inline unsigned kz_run_question_context(const kz_run_layout *layout, unsigned place, unsigned number,
                                               unsigned value, unsigned at, unsigned next) {
    unsigned question = layout->questions[number][next];
    unsigned level = layout->levels[value];
    return ((place + layout->ternary[at & KZ_NEAREST]) * KZ_QUESTION_LEVELS + level) * KZ_QUESTIONS + question;
}

/* From the first three candidates; KZ_NO_ENTRY: there are fewer. */
static inline unsigned kz_run_value_context(unsigned first, unsigned second, unsigned third) {
    unsigned a = first == KZ_NO_ENTRY ? KZ_FIRST_LEVELS - 1 : kz_run_reduced(first, KZ_FIRST_LEVELS - 3);
    unsigned b = second == KZ_NO_ENTRY ? KZ_SECOND_LEVELS - 1 : kz_run_reduced(second, KZ_SECOND_LEVELS - 3);
    unsigned c = third == KZ_NO_ENTRY ? KZ_THIRD_LEVELS - 1 : kz_run_reduced(third, KZ_THIRD_LEVELS - 3);
    return (a * KZ_SECOND_LEVELS + b) * KZ_THIRD_LEVELS + c;
}

/* ---- Blocks ------------------------------------------------------------------------------------------------------ */

/* How far before a place the same ones of neighbouring groups are. */
static inline void kz_run_groups_apart(const kz_run_block *block, unsigned group,
                                       ptrdiff_t apart[KZ_GROUP_NEIGHBOURS]) {
    for (unsigned k = 0; k < KZ_GROUP_NEIGHBOURS; k++) {
        apart[k] = (ptrdiff_t)block->groups[group].back[k] * (ptrdiff_t)block->layout->group;
    }
}

static inline uint64_t kz_run_open(const kz_group_plan *group) { return group->exists & ~group->won; }

#endif
