/* SPDX-License-Identifier: MIT */
#include "games/pushfight/table/plan.h"

#include "base/bits.h"

#include <string.h>

enum { MOST_BLOCK_PAIRS = 128 };

unsigned kz_pf_block_pairs(const kz_pf_space *space) {
    unsigned pairs = MOST_BLOCK_PAIRS;
    while (space->enemy_sets % pairs) {
        pairs--;
    }
    return pairs;
}

/* Pairs in which the first or the second enemy piece stands on the free square before its own. Moving the k-th piece
 * from place c (from 0) back by one takes C(c, k) - C(c - 1, k) off the rank. */
static void find_near_pairs(uint32_t pattern, unsigned before, uint16_t back[KZ_GROUP_NEIGHBOURS]) {
    uint32_t first = pattern & -pattern;
    uint32_t second = (pattern ^ first) & -(pattern ^ first);
    back[0] = first > 1 && before >= 1;
    if (second && second >> 1 != first) {
        unsigned distance = kz_lowest_bit32(second) - 1;
        back[1] = (uint16_t)(distance <= before ? distance : 0);
    }
}

void kz_pf_group_plans(const kz_pf_space *space, const kz_pf_won_tables *tables, uint64_t first, unsigned count,
                       const uint64_t *won, kz_group_plan *plans) {
    uint32_t own = space->own_squares[first / space->enemy_sets];
    const uint32_t *patterns = space->others.patterns + first % space->enemy_sets;
    uint32_t squares[KZ_PF_GRID] = {0};
    unsigned others = 0;
    for (uint32_t rest = space->board->squares & ~own; rest; rest &= rest - 1) {
        squares[others++] = rest & -rest;
    }
    for (unsigned i = 0; i < count; i++) {
        uint32_t enemy = 0;
        for (uint32_t rest = patterns[i]; rest; rest &= rest - 1) {
            enemy |= squares[kz_lowest_bit32(rest)];
        }
        uint32_t anchors = kz_pf_pack(kz_pf_anchorable(space->board, own | enemy), enemy);
        uint64_t exists = tables->spread[anchors] * tables->all_splits;
        plans[i] = (kz_group_plan){.exists = exists,
                                   .won = won ? won[i] & exists : kz_pf_won_runs(tables, own, enemy, anchors)};
        find_near_pairs(patterns[i], i, plans[i].back);
    }
}

/* ---- Neighbours -------------------------------------------------------------------------------------------------- */

/* Whether two pieces have changed roles. */
static bool swapped(unsigned a, unsigned b) { return kz_popcount32(a ^ b) == 2; }

/* Lists earlier subsets in which two pieces have changed roles, the last first. */
static int earlier(const uint8_t *patterns, int number, int *list) {
    int count = 0;
    for (int other = number - 1; other >= 0; other--) {
        if (swapped(patterns[number], patterns[other])) {
            list[count++] = other;
        }
    }
    return count;
}

static uint32_t enemy_movers(const kz_pf_space *space, int alpha, int sigma) {
    uint32_t pattern = space->anchored_pattern[sigma];
    uint32_t below = (UINT32_C(1) << alpha) - 1;
    return (pattern & below) | (pattern & ~below) << 1;
}

/* What a place is made of. */
typedef struct spot {
    int alpha;
    int rho;
    int sigma;
} spot;

static unsigned place_of(const kz_pf_space *space, spot s) {
    return (unsigned)((s.alpha * space->splits + s.rho) * space->anchored_splits + s.sigma);
}

enum { FIRST_ANCHOR = 2, SECOND_ANCHOR = 7 };

static int add_neighbour(kz_entry_plan *plan, int slot, unsigned back) {
    if (slot < KZ_RUN_NEIGHBOURS) {
        plan->back[slot++] = (uint16_t)back;
    }
    return slot == FIRST_ANCHOR || slot == SECOND_ANCHOR ? slot + 1 : slot;
}

void kz_pf_offset_plan(const kz_pf_space *space, unsigned place, kz_entry_plan *plan) {
    int run = (int)place / space->anchored_splits;
    spot s = {run / space->splits, run % space->splits, (int)place % space->anchored_splits};
    int rhos[KZ_PF_MOST_SPLITS];
    int sigmas[KZ_PF_MOST_ANCHORED_SPLITS];
    int rho_count = earlier(space->split_pattern, s.rho, rhos);
    int sigma_count = earlier(space->anchored_pattern, s.sigma, sigmas);
    memset(plan, 0, sizeof *plan);
    plan->kind = (uint8_t)(s.rho * space->anchored_splits + s.sigma);
    /* Other anchors have places of their own in the list; what changes roles takes the others, in turn. */
    for (int i = 0, slot = 0; i < rho_count || i < sigma_count; i++) {
        if (i < sigma_count) {
            slot = add_neighbour(plan, slot, place - place_of(space, (spot){s.alpha, s.rho, sigmas[i]}));
        }
        if (i < rho_count) {
            slot = add_neighbour(plan, slot, place - place_of(space, (spot){s.alpha, rhos[i], s.sigma}));
        }
    }
    uint32_t movers = enemy_movers(space, s.alpha, s.sigma);
    for (int alpha = 0; alpha < s.alpha; alpha++) {
        for (int sigma = 0; sigma < space->anchored_splits; sigma++) {
            if (enemy_movers(space, alpha, sigma) == movers) {
                plan->back[SECOND_ANCHOR] = plan->back[FIRST_ANCHOR];
                plan->back[FIRST_ANCHOR] = (uint16_t)(place - place_of(space, (spot){alpha, s.rho, sigma}));
            }
        }
    }
}
