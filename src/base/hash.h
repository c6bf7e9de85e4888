/* SPDX-License-Identifier: MIT
 *
 * Checksums: XXH3 against accidents within a file, SHA-256 to name a whole file. */
#ifndef KZ_BASE_HASH_H
#define KZ_BASE_HASH_H

#include <kanzen/error.h>
#include <stdbool.h>
#include <stdint.h>

enum { KZ_SHA256_BYTES = 32, KZ_SHA256_HEX_BYTES = 2 * KZ_SHA256_BYTES + 1 };

/* XXH3, 64 bits, no seed. */
uint64_t kz_hash64(const void *data, size_t size);
/* With a seed, so that equal data in different places has different checksums. */
uint64_t kz_hash64_seeded(const void *data, size_t size, uint64_t seed);

/* kz_hash64 of data that comes in pieces. False: no memory. End it in any case; NULL is fine for `state` then. */
typedef struct kz_hash_stream {
    void *state; /* of xxHash */
} kz_hash_stream;

bool kz_hash_stream_begin(kz_hash_stream *stream);
void kz_hash_stream_update(kz_hash_stream *stream, const void *data, size_t size);
/* Of all that came so far; more may come. */
uint64_t kz_hash_stream_value(const kz_hash_stream *stream);
void kz_hash_stream_end(kz_hash_stream *stream);

/* SHA-256 of data that comes in pieces: begin, update as often as needed, then finish (or discard). A failure in
 * between is remembered and reported by finish, which releases the state in any case. */
typedef struct kz_sha256 {
    uint64_t state[16];
    bool failed;
} kz_sha256;

kz_status kz_sha256_begin(kz_sha256 *hash, kz_error *error);
void kz_sha256_update(kz_sha256 *hash, const void *data, size_t size);
kz_status kz_sha256_finish(kz_sha256 *hash, uint8_t digest[KZ_SHA256_BYTES], kz_error *error);
void kz_sha256_discard(kz_sha256 *hash);

/* Lower-case hexadecimal digits and a final 0; `text` has room for 2 * size + 1 characters. */
void kz_hex(const uint8_t *data, size_t size, char *text);

#endif
