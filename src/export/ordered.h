/* SPDX-License-Identifier: MIT
 *
 * Work whose pieces are made by many threads in any order, and taken by one at a time in their own order: files that
 * have the same bytes whatever the number of threads is. */
#ifndef KZ_EXPORT_ORDERED_H
#define KZ_EXPORT_ORDERED_H

#include "base/pool.h"

#include <stdbool.h>
#include <stddef.h>

/* Bytes that grow. All zero at first. */
typedef struct kz_bytes {
    uint8_t *data;
    size_t size;
    size_t room;
} kz_bytes;

/* Room for `size` more bytes at the end, which the caller fills and adds to the size; NULL: no memory. */
void *kz_bytes_room(kz_bytes *bytes, size_t size);
void kz_bytes_free(kz_bytes *bytes);

typedef struct kz_ordered {
    void *context;
    /* Makes a piece; `made` is empty. Called from several threads at once. */
    kz_status (*make)(void *context, int worker, uint64_t piece, kz_bytes *made, kz_error *error);
    /* Takes a piece that was made; one after the other, from any thread. `enough` may be set: no more are wanted. */
    kz_status (*take)(void *context, const kz_bytes *made, bool *enough, kz_error *error);
} kz_ordered;

/* Makes and takes the pieces 0 to pieces - 1. While some threads make, one takes what was made before; so `take` may
 * need as much time as `make` on one processor, and the whole takes no longer. Reports `stage` with pieces made. */
kz_status kz_ordered_run(kz_pool *pool, uint64_t pieces, const kz_ordered *work, const kz_progress *progress,
                         const char *stage, kz_error *error);

#endif
