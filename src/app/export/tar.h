/* SPDX-License-Identifier: MIT
 *
 * Headers of tar archives (ustar), which any tar reads. Nothing in them depends on the time or the user. */
#ifndef KZ_EXPORT_TAR_H
#define KZ_EXPORT_TAR_H

#include <stdint.h>

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

#endif
