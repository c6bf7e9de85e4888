/* SPDX-License-Identifier: MIT
 *
 * The values of consecutive minimized positions. They all have a place in the index, so nothing is searched for: values
 * are copied from one order to the other, an own set at a time. */
#ifndef KZ_SOLVE_PUSHFIGHT_MINIMIZED_H
#define KZ_SOLVE_PUSHFIGHT_MINIMIZED_H

#include "base/pool.h"
#include "games/pushfight/check/value_pages.h"
#include "games/pushfight/index/order.h"

/* Writes the value bytes of the positions first to first + count - 1 of the minimized order. `read` reads them as the
 * index has them. */
kz_status kz_pf_minimized_values(const kz_pf_space *space, const kz_pf_order *order, kz_pf_read_values *read,
                                 void *user, kz_pool *pool, uint64_t first, uint64_t count, uint8_t *bytes,
                                 const kz_progress *progress, kz_error *error);

#endif
