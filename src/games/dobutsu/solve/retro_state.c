/* SPDX-License-Identifier: MIT
 *
 * The memory of the retrograde analysis: all of it, or the shard of one member of a team; and the state between two
 * distances as bytes, and back. */
#include "games/dobutsu/solve/cells.h"

#include "base/bigmem.h"
#include "base/bits.h"

#include <stdlib.h>
#include <string.h>

enum {
    LINES = KZ_DOBUTSU_INDEX_SIZE / KZ_DOBUTSU_CACHE_LINE + 1,
    CELLS =
        LINES * KZ_DOBUTSU_CACHE_LINE /* the last cache line is complete, so that cache lines can be read as a whole */
};

kz_dobutsu_retro *kz_dobutsu_retro_new(int rules, int workers) {
    kz_dobutsu_retro *retro = calloc(1, sizeof *retro);
    if (!retro) {
        return NULL;
    }
    retro->rules = rules;
    retro->counted_from = 1;
    retro->space = kz_dobutsu_space_new();
    retro->unmoves = malloc(sizeof *retro->unmoves);
    retro->cells = kz_big_alloc(CELLS);
    retro->open = kz_big_alloc(LINES * sizeof *retro->open);
    retro->frontier[0] = kz_big_alloc(LINES + 8);
    retro->frontier[1] = kz_big_alloc(LINES + 8);
    retro->sources = malloc((size_t)workers * sizeof *retro->sources);
    bool simplified = rules == KZ_DOBUTSU_SIMPLIFIED;
    if (simplified) {
        retro->odd_ones = calloc(KZ_DOBUTSU_INDEX_SIZE / 64 + 1, sizeof *retro->odd_ones);
    }
    if (!retro->sources || !retro->space || !retro->unmoves || !retro->cells || !retro->open || !retro->frontier[0] ||
        !retro->frontier[1] || (simplified && !retro->odd_ones)) {
        kz_dobutsu_retro_free(retro);
        return NULL;
    }
    kz_dobutsu_unmoves_fill(retro->unmoves);
    kz_dobutsu_retro_take_shard(retro, 0, 1);
    return retro;
}

void kz_dobutsu_retro_free(kz_dobutsu_retro *retro) {
    if (retro) {
        kz_dobutsu_space_free(retro->space);
        free(retro->unmoves);
        free(retro->sources);
        kz_big_free((void *)retro->cells, CELLS);
        kz_big_free((void *)retro->open, LINES * sizeof *retro->open);
        free((void *)retro->odd_ones);
        kz_big_free((void *)retro->frontier[0], LINES + 8);
        kz_big_free((void *)retro->frontier[1], LINES + 8);
        free(retro);
    }
}

/* ---- Shards ------------------------------------------------------------------------------------------------------ */

_Static_assert(KZ_DOBUTSU_SEGMENT % KZ_BLOCK_POSITIONS == 0 && KZ_DOBUTSU_SEGMENT % KZ_DOBUTSU_CACHE_LINE == 0,
               "no block and no mark is in the shards of two members");

static uint32_t segment_begin(uint64_t segment) {
    uint64_t index = segment * KZ_DOBUTSU_SEGMENT;
    return index < KZ_DOBUTSU_INDEX_SIZE ? (uint32_t)index : KZ_DOBUTSU_INDEX_SIZE;
}

void kz_dobutsu_retro_take_shard(kz_dobutsu_retro *retro, int member, int members) {
    for (int owner = 0; owner < members; owner++) {
        for (uint64_t segment = kz_team_part(KZ_DOBUTSU_SEGMENTS, owner, members);
             segment < kz_team_part(KZ_DOBUTSU_SEGMENTS, owner + 1, members); segment++) {
            retro->owner[segment] = (uint16_t)owner;
        }
    }
    retro->members = members;
    retro->shard_begin = segment_begin(kz_team_part(KZ_DOBUTSU_SEGMENTS, member, members));
    retro->shard_end = segment_begin(kz_team_part(KZ_DOBUTSU_SEGMENTS, member + 1, members));
}

void *kz_dobutsu_retro_hints(kz_dobutsu_retro *retro, uint64_t *begins) {
    for (uint32_t line = retro->shard_begin / KZ_DOBUTSU_CACHE_LINE;
         line < (retro->shard_end + KZ_DOBUTSU_CACHE_LINE - 1) / KZ_DOBUTSU_CACHE_LINE; line++) {
        kz_dobutsu_mark_open(retro, line);
    }
    for (int member = 0; member <= retro->members; member++) {
        uint32_t begin = segment_begin(kz_team_part(KZ_DOBUTSU_SEGMENTS, member, retro->members));
        begins[member] = (begin + KZ_DOBUTSU_CACHE_LINE - 1) / KZ_DOBUTSU_CACHE_LINE * sizeof *retro->open;
    }
    return (void *)retro->open;
}

/* The first slice that ends after an index. */
static uint64_t slice_of_index(const kz_dobutsu_space *space, uint32_t index) {
    uint64_t low = 0;
    uint64_t high = space->solved_slices;
    while (low < high) {
        uint64_t middle = (low + high) / 2;
        const kz_dobutsu_run *last = &space->runs[space->slices[middle + 1] - 1];
        if (last->base + last->size > index) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

void kz_dobutsu_retro_slices(const kz_dobutsu_retro *retro, uint64_t *begin, uint64_t *end) {
    *begin = slice_of_index(retro->space, retro->shard_begin);
    *end = retro->shard_begin == retro->shard_end ? *begin : slice_of_index(retro->space, retro->shard_end - 1) + 1;
}

/* ---- Checkpoints -------------------------------------------------------------------------------------------------
 *
 * The cells are nearly all of the state: which positions are open, and what was decided last, can be seen from them. */

/* A bit for each position that is an odd one follows the cells, where there can be any. */
static size_t odd_bytes(const kz_dobutsu_retro *retro, uint64_t begin, uint64_t end) {
    return retro->odd_ones ? (end - begin + 63) / 64 * 8 : 0;
}

size_t kz_dobutsu_retro_save(const void *context, uint64_t begin, uint64_t end, uint8_t *bytes) {
    const kz_dobutsu_retro *retro = context;
    memcpy(bytes, (const void *)&retro->cells[begin], end - begin);
    bytes += end - begin;
    for (size_t i = 0; i < odd_bytes(retro, begin, end); i += 8) {
        kz_store_le64(bytes + i, atomic_load_explicit(&retro->odd_ones[begin / 64 + i / 8], memory_order_relaxed));
    }
    return end - begin + odd_bytes(retro, begin, end);
}

bool kz_dobutsu_retro_load(void *context, int n, uint64_t begin, uint64_t end, const uint8_t *bytes, size_t size) {
    kz_dobutsu_retro *retro = context;
    if (size != end - begin + odd_bytes(retro, begin, end)) {
        return false;
    }
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
        kz_dobutsu_mark_open(retro, (uint32_t)line);
    }
    return true;
}
