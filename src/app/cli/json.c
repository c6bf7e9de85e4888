/* SPDX-License-Identifier: MIT */
#include "json.h"

#include "command.h"

#include "base/json.h"
#include <stdlib.h>

cli_json json_start(FILE *stream) { return (cli_json){.stream = stream}; }

void json_finish(cli_json *json) {
    if (json->stream) {
        fputc('\n', json->stream);
    }
    json->comma = false;
}

/* Each call writes a piece of JSON in memory, as the library does it, and puts that piece out at once, so that there is
 * nothing to free when a command ends in the middle of a document. */
static kz_json begin(const cli_json *json) { return (kz_json){.comma = json->comma}; }

static void put_out(cli_json *json, kz_json *piece) {
    if (piece->failed) {
        /* The document has a hole now, and nobody should take it for a whole one. */
        fputs("kanzen: out of memory\n", stderr);
        exit(STATUS_IO);
    }
    fwrite(piece->text, 1, piece->length, json->stream);
    json->comma = piece->comma;
    kz_json_free(piece);
}

/* clang-format off */
#define PUT_OUT(call_) \
    do { if (json->stream) { kz_json piece = begin(json); call_; put_out(json, &piece); } } while (0)
/* clang-format on */

void json_object(cli_json *json, const char *key) { PUT_OUT(kz_json_object(&piece, key)); }
void json_end_object(cli_json *json) { PUT_OUT(kz_json_end_object(&piece)); }
void json_array(cli_json *json, const char *key) { PUT_OUT(kz_json_array(&piece, key)); }
void json_end_array(cli_json *json) { PUT_OUT(kz_json_end_array(&piece)); }

void json_text(cli_json *json, const char *key, const char *text) { PUT_OUT(kz_json_text(&piece, key, text)); }

void json_text_of_length(cli_json *json, const char *key, const char *text, size_t length) {
    PUT_OUT(kz_json_text_of_length(&piece, key, text, length));
}

void json_integer(cli_json *json, const char *key, int64_t number) { PUT_OUT(kz_json_integer(&piece, key, number)); }

void json_unsigned(cli_json *json, const char *key, uint64_t number) { PUT_OUT(kz_json_unsigned(&piece, key, number)); }

void json_double(cli_json *json, const char *key, double number) { PUT_OUT(kz_json_double(&piece, key, number)); }
void json_boolean(cli_json *json, const char *key, bool value) { PUT_OUT(kz_json_boolean(&piece, key, value)); }
void json_null(cli_json *json, const char *key) { PUT_OUT(kz_json_null(&piece, key)); }
