/* SPDX-License-Identifier: MIT
 *
 * JSON written as it comes, on one line. Every call takes the key of the value, or NULL in an array and at the
 * top. Whether the stream took it is for the caller to ask (ferror). Without a stream nothing is written. */
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct cli_json {
    FILE *stream;
    bool comma; /* the next value has one before it */
} cli_json;

cli_json json_start(FILE *stream);
/* Ends the line. Another document may follow. */
void json_finish(cli_json *json);

void json_object(cli_json *json, const char *key);
void json_end_object(cli_json *json);
void json_array(cli_json *json, const char *key);
void json_end_array(cli_json *json);

/* Text should be UTF-8; a byte that is not becomes U+FFFD. NULL is written as null. */
void json_text(cli_json *json, const char *key, const char *text);
void json_text_of_length(cli_json *json, const char *key, const char *text, size_t length);
void json_integer(cli_json *json, const char *key, int64_t number);
void json_unsigned(cli_json *json, const char *key, uint64_t number);
/* In the fewest digits that read back as the same number; null if it is not finite. */
void json_double(cli_json *json, const char *key, double number);
void json_boolean(cli_json *json, const char *key, bool value);
void json_null(cli_json *json, const char *key);

#endif
