/* SPDX-License-Identifier: MIT */
#include "table/run_coder.h"

#include "base/bits.h"

#include <stdlib.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { NO_NUMBER = 255 }; /* KZ_NO_POSITION; also a value that is not known yet */

/* ---- The neighbourhood of a place ----------------------------------------------------------------------------------
 */

/* Those of the group, then those in other groups. */
enum { NEIGHBOURS = KZ_RUN_NEIGHBOURS + KZ_GROUP_NEIGHBOURS };
enum { ALL_NEIGHBOURS = (1 << NEIGHBOURS) - 1, NEAREST = (1 << KZ_RUN_NEAREST) - 1 };
enum { HALF = NEIGHBOURS / 2, HALF_SETS = 1 << HALF };

bool kz_run_layout_open(kz_run_layout *layout, unsigned run, unsigned group) {
    /* How much a neighbour's value counts, by its place in the list: tried out on boards that were solved. */
    static const uint8_t weights[NEIGHBOURS] = {12, 12, 23, 9, 7, 6, 7, 21, 9, 9, 8, 8, 11, 11};
    *layout = (kz_run_layout){.run = run, .group = group, .places = calloc(group, sizeof *layout->places)};
    for (unsigned set = 0; set < HALF_SETS; set++) {
        for (unsigned i = 0; i < HALF; i++) {
            layout->weights[0][set] = (uint8_t)(layout->weights[0][set] + (set >> i & 1) * weights[i]);
            layout->weights[1][set] = (uint8_t)(layout->weights[1][set] + (set >> i & 1) * weights[HALF + i]);
        }
    }
    return layout->places;
}

void kz_run_layout_close(kz_run_layout *layout) {
    free(layout->places);
    layout->places = NULL;
}

/* A value that occurs among the neighbours: which of them have it. */
typedef struct candidate {
    uint8_t value;
    uint16_t at; /* a bit for each neighbour */
    uint16_t weight;
} candidate;

typedef struct view {
    unsigned question; /* the context of questions, as far as the place and the wins at once go */
    unsigned count;
    candidate candidates[NEIGHBOURS]; /* those with more weight first */
} view;

/* The values of all neighbours, eight bytes a word. Put together in registers: bytes that were just written one by one
 * are slow to read as a vector. */
typedef struct around {
    uint64_t words[2];
} around;

/* Where there is no neighbour it is the place itself, which is not known yet. */
static inline around gather(const kz_entry_plan *place, const ptrdiff_t apart[KZ_GROUP_NEIGHBOURS], const uint8_t *at) {
    around near = {{0, 0}};
    for (unsigned i = 0; i < KZ_RUN_NEIGHBOURS; i++) {
        near.words[i / 8] |= (uint64_t)at[-(ptrdiff_t)place->back[i]] << i % 8 * 8;
    }
    for (unsigned i = KZ_RUN_NEIGHBOURS; i < NEIGHBOURS; i++) {
        near.words[i / 8] |= (uint64_t)at[-apart[i - KZ_RUN_NEIGHBOURS]] << i % 8 * 8;
    }
    return near;
}

static inline unsigned value_at(const around *near, unsigned i) { return near->words[i / 8] >> i % 8 * 8 & 255; }

/* Which neighbours have a value. */
static inline unsigned with_value(const around *near, unsigned value) {
#ifdef __SSE2__
    __m128i all = _mm_set_epi64x((long long)near->words[1], (long long)near->words[0]);
    return (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(all, _mm_set1_epi8((char)value))) & ALL_NEIGHBOURS;
#else
    unsigned mask = 0;
    for (unsigned i = 0; i < NEIGHBOURS; i++) {
        mask |= (unsigned)(value_at(near, i) == value) << i;
    }
    return mask;
#endif
}

/* A set of the nearest neighbours as a number with a digit 1 for each of them, in the base of 3. */
static inline unsigned ternary(unsigned nearest) {
    static const uint16_t four[16] = {0, 1, 3, 4, 9, 10, 12, 13, 27, 28, 30, 31, 36, 37, 39, 40};
    return four[nearest & 15] + 81U * four[nearest >> 4];
}

/* `number` is that of the place in its group. */
static inline void look_around(const kz_run_layout *layout, unsigned number, const ptrdiff_t apart[KZ_GROUP_NEIGHBOURS],
                               const uint8_t *at, view *v) {
    const kz_entry_plan *place = &layout->places[number];
    around near = gather(place, apart, at);
    unsigned won = with_value(&near, KZ_WON_AT_ONCE);
    unsigned left = ALL_NEIGHBOURS & ~(won | with_value(&near, NO_NUMBER));
    v->question = place->kind * KZ_PATTERNS + 2 * ternary(won & NEAREST);
    v->count = 0;
    while (left) {
        unsigned value = value_at(&near, kz_lowest_bit32(left));
        unsigned same = with_value(&near, value);
        unsigned weight = (unsigned)layout->weights[0][same % HALF_SETS] + layout->weights[1][same / HALF_SETS];
        unsigned i = v->count++;
        for (; i > 0 && v->candidates[i - 1].weight < weight; i--) {
            v->candidates[i] = v->candidates[i - 1];
        }
        v->candidates[i] = (candidate){(uint8_t)value, (uint16_t)same, (uint16_t)weight};
        left &= ~same;
    }
}

/* ---- Contexts ------------------------------------------------------------------------------------------------------
 */

/* A value reduced to the `exact` smallest ones and whether it is odd. */
static inline unsigned reduced(unsigned value, unsigned exact) { return value < exact ? value : exact + value % 2; }

/* What the next candidate is: none, a draw, a loss, a win. */
static inline unsigned kind_of_next(const view *v, unsigned number) {
    if (number + 1 >= v->count) {
        return 0;
    }
    unsigned next = v->candidates[number + 1].value;
    return next == 0 ? 1 : 3 - next % 2;
}

static inline unsigned question_context(const view *v, unsigned number) {
    static const uint8_t levels[8] = {0, 1, 1, 1, 2, 3, 4, 5};
    const candidate *c = &v->candidates[number];
    unsigned level = c->value < 8 ? levels[c->value] : 6U + c->value % 2;
    unsigned next = kind_of_next(v, number);
    unsigned question = number == 0 ? next : (number == 1 ? 4U : 6U) + (next != 0);
    return ((v->question + ternary(c->at & NEAREST)) * KZ_QUESTION_LEVELS + level) * KZ_QUESTIONS + question;
}

static inline unsigned value_context(const view *v) {
    const candidate *c = v->candidates;
    unsigned first = v->count > 0 ? reduced(c[0].value, KZ_FIRST_LEVELS - 3) : KZ_FIRST_LEVELS - 1;
    unsigned second = v->count > 1 ? reduced(c[1].value, KZ_SECOND_LEVELS - 3) : KZ_SECOND_LEVELS - 1;
    unsigned third = v->count > 2 ? reduced(c[2].value, KZ_THIRD_LEVELS - 3) : KZ_THIRD_LEVELS - 1;
    return (first * KZ_SECOND_LEVELS + second) * KZ_THIRD_LEVELS + third;
}

static inline unsigned questions(const view *v) { return v->count < KZ_CANDIDATES ? v->count : KZ_CANDIDATES; }

/* ---- Coding --------------------------------------------------------------------------------------------------------
 */

/* Fills in what the rules tell. Runs that are won come in runs. */
static void begin(const kz_run_block *block, uint8_t *numbers) {
    const kz_run_layout *layout = block->layout;
    memset(numbers, NO_NUMBER, (size_t)block->count * layout->group);
    for (unsigned i = 0; i < block->count; i++, numbers += layout->group) {
        for (uint64_t won = block->groups[i].won; won;) {
            unsigned first = kz_lowest_bit64(won);
            uint64_t after = ~(won | ((UINT64_C(1) << first) - 1));
            unsigned end = after ? kz_lowest_bit64(after) : KZ_GROUP_RUNS;
            memset(numbers + (size_t)first * layout->run, KZ_WON_AT_ONCE, (size_t)(end - first) * layout->run);
            won = end < KZ_GROUP_RUNS ? won >> end << end : 0;
        }
    }
}

/* How far before a place the same ones of neighbouring groups are. */
static inline void find_groups(const kz_run_block *block, unsigned group, ptrdiff_t apart[KZ_GROUP_NEIGHBOURS]) {
    for (unsigned k = 0; k < KZ_GROUP_NEIGHBOURS; k++) {
        apart[k] = (ptrdiff_t)block->groups[group].back[k] * (ptrdiff_t)block->layout->group;
    }
}

static inline uint64_t open_runs(const kz_group_plan *group) { return group->exists & ~group->won; }

bool kz_run_coder_fits(const kz_run_block *block, const uint8_t *numbers, uint8_t *trail) {
    const kz_run_layout *layout = block->layout;
    begin(block, trail);
    uint8_t *at = trail;
    for (unsigned i = 0; i < block->count; i++, at += layout->group) {
        for (uint64_t open = open_runs(&block->groups[i]); open; open &= open - 1) {
            uint8_t *run = at + (size_t)kz_lowest_bit64(open) * layout->run;
            const uint8_t *given = numbers + (run - trail);
            for (unsigned k = 0; k < layout->run; k++) {
                if (given[k] == NO_NUMBER) {
                    return false;
                }
            }
            memcpy(run, given, layout->run);
        }
    }
    return memcmp(trail, numbers, (size_t)block->count * layout->group) == 0;
}

/* What is to be coded: questions with their answers, and values by themselves. The probabilities that belong to them
 * lie all over a table of megabytes. So items are listed first, and what they need is fetched meanwhile. */
enum { ITEMS = 128, VALUE_ITEM = 1U << 30 };

typedef struct item_list {
    unsigned count;
    uint32_t items[ITEMS + KZ_RUN_STEPS_MOST]; /* 2 * context + answer; or VALUE_ITEM + 256 * context + value */
} item_list;

/* Lists the items of one value. `questions_at` is what questions will need, `size` bytes for each context. */
static inline void list_value(item_list *list, const view *v, uint8_t value, const void *questions_at, size_t size) {
    bool yes = false;
    for (unsigned k = 0; k < questions(v) && !yes; k++) {
        unsigned context = question_context(v, k);
        yes = value == v->candidates[k].value;
        __builtin_prefetch((const uint8_t *)questions_at + context * size);
        list->items[list->count++] = 2 * context + yes;
    }
    if (!yes) {
        list->items[list->count++] = VALUE_ITEM + 256 * value_context(v) + value;
    }
}

/* The view of a place whose value `trail` has already, as one has it who does not know it. */
static inline void look_before(const kz_run_layout *layout, unsigned place, const ptrdiff_t apart[KZ_GROUP_NEIGHBOURS],
                               uint8_t *at, view *v) {
    uint8_t value = *at;
    *at = NO_NUMBER;
    look_around(layout, place, apart, at, v);
    *at = value;
}

static void count_items(item_list *list, kz_run_counts *counts) {
    for (unsigned i = 0; i < list->count; i++) {
        uint32_t item = list->items[i];
        if (item & VALUE_ITEM) {
            counts->value[(item - VALUE_ITEM) / 256][item % 256]++;
        } else {
            counts->question[item / 2][item % 2]++;
        }
    }
    list->count = 0;
}

void kz_run_coder_count(const kz_run_block *block, const uint8_t *numbers, uint8_t *trail, kz_run_counts *counts) {
    const kz_run_layout *layout = block->layout;
    item_list list = {.count = 0};
    if (!kz_run_coder_fits(block, numbers, trail)) {
        return; /* encoding will say so */
    }
    for (unsigned i = 0; i < block->count; i++, trail += layout->group) {
        ptrdiff_t apart[KZ_GROUP_NEIGHBOURS];
        find_groups(block, i, apart);
        for (uint64_t open = open_runs(&block->groups[i]); open; open &= open - 1) {
            unsigned place = kz_lowest_bit64(open) * layout->run;
            for (unsigned end = place + layout->run; place < end; place++) {
                view v;
                look_before(layout, place, apart, &trail[place], &v);
                list_value(&list, &v, trail[place], counts->question, sizeof *counts->question);
                if (list.count >= ITEMS) {
                    count_items(&list, counts);
                }
            }
        }
    }
    count_items(&list, counts);
}

/* A yes takes the lower part of the range. Returns how many steps there are. */
static unsigned add_steps(const kz_run_model *model, item_list *list, uint32_t *steps) {
    unsigned count = 0;
    for (unsigned i = 0; i < list->count; i++) {
        uint32_t item = list->items[i];
        if (item & VALUE_ITEM) {
            count += kz_shares_add_steps(&model->value, (item - VALUE_ITEM) / 256, item % 256, steps + count);
        } else {
            uint32_t share = model->yes[item / 2];
            steps[count++] = item % 2 ? kz_rans_step(0, share) : kz_rans_step(share, KZ_SCALE - share);
        }
    }
    list->count = 0;
    return count;
}

size_t kz_run_coder_encode(const kz_run_model *model, const kz_run_block *block, uint8_t *trail, uint32_t *steps,
                           uint8_t *bytes) {
    const kz_run_layout *layout = block->layout;
    item_list list = {.count = 0};
    size_t count = 0;
    for (unsigned i = 0; i < block->count; i++, trail += layout->group) {
        ptrdiff_t apart[KZ_GROUP_NEIGHBOURS];
        find_groups(block, i, apart);
        for (uint64_t open = open_runs(&block->groups[i]); open; open &= open - 1) {
            unsigned place = kz_lowest_bit64(open) * layout->run;
            for (unsigned end = place + layout->run; place < end; place++) {
                view v;
                look_before(layout, place, apart, &trail[place], &v);
                list_value(&list, &v, trail[place], model->yes, sizeof *model->yes);
                if (list.count >= ITEMS) {
                    count += add_steps(model, &list, steps + count);
                }
            }
        }
    }
    count += add_steps(model, &list, steps + count);
    return kz_rans_encode(steps, count, bytes);
}

static inline uint8_t decode_value(const kz_run_model *model, const view *v, kz_rans *rans) {
    for (unsigned k = 0; k < questions(v); k++) {
        uint32_t share = model->yes[question_context(v, k)];
        if (kz_rans_slot(rans) < share) {
            kz_rans_advance(rans, 0, share);
            return v->candidates[k].value;
        }
        kz_rans_advance(rans, share, KZ_SCALE - share);
    }
    return (uint8_t)kz_shares_decode(&model->value, value_context(v), rans);
}

bool kz_run_coder_decode(const kz_run_model *model, const kz_run_block *block, const uint8_t *bytes, size_t size,
                         uint8_t *numbers) {
    const kz_run_layout *layout = block->layout;
    kz_rans rans;
    if (!kz_rans_begin(&rans, bytes, size)) {
        return false;
    }
    begin(block, numbers);
    for (unsigned i = 0; i < block->count; i++, numbers += layout->group) {
        ptrdiff_t apart[KZ_GROUP_NEIGHBOURS];
        find_groups(block, i, apart);
        for (uint64_t open = open_runs(&block->groups[i]); open; open &= open - 1) {
            unsigned place = kz_lowest_bit64(open) * layout->run;
            for (unsigned end = place + layout->run; place < end; place++) {
                view v;
                look_around(layout, place, apart, &numbers[place], &v);
                numbers[place] = decode_value(model, &v, &rans);
            }
        }
    }
    return kz_rans_ended(&rans);
}
