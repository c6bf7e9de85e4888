/* SPDX-License-Identifier: MIT
 *
 * What the two files of the solver share: solver.c has all pages, or those of one member of a team; solver_shard.c is
 * what members do for each other. */
#ifndef KZ_PUSHFIGHT_SOLVER_H
#define KZ_PUSHFIGHT_SOLVER_H

#include "games/pushfight/solve/sweep_ops.h"
#include "games/pushfight/solve/slice.h"

/* One worker's memory, and what it has found in phase 0. */
typedef struct kz_pf_worker {
    kz_pf_slice *slice;
    kz_pf_stuck_list stuck; /* in pages that are here */
    kz_pf_start_counts counts;
    /* In a team only: */
    kz_pf_elements elements;
    kz_pf_stuck_list sent; /* in any pages, to be sent there */
    uint8_t *updates;
} kz_pf_worker;

typedef struct kz_pf_solver {
    kz_pf_space *space;
    kz_pf_tables *tables;
    kz_pf_state state;
    /* The pages that are here: all, or a member's own. state.first_runs is always of all pages. */
    uint32_t first_page;
    uint32_t page_count;
    int workers;
    kz_pf_worker *worker;
    /* What each sweep of a slice remembers, for phases that find wins and for those that find losses. A team does not
     * touch them, so they take no memory there. */
    kz_pf_memo *memos[2]; /* [own_sets] */
    uint8_t *seen[2];     /* [pairs] */
} kz_pf_solver;

extern const kz_sweep_share_ops kz_pushfight_share;

/* kz_sweep_ops.needs (solver_needs.c). */
kz_status kz_pf_solver_needs(int rules, int workers, kz_sweep_needs *needs, kz_error *error);

/* Allocates the pages [first_page, first_page + page_count), and gives back those that there were. */
kz_status kz_pf_solver_pages(kz_pf_solver *s, uint32_t first_page, uint32_t page_count, kz_error *error);

/* Where a page's parts are in the state; it must be here. */
static inline uint64_t *kz_pf_page_pairs(const kz_pf_solver *s, uint64_t page) {
    return s->state.pairs + (page - s->first_page) * s->space->enemy_sets;
}

static inline uint64_t *kz_pf_page_bases(const kz_pf_solver *s, uint64_t page) {
    return s->state.bases + (page - s->first_page) * kz_pf_base_count(s->space);
}

/* Counted from the first run that is here. */
static inline uint64_t kz_pf_page_run(const kz_pf_solver *s, uint64_t page) {
    return s->state.first_runs[page] - s->state.first_runs[s->first_page];
}

static inline size_t kz_pf_page_run_count(const kz_pf_solver *s, uint64_t page) {
    return s->state.first_runs[page + 1] - s->state.first_runs[page];
}

#endif
