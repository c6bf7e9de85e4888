/* SPDX-License-Identifier: MIT
 *
 * What solving a game that is defined (kanzen/define.h) will take, from a sample of its positions. */
#ifndef KANZEN_ESTIMATE_H
#define KANZEN_ESTIMATE_H

#include <kanzen/load.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kz_estimate_options {
    uint64_t samples; /* numbers of the index to look at; 0: 40,000 */
    uint64_t seed;
    int threads; /* that would solve it; 0: one for each processor */
} kz_estimate_options;

typedef struct kz_estimate_report {
    uint64_t numbers;   /* the size of the index */
    uint64_t positions; /* about so many of them are positions; the others are holes, or images of positions */
    int tiers;
    uint64_t largest_tier; /* numbers in it */
    double moves;          /* of a position that is not finished, on average */
    double predecessors;   /* the same; 0 if the game lists none */
    uint64_t memory_bytes; /* at the peak */
    uint64_t work_bytes;   /* of the folder with the finished tiers */
    uint64_t table_bytes;  /* roughly */
    double seconds;        /* roughly, with so many threads on this machine */
    int threads;
    uint64_t samples; /* that were looked at */
} kz_estimate_report;

/* Takes a second or so. A game that is solved phase by phase is not sampled (`samples` is 0 in the report). One with
 * other kernels is estimated as it is solved without them (kz_solve_options.plain), which takes longer and more.
 * KZ_ERR_UNSUPPORTED if the game has no definition. */
kz_status kz_estimate(const kz_game *game, int rules, const kz_estimate_options *options, kz_estimate_report *report,
                      kz_error *error);

#ifdef __cplusplus
}
#endif
#endif
