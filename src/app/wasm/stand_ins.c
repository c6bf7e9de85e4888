/* SPDX-License-Identifier: MIT
 *
 * What stands in the browser for parts of the C library, and for kanzen/system.h. */
#include "app/wasm/session.h"

#include <kanzen/system.h>
#include <string.h>
#include <wasi/api.h>

/* ---- The C library -------------------------------------------------------------------------------------------- */

/* Written small, because the page waits for this code. Copies and fills are one instruction each. */
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

double kz_seconds(void) { return kz_import_seconds(); }

int kz_processor_count(void) { return 1; }

/* A browser does not tell. */
uint64_t kz_available_memory_bytes(void) { return UINT64_MAX; }
