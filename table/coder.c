/* SPDX-License-Identifier: MIT */
#include "table/coder.h"

#include "base/bits.h"

#include <string.h>

enum { LOWEST_STATE = 1 << 16 };

void kz_coder_count(const kz_plan *plan, const uint8_t *stored, unsigned positions, kz_model_counts *counts) {
    kz_trail trail;
    kz_trail_begin(&trail);
    for (unsigned i = 0; i < positions; i++) {
        if (plan->feature[i] == KZ_PLAN_SKIP) {
            kz_trail_skip(&trail, i);
            continue;
        }
        counts->lost[kz_lost_context(plan, &trail, i)][stored[i] != 0]++;
        if (stored[i]) {
            counts->distance[kz_distance_context(plan, &trail, i)][stored[i]]++;
        }
        kz_trail_add(&trail, i, stored[i]);
    }
}

/* ---- Encoding ------------------------------------------------------------------------------------------------------
 */

/* "Lost" takes the lower part of the range. */
static inline uint32_t lost_step(unsigned share, bool lost) { return lost ? share : share << 16 | (KZ_SCALE - share); }

/* A number by itself: each has the same share. */
enum { RAW_SHARE = KZ_SCALE / KZ_SYMBOLS };

/* One step, or two if the context does not know the value. The escape is the last symbol, so the search ends there. */
static unsigned add_distance_steps(const kz_model *model, unsigned context, unsigned value, uint32_t *steps) {
    const kz_model_symbol *symbol = &model->symbols[model->first[context]];
    const kz_model_symbol *last = &model->symbols[model->first[context + 1]];
    unsigned count = 0;
    while (symbol != last && symbol->symbol != value && symbol->symbol != KZ_ESCAPE) {
        symbol++;
    }
    if (symbol != last) {
        steps[count++] = (uint32_t)symbol->start << 16 | symbol->share;
    }
    if (symbol == last || symbol->symbol == KZ_ESCAPE) {
        steps[count++] = (uint32_t)(value * RAW_SHARE) << 16 | RAW_SHARE;
    }
    return count;
}

size_t kz_coder_encode(const kz_model *model, const kz_plan *plan, const uint8_t *stored, unsigned positions,
                       uint8_t *bytes) {
    uint32_t steps[3 * KZ_BLOCK_POSITIONS]; /* start << 16 | share */
    unsigned count = 0;
    kz_trail trail;
    kz_trail_begin(&trail);
    for (unsigned i = 0; i < positions; i++) {
        if (plan->feature[i] == KZ_PLAN_SKIP) {
            kz_trail_skip(&trail, i);
            continue;
        }
        steps[count++] = lost_step(model->lost_share[kz_lost_context(plan, &trail, i)], stored[i] != 0);
        if (stored[i]) {
            count += add_distance_steps(model, kz_distance_context(plan, &trail, i), stored[i], &steps[count]);
        }
        kz_trail_add(&trail, i, stored[i]);
    }
    uint16_t words[3 * KZ_BLOCK_POSITIONS];
    unsigned written = 0;
    uint32_t state = LOWEST_STATE;
    for (const uint32_t *step = steps + count; step != steps; step--) {
        uint32_t share = step[-1] & 0xFFFF;
        uint32_t start = step[-1] >> 16;
        if (state >= (uint64_t)share << (32 - KZ_SCALE_BITS)) {
            words[written++] = (uint16_t)state;
            state >>= 16;
        }
        state = (state / share << KZ_SCALE_BITS) + state % share + start;
    }
    kz_store_le32(bytes, state);
    for (unsigned i = 0; i < written; i++) {
        kz_store_le16(bytes + 4 + 2 * (size_t)i, words[written - 1 - i]);
    }
    return 4 + 2 * (size_t)written;
}

/* ---- Decoding ------------------------------------------------------------------------------------------------------
 */

typedef struct decoder {
    uint32_t state;
    const uint8_t *at;
    const uint8_t *end;
} decoder;

/* Takes a symbol's share of the range out of the state. */
static inline void advance(decoder *d, uint32_t start, uint32_t share) {
    d->state = share * (d->state >> KZ_SCALE_BITS) + (d->state & (KZ_SCALE - 1)) - start;
    if (d->state < LOWEST_STATE && d->at != d->end) {
        d->state = d->state << 16 | kz_load_le16(d->at);
        d->at += 2;
    }
}

/* Decodes the positions and returns the state after them. */
static decoder decode(const kz_model *model, const kz_plan *plan, const uint8_t *bytes, size_t size, unsigned positions,
                      uint8_t *stored) {
    decoder d = {.state = kz_load_le32(bytes), .at = bytes + 4, .end = bytes + size};
    kz_trail trail;
    kz_trail_begin(&trail);
    for (unsigned i = 0; i < positions; i++) {
        if (plan->feature[i] == KZ_PLAN_SKIP) {
            kz_trail_skip(&trail, i);
            continue;
        }
        uint32_t slot = d.state & (KZ_SCALE - 1);
        uint32_t share = model->lost_share[kz_lost_context(plan, &trail, i)];
        if (slot >= share) {
            advance(&d, share, KZ_SCALE - share);
            kz_trail_add(&trail, i, 0);
            continue;
        }
        advance(&d, 0, share);
        unsigned context = kz_distance_context(plan, &trail, i);
        const kz_model_symbol *symbol = &model->symbols[model->first[context]];
        const kz_model_symbol *last = &model->symbols[model->first[context + 1]];
        slot = d.state & (KZ_SCALE - 1);
        while (symbol != last && slot >= (uint32_t)symbol->start + symbol->share) {
            symbol++;
        }
        unsigned value = KZ_ESCAPE;
        if (symbol != last) {
            value = symbol->symbol;
            advance(&d, symbol->start, symbol->share);
        }
        if (value == KZ_ESCAPE) {
            value = (d.state & (KZ_SCALE - 1)) / RAW_SHARE;
            advance(&d, value * RAW_SHARE, RAW_SHARE);
        }
        kz_trail_add(&trail, i, value);
    }
    memcpy(stored, trail.value + 1, positions);
    return d;
}

/* There must be a state, and whole words. */
static bool plausible(size_t size) { return size >= 4 && size % 2 == 0; }

void kz_coder_decode_some(const kz_model *model, const kz_plan *plan, const uint8_t *bytes, size_t size,
                          unsigned positions, uint8_t *stored) {
    if (plausible(size)) {
        decode(model, plan, bytes, size, positions, stored);
    } else {
        memset(stored, 0, positions);
    }
}

bool kz_coder_decode(const kz_model *model, const kz_plan *plan, const uint8_t *bytes, size_t size, unsigned positions,
                     uint8_t *stored) {
    if (!plausible(size)) {
        return false;
    }
    decoder d = decode(model, plan, bytes, size, positions, stored);
    return d.at == d.end && d.state == LOWEST_STATE;
}
