/* SPDX-License-Identifier: MIT */
#include "base/text_reader.h"

#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- Spans -------------------------------------------------------------------------------------------------------*/

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

void kz_span_skip_spaces(kz_span *span) {
    while (span->length > 0 && kz_is_space(span->text[0])) {
        *span = kz_span_from(*span, 1);
    }
}

kz_span kz_span_end_trimmed(kz_span span) {
    while (span.length > 0 && kz_is_space(span.text[span.length - 1])) {
        span.length--;
    }
    return span;
}

kz_span kz_span_trimmed(kz_span span) {
    kz_span_skip_spaces(&span);
    return kz_span_end_trimmed(span);
}

kz_span kz_span_word(kz_span *span) {
    kz_span_skip_spaces(span);
    kz_span word = {span->text, 0};
    while (word.length < span->length && !kz_is_space(word.text[word.length])) {
        word.length++;
    }
    *span = kz_span_from(*span, word.length);
    return word;
}

bool kz_span_digits(kz_span *span, uint64_t most, uint64_t *number) {
    uint64_t sum = 0;
    size_t count = 0;
    while (count < span->length && kz_is_digit(span->text[count])) {
        uint64_t digit = (uint64_t)(span->text[count++] - '0');
        if (digit > most || sum > (most - digit) / 10) {
            return false;
        }
        sum = 10 * sum + digit;
    }
    if (count == 0) {
        return false;
    }
    *span = kz_span_from(*span, count);
    *number = sum;
    return true;
}

bool kz_span_number(kz_span span, uint64_t least, uint64_t most, uint64_t *number) {
    uint64_t read;
    if (!kz_span_digits(&span, most, &read) || span.length > 0 || read < least) {
        return false;
    }
    *number = read;
    return true;
}

/* ---- Lines -------------------------------------------------------------------------------------------------------*/

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

/* ---- Messages ----------------------------------------------------------------------------------------------------*/

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

/* ---- Places ------------------------------------------------------------------------------------------------------*/

kz_status kz_bad_at(const kz_reader *reader, size_t at, const char *why) {
    if (at >= reader->length) {
        return kz_fail(reader->error, KZ_ERR_INPUT, "character %zu (end of the text): %s", at + 1, why);
    }
    char c = reader->text[at];
    if (c < ' ' || c > '~') {
        return kz_fail(reader->error, KZ_ERR_INPUT, "character %zu (byte 0x%02x): %s", at + 1, (unsigned char)c, why);
    }
    return kz_fail(reader->error, KZ_ERR_INPUT, "character %zu ('%c'): %s", at + 1, c, why);
}

size_t kz_bad_place(const kz_error *error) {
    static const char one[] = "character ", several[] = "characters ";
    const char *at = error->message;
    if (strncmp(at, one, sizeof one - 1) == 0) {
        at += sizeof one - 1;
    } else if (strncmp(at, several, sizeof several - 1) == 0) {
        at += sizeof several - 1;
    }
    uint64_t place = 0;
    kz_span rest = {at, strlen(at)};
    return at > error->message && kz_span_digits(&rest, SIZE_MAX, &place) ? (size_t)place : 0;
}
