/* SPDX-License-Identifier: MIT
 *
 * How the sides may set up, and what comes of it.
 *
 * A placement is a set of home squares of one side and a choice of which pieces are movers. It has the number
 * set * splits + split: sets of home squares and subsets of pieces are numbered by increasing bit pattern. */
#ifndef KZ_SOLVE_PUSHFIGHT_OPENINGS_H
#define KZ_SOLVE_PUSHFIGHT_OPENINGS_H

#include "base/pool.h"
#include "games/pushfight/check/value_pages.h"

#include <kanzen/pushfight.h>

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
