/* SPDX-License-Identifier: MIT
 *
 * The C library's text formatting drags in files, which nothing here opens. With these in place of the system's calls,
 * the module wants nothing from the page but app/wasm/imports.h. */
#include <stdint.h>
#include <wasi/api.h>

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
