/* SPDX-License-Identifier: MIT */
#include "games/pushfight/table/run_encoder.h"

#include "games/pushfight/table/run_view.h"

#include <string.h>

/* ---- What is coded ----------------------------------------------------------------------------------------------- */

bool kz_run_coder_fits(const kz_run_block *block, const uint8_t *numbers, uint8_t *trail) {
    const kz_run_layout *layout = block->layout;
    kz_run_block_begin(block, trail);
    uint8_t *at = trail;
    for (unsigned i = 0; i < block->count; i++, at += layout->group) {
        for (uint64_t open = kz_run_open(&block->groups[i]); open; open &= open - 1) {
            uint8_t *run = at + (size_t)kz_lowest_bit64(open) * layout->run;
            const uint8_t *given = numbers + (run - trail);
            for (unsigned k = 0; k < layout->run; k++) {
                if (given[k] == KZ_NO_ENTRY) {
                    return false;
                }
            }
            memcpy(run, given, layout->run);
        }
    }
    return memcmp(trail, numbers, (size_t)block->count * layout->group) == 0;
}

bool kz_run_fits_open_plain(const kz_run_block *block, const uint64_t *runs, uint8_t *trail) {
    const kz_run_layout *layout = block->layout;
    kz_run_block_begin(block, trail);
    uint64_t holes = 0;
    for (unsigned i = 0; i < block->count; i++, trail += layout->group) {
        for (uint64_t open = kz_run_open(&block->groups[i]); open; open &= open - 1) {
            uint8_t *run = trail + (size_t)kz_lowest_bit64(open) * layout->run;
            uint8_t entries[sizeof *runs];
            holes |= kz_run_holes(*runs);
            kz_store_le64(entries, *runs++);
            memcpy(run, entries, layout->run);
        }
    }
    return holes << (8 - layout->run) * 8 == 0;
}

/* ---- Items ---------------------------------------------------------------------------------------------------------
 *
 * What is to be coded: questions with their answers, and values by themselves. Neighbourhoods are looked at KZ_VIEWS at
 * a time. The probabilities that belong to the items lie all over a table of megabytes. So items are listed first, and
 * what they need is fetched meanwhile. */

enum { ITEMS = KZ_VIEWS * (KZ_CANDIDATES + 1) };

typedef struct places {
    unsigned count;
    kz_run_near near;
    uint8_t value[KZ_VIEWS];
    uint8_t kind[KZ_VIEWS];
} places;

/* Adds a place. Where there is no neighbour it is the place itself, which a decoder does not know yet. */
static inline void add_place(places *list, const kz_entry_plan *plan, const ptrdiff_t apart[KZ_GROUP_NEIGHBOURS],
                             uint8_t *at) {
    unsigned lane = list->count++;
    uint8_t value = *at;
    list->value[lane] = value;
    list->kind[lane] = plan->kind;
    *at = KZ_NO_ENTRY;
    for (unsigned i = 0; i < KZ_RUN_NEIGHBOURS; i++) {
        list->near.values[i][lane] = at[-(ptrdiff_t)plan->back[i]];
    }
    for (unsigned k = 0; k < KZ_GROUP_NEIGHBOURS; k++) {
        list->near.values[KZ_RUN_NEIGHBOURS + k][lane] = at[-apart[k]];
    }
    *at = value;
}

/* Lists the items of all places: 2 * context + answer, or kz_run_value_item. `questions_at` is what
 * questions will need, `size` bytes for each context; NULL: nothing. Returns how many. */
static inline unsigned list_items(const kz_run_layout *layout, places *list, kz_run_look_many *look,
                                  const void *questions_at, size_t size, uint32_t *items) {
    kz_run_views views;
    unsigned count = 0;
    look(&list->near, &views);
    for (unsigned lane = 0; lane < list->count; lane++) {
        unsigned value = list->value[lane];
        unsigned place = kz_run_place_context(layout, list->kind[lane], views.won[lane]);
        bool yes = false;
        for (unsigned k = 0; k < KZ_CANDIDATES && !yes && views.candidates[k][lane] != KZ_NO_ENTRY; k++) {
            unsigned candidate = views.candidates[k][lane];
            unsigned context =
                kz_run_question_context(layout, place, k, candidate, views.at[k][lane], views.candidates[k + 1][lane]);
            yes = value == candidate;
            if (questions_at) {
                __builtin_prefetch((const uint8_t *)questions_at + context * size);
            }
            items[count++] = 2 * context + yes;
        }
        if (!yes) {
            unsigned context =
                kz_run_value_context(views.candidates[0][lane], views.candidates[1][lane], views.candidates[2][lane]);
            items[count++] = kz_run_value_item(context, value);
        }
    }
    list->count = 0;
    return count;
}

/* ---- Counting ---------------------------------------------------------------------------------------------------- */

void kz_run_coder_count(const uint32_t *items, size_t count, kz_run_counts *counts) {
    enum { AHEAD = 16 };
    for (size_t i = 0; i < count; i++) {
        uint32_t later = items[i + AHEAD < count ? i + AHEAD : i];
        if (!(later & KZ_RUN_VALUE_ITEM)) {
            __builtin_prefetch(counts->question[later / 2]);
        }
        if (items[i] & KZ_RUN_VALUE_ITEM) {
            counts->value[(items[i] - KZ_RUN_VALUE_ITEM) / 256][items[i] % 256]++;
        } else {
            counts->question[items[i] / 2][items[i] % 2]++;
        }
    }
}

/* ---- Coding ------------------------------------------------------------------------------------------------------ */

/* A yes takes the lower part of the range. Returns how many steps there are. */
static inline unsigned add_steps(const kz_run_model *model, const uint32_t *items, unsigned item_count,
                                 uint32_t *steps) {
    unsigned count = 0;
    for (unsigned i = 0; i < item_count; i++) {
        uint32_t item = items[i];
        if (item & KZ_RUN_VALUE_ITEM) {
            count += kz_shares_add_steps(&model->value, (item - KZ_RUN_VALUE_ITEM) / 256, item % 256, steps + count);
        } else {
            uint32_t share = model->yes[item / 2];
            steps[count++] = item % 2 ? kz_rans_step(0, share) : kz_rans_step(share, KZ_SCALE - share);
        }
    }
    return count;
}

/* The places of a list as steps; without a model as items. */
static inline size_t code_places(const kz_run_model *model, const kz_run_layout *layout, kz_run_look_many *look,
                                 places *list, uint32_t *out) {
    if (!model) {
        return list_items(layout, list, look, NULL, 0, out);
    }
    uint32_t items[ITEMS];
    unsigned count = list_items(layout, list, look, model->yes, sizeof *model->yes, items);
    return add_steps(model, items, count, out);
}

/* ---- All places of a block --------------------------------------------------------------------------------------- */

static inline size_t code_block(const kz_run_model *model, const kz_run_block *block, kz_run_look_many *look,
                                uint8_t *trail, uint32_t *out) {
    const kz_run_layout *layout = block->layout;
    places list = {.count = 0};
    size_t count = 0;
    for (unsigned i = 0; i < block->count; i++, trail += layout->group) {
        ptrdiff_t apart[KZ_GROUP_NEIGHBOURS];
        kz_run_groups_apart(block, i, apart);
        for (uint64_t open = kz_run_open(&block->groups[i]); open; open &= open - 1) {
            unsigned place = kz_lowest_bit64(open) * layout->run;
            for (unsigned end = place + layout->run; place < end; place++) {
                add_place(&list, &layout->places[place], apart, &trail[place]);
                if (list.count == KZ_VIEWS) {
                    count += code_places(model, layout, look, &list, out + count);
                }
            }
        }
    }
    return count + code_places(model, layout, look, &list, out + count);
}

size_t kz_run_code_plain(const kz_run_model *model, const kz_run_block *block, kz_run_look_many *look, uint8_t *trail,
                         uint32_t *out) {
    return model ? code_block(model, block, look, trail, out) : code_block(NULL, block, look, trail, out);
}

static kz_run_code *choose(const kz_run_layout *layout) {
#ifdef __x86_64__
    if (layout->windows) {
        return kz_run_code_vbmi2;
    }
#else
    (void)layout;
#endif
    return kz_run_code_plain;
}

bool kz_run_coder_fits_open(const kz_run_block *block, const uint64_t *runs, uint8_t *trail) {
#ifdef __x86_64__
    if (block->layout->windows) {
        return kz_run_fits_open_vbmi2(block, runs, trail);
    }
#endif
    return kz_run_fits_open_plain(block, runs, trail);
}

size_t kz_run_coder_list(const kz_run_block *block, kz_run_look_many *look, uint8_t *trail, uint32_t *items) {
    return choose(block->layout)(NULL, block, look, trail, items);
}

size_t kz_run_coder_steps(const kz_run_model *model, const kz_run_block *block, kz_run_look_many *look, uint8_t *trail,
                          uint32_t *steps) {
    return choose(block->layout)(model, block, look, trail, steps);
}

size_t kz_run_coder_encode(const kz_run_model *model, const kz_run_block *block, kz_run_look_many *look, uint8_t *trail,
                           uint32_t *steps, uint8_t *bytes) {
    return kz_rans_encode(steps, kz_run_coder_steps(model, block, look, trail, steps), bytes);
}
