/* SPDX-License-Identifier: MIT
 *
 * Going over all that a table stores, and listing some of it: everything with certain numbers, or a random part. */
#ifndef KZ_TABLE_SCAN_H
#define KZ_TABLE_SCAN_H

#include "game/gamedef.h"

#include <kanzen/collect.h>

/* A place of the index that a scan has found. */
typedef struct kz_scan_entry {
    uint64_t index;
    uint64_t order; /* the index, scrambled: equal numbers come in this order, which is as good as random */
    uint8_t number; /* what the table stores */
} kz_scan_entry;

/* Which places a scan takes: of those with number n the part parts[n] / 2^64; all if it is UINT64_MAX. Another seed
 * takes other ones. */
typedef struct kz_scan {
    uint64_t parts[256];
    uint64_t seed;
    const char *stage; /* what the progress calls it */
} kz_scan;

/* The part that takes at least `wanted` of `count` places, most likely: four times as many on average. */
uint64_t kz_scan_part(uint64_t wanted, uint64_t count);

/* All places that the scan takes, by number, then by order; a list that the caller frees. */
kz_status kz_table_scan(const kz_table *table, const kz_scan *scan, kz_pool *pool, const kz_progress *progress,
                        kz_scan_entry **places, size_t *count, kz_error *error);

/* How many positions are won and lost in how many plies, as the header says. */
void kz_table_histogram(const kz_table *table, kz_histogram *histogram);

/* kanzen/collect.h for kinds whose entries are bytes, as a table of all values or one of losses has them. */
kz_status kz_collect_longest_entries(const kz_table *table, size_t most, int threads, const kz_progress *progress,
                                     kz_found *found, size_t *count, kz_error *error);
kz_status kz_collect_puzzle_entries(const kz_table *table, const kz_puzzle_wish *wish, const kz_progress *progress,
                                    kz_puzzle **puzzles, size_t *count, kz_error *error);

#endif
