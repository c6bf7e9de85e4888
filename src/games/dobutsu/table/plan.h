/* SPDX-License-Identifier: MIT
 *
 * What the rules of Dobutsu Shogi tell about the positions of a table's block before their values are read: which ones
 * need no value, what the rules say about the others, and which earlier positions of the block resemble each. The coder
 * turns that into probabilities (model.h). */
#ifndef KZ_DOBUTSU_PLAN_H
#define KZ_DOBUTSU_PLAN_H

#include "games/dobutsu/index/space.h"

enum {
    /* A single probe decodes a block or a few, so small blocks make it fast; but each has 6 bytes of the index and a
     * state of its own, and its first positions have few neighbours. */
    KZ_BLOCK_POSITIONS = 2816, /* of tables that are made now */
    KZ_BLOCK_LEAST = 256,      /* of those that can be read */
    KZ_BLOCK_MOST = 4096,      /* likewise; the first tables had this many */
    KZ_PLAN_CLASSES = 16,      /* classes that the rules sort positions into: 0 to 15 */
    KZ_PLAN_SKIP = 255,        /* no value is stored: the rules alone tell it */
    KZ_PLAN_NEIGHBOURS = 3
};

typedef struct kz_plan {
    uint8_t feature[KZ_BLOCK_MOST]; /* a class, or KZ_PLAN_SKIP */
    /* 1 + the offset in the block of an earlier position that resembles this one; 0: there is none. */
    uint16_t near[KZ_PLAN_NEIGHBOURS][KZ_BLOCK_MOST];
} kz_plan;

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
