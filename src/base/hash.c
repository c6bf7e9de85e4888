/* SPDX-License-Identifier: MIT */
#include "base/hash.h"

#include <xxhash.h>

uint64_t kz_hash64(const void *data, size_t size) { return XXH3_64bits(data, size); }

uint64_t kz_hash64_seeded(const void *data, size_t size, uint64_t seed) {
    return XXH3_64bits_withSeed(data, size, seed);
}

bool kz_hash_stream_begin(kz_hash_stream *stream) {
    stream->state = XXH3_createState();
    return stream->state && XXH3_64bits_reset(stream->state) != XXH_ERROR;
}

void kz_hash_stream_update(kz_hash_stream *stream, const void *data, size_t size) {
    (void)XXH3_64bits_update(stream->state, data, size);
}

uint64_t kz_hash_stream_value(const kz_hash_stream *stream) { return XXH3_64bits_digest(stream->state); }

void kz_hash_stream_end(kz_hash_stream *stream) {
    XXH3_freeState(stream->state);
    stream->state = NULL;
}

void kz_hex(const uint8_t *data, size_t size, char *text) {
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < size; i++) {
        text[2 * i] = digits[data[i] >> 4];
        text[2 * i + 1] = digits[data[i] & 15];
    }
    text[2 * size] = '\0';
}
