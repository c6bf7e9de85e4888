/* SPDX-License-Identifier: MIT */
#include "base/error.h"
#include "base/hash.h"

#include <openssl/evp.h>

kz_status kz_sha256_begin(kz_sha256 *hash, kz_error *error) {
    hash->failed = false;
    hash->context = EVP_MD_CTX_new();
    if (hash->context == NULL || EVP_DigestInit_ex(hash->context, EVP_sha256(), NULL) != 1) {
        kz_sha256_discard(hash);
        return kz_fail(error, KZ_ERR_MEMORY, "can't begin a SHA-256 computation");
    }
    return KZ_OK;
}

void kz_sha256_update(kz_sha256 *hash, const void *data, size_t size) {
    if (EVP_DigestUpdate(hash->context, data, size) != 1) {
        hash->failed = true;
    }
}

kz_status kz_sha256_finish(kz_sha256 *hash, uint8_t digest[KZ_SHA256_BYTES], kz_error *error) {
    bool fine = !hash->failed && EVP_DigestFinal_ex(hash->context, digest, NULL) == 1;
    kz_sha256_discard(hash);
    return fine ? KZ_OK : kz_fail(error, KZ_ERR_MEMORY, "a SHA-256 computation failed");
}

void kz_sha256_discard(kz_sha256 *hash) {
    EVP_MD_CTX_free(hash->context);
    hash->context = NULL;
}
