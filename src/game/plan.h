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
    /* A single probe decodes a block or a few, so small blocks make it fast; but each has 6 bytes of the index and a
     * state of its own, and its first positions have few neighbours. */
    KZ_BLOCK_POSITIONS = 2816, /* of tables that are made now */
    KZ_BLOCK_LEAST = 256,      /* of those that can be read */
    KZ_BLOCK_MOST = 4096,      /* likewise; the first tables had this many */
    KZ_PLAN_CLASSES = 16,      /* classes that the rules sort positions into: 0 to 15 */
    KZ_PLAN_SKIP = 255,        /* no value is stored: the rules alone tell it */
    KZ_PLAN_NEIGHBOURS = 3
};

typedef struct kz_plan {
    uint8_t feature[KZ_BLOCK_MOST]; /* a class, or KZ_PLAN_SKIP */
    /* 1 + the offset in the block of an earlier position that resembles this one; 0: there is none. */
    uint16_t near[KZ_PLAN_NEIGHBOURS][KZ_BLOCK_MOST];
} kz_plan;

/* ---- For tables of all values (games/pushfight/table/run_model.h)
 * ------------------------------------------------------------------
 *
 * Entries come in runs of equal length, and runs in groups. The rules decide about a whole run whether its positions
 * exist and whether they are won at once; only the other runs, the open ones, have values that need to be stored. */

enum { KZ_GROUP_RUNS = 64 }; /* at most */

/* What the rules tell about a group: a bit for each run. And earlier groups of the block that resemble it, entry by
 * entry: how many groups before this one they are; 0: there is none. */
enum { KZ_GROUP_NEIGHBOURS = 2 };

typedef struct kz_group_plan {
    uint64_t exists;
    uint64_t won; /* of those that exist */
    uint16_t back[KZ_GROUP_NEIGHBOURS];
} kz_group_plan;

/* Which earlier entries of its group resemble an entry is the same in all groups. They are listed, the most similar
 * ones first; how much each counts depends on where it is in the list (games/pushfight/table/run_coder.c). */
enum { KZ_RUN_NEIGHBOURS = 12, KZ_RUN_NEAREST = 7, KZ_ENTRY_KINDS = 60 };

typedef struct kz_entry_plan {
    uint16_t back[KZ_RUN_NEIGHBOURS]; /* how many entries before this one the neighbour is; 0: there is none */
    uint8_t kind;                     /* entries of one kind have neighbours of the same meaning */
} kz_entry_plan;

#endif
