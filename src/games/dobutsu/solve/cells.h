/* SPDX-License-Identifier: MIT
 *
 * The bytes that the retrograde analysis keeps, one for each position; retro.h says what they mean. */
#ifndef KZ_DOBUTSU_CELLS_H
#define KZ_DOBUTSU_CELLS_H

#include "games/dobutsu/solve/retro.h"

#include <string.h>

#if defined(__SANITIZE_THREAD__)
#define KZ_DOBUTSU_CELLS_ONE_BY_ONE 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define KZ_DOBUTSU_CELLS_ONE_BY_ONE 1
#endif
#endif

/* Loads eight bytes that other threads may change at this moment, each with an atomic operation. It does not matter
 * which of these changes the load sees. C has no name for that: an atomic load of eight bytes would be a load of
 * another object, and compilers do not combine eight atomic loads. So this copies the bytes, which compilers make one
 * load of. On every processor in use, each byte of it is the old or the new one, never a mixture. By the C standard it
 * is a data race, and ThreadSanitizer says so. In that build the bytes are loaded one by one, so that it can check all
 * the rest: that nobody changes a byte without an atomic operation. */
static inline void kz_dobutsu_load_eight(const _Atomic uint8_t *from, uint8_t bytes[8]) {
#ifdef KZ_DOBUTSU_CELLS_ONE_BY_ONE
    for (int i = 0; i < 8; i++) {
        bytes[i] = atomic_load_explicit(&from[i], memory_order_relaxed);
    }
#else
    memcpy(bytes, (const void *)from, 8);
#endif
}

static inline uint8_t kz_dobutsu_cell_load(const kz_dobutsu_retro *retro, uint32_t index) {
    return atomic_load_explicit(&retro->cells[index], memory_order_relaxed);
}

static inline void kz_dobutsu_cell_store(kz_dobutsu_retro *retro, uint32_t index, int value) {
    atomic_store_explicit(&retro->cells[index], (uint8_t)value, memory_order_relaxed);
}

/* By the official rules wins have odd distances and losses even ones. An odd one is the other way round. */
static inline bool kz_dobutsu_is_odd_one(bool win, int n) { return win != (n & 1); }

static inline bool kz_dobutsu_odd_one(const kz_dobutsu_retro *retro, uint32_t index) {
    return retro->odd_ones &&
           (atomic_load_explicit(&retro->odd_ones[index / 64], memory_order_relaxed) >> (index % 64) & 1);
}

/* Decides a position: writes the distance and the parity, and marks its cache line as part of the frontier. */
static inline void kz_dobutsu_decide(kz_dobutsu_retro *retro, uint32_t index, bool win, int n) {
    kz_dobutsu_cell_store(retro, index, n == 1 ? KZ_DOBUTSU_CELL_STALEMATE : n);
    if (retro->odd_ones && kz_dobutsu_is_odd_one(win, n)) {
        atomic_fetch_or_explicit(&retro->odd_ones[index / 64], UINT64_C(1) << (index % 64), memory_order_relaxed);
    }
    atomic_store_explicit(&retro->frontier[n & 1][index / KZ_DOBUTSU_CACHE_LINE], 1, memory_order_relaxed);
}

#endif
