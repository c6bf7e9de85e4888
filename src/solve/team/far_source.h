/* SPDX-License-Identifier: MIT
 *
 * The entries of a finished solver whose shards are kept by several members of a team (solve/retrograde.h). Member 0
 * reads them for the table; the others answer its questions. */
#ifndef KZ_SOLVE_FAR_SOURCE_H
#define KZ_SOLVE_FAR_SOURCE_H

#include "game/gamedef.h"

typedef struct kz_far_source kz_far_source;

/* For member 0. `workers`: that will read. NULL if there is no memory. */
kz_far_source *kz_far_source_new(const kz_game *game, void *solver, int workers, kz_team *team);
void kz_far_source_free(kz_far_source *far);
kz_source kz_far_source_of(kz_far_source *far);

/* For the others: agrees with member 0 that all are ready, and returns when they are dismissed. */
kz_status kz_far_source_serve(const kz_game *game, void *solver, kz_team *team, kz_error *error);

#endif
