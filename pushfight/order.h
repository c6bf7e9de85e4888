/* SPDX-License-Identifier: MIT
 *
 * The two published orders of positions, permutations and minimized positions, walked through for one enemy set at a
 * time, which is how sweeps find values.
 *
 * Both orders are sequences of *series*: positions with the same codes on some squares, in the lexicographic order of
 * the codes on the others. Permutations are one series; the minimized order has one for each anchor and each way to
 * fill the squares around it that the anchor test looks at (minimized.h). */
#ifndef KZ_PUSHFIGHT_ORDER_H
#define KZ_PUSHFIGHT_ORDER_H

#include "pushfight/space.h"

typedef struct kz_pf_order kz_pf_order;

kz_status kz_pf_order_open(const kz_pf_space *space, bool minimized, kz_pf_order **opened, kz_error *error);
void kz_pf_order_close(kz_pf_order *order);

/* How many positions there are. */
uint64_t kz_pf_order_size(const kz_pf_order *order);

/* Whether any of the positions first to first + count - 1 has the enemy set `enemy` (grid squares). */
bool kz_pf_order_meets(const kz_pf_order *order, uint32_t enemy, uint64_t first, uint64_t count);

/* Told about position first + i: its own set has rank `own_rank` among the sets of the squares that the enemy leaves
 * free, and alpha * anchored_splits + sigma is `lane`. */
typedef void kz_pf_visit(void *context, uint64_t i, uint32_t own_rank, unsigned rho, unsigned lane);

/* Visits those that have it. */
void kz_pf_order_walk(const kz_pf_order *order, uint32_t enemy, uint64_t first, uint64_t count, kz_pf_visit *visit,
                      void *context);

#endif
