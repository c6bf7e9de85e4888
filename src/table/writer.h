/* SPDX-License-Identifier: MIT
 *
 * Writing a table. */
#ifndef KZ_TABLE_WRITER_H
#define KZ_TABLE_WRITER_H

#include "base/thread.h"
#include "table/kind.h"

struct kz_open_runs;

/* Where the entries come from when a table is written: extent by extent (kz_shape says how large these are). */
typedef struct kz_source {
    void *context;
    /* Writes the entries of one extent, in order. Called from several threads at once, with different workers (0 to
     * the pool's threads - 1); an extent may be read more than once. */
    kz_status (*read)(void *context, int worker, uint64_t extent, uint8_t *entries, kz_error *error);
    /* A faster way for kinds of tables that know it, called in the same way; NULL: there is none. What `open` points to
     * stays until the worker reads again. */
    kz_status (*read_open)(void *context, int worker, uint64_t extent, struct kz_open_runs *open, kz_error *error);
} kz_source;

/* The blocks [begin, end) of an extent, or what is left of them. */
typedef struct kz_extent {
    uint64_t begin;
    uint64_t end;
} kz_extent;

/* Counts of what coding blocks would use: an array of numbers that can be added up. Several threads may count into
 * one. */
typedef struct kz_tally {
    kz_lock lock;
    uint32_t *counts;
    size_t size;
} kz_tally;

/* How a kind of table codes what a source has. `self` is the kind's, which `open` has made. */
typedef struct kz_encoder {
    size_t counts_bytes;   /* of a tally, */
    int most_tallies;      /* of which there are no more: they take 64 to 70 MiB */
    uint64_t sampled_of;   /* probabilities are counted over one extent of so many, */
    uint64_t sampled_from; /* but over so many extents, if there are as many */
    unsigned extents_together;
    /* A worker's memory. NULL: none. */
    void *(*new_memory)(const void *self);
    void (*free_memory)(void *memory);
    /* Reads an extent, the first or second of those that are coded together. */
    kz_status (*read)(void *memory, const kz_source *source, int worker, uint64_t extent, unsigned number,
                      kz_error *error);
    /* Counts what was read. False: the entries of block `wrong` are not such as the rules allow. */
    bool (*count)(const void *self, void *memory, kz_extent blocks, kz_tally *tally, uint64_t *wrong);
    /* Makes probabilities of the counts. False: no memory. */
    bool (*learn)(void *self, const uint32_t *counts);
    /* These as bytes of the model section, in a buffer that the caller frees. NULL: no memory. */
    uint8_t *(*pack)(const void *self, size_t *size);
    size_t (*most_bytes)(const void *self); /* that a coded block can take */
    /* Codes one or two of the blocks that are left, one after the other into `bytes`, and returns how many. A size of
     * 0: the entries are not such as the rules allow. */
    unsigned (*encode)(const void *self, void *memory, kz_extent blocks, uint8_t *bytes, size_t sizes[2]);
} kz_encoder;

/* Writes a table of the entries that `source` has, extent by extent as its kind's kz_shape says. All
 * extents are read once, and some of them twice: first those that probabilities are counted over, then all in order,
 * from several threads. The bytes don't depend on the number of threads. Nothing is left behind if a read or a write
 * fails. The histogram counts the positions that exist, by value. */
kz_status kz_table_write(const kz_game *game, int rules, const kz_source *source, const kz_histogram *histogram,
                         kz_pool *pool, const char *path, bool replace, const kz_progress *progress,
                         uint64_t *file_bytes, kz_error *error);

#endif
