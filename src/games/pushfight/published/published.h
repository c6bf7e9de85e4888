/* SPDX-License-Identifier: MIT
 *
 * Values in the orders of the published solution, and the openings. */
#ifndef KZ_PUSHFIGHT_PUBLISHED_H
#define KZ_PUSHFIGHT_PUBLISHED_H

#include "base/pool.h"
#include "games/pushfight/check/value_sweep.h"
#include "games/pushfight/index/order.h"

#include <kanzen/pushfight.h>

/* ---- Value sweeps of many enemy sets on all threads of a pool (sweeps.c) ----------------------------------------- */

/* Gets each sweep when it has been run for enemies[number]. Several threads call it at once. */
typedef void kz_pf_swept(void *context, const kz_pf_value_sweep *sweep, uint32_t number);

typedef struct kz_pf_sweeps {
    const kz_pf_space *space;
    kz_pf_value_pages *pages;
    kz_pf_lanes lanes;
    const uint32_t *enemies; /* grid squares */
    uint32_t count;
    kz_pf_swept *swept;
    void *context;
} kz_pf_sweeps;

/* If a page can't be read, that is the result, and the rest is left out. */
kz_status kz_pf_sweeps_run(const kz_pf_sweeps *sweeps, kz_pool *pool, const kz_progress *progress, const char *stage,
                           kz_error *error);

/* ---- Consecutive positions of a published order ------------------------------------------------------------------ */

/* Writes the value bytes of the positions first to first + count - 1. Permutations that can't occur have values as
 * well, so sweeps find all of them. */
kz_status kz_pf_chunk_values(const kz_pf_space *space, const kz_pf_order *order, kz_pf_value_pages *pages,
                             kz_pool *pool, uint64_t first, uint64_t count, uint8_t *bytes, const kz_progress *progress,
                             kz_error *error);

/* The same of the minimized order. They all have a place in the index, so nothing is searched for: values are copied
 * from one order to the other, an own set at a time. `read` reads them as the index has them. */
kz_status kz_pf_minimized_values(const kz_pf_space *space, const kz_pf_order *order, kz_pf_read_values *read,
                                 void *user, kz_pool *pool, uint64_t first, uint64_t count, uint8_t *bytes,
                                 const kz_progress *progress, kz_error *error);

/* ---- Openings ------------------------------------------------------------------------------------------------------
 *
 * How the sides may set up, and what comes of it. A placement is a set of home squares of one side and a choice of
 * which pieces are movers. It has the number set * splits + split: sets of home squares and subsets of pieces are
 * numbered by increasing bit pattern. */

/* The pieces of one side; grid squares. */
typedef struct kz_pf_placement {
    uint32_t movers;
    uint32_t pushers;
} kz_pf_placement;

/* `side` is KZ_PUSHFIGHT_FIRST or KZ_PUSHFIGHT_SECOND. */
uint32_t kz_pf_placements(const kz_pf_board *board, int side);
kz_pf_placement kz_pf_placement_at(const kz_pf_board *board, int side, uint32_t number);
/* All pieces are there, and on home squares. */
uint32_t kz_pf_placement_number(const kz_pf_board *board, int side, kz_pf_placement placement);

/* The values of all openings for the first player, who moves: values[first * seconds + second]. */
kz_status kz_pf_opening_values(const kz_pf_space *space, kz_pf_value_pages *pages, kz_pool *pool, uint8_t *values,
                               const kz_progress *progress, kz_error *error);

#endif
