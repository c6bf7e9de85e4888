/* SPDX-License-Identifier: MIT
 *
 * What is coded of 64 runs at once, for processors with AVX-512 VBMI2; the build compiles this file with their
 * instructions. The plain twin is kz_run_code_plain. */
#include "games/pushfight/table/run_encoder.h"

#ifdef __x86_64__
#include "games/pushfight/table/run_lanes_vbmi2.h"

bool kz_run_fits_open_vbmi2(const kz_run_block *block, const uint64_t *runs, uint8_t *trail) {
    const kz_run_layout *layout = block->layout;
    uint64_t holes = 0;
    for (unsigned i = 0; i < block->count; i++, trail += layout->group) {
        begin_group(layout, &block->groups[i], trail);
        for (uint64_t open = kz_run_open(&block->groups[i]); open; open &= open - 1) {
            uint8_t *run = trail + (size_t)kz_lowest_bit64(open) * layout->run;
            uint64_t word = *runs++;
            uint32_t first = (uint32_t)word;
            uint32_t last = (uint32_t)(word >> 8 * (layout->run - 4));
            holes |= kz_run_holes(word);
            /* Two words that overlap. */
            memcpy(run, &first, sizeof first);
            memcpy(run + layout->run - 4, &last, sizeof last);
        }
    }
    return holes << (8 - layout->run) * 8 == 0;
}

/* What comes out for one place of each of 64 runs. */
typedef struct answers {
    _Alignas(64) uint32_t questions[LANES][KZ_CANDIDATES]; /* by place_of_lane */
    _Alignas(64) uint8_t counts[LANES];                    /* how many of them there are */
    _Alignas(64) uint8_t candidates[3][LANES];
    _Alignas(64) uint8_t values[LANES];
    uint64_t others; /* values that are none of the candidates */
} answers;

typedef struct coder {
    lanes_around around;
    context_tables tables;
    const kz_run_model *model;
    answers answers[KZ_WINDOW_MOST_RUN];
} coder;

/* ---- Questions --------------------------------------------------------------------------------------------------- */

/* As steps, or as items without a model. A yes takes the lower part of the range. */
static inline __m512i code_answers(const kz_run_model *model, __m512i contexts, __mmask16 asked, __mmask16 yes) {
    if (!model) {
        __m512i items = _mm512_add_epi32(contexts, contexts);
        return _mm512_mask_or_epi32(items, yes, items, _mm512_set1_epi32(1));
    }
    __m512i share = shares_of(model, asked, contexts);
    __m512i no = _mm512_or_si512(_mm512_slli_epi32(share, 16), _mm512_sub_epi32(_mm512_set1_epi32(KZ_SCALE), share));
    return _mm512_mask_mov_epi32(no, yes, share);
}

/* Where the questions of a lane are when those of sixteen have been put side by side. */
static inline unsigned place_of_lane(unsigned lane) { return (lane & ~15U) + (lane & 3) * 4 + (lane >> 2 & 3); }

static inline void put_side_by_side(const __m512i questions[KZ_CANDIDATES], uint32_t out[][KZ_CANDIDATES]) {
    __m512i low01 = _mm512_unpacklo_epi32(questions[0], questions[1]);
    __m512i low23 = _mm512_unpacklo_epi32(questions[2], questions[3]);
    __m512i high01 = _mm512_unpackhi_epi32(questions[0], questions[1]);
    __m512i high23 = _mm512_unpackhi_epi32(questions[2], questions[3]);
    _mm512_store_si512(out[0], _mm512_unpacklo_epi64(low01, low23));
    _mm512_store_si512(out[4], _mm512_unpackhi_epi64(low01, low23));
    _mm512_store_si512(out[8], _mm512_unpacklo_epi64(high01, high23));
    _mm512_store_si512(out[12], _mm512_unpackhi_epi64(high01, high23));
}

_Static_assert(KZ_CANDIDATES == 4, "four questions a lane");

static inline void answer(const coder *c, const lane_views *views, __m512i values, uint64_t used, answers *a) {
    place_contexts places = find_place_contexts(&c->tables, views->won, _mm512_load_si512(c->around.kinds));
    __m512i questions[PARTS][KZ_CANDIDATES];
    __m512i counts = _mm512_setzero_si512();
    uint64_t left = used;
    uint64_t found = 0;
#pragma GCC unroll 4
    for (unsigned k = 0; k < KZ_CANDIDATES; k++) {
        left &= _mm512_cmpneq_epi8_mask(views->candidates[k], filled(KZ_NO_ENTRY));
        uint64_t yes = left & _mm512_cmpeq_epi8_mask(views->candidates[k], values);
        wide contexts =
            find_contexts(&c->tables, &places, k, views->at[k], views->candidates[k], views->candidates[k + 1]);
        counts = _mm512_mask_add_epi8(counts, left, counts, filled(1));
#pragma GCC unroll 4
        for (unsigned part = 0; part < PARTS; part++) {
            questions[part][k] = code_answers(c->model, contexts.part[part], (__mmask16)(left >> PART_LANES * part),
                                              (__mmask16)(yes >> PART_LANES * part));
        }
        found |= yes;
        left &= ~yes;
    }
    for (unsigned part = 0; part < PARTS; part++) {
        put_side_by_side(questions[part], &a->questions[PART_LANES * part]);
    }
    _mm512_store_si512(a->counts, counts);
    _mm512_store_si512(a->values, values);
    for (unsigned k = 0; k < 3; k++) {
        _mm512_store_si512(a->candidates[k], views->candidates[k]);
    }
    a->others = used & ~found;
}

/* ---- Runs -------------------------------------------------------------------------------------------------------- */

/* Puts what is coded of a place where `out` is: four words, some of which the next place overwrites. */
static inline size_t write_place(const kz_run_model *model, const answers *a, unsigned lane, uint32_t *out) {
    memcpy(out, a->questions[place_of_lane(lane)], sizeof a->questions[0]);
    size_t count = a->counts[lane];
    if (a->others >> lane & 1) {
        unsigned context = kz_run_value_context(a->candidates[0][lane], a->candidates[1][lane], a->candidates[2][lane]);
        unsigned value = a->values[lane];
        if (!model) {
            out[count++] = kz_run_value_item(context, value);
        } else {
            count += kz_shares_add_steps(&model->value, context, value, out + count);
        }
    }
    return count;
}

static inline __attribute__((always_inline)) size_t code_runs(const kz_run_model *model, coder *c, unsigned width,
                                                              unsigned used, const kz_run_layout *layout,
                                                              uint32_t *out) {
    size_t count = 0;
    uint64_t lanes = used == LANES ? UINT64_MAX : (UINT64_C(1) << used) - 1;
    for (unsigned i = 0; i < width; i++) {
        __m512i near[KZ_NEIGHBOURS + 1];
        lane_views views;
        find_neighbours(layout, &c->around, i, near);
        look_at(near, &views);
        answer(c, &views, near[KZ_NEIGHBOURS], lanes, &c->answers[i]);
    }
    for (unsigned lane = 0; lane < used; lane++) {
        for (unsigned i = 0; i < width; i++) {
            count += write_place(model, &c->answers[i], lane, out + count);
        }
    }
    return count;
}

static inline __attribute__((always_inline)) size_t code_block(const kz_run_model *model, const kz_run_block *block,
                                                               const uint8_t *trail, uint32_t *out) {
    const kz_run_layout *layout = block->layout;
    coder c;
    unsigned used = 0;
    size_t count = 0;
    c.model = model;
    begin_around(&c.around);
    fill_context_tables(layout, &c.tables);
    for (unsigned i = 0; i < block->count; i++, trail += layout->group) {
        const kz_group_plan *group = &block->groups[i];
        for (uint64_t open = kz_run_open(group); open; open &= open - 1) {
            unsigned run = kz_lowest_bit64(open);
            const uint8_t *numbers = trail + (size_t)run * layout->run;
            uint8_t *own = c.around.windows[used] + (size_t)8 * KZ_WINDOW_OWN;
            fill_window(layout, &c.around, used, trail, group, run);
            /* Two words that overlap. */
            memcpy(own, numbers, 4);
            memcpy(own + layout->run - 4, numbers + layout->run - 4, 4);
            if (++used == LANES) {
                count += code_runs(model, &c, layout->run, used, layout, out + count);
                used = 0;
            }
        }
    }
    return count + (used ? code_runs(model, &c, layout->run, used, layout, out + count) : 0);
}

size_t kz_run_code_vbmi2(const kz_run_model *model, const kz_run_block *block, kz_run_look_many *look, uint8_t *trail,
                         uint32_t *out) {
    (void)look; /* it has one of its own */
    return model ? code_block(model, block, trail, out) : code_block(NULL, block, trail, out);
}

#endif
