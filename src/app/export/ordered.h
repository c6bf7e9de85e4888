/* SPDX-License-Identifier: MIT
 *
 * Work whose pieces are made by many threads in any order, and taken by one at a time in their own order: files that
 * have the same bytes whatever the number of threads is. */
#ifndef KZ_EXPORT_ORDERED_H
#define KZ_EXPORT_ORDERED_H

#include "base/buffer.h"
#include "base/pool.h"

#include <stdbool.h>
#include <stddef.h>

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

#endif
