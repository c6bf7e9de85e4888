/* SPDX-License-Identifier: MIT */
#include "games/pushfight/solve/solve.h"

#include "base/bits.h"
#include "games/pushfight/index/permutation.h"

static uint32_t first_set(uint32_t board, int size) {
    uint32_t set = 0;
    for (; size > 0; size--, board &= board - 1) {
        set |= board & -board;
    }
    return set;
}

/* The next larger set of as many squares of the board: packed sets are numbers with so many bits, and what is added to
 * the lowest run of bits runs through the squares of `board` only. 0 after the last. */
static uint32_t next_set(uint32_t set, uint32_t board) {
    uint32_t lowest = set & -set;
    uint32_t carried = ((set | ~board) + lowest) & board;
    if (!carried) {
        return 0;
    }
    int missing = (int)kz_popcount32(set) - (int)kz_popcount32(carried);
    return carried | first_set(board, missing);
}

kz_pf_position_counts kz_pf_count_board(const kz_pf_board *board) {
    int pieces = board->movers + board->pushers;
    uint32_t first_half = 0;
    for (int number = 0; number < kz_pf_square_count(board) / (board->symmetric ? 2 : 1); number++) {
        first_half |= UINT32_C(1) << kz_pf_square_bit(board, number);
    }
    /* Anchors of all sets, and of those that stand in the first half: of two positions that are turns of each other,
     * one has its anchor there. */
    uint64_t sets = 0;
    uint64_t anchors = 0;
    uint64_t anchors_there = 0;
    for (uint32_t taken = first_set(board->squares, 2 * pieces); taken; taken = next_set(taken, board->squares)) {
        uint32_t fit = taken & kz_pf_anchorable(board, taken);
        sets++;
        anchors += kz_popcount32(fit);
        anchors_there += kz_popcount32(fit & first_half);
    }
    /* What may stand on the other squares of a set: all that an anchor leaves. */
    kz_pf_counts others = kz_pf_board_counts(board);
    others.of[KZ_PF_EMPTY] = 0;
    others.of[KZ_PF_ANCHORED] = 0;
    uint64_t ways = kz_pf_strings(others);
    return (kz_pf_position_counts){
        .permutations = sets * (uint64_t)(2 * pieces) * ways,
        .anchored = anchors * ways,
        .minimized = anchors_there * ways,
    };
}

kz_status kz_pf_count_positions(kz_pool *pool, const kz_progress *progress, kz_count *counts, size_t room,
                                size_t *found, kz_error *error) {
    (void)pool;
    (void)progress; /* done before anyone would look */
    (void)error;
    kz_pf_position_counts count = kz_pf_count_board(kz_pf_board_at(0));
    const kz_count figures[] = {
        {"permutations", "arrangements of all pieces with an anchor", count.permutations},
        {"anchored", "those in which the anchored piece can have pushed", count.anchored},
        {"minimized", "those up to the rotation of the board", count.minimized},
    };
    size_t total = sizeof figures / sizeof figures[0];
    *found = room < total ? room : total;
    for (size_t i = 0; i < *found; i++) {
        counts[i] = figures[i];
    }
    return KZ_OK;
}
