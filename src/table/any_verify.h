/* SPDX-License-Identifier: MIT
 *
 * Whether a table of any game is right. The code shares nothing with the solver but the game's own rules: it goes
 * forwards only, and asks the game's second implementation of its rules as well, if there is one. */
#ifndef KZ_TABLE_ANY_VERIFY_H
#define KZ_TABLE_ANY_VERIFY_H

#include <kanzen/table.h>

/* As kz_table_verify. */
kz_status kz_any_verify(const kz_table *table, int threads, const kz_progress *progress, kz_verify_report *report,
                        kz_error *error);
/* `limit`: bytes that values in memory may take if the work takes fewer; the other one takes half of what is free. */
kz_status kz_any_verify_within(const kz_table *table, int threads, uint64_t limit, const kz_progress *progress,
                               kz_verify_report *report, kz_error *error);

#endif
