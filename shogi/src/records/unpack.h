/* SPDX-License-Identifier: MIT
 *
 * Files that zstd or gzip have packed, unpacked as they are read. */
#ifndef KZ_RECORDS_UNPACK_H
#define KZ_RECORDS_UNPACK_H

#include <kanzen/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct kz_unpacker kz_unpacker;

/* Whether the ending of the file's name says that it is packed. */
bool kz_is_packed_name(const char *path);
/* Fails if a file of this name, to which records are to be written, would be taken for a packed one. */
kz_status kz_refuse_packed_name(const char *path, kz_error *error);

/* Unpacks what `descriptor` gives, from its beginning; `path` is its name, which says how, and must last. NULL on
 * failure. */
kz_unpacker *kz_unpacker_new(int descriptor, const char *path, kz_error *error);
void kz_unpacker_free(kz_unpacker *unpacker);
/* `got` is less than `size` at the end only. */
kz_status kz_unpacker_read(kz_unpacker *unpacker, uint8_t *bytes, size_t size, size_t *got, kz_error *error);
/* Bytes of the packed file that have been read. */
uint64_t kz_unpacker_used(const kz_unpacker *unpacker);

#endif
