/* SPDX-License-Identifier: MIT
 *
 * Value sweeps of many enemy sets on all threads of a pool. */
#ifndef KZ_SOLVE_PUSHFIGHT_SWEEPS_H
#define KZ_SOLVE_PUSHFIGHT_SWEEPS_H

#include "base/pool.h"
#include "games/pushfight/check/value_sweep.h"

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

#endif
