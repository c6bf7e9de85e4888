/* SPDX-License-Identifier: MIT */
#include "base/hash.h"

#include <xxhash.h>

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
