/* SPDX-License-Identifier: MIT
 *
 * JSON written as it comes, on one line, into memory that grows. The library and the command write all of their JSON
 * with this. Every call takes the key of the value, or NULL in an array and at the top. */
#ifndef KZ_BASE_JSON_H
#define KZ_BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zero is an empty document. */
typedef struct kz_json {
    char *text; /* of `length` bytes, not 0-terminated; NULL while there are none */
    size_t length;
    size_t room;
    bool comma;  /* the next value has one before it */
    bool failed; /* there was no memory; what is written from then on gets lost */
} kz_json;

void kz_json_free(kz_json *json);
/* Adds the 0 byte that makes the text a string; `length` does not count it. The text, which is the caller's to
 * free with free() now, and the document is empty again. NULL: there was no memory. */
char *kz_json_take(kz_json *json, size_t *length);

void kz_json_object(kz_json *json, const char *key);
void kz_json_end_object(kz_json *json);
void kz_json_array(kz_json *json, const char *key);
void kz_json_end_array(kz_json *json);

/* Text should be UTF-8; a byte that is not becomes U+FFFD. NULL is written as null. */
void kz_json_text(kz_json *json, const char *key, const char *text);
void kz_json_text_of_length(kz_json *json, const char *key, const char *text, size_t length);
void kz_json_integer(kz_json *json, const char *key, int64_t number);
void kz_json_unsigned(kz_json *json, const char *key, uint64_t number);
/* In the fewest digits that read back as the same number; null if it is not finite. */
void kz_json_double(kz_json *json, const char *key, double number);
void kz_json_boolean(kz_json *json, const char *key, bool value);
void kz_json_null(kz_json *json, const char *key);
/* A value that is JSON already. */
void kz_json_raw(kz_json *json, const char *key, const char *value);
/* Bytes as they are, for answers that are no JSON at all. */
void kz_json_bytes(kz_json *json, const char *bytes, size_t count);

#endif
