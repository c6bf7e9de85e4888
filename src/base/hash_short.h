/* SPDX-License-Identifier: MIT
 *
 * kz_hash64_seeded of a few bytes, for loops that do little else: where the size is known, what is left of it is a few
 * multiplications. */
#ifndef KZ_BASE_HASH_SHORT_H
#define KZ_BASE_HASH_SHORT_H

#include "base/hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

static inline uint64_t kz_hash64_short(const void *data, size_t size, uint64_t seed) {
    return XXH3_64bits_withSeed(data, size, seed);
}

#endif
