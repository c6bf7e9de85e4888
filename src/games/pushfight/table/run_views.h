/* SPDX-License-Identifier: MIT
 *
 * Tables of all values: what the neighbourhoods of places look like to the coder, many places at once.
 *
 * A candidate is a value that some neighbour has; wins at once and what is not known are none. Its weight is the sum of
 * the weights of the neighbours that have it. Candidates are in order of their weight, the heaviest first; of two with
 * the same weight, the one whose first neighbour comes first in the list.
 *
 * The plain twin is kz_run_look in run_coder.c, which looks at one place. */
#ifndef KZ_TABLE_RUN_VIEWS_H
#define KZ_TABLE_RUN_VIEWS_H

#include "games/pushfight/table/run_model.h"

enum {
    KZ_VIEWS = 32,     /* places at once */
    KZ_NO_ENTRY = 255, /* KZ_NO_POSITION; also a value that is not known yet */
    /* Those of the group, then those in other groups. */
    KZ_NEIGHBOURS = KZ_RUN_NEIGHBOURS + KZ_GROUP_NEIGHBOURS
};

/* How much a neighbour's value counts, by its place in the list: tried out on boards that were solved. */
#define KZ_NEIGHBOUR_WEIGHTS 12, 12, 23, 9, 7, 6, 7, 21, 9, 9, 8, 8, 11, 11

/* The values of all neighbours. */
typedef struct kz_run_near {
    _Alignas(32) uint8_t values[KZ_NEIGHBOURS][KZ_VIEWS];
} kz_run_near;

typedef struct kz_run_views {
    /* One more than is asked about, to know whether there is one more. KZ_NO_ENTRY: there is none. */
    _Alignas(32) uint8_t candidates[KZ_CANDIDATES + 1][KZ_VIEWS];
    uint8_t at[KZ_CANDIDATES][KZ_VIEWS]; /* which of the nearest neighbours have it, a bit for each */
    uint8_t won[KZ_VIEWS];               /* which of the nearest are won at once */
} kz_run_views;

/* Looks at all KZ_VIEWS places, whatever they hold. */
typedef void kz_run_look_many(const kz_run_near *near, kz_run_views *views);

kz_run_look_many kz_run_views_plain; /* for any processor */
kz_run_look_many kz_run_views_avx2;
kz_run_look_many kz_run_views_avx512;

/* The fastest one that the processor can run. */
kz_run_look_many *kz_run_views_choose(void);

#endif
