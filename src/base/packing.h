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

/* Unpacks what zstd has packed (RFC 8878), for builds without its library: slower than that, and small. One frame, no
 * dictionary; the frame's own checksum, if it has one, is not compared. Takes any bytes whatsoever. */

/* The size of the content as the frame states it; false if it is no frame or states none. */
bool kz_unzstd_size(const uint8_t *frame, size_t size, uint64_t *content_size);

/* False if the frame is damaged, has not this much content, or there is no memory (some 150 KB). */
bool kz_unzstd(const uint8_t *frame, size_t size, uint8_t *content, size_t content_size);

#endif
