/* SPDX-License-Identifier: MIT
 *
 * The values of some tiers of a table of any game, in memory as codes: what it takes to derive the values of a tier is
 * that tier and those that its moves lead to. */
#ifndef KZ_TABLE_ANY_WINDOW_H
#define KZ_TABLE_ANY_WINDOW_H

#include "base/pool.h"
#include "table/any_coder.h"

#include <kanzen/table.h>
#include <stdatomic.h>

typedef struct kz_any_window_tier {
    uint64_t begin;
    uint64_t count;
    void *codes;   /* NULL: not in memory; else of 16 or 32 bits each */
    bool wanted;   /* it must stay */
    bool complete; /* in a table of losses only: wins have been derived */
    uint64_t used; /* when it was wanted last, by kz_any_window.wants */
} kz_any_window_tier;

typedef struct kz_any_window {
    const kz_table *table;
    kz_pool *pool;
    uint64_t size; /* of the index */
    bool narrow;   /* codes of 16 bits */
    int tiers;
    kz_any_window_tier *tier;
    uint64_t bytes; /* of all codes in memory */
    uint64_t limit; /* tiers that are not wanted any more leave the memory when all together take more than this */
    uint64_t wants; /* how often a tier has been wanted so far */
    unsigned piece_bits;
    uint16_t *tier_at; /* of each piece of 2^piece_bits numbers: the tier that has the first of them */
    struct kz_any_window_reader *readers; /* one a worker */
} kz_any_window;

/* `limit`: bytes that tiers may take if fewer are wanted. Close it in any case. */
kz_status kz_any_window_open(const kz_table *table, kz_pool *pool, uint64_t limit, kz_any_window *window,
                             kz_error *error);
void kz_any_window_close(kz_any_window *window);

/* From now on no tier is wanted. */
void kz_any_window_want_none(kz_any_window *window);
/* This tier and those that its moves lead to are wanted: reads those that are not in memory. */
kz_status kz_any_window_want(kz_any_window *window, int tier, const kz_progress *progress, kz_error *error);

/* The tiers that the moves of a tier lead to; `next` has room for all. */
int kz_any_window_next(const kz_any_window *window, int tier, int *next);

/* The tier that has a number below the index's size. */
static inline const kz_any_window_tier *kz_any_window_find(const kz_any_window *window, uint64_t index) {
    const kz_any_window_tier *tier = &window->tier[window->tier_at[index >> window->piece_bits]];
    while (index - tier->begin >= tier->count) {
        tier++;
    }
    return tier;
}

/* A number's code; KZ_CODE_HOLE if its tier is not in memory. */
static inline kz_code kz_any_window_get(const kz_any_window *window, uint64_t index) {
    const kz_any_window_tier *tier = index < window->size ? kz_any_window_find(window, index) : NULL;
    if (!tier || !tier->codes) {
        return KZ_CODE_HOLE;
    }
    uint64_t at = index - tier->begin;
    return window->narrow ? atomic_load_explicit((const _Atomic uint16_t *)tier->codes + at, memory_order_relaxed)
                          : atomic_load_explicit((const _Atomic uint32_t *)tier->codes + at, memory_order_relaxed);
}

/* Of a tier that is in memory. */
static inline void kz_any_window_set(const kz_any_window *window, uint64_t index, kz_code code) {
    const kz_any_window_tier *tier = kz_any_window_find(window, index);
    uint64_t at = index - tier->begin;
    if (window->narrow) {
        atomic_store_explicit((_Atomic uint16_t *)tier->codes + at, (uint16_t)code, memory_order_relaxed);
    } else {
        atomic_store_explicit((_Atomic uint32_t *)tier->codes + at, code, memory_order_relaxed);
    }
}

#endif
