/* SPDX-License-Identifier: MIT */
#include "escape.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* The length of the well-formed UTF-8 character at `text`, or 0; `code` gets its code point. */
static size_t utf8_character(const unsigned char *text, uint32_t *code) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = text[0] < 0x80 ? 1 : text[0] >= 0xF0 ? 4 : text[0] >= 0xE0 ? 3 : text[0] >= 0xC2 ? 2 : 0;
    if (length == 0 || text[0] > 0xF4) {
        return 0;
    }
    *code = length == 1 ? text[0] : text[0] & (0x7FU >> length);
    for (size_t i = 1; i < length; i++) {
        if ((text[i] & 0xC0) != 0x80) {
            return 0;
        }
        *code = *code << 6 | (text[i] & 0x3F);
    }
    return *code >= least[length] && *code <= 0x10FFFF && (*code < 0xD800 || *code > 0xDFFF) ? length : 0;
}

/* C0, DEL and C1; and the marks that reverse the direction of text. */
static int is_control(uint32_t code) {
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || (code >= 0x202A && code <= 0x202E) ||
           (code >= 0x2066 && code <= 0x2069);
}

const char *escape_controls(const char *text, char *safe, size_t size) {
    const unsigned char *next = (const unsigned char *)text;
    size_t used = 0;
    while (*next != '\0') {
        char piece[24];
        uint32_t code = 0;
        size_t length = utf8_character(next, &code);
        if (length == 1 && (code == '\n' || code == '\t')) {
            snprintf(piece, sizeof piece, code == '\n' ? "\\n" : "\\t");
        } else if (length != 0 && !is_control(code)) {
            memcpy(piece, next, length);
            piece[length] = '\0';
        } else {
            length = length != 0 ? length : 1;
            for (size_t i = 0; i < length; i++) {
                snprintf(piece + 4 * i, sizeof piece - 4 * i, "\\x%02x", next[i]);
            }
        }
        size_t bytes = strlen(piece);
        if (used + bytes >= size) {
            break;
        }
        memcpy(safe + used, piece, bytes);
        used += bytes;
        next += length;
    }
    safe[used] = '\0';
    return safe;
}
