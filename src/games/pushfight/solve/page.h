/* SPDX-License-Identifier: MIT
 *
 * A page: what is known about all positions of one own set.
 *
 * Whether a position is won at once, by pushing a piece off the board, does not depend on sigma. So each pair (own set,
 * enemy set) has one bit for each (alpha, rho), set if that is a win at once. Only the others have a *run*: an entry
 * for each sigma. A (alpha, rho) whose anchor fails the test of kz_pf_anchorable has no run either. The runs of a page
 * follow each other in the order of the pairs, then of the bits:
 *
 *     pairs[E]   bit alpha * splits + rho: won at once | upper bits: the pair's first run, counted from its base
 *     bases[k]   the number of the first run of pairs 64 k to 64 k + 63
 *     runs       | runs of pair 0 | runs of pair 1 | ...
 *
 * So the run of (E, alpha, rho) is number
 *     bases[E / 64] + (pairs[E] >> KZ_PF_WIN_BITS) + (how many lower bits of the pair have a run). */
#ifndef KZ_PUSHFIGHT_PAGE_H
#define KZ_PUSHFIGHT_PAGE_H

#include "base/bits.h"
#include "games/pushfight/index/space.h"

enum {
    KZ_PF_WIN_BITS = KZ_PF_MOST_PIECES * KZ_PF_MOST_SPLITS, /* bit alpha * splits + rho of a pair: won at once */
    KZ_PF_BASE_PAIRS =
        64 /* pairs that count their runs from a common base, so that the upper bits of a pair's word can hold it */
};

#define KZ_PF_WINS_MASK ((UINT64_C(1) << KZ_PF_WIN_BITS) - 1)

typedef struct kz_pf_page {
    uint64_t *pairs; /* [enemy_sets]: bits of wins at once; above them the pair's first run, counted from its base */
    uint64_t *bases; /* [kz_pf_base_count]: the number of the first run of so many pairs */
} kz_pf_page;

static inline uint32_t kz_pf_base_count(const kz_pf_space *space) {
    return (space->enemy_sets + KZ_PF_BASE_PAIRS - 1) / KZ_PF_BASE_PAIRS;
}

/* The bits of a pair that the anchor allows: all rho of those alpha that are in `anchors` (a bit for each enemy
 * piece, in the order of the squares). */
static inline uint64_t kz_pf_allowed(const kz_pf_space *space, uint32_t anchors) {
    uint64_t split_bits = (UINT64_C(1) << space->splits) - 1;
    uint64_t allowed = 0;
    for (; anchors; anchors &= anchors - 1) {
        allowed |= split_bits << (kz_lowest_bit32(anchors) * (unsigned)space->splits);
    }
    return allowed;
}

/* The bits of a pair that have runs. `enemy` and `own` are grid squares in the orientation that is kept. */
static inline uint64_t kz_pf_open_bits(const kz_pf_space *space, uint64_t pair, uint32_t own, uint32_t enemy) {
    uint32_t anchors = kz_pf_pack(kz_pf_anchorable(space->board, own | enemy), enemy);
    return ~pair & kz_pf_allowed(space, anchors);
}

/* Enters a pair whose first run has this number; those before it are entered. */
static inline void kz_pf_page_number(kz_pf_page *page, uint32_t enemy_set, uint64_t open, uint64_t run) {
    uint64_t *base = &page->bases[enemy_set / KZ_PF_BASE_PAIRS];
    if (enemy_set % KZ_PF_BASE_PAIRS == 0) {
        *base = run;
    }
    page->pairs[enemy_set] = (~open & KZ_PF_WINS_MASK) | (run - *base) << KZ_PF_WIN_BITS;
}

/* The number of the first run of a pair; the run of bit b comes after as many others as `open` has bits below b. */
static inline uint64_t kz_pf_first_run(const kz_pf_page *page, uint32_t enemy_set) {
    return page->bases[enemy_set / KZ_PF_BASE_PAIRS] + (page->pairs[enemy_set] >> KZ_PF_WIN_BITS);
}

#endif
