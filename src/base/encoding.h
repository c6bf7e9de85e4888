/* SPDX-License-Identifier: MIT
 *
 * How texts are written in bytes: UTF-8, as the Unicode standard defines it (table 3-7, well-formed byte sequences);
 * and Shift_JIS, in which old game files are. Known of that are kana, digits, letters, and the kanji that game files
 * use. */
#ifndef KZ_BASE_ENCODING_H
#define KZ_BASE_ENCODING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The length of the well-formed sequence at `text`, 1 to 4, or 0 if there is none. `room` > 0. */
size_t kz_utf8_length(const char *text, size_t room);

/* Writes a code point that is no surrogate, at most U+10FFFF, and returns its length. */
size_t kz_utf8_write(uint32_t code_point, char *text);

/* Whether a text is UTF-8. Japanese in Shift_JIS is not, but for rare accidents of a few characters. */
bool kz_is_utf8(const char *text, size_t length);
/* How much of it is UTF-8, from its beginning on, up to the end of a character. */
size_t kz_utf8_prefix(const char *text, size_t length);
/* Whether a text begins with the byte order mark of UTF-16. */
bool kz_is_utf16(const char *text, size_t length);

/* Writes a line in UTF-8 and returns its length; what has no room is left out. Other characters become "?". */
size_t kz_sjis_to_utf8(const char *text, size_t length, char *utf8, size_t room);

#endif
