/* SPDX-License-Identifier: MIT
 *
 * OpenSSL's plain functions, which it calls deprecated. They take no memory. Its newer ones do, and where there is none
 * left OpenSSL may crash (3.0 does so while it sets itself up). */
#define OPENSSL_SUPPRESS_DEPRECATED
#include "base/error.h"
#include "base/hash.h"

#include <openssl/sha.h>
#include <string.h>

_Static_assert(sizeof(SHA256_CTX) <= sizeof((kz_sha256){0}.state), "kz_sha256 has room for OpenSSL's state");

static SHA256_CTX load(const kz_sha256 *hash) {
    SHA256_CTX context;
    memcpy(&context, hash->state, sizeof context);
    return context;
}

static void keep(kz_sha256 *hash, const SHA256_CTX *context, int result) {
    hash->failed = hash->failed || result != 1;
    memcpy(hash->state, context, sizeof *context);
}

kz_status kz_sha256_begin(kz_sha256 *hash, kz_error *error) {
    SHA256_CTX context = {.num = 0};
    hash->failed = false;
    keep(hash, &context, SHA256_Init(&context));
    return hash->failed ? kz_fail(error, KZ_ERR_MEMORY, "can't begin a SHA-256 computation") : KZ_OK;
}

void kz_sha256_update(kz_sha256 *hash, const void *data, size_t size) {
    SHA256_CTX context = load(hash);
    keep(hash, &context, SHA256_Update(&context, data, size));
}

kz_status kz_sha256_finish(kz_sha256 *hash, uint8_t digest[KZ_SHA256_BYTES], kz_error *error) {
    SHA256_CTX context = load(hash);
    keep(hash, &context, SHA256_Final(digest, &context));
    return hash->failed ? kz_fail(error, KZ_ERR_MEMORY, "a SHA-256 computation failed") : KZ_OK;
}

void kz_sha256_discard(kz_sha256 *hash) { memset(hash->state, 0, sizeof hash->state); }
