/* SPDX-License-Identifier: MIT
 *
 * Which positions come up in a game: what legal turns make of the starting positions, turn by turn, whether they are
 * wise or not.
 *
 * In a starting position the first player's pieces stand on home squares, the second player's on the others, and there
 * is no anchor. From then on a sweep over a slice (all positions with a fixed enemy set E) goes forward: the positions
 * that were reached before are lanes of the slice's elements, two dilations make the moves, and then each push sends
 * what is in an element to a position whose own set is E, perhaps shifted, with the anchor on the pusher.
 *
 * On a board with folded rotations a position stands for its rotation as well, here too: it counts as reached if one
 * of the two is. Turns of a rotation are rotations of turns, so that is what folding the starting positions gives.
 *
 * A cell holds all (rho, sigma) of a pair and an anchor that passes the test, bit rho * anchored_splits + sigma. Each
 * bit is a digit of base 3, because those reached in the turn that is being made must not be gone on from yet:
 *     0  not reached,   1  reached in this turn,   2  reached before;
 * five digits fill a byte. So the standard board takes 12 bytes a cell, 17.2 GB, where two bits would take 21.6. */
#ifndef KZ_PUSHFIGHT_REACH_H
#define KZ_PUSHFIGHT_REACH_H

#include "games/pushfight/solve/slice.h"

enum {
    KZ_PF_CELL_BASE_PAIRS = 32, /* pairs whose cells are counted from a common base; a byte holds the rest */
    KZ_PF_DIGITS = 5            /* in a byte */
};

typedef struct kz_pf_reached {
    const kz_pf_tables *tables;
    const kz_pf_space *space;
    unsigned cell_bytes;
    uint64_t full;       /* all bits of a cell */
    uint32_t base_count; /* of a page */
    uint32_t *bases;     /* [own_sets * base_count]: the number of the first cell of so many pairs; counted in its page
                            before lay_out */
    uint8_t *offsets;    /* [pairs]: the number of a pair's first cell, counted from its base */
    uint64_t *first_cells; /* [own_sets + 1]: of a page */
    uint8_t *cells;
    uint8_t *due;      /* [own_sets]: slices that have positions reached in the last turn */
    uint8_t *due_next; /* in this turn */
    uint8_t *changed;  /* [own_sets]: pages that have positions reached in this turn */
    /* About a byte of a cell, as bits: */
    uint8_t before[256];             /* reached before */
    uint8_t seen[256];               /* reached */
    uint8_t settled[256];            /* the byte with "in this turn" made "before" */
    uint8_t once[1 << KZ_PF_DIGITS]; /* what reaching these bits adds to a byte */
    /* A set of sigmas after the own pieces but the pusher have come into another order (see kz_pf_tables). */
    uint8_t reordered[KZ_PF_ORDERS][1 << KZ_PF_MOST_ANCHORED_SPLITS];
} kz_pf_reached;

/* Opened, each page measured (from several threads, if need be), laid out; then all is unreached. */
kz_status kz_pf_reached_open(const kz_pf_tables *tables, kz_pf_reached **opened, kz_error *error);
void kz_pf_reached_close(kz_pf_reached *reached);
void kz_pf_reached_measure(kz_pf_reached *reached, uint32_t page);
kz_status kz_pf_reached_lay_out(kz_pf_reached *reached, kz_error *error);

/* How many positions there are. */
uint64_t kz_pf_reached_positions(const kz_pf_reached *reached);

/* What a turn is made from. */
typedef enum kz_pf_sources {
    KZ_PF_FROM_STARTS,  /* starting positions */
    KZ_PF_FROM_REACHED, /* what was reached before */
    KZ_PF_FROM_ALL      /* all positions that there are: what is still not reached then has no predecessor */
} kz_pf_sources;

/* A turn of the game is one in all slices (from what was reached: in those that are due), all pages that changed
 * settled, then kz_pf_reached_next. Workers, each with its own memory, may work on any slices, and then on any pages,
 * at the same time. `slice` is the number of the enemy set, as own sets are numbered. */
void kz_pf_reached_turn(kz_pf_reached *reached, kz_pf_slice *memory, uint32_t slice, kz_pf_sources from);
/* Returns how many positions of the page were reached in this turn. */
uint64_t kz_pf_reached_settle(kz_pf_reached *reached, uint32_t page);
void kz_pf_reached_next(kz_pf_reached *reached);

/* Whether a position that exists was reached. */
bool kz_pf_reached_has(const kz_pf_reached *reached, uint64_t index);

/* How many positions of the page were not reached although the anchor passes the test, and in how many of them all
 * pushers of the side to move are cornered: they stand on squares where no push ends. Since one of them carried the
 * anchor a turn ago and can't have been moved since, only starting positions lead there. */
typedef struct kz_pf_missing {
    uint64_t all;
    uint64_t cornered;
} kz_pf_missing;
kz_pf_missing kz_pf_reached_missing(const kz_pf_reached *reached, uint32_t page);

/* The indices of the first ones, `room` at most; returns how many. */
size_t kz_pf_reached_list_missing(const kz_pf_reached *reached, uint32_t page, uint64_t *indices, size_t room);

/* The kernels, see slice_kernels.h: a turn of one slice. */
void kz_pf_plain_reach(kz_pf_reached *reached, kz_pf_slice *memory, uint32_t enemy, kz_pf_sources from);
void kz_pf_avx2_reach(kz_pf_reached *reached, kz_pf_slice *memory, uint32_t enemy, kz_pf_sources from);
void kz_pf_avx512_reach(kz_pf_reached *reached, kz_pf_slice *memory, uint32_t enemy, kz_pf_sources from);

#endif
