/* SPDX-License-Identifier: MIT
 *
 * The bytes that the retrograde analysis keeps, one for each position; retro.h says what they mean. */
#ifndef KZ_DOBUTSU_CELLS_H
#define KZ_DOBUTSU_CELLS_H

#include "base/bits.h"
#include "games/dobutsu/solve/retro.h"

#include <string.h>

#if defined(__SANITIZE_THREAD__)
#define KZ_DOBUTSU_CELLS_ONE_BY_ONE 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define KZ_DOBUTSU_CELLS_ONE_BY_ONE 1
#endif
#endif

#if defined(__SSE2__) && !defined(KZ_DOBUTSU_CELLS_ONE_BY_ONE)
#include <emmintrin.h>
#define KZ_DOBUTSU_SIXTEEN_CELLS 1
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

/* ---- Many cells at a time ---------------------------------------------------------------------------------------- */

/* The eight cells from `index` on, the first one in the lowest byte. */
static inline uint64_t kz_dobutsu_load_cells(const kz_dobutsu_retro *retro, uint32_t index) {
    uint8_t bytes[8];
    kz_dobutsu_load_eight(&retro->cells[index], bytes);
    return kz_load_le64(bytes);
}

/* Bit 7 of each of eight bytes as eight bits. */
static inline uint64_t kz_dobutsu_gather_bits(uint64_t bytes) {
    return ((bytes >> 7 & UINT64_C(0x0101010101010101)) * UINT64_C(0x0102040810204080)) >> 56;
}

#ifdef KZ_DOBUTSU_SIXTEEN_CELLS
/* Sixteen cells; kz_dobutsu_load_eight says why this does. */
static inline __m128i kz_dobutsu_load_sixteen(const kz_dobutsu_retro *retro, uint32_t index) {
    return _mm_loadu_si128((const __m128i *)(const void *)(uintptr_t)&retro->cells[index]);
}
#endif

/* Bit 7 of each of the eight cells from `index` on that are open: the two highest bits are set. */
static inline uint64_t kz_dobutsu_open_cells(const kz_dobutsu_retro *retro, uint32_t index) {
    uint64_t bytes = kz_dobutsu_load_cells(retro, index);
    return bytes & bytes << 1 & UINT64_C(0x8080808080808080);
}

/* The set of positions of a cache line whose cell is n. Eight at a time: of x = cells ^ n the zero bytes are wanted.
 * Adding 0x7F to the lower seven bits of a byte sets its highest bit unless they are zero; so the highest bit of
 * ~((x & 0x7F) + 0x7F | x) is set just in the zero bytes. With SSE2 sixteen at a time. */
static inline uint64_t kz_dobutsu_find_in_line(const kz_dobutsu_retro *retro, uint32_t line, int n) {
    uint64_t found = 0;
#ifdef KZ_DOBUTSU_SIXTEEN_CELLS
    for (unsigned i = 0; i < KZ_DOBUTSU_CACHE_LINE; i += 16) {
        __m128i cells = kz_dobutsu_load_sixteen(retro, line * KZ_DOBUTSU_CACHE_LINE + i);
        found |= (uint64_t)(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(cells, _mm_set1_epi8((char)n))) << i;
    }
#else
    const uint64_t low = UINT64_C(0x7F7F7F7F7F7F7F7F);
    for (unsigned i = 0; i < KZ_DOBUTSU_CACHE_LINE; i += 8) {
        uint64_t x =
            kz_dobutsu_load_cells(retro, line * KZ_DOBUTSU_CACHE_LINE + i) ^ (uint64_t)n * UINT64_C(0x0101010101010101);
        found |= kz_dobutsu_gather_bits(~(((x & low) + low) | x)) << i;
    }
#endif
    return found;
}

/* The set of positions of a cache line that are open: from KZ_DOBUTSU_CELL_OPEN on the two highest bits are set. */
static inline uint64_t kz_dobutsu_open_in_line(const kz_dobutsu_retro *retro, uint32_t line) {
    uint64_t open = 0;
#ifdef KZ_DOBUTSU_SIXTEEN_CELLS
    for (unsigned i = 0; i < KZ_DOBUTSU_CACHE_LINE; i += 16) {
        __m128i cells = kz_dobutsu_load_sixteen(retro, line * KZ_DOBUTSU_CACHE_LINE + i);
        open |= (uint64_t)(unsigned)_mm_movemask_epi8(_mm_and_si128(cells, _mm_add_epi8(cells, cells))) << i;
    }
#else
    for (unsigned i = 0; i < KZ_DOBUTSU_CACHE_LINE; i += 8) {
        uint64_t bytes = kz_dobutsu_load_cells(retro, line * KZ_DOBUTSU_CACHE_LINE + i);
        open |= kz_dobutsu_gather_bits(bytes & bytes << 1) << i;
    }
#endif
    return open;
}

/* Writes down in `open` which positions of a cache line are open. Other threads may decide positions at the same time,
 * so a bit may stay set that should not be. That costs a look at the cell and no more. */
static inline void kz_dobutsu_mark_open(kz_dobutsu_retro *retro, uint32_t line) {
    atomic_store_explicit(&retro->open[line], kz_dobutsu_open_in_line(retro, line), memory_order_relaxed);
}

#endif
