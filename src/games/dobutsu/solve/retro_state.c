/* SPDX-License-Identifier: MIT
 *
 * The state between two distances as bytes, and back. The cells are nearly all of it: which positions are open, and
 * what was decided last, can be seen from them. */
#include "games/dobutsu/solve/cells.h"

#include "base/bits.h"

#include <string.h>

/* A bit for each position that is an odd one follows the cells, where there can be any. */
static size_t odd_bytes(const kz_dobutsu_retro *retro, uint64_t begin, uint64_t end) {
    return retro->odd_ones ? (end - begin + 63) / 64 * 8 : 0;
}

size_t kz_dobutsu_retro_state_bytes(const kz_dobutsu_retro *retro, uint64_t begin, uint64_t end) {
    return end - begin + odd_bytes(retro, begin, end);
}

void kz_dobutsu_retro_save(const kz_dobutsu_retro *retro, uint64_t begin, uint64_t end, uint8_t *bytes) {
    memcpy(bytes, (const void *)&retro->cells[begin], end - begin);
    bytes += end - begin;
    for (size_t i = 0; i < odd_bytes(retro, begin, end); i += 8) {
        kz_store_le64(bytes + i, atomic_load_explicit(&retro->odd_ones[begin / 64 + i / 8], memory_order_relaxed));
    }
}

void kz_dobutsu_retro_load(kz_dobutsu_retro *retro, int n, uint64_t begin, uint64_t end, const uint8_t *bytes) {
    memcpy((void *)&retro->cells[begin], bytes, end - begin);
    for (uint64_t index = begin; index < end; index++) {
        if (bytes[index - begin] == n + 1) {
            atomic_store_explicit(&retro->frontier[(n + 1) & 1][index / KZ_DOBUTSU_CACHE_LINE], 1,
                                  memory_order_relaxed);
        }
    }
    bytes += end - begin;
    for (size_t i = 0; i < odd_bytes(retro, begin, end); i += 8) {
        atomic_store_explicit(&retro->odd_ones[begin / 64 + i / 8], kz_load_le64(bytes + i), memory_order_relaxed);
    }
    for (uint64_t line = begin / KZ_DOBUTSU_CACHE_LINE;
         line < (end + KZ_DOBUTSU_CACHE_LINE - 1) / KZ_DOBUTSU_CACHE_LINE; line++) {
        kz_dobutsu_retro_mark_open(retro, (uint32_t)line);
    }
}
