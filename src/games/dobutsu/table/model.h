/* SPDX-License-Identifier: MIT
 *
 * Tables of losses: the probabilities that the values are coded with.
 *
 * A value is coded in one or two steps: whether the position is lost, and if so, in how many plies. The first step's
 * probabilities depend on the position's class and, coarsely, on the values of its three neighbours; the second step's
 * on the distances of those neighbours that are lost. The probabilities are counted over the whole table and stored in
 * it. */
#ifndef KZ_TABLE_MODEL_H
#define KZ_TABLE_MODEL_H

#include "games/dobutsu/table/plan.h"
#include "table/shares.h"

enum {
    KZ_LEVELS = 7, /* what a neighbour's value is reduced to for the first step */
    KZ_LOST_CONTEXTS = KZ_PLAN_CLASSES * KZ_LEVELS * KZ_LEVELS * KZ_LEVELS,
    KZ_ESCAPE = 0,           /* no loss is stored as 0: it is n + 1 for "lost in n" */
    KZ_RELATIONS = 32,       /* how a second and a third lost neighbour compare to the first */
    KZ_DISTANCE_CLASSES = 8, /* classes that differ in the second step: the number modulo 8 */
    KZ_DISTANCE_CONTEXTS = KZ_SYMBOLS * KZ_RELATIONS * KZ_DISTANCE_CLASSES
};

/* How often each thing was seen. */
typedef struct kz_model_counts {
    uint32_t lost[KZ_LOST_CONTEXTS][2];
    uint32_t distance[KZ_DISTANCE_CONTEXTS][KZ_SYMBOLS];
} kz_model_counts;

typedef struct kz_model {
    uint16_t lost_share[KZ_LOST_CONTEXTS]; /* of 4096: probability of "lost", 1 to 4095 */
    kz_shares distance;
} kz_model;

/* Probabilities from counts. NULL: no memory. */
kz_model *kz_model_new(const kz_model_counts *counts);
void kz_model_free(kz_model *model);

/* As bytes, in a buffer that the caller frees. NULL: no memory. */
uint8_t *kz_model_pack(const kz_model *model, size_t *size);
kz_status kz_model_unpack(const uint8_t *bytes, size_t size, kz_model **unpacked, kz_error *error);

/* ---- Contexts ---------------------------------------------------------------------------------------------------- */

/* A neighbour's stored value reduced to a level: 0 no neighbour or skipped, 1 not lost, 2.. lost, the sooner the
 * smaller. */
static inline unsigned kz_level(unsigned stored) {
    static const uint8_t levels[32] = {1, 2, 2, 2, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 5, 5,
                                       5, 5, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6};
    return levels[stored < 31 ? stored : 31];
}

/* The same without a table: compilers do it for many values at once. */
static inline uint8_t kz_level_sum(uint8_t stored) {
    return (uint8_t)(1 + (stored >= 1) + (stored >= 4) + (stored >= 6) + (stored >= 10) + (stored >= 18));
}

/* The values of a block as far as they are known. Places count from 1, as in a plan; place 0 is the neighbour that is
 * not there, so that nothing has to be asked. */
typedef struct kz_trail {
    uint8_t value[KZ_BLOCK_MOST + 1];
    uint8_t level[KZ_BLOCK_MOST + 1];
} kz_trail;

static inline void kz_trail_begin(kz_trail *trail) {
    trail->value[0] = 0;
    trail->level[0] = 0;
}

static inline void kz_trail_add(kz_trail *trail, unsigned i, unsigned stored) {
    trail->value[i + 1] = (uint8_t)stored;
    trail->level[i + 1] = (uint8_t)kz_level(stored);
}

/* The context of the first step for position i of a block. */
static inline unsigned kz_lost_context(const kz_plan *plan, const kz_trail *trail, unsigned i) {
    unsigned context = plan->feature[i];
    for (int k = 0; k < KZ_PLAN_NEIGHBOURS; k++) {
        context = context * KZ_LEVELS + trail->level[plan->near[k][i]];
    }
    return context;
}

/* How a second lost neighbour compares to the first: 1 alike, 2 and 3 sooner, 6, 5 and 4 later, by how much. */
static inline unsigned kz_relation(unsigned first, unsigned second) {
    int apart = (int)second - (int)first;
    unsigned later = 6U - (apart > 2) - (apart > 4);
    unsigned sooner = 3U - (apart < -2);
    return apart > 0 ? later : apart < 0 ? sooner : 1;
}

/* The context of the second step: the first neighbour that is lost, and how the others that are lost compare to it.
 * Nothing here is a branch once it is compiled: no processor could guess them. */
static inline unsigned kz_distance_context(const kz_plan *plan, const kz_trail *trail, unsigned i) {
    unsigned a = trail->value[plan->near[0][i]];
    unsigned b = trail->value[plan->near[1][i]];
    unsigned c = trail->value[plan->near[2][i]];
    /* The three without those that are not lost, 0 in the place of what is missing. */
    unsigned b_or_c = b ? b : c;
    unsigned c_if_b = b ? c : 0;
    unsigned first = a ? a : b_or_c;
    unsigned second = a ? b_or_c : c_if_b;
    unsigned third = a ? c_if_b : 0;
    unsigned relation = second ? kz_relation(first, second) : 0;
    unsigned order = third < first ? 24 : 0;
    order = third == second ? 16 : order;
    order = third == first ? 8 : order;
    relation += third ? order : 0;
    return (plan->feature[i] % KZ_DISTANCE_CLASSES * KZ_SYMBOLS + first) * KZ_RELATIONS + relation;
}

#endif
