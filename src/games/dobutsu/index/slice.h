/* SPDX-License-Identifier: MIT
 *
 * What the positions of a slice (space.h) have in common when moves are taken back from them: all that depends on the
 * lions and the elephants only. It is worked out once for some 150 runs. Everything is seen by the side that moved. */
#ifndef KZ_DOBUTSU_SLICE_H
#define KZ_DOBUTSU_SLICE_H

#include "games/dobutsu/rules/unmoves.h"

/* A move of the lion or an elephant, taken back: the slice that it leads to without a capture, and the one if an
 * elephant was captured and is given back. */
typedef struct kz_dobutsu_slice_step {
    kz_dobutsu_slice_base quiet;
    kz_dobutsu_slice_base took_elephant;
    bool may_take_elephant;
    uint8_t from; /* must be free; KZ_DOBUTSU_FROM_HAND: a drop */
    uint8_t to;
} kz_dobutsu_slice_step;

enum {
    KZ_DOBUTSU_SLICE_STEPS = 8 + KZ_DOBUTSU_MAX_UNMOVES,
    KZ_DOBUTSU_SLICE_POSITIONS = 121149 /* at most: both elephants in hand */
};

typedef struct kz_dobutsu_slice {
    int own_lion;
    int enemy_lion;
    unsigned elephants;
    unsigned taken; /* by lions and elephants */
    kz_dobutsu_slice_base home;
    unsigned elephant_given_back;                            /* squares where a captured elephant may be given back */
    kz_dobutsu_slice_base took_elephant[KZ_DOBUTSU_SQUARES]; /* the lions at home, that elephant on the square */
    unsigned count;
    kz_dobutsu_slice_step steps[KZ_DOBUTSU_SLICE_STEPS];
} kz_dobutsu_slice;

/* The slice that a run of the solved zone belongs to. */
void kz_dobutsu_slice_of(const kz_dobutsu_space *space, const kz_dobutsu_unmoves *unmoves, const kz_dobutsu_run *run,
                         kz_dobutsu_slice *slice);

#endif
