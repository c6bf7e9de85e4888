/* SPDX-License-Identifier: MIT
 *
 * The values of consecutive positions of a published order. */
#ifndef KZ_SOLVE_PUSHFIGHT_CHUNKS_H
#define KZ_SOLVE_PUSHFIGHT_CHUNKS_H

#include "base/pool.h"
#include "games/pushfight/check/value_sweep.h"
#include "games/pushfight/index/order.h"

/* Writes the value bytes of the positions first to first + count - 1. Permutations that can't occur have values as
 * well, so sweeps find all of them. */
kz_status kz_pf_chunk_values(const kz_pf_space *space, const kz_pf_order *order, kz_pf_value_pages *pages,
                             kz_pool *pool, uint64_t first, uint64_t count, uint8_t *bytes, const kz_progress *progress,
                             kz_error *error);

#endif
