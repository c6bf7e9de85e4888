/* SPDX-License-Identifier: MIT
 *
 * Positions worth showing, found by going over a whole table: the longest wins, and puzzles. */
#ifndef KANZEN_COLLECT_H
#define KANZEN_COLLECT_H

#include <kanzen/table.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kz_found {
    kz_position position;
    kz_value value;
} kz_found;

enum { KZ_COLLECT_MOST = 10000 };

/* The won positions that take longest, longest first, equally long ones in the order of the index: `most` of them
 * (KZ_COLLECT_MOST at most), fewer if the table has fewer. Where millions are equally long, any of them. `found` has
 * room for `most`. `threads` 0: all processors. */
kz_status kz_collect_longest(const kz_table *table, size_t most, int threads, const kz_progress *progress,
                             kz_found *found, size_t *count, kz_error *error);

/* A won position in which just one of several legal moves wins. */
typedef struct kz_puzzle {
    kz_position position;
    kz_value value;
    kz_move move;
} kz_puzzle;

/* What puzzles are wanted. */
typedef struct kz_puzzle_wish {
    unsigned per_length; /* as many of each distance, if there are; 1 to 200 */
    uint64_t seed;       /* other puzzles for another seed, the same ones for the same seed on any number of threads */
    int threads;         /* 0: all processors */
} kz_puzzle_wish;

/* Puzzles of every distance, the shortest first, in a list that the caller frees with free(). */
kz_status kz_collect_puzzles(const kz_table *table, const kz_puzzle_wish *wish, const kz_progress *progress,
                             kz_puzzle **puzzles, size_t *count, kz_error *error);

#ifdef __cplusplus
}
#endif
#endif
