/* SPDX-License-Identifier: MIT
 *
 * Unpacks what zstd has packed (RFC 8878), for builds without its library: slower than that, and small. One frame, no
 * dictionary; the frame's own checksum, if it has one, is not compared. Takes any bytes whatsoever. */
#ifndef KZ_BASE_UNZSTD_H
#define KZ_BASE_UNZSTD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The size of the content as the frame states it; false if it is no frame or states none. */
bool kz_unzstd_size(const uint8_t *frame, size_t size, uint64_t *content_size);

/* False if the frame is damaged, has not this much content, or there is no memory (some 150 KB). */
bool kz_unzstd(const uint8_t *frame, size_t size, uint8_t *content, size_t content_size);

#endif
