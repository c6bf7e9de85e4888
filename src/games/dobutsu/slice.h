/* SPDX-License-Identifier: MIT
 *
 * Moves taken back from all positions with the same lions and elephants at once. */
#ifndef KZ_DOBUTSU_SLICE_H
#define KZ_DOBUTSU_SLICE_H

#include "games/dobutsu/unmoves.h"

/* A move of the lion or an elephant taken back: where that leads without a capture, and where it leads if an elephant
 * was captured and is given back. */
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

/* What blocks with the same lions and elephants have in common: all that does not depend on the giraffes. Such blocks
 * follow each other, so this is worked out once for some 150 of them. All seen by the side that moved. */
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

/* The group that a block of the solved zone belongs to. */
void kz_dobutsu_slice_of(const kz_dobutsu_space *space, const kz_dobutsu_unmoves *unmoves, const kz_dobutsu_run *block,
                         kz_dobutsu_slice *group);

#endif
