/* SPDX-License-Identifier: MIT
 *
 * A game's solution in files that other programs read. What only one game has is in the header of the game. */
#ifndef KANZEN_EXPORT_H
#define KANZEN_EXPORT_H

#include <kanzen/table.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kz_export_options {
    int threads;    /* 0: all processors */
    bool replace;   /* whether a file that is already there may be replaced */
    uint64_t count; /* stop after that many lines; 0: all of them */
    int descriptor; /* where lines go if the path is NULL; a SQLite file has to have one */
    const kz_progress *progress;
} kz_export_options;

/* Comma-separated values of any table: position, value, distance and best move, by index, after a line
 * with these names. With `sample`, that many positions (KZ_SAMPLE_MOST at most; all if there are not more), each
 * with the same chance; the same seed takes the same ones. */
enum { KZ_SAMPLE_MOST = 10000000 };
kz_status kz_export_csv(const kz_table *table, const char *path, uint64_t sample, uint64_t seed,
                        const kz_export_options *options, uint64_t *written, kz_error *error);

#ifdef __cplusplus
}
#endif
#endif
