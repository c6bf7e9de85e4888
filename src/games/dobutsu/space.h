/* SPDX-License-Identifier: MIT
 *
 * The index of index.h in tables, for loops that visit every position.
 *
 * A block is what all positions share that differ in the chicks only: the lions, the elephants, the giraffes. Its
 * positions are neighbours in the index, 291 to 803 of them. The rank of a position is where its elephants begin
 * (looked up; kz_dobutsu_slice_base), plus where its giraffes begin (worked out; kz_dobutsu_run_base), plus the rank of
 * its chicks (looked up). Where mirror images are folded (central lions, symmetric elephants), the rows of the tables
 * give mirror images the same rank, so nothing has to be decided. */
#ifndef KZ_DOBUTSU_SPACE_H
#define KZ_DOBUTSU_SPACE_H

#include "games/dobutsu/index.h"

enum { KZ_DOBUTSU_NO_STATE = 0xFFFF, KZ_DOBUTSU_OCTETS = (KZ_DOBUTSU_CHICK_STATES + 7) / 8 };
#define KZ_DOBUTSU_NO_BASE UINT32_MAX

/* What a pair's state means for the squares, as bit sets. */
typedef struct kz_dobutsu_footprint {
    uint16_t own;           /* squares that own pieces stand on */
    uint16_t enemy;         /* squares that enemy pieces stand on */
    uint16_t own_attacks;   /* squares that own pieces attack */
    uint16_t enemy_attacks; /* squares that enemy pieces attack */
} kz_dobutsu_footprint;

/* Elephants or giraffes ready to be ranked among those that fit around taken squares. With r(x) the rank of square x
 * among the free ones, (triangle[r(second)] + r(first)) * 4 + marks counts the states before it that have as many
 * pieces on the board. */
typedef struct kz_dobutsu_placement {
    uint8_t first;     /* 4 times the lower square; KZ_DOBUTSU_NOWHERE, which has rank 0, if there is none */
    uint8_t second;    /* 4 times the higher square, or KZ_DOBUTSU_NOWHERE */
    uint8_t off_board; /* how many of the two are in hand */
    uint8_t marks;
    uint16_t mask; /* the squares that it takes */
} kz_dobutsu_placement;

enum { KZ_DOBUTSU_NOWHERE = 4 * KZ_DOBUTSU_SQUARES };

/* Where the giraffes' states with 0, 1 and 2 pieces in hand begin, and how many positions follow each. */
typedef struct kz_dobutsu_giraffe_layout {
    uint32_t begin[3];
    uint32_t weight[3];
} kz_dobutsu_giraffe_layout;

typedef struct kz_dobutsu_run {
    uint32_t base; /* index of its first position */
    uint16_t elephants;
    uint16_t giraffes;
    uint16_t size;
    uint8_t lion_class;
    uint8_t folded; /* mirror images among the chicks are folded, too */
} kz_dobutsu_run;

/* Where the positions with certain lions and elephants are. */
typedef struct kz_dobutsu_slice_base {
    uint32_t base;
    uint16_t taken;
    bool mirrored; /* giraffes and chicks must be mirrored before they are looked up */
    bool folded;   /* everything is symmetric so far: the giraffes, or else the chicks, decide about that */
    const kz_dobutsu_giraffe_layout *layout; /* of the giraffes */
} kz_dobutsu_slice_base;

/* Where a block's positions are: add kz_dobutsu_chick_rank to base. */
typedef struct kz_dobutsu_run_base {
    uint32_t base;
    bool mirrored; /* the chicks must be mirrored before they are looked up */
    bool folded;
    const uint16_t *ranks; /* the block's row: of octets, or if folded of chick_rank */
} kz_dobutsu_run_base;

typedef struct kz_dobutsu_space {
    kz_dobutsu_footprint elephant[KZ_DOBUTSU_PLAIN_STATES];
    kz_dobutsu_footprint giraffe[KZ_DOBUTSU_PLAIN_STATES];
    kz_dobutsu_footprint chick[KZ_DOBUTSU_CHICK_STATES];
    kz_dobutsu_placement plain_slot[KZ_DOBUTSU_PLAIN_STATES];
    uint64_t ranks[1 << KZ_DOBUTSU_SQUARES]; /* by taken squares: the rank of each free square, four bits each */
    kz_dobutsu_giraffe_layout layout[KZ_DOBUTSU_SQUARES + 1]; /* of the giraffes, by free squares */
    uint8_t triangle[16];                                     /* n (n - 1) / 2 */
    uint16_t plain_flip[KZ_DOBUTSU_PLAIN_STATES];
    uint16_t plain_mirror[KZ_DOBUTSU_PLAIN_STATES];
    uint16_t chick_flip[KZ_DOBUTSU_CHICK_STATES];
    uint16_t chick_mirror[KZ_DOBUTSU_CHICK_STATES];

    uint8_t lion_class[KZ_DOBUTSU_SQUARES][KZ_DOBUTSU_SQUARES]; /* 255: the same square */
    uint8_t lion_mirror[KZ_DOBUTSU_SQUARES][KZ_DOBUTSU_SQUARES];
    uint8_t own_lion[KZ_DOBUTSU_LION_CLASSES];
    uint8_t enemy_lion[KZ_DOBUTSU_LION_CLASSES];
    uint16_t lions[KZ_DOBUTSU_LION_CLASSES]; /* both squares as a set */

    uint32_t elephant_base[KZ_DOBUTSU_LION_CLASSES][KZ_DOBUTSU_PLAIN_STATES];
    uint16_t row_of_mask[2][1 << KZ_DOBUTSU_SQUARES]; /* [folded]; KZ_DOBUTSU_NO_STATE: no such row */
    uint32_t (*giraffe_offset)[KZ_DOBUTSU_PLAIN_STATES];
    /* The ranks of the chicks' states. Eight states that follow each other from a multiple of eight on stand on the
     * same squares, so the rank of the first of them tells the others; a table that small stays in the cache. Only
     * where mirror images are folded every state has a rank of its own. KZ_DOBUTSU_NO_STATE: on taken squares. */
    uint16_t (*octets)[KZ_DOBUTSU_OCTETS];
    uint16_t (*chick_rank)[KZ_DOBUTSU_CHICK_STATES]; /* folded rows: counted from plain_rows on */
    unsigned plain_rows;
    uint16_t (*chick_state)[KZ_DOBUTSU_CHICK_STATES]; /* of all rows: the states in the order of their ranks */
    uint16_t *chick_states;                           /* how many each row has */

    kz_dobutsu_run *blocks; /* of all zones, in index order */
    uint32_t block_count;
    uint32_t
        *groups; /* the first block of each group: blocks with the same lions and elephants; and the end of the last */
    uint32_t solved_groups;
    uint32_t solved_blocks;  /* those of the solved zone come first */
    uint32_t decided_blocks; /* then those of the decided one */
} kz_dobutsu_space;

/* A position as lions and states. */
typedef struct kz_dobutsu_states {
    int own_lion;
    int enemy_lion;
    unsigned elephants;
    unsigned giraffes;
    unsigned chicks;
} kz_dobutsu_states;

/* NULL if there is no memory. */
kz_dobutsu_space *kz_dobutsu_space_new(void);
void kz_dobutsu_space_free(kz_dobutsu_space *space);

/* Finds the anchor of lions and elephants; false if they don't fit on the board together. */
static inline bool kz_dobutsu_slice_base_of(const kz_dobutsu_space *space, int own_lion, int enemy_lion,
                                            unsigned elephants, kz_dobutsu_slice_base *anchor) {
    unsigned lion_class = space->lion_class[own_lion][enemy_lion];
    unsigned image = space->plain_mirror[elephants];
    bool central = kz_dobutsu_lions_central(own_lion, enemy_lion);
    anchor->mirrored = space->lion_mirror[own_lion][enemy_lion] || (central && image < elephants);
    anchor->folded = central && image == elephants;
    if (anchor->mirrored) {
        elephants = image;
    }
    const kz_dobutsu_placement *slot = &space->plain_slot[elephants];
    anchor->base = space->elephant_base[lion_class][elephants];
    anchor->taken = space->lions[lion_class] | slot->mask;
    anchor->layout = &space->layout[KZ_DOBUTSU_SQUARES - 4 + slot->off_board];
    return anchor->base != KZ_DOBUTSU_NO_BASE;
}

/* The block of an anchor with these giraffes; false if they don't fit. */
static inline bool kz_dobutsu_run_base_in(const kz_dobutsu_space *space, const kz_dobutsu_slice_base *anchor,
                                          unsigned giraffes, kz_dobutsu_run_base *target) {
    unsigned image = space->plain_mirror[giraffes];
    target->mirrored = anchor->mirrored || (anchor->folded && image < giraffes);
    if (target->mirrored) {
        giraffes = image;
    }
    const kz_dobutsu_placement *slot = &space->plain_slot[giraffes];
    if (anchor->taken & slot->mask) {
        return false;
    }
    unsigned taken = anchor->taken | slot->mask;
    bool folded = anchor->folded && space->plain_mirror[giraffes] == giraffes;
    if (anchor->folded) {
        target->base = anchor->base + space->giraffe_offset[space->row_of_mask[1][anchor->taken]][giraffes];
    } else {
        uint64_t ranks = space->ranks[anchor->taken];
        uint32_t before =
            ((space->triangle[ranks >> slot->second & 15] + (uint32_t)(ranks >> slot->first & 15)) << 2) + slot->marks;
        target->base =
            anchor->base + anchor->layout->begin[slot->off_board] + before * anchor->layout->weight[slot->off_board];
    }
    unsigned row = space->row_of_mask[folded][taken];
    target->folded = folded;
    target->ranks = folded ? space->chick_rank[row - space->plain_rows] : space->octets[row];
    return true;
}

/* The rank of the chicks among those of the target's block; KZ_DOBUTSU_NO_STATE if they stand on taken squares. */
static inline unsigned kz_dobutsu_chick_rank(const kz_dobutsu_run_base *target, unsigned chicks) {
    if (target->folded) {
        return target->ranks[chicks];
    }
    unsigned first = target->ranks[chicks / 8];
    return first == KZ_DOBUTSU_NO_STATE ? (unsigned)KZ_DOBUTSU_NO_STATE : first + chicks % 8;
}

/* The block that holds these lions and pairs, or false if they don't fit on the board together. */
static inline bool kz_dobutsu_run_base_of(const kz_dobutsu_space *space, int own_lion, int enemy_lion,
                                          unsigned elephants, unsigned giraffes, kz_dobutsu_run_base *target) {
    kz_dobutsu_slice_base anchor;
    return kz_dobutsu_slice_base_of(space, own_lion, enemy_lion, elephants, &anchor) &&
           kz_dobutsu_run_base_in(space, &anchor, giraffes, target);
}

/* The row of chick states of a block. */
static inline unsigned kz_dobutsu_run_chicks(const kz_dobutsu_space *space, const kz_dobutsu_run *block) {
    const kz_dobutsu_footprint *e = &space->elephant[block->elephants];
    const kz_dobutsu_footprint *g = &space->giraffe[block->giraffes];
    unsigned taken = 1U << space->own_lion[block->lion_class] | 1U << space->enemy_lion[block->lion_class];
    taken |= (unsigned)e->own | e->enemy | g->own | g->enemy;
    return space->row_of_mask[block->folded][taken];
}

/* Far-row squares that the mover's lion can step onto and stay, as far as all but the chicks are concerned. */
unsigned kz_dobutsu_safe_tries(const kz_dobutsu_space *space, const kz_dobutsu_run *block);

/* The block (of any zone) that holds an index. */
const kz_dobutsu_run *kz_dobutsu_run_of(const kz_dobutsu_space *space, uint64_t index);

/* Both lions must be on the board. */
void kz_dobutsu_states_of(const kz_dobutsu *position, kz_dobutsu_states *states);
/* The index of a position; UINT64_MAX if pieces stand on each other. */
uint64_t kz_dobutsu_space_rank(const kz_dobutsu_space *space, const kz_dobutsu_states *states);

/* The fast twins of the calls in index.h. */
bool kz_dobutsu_space_rank_all(const kz_dobutsu_space *space, const kz_dobutsu *position, uint64_t *index);
void kz_dobutsu_space_unrank(const kz_dobutsu_space *space, uint64_t index, kz_dobutsu *position);

#endif
