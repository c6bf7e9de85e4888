/* SPDX-License-Identifier: MIT
 *
 * Work whose pieces are made by many threads in any order, and taken by one at a time in their own order: files that
 * have the same bytes whatever the number of threads is. */
#ifndef KZ_EXPORT_ORDERED_H
#define KZ_EXPORT_ORDERED_H

#include "base/file.h"
#include "base/list.h"
#include "base/pool.h"

#include <kanzen/export.h>
#include <string.h>

typedef struct kz_ordered {
    void *context;
    /* Makes a piece; `made` is empty. Called from several threads at once. */
    kz_status (*make)(void *context, int worker, uint64_t piece, kz_buffer *made, kz_error *error);
    /* Takes a piece that was made; one after the other, from any thread. `enough` may be set: no more are wanted. */
    kz_status (*take)(void *context, const kz_buffer *made, bool *enough, kz_error *error);
} kz_ordered;

/* Makes and takes the pieces 0 to pieces - 1. While some threads make, one takes what was made before; so `take` may
 * need as much time as `make` on one processor, and the whole takes no longer. Reports `stage` with pieces made. */
kz_status kz_ordered_run(kz_pool *pool, uint64_t pieces, const kz_ordered *work, const kz_progress *progress,
                         const char *stage, kz_error *error);

/* ---- What such files are written with ---------------------------------------------------------------------------- */

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
