/* SPDX-License-Identifier: MIT
 *
 * What a game knows about the positions of a block before their values are read: which ones need no value, what the
 * rules say about the others, and which earlier positions of the block resemble each. The coder of the table turns that
 * into probabilities (table/model.h); it knows nothing of the game, and the game nothing of the coder. */
#ifndef KZ_BASE_PLAN_H
#define KZ_BASE_PLAN_H

#include <stdint.h>

enum {
    KZ_BLOCK_POSITIONS = 4096, /* decoded in well under 100 us */
    KZ_PLAN_CLASSES = 16,      /* classes that the rules sort positions into: 0 to 15 */
    KZ_PLAN_SKIP = 255,        /* no value is stored: the rules alone tell it */
    KZ_PLAN_NEIGHBOURS = 3
};

typedef struct kz_plan {
    uint8_t feature[KZ_BLOCK_POSITIONS]; /* a class, or KZ_PLAN_SKIP */
    /* 1 + the place in the block of a position that is much the same, and before this one; 0: there is none. */
    uint16_t near[KZ_PLAN_NEIGHBOURS][KZ_BLOCK_POSITIONS];
} kz_plan;

#endif
