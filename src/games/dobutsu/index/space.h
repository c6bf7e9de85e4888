/* SPDX-License-Identifier: MIT
 *
 * The index of index.h in tables, for loops that visit every position.
 *
 * A *run* is all positions that differ in the chicks only: they have the same lions, elephants and giraffes. They are
 * consecutive in the index, 291 to 803 of them. A *slice* is all runs with the same lions and elephants:
 *
 *     index:  | lions 0                                  | lions 1 ...
 *             | elephants 0 (a slice)   | elephants 1    |
 *             | giraffes 0 | giraffes 1 | ...            |
 *             | a run      | a run      |                |
 *
 * The index of a position is where its slice begins (looked up: kz_dobutsu_slice_base), plus where its run begins in
 * the slice (worked out: kz_dobutsu_run_base), plus the rank of its chicks (looked up). A *ranking* is a list of the
 * chick states that fit around a set of taken squares, in order. Where mirror images are folded (lions in the middle
 * column, symmetric elephants), a ranking gives both mirror images the same rank, so nothing has to be decided. */
#ifndef KZ_DOBUTSU_SPACE_H
#define KZ_DOBUTSU_SPACE_H

#include "games/dobutsu/index/index.h"

#include <string.h>

enum {
    KZ_DOBUTSU_NO_STATE = 0xFFFF,
    KZ_DOBUTSU_OCTETS = (KZ_DOBUTSU_CHICK_STATES + 7) / 8,
    KZ_DOBUTSU_STRETCH = 1024 /* so many positions, which a few runs hold */
};
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

/* Where the positions of a slice are. */
typedef struct kz_dobutsu_slice_base {
    uint32_t base;
    uint16_t taken;
    bool mirrored; /* giraffes and chicks must be mirrored before they are looked up */
    bool folded;   /* everything is symmetric so far: the giraffes, or else the chicks, decide about that */
    const kz_dobutsu_giraffe_layout *layout; /* of the giraffes */
} kz_dobutsu_slice_base;

/* Where a run's positions are: add kz_dobutsu_chick_rank to base. */
typedef struct kz_dobutsu_run_base {
    uint32_t base;
    bool mirrored; /* the chicks must be mirrored before they are looked up */
    bool folded;
    const uint16_t *ranks; /* the run's ranking: of octets, or if folded of chick_rank */
} kz_dobutsu_run_base;

typedef struct kz_dobutsu_space {
    kz_dobutsu_footprint elephant[KZ_DOBUTSU_PLAIN_STATES];
    kz_dobutsu_footprint giraffe[KZ_DOBUTSU_PLAIN_STATES];
    kz_dobutsu_footprint chick[KZ_DOBUTSU_CHICK_STATES];
    kz_dobutsu_placement plain_placement[KZ_DOBUTSU_PLAIN_STATES];
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
    uint16_t ranking_of[2][1 << KZ_DOBUTSU_SQUARES]; /* [folded]; KZ_DOBUTSU_NO_STATE: no such ranking */
    uint32_t lion_base[KZ_DOBUTSU_LION_CLASSES + 1]; /* where the positions of a lion class begin, and the end */
    /* Where each state of the giraffes begins in a slice whose mirror images are folded; by the folded ranking of the
     * slice. Elsewhere it is worked out. */
    uint32_t (*giraffe_offset)[KZ_DOBUTSU_PLAIN_STATES];
    /* The ranks of the chicks' states. Eight states that follow each other from a multiple of eight on stand on the
     * same squares, so the rank of the first of them tells the others; a table that small stays in the cache. Only
     * where mirror images are folded every state has a rank of its own. KZ_DOBUTSU_NO_STATE: on taken squares. */
    uint16_t (*octets)[KZ_DOBUTSU_OCTETS];
    uint16_t (*chick_rank)[KZ_DOBUTSU_CHICK_STATES]; /* folded rankings: counted from unfolded_rankings on */
    unsigned rankings;                               /* how many there are: the unfolded ones first */
    unsigned unfolded_rankings;
    uint16_t *chick_states; /* how many states each ranking has */
    /* The chicks' states once more, one array for each thing that is asked about all of them in a row. */
    uint16_t chick_own[8 * KZ_DOBUTSU_OCTETS];
    uint16_t chick_own_attacks[8 * KZ_DOBUTSU_OCTETS];
    uint16_t chick_enemy_attacks[8 * KZ_DOBUTSU_OCTETS];

    /* From here on: lists of 39 MB for loops over all positions. A small space has none of them. */
    uint16_t (*chick_state)[KZ_DOBUTSU_CHICK_STATES]; /* of all rankings: the states in the order of their ranks */
    kz_dobutsu_run *runs;                             /* of all zones, in index order */
    uint32_t run_count;
    uint32_t *first_run; /* by index / KZ_DOBUTSU_STRETCH: the run that the stretch begins in */
    uint32_t *slices; /* the first run of each slice: runs with the same lions and elephants; and the end of the last */
    uint32_t solved_slices;
    uint32_t solved_runs;  /* those of the solved zone come first */
    uint32_t decided_runs; /* then those of the decided one */
} kz_dobutsu_space;

/* A position as lions and states. */
typedef struct kz_dobutsu_states {
    int own_lion;
    int enemy_lion;
    unsigned elephants;
    unsigned giraffes;
    unsigned chicks;
} kz_dobutsu_states;

/* NULL if there is no memory. A small space is made in a millisecond. It is enough for ranks, for kz_dobutsu_run_walk
 * and so for readers of tables; calls that take a kz_dobutsu_run of the list need a whole one. */
kz_dobutsu_space *kz_dobutsu_space_new(void);
kz_dobutsu_space *kz_dobutsu_space_new_small(void);
void kz_dobutsu_space_free(kz_dobutsu_space *space);

/* Finds the slice of lions and elephants; false if they don't fit on the board together. */
KZ_DEVICE static inline bool kz_dobutsu_slice_base_of(const kz_dobutsu_space *space, int own_lion, int enemy_lion,
                                                      unsigned elephants, kz_dobutsu_slice_base *slice) {
    unsigned lion_class = space->lion_class[own_lion][enemy_lion];
    unsigned image = space->plain_mirror[elephants];
    bool central = kz_dobutsu_lions_central(own_lion, enemy_lion);
    slice->mirrored = space->lion_mirror[own_lion][enemy_lion] || (central && image < elephants);
    slice->folded = central && image == elephants;
    if (slice->mirrored) {
        elephants = image;
    }
    const kz_dobutsu_placement *placement = &space->plain_placement[elephants];
    slice->base = space->elephant_base[lion_class][elephants];
    slice->taken = space->lions[lion_class] | placement->mask;
    slice->layout = &space->layout[KZ_DOBUTSU_SQUARES - 4 + placement->off_board];
    return slice->base != KZ_DOBUTSU_NO_BASE;
}

/* The run of a slice with these giraffes; false if they don't fit on the board. */
KZ_DEVICE static inline bool kz_dobutsu_run_base_in(const kz_dobutsu_space *space, const kz_dobutsu_slice_base *slice,
                                                    unsigned giraffes, kz_dobutsu_run_base *run) {
    unsigned image = space->plain_mirror[giraffes];
    run->mirrored = slice->mirrored || (slice->folded && image < giraffes);
    if (run->mirrored) {
        giraffes = image;
    }
    const kz_dobutsu_placement *placement = &space->plain_placement[giraffes];
    if (slice->taken & placement->mask) {
        return false;
    }
    unsigned taken = slice->taken | placement->mask;
    bool folded = slice->folded && space->plain_mirror[giraffes] == giraffes;
    if (slice->folded) {
        run->base = slice->base +
                    space->giraffe_offset[space->ranking_of[1][slice->taken] - space->unfolded_rankings][giraffes];
    } else {
        uint64_t ranks = space->ranks[slice->taken];
        uint32_t before =
            ((space->triangle[ranks >> placement->second & 15] + (uint32_t)(ranks >> placement->first & 15)) << 2) +
            placement->marks;
        run->base = slice->base + slice->layout->begin[placement->off_board] +
                    before * slice->layout->weight[placement->off_board];
    }
    unsigned ranking = space->ranking_of[folded][taken];
    run->folded = folded;
    run->ranks = folded ? space->chick_rank[ranking - space->unfolded_rankings] : space->octets[ranking];
    return true;
}

/* The rank of the chicks in the run; KZ_DOBUTSU_NO_STATE if they stand on taken squares. */
KZ_DEVICE static inline unsigned kz_dobutsu_chick_rank(const kz_dobutsu_run_base *run, unsigned chicks) {
    if (run->folded) {
        return run->ranks[chicks];
    }
    unsigned first = run->ranks[chicks / 8];
    return first == KZ_DOBUTSU_NO_STATE ? (unsigned)KZ_DOBUTSU_NO_STATE : first + chicks % 8;
}

/* The run that holds these lions and pairs, or false if they don't fit on the board together. */
KZ_DEVICE static inline bool kz_dobutsu_run_base_of(const kz_dobutsu_space *space, int own_lion, int enemy_lion,
                                                    unsigned elephants, unsigned giraffes, kz_dobutsu_run_base *run) {
    kz_dobutsu_slice_base slice;
    return kz_dobutsu_slice_base_of(space, own_lion, enemy_lion, elephants, &slice) &&
           kz_dobutsu_run_base_in(space, &slice, giraffes, run);
}

/* The squares of a run that all but the chicks take. */
KZ_DEVICE static inline unsigned kz_dobutsu_run_taken(const kz_dobutsu_space *space, const kz_dobutsu_run *run) {
    const kz_dobutsu_footprint *e = &space->elephant[run->elephants];
    const kz_dobutsu_footprint *g = &space->giraffe[run->giraffes];
    unsigned taken = 1U << space->own_lion[run->lion_class] | 1U << space->enemy_lion[run->lion_class];
    return taken | e->own | e->enemy | g->own | g->enemy;
}

/* The ranking of chick states of a run. */
KZ_DEVICE static inline unsigned kz_dobutsu_run_chicks(const kz_dobutsu_space *space, const kz_dobutsu_run *run) {
    return space->ranking_of[run->folded][kz_dobutsu_run_taken(space, run)];
}

/* The runs from an index on, in order, without the list of them: `run` is the one that the walk is at. */
typedef struct kz_dobutsu_run_walk {
    kz_dobutsu_run run;
    unsigned taken; /* by the lions and elephants of its slice */
    bool folded;    /* mirror images are folded in its slice */
} kz_dobutsu_run_walk;

/* Begins with the run that holds the index (of any zone). */
void kz_dobutsu_run_walk_begin(const kz_dobutsu_space *space, uint64_t index, kz_dobutsu_run_walk *walk);
/* Goes on to the next run; not after the last one of all. */
void kz_dobutsu_run_walk_next(const kz_dobutsu_space *space, kz_dobutsu_run_walk *walk);
/* How many positions back the same run is with a giraffe on the free square before: the giraffes' four owner
 * combinations lie between. 0 if there is none, or if one of these runs is of another size. */
unsigned kz_dobutsu_giraffe_back(const kz_dobutsu_space *space, const kz_dobutsu_run_walk *walk);

/* Far-row squares that the mover's lion can step onto and stay, as far as all but the chicks are concerned. */
unsigned kz_dobutsu_safe_tries(const kz_dobutsu_space *space, const kz_dobutsu_run *run);

/* The run (of any zone) that holds an index; of a whole space. */
const kz_dobutsu_run *kz_dobutsu_run_of(const kz_dobutsu_space *space, uint64_t index);

/* Both lions must be on the board. */
void kz_dobutsu_states_of(const kz_dobutsu *position, kz_dobutsu_states *states);
/* Back to a position with the first side to move. */
void kz_dobutsu_states_to(const kz_dobutsu_states *states, kz_dobutsu *position);
/* The position as the other side sees it. */
static inline kz_dobutsu_states kz_dobutsu_turned(const kz_dobutsu_space *space, const kz_dobutsu_states *states) {
    kz_dobutsu_states turned = {.own_lion = KZ_DOBUTSU_SQUARES - 1 - states->enemy_lion,
                                .enemy_lion = KZ_DOBUTSU_SQUARES - 1 - states->own_lion,
                                .elephants = space->plain_flip[states->elephants],
                                .giraffes = space->plain_flip[states->giraffes],
                                .chicks = space->chick_flip[states->chicks]};
    return turned;
}

/* The index of a position; UINT64_MAX if pieces stand on each other. */
uint64_t kz_dobutsu_space_rank(const kz_dobutsu_space *space, const kz_dobutsu_states *states);

/* The fast twins of the calls in index.h; the second one takes a whole space. */
bool kz_dobutsu_space_rank_all(const kz_dobutsu_space *space, const kz_dobutsu *position, uint64_t *index);
void kz_dobutsu_space_unrank(const kz_dobutsu_space *space, uint64_t index, kz_dobutsu *position);

#ifndef __CUDACC__
/* Eight words, each of the same thing for one of eight states of the chicks, and eight bytes; compilers make of them
 * what the processor has. */
typedef uint16_t kz_dobutsu_words __attribute__((vector_size(16)));
typedef uint8_t kz_dobutsu_bytes __attribute__((vector_size(8)));

static inline kz_dobutsu_words kz_dobutsu_load_words(const uint16_t *words) {
    kz_dobutsu_words loaded;
    memcpy(&loaded, words, sizeof loaded);
    return loaded;
}
#endif

#endif
