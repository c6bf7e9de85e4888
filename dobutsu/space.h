/* SPDX-License-Identifier: MIT
 *
 * The index of index.h in tables, for loops that visit every position.
 *
 * A block is what all positions share that differ in the chicks only: the lions, the elephants, the giraffes. Its
 * positions are neighbours in the index, 291 to 803 of them. The rank of a position is then three look-ups:
 *
 *     elephant_base[lion class][elephants] + giraffe_offset[taken squares][giraffes] + chick_rank[taken
 * squares][chicks]
 *
 * The rows for folded (central, symmetric) blocks give mirror images the same rank, so nothing has to be decided there.
 */
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

typedef struct kz_block {
    uint32_t base; /* index of its first position */
    uint16_t elephants;
    uint16_t giraffes;
    uint16_t size;
    uint8_t lion_class;
    uint8_t folded; /* mirror images among the chicks are folded, too */
} kz_block;

/* Where a block's positions are: add chick_rank[state] to base. */
typedef struct kz_target {
    uint32_t base;
    bool mirrored; /* the chicks must be mirrored before they are looked up */
    const uint16_t *chick_rank;
} kz_target;

typedef struct kz_space {
    kz_footprint elephant[KZ_PLAIN_STATES];
    kz_footprint giraffe[KZ_PLAIN_STATES];
    kz_footprint chick[KZ_CHICK_STATES];
    uint16_t plain_flip[KZ_PLAIN_STATES];
    uint16_t plain_mirror[KZ_PLAIN_STATES];
    uint16_t chick_flip[KZ_CHICK_STATES];
    uint16_t chick_mirror[KZ_CHICK_STATES];

    uint8_t lion_class[KZ_DOBUTSU_SQUARES][KZ_DOBUTSU_SQUARES]; /* 255: the same square */
    uint8_t lion_mirror[KZ_DOBUTSU_SQUARES][KZ_DOBUTSU_SQUARES];
    uint8_t own_lion[KZ_LION_CLASSES];
    uint8_t enemy_lion[KZ_LION_CLASSES];

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

/* NULL if there is no memory. */
kz_space *kz_space_new(void);
void kz_space_free(kz_space *space);

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
    unsigned taken = 1U << space->own_lion[lion_class] | 1U << space->enemy_lion[lion_class] |
                     space->elephant[elephants].own | space->elephant[elephants].enemy;
    uint32_t offset = space->giraffe_offset[space->row_of_mask[folded][taken]][giraffes];
    if (offset == KZ_NO_BASE) {
        return false;
    }
    folded = folded && space->plain_mirror[giraffes] == giraffes;
    taken |= (unsigned)space->giraffe[giraffes].own | space->giraffe[giraffes].enemy;
    target->base = base + offset;
    target->mirrored = mirrored;
    target->chick_rank = space->chick_rank[space->row_of_mask[folded][taken]];
    return true;
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

/* The fast twins of the calls in index.h. */
bool kz_space_rank_all(const kz_space *space, const kz_dobutsu *position, uint64_t *index);
void kz_space_unrank(const kz_space *space, uint64_t index, kz_dobutsu *position);

#endif
