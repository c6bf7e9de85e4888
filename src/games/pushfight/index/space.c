/* SPDX-License-Identifier: MIT */
#include "games/pushfight/index/space.h"

#include "base/bits.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

static uint32_t choose(int n, int k) {
    uint64_t result = 1;
    for (int i = 0; i < k; i++) {
        result = result * (uint64_t)(n - i) / (uint64_t)(i + 1);
    }
    return n < k ? 0 : (uint32_t)result;
}

/* The next larger number with as many bits set. */
static uint32_t next_pattern(uint32_t pattern) {
    uint32_t lowest = pattern & -pattern;
    uint32_t ripple = pattern + lowest;
    return ripple | ((pattern ^ ripple) >> 2) / lowest;
}

/* Rank = sum over the bits, lowest first, of choose(place, how many bits up to this one). */
static uint32_t plain_rank(uint32_t pattern, int counted) {
    uint32_t rank = 0;
    for (; pattern; pattern &= pattern - 1) {
        rank += choose((int)kz_lowest_bit32(pattern), ++counted);
    }
    return rank;
}

static bool make_ranks(kz_pf_ranks *ranks, int width, int size) {
    ranks->width = width;
    ranks->size = size;
    ranks->count = choose(width, size);
    ranks->low = calloc(KZ_PF_PART, sizeof *ranks->low);
    ranks->high = calloc((KZ_PF_MOST_PIECES + 1) * (size_t)KZ_PF_PART, sizeof *ranks->high);
    ranks->patterns = calloc((size_t)ranks->count + 1, sizeof *ranks->patterns);
    if (!ranks->low || !ranks->high || !ranks->patterns) {
        return false;
    }
    for (uint32_t part = 0; part < KZ_PF_PART; part++) {
        int bits = (int)kz_popcount32(part);
        if (bits > size) {
            continue;
        }
        ranks->low[part] = (uint16_t)plain_rank(part, 0);
        for (int below = 0; below + bits <= size; below++) {
            ranks->high[(size_t)below * KZ_PF_PART + part] = plain_rank(part << KZ_PF_LOW_BITS, below);
        }
    }
    uint32_t pattern = (UINT32_C(1) << size) - 1;
    for (uint32_t i = 0; i < ranks->count; i++, pattern = next_pattern(pattern)) {
        ranks->patterns[i] = pattern;
    }
    return true;
}

static void free_ranks(kz_pf_ranks *ranks) {
    free(ranks->low);
    free(ranks->high);
    free(ranks->patterns);
}

uint32_t kz_pf_pack(uint32_t squares, uint32_t mask) {
    uint32_t packed = 0;
    for (uint32_t bit = 1; mask; mask &= mask - 1, bit <<= 1) {
        packed |= squares & mask & -mask ? bit : 0;
    }
    return packed;
}

uint32_t kz_pf_unpack(uint32_t packed, uint32_t mask) {
    uint32_t squares = 0;
    for (; mask; mask &= mask - 1, packed >>= 1) {
        squares |= packed & 1 ? mask & -mask : 0;
    }
    return squares;
}

/* Numbers the subsets of `size` out of `width` pieces and returns how many there are. */
static int number_subsets(int width, int size, uint8_t *patterns, uint8_t *numbers, uint8_t *rotated) {
    int count = 0;
    for (uint32_t pattern = 0; pattern < UINT32_C(1) << width; pattern++) {
        if ((int)kz_popcount32(pattern) == size) {
            numbers[pattern] = (uint8_t)count;
            patterns[count++] = (uint8_t)pattern;
        }
    }
    for (int i = 0; i < count; i++) {
        rotated[i] = numbers[kz_pf_reversed(patterns[i], width)];
    }
    return count;
}

/* Which own sets are kept. */
static bool make_kept(kz_pf_space *space) {
    uint32_t count = space->sets.count;
    space->own_sets = space->folded ? count / 2 : count;
    space->kept = malloc(count * sizeof *space->kept);
    space->own_squares = malloc(space->own_sets * sizeof *space->own_squares);
    if (!space->kept || !space->own_squares) {
        return false;
    }
    uint32_t number = 0;
    for (uint32_t set = 0; set < count; set++) {
        uint32_t pattern = space->sets.patterns[set];
        uint32_t turn = space->folded ? kz_pf_rank(&space->sets, kz_pf_reversed(pattern, space->squares)) : set;
        if (turn < set) {
            space->kept[set] = space->kept[turn] | 1;
        } else {
            space->kept[set] = 2 * number;
            space->own_squares[number++] = kz_pf_unpack(pattern, space->board->squares);
        }
    }
    return true;
}

kz_status kz_pf_space_open(const kz_pf_board *board, kz_pf_space **opened, kz_error *error) {
    kz_pf_space *space = calloc(1, sizeof *space);
    if (!space) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for the index of the board");
    }
    space->board = board;
    space->squares = kz_pf_square_count(board);
    space->pieces = board->movers + board->pushers;
    space->folded = board->symmetric && space->pieces % 2 == 1;
    space->splits =
        number_subsets(space->pieces, board->movers, space->split_pattern, space->split_number, space->split_reversed);
    space->anchored_splits = number_subsets(space->pieces - 1, board->movers, space->anchored_pattern,
                                            space->anchored_number, space->anchored_reversed);
    space->lanes = space->pieces * space->anchored_splits;
    if (!make_ranks(&space->sets, space->squares, space->pieces) ||
        !make_ranks(&space->others, space->squares - space->pieces, space->pieces) || !make_kept(space)) {
        kz_pf_space_close(space);
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for the index of the board");
    }
    space->enemy_sets = space->others.count;
    space->pairs = (uint64_t)space->own_sets * space->enemy_sets;
    space->positions = space->pairs * (uint64_t)(space->lanes * space->splits);
    *opened = space;
    return KZ_OK;
}

void kz_pf_space_close(kz_pf_space *space) {
    if (space) {
        free_ranks(&space->sets);
        free_ranks(&space->others);
        free(space->kept);
        free(space->own_squares);
        free(space);
    }
}

/* ---- Single positions -------------------------------------------------------------------------------------------- */

static kz_pf_position rotated(const kz_pf_board *board, const kz_pf_position *position) {
    kz_pf_position turn = *position;
    turn.own_movers = kz_pf_rotate_squares(board, position->own_movers);
    turn.own_pushers = kz_pf_rotate_squares(board, position->own_pushers);
    turn.enemy_movers = kz_pf_rotate_squares(board, position->enemy_movers);
    turn.enemy_pushers = kz_pf_rotate_squares(board, position->enemy_pushers);
    turn.anchor = (int8_t)kz_lowest_bit32(kz_pf_rotate_squares(board, UINT32_C(1) << position->anchor));
    return turn;
}

bool kz_pf_index(const kz_pf_space *space, const kz_pf_position *position, uint64_t *index) {
    const kz_pf_board *board = space->board;
    uint32_t own = position->own_movers | position->own_pushers;
    uint32_t enemy = position->enemy_movers | position->enemy_pushers;
    if (position->anchor == KZ_PF_NO_ANCHOR || (int)kz_popcount32(own) != space->pieces ||
        (int)kz_popcount32(enemy) != space->pieces || !(kz_pf_anchorable(board, own | enemy) >> position->anchor & 1)) {
        return false;
    }
    uint32_t kept = space->kept[kz_pf_rank(&space->sets, kz_pf_pack(own, board->squares))];
    kz_pf_position turn = *position;
    if (kept & 1) {
        turn = rotated(board, position);
        own = turn.own_movers | turn.own_pushers;
        enemy = turn.enemy_movers | turn.enemy_pushers;
    }
    unsigned alpha = kz_popcount32(enemy & ((UINT32_C(1) << turn.anchor) - 1));
    uint64_t place = (uint64_t)(kept >> 1) * space->enemy_sets +
                     kz_pf_rank(&space->others, kz_pf_pack(enemy, board->squares & ~own));
    place = place * (uint64_t)space->pieces + alpha;
    place = place * (uint64_t)space->splits + space->split_number[kz_pf_pack(turn.own_movers, own)];
    place = place * (uint64_t)space->anchored_splits +
            space->anchored_number[kz_pf_without_bit(kz_pf_pack(turn.enemy_movers, enemy), alpha)];
    *index = place;
    return true;
}

bool kz_pf_at(const kz_pf_space *space, uint64_t index, kz_pf_position *position) {
    const kz_pf_board *board = space->board;
    uint32_t sigma = space->anchored_pattern[index % (uint64_t)space->anchored_splits];
    index /= (uint64_t)space->anchored_splits;
    uint32_t rho = space->split_pattern[index % (uint64_t)space->splits];
    index /= (uint64_t)space->splits;
    unsigned alpha = (unsigned)(index % (uint64_t)space->pieces);
    index /= (uint64_t)space->pieces;
    uint32_t own = space->own_squares[index / space->enemy_sets];
    uint32_t enemy = kz_pf_unpack(space->others.patterns[index % space->enemy_sets], board->squares & ~own);
    uint32_t below = (UINT32_C(1) << alpha) - 1;
    uint32_t enemy_movers = (sigma & below) | (sigma & ~below) << 1;
    *position = (kz_pf_position){
        .own_movers = kz_pf_unpack(rho, own),
        .enemy_movers = kz_pf_unpack(enemy_movers, enemy),
        .anchor = (int8_t)kz_lowest_bit32(kz_pf_unpack(UINT32_C(1) << alpha, enemy)),
    };
    position->own_pushers = own & ~position->own_movers;
    position->enemy_pushers = enemy & ~position->enemy_movers;
    for (int number = 0; kz_pf_board_at(number); number++) {
        if (kz_pf_board_at(number) == board) {
            position->board = (uint8_t)number;
        }
    }
    return kz_pf_anchorable(board, own | enemy) >> position->anchor & 1;
}
