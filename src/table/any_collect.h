/* SPDX-License-Identifier: MIT
 *
 * Positions worth showing, in tables of any game (version 3): kanzen/collect.h promises the same for all tables. */
#ifndef KZ_TABLE_ANY_COLLECT_H
#define KZ_TABLE_ANY_COLLECT_H

#include <kanzen/collect.h>

kz_status kz_any_longest(const kz_table *table, size_t most, int threads, const kz_progress *progress, kz_found *found,
                         size_t *count, kz_error *error);
kz_status kz_any_puzzles(const kz_table *table, const kz_puzzle_wish *wish, const kz_progress *progress,
                         kz_puzzle **puzzles, size_t *count, kz_error *error);

#endif
