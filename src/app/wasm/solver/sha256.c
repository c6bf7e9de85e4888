/* SPDX-License-Identifier: MIT
 *
 * SHA-256 without OpenSSL, as FIPS 180-4 writes it. */
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK = 64 };

/* How kz_sha256.state is used: eight words, the length, and a block in the making. */
typedef struct sha {
    uint32_t word[8];
    uint64_t length;
    uint8_t *block; /* BLOCK bytes */
} sha;

static sha *of(kz_sha256 *hash) { return (sha *)(void *)hash->state; }

static uint32_t turned(uint32_t x, int bits) { return x >> bits | x << (32 - bits); }

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t constants[BLOCK] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static void mix(uint32_t word[8], const uint8_t block[BLOCK]) {
    uint32_t w[BLOCK], v[8];
    for (int i = 0; i < 16; i++) {
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 | (uint32_t)block[4 * i + 2] << 8 |
               block[4 * i + 3];
    }
    for (int i = 16; i < BLOCK; i++) {
        uint32_t a = w[i - 15], b = w[i - 2];
        w[i] =
            w[i - 16] + (turned(a, 7) ^ turned(a, 18) ^ a >> 3) + w[i - 7] + (turned(b, 17) ^ turned(b, 19) ^ b >> 10);
    }
    memcpy(v, word, sizeof v);
    for (int i = 0; i < BLOCK; i++) {
        uint32_t first = v[7] + (turned(v[4], 6) ^ turned(v[4], 11) ^ turned(v[4], 25)) +
                         ((v[4] & v[5]) ^ (~v[4] & v[6])) + constants[i] + w[i];
        uint32_t second =
            (turned(v[0], 2) ^ turned(v[0], 13) ^ turned(v[0], 22)) + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += first;
        v[0] = first + second;
    }
    for (int i = 0; i < 8; i++) {
        word[i] += v[i];
    }
}

kz_status kz_sha256_begin(kz_sha256 *hash, kz_error *error) {
    (void)error;
    static const uint32_t first[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    *hash = (kz_sha256){.failed = false};
    memcpy(of(hash)->word, first, sizeof first);
    of(hash)->block = malloc(BLOCK);
    hash->failed = !of(hash)->block;
    return hash->failed ? KZ_ERR_MEMORY : KZ_OK;
}

void kz_sha256_update(kz_sha256 *hash, const void *data, size_t size) {
    sha *s = of(hash);
    const uint8_t *bytes = data;
    for (size_t i = 0; i < size && !hash->failed; i++) {
        s->block[s->length++ % BLOCK] = bytes[i];
        if (s->length % BLOCK == 0) {
            mix(s->word, s->block);
        }
    }
}

kz_status kz_sha256_finish(kz_sha256 *hash, uint8_t digest[KZ_SHA256_BYTES], kz_error *error) {
    (void)error;
    sha *s = of(hash);
    uint64_t bits = 8 * s->length;
    uint8_t end[BLOCK + 8] = {0x80};
    size_t padding = (size_t)((BLOCK + 55 - s->length % BLOCK) % BLOCK) + 1;
    for (int i = 0; i < 8; i++) {
        end[padding + (size_t)i] = (uint8_t)(bits >> (56 - 8 * i));
    }
    kz_sha256_update(hash, end, padding + 8);
    for (int i = 0; i < KZ_SHA256_BYTES; i++) {
        digest[i] = (uint8_t)(s->word[i / 4] >> (24 - 8 * (i % 4)));
    }
    kz_sha256_discard(hash);
    return hash->failed ? KZ_ERR_MEMORY : KZ_OK;
}

void kz_sha256_discard(kz_sha256 *hash) {
    free(of(hash)->block);
    of(hash)->block = NULL;
}
