/* SPDX-License-Identifier: MIT
 *
 * The entries of positions that are kept by several members of a team, in equal parts (kz_team_part) of segments.
 * Member 0 reads them for the table; the others answer its questions. */
#ifndef KZ_SOLVE_FAR_SOURCE_H
#define KZ_SOLVE_FAR_SOURCE_H

#include "table/writer.h"

typedef struct kz_far_shard {
    kz_team *team;
    kz_source own; /* reads what this member has */
    uint64_t positions;
    uint64_t extent;  /* positions that are read together */
    uint64_t segment; /* positions: a whole number of extents */
} kz_far_shard;

typedef struct kz_far_source kz_far_source;

/* For member 0. `workers`: that will read. NULL if there is no memory. */
kz_far_source *kz_far_source_new(const kz_far_shard *shard, int workers);
void kz_far_source_free(kz_far_source *far);
kz_source kz_far_source_of(kz_far_source *far);

/* For the others: agrees with member 0 that all are ready, and returns when they are dismissed. */
kz_status kz_far_source_serve(const kz_far_shard *shard, kz_error *error);

#endif
