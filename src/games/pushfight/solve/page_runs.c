/* SPDX-License-Identifier: MIT */
#include "games/pushfight/check/value_pages.h"

#include "base/cpu.h"

/* The bits of a pair that get a run: those of `allowed` that are not won at once for all sigma. False if a position has
 * no value. */
static inline bool runs_of_pair(uint64_t allowed, size_t width, const uint8_t *bytes, uint64_t *runs) {
    *runs = 0;
    for (; allowed; allowed &= allowed - 1) {
        const uint8_t *run = bytes + kz_lowest_bit64(allowed) * width;
        unsigned differ = 0;
        bool missing = false;
        for (size_t sigma = 0; sigma < width; sigma++) {
            differ |= run[sigma] ^ KZ_PF_BYTE_WIN;
            missing |= run[sigma] == KZ_PF_NO_POSITION;
        }
        if (missing) {
            return false;
        }
        *runs |= differ ? allowed & -allowed : 0;
    }
    return true;
}

static uint32_t find_open(const kz_pf_space *space, uint32_t own_set, const uint8_t *bytes, uint64_t *open,
                          size_t *runs) {
    uint32_t own = space->own_squares[own_set];
    uint32_t room = space->board->squares & ~own;
    size_t width = (size_t)space->anchored_splits;
    size_t pair_places = (size_t)space->lanes * (size_t)space->splits;
    for (uint32_t pair = 0; pair < space->enemy_sets; pair++, bytes += pair_places) {
        uint32_t enemy = kz_pf_unpack(space->others.patterns[pair], room);
        uint64_t allowed = kz_pf_open_bits(space, 0, own, enemy);
        /* The width of the standard board as a constant makes this three times as fast. */
        bool complete = width == KZ_PF_MOST_ANCHORED_SPLITS
                            ? runs_of_pair(allowed, KZ_PF_MOST_ANCHORED_SPLITS, bytes, &open[pair])
                            : runs_of_pair(allowed, width, bytes, &open[pair]);
        if (!complete) {
            return pair;
        }
        *runs += kz_popcount64(open[pair]);
    }
    return space->enemy_sets;
}

static void fill(const kz_pf_space *space, const uint64_t *open, const uint8_t *bytes, kz_pf_value_page *page) {
    size_t width = (size_t)space->anchored_splits;
    size_t pair_places = (size_t)space->lanes * (size_t)space->splits;
    uint8_t *runs = page->runs;
    uint64_t run = 0;
    for (uint32_t pair = 0; pair < space->enemy_sets; pair++, bytes += pair_places) {
        kz_pf_page_number(&page->page, pair, open[pair], run);
        for (uint64_t rest = open[pair]; rest; rest &= rest - 1, run++) {
            const uint8_t *from = bytes + kz_lowest_bit64(rest) * width;
            for (size_t sigma = 0; sigma < width; sigma++) {
                *runs++ = kz_pf_offer(from[sigma]);
            }
        }
    }
}

const kz_pf_page_maker kz_pf_page_maker_plain = {find_open, fill};

const kz_pf_page_maker *kz_pf_page_maker_choose(const kz_pf_space *space) {
#ifdef __x86_64__
    if (space->anchored_splits == KZ_PF_MOST_ANCHORED_SPLITS && kz_cpu_level() >= KZ_CPU_AVX512) {
        return &kz_pf_page_maker_avx512;
    }
#else
    (void)space;
#endif
    return &kz_pf_page_maker_plain;
}
