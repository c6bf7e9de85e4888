/* SPDX-License-Identifier: MIT */
#include "base/packing.h"

#include <stdlib.h>
#include <zstd.h>
#include <zstd_errors.h>

uint8_t *kz_pack(const uint8_t *content, size_t content_size, int level, size_t *size) {
    size_t room = ZSTD_compressBound(content_size);
    uint8_t *packed = malloc(room);
    *size = packed ? ZSTD_compress(packed, room, content, content_size, level) : 0;
    if (packed && ZSTD_isError(*size)) {
        free(packed);
        packed = NULL;
    }
    return packed;
}

bool kz_unpacked_size(const uint8_t *packed, size_t size, uint64_t *content_size) {
    *content_size = ZSTD_getFrameContentSize(packed, size);
    return *content_size != ZSTD_CONTENTSIZE_UNKNOWN && *content_size != ZSTD_CONTENTSIZE_ERROR;
}

kz_status kz_unpack(const uint8_t *packed, size_t size, uint8_t *content, size_t content_size) {
    size_t got = ZSTD_decompress(content, content_size, packed, size);
    if (ZSTD_getErrorCode(got) == ZSTD_error_memory_allocation) {
        return KZ_ERR_MEMORY;
    }
    return !ZSTD_isError(got) && got == content_size ? KZ_OK : KZ_ERR_CORRUPT;
}
