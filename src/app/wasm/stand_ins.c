/* SPDX-License-Identifier: MIT
 *
 * What stands in the browser for parts of the C library and of src/base: no files, no threads, and little code. */
#include "app/wasm/session.h"
#include "base/error.h"
#include "base/packing.h"
#include "base/pool.h"
#include "base/unzstd.h"

#include <kanzen/system.h>
#include <stdlib.h>
#include <string.h>
#include <wasi/api.h>

/* ---- The C library -------------------------------------------------------------------------------------------- */

/* Functions of the C library that are written small here, because the page waits for their code. Copies and fills are
 * one instruction each. */
void *memcpy(void *restrict to, const void *restrict from, size_t size) { return __builtin_memcpy(to, from, size); }

void *memmove(void *to, const void *from, size_t size) { return __builtin_memmove(to, from, size); }

void *memset(void *memory, int byte, size_t size) { return __builtin_memset(memory, byte, size); }

/* The C library's printf asks for it, for a directive (%m) that nothing here uses. */
char *strerror(int number) {
    (void)number;
    return (char *)(size_t) "an error of the system";
}

char *strstr(const char *text, const char *part) {
    size_t length = strlen(part);
    for (; strncmp(text, part, length) != 0; text++) {
        if (*text == '\0') {
            return NULL;
        }
    }
    return (char *)(size_t)text;
}

/* ---- Files ---------------------------------------------------------------------------------------------------- */

/* The C library's text formatting drags in files, which nothing here opens. With these in place of the system's calls,
 * the module wants nothing from the page but app/wasm/session.h. */
#define SYSTEM(name) __imported_wasi_snapshot_preview1_##name

int32_t SYSTEM(fd_close)(int32_t file);
int32_t SYSTEM(fd_seek)(int32_t file, int64_t offset, int32_t whence, int32_t place);
int32_t SYSTEM(fd_write)(int32_t file, int32_t pieces, int32_t count, int32_t written);

int32_t SYSTEM(fd_close)(int32_t file) {
    (void)file;
    return __WASI_ERRNO_BADF;
}

int32_t SYSTEM(fd_seek)(int32_t file, int64_t offset, int32_t whence, int32_t place) {
    (void)file;
    (void)offset;
    (void)whence;
    (void)place;
    return __WASI_ERRNO_BADF;
}

int32_t SYSTEM(fd_write)(int32_t file, int32_t pieces, int32_t count, int32_t written) {
    (void)file;
    (void)pieces;
    (void)count;
    (void)written;
    return __WASI_ERRNO_BADF;
}

/* ---- kanzen/system.h ------------------------------------------------------------------------------------------ */

/* kanzen/system.h in the browser. */
double kz_seconds(void) { return kz_import_seconds(); }

int kz_processor_count(void) { return 1; }

/* A browser does not tell. */
uint64_t kz_available_memory_bytes(void) { return UINT64_MAX; }

/* ---- base/packing.h ------------------------------------------------------------------------------------------- */

/* base/packing.h without zstd's library; nothing is packed here. */
bool kz_unpacked_size(const uint8_t *packed, size_t size, uint64_t *content_size) {
    return kz_unzstd_size(packed, size, content_size);
}

kz_status kz_unpack(const uint8_t *packed, size_t size, uint8_t *content, size_t content_size) {
    return kz_unzstd(packed, size, content, content_size) ? KZ_OK : KZ_ERR_CORRUPT;
}

/* ---- base/pool.h ---------------------------------------------------------------------------------------------- */

/* base/pool.h where there are no threads: the caller does all of the work. */
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
