/* SPDX-License-Identifier: MIT
 *
 * Writing a table. */
#ifndef KZ_TABLE_WRITER_H
#define KZ_TABLE_WRITER_H

#include "game/gamedef.h"

/* Writes a table of the numbers that `source` has (game/gamedef.h), extent by extent as the game's kz_shape says. All
 * extents are read once, and some of them twice: first those that probabilities are counted over, then all in order,
 * from several threads. The bytes don't depend on the number of threads. Nothing is left behind if a read or a write
 * fails. The histogram counts the positions that exist, by value. */
kz_status kz_table_write(const kz_game *game, int rules, const kz_source *source, const kz_histogram *histogram,
                         kz_pool *pool, const char *path, bool replace, const kz_progress *progress,
                         uint64_t *file_bytes, kz_error *error);

#endif
