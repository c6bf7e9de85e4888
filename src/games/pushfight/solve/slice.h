/* SPDX-License-Identifier: MIT
 *
 * The sweep over one slice: all positions with a fixed enemy set E.
 *
 * A position is (O, rho, E, alpha, sigma), see space.h. A turn is up to two moves and a push. Moves change the own set
 * O only, and which moves there are does not depend on the kinds of the enemy's pieces. So one word answers for all
 * kinds of them: it has one bit, a *lane*, for each (alpha, sigma). A slice has such a word for each (O, rho). The
 * words of one O are an *element*.
 *
 *     slice E        rho 0        rho 1        ...      rho 9
 *     O number 0     [ lanes ]    [ lanes ]             [ lanes ]      <- an element: 16 words of 32 bits
 *     O number 1     [ lanes ]    [ lanes ]             [ lanes ]         (10 and padding), 64 bytes
 *     ...            lane alpha * anchored_splits + sigma
 *     O number 20348
 *
 * A sweep asks "which positions of the slice have a turn to a lost position?" (then they are won), or "which have a
 * turn to a position that is not won?" (all others are lost). It takes three steps:
 *
 *     1. Seed. For each O, try all pushes without a move. A push leads to a position whose own set is E, with pieces
 *        shifted by the push: it lies in one of a few pages. Set the lanes for which the answer is yes there.
 *     2. Dilate, twice, once for each move. Fix all own pieces but one, the *rest*: the last piece may stand anywhere
 *        in its component of free squares. All own sets that the component makes can reach each other with one move,
 *        so each of them gets the lanes of all.
 *
 *            rest  x . x     component a-b-c: one piece on a, b or c    element(a) |= element(b) | element(c)
 *                  a b c                                                element(b) |= element(a) | element(c), ...
 *
 *     3. Mark. Each element belongs to one pair (O, E) in the page of O. Write what is new into the runs of that pair.
 *
 * Only steps 1 and 3 touch the state of all positions; step 2, which makes up for thousands of turns a position, works
 * in the slice's own memory. */
#ifndef KZ_PUSHFIGHT_SLICE_H
#define KZ_PUSHFIGHT_SLICE_H

#include "base/cpu.h"
#include "games/pushfight/solve/page.h"

enum {
    KZ_PF_WORDS = 16,     /* of an element: one for each rho, and padding */
    KZ_PF_MOST_FREE = 17, /* free squares for one piece when all others are fixed */
    KZ_PF_RANK_BITS = 11, /* sets of own squares are ranked in two parts of so many packed squares */
    KZ_PF_ORDERS = 256    /* orders of up to 4 pieces, two bits each */
};

/* Ranks of packed sets as sums over two parts, of which the second is chosen by the first one's size. */
typedef struct kz_pf_split_ranks {
    uint16_t first[1 << KZ_PF_RANK_BITS];
    uint16_t second[KZ_PF_MOST_PIECES + 1][1 << KZ_PF_RANK_BITS];
} kz_pf_split_ranks;

/* A rest: all own pieces but one. The last piece may stand on each square that E and the rest leave free. On free
 * squares number gap[j - 1] to gap[j] - 1 it is the j-th own piece, counted from 0. */
typedef struct kz_pf_rest {
    uint32_t squares;                /* packed squares of the others */
    uint8_t gap[KZ_PF_MOST_PIECES];  /* how many free squares have at most j of the others before them */
    uint8_t number[KZ_PF_MOST_FREE]; /* of the last piece on each free square: the same, square by square */
    uint16_t rank[KZ_PF_MOST_FREE];  /* of the own set that the last piece makes on each free square, in order */
} kz_pf_rest;

/* What the kernels need to know about a board. Read-only once made. */
typedef struct kz_pf_tables {
    const kz_pf_space *space;
    kz_cpu cpu;
    uint32_t rests_count;
    kz_pf_rest *rests;
    uint16_t *rest_number;      /* by packed squares */
    int free;                   /* squares for the last piece */
    kz_pf_split_ranks straight; /* rank of a packed own set */
    kz_pf_split_ranks rotated;  /* rank of its rotation */
    uint32_t across;            /* squares with a square on both sides, see kz_pf_anchorable */
    uint32_t along;
    uint32_t ray[KZ_PF_DIRECTIONS][KZ_PF_GRID]; /* the squares beyond one, in a direction, as far as there are any */
    uint32_t blocked_ray[KZ_PF_DIRECTIONS];     /* squares whose ray ends at a railing */
    uint32_t exits[KZ_PF_DIRECTIONS];           /* squares at an edge without a railing */
    uint32_t unmoved_lanes[KZ_PF_SUBSETS];      /* by a set of enemy pieces: the lanes whose alpha is not in it */
    uint64_t allowed[KZ_PF_SUBSETS];            /* bits of a pair for a set of possible anchors */
    uint64_t allowed_rotated[KZ_PF_SUBSETS];    /* the same, pieces counted from the other end */
    /* rho counts the own pieces in the order of their squares. When the piece that moves is the j-th, the word of rho
     * is word to_first[j] of the element in which it is counted as the first; from_first is the way back. */
    uint32_t to_first[KZ_PF_MOST_PIECES][KZ_PF_WORDS];
    uint32_t from_first[KZ_PF_MOST_PIECES][KZ_PF_WORDS];
    /* From a set of sigmas of the successor to the words (rho) of the element that these answer for. The own pieces but
     * the pusher are the successor's enemy pieces but the anchored one. So sigma there says which of them are movers,
     * and with the pusher, a pusher, that is one rho here. By the number of the pusher among the own pieces, and by the
     * order in which the others come after the push. */
    uint16_t words[KZ_PF_MOST_PIECES][KZ_PF_ORDERS][64];
    uint8_t same_order; /* the number of the order in which nothing changes */
    uint8_t reversed_order;
    uint16_t pusher_words[KZ_PF_MOST_PIECES];        /* rho in which a piece is a pusher */
    uint8_t rotated_sigmas[64];                      /* a set of sigmas, pieces counted from the other end */
    uint16_t rotated_splits[1 << KZ_PF_MOST_SPLITS]; /* a set of rhos, the same */
    uint8_t rotated_bit[KZ_PF_WIN_BITS];             /* (alpha, rho) with pieces counted from the other end */
    uint64_t spread[KZ_PF_SUBSETS];                  /* a set of alphas as bits alpha * splits */
    /* The same with AVX-512: of each two words of an element, the positions of the sets of sigmas in them, first those
     * of four alphas, then those of the fifth; and which of the 2 x 64 bytes that this gives belongs to a bit of the
     * pair, straight and rotated. */
    uint8_t fields[2][64];
    uint8_t field_of_bit[2][64];
    uint8_t bit_alpha[KZ_PF_WIN_BITS];
    uint8_t bit_rho[KZ_PF_WIN_BITS];
} kz_pf_tables;

kz_status kz_pf_tables_open(const kz_pf_space *space, kz_pf_tables **opened, kz_error *error);
void kz_pf_tables_close(kz_pf_tables *tables);

/* The state of all positions: pages one after the other. A run has two bits for each sigma: WIN and, KZ_PF_LOSS_SHIFT
 * above it, LOSS. Both bits at once are a mark: the position was decided in the phase that is going on. It still counts
 * as open to all that look, so the result does not depend on the order of the slices; settling the phase clears one of
 * the two bits.
 *
 *     bit 11  10   9   8   7   6 |  5   4   3   2   1   0
 *         LOSS of sigma 5 ... 0  |  WIN of sigma 5 ... 0
 *
 * A run is read and written as a whole, by atomic operations: only the thread that sweeps slice E writes runs of pairs
 * (O, E), and others may read them at the same time. */
enum { KZ_PF_LOSS_SHIFT = 6, KZ_PF_STATE_MASK = (1 << KZ_PF_LOSS_SHIFT) - 1 };

/* Where a page is in memory. */
typedef struct kz_pf_view {
    const uint64_t *pairs;
    const uint64_t *bases;
    const uint16_t *runs; /* the one that bases count from */
} kz_pf_view;

typedef struct kz_pf_state {
    const kz_pf_space *space;
    uint64_t *pairs; /* [space->pairs] */
    uint64_t *bases; /* [own_sets * kz_pf_base_count], counted over all pages */
    uint16_t *runs;
    uint64_t run_count;
    uint64_t *first_runs; /* [own_sets + 1] */
    /* [own_sets]; NULL: all pages are here, one after the other. Otherwise the arrays above hold those pages only that
     * this member of a team keeps; others are images, or not here. */
    kz_pf_view *views;
} kz_pf_state;

/* What a sweep over one slice found. */
typedef struct kz_pf_slice_counts {
    uint64_t decided; /* of all permutations of the slice: won, or lost, now or before */
    uint64_t fresh;   /* of the positions in the state: decided by this sweep */
} kz_pf_slice_counts;

/* What is remembered of the last sweep of a slice in phases of one kind, to find out what has changed since. With it
 * goes a byte for each element. */
typedef struct kz_pf_memo {
    bool known;
    uint32_t seeds;   /* lanes that pushes without a move reached, in all elements together */
    uint32_t lanes;   /* that were reached in the end */
    uint32_t grown;   /* by how many they had changed */
    uint32_t decided; /* kz_pf_slice_counts.decided */
} kz_pf_memo;

/* What phase 0 found in one slice, of all permutations and of those that exist. */
typedef struct kz_pf_start_counts {
    uint64_t wins;
    uint64_t stuck;
    uint64_t anchored;
    uint64_t anchored_wins;
    uint64_t anchored_stuck;
} kz_pf_start_counts;

/* A run of positions without a legal turn. */
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

/* The pairs of a slice's elements, in a team: pages are kept by several members, so what a slice finds is compared with
 * what it found before, and only what is new goes to the member that keeps the page. */
typedef struct kz_pf_elements {
    uint32_t *pairs; /* [enemy_sets]: their numbers */
    uint64_t *wins;  /* [enemy_sets]: bits of wins at once */
    size_t runs;     /* that they have together */
} kz_pf_elements;

/* An update: new marks of one pair, on their way to its page. u32 the number of the pair, then a u16 for each of its
 * runs that has any: the number of the run in the pair, the marks above it; the last one has KZ_PF_LAST_ITEM set. */
enum {
    KZ_PF_ITEM_BITS = 6,
    KZ_PF_LAST_ITEM = 1 << 15,
    KZ_PF_MOST_UPDATE = 4 + 2 * KZ_PF_WIN_BITS /* bytes */
};

/* The memory in which one worker sweeps one slice after the other. */
typedef struct kz_pf_slice kz_pf_slice;

kz_pf_slice *kz_pf_slice_open(const kz_pf_tables *tables, kz_error *error);
void kz_pf_slice_close(kz_pf_slice *slice);

/* Phase 0: which positions of the slice can push a piece off, and which can't push at all. Writes the words of the
 * pairs to the state (whose runs are not laid out yet) or to `elements`, and adds the runs of stuck positions that
 * exist to the list. All three may be NULL. */
void kz_pf_slice_start(kz_pf_slice *slice, uint32_t enemy, kz_pf_state *state, kz_pf_elements *elements,
                       kz_pf_stuck_list *stuck, kz_pf_start_counts *counts);

/* The wins at once of `count` own sets of the slice, given by their ranks: bits alpha * splits + rho of each. For few
 * own sets this takes much less time than the whole slice. */
void kz_pf_slice_wins(kz_pf_slice *slice, uint32_t enemy, const uint32_t *wanted, uint32_t count, uint64_t *wins);

/* A later phase: finds the positions of the slice that are lost because all turns lead to positions won for the
 * opponent, or won because some turn leads to a lost one, and marks those in the state that were undecided. `memo` and
 * `seen` (enemy_sets bytes) are what the last such sweep of this slice remembered; then only elements are marked that
 * have changed since. NULL: all are. */
void kz_pf_slice_sweep(kz_pf_slice *slice, uint32_t enemy, bool losses, kz_pf_state *state, kz_pf_memo *memo,
                       uint8_t *seen, kz_pf_slice_counts *counts);

/* The same for a team: what it finds goes to `updates` (room for enemy_sets of the largest), as far as `known` does not
 * have it yet. `known` is a byte for each run of the slice's elements, one after the other, with a bit for each
 * position that is decided. `wins` has the wins at once, by element. Returns the end of the updates; counts->fresh
 * stays as it is. */
uint8_t *kz_pf_slice_sweep_apart(kz_pf_slice *slice, uint32_t enemy, bool losses, const kz_pf_state *state,
                                 const uint64_t *wins, uint8_t *known, uint8_t *updates, kz_pf_slice_counts *counts);

/* For each enemy set of an own set that is kept: which enemy pieces, in order, may carry the anchor. */
void kz_pf_anchors(const kz_pf_tables *tables, uint32_t own, uint8_t *anchors);

/* The entries of open runs: what phases after 0 found stays, the rest follows from the state. */
void kz_pf_complete_runs(const uint16_t *runs, size_t count, uint64_t *values);

/* The pages (own sets that are kept) that successors of the slice's positions may lie in; some may come up twice.
 * Returns how many. */
enum { KZ_PF_MOST_NEEDS = KZ_PF_DIRECTIONS * KZ_PF_SUBSETS };
size_t kz_pf_slice_needs(const kz_pf_tables *tables, uint32_t enemy, uint32_t pages[KZ_PF_MOST_NEEDS]);

/* Whether a successor of the slice's positions may lie in a page that `changed` marks. */
bool kz_pf_slice_touched(const kz_pf_tables *tables, uint32_t enemy, const uint8_t *changed);

#endif
