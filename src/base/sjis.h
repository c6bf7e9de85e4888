/* SPDX-License-Identifier: MIT
 *
 * Old game files are in Shift_JIS. Known here are kana, digits, letters, and the kanji that game files use. */
#ifndef KZ_BASE_SJIS_H
#define KZ_BASE_SJIS_H

#include <stdbool.h>
#include <stddef.h>

/* Whether a text is UTF-8. Japanese in Shift_JIS is not, but for rare accidents of a few characters. */
bool kz_is_utf8(const char *text, size_t length);
/* How much of it is UTF-8, from its beginning on, up to the end of a character. */
size_t kz_utf8_prefix(const char *text, size_t length);
/* Whether a text begins with the byte order mark of UTF-16. */
bool kz_is_utf16(const char *text, size_t length);

/* Writes a line in UTF-8 and returns its length; what has no room is left out. Other characters become "?". */
size_t kz_sjis_to_utf8(const char *text, size_t length, char *utf8, size_t room);

#endif
