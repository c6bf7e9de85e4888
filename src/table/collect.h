/* SPDX-License-Identifier: MIT
 *
 * kanzen/collect.h for kinds whose entries are bytes, as a table of all values or one of losses has them. */
#ifndef KZ_TABLE_COLLECT_H
#define KZ_TABLE_COLLECT_H

#include <kanzen/collect.h>

kz_status kz_collect_longest_entries(const kz_table *table, size_t most, int threads, const kz_progress *progress,
                                     kz_found *found, size_t *count, kz_error *error);
kz_status kz_collect_puzzle_entries(const kz_table *table, const kz_puzzle_wish *wish, const kz_progress *progress,
                                    kz_puzzle **puzzles, size_t *count, kz_error *error);

#endif
