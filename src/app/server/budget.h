/* SPDX-License-Identifier: MIT
 *
 * One limit for the memory that all clients together may make the server keep: bodies that come, and answers that wait
 * for a slow reader. */
#ifndef KZ_SERVER_BUDGET_H
#define KZ_SERVER_BUDGET_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct kz_budget {
    size_t most;
    atomic_size_t used;
    atomic_size_t peak; /* the most that was used since kz_budget_take_peak() asked */
} kz_budget;

/* Takes so many bytes of it. False: there is not enough left, and nothing is taken. */
static inline bool kz_budget_take(kz_budget *budget, size_t bytes) {
    size_t used = atomic_load_explicit(&budget->used, memory_order_relaxed);
    do {
        if (bytes > budget->most || used > budget->most - bytes) {
            return false;
        }
    } while (!atomic_compare_exchange_weak_explicit(&budget->used, &used, used + bytes, memory_order_relaxed,
                                                    memory_order_relaxed));
    used += bytes;
    size_t peak = atomic_load_explicit(&budget->peak, memory_order_relaxed);
    while (peak < used && !atomic_compare_exchange_weak_explicit(&budget->peak, &peak, used, memory_order_relaxed,
                                                                 memory_order_relaxed)) {
    }
    return true;
}

static inline void kz_budget_give(kz_budget *budget, size_t bytes) {
    atomic_fetch_sub_explicit(&budget->used, bytes, memory_order_relaxed);
}

static inline size_t kz_budget_used(const kz_budget *budget) {
    return atomic_load_explicit(&budget->used, memory_order_relaxed);
}

/* The most that was used since the last call, so that a short peak between two looks is seen as well. */
static inline size_t kz_budget_take_peak(kz_budget *budget) {
    return atomic_exchange_explicit(&budget->peak, kz_budget_used(budget), memory_order_relaxed);
}

#endif
