/* SPDX-License-Identifier: MIT
 *
 * The index of index.h in tables, for loops that visit every position.
 *
 * A block is what all positions share that differ in the chicks only: the lions, the elephants, the giraffes. Its
 * positions are neighbours in the index, 291 to 803 of them. The rank of a position is where its elephants begin (looked
 * up), plus where its giraffes begin, plus the rank of its chicks; these two follow from the ranks of their squares among
 * the free ones, which one 64-bit word tells for all squares: four bits for each. So hardly any memory is touched.
 * Where mirror images are folded (central lions, symmetric elephants) there is no such formula, and tables take its place:
 * their rows give mirror images the same rank, so nothing has to be decided. */
#ifndef KZ_DOBUTSU_SPACE_H
#define KZ_DOBUTSU_SPACE_H

#include "dobutsu/index.h"

enum { KZ_NO_STATE = 0xFFFF };
#define KZ_NO_BASE UINT32_MAX

/* What a pair's state means for the squares, as bit sets. */
typedef struct kz_footprint {
    uint16_t own;           /* squares that own pieces stand on */
    uint16_t enemy;         /* squares that enemy pieces stand on */
    uint16_t own_attacks;   /* squares that own pieces attack */
    uint16_t enemy_attacks; /* squares that enemy pieces attack */
} kz_footprint;

/* A pair's state ready to be ranked: with r(x) the rank of square x among the free ones,
 *     (triangle[r(second)] + r(first)) << shift) + marks
 * counts the states before it that have as many pieces on the board. */
typedef struct kz_slot {
    uint8_t first;  /* 4 times the lower square; KZ_NOWHERE, which has rank 0, if there is none */
    uint8_t second; /* 4 times the higher square, or KZ_NOWHERE */
    uint8_t off_board; /* how many of the two are in hand */
    uint8_t shift;
    uint16_t mask; /* the squares that it takes */
    uint16_t marks;
} kz_slot;

enum { KZ_NOWHERE = 4 * KZ_DOBUTSU_SQUARES };

/* Where the states with 0, 1 and 2 pieces in hand begin, and how many positions follow each. */
typedef struct kz_pair_layout {
    uint32_t begin[3];
    uint32_t weight[3];
} kz_pair_layout;

typedef struct kz_block {
    uint32_t base; /* index of its first position */
    uint16_t elephants;
    uint16_t giraffes;
    uint16_t size;
    uint8_t lion_class;
    uint8_t folded; /* mirror images among the chicks are folded, too */
} kz_block;

/* Where a block's positions are: kz_target_rank plus base. */
typedef struct kz_target {
    uint32_t base;
    bool mirrored; /* the chicks must be mirrored before they are looked up */
    uint16_t taken;
    const uint32_t *begin;      /* of the chicks' layout */
    uint64_t ranks;             /* of the free squares */
    bool folded;                /* mirror images among the chicks are folded: there is no formula */
    const uint16_t *chick_rank; /* the block's row: the rank of every state */
} kz_target;

typedef struct kz_space {
    kz_footprint elephant[KZ_PLAIN_STATES];
    kz_footprint giraffe[KZ_PLAIN_STATES];
    kz_footprint chick[KZ_CHICK_STATES];
    kz_slot plain_slot[KZ_PLAIN_STATES];
    kz_slot chick_slot[KZ_CHICK_STATES];
    uint64_t ranks[1 << KZ_DOBUTSU_SQUARES]; /* by taken squares: the rank of each free square, four bits each */
    kz_pair_layout giraffe_layout[KZ_DOBUTSU_SQUARES + 1]; /* by free squares */
    kz_pair_layout chick_layout[KZ_DOBUTSU_SQUARES + 1];
    uint8_t triangle[16]; /* n (n - 1) / 2 */
    uint16_t plain_flip[KZ_PLAIN_STATES];
    uint16_t plain_mirror[KZ_PLAIN_STATES];
    uint16_t chick_flip[KZ_CHICK_STATES];
    uint16_t chick_mirror[KZ_CHICK_STATES];

    uint8_t lion_class[KZ_DOBUTSU_SQUARES][KZ_DOBUTSU_SQUARES]; /* 255: the same square */
    uint8_t lion_mirror[KZ_DOBUTSU_SQUARES][KZ_DOBUTSU_SQUARES];
    uint8_t own_lion[KZ_LION_CLASSES];
    uint8_t enemy_lion[KZ_LION_CLASSES];
    uint16_t lions[KZ_LION_CLASSES]; /* both squares as a set */

    uint32_t elephant_base[KZ_LION_CLASSES][KZ_PLAIN_STATES];
    uint16_t row_of_mask[2][1 << KZ_DOBUTSU_SQUARES]; /* [folded]; KZ_NO_STATE: no such row */
    uint32_t (*giraffe_offset)[KZ_PLAIN_STATES];
    uint16_t (*chick_rank)[KZ_CHICK_STATES];
    uint16_t (*chick_state)[KZ_CHICK_STATES]; /* the inverse of chick_rank */
    uint16_t *chick_states;                   /* how many each row has */

    kz_block *blocks; /* of all zones, in index order */
    uint32_t block_count;
    uint32_t solved_blocks;  /* those of the solved zone come first */
    uint32_t decided_blocks; /* then those of the decided one */
} kz_space;

/* A position as lions and states. */
typedef struct kz_states {
    int own_lion;
    int enemy_lion;
    unsigned elephants;
    unsigned giraffes;
    unsigned chicks;
} kz_states;

/* NULL if there is no memory. */
kz_space *kz_space_new(void);
void kz_space_free(kz_space *space);

static inline uint32_t kz_slot_rank(const kz_space *space, const kz_slot *slot, uint64_t ranks) {
    uint32_t first = ranks >> slot->first & 15;
    uint32_t second = ranks >> slot->second & 15;
    return ((space->triangle[second] + first) << slot->shift) + slot->marks;
}

/* The block that holds these lions and pairs, or false if they don't fit on the board together. */
static inline bool kz_space_target(const kz_space *space, int own_lion, int enemy_lion, unsigned elephants,
                                   unsigned giraffes, kz_target *target) {
    unsigned lion_class = space->lion_class[own_lion][enemy_lion];
    bool mirrored = space->lion_mirror[own_lion][enemy_lion];
    bool folded = kz_lions_central(own_lion, enemy_lion);
    if (mirrored) {
        elephants = space->plain_mirror[elephants];
        giraffes = space->plain_mirror[giraffes];
    } else if (folded) {
        unsigned image = space->plain_mirror[elephants];
        unsigned giraffes_image = space->plain_mirror[giraffes];
        if (image != elephants) {
            folded = false;
            mirrored = image < elephants;
        } else if (giraffes_image != giraffes) {
            mirrored = giraffes_image < giraffes;
        }
        if (mirrored) {
            elephants = image;
            giraffes = giraffes_image;
        }
    }
    uint32_t base = space->elephant_base[lion_class][elephants];
    if (base == KZ_NO_BASE) {
        return false;
    }
    const kz_slot *slot = &space->plain_slot[giraffes];
    unsigned taken = space->lions[lion_class] | space->plain_slot[elephants].mask;
    if (taken & slot->mask) {
        return false;
    }
    if (folded) {
        base += space->giraffe_offset[space->row_of_mask[1][taken]][giraffes];
        folded = space->plain_mirror[giraffes] == giraffes;
    } else {
        unsigned free = KZ_DOBUTSU_SQUARES - 4U + space->plain_slot[elephants].off_board;
        const kz_pair_layout *layout = &space->giraffe_layout[free];
        base += layout->begin[slot->off_board] +
                kz_slot_rank(space, slot, space->ranks[taken]) * layout->weight[slot->off_board];
    }
    taken |= slot->mask;
    target->base = base;
    target->mirrored = mirrored;
    target->folded = folded;
    target->taken = (uint16_t)taken;
    target->chick_rank = space->chick_rank[space->row_of_mask[folded][taken]];
    target->ranks = space->ranks[taken];
    target->begin = space->chick_layout[KZ_DOBUTSU_SQUARES - 6U + space->plain_slot[elephants].off_board +
                                        slot->off_board].begin;
    return true;
}

/* The rank of the chicks among those of the target's block; KZ_NO_STATE if they stand on taken squares. `slot` belongs
 * to `chicks`. */
static inline unsigned kz_target_rank(const kz_space *space, const kz_target *target, const kz_slot *slot,
                                      unsigned chicks) {
    if (target->folded) {
        return target->chick_rank[chicks];
    }
    if (target->taken & slot->mask) {
        return KZ_NO_STATE;
    }
    return target->begin[slot->off_board] + kz_slot_rank(space, slot, target->ranks);
}

/* The row of chick states of a block. */
static inline unsigned kz_space_row(const kz_space *space, const kz_block *block) {
    const kz_footprint *e = &space->elephant[block->elephants];
    const kz_footprint *g = &space->giraffe[block->giraffes];
    unsigned taken = 1U << space->own_lion[block->lion_class] | 1U << space->enemy_lion[block->lion_class];
    taken |= (unsigned)e->own | e->enemy | g->own | g->enemy;
    return space->row_of_mask[block->folded][taken];
}

/* The block (of any zone) that holds an index. */
const kz_block *kz_space_block_of(const kz_space *space, uint64_t index);

/* Both lions must be on the board. */
void kz_states_of(const kz_dobutsu *position, kz_states *states);
/* The index of a position; its pieces must stand on different squares. */
uint64_t kz_space_rank(const kz_space *space, const kz_states *states);

/* The fast twins of the calls in index.h. */
bool kz_space_rank_all(const kz_space *space, const kz_dobutsu *position, uint64_t *index);
void kz_space_unrank(const kz_space *space, uint64_t index, kz_dobutsu *position);

#endif
