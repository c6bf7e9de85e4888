/* SPDX-License-Identifier: MIT */
#include <kanzen/solve.h>

#include "base/error.h"
#include "solve/retrograde.h"

kz_status kz_count_positions(const kz_game *game, int threads, const kz_progress *progress, kz_count *counts,
                             size_t room, size_t *found, kz_error *error) {
    *found = 0;
    if (!game->count_positions) {
        return kz_fail(error, KZ_ERR_UNSUPPORTED, "there are no position sets to count for %s", game->name);
    }
    kz_error reason;
    kz_pool *pool = kz_pool_new(threads, &reason);
    if (!pool) {
        return kz_fail(error, reason.status, "%s", reason.message);
    }
    void *solver = NULL;
    kz_status status = game->count_needs_solver ? kz_retrograde(game, 0, pool, progress, &solver, error) : KZ_OK;
    if (status == KZ_OK) {
        status = game->count_positions(solver, pool, progress, counts, room, found, error);
    }
    if (solver) {
        game->solver->close(solver);
    }
    kz_pool_free(pool);
    return status;
}
