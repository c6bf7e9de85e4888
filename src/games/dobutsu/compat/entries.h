/* SPDX-License-Identifier: MIT
 *
 * All that a table of Dobutsu Shogi by the official rules stores, in memory: one entry for each index,
 * 232 MB. 0: not lost; n + 1: lost in n plies, which makes the entry odd. Wins are not stored, but follow. */
#ifndef KZ_DOBUTSU_ENTRIES_H
#define KZ_DOBUTSU_ENTRIES_H

#include "base/pool.h"
#include "games/dobutsu/solve/retro.h"

#include <kanzen/dobutsu.h>
#include <kanzen/dobutsu_files.h>
#include <stdatomic.h>

/* KZ_ERR_UNSUPPORTED if the table is of another game or of other rules. */
kz_status kz_dobutsu_entries_check(const kz_table *table, kz_error *error);

/* Reads them all; the caller frees. Whoever has them may add entries of wins, n + 1 for one in n plies, while others
 * look for losses. */
kz_status kz_dobutsu_entries_read(const kz_table *table, kz_pool *pool, const kz_progress *progress,
                                  _Atomic uint8_t **entries, kz_error *error);

static inline unsigned kz_dobutsu_entry_at(const _Atomic uint8_t *entries, uint64_t index) {
    return atomic_load_explicit(&entries[index], memory_order_relaxed);
}

/* For a position that is not lost and not won in one ply by a rule: n + 1 if it is won in n plies, 0 for a draw. */
unsigned kz_dobutsu_entry_of_win(const kz_table *table, const _Atomic uint8_t *entries, const kz_dobutsu *position);

/* How much the Try rule matters, position by position (try_rule.c): kz_dobutsu_check_try_rule without the solving:
 * `official` and `simplified` are what was found by these rules. */
kz_status kz_dobutsu_compare_try_rules(const kz_dobutsu_retro *official, const kz_dobutsu_retro *simplified,
                                       kz_pool *pool, const kz_progress *progress, kz_dobutsu_try_rule_report *report,
                                       kz_error *error);

#endif
