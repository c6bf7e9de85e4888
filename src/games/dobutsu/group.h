/* SPDX-License-Identifier: MIT
 *
 * Moves taken back from all positions with the same lions and elephants at once. */
#ifndef KZ_DOBUTSU_GROUP_H
#define KZ_DOBUTSU_GROUP_H

#include "games/dobutsu/unmoves.h"

/* A move of the lion or an elephant taken back: where that leads without a capture, and where it leads if an elephant
 * was captured and is given back. */
typedef struct kz_group_step {
    kz_anchor quiet;
    kz_anchor took_elephant;
    bool may_take_elephant;
    uint8_t from; /* must be free; KZ_FROM_HAND: a drop */
    uint8_t to;
} kz_group_step;

enum {
    KZ_GROUP_STEPS = 8 + KZ_MAX_UNMOVES,
    KZ_GROUP_POSITIONS = 121149 /* at most: both elephants in hand */
};

/* What blocks with the same lions and elephants have in common: all that does not depend on the giraffes. Such blocks
 * follow each other, so this is worked out once for some 150 of them. All seen by the side that moved. */
typedef struct kz_group {
    int own_lion;
    int enemy_lion;
    unsigned elephants;
    unsigned taken; /* by lions and elephants */
    kz_anchor home;
    unsigned elephant_given_back;                /* squares where a captured elephant may be given back */
    kz_anchor took_elephant[KZ_DOBUTSU_SQUARES]; /* the lions at home, that elephant on the square */
    unsigned count;
    kz_group_step steps[KZ_GROUP_STEPS];
} kz_group;

/* The group that a block of the solved zone belongs to. */
void kz_group_of(const kz_space *space, const kz_unmoves *unmoves, const kz_block *block, kz_group *group);

#endif
