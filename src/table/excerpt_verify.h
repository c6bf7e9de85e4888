/* SPDX-License-Identifier: MIT */
#ifndef KZ_TABLE_EXCERPT_VERIFY_H
#define KZ_TABLE_EXCERPT_VERIFY_H

#include <kanzen/table.h>

/* kz_table_verify for an excerpt. */
kz_status kz_excerpt_verify(const kz_table *table, int threads, const kz_progress *progress, kz_verify_report *report,
                            kz_error *error);

#endif
