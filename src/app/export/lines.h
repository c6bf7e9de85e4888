/* SPDX-License-Identifier: MIT
 *
 * What files of lines are written with: where the lines go, and numbers in them. */
#ifndef KZ_EXPORT_LINES_H
#define KZ_EXPORT_LINES_H

#include "base/file.h"

#include <kanzen/export.h>
#include <string.h>

/* A file, or a stream of the caller. */
static inline kz_status kz_export_open(kz_outfile *file, const char *path, const kz_export_options *options,
                                       kz_error *error) {
    return path ? kz_outfile_open(file, path, options->replace, error)
                : kz_outfile_open_stream(file, options->descriptor, "the stream", error);
}

enum { KZ_DECIMAL_MOST = 20 };

/* Writes a number in decimal digits, without a final 0, and returns the end: what printf would take much longer for,
 * where billions of them are written. */
static inline char *kz_put_decimal(char *text, uint64_t number) {
    char digits[KZ_DECIMAL_MOST];
    size_t begin = sizeof digits;
    do {
        digits[--begin] = (char)('0' + number % 10);
        number /= 10;
    } while (number);
    memcpy(text, digits + begin, sizeof digits - begin);
    return text + sizeof digits - begin;
}

#endif
