/* SPDX-License-Identifier: MIT
 *
 * Bytes made smaller by zstd, and back. */
#ifndef KZ_BASE_PACKING_H
#define KZ_BASE_PACKING_H

#include <kanzen/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A buffer that the caller frees; NULL: no memory. `level` as zstd counts them. */
uint8_t *kz_pack(const uint8_t *content, size_t content_size, int level, size_t *size);

/* How long the content is; false if these are no packed bytes. */
bool kz_unpacked_size(const uint8_t *packed, size_t size, uint64_t *content_size);
/* KZ_ERR_CORRUPT if the bytes are damaged or have not this much content; KZ_ERR_MEMORY. */
kz_status kz_unpack(const uint8_t *packed, size_t size, uint8_t *content, size_t content_size);

#endif
