/* SPDX-License-Identifier: MIT
 *
 * What the rules of Dobutsu Shogi tell about the positions of a table's block; see game/plan.h for what it is for. */
#ifndef KZ_DOBUTSU_PLAN_H
#define KZ_DOBUTSU_PLAN_H

#include "game/plan.h"
#include "games/dobutsu/index/space.h"

/* Neighbours among the chicks: the same with one chick on the free square before. On n free squares a state's rank
 * tells them by itself, so one list for each n serves all runs. `back[k][rank]` is how far back it is, 0: none. */
typedef struct kz_dobutsu_chick_backs {
    uint16_t back[2][KZ_DOBUTSU_CHICK_STATES];
} kz_dobutsu_chick_backs;

typedef struct kz_dobutsu_planner {
    const kz_dobutsu_space *space;
    int rules;
    kz_dobutsu_chick_backs chicks[KZ_DOBUTSU_SQUARES + 1]; /* by the number of free squares */
} kz_dobutsu_planner;

void kz_dobutsu_planner_fill(kz_dobutsu_planner *planner, const kz_dobutsu_space *space, int rules);

/* Whether the rules alone tell that a position of the solved zone is won at once: what a plan skips. */
bool kz_dobutsu_won_at_once(const kz_dobutsu_planner *planner, const kz_dobutsu_states *states);

/* Makes the plan for `count` positions from `first` on (of the solved zone; at most KZ_BLOCK_MOST). */
void kz_dobutsu_plan(const kz_dobutsu_planner *planner, uint64_t first, unsigned count, kz_plan *plan);

#endif
