/* SPDX-License-Identifier: MIT
 *
 * What a game knows about the positions of a block before their values are read: which ones need no value, what the
 * rules say about the others, and which earlier positions of the block resemble each. The coder of the table turns that
 * into probabilities; it knows nothing of the game, and the game nothing of the coder. */
#ifndef KZ_CORE_PLAN_H
#define KZ_CORE_PLAN_H

#include <stdint.h>

/* ---- For tables of losses (table/model.h) --------------------------------------------------------------------------
 */

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

/* ---- For tables of all values (table/row_model.h) ------------------------------------------------------------------
 *
 * Places come in rows of equal length, and rows in groups. A row exists or not, and is won at once or not, as a whole,
 * which the rules tell; only the others, open rows, have values that need to be stored. */

enum { KZ_GROUP_ROWS = 64 }; /* at most */

/* What the rules tell about a group: a bit for each row. And earlier groups of the block that resemble it, each place
 * the same place: how many groups before this one they are; 0: there is none. */
enum { KZ_GROUP_NEIGHBOURS = 2 };

typedef struct kz_group_plan {
    uint64_t exists;
    uint64_t won; /* of those that exist */
    uint16_t back[KZ_GROUP_NEIGHBOURS];
} kz_group_plan;

/* Which earlier places of its group resemble a place is the same in all groups. They are put in a list; the first ones
 * tell the most, and how much each counts is settled by its place in the list (table/row_coder.c). */
enum { KZ_ROW_NEIGHBOURS = 12, KZ_ROW_NEAREST = 7, KZ_PLACE_KINDS = 60 };

typedef struct kz_place_plan {
    uint16_t back[KZ_ROW_NEIGHBOURS]; /* how far before this place the neighbour is; 0: there is none */
    uint8_t kind;                     /* places of one kind have neighbours of the same meaning */
} kz_place_plan;

#endif
