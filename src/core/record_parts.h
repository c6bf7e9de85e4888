/* SPDX-License-Identifier: MIT
 *
 * What the forms of records share: a text line by line, errors with the line's number, and text that grows. */
#ifndef KZ_GAME_RECORD_PARTS_H
#define KZ_GAME_RECORD_PARTS_H

#include <kanzen/record.h>

/* ---- Reading --------------------------------------------------------------------------------------------------- */

/* A piece of the text that is being read. */
typedef struct kz_span {
    const char *text;
    size_t length;
} kz_span;

typedef struct kz_lines {
    kz_span rest;  /* what was not read yet */
    kz_span line;  /* the last one, without its end */
    size_t number; /* of it, from 1 */
    kz_error *error;
} kz_lines;

/* A byte order mark at the beginning is skipped. */
kz_lines kz_lines_of(const char *text, size_t length, kz_error *error);
bool kz_next_line(kz_lines *lines);

bool kz_span_is(kz_span span, const char *word);
bool kz_span_begins(kz_span span, const char *word);
/* Without the first `count` bytes. */
kz_span kz_span_from(kz_span span, size_t count);
/* Without spaces and tabs at both ends. */
kz_span kz_span_trimmed(kz_span span);
/* Steps over `word` if the span begins with it. */
bool kz_span_accept(kz_span *span, const char *word);
void kz_span_skip_spaces(kz_span *span);
/* A decimal number that is not too large; false, and nothing is stepped over, if there is none. */
bool kz_span_number(kz_span *span, size_t *number);

/* Fails with "line 7: why". */
__attribute__((format(printf, 2, 3))) kz_status kz_bad_line(const kz_lines *lines, const char *format, ...);

/* A span as it can stand in a message: short, and without control characters. */
enum { KZ_QUOTE_BYTES = 48 };
const char *kz_quote(kz_span span, char quote[KZ_QUOTE_BYTES]);

/* Takes a player's name. */
kz_status kz_record_read_name(const kz_lines *lines, kz_span name, char target[KZ_RECORD_NAME_BYTES]);

/* A record in the making. */
typedef struct kz_record_reader {
    kz_lines lines;
    kz_record *record;
    kz_position position; /* after the moves so far */
    size_t result_line;   /* where the result was told; 0: nowhere */
} kz_record_reader;

/* Takes the move that was read on this line. */
kz_status kz_record_take_move(kz_record_reader *reader, kz_move move);
/* At the end: what was told about the result has to agree with the moves. */
kz_status kz_record_check_result(kz_record_reader *reader);

/* The two forms. The record is all zero at first, and the caller frees it after a failure. */
kz_status kz_record_read_list(kz_record_reader *reader);
kz_status kz_record_read_kif(kz_record_reader *reader);

/* ---- Writing --------------------------------------------------------------------------------------------------- */

/* All zero is empty. */
typedef struct kz_growing_text {
    char *text;
    size_t length;
    size_t room;
    bool failed; /* there was no memory */
} kz_growing_text;

__attribute__((format(printf, 2, 3))) void kz_grow_text(kz_growing_text *text, const char *format, ...);

kz_status kz_record_write_list(const kz_record *record, kz_growing_text *text, kz_error *error);
kz_status kz_record_write_kif(const kz_record *record, kz_growing_text *text, kz_error *error);

#endif
