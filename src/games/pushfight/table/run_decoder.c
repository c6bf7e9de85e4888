/* SPDX-License-Identifier: MIT */
#include "games/pushfight/table/run_decoder.h"

#include "games/pushfight/table/run_view.h"

/* A block that is being decoded, and the place in it that comes next. */
typedef struct lane {
    unsigned slot; /* of its memory */
    kz_rans rans;
    kz_run_block block;
    unsigned group;
    uint8_t *numbers; /* of this group */
    uint64_t open;    /* runs of this group that are not complete */
    unsigned place;   /* of this group */
    unsigned end;     /* of the run */
    ptrdiff_t apart[KZ_GROUP_NEIGHBOURS];
} lane;

typedef struct decoder {
    const kz_run_model *model;
    const kz_run_layout *layout;
    kz_run_next *next;
    void *context;
    bool right; /* so far */
    unsigned count;
    lane lanes[KZ_VIEWS];
} decoder;

/* Goes to the first place of the group's open runs, or to a later group that has one. False: there is none. */
static inline bool find_run(const kz_run_layout *layout, lane *l) {
    while (!l->open) {
        if (++l->group >= l->block.count) {
            return false;
        }
        l->numbers += layout->group;
        l->open = kz_run_open(&l->block.groups[l->group]);
        kz_run_groups_apart(&l->block, l->group, l->apart);
    }
    l->place = kz_lowest_bit64(l->open) * layout->run;
    l->end = l->place + layout->run;
    return true;
}

/* Begins the next block that has a place to decode. False: there is none. */
static bool begin_block(decoder *d, lane *l) {
    kz_run_coded coded;
    while (d->next(d->context, l->slot, &coded)) {
        if (!kz_rans_begin(&l->rans, coded.bytes, coded.size)) {
            d->right = false;
            continue;
        }
        kz_run_block_begin(&coded.block, coded.numbers);
        l->block = coded.block;
        l->group = 0;
        l->numbers = coded.numbers;
        l->open = kz_run_open(&coded.block.groups[0]);
        kz_run_groups_apart(&l->block, 0, l->apart);
        if (find_run(d->layout, l)) {
            return true;
        }
        d->right &= kz_rans_ended(&l->rans);
    }
    return false;
}

/* Goes on to the next place. False: the block was the last one. */
static inline bool go_on(decoder *d, lane *l) {
    if (++l->place < l->end) {
        return true;
    }
    l->open &= l->open - 1;
    if (find_run(d->layout, l)) {
        return true;
    }
    d->right &= kz_rans_ended(&l->rans);
    return begin_block(d, l);
}

static inline void gather(const decoder *d, kz_run_near *near) {
    for (unsigned i = 0; i < d->count; i++) {
        const lane *l = &d->lanes[i];
        const kz_entry_plan *plan = &d->layout->places[l->place];
        const uint8_t *at = &l->numbers[l->place];
        for (unsigned k = 0; k < KZ_RUN_NEIGHBOURS; k++) {
            near->values[k][i] = at[-(ptrdiff_t)plan->back[k]];
        }
        for (unsigned k = 0; k < KZ_GROUP_NEIGHBOURS; k++) {
            near->values[KZ_RUN_NEIGHBOURS + k][i] = at[-l->apart[k]];
        }
    }
}

/* The contexts of the places, and those of the first questions; what these need is fetched. */
typedef struct contexts {
    unsigned place[KZ_VIEWS];
    unsigned first[KZ_VIEWS];
} contexts;

static inline void find_contexts(const decoder *d, const kz_run_views *views, contexts *c) {
    for (unsigned i = 0; i < d->count; i++) {
        unsigned kind = d->layout->places[d->lanes[i].place].kind;
        c->place[i] = kz_run_place_context(d->layout, kind, views->won[i]);
        c->first[i] = kz_run_question_context(d->layout, c->place[i], 0, views->candidates[0][i], views->at[0][i],
                                              views->candidates[1][i]);
        __builtin_prefetch(&d->model->yes[c->first[i]]);
    }
}

static inline uint8_t decode_value(const decoder *d, const kz_run_views *views, const contexts *c, unsigned i,
                                   kz_rans *rans) {
    /* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign): set for all that are decoded */
    unsigned context = c->first[i];
    for (unsigned k = 0; k < KZ_CANDIDATES && views->candidates[k][i] != KZ_NO_ENTRY; k++) {
        if (k > 0) {
            context = kz_run_question_context(d->layout, c->place[i], k, views->candidates[k][i], views->at[k][i],
                                              views->candidates[k + 1][i]);
        }
        uint32_t share = d->model->yes[context];
        if (kz_rans_slot(rans) < share) {
            kz_rans_advance(rans, 0, share);
            return views->candidates[k][i];
        }
        kz_rans_advance(rans, share, KZ_SCALE - share);
    }
    unsigned value = kz_run_value_context(views->candidates[0][i], views->candidates[1][i], views->candidates[2][i]);
    return (uint8_t)kz_shares_decode(&d->model->value, value, rans);
}

bool kz_run_coder_decode_many(const kz_run_model *model, const kz_run_layout *layout, kz_run_look_many *look,
                              kz_run_next *next, void *context) {
    decoder d = {.model = model, .layout = layout, .next = next, .context = context, .right = true};
    kz_run_near near = {{{0}}};
    kz_run_views views;
    contexts c;
    for (unsigned slot = 0; slot < KZ_VIEWS; slot++) {
        d.lanes[d.count].slot = slot;
        if (!begin_block(&d, &d.lanes[d.count])) {
            break;
        }
        d.count++;
    }
    while (d.count > 0) {
        uint32_t ended = 0;
        gather(&d, &near);
        look(&near, &views);
        find_contexts(&d, &views, &c);
        for (unsigned i = 0; i < d.count; i++) {
            lane *l = &d.lanes[i];
            l->numbers[l->place] = decode_value(&d, &views, &c, i, &l->rans);
            if (!go_on(&d, l)) {
                ended |= UINT32_C(1) << i;
            }
        }
        /* From the last one on, so that a lane that takes the place of another has not ended. */
        for (; ended; ended &= ~(UINT32_C(1) << (31 - (unsigned)__builtin_clz(ended)))) {
            d.lanes[31 - (unsigned)__builtin_clz(ended)] = d.lanes[--d.count];
        }
    }
    return d.right;
}

kz_run_decode_many *kz_run_decoder_choose(const kz_run_layout *layout) {
#ifdef __x86_64__
    if (layout->windows) {
        return kz_run_coder_decode_many_vbmi2;
    }
#else
    (void)layout;
#endif
    return kz_run_coder_decode_many;
}
