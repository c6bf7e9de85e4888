/* SPDX-License-Identifier: MIT
 *
 * Sets of squares, of pieces and of own sets that are kept are all patterns of `size` bits out of `width` that are
 * numbered in increasing order, so one pair of functions ranks them all. */
#include "games/pushfight/index/index.h"

#include "base/bits.h"
#include "games/pushfight/index/space.h"
#include "games/pushfight/rules/rules.h"

/* Patterns that are counted: all, or those that are lower than their mirror image. */
typedef struct family {
    int width;
    int size;
    bool lower;
} family;

static uint64_t choose(int n, int k) {
    if (k < 0 || k > n) {
        return 0;
    }
    uint64_t result = 1;
    for (int i = 1; i <= k; i++) {
        result = result * (uint64_t)(n - k + i) / (uint64_t)i;
    }
    return result;
}

static uint32_t ones(int count) { return (UINT32_C(1) << count) - 1; }

/* How many patterns of the family have the bits of `value` at the places of `fixed`. */
static uint64_t count_lower(const family *f, uint32_t fixed, uint32_t value) {
    /* Goes from both ends to the middle: a pattern is lower if it has 0 above and 1 below at the first two places that
     * differ. equal[n] counts those with no difference so far and n bits set. */
    uint64_t equal[KZ_PF_MOST_PIECES + 1] = {1};
    uint64_t count = 0;
    for (int low = 0, high = f->width - 1; low < high; low++, high--) {
        uint32_t between = (UINT32_C(1) << high) - (UINT32_C(2) << low);
        uint32_t ends = UINT32_C(1) << high | UINT32_C(1) << low;
        uint32_t known = fixed & ends;
        int free = high - low - 1 - (int)kz_popcount32(between & fixed);
        int set = (int)kz_popcount32(between & value);
        bool may_be_lower = (value & known) == (known & UINT32_C(1) << low);
        bool may_be_zero = (value & known) == 0;
        bool may_be_one = (value & known) == known;
        for (int bits = f->size; bits >= 0; bits--) {
            if (may_be_lower) {
                count += equal[bits] * choose(free, f->size - bits - 1 - set);
            }
            if (may_be_one && bits + 2 <= f->size) {
                equal[bits + 2] += equal[bits];
            }
            equal[bits] = may_be_zero ? equal[bits] : 0;
        }
    }
    return count;
}

static uint64_t count_patterns(const family *f, uint32_t fixed, uint32_t value) {
    return f->lower
               ? count_lower(f, fixed, value)
               : choose(f->width - (int)kz_popcount32(fixed & ones(f->width)), f->size - (int)kz_popcount32(value));
}

static uint64_t family_size(const family *f) { return count_patterns(f, 0, 0); }

static uint64_t pattern_rank(const family *f, uint32_t pattern) {
    uint64_t rank = 0;
    uint32_t fixed = 0;
    for (uint32_t bit = UINT32_C(1) << (KZ_PF_MOST_SQUARES - 1); bit; bit >>= 1) {
        if (pattern & bit) {
            rank += count_patterns(f, fixed | bit, pattern & fixed);
        }
        fixed |= bit;
    }
    return rank;
}

static uint32_t pattern_at(const family *f, uint64_t rank) {
    uint32_t pattern = 0;
    uint32_t fixed = 0;
    for (uint32_t bit = UINT32_C(1) << (KZ_PF_MOST_SQUARES - 1); bit; bit >>= 1) {
        fixed |= bit;
        uint64_t without = count_patterns(f, fixed, pattern);
        if (rank >= without) {
            rank -= without;
            pattern |= bit;
        }
    }
    return pattern;
}

/* What the parts of an index are ranked among. */
typedef struct families {
    int pieces;
    family own;
    family enemy;
    family split;
    family anchored_split;
} families;

static families families_of(const kz_pf_board *board) {
    int squares = kz_pf_square_count(board);
    int pieces = board->movers + board->pushers;
    return (families){
        .pieces = pieces,
        .own = {squares, pieces, board->symmetric && pieces % 2 == 1},
        .enemy = {squares - pieces, pieces, false},
        .split = {pieces, board->movers, false},
        .anchored_split = {pieces - 1, board->movers, false},
    };
}

uint64_t kz_pf_index_size(const kz_pf_board *board) {
    families f = families_of(board);
    return family_size(&f.own) * family_size(&f.enemy) * (uint64_t)f.pieces * family_size(&f.split) *
           family_size(&f.anchored_split);
}

/* A pattern with a place more, which holds 0. */
static uint32_t with_place(uint32_t pattern, unsigned place) {
    uint32_t below = (UINT32_C(1) << place) - 1;
    return (pattern & below) | (pattern & ~below) << 1;
}

bool kz_pf_index_of(const kz_pf_position *position, uint64_t *index) {
    const kz_pf_board *board = kz_pf_board_of(position);
    kz_pf_position kept = *position;
    if (!kz_pf_in_progress(position) ||
        !(kz_pf_anchorable(board, kz_pf_own(position) | kz_pf_enemy(position)) & kz_pf_anchor_square(position))) {
        return false;
    }
    families f = families_of(board);
    /* Packing keeps the order of sets, so the lower of two turns can be told before. */
    if (f.own.lower && kz_pf_rotate_squares(board, kz_pf_own(position)) < kz_pf_own(position)) {
        kz_pf_rotate_position(&kept);
    }
    uint32_t own = kz_pf_own(&kept);
    uint32_t enemy = kz_pf_enemy(&kept);
    unsigned alpha = kz_popcount32(enemy & (kz_pf_anchor_square(&kept) - 1));
    uint64_t place = pattern_rank(&f.own, kz_pf_pack(own, board->squares));
    place = place * family_size(&f.enemy) + pattern_rank(&f.enemy, kz_pf_pack(enemy, board->squares & ~own));
    place = place * (uint64_t)f.pieces + alpha;
    place = place * family_size(&f.split) + pattern_rank(&f.split, kz_pf_pack(kept.own_movers, own));
    place = place * family_size(&f.anchored_split) +
            pattern_rank(&f.anchored_split, kz_pf_without_bit(kz_pf_pack(kept.enemy_movers, enemy), alpha));
    *index = place;
    return true;
}

/* Takes the last part off an index. */
static uint64_t taken_off(uint64_t *index, uint64_t size) {
    uint64_t part = *index % size; /* NOLINT(clang-analyzer-core.DivideZero): no board is without pieces */
    *index /= size;
    return part;
}

void kz_pf_index_at(int board_number, uint64_t index, kz_pf_position *position) {
    const kz_pf_board *board = kz_pf_board_at(board_number);
    families f = families_of(board);
    uint32_t sigma = pattern_at(&f.anchored_split, taken_off(&index, family_size(&f.anchored_split)));
    uint32_t rho = pattern_at(&f.split, taken_off(&index, family_size(&f.split)));
    unsigned alpha = (unsigned)taken_off(&index, (uint64_t)f.pieces);
    uint32_t enemy_packed = pattern_at(&f.enemy, taken_off(&index, family_size(&f.enemy)));
    uint32_t own = kz_pf_unpack(pattern_at(&f.own, index), board->squares);
    uint32_t enemy = kz_pf_unpack(enemy_packed, board->squares & ~own);
    *position = (kz_pf_position){
        .own_movers = kz_pf_unpack(rho, own),
        .enemy_movers = kz_pf_unpack(with_place(sigma, alpha), enemy),
        .anchor = (int8_t)kz_lowest_bit32(kz_pf_unpack(UINT32_C(1) << alpha, enemy)),
        .board = (uint8_t)board_number,
    };
    position->own_pushers = own & ~position->own_movers;
    position->enemy_pushers = enemy & ~position->enemy_movers;
}
