/* SPDX-License-Identifier: MIT
 *
 * Reading text: kinds of characters, spans, numbers, lines. Letters and digits are those of ASCII, whatever the locale
 * says. */
#ifndef KZ_BASE_TEXT_H
#define KZ_BASE_TEXT_H

#include <kanzen/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline bool kz_is_digit(char c) { return c >= '0' && c <= '9'; }
static inline bool kz_is_upper(char c) { return c >= 'A' && c <= 'Z'; }
static inline char kz_to_lower(char c) { return kz_is_upper(c) ? (char)(c - 'A' + 'a') : c; }
/* White space within a line: a carriage return is what is left of a line end of Windows. */
static inline bool kz_is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
static inline bool kz_is_space(char c) { return kz_is_blank(c) || c == '\n'; }

/* A letter, a digit, or one of `others`. */
static inline bool kz_is_plain(char c, const char *others) {
    return kz_is_digit(c) || (kz_to_lower(c) >= 'a' && kz_to_lower(c) <= 'z') || (c != '\0' && strchr(others, c));
}
/* What a hexadecimal digit counts; -1: it is none. */
static inline int kz_hex_digit(char c) {
    char lower = kz_to_lower(c);
    return kz_is_digit(c) ? c - '0' : lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/* Whether a text has only what names of games and of rules are made of: lower-case letters, digits and '-'. */
static inline bool kz_is_made_for_names(const char *text) {
    return text[strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-")] == '\0';
}

/* The size of the byte order mark of UTF-8 with which some editors begin a text; 0: there is none. */
static inline size_t kz_mark_size(const char *text, size_t length) {
    return length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
}

/* ---- Spans -------------------------------------------------------------------------------------------------------*/

/* A part of a text. */
typedef struct kz_span {
    const char *text;
    size_t length;
} kz_span;

bool kz_span_is(kz_span span, const char *word);
bool kz_span_begins(kz_span span, const char *word);
/* Without the first `count` bytes. */
kz_span kz_span_from(kz_span span, size_t count);
/* Steps over `word` if the span begins with it. An empty span does not. */
bool kz_span_accept(kz_span *span, const char *word);
void kz_span_skip_spaces(kz_span *span);
/* Without white space at the end; at both ends. */
kz_span kz_span_end_trimmed(kz_span span);
kz_span kz_span_trimmed(kz_span span);
/* The next word, up to white space, and steps over it; empty if there is none. */
kz_span kz_span_word(kz_span *span);

/* Reads the decimal digits at the beginning of the span and steps over them. False, and nothing is stepped over, if
 * there are none or the number is larger than `most`. */
bool kz_span_digits(kz_span *span, uint64_t most, uint64_t *number);
/* Whether the whole span is a number from `least` to `most`, written with digits only; `number` is left alone if not.
 */
bool kz_span_number(kz_span span, uint64_t least, uint64_t most, uint64_t *number);

/* ---- Lines -------------------------------------------------------------------------------------------------------*/

/* A text that is read line by line. */
typedef struct kz_lines {
    kz_span rest;  /* what was not read yet */
    kz_span line;  /* the last one that was read, without its end ("\n" or "\r\n") */
    size_t number; /* of that line, from 1; 0 before the first */
    kz_error *error;
} kz_lines;

/* Skips a byte order mark of UTF-8. `error` is for kz_bad_line. */
kz_lines kz_lines_of(const char *text, size_t length, kz_error *error);
/* False after the last line. */
bool kz_next_line(kz_lines *lines);
/* The same, and `line` is that line without white space at its end. */
static inline bool kz_next_trimmed_line(kz_lines *lines, kz_span *line) {
    bool found = kz_next_line(lines);
    *line = found ? kz_span_end_trimmed(lines->line) : (kz_span){"", 0};
    return found;
}
/* Fails with "line 7: why". */
__attribute__((format(printf, 2, 3))) kz_status kz_bad_line(const kz_lines *lines, const char *format, ...);

/* ---- Messages ----------------------------------------------------------------------------------------------------*/

/* A span as it can stand in a message: short, and without control characters. Returns `quote`. */
enum { KZ_QUOTE_BYTES = 48 };
const char *kz_quote(kz_span span, char quote[KZ_QUOTE_BYTES]);

#endif
