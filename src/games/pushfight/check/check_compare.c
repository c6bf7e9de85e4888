/* SPDX-License-Identifier: MIT */
#include "games/pushfight/check/check_compare.h"

#include "games/pushfight/check/value_moves.h"

/* The sets are packed to the squares of the board, lowest first. */

/* Makes room for empty squares where `squares` are. */
static inline uint32_t spread_around(uint32_t packed, uint32_t squares) {
    for (; squares; squares &= squares - 1) {
        uint32_t below = (squares & -squares) - 1;
        packed = (packed & below) | (packed & ~below) << 1;
    }
    return packed;
}

/* Takes the squares of `squares` out, which are empty. */
static inline uint32_t close_up(uint32_t packed, uint32_t squares) {
    while (squares) {
        uint32_t highest = UINT32_C(1) << (31 - __builtin_clz(squares));
        packed = (packed & (highest - 1)) | (packed >> 1 & ~(highest - 1));
        squares ^= highest;
    }
    return packed;
}

static inline kz_pf_stored_pair find_pair(const kz_pf_space *space, const kz_pf_value_pages *pages, uint32_t own,
                                          uint32_t enemy) {
    uint32_t kept = space->kept[kz_pf_rank(&space->sets, own)];
    uint32_t others = close_up(enemy, own);
    if (kept & 1) {
        others = kz_pf_reversed(others, space->others.width);
    }
    uint32_t enemy_set = kz_pf_rank(&space->others, others);
    return (kz_pf_stored_pair){.number = (uint64_t)(kept >> 1) * space->enemy_sets + enemy_set,
                               .page = kz_pf_value_pages_stored(pages, kept >> 1),
                               .enemy_set = enemy_set,
                               .rotated = kept & 1};
}

static inline void compare_run(const kz_pf_space *space, const kz_pf_stored_pair *pair, int alpha, int rho,
                               const uint8_t *worths, kz_pf_seen *s) {
    int width = space->anchored_splits;
    unsigned bit = (unsigned)(pair->rotated ? (space->pieces - 1 - alpha) * space->splits + space->split_reversed[rho]
                                            : alpha * space->splits + rho);
    uint64_t open = ~pair->page->page.pairs[pair->enemy_set] & KZ_PF_WINS_MASK;
    const uint8_t *run = NULL;
    if (open >> bit & 1) {
        uint64_t number =
            kz_pf_first_run(&pair->page->page, pair->enemy_set) + kz_popcount64(open & ((UINT64_C(1) << bit) - 1));
        run = pair->page->runs + number * (unsigned)width;
    } else {
        uint8_t won = KZ_PF_WORTH_WIN;
        for (int sigma = 0; sigma < width; sigma++) {
            won &= worths[sigma];
        }
        if (won == KZ_PF_WORTH_WIN) { /* as nearly always */
            s->values[KZ_PF_BYTE_WIN] += (unsigned)width;
            return;
        }
    }
    uint64_t index = (pair->number * (uint64_t)(space->pieces * space->splits) + bit) * (uint64_t)width;
    for (int sigma = 0; sigma < width; sigma++) {
        int stored_sigma = pair->rotated ? space->anchored_reversed[sigma] : sigma;
        uint8_t stored = run ? kz_pf_offer_byte(run[stored_sigma]) : KZ_PF_BYTE_WIN;
        s->values[stored]++;
        if (kz_pf_worth_byte(worths[sigma]) != stored) {
            kz_pf_see_wrong(s, index + (uint64_t)stored_sigma);
        }
    }
}

void kz_pf_compare_run(const kz_pf_space *space, const kz_pf_stored_pair *pair, int alpha, int rho,
                       const uint8_t *worths, kz_pf_seen *seen) {
    compare_run(space, pair, alpha, rho, worths, seen);
}

/* The squares of the board by their packed numbers. */
typedef struct board_squares {
    uint32_t at[KZ_PF_MOST_SQUARES];
} board_squares;

static board_squares squares_of(const kz_pf_board *board) {
    board_squares squares = {{0}};
    int count = 0;
    for (uint32_t rest = board->squares; rest; rest &= rest - 1) {
        squares.at[count++] = rest & -rest;
    }
    return squares;
}

static inline __attribute__((always_inline)) void compare(const kz_pf_space *space, const kz_pf_value_pages *pages,
                                                          const kz_pf_value_sweep *sweep, uint32_t enemy,
                                                          kz_pf_seen *s) {
    const kz_pf_board *board = space->board;
    const kz_pf_worths worths = kz_pf_value_sweep_worths(sweep);
    board_squares squares = squares_of(board);
    uint32_t packed_enemy = kz_pf_pack(enemy, board->squares);
    for (uint32_t own_rank = 0; own_rank < space->enemy_sets; own_rank++) {
        uint32_t own = spread_around(space->others.patterns[own_rank], packed_enemy);
        uint32_t taken = enemy;
        for (uint32_t rest = own; rest; rest &= rest - 1) {
            taken |= squares.at[kz_lowest_bit32(rest)];
        }
        uint32_t alphas = kz_pf_pack(kz_pf_anchorable(board, taken), enemy);
        if (!alphas) {
            continue;
        }
        kz_pf_stored_pair pair = find_pair(space, pages, own, packed_enemy);
        for (int rho = 0; rho < space->splits; rho++) {
            for (uint32_t rest = alphas; rest; rest &= rest - 1) {
                unsigned alpha = kz_lowest_bit32(rest);
                unsigned lane = alpha * (unsigned)space->anchored_splits;
                compare_run(space, &pair, (int)alpha, rho, kz_pf_worth(&worths, own_rank, (unsigned)rho, lane), s);
            }
        }
    }
}

void kz_pf_compare_plain(const kz_pf_space *space, const kz_pf_value_pages *pages, const kz_pf_value_sweep *sweep,
                         uint32_t enemy, kz_pf_seen *seen) {
    compare(space, pages, sweep, enemy, seen);
}

#ifdef KZ_PF_AVX2
KZ_PF_AVX2 void kz_pf_compare_avx2(const kz_pf_space *space, const kz_pf_value_pages *pages,
                                   const kz_pf_value_sweep *sweep, uint32_t enemy, kz_pf_seen *seen) {
    compare(space, pages, sweep, enemy, seen);
}
#endif
