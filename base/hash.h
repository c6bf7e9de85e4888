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

/* SHA-256 of data that comes in pieces: begin, update as often as needed, then finish (or discard). A failure in
 * between is remembered and reported by finish, which releases the state in any case. */
typedef struct kz_sha256 {
    struct evp_md_ctx_st *context;
    bool failed;
} kz_sha256;

kz_status kz_sha256_begin(kz_sha256 *hash, kz_error *error);
void kz_sha256_update(kz_sha256 *hash, const void *data, size_t size);
kz_status kz_sha256_finish(kz_sha256 *hash, uint8_t digest[KZ_SHA256_BYTES], kz_error *error);
void kz_sha256_discard(kz_sha256 *hash);

/* Lower-case hexadecimal digits and a final 0; `text` has room for 2 * size + 1 characters. */
void kz_hex(const uint8_t *data, size_t size, char *text);

#endif
