/* SPDX-License-Identifier: MIT
 *
 * What an open table is made of, for table.c, which opens it, and blocks.c, which reads it. */
#ifndef KZ_TABLE_TABLE_H
#define KZ_TABLE_TABLE_H

#include "base/hash.h"
#include "base/thread.h"
#include "table/cache.h"
#include "table/format.h"
#include "table/kind.h"
#include "table/reader.h"

#include <kanzen/define.h>

/* Where blocks are is kept for one of so many, and found from there by adding sizes. */
enum { KZ_LANDMARK_BLOCKS = 64 };

/* Memory for reading blocks. A thread takes a reader, reads with it and gives it back. Those that nobody uses are kept,
 * so a lookup allocates memory only while more threads read at the same time than ever before. */
struct kz_block_reader {
    kz_block_reader *next; /* of those that nobody uses */
    uint8_t *entries;      /* room for those of a block */
    uint8_t *coded;        /* room for the bytes of the largest block, copied from the file */
    _Alignas(16) uint8_t scratch[];
};

/* Lookups change these, and the table is const there. */
typedef struct kz_block_readers {
    kz_lock lock;
    kz_block_reader *unused;
} kz_block_readers;

struct kz_table {
    char *name;
    kz_byte_source file;
    kz_source_calls calls; /* NULL where the source has none */
    uint8_t header[KZ_TABLE_HEADER_BYTES];
    const kz_game *game;
    const kz_game *own; /* the same, if it was opened with the table; otherwise NULL */
    int rules;
    const kz_table_kind *kind;
    void *self; /* what the kind's functions work with */
    kz_shape shape;
    uint64_t blocks;
    uint64_t positions; /* that exist */
    uint8_t *counts;
    size_t count_entries;
    uint8_t *index;      /* the directory of blocks */
    uint64_t *landmarks; /* where every KZ_LANDMARK_BLOCKS-th block is in the file */
    size_t most_bytes;   /* of a block */
    kz_cache *cache;
    kz_block_readers *readers;
    char digest[KZ_SHA256_HEX_BYTES];
    kz_table *parts[KZ_MAX_RULES]; /* of a game in parts: the tables of the other rule sets, or NULL */
};

static inline size_t kz_table_block_bytes(const kz_table *table, uint64_t block) {
    return kz_directory_size(table->index, table->kind->index_bytes, block);
}

/* Whether bytes that fail their checksum are worth a second look. */
static inline bool kz_table_renew(const kz_table *table, uint64_t offset, size_t size) {
    return table->calls.renew && table->calls.renew(table->file.user, offset, size);
}

#endif
