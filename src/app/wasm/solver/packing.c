/* SPDX-License-Identifier: MIT
 *
 * kz_pack without zstd's library: frames of zstd (RFC 8878) whose blocks hold the content as it is. They are read where
 * any others are. */
#include "base/packing.h"

#include <stdlib.h>
#include <string.h>

enum { HEADER_BYTES = 13, BLOCK_HEADER_BYTES = 3, MOST_IN_BLOCK = 1 << 17 };

static void put(uint8_t *at, uint64_t number, int bytes) {
    for (int i = 0; i < bytes; i++) {
        at[i] = (uint8_t)(number >> 8 * i);
    }
}

uint8_t *kz_pack(const uint8_t *content, size_t content_size, int level, size_t *size) {
    (void)level;
    size_t blocks = content_size / MOST_IN_BLOCK + 1;
    uint8_t *packed = malloc(HEADER_BYTES + content_size + blocks * BLOCK_HEADER_BYTES);
    if (!packed) {
        return NULL;
    }
    put(packed, 0xfd2fb528, 4);
    packed[4] = 0xe0; /* one segment, its size in 8 bytes, no checksum */
    put(packed + 5, content_size, 8);
    uint8_t *at = packed + HEADER_BYTES;
    for (size_t i = 0; i < blocks; i++) {
        size_t begin = i * MOST_IN_BLOCK;
        size_t bytes = content_size - begin < MOST_IN_BLOCK ? content_size - begin : MOST_IN_BLOCK;
        put(at, (uint64_t)bytes << 3 | (i + 1 == blocks), BLOCK_HEADER_BYTES); /* a block as it is; the last one? */
        memcpy(at + BLOCK_HEADER_BYTES, content + begin, bytes);
        at += BLOCK_HEADER_BYTES + bytes;
    }
    *size = (size_t)(at - packed);
    return packed;
}
