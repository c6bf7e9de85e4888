/* SPDX-License-Identifier: MIT
 *
 * Which positions go into an excerpt. */
#ifndef KZ_TABLE_EXCERPT_SELECT_H
#define KZ_TABLE_EXCERPT_SELECT_H

#include "base/pool.h"

#include <kanzen/excerpt.h>

/* A position whose moves are in the excerpt. */
typedef struct kz_expansion {
    size_t entries; /* how many entries there were before it */
    int distance;   /* how far away it is */
} kz_expansion;

/* Entries (table/excerpt.h) in the order in which they were found. */
typedef struct kz_selection {
    uint64_t *entries;
    size_t count;
    kz_expansion *expansions;
    size_t expansion_count;
    int next_distance; /* of the nearest position whose moves are not in it; INT_MAX: there is none */
} kz_selection;

/* Selects `most` positions or more, as far as there are so many. Free it in any case. */
kz_status kz_excerpt_select(const kz_table *table, const kz_excerpt_wish *wish, size_t most, kz_pool *pool,
                            const kz_progress *progress, kz_selection *selection, kz_error *error);
void kz_selection_free(kz_selection *selection);

#endif
