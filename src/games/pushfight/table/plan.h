/* SPDX-License-Identifier: MIT
 *
 * What the rules of Push Fight tell about the positions of a table's block; see game/plan.h for what it is for.
 *
 * A block is a number of pairs of one own set with consecutive enemy sets, a group is a pair, and a row is what differs
 * in sigma only. */
#ifndef KZ_PUSHFIGHT_PLAN_H
#define KZ_PUSHFIGHT_PLAN_H

#include "game/plan.h"
#include "games/pushfight/table/won_runs.h"

/* How many pairs a block has: they never are of two own sets. */
unsigned kz_pf_block_pairs(const kz_pf_space *space);

/* The plans of `count` pairs from number `first` on, all of one own set. Bit alpha * splits + rho is a run.
 * `won` is NULL, or has the runs that are won at once, a word for each pair. */
void kz_pf_group_plans(const kz_pf_space *space, const kz_pf_won_tables *tables, uint64_t first, unsigned count,
                       const uint64_t *won, kz_group_plan *plans);

/* Which earlier places of a pair resemble a place: same positions but for two pieces of one side that have changed
 * roles, or for another piece that has the anchor. */
void kz_pf_offset_plan(const kz_pf_space *space, unsigned place, kz_entry_plan *plan);

#endif
