/* SPDX-License-Identifier: MIT
 *
 * The kind of table that any game with a definition can have (version 3), for those who look at its codes or
 * write one. */
#ifndef KZ_TABLE_ANY_KIND_H
#define KZ_TABLE_ANY_KIND_H

#include "table/any_coder.h"
#include "table/reader.h"

enum { KZ_ANY_FEW_MOVES = 256 }; /* a table of losses only is for games with at most so many moves */

/* What the entries of the table mean, numbers of the model's list of values; NULL: it is of another kind. */
const kz_any_model *kz_table_any(const kz_table *table);

/* What a table is made of. */
typedef struct kz_any_source {
    const char *game;
    const char *rules;
    uint64_t entries;     /* of the index */
    uint32_t fingerprint; /* of the rules */
    /* The value with an index; from several threads at once. */
    void *context;
    kz_code (*value)(const void *context, uint64_t index);
    /* How often each value occurs: histogram[code], for codes below `limit`. */
    const uint64_t *histogram;
    kz_code limit;
    /* Store losses only: then a probe looks at the moves of positions that are not lost. */
    bool losses_only;
    const uint64_t *strides; /* hints, up to 8; 0: no more */
} kz_any_source;

/* The bytes don't depend on the number of threads. Nothing is left behind if a write fails. */
kz_status kz_any_table_write(const kz_any_source *source, kz_pool *pool, const char *path, bool replace,
                             const kz_progress *progress, uint64_t *file_bytes, kz_error *error);

/* `limit`: bytes that values in memory may take if the work takes fewer; kz_table_verify takes half of what is free. */
kz_status kz_any_verify_within(const kz_table *table, int threads, uint64_t limit, const kz_progress *progress,
                               kz_verify_report *report, kz_error *error);

/* For the kind: table/any_verify.c, table/any_collect.c. */
kz_status kz_any_verify(const kz_table *table, int threads, const kz_progress *progress, kz_verify_report *report,
                        kz_error *error);
kz_status kz_any_longest(const kz_table *table, size_t most, int threads, const kz_progress *progress, kz_found *found,
                         size_t *count, kz_error *error);
kz_status kz_any_puzzles(const kz_table *table, const kz_puzzle_wish *wish, const kz_progress *progress,
                         kz_puzzle **puzzles, size_t *count, kz_error *error);

#endif
