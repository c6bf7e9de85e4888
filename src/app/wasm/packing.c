/* SPDX-License-Identifier: MIT
 *
 * base/packing.h without zstd's library; nothing is packed here. */
#include "base/packing.h"

#include "base/unzstd.h"

bool kz_unpacked_size(const uint8_t *packed, size_t size, uint64_t *content_size) {
    return kz_unzstd_size(packed, size, content_size);
}

kz_status kz_unpack(const uint8_t *packed, size_t size, uint8_t *content, size_t content_size) {
    return kz_unzstd(packed, size, content, content_size) ? KZ_OK : KZ_ERR_CORRUPT;
}
