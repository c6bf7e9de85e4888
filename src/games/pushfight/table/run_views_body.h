/* SPDX-License-Identifier: MIT
 *
 * The views of KZ_VIEWS places (run_views.h), VECTOR_BYTES places in a vector. A file that includes this defines
 * VECTOR_BYTES and KERNEL, the name of the function. */
#include "games/pushfight/table/run_views.h"

#include <string.h>

typedef uint8_t vector __attribute__((vector_size(VECTOR_BYTES)));

static inline vector load(const uint8_t *from) {
    vector loaded;
    memcpy(&loaded, from, sizeof loaded);
    return loaded;
}

static inline vector filled(unsigned value) { return (vector){0} + (uint8_t)value; }

/* 255 where two are the same, else 0. */
static inline vector same(vector left, vector right) { return (vector)(left == right); }

static inline vector above(vector left, vector right) { return (vector)(left > right); }

/* Which of the nearest neighbours have a value. */
static inline vector nearest_with(const vector near[KZ_NEIGHBOURS], vector value) {
    vector set = {0};
    for (unsigned i = 0; i < KZ_RUN_NEAREST; i++) {
        set |= same(near[i], value) & filled(1U << i);
    }
    return set;
}

/* The weight of each neighbour's value; 0 where that is no candidate. */
static inline void weigh(const vector near[KZ_NEIGHBOURS], vector weight[KZ_NEIGHBOURS]) {
    static const uint8_t weights[KZ_NEIGHBOURS] = {KZ_NEIGHBOUR_WEIGHTS};
    for (unsigned i = 0; i < KZ_NEIGHBOURS; i++) {
        weight[i] = filled(weights[i]);
    }
#pragma GCC unroll 16
    for (unsigned i = 1; i < KZ_NEIGHBOURS; i++) {
#pragma GCC unroll 16
        for (unsigned k = 0; k < i; k++) {
            vector equal = same(near[i], near[k]);
            weight[i] += equal & filled(weights[k]);
            weight[k] += equal & filled(weights[i]);
        }
    }
    for (unsigned i = 0; i < KZ_NEIGHBOURS; i++) {
        weight[i] &= ~(same(near[i], filled(KZ_NO_ENTRY)) | same(near[i], filled(KZ_WON_AT_ONCE)));
    }
}

/* Takes out the heaviest value: the weight of its neighbours is 0 afterwards. KZ_NO_ENTRY: there is none left. */
static inline vector take_heaviest(const vector near[KZ_NEIGHBOURS], vector weight[KZ_NEIGHBOURS]) {
    vector heaviest = weight[0];
    vector value = near[0] | same(heaviest, filled(0));
    for (unsigned i = 1; i < KZ_NEIGHBOURS; i++) {
        vector heavier = above(weight[i], heaviest);
        heaviest = (weight[i] & heavier) | (heaviest & ~heavier);
        value = (near[i] & heavier) | (value & ~heavier);
    }
    for (unsigned i = 0; i < KZ_NEIGHBOURS; i++) {
        weight[i] &= ~same(near[i], value);
    }
    return value;
}

void KERNEL(const kz_run_near *values, kz_run_views *views) {
    for (unsigned first = 0; first < KZ_VIEWS; first += VECTOR_BYTES) {
        vector near[KZ_NEIGHBOURS];
        vector weight[KZ_NEIGHBOURS];
        for (unsigned i = 0; i < KZ_NEIGHBOURS; i++) {
            near[i] = load(&values->values[i][first]);
        }
        weigh(near, weight);
        for (unsigned k = 0; k <= KZ_CANDIDATES; k++) {
            vector value = take_heaviest(near, weight);
            memcpy(&views->candidates[k][first], &value, sizeof value);
            if (k < KZ_CANDIDATES) {
                vector at = nearest_with(near, value);
                memcpy(&views->at[k][first], &at, sizeof at);
            }
        }
        vector won = nearest_with(near, filled(KZ_WON_AT_ONCE));
        memcpy(&views->won[first], &won, sizeof won);
    }
}
