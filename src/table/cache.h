/* SPDX-License-Identifier: MIT
 *
 * A cache of decoded blocks, so that looking up a position near an earlier one costs little. */
#ifndef KZ_TABLE_CACHE_H
#define KZ_TABLE_CACHE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct kz_cache kz_cache;

/* Keeps up to `blocks` decoded blocks of `size` bytes. NULL: no memory. */
kz_cache *kz_cache_new(unsigned blocks, size_t size);
/* Has room for all blocks of a table, 0 to blocks - 1, and never drops one. They lie one after the other in memory that
 * is not used before a block comes, and reading them takes no lock. NULL: no memory, or no such cache here. */
kz_cache *kz_cache_new_whole(unsigned blocks, size_t size);
void kz_cache_free(kz_cache *cache);

/* Copies `size` bytes of a block; false if the block is not there. */
bool kz_cache_get(kz_cache *cache, uint64_t block, size_t offset, void *bytes, size_t size);
/* Whether the block was asked for before, not long ago. With `now`, remembers that it is asked for now. */
bool kz_cache_asked(kz_cache *cache, uint64_t block, bool now);
/* Adds a block; it replaces the oldest one of its set. */
void kz_cache_put(kz_cache *cache, uint64_t block, const uint8_t *values);

/* How a cache for a whole table is read without a call for each entry. Entry i of the table is values[i * its bytes] if
 * its block is there, that is, if kz_whole_has says so; from then on it does not change. */
typedef struct kz_whole {
    const uint8_t *values; /* NULL: it is not such a cache */
    _Atomic uint8_t *states;
} kz_whole;

enum { KZ_BLOCK_THERE = 3 };

kz_whole kz_cache_whole(const kz_cache *cache);

static inline bool kz_whole_has(const kz_whole *whole, uint64_t block) {
    return atomic_load_explicit(&whole->states[block], memory_order_acquire) == KZ_BLOCK_THERE;
}

#endif
