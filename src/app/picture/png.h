/* SPDX-License-Identifier: MIT
 *
 * Writes PNG files (ISO/IEC 15948) without any other library. Drawings repeat the pixel to the left and the row above,
 * so these are the only repetitions that are looked for; they go out in one block of deflate (RFC 1951) with its fixed
 * code. */
#ifndef KZ_PICTURE_PNG_H
#define KZ_PICTURE_PNG_H

#include <stddef.h>
#include <stdint.h>

/* An image of 8 bits each for red, green and blue. New memory, which the caller frees; NULL: there is none. */
char *kz_png(const uint8_t *pixels, int width, int height, size_t *size);

#endif
