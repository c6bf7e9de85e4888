/* SPDX-License-Identifier: MIT
 *
 * The bytes of a source, cut into pieces of whole records that threads can work on by themselves. */
#ifndef KZ_RECORDS_SOURCE_H
#define KZ_RECORDS_SOURCE_H

#include "shogi/src/records/stream.h"
#include <kanzen/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct kz_records_piece {
    uint64_t offset; /* of its first byte in the file */
    uint64_t first;  /* the index of its first record, if they are of fixed size */
    uint8_t *bytes;
    size_t size;
    size_t room;
} kz_records_piece;

typedef struct kz_records_input {
    const kz_shogi_record_info *info;
    kz_shogi_record record;
    const char *name; /* for messages */
    int descriptor;
    bool seekable;                /* a regular file: bytes are read at their offset */
    bool repeatable;              /* it can be read again: a regular file, packed or not */
    struct kz_unpacker *unpacker; /* of a packed file, NULL otherwise */
    uint64_t size;                /* of a regular file */

    uint64_t offset; /* of the next piece */
    uint64_t next;   /* its first record; like the two below for records of fixed size only */
    uint64_t pass;   /* records of a pipe that are to be passed over */
    uint64_t left;   /* records that are wanted */
    uint8_t *carry;  /* what was read and is not part of a piece yet */
    size_t carried;
    size_t carry_room;
    bool ended;
    size_t trailing; /* bytes after the last whole record, when it has ended */

    /* Asked about ten times a second while a pipe has nothing to say; false gives up. */
    bool (*patience)(void *user, int worker);
    void *user;
} kz_records_input;

/* Opens the source at a place (NULL: where source->first says). */
kz_status kz_records_open(kz_records_input *input, const kz_shogi_source *source, const kz_records_place *start,
                          kz_error *error);
void kz_records_close(kz_records_input *input);
/* How much there is to read: records, or bytes if the size of records varies; 0 for a pipe and for a packed file.
 * Before the first piece. */
uint64_t kz_records_total(const kz_records_input *input);

/* Hands out the next piece; its size is 0 at the end. One thread at a time. */
kz_status kz_records_next(kz_records_input *input, int worker, kz_records_piece *piece, kz_error *error);
/* Reads what kz_records_next has not read yet. Any number of threads at a time. */
kz_status kz_records_fetch(const kz_records_input *input, kz_records_piece *piece, kz_error *error);
void kz_records_free_piece(kz_records_piece *piece);

/* ---- unpack.c: files that zstd or gzip has packed ---------------------------------------------------------------- */

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
