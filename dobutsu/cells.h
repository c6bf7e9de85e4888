/* SPDX-License-Identifier: MIT
 *
 * The bytes that the retrograde analysis keeps, one for each position; retro.h says what they mean. */
#ifndef KZ_DOBUTSU_CELLS_H
#define KZ_DOBUTSU_CELLS_H

#include "dobutsu/retro.h"

static inline uint8_t kz_cell_load(const kz_retro *retro, uint32_t index) {
    return atomic_load_explicit(&retro->cells[index], memory_order_relaxed);
}

static inline void kz_cell_store(kz_retro *retro, uint32_t index, int value) {
    atomic_store_explicit(&retro->cells[index], (uint8_t)value, memory_order_relaxed);
}

/* Official parity: wins are odd, losses even. */
static inline bool kz_is_odd_one(bool win, int n) { return win != (n & 1); }

static inline bool kz_odd_one(const kz_retro *retro, uint32_t index) {
    return retro->odd_ones &&
           (atomic_load_explicit(&retro->odd_ones[index / 64], memory_order_relaxed) >> (index % 64) & 1);
}

/* Writes a decision down: value, parity, and the mark that makes the next phase look here. */
static inline void kz_decide(kz_retro *retro, uint32_t index, bool win, int n) {
    kz_cell_store(retro, index, n == 1 ? KZ_CELL_STALEMATE : n);
    if (retro->odd_ones && kz_is_odd_one(win, n)) {
        atomic_fetch_or_explicit(&retro->odd_ones[index / 64], UINT64_C(1) << (index % 64), memory_order_relaxed);
    }
    atomic_store_explicit(&retro->fresh[n & 1][index / KZ_LINE], 1, memory_order_relaxed);
}

#endif
