/* SPDX-License-Identifier: MIT
 *
 * Excerpts: some of the positions of a table with their values. docs/format-table.md, version 4, describes the bytes.
 */
#ifndef KZ_TABLE_EXCERPT_H
#define KZ_TABLE_EXCERPT_H

#include "base/hash.h"

#include <kanzen/table.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    KZ_EXCERPT_BLOCK = 4096,  /* positions a block */
    KZ_EXCERPT_FAR_BYTES = 5, /* of a step that does not fit into a byte */
    KZ_EXCERPT_RAW_MOST = KZ_EXCERPT_BLOCK * (2 + KZ_EXCERPT_FAR_BYTES),
    KZ_EXCERPT_BLOCK_MOST = 65535 /* bytes of a block */
};

/* What a reader keeps of an excerpt. */
typedef struct kz_excerpt {
    uint64_t stored;                 /* positions */
    uint64_t *firsts;                /* index of the first position of each block */
    uint8_t parent[KZ_SHA256_BYTES]; /* digest of the table that it was made from */
} kz_excerpt;

/* How many blocks so many positions take, and how many entries one of them has. */
static inline size_t kz_excerpt_blocks(uint64_t stored) {
    return (size_t)((stored + KZ_EXCERPT_BLOCK - 1) / KZ_EXCERPT_BLOCK);
}

static inline size_t kz_excerpt_entries_in(uint64_t stored, uint64_t block) {
    uint64_t left = stored - block * KZ_EXCERPT_BLOCK;
    return left < KZ_EXCERPT_BLOCK ? (size_t)left : KZ_EXCERPT_BLOCK;
}

/* An entry is the index of a position and, in its lowest byte, what a table of all values stores for it. */
static inline uint64_t kz_excerpt_entry(uint64_t index, uint8_t number) { return index << 8 | number; }
static inline uint64_t kz_excerpt_index(uint64_t entry) { return entry >> 8; }
static inline uint8_t kz_excerpt_number(uint64_t entry) { return (uint8_t)entry; }

/* A block of `count` ascending entries as bytes, in `raw` (KZ_EXCERPT_RAW_MOST), before they are packed; returns how
 * many. */
size_t kz_excerpt_encode(const uint64_t *entries, size_t count, uint8_t *raw);
/* False if the bytes are not a block of this number. `places` is the size of the index. */
bool kz_excerpt_decode(const kz_excerpt *excerpt, uint64_t block, uint64_t places, const uint8_t *bytes, size_t size,
                       uint8_t *raw, uint64_t *entries);

/* The number of a position among ascending entries; false: it is not there. */
bool kz_excerpt_find(const uint64_t *entries, size_t count, uint64_t index, uint8_t *number);

/* kz_table_verify for an excerpt. */
kz_status kz_excerpt_verify(const kz_table *table, int threads, const kz_progress *progress, kz_verify_report *report,
                            kz_error *error);

#endif
