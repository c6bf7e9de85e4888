/* SPDX-License-Identifier: MIT
 *
 * What the records of a shogi file are like, as text, JSON or a diagram. */
#ifndef CLI_SHOGI_STATS_H
#define CLI_SHOGI_STATS_H

#include <kanzen/shogi_files.h>

typedef struct shogi_stats {
    const char *name; /* of the file */
    kz_shogi_record record;
    kz_shogi_file_stats counts;
} shogi_stats;

void print_shogi_stats(const shogi_stats *stats, bool as_json);
kz_status write_shogi_stats_svg(const shogi_stats *stats, const char *path, kz_error *error);

#endif
