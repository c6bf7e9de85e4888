/* SPDX-License-Identifier: MIT */
#include "games/pushfight/table/run_coder.h"

#include "games/pushfight/table/run_view.h"

#include <stdlib.h>
#include <string.h>

/* The first question looks at what the next candidate is: none, a draw, a loss, a win. The others at whether there is
 * one. */
static void fill_contexts(kz_run_layout *layout) {
    static const uint8_t levels[8] = {0, 1, 1, 1, 2, 3, 4, 5};
    for (unsigned set = 1; set <= KZ_NEAREST; set++) {
        unsigned power = 1;
        for (unsigned i = 0; i < KZ_RUN_NEAREST; i++, power *= 3) {
            layout->ternary[set] = (uint16_t)(layout->ternary[set] + (set >> i & 1) * power);
        }
    }
    for (unsigned value = 0; value < 256; value++) {
        layout->levels[value] = (uint8_t)(value < 8 ? levels[value] : 6U + value % 2);
        bool some = value != KZ_NO_ENTRY;
        layout->questions[0][value] = (uint8_t)(!some ? 0 : value == 0 ? 1 : 3 - value % 2);
        layout->questions[1][value] = (uint8_t)(4 + some);
        for (unsigned number = 2; number < KZ_CANDIDATES; number++) {
            layout->questions[number][value] = (uint8_t)(6 + some);
        }
    }
}

bool kz_run_layout_open(kz_run_layout *layout, unsigned run, unsigned group) {
    enum { HALF = KZ_NEIGHBOURS / 2, HALF_SETS = 1 << HALF };
    static const uint8_t weights[KZ_NEIGHBOURS] = {KZ_NEIGHBOUR_WEIGHTS};
    *layout = (kz_run_layout){.run = run, .group = group, .places = calloc(group, sizeof *layout->places)};
    for (unsigned set = 0; set < HALF_SETS; set++) {
        for (unsigned i = 0; i < HALF; i++) {
            layout->weights[0][set] = (uint8_t)(layout->weights[0][set] + (set >> i & 1) * weights[i]);
            layout->weights[1][set] = (uint8_t)(layout->weights[1][set] + (set >> i & 1) * weights[HALF + i]);
        }
    }
    fill_contexts(layout);
    return layout->places;
}

void kz_run_layout_close(kz_run_layout *layout) {
    free(layout->places);
    layout->places = NULL;
#ifndef KANZEN_READ_ONLY /* there, nothing is decoded by windows */
    free(layout->windows);
    layout->windows = NULL;
#endif
}

/* Fills in what the rules tell. Runs that are won come in runs. */
void kz_run_block_begin(const kz_run_block *block, uint8_t *numbers) {
    const kz_run_layout *layout = block->layout;
    memset(numbers, KZ_NO_ENTRY, (size_t)block->count * layout->group);
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

/* Where there is no neighbour it is the place itself, which is not known yet. */
static inline kz_run_around gather(const kz_entry_plan *place, const ptrdiff_t apart[KZ_GROUP_NEIGHBOURS],
                                   const uint8_t *at) {
    kz_run_around near = {{0, 0}};
    for (unsigned i = 0; i < KZ_RUN_NEIGHBOURS; i++) {
        near.words[i / 8] |= (uint64_t)at[-(ptrdiff_t)place->back[i]] << i % 8 * 8;
    }
    for (unsigned i = KZ_RUN_NEIGHBOURS; i < KZ_NEIGHBOURS; i++) {
        near.words[i / 8] |= (uint64_t)at[-apart[i - KZ_RUN_NEIGHBOURS]] << i % 8 * 8;
    }
    return near;
}

static inline unsigned candidate(const kz_run_view *v, unsigned number) {
    return number < v->count ? v->candidates[number].value : (unsigned)KZ_NO_ENTRY;
}

static inline uint8_t decode_value(const kz_run_model *model, const kz_run_layout *layout, unsigned kind,
                                   const kz_run_view *v, kz_rans *rans) {
    unsigned place = kz_run_place_context(layout, kind, v->won);
    for (unsigned k = 0; k < v->count && k < KZ_CANDIDATES; k++) {
        const kz_run_candidate *c = &v->candidates[k];
        uint32_t share = model->yes[kz_run_question_context(layout, place, k, c->value, c->at, candidate(v, k + 1))];
        if (kz_rans_slot(rans) < share) {
            kz_rans_advance(rans, 0, share);
            return c->value;
        }
        kz_rans_advance(rans, share, KZ_SCALE - share);
    }
    unsigned context = kz_run_value_context(candidate(v, 0), candidate(v, 1), candidate(v, 2));
    return (uint8_t)kz_shares_decode(&model->value, context, rans);
}

bool kz_run_coder_decode(const kz_run_model *model, const kz_run_block *block, const uint8_t *bytes, size_t size,
                         uint8_t *numbers) {
    const kz_run_layout *layout = block->layout;
    kz_rans rans;
    if (!kz_rans_begin(&rans, bytes, size)) {
        return false;
    }
    kz_run_block_begin(block, numbers);
    for (unsigned i = 0; i < block->count; i++, numbers += layout->group) {
        ptrdiff_t apart[KZ_GROUP_NEIGHBOURS];
        kz_run_groups_apart(block, i, apart);
        for (uint64_t open = kz_run_open(&block->groups[i]); open; open &= open - 1) {
            unsigned place = kz_lowest_bit64(open) * layout->run;
            for (unsigned end = place + layout->run; place < end; place++) {
                const kz_entry_plan *plan = &layout->places[place];
                kz_run_around near = gather(plan, apart, &numbers[place]);
                kz_run_view v;
                kz_run_look(layout, &near, &v);
                numbers[place] = decode_value(model, layout, plan->kind, &v, &rans);
            }
        }
    }
    return kz_rans_ended(&rans);
}
