/* SPDX-License-Identifier: MIT */
#include "base/hash.h"

#include <xxhash.h>

uint64_t kz_hash64(const void *data, size_t size) { return XXH3_64bits(data, size); }

uint64_t kz_hash64_seeded(const void *data, size_t size, uint64_t seed) {
    return XXH3_64bits_withSeed(data, size, seed);
}

void kz_hex(const uint8_t *data, size_t size, char *text) {
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < size; i++) {
        text[2 * i] = digits[data[i] >> 4];
        text[2 * i + 1] = digits[data[i] & 15];
    }
    text[2 * size] = '\0';
}
