/* SPDX-License-Identifier: MIT
 *
 * Many blocks decoded side by side, for processors with AVX-512 VBMI2; the build compiles this file with their
 * instructions. The plain twin is kz_run_coder_decode_many.
 *
 * All lanes begin runs together, so all are at the same place of their runs. A question is put to all of them at once:
 * no branch depends on an answer, but those of loops over the few lanes that need more. */
#include "games/pushfight/table/run_decoder.h"

#ifdef __x86_64__
#include "games/pushfight/table/run_lanes_vbmi2.h"

/* A block that is being decoded. */
typedef struct lane {
    unsigned slot; /* of its memory */
    const uint8_t *at;
    const uint8_t *end;
    kz_run_block block;
    unsigned group;
    unsigned run;
    uint8_t *numbers; /* of the group */
    uint64_t open;    /* runs of the group that are not complete */
} lane;

typedef struct decoder {
    lanes_around around;
    _Alignas(64) uint32_t states[LANES];
    _Alignas(64) uint8_t values[LANES]; /* that were decoded last */
    context_tables tables;
    const kz_run_model *model;
    const kz_run_layout *layout;
    kz_run_next *next;
    void *context;
    bool right; /* so far */
    unsigned count;
    lane lanes[LANES];
} decoder;

/* ---- Blocks and runs --------------------------------------------------------------------------------------------- */

/* Group by group, so that what is in the cache already is what is needed next. */
static inline void enter_group(const kz_run_layout *layout, lane *l) {
    const kz_group_plan *group = &l->block.groups[l->group];
    begin_group(layout, group, l->numbers);
    l->open = kz_run_open(group);
}

/* Goes to the first open run of the group, or to a later group that has one. False: there is none. */
static inline bool find_run(const kz_run_layout *layout, lane *l) {
    while (!l->open) {
        if (++l->group >= l->block.count) {
            return false;
        }
        l->numbers += layout->group;
        enter_group(layout, l);
    }
    l->run = kz_lowest_bit64(l->open);
    l->open &= l->open - 1;
    return true;
}

static bool ended(const decoder *d, unsigned number) {
    return d->lanes[number].at == d->lanes[number].end && d->states[number] == KZ_LOWEST_STATE;
}

/* Begins the next block that has a run to decode. False: there is none. */
static bool begin_block(decoder *d, unsigned number) {
    lane *l = &d->lanes[number];
    kz_run_coded coded;
    while (d->next(d->context, l->slot, &coded)) {
        kz_rans rans;
        if (!kz_rans_begin(&rans, coded.bytes, coded.size)) {
            d->right = false;
            continue;
        }
        d->states[number] = rans.state;
        l->at = rans.at;
        l->end = rans.end;
        l->block = coded.block;
        l->group = 0;
        l->numbers = coded.numbers;
        enter_group(d->layout, l);
        if (find_run(d->layout, l)) {
            return true;
        }
        d->right &= ended(d, number);
    }
    return false;
}

/* Ends a run and goes on to the next one. False: the block was the last one. */
static inline bool go_on(decoder *d, unsigned number) {
    lane *l = &d->lanes[number];
    const kz_run_layout *layout = d->layout;
    uint8_t *run = l->numbers + (size_t)l->run * layout->run;
    const uint8_t *own = &d->around.windows[number][8 * KZ_WINDOW_OWN];
    /* Two words that overlap. */
    memcpy(run, own, 4);
    memcpy(run + layout->run - 4, own + layout->run - 4, 4);
    if (find_run(layout, l)) {
        return true;
    }
    d->right &= ended(d, number);
    return begin_block(d, number);
}

static void take_place_of(decoder *d, unsigned to, unsigned from) {
    d->lanes[to] = d->lanes[from];
    d->states[to] = d->states[from];
}

/* What is known around the runs that come next. */
static inline void look_around(decoder *d) {
    for (unsigned i = 0; i < d->count; i++) {
        const lane *l = &d->lanes[i];
        fill_window(d->layout, &d->around, i, l->numbers, &l->block.groups[l->group], l->run);
        memset(d->around.windows[i] + (size_t)8 * KZ_WINDOW_OWN, KZ_NO_ENTRY, 8);
    }
}

/* ---- Values ------------------------------------------------------------------------------------------------------ */

static inline void take_word(lane *l, uint32_t *state) {
    if (l->at != l->end) {
        *state = *state << 16 | kz_load_le16(l->at);
        l->at += 2;
    }
}

/* Takes the next words of lanes whose states have become too small. */
static inline void refill(decoder *d, uint64_t lanes) {
    for (; lanes; lanes &= lanes - 1) {
        unsigned i = kz_lowest_bit64(lanes);
        take_word(&d->lanes[i], &d->states[i]);
    }
}

/* Puts a question with these shares of a yes to sixteen lanes, and returns those that say yes. */
static inline __mmask16 ask(__m512i share, __mmask16 asked, __m512i *state) {
    const __m512i scale = _mm512_set1_epi32(KZ_SCALE);
    __m512i slot = _mm512_and_si512(*state, _mm512_set1_epi32(KZ_SCALE - 1));
    __mmask16 no = _mm512_cmpge_epu32_mask(slot, share);
    /* A yes has the lower part of the range. */
    __m512i rest = _mm512_mask_sub_epi32(slot, no, slot, share);
    __m512i part = _mm512_mask_sub_epi32(share, no, scale, share);
    __m512i after = _mm512_add_epi32(_mm512_mullo_epi32(part, _mm512_srli_epi32(*state, KZ_SCALE_BITS)), rest);
    *state = _mm512_mask_mov_epi32(*state, asked, after);
    return (__mmask16)(asked & ~no);
}

static inline __mmask16 small(__m512i states) {
    return _mm512_cmplt_epu32_mask(states, _mm512_set1_epi32(KZ_LOWEST_STATE));
}

/* Sixteen lanes, or what is left, that have said no to the first question. */
typedef struct few {
    uint64_t lanes;
    _Alignas(16) uint8_t numbers[16]; /* of the lanes */
    __m512i states;
} few;

static inline void refill_few(decoder *d, few *f, uint32_t which) {
    for (; which; which &= which - 1) {
        unsigned i = kz_lowest_bit32(which);
        lane *l = &d->lanes[f->numbers[i]];
        if (l->at != l->end) {
            __m512i longer = _mm512_or_si512(_mm512_slli_epi32(f->states, 16), _mm512_set1_epi32(kz_load_le16(l->at)));
            f->states = _mm512_mask_mov_epi32(f->states, (__mmask16)(1U << i), longer);
            l->at += 2;
        }
    }
}

static inline __m128i pick(uint64_t lanes, __m512i bytes) {
    return _mm512_castsi512_si128(_mm512_maskz_compress_epi8(lanes, bytes));
}

/* The later questions. Returns the lanes whose values are none of the candidates. */
static inline uint64_t ask_on(decoder *d, const lane_views *views, const place_contexts *places, uint64_t lanes,
                              __m512i *values) {
    few f = {.lanes = lanes};
    unsigned all = (1U << kz_popcount64(lanes)) - 1;
    _mm_store_si128((void *)f.numbers, pick(lanes, lane_numbers()));
    __m512i numbers = _mm512_cvtepu8_epi32(_mm_load_si128((const void *)f.numbers));
    f.states = _mm512_i32gather_epi32(numbers, d->states, 4);
    place_contexts_few place = {pick(lanes, places->low), pick(lanes, places->high), pick(lanes, places->kind)};
    /* All shares are fetched before the first question is put. */
    __m128i candidates[KZ_CANDIDATES + 1];
    __m512i shares[KZ_CANDIDATES];
    unsigned exist[KZ_CANDIDATES];
    candidates[1] = pick(lanes, views->candidates[1]);
    unsigned left = all;
#pragma GCC unroll 4
    for (unsigned k = 1; k < KZ_CANDIDATES; k++) {
        left &= _mm_cmpneq_epi8_mask(candidates[k], _mm_set1_epi8((char)KZ_NO_ENTRY));
        candidates[k + 1] = pick(lanes, views->candidates[k + 1]);
        __m512i contexts =
            few_contexts(&d->tables, &place, k, pick(lanes, views->at[k]), candidates[k], candidates[k + 1]);
        shares[k] = shares_of(d->model, (__mmask16)left, contexts);
        exist[k] = left;
    }
    __m128i found = _mm_setzero_si128();
    left = all;
    unsigned others = 0;
#pragma GCC unroll 4
    for (unsigned k = 1; k < KZ_CANDIDATES; k++) {
        others |= left & ~exist[k];
        left &= exist[k];
        unsigned yes = ask(shares[k], (__mmask16)left, &f.states);
        found = _mm_mask_mov_epi8(found, (__mmask16)yes, candidates[k]);
        refill_few(d, &f, left & small(f.states));
        left &= ~yes;
    }
    _mm512_mask_i32scatter_epi32(d->states, (__mmask16)all, numbers, f.states, 4);
    *values = _mm512_mask_expand_epi8(*values, lanes, _mm512_castsi128_si512(found));
    return _pdep_u64(others | left, lanes);
}

/* Values by themselves. */
static void decode_others(decoder *d, const lane_views *views, uint64_t lanes) {
    _Alignas(64) uint8_t candidates[3][LANES];
    for (unsigned k = 0; k < 3; k++) {
        _mm512_store_si512(candidates[k], views->candidates[k]);
    }
    for (; lanes; lanes &= lanes - 1) {
        unsigned i = kz_lowest_bit64(lanes);
        lane *l = &d->lanes[i];
        kz_rans rans = {d->states[i], l->at, l->end};
        unsigned context = kz_run_value_context(candidates[0][i], candidates[1][i], candidates[2][i]);
        d->values[i] = (uint8_t)kz_shares_decode(&d->model->value, context, &rans);
        d->states[i] = rans.state;
        l->at = rans.at;
    }
}

static inline void decode_values(decoder *d, const lane_views *views) {
    uint64_t used = d->count == LANES ? UINT64_MAX : (UINT64_C(1) << d->count) - 1;
    place_contexts places = find_place_contexts(&d->tables, views->won, _mm512_load_si512(d->around.kinds));
    uint64_t none = _mm512_cmpeq_epi8_mask(views->candidates[0], filled(KZ_NO_ENTRY));
    uint64_t asked = used & ~none;
    wide contexts = find_contexts(&d->tables, &places, 0, views->at[0], views->candidates[0], views->candidates[1]);
    uint64_t yes = 0;
    uint64_t short_of = 0;
#pragma GCC unroll 4
    for (unsigned part = 0; part < PARTS; part++) {
        __mmask16 in = (__mmask16)(asked >> PART_LANES * part);
        __m512i states = _mm512_load_si512(d->states + PART_LANES * part);
        yes |= (uint64_t)ask(shares_of(d->model, in, contexts.part[part]), in, &states) << PART_LANES * part;
        short_of |= (uint64_t)small(states) << PART_LANES * part;
        _mm512_store_si512(d->states + PART_LANES * part, states);
    }
    refill(d, short_of & asked);
    __m512i values = views->candidates[0];
    uint64_t others = used & none;
    for (uint64_t left = asked & ~yes; left;) {
        uint64_t lanes = _pdep_u64(UINT16_MAX, left);
        others |= ask_on(d, views, &places, lanes, &values);
        left &= ~lanes;
    }
    _mm512_store_si512(d->values, values);
    if (others) {
        decode_others(d, views, others);
    }
}

static inline void keep_values(decoder *d, unsigned number) {
    for (unsigned i = 0; i < LANES; i++) {
        d->around.windows[i][8 * KZ_WINDOW_OWN + number] = d->values[i];
    }
}

bool kz_run_coder_decode_many_vbmi2(const kz_run_model *model, const kz_run_layout *layout, kz_run_look_many *look,
                                    kz_run_next *next, void *context) {
    decoder d;
    (void)look; /* it has one of its own */
    memset(&d, 0, sizeof d);
    d.model = model;
    d.layout = layout;
    d.next = next;
    d.context = context;
    d.right = true;
    begin_around(&d.around);
    fill_context_tables(layout, &d.tables);
    for (unsigned slot = 0; slot < LANES; slot++) {
        d.lanes[d.count].slot = slot;
        if (!begin_block(&d, d.count)) {
            break;
        }
        d.count++;
    }
    while (d.count > 0) {
        look_around(&d);
        for (unsigned i = 0; i < layout->run; i++) {
            __m512i near[KZ_NEIGHBOURS + 1];
            lane_views views;
            find_neighbours(layout, &d.around, i, near);
            look_at(near, &views);
            decode_values(&d, &views);
            keep_values(&d, i);
        }
        /* From the last one on, so that a lane that takes the place of another has not ended. */
        for (unsigned i = d.count; i-- > 0;) {
            if (!go_on(&d, i)) {
                take_place_of(&d, i, --d.count);
            }
        }
    }
    return d.right;
}

#endif
