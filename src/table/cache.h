/* SPDX-License-Identifier: MIT
 *
 * A cache of decoded blocks, so that looking up a position near an earlier one costs little. */
#ifndef KZ_TABLE_CACHE_H
#define KZ_TABLE_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct kz_cache kz_cache;

/* Keeps up to `blocks` decoded blocks of `size` bytes. NULL: no memory. */
kz_cache *kz_cache_new(unsigned blocks, size_t size);
void kz_cache_free(kz_cache *cache);

/* Copies `size` bytes of a block; false if the block is not there. */
bool kz_cache_get(kz_cache *cache, uint64_t block, size_t offset, void *bytes, size_t size);
/* Whether the block was asked for before, not long ago. Remembers that it is asked for now. */
bool kz_cache_asked(kz_cache *cache, uint64_t block);
/* Adds a block; it replaces the oldest one of its set. */
void kz_cache_put(kz_cache *cache, uint64_t block, const uint8_t *values);

#endif
