/* SPDX-License-Identifier: MIT
 *
 * Reads JSON (RFC 8259) value by value, for readers that know what should come. Nothing is allocated, so memory never
 * grows with what a stranger sends. Texts have to be UTF-8 without U+0000.
 *
 * Every call returns false when something else comes; then `wrong` says what, and `at` is where. */
#ifndef KZ_BASE_JSON_READER_H
#define KZ_BASE_JSON_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct kz_json_reader {
    const char *text;
    size_t length;
    size_t at;
    const char *wrong;
} kz_json_reader;

/* The first character of the value that comes next, after spaces; 0 at the end of the text. It tells the kind of the
 * value: '{', '[', '"', 't', 'f', 'n', or the beginning of a number. */
char kz_json_peek(kz_json_reader *reader);

/* Enters an object or an array. */
bool kz_json_enter(kz_json_reader *reader, char bracket);
/* Whether another member or element comes; at the end it leaves the object or array. `first`: whether none was read
 * yet. Look at `wrong` when it returns false. */
bool kz_json_another(kz_json_reader *reader, char closing_bracket, bool first);

/* A text; `decoded` has room for as many bytes as there are left, and gets a 0 at its end. */
bool kz_json_read_text(kz_json_reader *reader, char *decoded, size_t *length);
/* The key of a member with the colon after it. */
bool kz_json_read_key(kz_json_reader *reader, char *decoded, size_t *length);

/* A whole number without sign, fraction and exponent. */
bool kz_json_read_unsigned(kz_json_reader *reader, uint64_t *number);
/* Steps over a value of any kind. `room` has room for as many bytes as there are left. */
bool kz_json_skip(kz_json_reader *reader, char *room);

/* That nothing but spaces follows. */
bool kz_json_read_end(kz_json_reader *reader);

#endif
