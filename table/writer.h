/* SPDX-License-Identifier: MIT
 *
 * Writing a table from a finished solver. */
#ifndef KZ_TABLE_WRITER_H
#define KZ_TABLE_WRITER_H

#include "base/gamedef.h"

/* The number of positions by value. */
typedef struct kz_histogram {
    uint64_t losses[KZ_MAX_DISTANCE + 1];
    uint64_t wins[KZ_MAX_DISTANCE + 1];
    uint64_t draws;
} kz_histogram;

/* Writes the losses that `solver` (of game->solver) holds. The bytes don't depend on the number of threads. */
kz_status kz_table_write(const kz_game *game, int rules, const void *solver, const kz_histogram *histogram,
                         kz_pool *pool, const char *path, bool replace, const kz_progress *progress,
                         uint64_t *file_bytes, kz_error *error);

#endif
