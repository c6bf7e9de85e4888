/* SPDX-License-Identifier: MIT
 *
 * The two published orders of positions, permutations and minimized positions, walked through for one set of squares at
 * a time: an enemy set, which is how sweeps find values, or an own set, which is how tables store them.
 *
 * Both orders are sequences of *series*: positions with the same codes on some squares, in the lexicographic order of
 * the codes on the others. Permutations are one series; the minimized order has one for each anchor and each way to
 * fill the squares around it that the anchor test looks at (minimized.h). */
#ifndef KZ_PUSHFIGHT_ORDER_H
#define KZ_PUSHFIGHT_ORDER_H

#include "games/pushfight/index/space.h"

typedef struct kz_pf_order kz_pf_order;

kz_status kz_pf_order_open(const kz_pf_space *space, bool minimized, kz_pf_order **opened, kz_error *error);
void kz_pf_order_close(kz_pf_order *order);

/* How many positions there are. */
uint64_t kz_pf_order_size(const kz_pf_order *order);

/* The squares (of the grid) of all pieces of one side. */
typedef struct kz_pf_side_set {
    bool own; /* of the side to move */
    uint32_t squares;
} kz_pf_side_set;

/* Whether any of the positions first to first + count - 1 has that set. */
bool kz_pf_order_meets(const kz_pf_order *order, kz_pf_side_set set, uint64_t first, uint64_t count);

/* Told about position first + i: the set of the other side has rank `other_rank` among the sets of the squares that are
 * left free, and alpha * anchored_splits + sigma is `lane`. */
typedef void kz_pf_visit(void *context, uint64_t i, uint32_t other_rank, unsigned rho, unsigned lane);

/* Visits those that have it. */
void kz_pf_order_walk(const kz_pf_order *order, kz_pf_side_set set, uint64_t first, uint64_t count, kz_pf_visit *visit,
                      void *context);

#endif
