/* SPDX-License-Identifier: MIT */
#include "core/record_parts.h"

#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

kz_lines kz_lines_of(const char *text, size_t length, kz_error *error) {
    kz_lines lines = {.rest = {text, length}, .error = error};
    (void)kz_span_accept(&lines.rest, "\xef\xbb\xbf");
    return lines;
}

bool kz_next_line(kz_lines *lines) {
    if (lines->rest.length == 0) {
        return false;
    }
    const char *end = memchr(lines->rest.text, '\n', lines->rest.length);
    size_t length = end ? (size_t)(end - lines->rest.text) : lines->rest.length;
    lines->line = (kz_span){lines->rest.text, length};
    lines->rest = kz_span_from(lines->rest, length + (end != NULL));
    lines->number++;
    if (length > 0 && lines->line.text[length - 1] == '\r') {
        lines->line.length--;
    }
    return true;
}

bool kz_span_begins(kz_span span, const char *word) {
    size_t length = strlen(word);
    return span.length >= length && memcmp(span.text, word, length) == 0;
}

bool kz_span_is(kz_span span, const char *word) { return span.length == strlen(word) && kz_span_begins(span, word); }

kz_span kz_span_from(kz_span span, size_t count) { return (kz_span){span.text + count, span.length - count}; }

bool kz_span_accept(kz_span *span, const char *word) {
    bool found = span->length > 0 && kz_span_begins(*span, word);
    if (found) {
        *span = kz_span_from(*span, strlen(word));
    }
    return found;
}

static bool is_space(char c) { return c == ' ' || c == '\t'; }

void kz_span_skip_spaces(kz_span *span) {
    while (span->length > 0 && is_space(span->text[0])) {
        *span = kz_span_from(*span, 1);
    }
}

kz_span kz_span_trimmed(kz_span span) {
    kz_span_skip_spaces(&span);
    while (span.length > 0 && is_space(span.text[span.length - 1])) {
        span.length--;
    }
    return span;
}

bool kz_span_number(kz_span *span, size_t *number) {
    enum { MOST_DIGITS = 8 };
    size_t digits = 0;
    *number = 0;
    while (digits < span->length && span->text[digits] >= '0' && span->text[digits] <= '9') {
        if (digits == MOST_DIGITS) {
            return false;
        }
        *number = 10 * *number + (size_t)(span->text[digits++] - '0');
    }
    *span = kz_span_from(*span, digits);
    return digits > 0;
}

kz_status kz_bad_line(const kz_lines *lines, const char *format, ...) {
    char why[KZ_ERROR_MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    /* An empty text has no line; what is missing in it is missing on the first one. */
    size_t number = lines->number > 0 ? lines->number : 1;
    return kz_fail(lines->error, KZ_ERR_INPUT, "line %zu: %.*s", number, KZ_ERROR_MESSAGE_BYTES - 40, why);
}

const char *kz_quote(kz_span span, char quote[KZ_QUOTE_BYTES]) {
    size_t length = span.length < KZ_QUOTE_BYTES - 1 ? span.length : KZ_QUOTE_BYTES - 1;
    /* No half characters of UTF-8. */
    while (length < span.length && length > 0 && ((unsigned char)span.text[length] & 0xC0) == 0x80) {
        length--;
    }
    for (size_t i = 0; i < length; i++) {
        quote[i] = (unsigned char)span.text[i] < ' ' || span.text[i] == 0x7F ? '?' : span.text[i];
    }
    quote[length] = '\0';
    return quote;
}

kz_status kz_record_read_name(const kz_lines *lines, kz_span name, char target[KZ_RECORD_NAME_BYTES]) {
    if (name.length >= KZ_RECORD_NAME_BYTES) {
        return kz_bad_line(lines, "a name has at most %d bytes", KZ_RECORD_NAME_BYTES - 1);
    }
    for (size_t i = 0; i < name.length; i++) {
        if ((unsigned char)name.text[i] < ' ' || name.text[i] == 0x7F) {
            return kz_bad_line(lines, "a name has no control characters");
        }
    }
    memcpy(target, name.text, name.length);
    target[name.length] = '\0';
    return KZ_OK;
}

kz_status kz_record_take_move(kz_record_reader *reader, kz_move move) {
    kz_record *record = reader->record;
    if (record->count == KZ_RECORD_MOST_MOVES) {
        return kz_bad_line(&reader->lines, "a record has at most %d moves", KZ_RECORD_MOST_MOVES);
    }
    kz_status status = kz_record_add(record, move, reader->lines.error);
    if (status == KZ_OK) {
        kz_play(record->game, record->rules, &reader->position, move);
    }
    return status;
}

kz_status kz_record_check_result(kz_record_reader *reader) {
    kz_record *record = reader->record;
    static const char *const names[] = {
        [KZ_RESULT_NONE] = "unfinished",
        [KZ_RESULT_FIRST] = "first wins",
        [KZ_RESULT_SECOND] = "second wins",
        [KZ_RESULT_DRAW] = "draw",
    };
    kz_result played = kz_record_result(record->game, record->rules, &reader->position);
    if (played == KZ_RESULT_NONE) {
        return KZ_OK;
    }
    if (record->result != KZ_RESULT_NONE && record->result != played) {
        return kz_fail(reader->lines.error, KZ_ERR_INPUT, "line %zu: the result is '%s', but the moves end with '%s'",
                       reader->result_line, names[record->result], names[played]);
    }
    record->result = played;
    return KZ_OK;
}

void kz_grow_text(kz_growing_text *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    va_list again;
    va_copy(again, arguments);
    int more = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    size_t needed = text->length + (more > 0 ? (size_t)more : 0) + 1;
    if (!text->failed && needed > text->room) {
        char *larger = realloc(text->text, 2 * needed);
        text->failed = !larger;
        if (larger) {
            text->text = larger;
            text->room = 2 * needed;
        }
    }
    if (!text->failed) {
        vsnprintf(text->text + text->length, text->room - text->length, format, again);
        text->length = needed - 1;
    }
    va_end(again);
}
