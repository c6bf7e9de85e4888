/* SPDX-License-Identifier: MIT
 *
 * Where things are in a table file; docs/format-table.md explains them. All numbers are little-endian. */
#ifndef KZ_TABLE_FORMAT_H
#define KZ_TABLE_FORMAT_H

#include "base/bits.h"
#include "base/hash.h"

#include <stdbool.h>
#include <stddef.h>

/* The first bytes show at once when a transfer changed line ends or cut the eighth bit, as PNG's do. */
#define KZ_TABLE_MAGIC "\x89KZT\r\n\x1a\n"

enum {
    KZ_TABLE_VERSION_LOSSES = 1, /* a table of losses only */
    KZ_TABLE_VERSION_VALUES = 2, /* a table of all values */
    KZ_TABLE_VERSION_ANY = 3,    /* a table of any game that is defined (kanzen/define.h) */
    KZ_TABLE_VERSION_PART = 4,   /* an excerpt: some of the values of a table of version 2 */
    KZ_TABLE_MAGIC_BYTES = 8,
    KZ_TABLE_NAME_BYTES = 16,

    /* Header. */
    KZ_AT_MAGIC = 0,
    KZ_AT_VERSION = 8,       /* u32 */
    KZ_AT_BLOCK_SIZE = 12,   /* u32, positions a block */
    KZ_AT_GAME = 16,         /* name, padded with zero bytes */
    KZ_AT_RULES = 32,        /* name, padded with zero bytes */
    KZ_AT_POSITIONS = 48,    /* u64, places of the index */
    KZ_AT_FILE_BYTES = 56,   /* u64 */
    KZ_AT_COUNTS_BYTES = 64, /* u32, then u64 hash of the section */
    KZ_AT_FINGERPRINT = 68,  /* u32, version 3: of the rules (game/defined.h); 0: not known */
    KZ_AT_COUNTS_HASH = 72,
    KZ_AT_MODEL_BYTES = 80,
    KZ_AT_MODEL_HASH = 88,
    KZ_AT_INDEX_BYTES = 96,
    KZ_AT_INDEX_HASH = 104,
    KZ_AT_DIGEST = 112,      /* SHA-256 of all that follows the header */
    KZ_AT_HEADER_HASH = 144, /* u64 hash of the bytes before it */
    KZ_TABLE_HEADER_BYTES = 152,

    /* Counts: an entry for each value that occurs. */
    KZ_COUNT_OUTCOME = 0,  /* u8: 1 loss, 2 draw, 3 win */
    KZ_COUNT_DISTANCE = 2, /* u16 */
    KZ_COUNT_NUMBER = 8,   /* u64 */
    KZ_COUNT_BYTES = 16,

    /* Index: an entry for each block. Version 1: */
    KZ_INDEX_SIZE = 0,  /* u16, bytes of the block */
    KZ_INDEX_CHECK = 2, /* u32, lower half of the block's hash */
    KZ_INDEX_BYTES = 6,
    /* Version 2: */
    KZ_INDEX2_SIZE = 0,  /* u16, bytes of the block, halved: it is always even */
    KZ_INDEX2_CHECK = 2, /* u16, lower quarter of the block's hash */
    KZ_INDEX2_BYTES = 4
};

/* The directory's entry for a block, of 6 or 4 bytes: put there, and read. */
static inline void kz_directory_put(uint8_t *directory, size_t entry_bytes, uint64_t block, const uint8_t *bytes,
                                    size_t size) {
    uint8_t *entry = directory + block * entry_bytes;
    uint64_t hash = kz_hash64_seeded(bytes, size, block);
    if (entry_bytes == KZ_INDEX_BYTES) {
        kz_store_le16(entry + KZ_INDEX_SIZE, (uint16_t)size);
        kz_store_le32(entry + KZ_INDEX_CHECK, (uint32_t)hash);
    } else {
        kz_store_le16(entry + KZ_INDEX2_SIZE, (uint16_t)(size / 2));
        kz_store_le16(entry + KZ_INDEX2_CHECK, (uint16_t)hash);
    }
}

static inline size_t kz_directory_most(size_t entry_bytes) { /* bytes of a block that it can tell */
    return entry_bytes == KZ_INDEX_BYTES ? UINT16_MAX : 2 * UINT16_MAX;
}

static inline size_t kz_directory_size(const uint8_t *directory, size_t entry_bytes, uint64_t block) {
    const uint8_t *entry = directory + block * entry_bytes;
    return entry_bytes == KZ_INDEX_BYTES ? kz_load_le16(entry + KZ_INDEX_SIZE)
                                         : 2 * (size_t)kz_load_le16(entry + KZ_INDEX2_SIZE);
}

/* Whether a block has its checksum. */
static inline bool kz_directory_check(const uint8_t *directory, size_t entry_bytes, uint64_t block,
                                      const uint8_t *bytes, size_t size) {
    const uint8_t *entry = directory + block * entry_bytes;
    uint64_t hash = kz_hash64_seeded(bytes, size, block);
    return entry_bytes == KZ_INDEX_BYTES ? (uint32_t)hash == kz_load_le32(entry + KZ_INDEX_CHECK)
                                         : (uint16_t)hash == kz_load_le16(entry + KZ_INDEX2_CHECK);
}

#endif
