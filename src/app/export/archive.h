/* SPDX-License-Identifier: MIT
 *
 * Archives of other programs: tar is written, xz is read. */
#ifndef KZ_EXPORT_ARCHIVE_H
#define KZ_EXPORT_ARCHIVE_H

#include "base/file.h"

#include <kanzen/progress.h>

/* ---- Headers of tar archives (ustar), which any tar reads. Nothing in them depends on the time or the user. ------ */

enum {
    KZ_TAR_BLOCK = 512,
    KZ_TAR_END = 2 * KZ_TAR_BLOCK, /* zero bytes at the end of an archive */
    KZ_TAR_NAME_BYTES = 100        /* names are shorter than that */
};

/* A file's header, which its bytes follow, filled up to whole blocks; a name that ends with '/' is a folder's. A file
 * has less than 8 GiB. */
void kz_tar_header(const char *name, uint64_t size, uint8_t header[KZ_TAR_BLOCK]);

/* The bytes that a file takes with its header. */
static inline uint64_t kz_tar_size(uint64_t size) {
    return KZ_TAR_BLOCK + (size + KZ_TAR_BLOCK - 1) / KZ_TAR_BLOCK * KZ_TAR_BLOCK;
}

/* ---- Files that xz has packed ------------------------------------------------------------------------------------ */

/* Whether the file begins as such files do. */
bool kz_xz_is(const kz_mapping *file);

/* Unpacks a file that has to have `size` bytes then: KZ_ERR_CORRUPT if it has not, or if it is damaged. `name` is for
 * messages. The caller frees. KZ_ERR_UNSUPPORTED if the library was built without liblzma. */
kz_status kz_xz_read(const kz_mapping *file, const char *name, size_t size, const kz_progress *progress, uint8_t **data,
                     kz_error *error);

#endif
