/* SPDX-License-Identifier: MIT
 *
 * The longest wins of tables. To find them takes seconds, because every position is looked at; they are found once,
 * when somebody asks, and kept. */
#ifndef KZ_API_LONGEST_H
#define KZ_API_LONGEST_H

#include <kanzen/collect.h>

enum { KZ_LONGEST_MOST = 100 };

typedef struct kz_longest kz_longest;

/* NULL: no memory. */
kz_longest *kz_longest_new(void);
void kz_longest_free(kz_longest *longest);

/* Forgets what was found in a table that is not used any more. */
void kz_longest_forget(kz_longest *longest, const kz_table *table);

/* Up to KZ_LONGEST_MOST positions, longest first. Several threads may ask; one of them works, the others wait. */
kz_status kz_longest_of(kz_longest *longest, const kz_table *table, kz_found found[KZ_LONGEST_MOST], size_t *count,
                        kz_error *error);

#endif
