/* SPDX-License-Identifier: MIT
 *
 * The sets of positions of the standard board that people have published figures for. */
#ifndef KZ_PUSHFIGHT_COUNTS_H
#define KZ_PUSHFIGHT_COUNTS_H

#include "base/pool.h"
#include "games/pushfight/rules/board.h"

#include <kanzen/solve.h>

typedef struct kz_pf_position_counts {
    uint64_t permutations; /* arrangements of all pieces with an anchor */
    uint64_t anchored;     /* those whose anchor passes the test */
    uint64_t minimized;    /* those up to the rotation of the board */
} kz_pf_position_counts;

/* Counts them by going through all sets of squares that are taken. */
kz_pf_position_counts kz_pf_count_board(const kz_pf_board *board);

/* What kz_count_positions promises. */
kz_status kz_pf_count_positions(kz_pool *pool, const kz_progress *progress, kz_count *counts, size_t room,
                                size_t *found, kz_error *error);

#endif
