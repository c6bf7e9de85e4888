/* SPDX-License-Identifier: MIT
 *
 * Text that grows in a buffer of the caller's. Running out of room is noticed once, at the end. */
#ifndef KZ_BASE_TEXT_WRITER_H
#define KZ_BASE_TEXT_WRITER_H

#include "base/error.h"
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

typedef struct kz_writer {
    char *text;
    size_t size;
    size_t length; /* what was written, or would have been, without the final NUL */
} kz_writer;

static inline kz_writer kz_writer_into(char *text, size_t size) {
    kz_writer writer = {.size = size};
    writer.text = text;
    return writer;
}

__attribute__((format(printf, 2, 3))) static inline void kz_write(kz_writer *writer, const char *format, ...) {
    bool full = writer->length >= writer->size;
    va_list arguments;
    va_start(arguments, format);
    int more = vsnprintf(full ? NULL : writer->text + writer->length, full ? 0 : writer->size - writer->length, format,
                         arguments);
    va_end(arguments);
    writer->length += more > 0 ? (size_t)more : 0;
}

/* Single characters and short texts, for what is written so often that printf's way of doing it would cost too much. */
static inline void kz_put_char(kz_writer *writer, char c) {
    if (writer->size > 1 && writer->length < writer->size - 1) {
        writer->text[writer->length] = c;
        writer->text[writer->length + 1] = '\0';
    }
    writer->length++;
}

static inline void kz_put(kz_writer *writer, const char *text) {
    for (; *text; text++) {
        kz_put_char(writer, *text);
    }
}

/* In decimal; not negative. */
static inline void kz_put_number(kz_writer *writer, int number) {
    if (number >= 10) {
        kz_put_number(writer, number / 10);
    }
    kz_put_char(writer, (char)('0' + number % 10));
}

static inline kz_status kz_written(const kz_writer *writer, kz_error *error) {
    if (writer->length < writer->size) {
        return KZ_OK;
    }
    return kz_fail(error, KZ_ERR_INPUT, "the text needs %zu bytes, and there is room for %zu", writer->length + 1,
                   writer->size);
}

#endif
