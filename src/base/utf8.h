/* SPDX-License-Identifier: MIT
 *
 * UTF-8, as the Unicode standard defines it (table 3-7, well-formed byte sequences). */
#ifndef KZ_BASE_UTF8_H
#define KZ_BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* The length of the well-formed sequence at `text`, 1 to 4, or 0 if there is none. `room` > 0. */
size_t kz_utf8_length(const char *text, size_t room);

/* Writes a code point that is no surrogate, at most U+10FFFF, and returns its length. */
size_t kz_utf8_write(uint32_t code_point, char *text);

#endif
