/* SPDX-License-Identifier: MIT
 *
 * Which positions of a pair of sets are won at once, by pushing a piece off the board, for all (alpha, rho) together.
 *
 * It is what wins_at_once.h does for one position, with a bit for each rho: a line of squares behind a piece that can
 * fall is won for those rho in which some own piece that can get to its end is a pusher, and for those alpha whose
 * piece is not in the line. */
#ifndef KZ_PUSHFIGHT_WON_RUNS_H
#define KZ_PUSHFIGHT_WON_RUNS_H

#include "games/pushfight/index/space.h"
#include "games/pushfight/rules/wins_at_once.h"

/* What it takes to know about a board. Read-only once it is filled. */
typedef struct kz_pf_won_tables {
    kz_pf_edges edges;
    uint64_t all_splits;                 /* a bit for each rho */
    uint64_t spread[KZ_PF_SUBSETS];      /* a set of alphas: times a set of rhos, it gives the bits of the pairs */
    uint16_t some_pusher[KZ_PF_SUBSETS]; /* rhos in which a set of pieces has a pusher */
} kz_pf_won_tables;

void kz_pf_won_tables_fill(kz_pf_won_tables *tables, const kz_pf_space *space);

/* Bit alpha * splits + rho is set if that is a win at once; only alphas of the set `anchors` are looked at. */
uint64_t kz_pf_won_runs(const kz_pf_won_tables *tables, uint32_t own, uint32_t enemy, uint32_t anchors);

#endif
