/* SPDX-License-Identifier: MIT
 *
 * The sweep over one block: all positions with a fixed enemy set E.
 *
 * A turn is up to two moves and a push. The moves change the own set O only, and what they can do does not depend on
 * who of the enemy's pieces is what. So for each (O, rho) the pushes are looked at once, a word with a bit ("lane") for
 * each (alpha, sigma) takes what they reach, and two dilations carry that to all (O, rho) that are one or two moves
 * away: with all own pieces but one fixed, the last may stand anywhere in its component of free squares, and each place
 * of the component gets what any of them has.
 *
 * An element is one O: a word for each rho. All elements of a block are kept in the order of O's rank among the squares
 * that E leaves free. A block's successors have E (perhaps with pieces shifted by the push) as own set, so they lie in
 * few pages of the state. */
#ifndef KZ_PUSHFIGHT_BLOCK_H
#define KZ_PUSHFIGHT_BLOCK_H

#include "base/cpu.h"
#include "games/pushfight/page.h"

enum {
    KZ_PF_WORDS = 16,       /* an element: a word for each rho, padded to what is aligned */
    KZ_PF_MOST_PLACES = 17, /* free squares for one piece when all others are fixed */
    KZ_PF_RANK_BITS = 11,   /* sets of own squares are ranked in two parts of so many packed squares */
    KZ_PF_ORDERS = 256      /* orders of up to 4 pieces, two bits each */
};

/* Ranks of packed sets as sums over two parts, of which the second is chosen by the first one's size. */
typedef struct kz_pf_split_ranks {
    uint16_t first[1 << KZ_PF_RANK_BITS];
    uint16_t second[KZ_PF_MOST_PIECES + 1][1 << KZ_PF_RANK_BITS];
} kz_pf_split_ranks;

/* All own pieces but one: where the last may stand. */
typedef struct kz_pf_rest {
    uint32_t squares;                 /* packed squares of the others */
    uint8_t gap[KZ_PF_MOST_PIECES];   /* number of places with at most j of the others before them */
    uint16_t rank[KZ_PF_MOST_PLACES]; /* of the own set, for each place in order */
} kz_pf_rest;

/* What the kernels need to know about a board. Read-only once made. */
typedef struct kz_pf_tables {
    const kz_pf_space *space;
    kz_cpu cpu;
    uint32_t rests_count;
    kz_pf_rest *rests;
    uint16_t *rest_number;      /* by packed squares */
    int places;                 /* for the last piece */
    kz_pf_split_ranks straight; /* rank of a packed own set */
    kz_pf_split_ranks turned;   /* rank of its half turn */
    uint32_t across;            /* squares with a square on both sides, see kz_pf_anchorable */
    uint32_t along;
    uint32_t ray[KZ_PF_DIRECTIONS][KZ_PF_GRID]; /* the squares beyond one, in a direction, as far as there are any */
    uint32_t blocked_ray[KZ_PF_DIRECTIONS];     /* squares whose ray ends at a railing */
    uint64_t allowed[KZ_PF_SUBSETS];            /* bits of a pair for a set of possible anchors */
    uint64_t allowed_turned[KZ_PF_SUBSETS];     /* the same, pieces counted from the other end */
    /* The roles of an element when the last piece is the j-th, as those when it is the first, and back. */
    uint32_t to_first[KZ_PF_MOST_PIECES][KZ_PF_WORDS];
    uint32_t from_first[KZ_PF_MOST_PIECES][KZ_PF_WORDS];
    /* Which words a set of sigmas (of the successor) answers for: by the pusher, and by the order in which the other
     * own pieces come after the push. */
    uint16_t words[KZ_PF_MOST_PIECES][KZ_PF_ORDERS][64];
    uint8_t same_order; /* the number of the order in which nothing changes */
    uint8_t reversed_order;
    uint16_t pusher_words[KZ_PF_MOST_PIECES];       /* rho in which a piece is a pusher */
    uint8_t turned_sigmas[64];                      /* a set of sigmas, pieces counted from the other end */
    uint16_t turned_splits[1 << KZ_PF_MOST_SPLITS]; /* a set of rhos, the same */
    uint8_t turned_bit[KZ_PF_WIN_BITS];             /* (alpha, rho) with pieces counted from the other end */
    uint64_t spread[KZ_PF_SUBSETS];                 /* a set of alphas as bits alpha * splits */
    uint8_t bit_alpha[KZ_PF_WIN_BITS];
    uint8_t bit_rho[KZ_PF_WIN_BITS];
} kz_pf_tables;

kz_status kz_pf_tables_open(const kz_pf_space *space, kz_pf_tables **opened, kz_error *error);
void kz_pf_tables_close(kz_pf_tables *tables);

/* The state of all positions: pages one after the other. A row has two bits for each sigma: WIN and, KZ_PF_LOSS_SHIFT
 * above it, LOSS. Both at once say that the position was decided in the phase that is going on: such ones still count
 * as undecided to those who look. That works because a row is read and written as a whole, by atomic operations: others
 * look while the one thread that has the row writes it. */
enum { KZ_PF_LOSS_SHIFT = 6, KZ_PF_STATE_MASK = (1 << KZ_PF_LOSS_SHIFT) - 1 };

/* Where a page lies. */
typedef struct kz_pf_view {
    const uint64_t *pairs;
    const uint64_t *bases;
    const uint16_t *rows; /* the one that bases count from */
} kz_pf_view;

typedef struct kz_pf_state {
    const kz_pf_space *space;
    uint64_t *pairs; /* [space->pairs] */
    uint64_t *bases; /* [own_sets * groups], counted over all pages */
    uint16_t *rows;
    uint64_t row_count;
    uint64_t *first_rows; /* [own_sets + 1] */
    /* [own_sets]; NULL: all pages are here, one after the other. Otherwise the arrays above hold those pages only that
     * this member of a team keeps, and others may be looked at elsewhere, or not at all. */
    kz_pf_view *views;
} kz_pf_state;

/* What a sweep over one block found. */
typedef struct kz_pf_block_counts {
    uint64_t decided; /* of all permutations of the block: won, or lost, now or before */
    uint64_t fresh;   /* of the positions in the state: decided by this sweep */
} kz_pf_block_counts;

/* What phase 0 found in one block, of all permutations and of those that exist. */
typedef struct kz_pf_start_counts {
    uint64_t wins;
    uint64_t stuck;
    uint64_t anchored;
    uint64_t anchored_wins;
    uint64_t anchored_stuck;
} kz_pf_start_counts;

/* A row of positions without a legal turn. */
typedef struct kz_pf_stuck {
    uint64_t pair;
    uint8_t bit;
} kz_pf_stuck;

typedef struct kz_pf_stuck_list {
    kz_pf_stuck *items;
    size_t count;
    size_t room;
    bool failed; /* no memory */
} kz_pf_stuck_list;

/* The pairs of a block's elements, where the state's pages are kept by several members of a team: what a block finds is
 * noted here first, and only what is new goes to the page. */
typedef struct kz_pf_elements {
    uint32_t *pairs; /* [enemy_sets]: where they are in the state */
    uint64_t *wins;  /* [enemy_sets]: as in the state, but without the numbers of rows */
    size_t rows;     /* that they have together */
} kz_pf_elements;

/* New marks of a pair, for the page: u32 the pair, then for each of its rows that has any a u16: the number of the row
 * in the pair, the marks above it, and the last row has KZ_PF_LAST_ITEM set. */
enum {
    KZ_PF_ITEM_BITS = 6,
    KZ_PF_LAST_ITEM = 1 << 15,
    KZ_PF_MOST_RECORD = 4 + 2 * KZ_PF_WIN_BITS /* bytes */
};

/* One worker's memory. */
typedef struct kz_pf_block kz_pf_block;

kz_pf_block *kz_pf_block_open(const kz_pf_tables *tables, kz_error *error);
void kz_pf_block_close(kz_pf_block *block);

/* Phase 0: which positions of the block can push a piece off, and which can't push at all. Writes the words of the
 * pairs to the state (whose rows are not laid out yet) or to `elements`, and adds the rows of stuck positions that
 * exist to the list. All three may be NULL. */
void kz_pf_block_start(kz_pf_block *block, uint32_t enemy, kz_pf_state *state, kz_pf_elements *elements,
                       kz_pf_stuck_list *stuck, kz_pf_start_counts *counts);

/* The wins at once of `count` own sets of the block, given by their ranks: bits alpha * splits + rho of each. For few
 * own sets this takes much less time than the whole block. */
void kz_pf_block_wins(kz_pf_block *block, uint32_t enemy, const uint32_t *wanted, uint32_t count, uint64_t *wins);

/* A later phase: finds the positions of the block that are lost because all turns lead to positions won for the
 * opponent, or won because some turn leads to a lost one, and marks those in the state that were undecided. */
void kz_pf_block_sweep(kz_pf_block *block, uint32_t enemy, bool losses, kz_pf_state *state, kz_pf_block_counts *counts);

/* The same, but what it finds goes to `records` (room for enemy_sets of the largest), as far as `known` does not have
 * it yet: a byte for each row of the block's elements, one after the other, with a bit for each position that is
 * decided. Takes the wins at once from `wins`, by element. Returns the end of the records; counts->fresh stays as it
 * is. */
uint8_t *kz_pf_block_sweep_apart(kz_pf_block *block, uint32_t enemy, bool losses, const kz_pf_state *state,
                                 const uint64_t *wins, uint8_t *known, uint8_t *records, kz_pf_block_counts *counts);

/* For each enemy set of an own set that is kept: which enemy pieces, in order, may carry the anchor. */
void kz_pf_anchors(const kz_pf_tables *tables, uint32_t own, uint8_t *anchors);

/* What a table stores for the places of an own set: the published value bytes. `pairs` and `rows` are those of its
 * page, bytes 0 to 7 of values[row] the numbers that phases after 0 found. */
void kz_pf_write_numbers(const kz_pf_tables *tables, uint32_t own, const uint64_t *pairs, const uint16_t *rows,
                         const uint64_t *values, uint8_t *numbers);

/* The pages (own sets that are kept) that successors of the block's positions may lie in; some may come up twice.
 * Returns how many. */
enum { KZ_PF_MOST_NEEDS = KZ_PF_DIRECTIONS * KZ_PF_SUBSETS };
size_t kz_pf_block_needs(const kz_pf_tables *tables, uint32_t enemy, uint32_t pages[KZ_PF_MOST_NEEDS]);

/* Whether a successor of the block's positions may lie in a page that `changed` marks. */
bool kz_pf_block_touched(const kz_pf_tables *tables, uint32_t enemy, const uint8_t *changed);

#endif
