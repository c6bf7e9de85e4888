/* SPDX-License-Identifier: MIT
 *
 * Many positions at once (probe_many.c): what a kind gets to look at them with, batch by batch. */
#ifndef KZ_TABLE_PROBE_MANY_H
#define KZ_TABLE_PROBE_MANY_H

#include "table/cache.h"
#include "table/reader.h"

enum { KZ_BATCH = 256 };

/* A position whose value the entries that were asked for tell: those from number `slot` on. */
typedef struct kz_asked {
    size_t number; /* of the position */
    uint32_t slot;
    uint16_t count;
    uint8_t promised; /* in how many plies the rules promise a win; 0: they don't */
} kz_asked;

typedef struct kz_batch {
    const kz_table *table;
    const kz_position *positions; /* KZ_BATCH of them, or fewer */
    kz_value *values;
    unsigned count;
    kz_whole whole;         /* the table's cache, if it is one for the whole table */
    uint64_t block_inverse; /* 2^64 / places of a block, rounded up */
    uint64_t *successors;   /* room for the moves of all */
    struct kz_desk *desk;
    size_t first; /* number of the first position */
} kz_batch;

/* Requests have no room for larger indices. */
enum { KZ_ASK_BITS = 41 };

static inline bool kz_batch_can_ask(uint64_t index) { return index >> KZ_ASK_BITS == 0; }

/* The block of an index that can be asked for: by a multiplication, since every position needs it several times. */
static inline uint64_t kz_block_by(uint64_t block_inverse, uint64_t index) {
    __extension__ typedef unsigned __int128 wide;
    return (uint64_t)((wide)index * block_inverse >> 64);
}

/* Whether an entry is in the cache: whole.values[index]. */
static inline bool kz_batch_has(const kz_batch *b, uint64_t index) {
    return b->whole.values && kz_whole_has(&b->whole, kz_block_by(b->block_inverse, index));
}

/* The entries of the cache that will be needed: memory is slow, so all of them are on their way at once. */
static inline void kz_batch_prefetch(const kz_batch *b, const uint64_t *indices, size_t count) {
    for (size_t i = 0; b->whole.values && i < count; i++) {
        if (indices[i] != KZ_NO_INDEX) {
            __builtin_prefetch(&b->whole.values[indices[i]]);
        }
    }
}

/* Whether a position of the batch is one; if not, the call will say so. */
bool kz_batch_is_valid(const kz_batch *b, unsigned number);
/* Looks one position of the batch up by itself. */
kz_status kz_batch_probe(const kz_batch *b, unsigned number);
/* Asks for the entry of a position, and for those of `count` others that its value may need. */
kz_status kz_batch_ask(const kz_batch *b, unsigned number, uint64_t index, const uint64_t *others, unsigned count,
                       unsigned promised);

#endif
