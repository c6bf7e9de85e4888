/* SPDX-License-Identifier: MIT
 *
 * Worker threads for loops whose turns do not depend on each other. */
#ifndef KZ_BASE_POOL_H
#define KZ_BASE_POOL_H

#include <kanzen/error.h>
#include <kanzen/progress.h>
#include <stdint.h>

typedef struct kz_pool kz_pool;

enum { KZ_POOL_MAX_THREADS = 4096 };

/* `threads` counts the calling thread as well; 0: one for each processor. NULL on failure. */
kz_pool *kz_pool_new(int threads, kz_error *error);
/* The same with a status. */
kz_status kz_pool_open(int threads, kz_pool **pool, kz_error *error);
void kz_pool_free(kz_pool *pool);
int kz_pool_threads(const kz_pool *pool);

/* Handles the items begin to end - 1. `worker` is below kz_pool_threads, and no two calls run at the same time with
 * the same one; 0 is the thread that called kz_pool_for. */
typedef void kz_pool_work(void *context, int worker, uint64_t begin, uint64_t end);

/* Has `work` called for all of the items 0 to count - 1 (count < 2^63), in pieces of `grain` items at most (0: a size
 * that suits), and returns when all are done. Which worker gets which piece, and when, is left to chance.
 *
 * With `progress`, the calling thread reports `stage` with the number of items done about ten times a second between
 * pieces of its own, and once more at the end; when that asks to stop, no more pieces are handed out and the result is
 * KZ_ERR_CANCELLED, the only failure there is. One call at a time for each pool; `work` must not call it. */
kz_status kz_pool_for(kz_pool *pool, uint64_t count, uint64_t grain, kz_pool_work *work, void *context,
                      const kz_progress *progress, const char *stage, kz_error *error);

#endif
