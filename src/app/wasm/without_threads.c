/* SPDX-License-Identifier: MIT
 *
 * What stands for parts of src/base in the browser and on Windows (tools/windows): no threads, and no library for zstd.
 */
#include "base/error.h"
#include "base/packing.h"
#include "base/pool.h"

#include <stdlib.h>

/* ---- base/packing.h ------------------------------------------------------------------------------------------- */

/* Nothing is packed here. */
bool kz_unpacked_size(const uint8_t *packed, size_t size, uint64_t *content_size) {
    return kz_unzstd_size(packed, size, content_size);
}

kz_status kz_unpack(const uint8_t *packed, size_t size, uint8_t *content, size_t content_size) {
    return kz_unzstd(packed, size, content, content_size) ? KZ_OK : KZ_ERR_CORRUPT;
}

/* ---- base/pool.h ---------------------------------------------------------------------------------------------- */

/* The caller does all of the work. */
struct kz_pool {
    int threads;
};

kz_pool *kz_pool_new(int threads, kz_error *error) {
    (void)threads;
    kz_pool *pool = malloc(sizeof *pool);
    if (!pool) {
        kz_fail(error, KZ_ERR_MEMORY, "out of memory");
        return NULL;
    }
    pool->threads = 1;
    return pool;
}

void kz_pool_free(kz_pool *pool) { free(pool); }

int kz_pool_threads(const kz_pool *pool) { return pool->threads; }

kz_status kz_pool_for(kz_pool *pool, uint64_t count, uint64_t grain, kz_pool_work *work, void *context,
                      const kz_progress *progress, const char *stage, kz_error *error) {
    (void)pool;
    uint64_t piece = grain ? grain : 1;
    for (uint64_t done = 0; done < count;) {
        uint64_t end = count - done < piece ? count : done + piece;
        work(context, 0, done, end);
        done = end;
        if (progress && progress->report && !progress->report(progress->user, stage, done, count)) {
            return kz_fail(error, KZ_ERR_CANCELLED, "stopped");
        }
    }
    return KZ_OK;
}
