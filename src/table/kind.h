/* SPDX-License-Identifier: MIT
 *
 * A kind of table: how positions become entries of an index, and blocks of entries bytes. All that the files have in
 * common, header, directory of blocks, checksums, the cache, and where bytes come from, is in the other files of this
 * folder.
 *
 * The kind for any game (any_kind.c) and excerpts (excerpt_kind.c) are here; a game may have one of its own in its
 * folder (kz_doors): one keeps losses only, another one all values in groups of runs. */
#ifndef KZ_TABLE_KIND_H
#define KZ_TABLE_KIND_H

#include "game/gamedef.h"
#include <kanzen/collect.h>

/* How the entries lie. */
typedef struct kz_shape {
    uint64_t places;      /* of the index */
    uint64_t entries;     /* that are stored: as many, or those of an excerpt */
    uint64_t extent;      /* entries that are written and verified together: a whole number of blocks; the last is
                             shorter */
    unsigned block;       /* entries that are coded together; the last block may be shorter */
    unsigned entry_bytes; /* of a decoded entry */
    size_t scratch_bytes; /* of memory that decoding a block takes */
} kz_shape;

static inline uint64_t kz_shape_blocks(const kz_shape *shape) {
    return (shape->entries + shape->block - 1) / shape->block;
}

/* How many places a block has. */
static inline unsigned kz_shape_places(const kz_shape *shape, uint64_t block) {
    uint64_t left = shape->entries - block * shape->block;
    return left < shape->block ? (unsigned)left : shape->block;
}

/* Decodes the first `places` of a block. False if the bytes are not what an encoder wrote for it. `entries` is aligned
 * for what it gets. */
typedef bool kz_decode_block(const void *self, void *scratch, uint64_t block, unsigned places, const uint8_t *bytes,
                             size_t size, uint8_t *entries);

/* Whole blocks that follow each other, and where their bytes are. */
typedef struct kz_block_range {
    uint64_t first;
    uint64_t count;
    const uint32_t *order; /* their numbers, counted from `first`, large ones first: best begun in this order */
    size_t most_bytes;     /* of a block */
    /* The bytes of a block, in `room` or elsewhere. False: they can't be had. */
    bool (*get)(const kz_table *table, uint64_t block, uint8_t *room, const uint8_t **bytes, size_t *size);
    const kz_table *table;
} kz_block_range;

/* How much of a table is kept decoded if nothing else is said. The successors of one position of a table of all values
 * may take thousands of blocks. Where pointers are short, so is memory: that is the browser, and maybe on a phone. */
enum { KZ_CACHED_DIVISOR = sizeof(void *) < 8 ? 2 : 1 };
enum { KZ_CACHED_FEW = (64 << 20) / KZ_CACHED_DIVISOR, KZ_CACHED_MANY = (256 << 20) / KZ_CACHED_DIVISOR };

struct kz_asked;
struct kz_batch;
struct kz_encoder;

typedef struct kz_table_kind {
    uint32_t version;      /* that the header of its files states (table/format.h) */
    uint32_t index_bytes;  /* of the directory's entry for a block: KZ_INDEX_BYTES or KZ_INDEX2_BYTES */
    uint32_t cached_bytes; /* of decoded blocks, at most */
    bool keeps_all;        /* if the cache has room for all blocks, none leaves it and reading takes no lock */
    bool every_place;      /* each place of the index is a position */
    bool by_definition;    /* the game's definition says how the entries lie: if it changes, so have the rules */
    bool losses_only;      /* an entry tells a loss or nothing; a probe finds wins by the moves */
    bool excerpts;         /* excerpts can be made of its tables */
    bool is_excerpt;       /* its tables have some of the positions only */

    /* What its functions work with, `self`: read-only once it is unpacked, so any number of threads may use it. `block`
     * is that of the header (0: the one that is written now), `entries` how many positions the header counts. Without
     * `unpack`, `look` and `successors` work, and the encoder. Close it in any case. */
    kz_status (*open)(const kz_game *game, int rules, uint32_t block, uint64_t entries, void **self, kz_shape *shape,
                      kz_error *error);
    /* Takes the file's model section, which zstd has unpacked. */
    kz_status (*unpack)(void *self, const uint8_t *bytes, size_t size, kz_error *error);
    void (*close)(void *self);

    /* The value if the rules tell it, and then `index` may be left alone; otherwise KZ_UNKNOWN, and the position's
     * index, or KZ_NO_INDEX if it has none and only its successors can tell. NULL: kz_rank does that. */
    kz_value (*look)(const void *self, const kz_position *position, uint64_t *index);
    /* Lists the indices of successors (room for kz_max_moves) and returns how many there are, or -1: no memory. With
     * `losses_only` these are the ones that may be lost for the side that moves there. Otherwise they are all, a
     * position maybe twice. `best` is the best value that the rules alone promise for one of the moves, KZ_UNKNOWN if
     * they promise no win. Where no stored value can be better than `best`, the list may be empty. */
    int (*successors)(const void *self, const kz_position *position, uint64_t *indices, kz_value *best);

    kz_decode_block *decode; /* a whole block */
    /* The beginning of one, which takes less time; what comes after is not looked at. NULL: a block is decoded as a
     * whole and kept in the cache the first time that it is needed. */
    kz_decode_block *decode_some;
    /* Many whole blocks, much faster than one by one; NULL: there is no such way. False: they have to be decoded one by
     * one, which also tells what is wrong. */
    bool (*decode_many)(const void *self, const kz_block_range *range, uint8_t *entries);

    /* The value of a valid position. */
    kz_status (*probe)(const kz_table *table, const kz_position *position, kz_value *value, kz_error *error);
    /* A batch of positions (table/probe_many.h): values where the rules or the cache tell them, questions for the rest;
     * and what the answers mean. NULL: one by one. */
    kz_status (*look_at_batch)(struct kz_batch *batch);
    void (*answer)(const struct kz_asked *asked, size_t count, const uint8_t *entries, kz_value *values);

    /* The rest is NULL where tables are read only, and where there is no such thing. Each does what the public call
     * promises. */
    kz_status (*verify)(const kz_table *table, int threads, const kz_progress *progress, kz_verify_report *report,
                        kz_error *error);
    kz_status (*longest)(const kz_table *table, size_t most, int threads, const kz_progress *progress, kz_found *found,
                         size_t *count, kz_error *error);
    kz_status (*puzzles)(const kz_table *table, const kz_puzzle_wish *wish, const kz_progress *progress,
                         kz_puzzle **puzzles, size_t *count, kz_error *error);
    const struct kz_encoder *encoder; /* for kz_table_write (table/writer.h) */
} kz_table_kind;

/* The kinds of any game. */
extern const kz_table_kind kz_any_kind;
extern const kz_table_kind kz_excerpt_kind;

/* The kind that the game has of its own; NULL: none. */
static inline const kz_table_kind *kz_own_kind(const kz_game *game) { return game->doors->kind; }

/* The kind that a table is of, and what its functions work with. */
const kz_table_kind *kz_table_kind_of(const kz_table *table);
const void *kz_table_self(const kz_table *table);

#endif
