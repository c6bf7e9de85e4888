/* SPDX-License-Identifier: MIT */
#include "games/pushfight/index/index.h"

#include "base/bits.h"
#include "games/pushfight/index/permutation.h"
#include "games/pushfight/rules/rules.h"

enum {
    MOST_NEIGHBOURS = 4,
    MOST_PARTS = KZ_PF_ANCHORED * KZ_PF_ANCHORED * KZ_PF_ANCHORED * KZ_PF_ANCHORED /* more than there can be */
};

/* The squares around the anchor that a part is told by: numbers in the order of the squares. */
typedef struct neighbours {
    int count;
    int square[MOST_NEIGHBOURS];
} neighbours;

/* The positions with the same codes on these squares. */
typedef struct part {
    uint8_t codes[MOST_NEIGHBOURS];
    kz_pf_counts rest; /* of the other squares, that of the anchor aside */
    uint64_t size;
} part;

/* All parts around one square, in order. */
typedef struct parts {
    neighbours around;
    int count;
    uint64_t size;
    part list[MOST_PARTS];
} parts;

/* Numbers of the two squares beside `anchor` on a line. False if they are not both on the board. */
static bool beside(const kz_pf_board *board, uint32_t anchor, kz_pf_direction before, kz_pf_direction after,
                   int numbers[2]) {
    uint32_t first = kz_pf_step(anchor, before) & board->squares;
    uint32_t second = kz_pf_step(anchor, after) & board->squares;
    if (!first || !second) {
        return false;
    }
    numbers[0] = kz_pf_square_number(board, (int)kz_lowest_bit32(first));
    numbers[1] = kz_pf_square_number(board, (int)kz_lowest_bit32(second));
    return true;
}

/* Whether one square of a line is empty, and the other one is not. */
static bool telling(uint8_t one, uint8_t other) { return (one == KZ_PF_EMPTY) != (other == KZ_PF_EMPTY); }

/* Whether codes on the squares around the anchor belong to the part: two squares are a line; four are those above, to
 * the left, to the right and below, and the horizontal line must not tell, as such positions are in the other part. */
static bool belongs(const uint8_t *codes, int count) {
    return count == 2 ? telling(codes[0], codes[1]) : telling(codes[0], codes[3]) && !telling(codes[1], codes[2]);
}

/* Adds the parts that begin as `begin` does, which has `depth` codes and leaves `left` squares, in order. */
static void add_parts(parts *all, const part *begin, int depth, int left) {
    if (depth == all->around.count) {
        if (belongs(begin->codes, depth)) {
            all->size += begin->size;
            all->list[all->count++] = *begin;
        }
        return;
    }
    for (int code = KZ_PF_EMPTY; code < KZ_PF_ANCHORED; code++) {
        int count = begin->rest.of[code];
        if (count > 0) {
            part next = *begin;
            next.codes[depth] = (uint8_t)code;
            next.rest.of[code] = count - 1;
            next.size = begin->size * (uint64_t)count / (uint64_t)left;
            add_parts(all, &next, depth + 1, left - 1);
        }
    }
}

/* The horizontal or the vertical parts of an anchor. There may be none. */
static void find_parts(const kz_pf_board *board, uint32_t anchor, bool vertical, parts *all) {
    all->count = 0;
    all->size = 0;
    int across[2];
    int along[2];
    bool has_across = beside(board, anchor, KZ_PF_LEFT, KZ_PF_RIGHT, across);
    if (!vertical) {
        if (!has_across) {
            return;
        }
        all->around = (neighbours){2, {across[0], across[1]}};
    } else {
        if (!beside(board, anchor, KZ_PF_UP, KZ_PF_DOWN, along)) {
            return;
        }
        all->around = has_across ? (neighbours){4, {along[0], across[0], across[1], along[1]}}
                                 : (neighbours){2, {along[0], along[1]}};
    }
    part begin = {.rest = kz_pf_board_counts(board)};
    begin.rest.of[KZ_PF_ANCHORED] = 0;
    begin.size = kz_pf_strings(begin.rest);
    add_parts(all, &begin, 0, kz_pf_square_count(board) - 1);
}

/* Squares where the anchor of a position stands that is not rotated. */
static uint32_t anchor_squares(const kz_pf_board *board) {
    int last = kz_pf_square_count(board) / (board->symmetric ? 2 : 1);
    uint32_t squares = 0;
    for (int number = 0; number < last; number++) {
        squares |= UINT32_C(1) << kz_pf_square_bit(board, number);
    }
    return squares;
}

/* The squares that are neither the anchor's nor around it, in order; returns how many there are. */
static int other_squares(const kz_pf_board *board, uint32_t anchor, const neighbours *around, int *numbers) {
    int count = 0;
    int anchor_number = kz_pf_square_number(board, (int)kz_lowest_bit32(anchor));
    for (int number = 0; number < kz_pf_square_count(board); number++) {
        bool other = number != anchor_number;
        for (int i = 0; i < around->count; i++) {
            other = other && number != around->square[i];
        }
        if (other) {
            numbers[count++] = number;
        }
    }
    return count;
}

uint64_t kz_pf_minimized_size(const kz_pf_board *board) {
    uint64_t size = 0;
    parts all;
    for (uint32_t rest = anchor_squares(board); rest; rest &= rest - 1) {
        for (int vertical = 0; vertical < 2; vertical++) {
            find_parts(board, rest & -rest, vertical, &all);
            size += all.size;
        }
    }
    return size;
}

/* The rank of a position among those with its anchor's square that are in these parts. False if it is in none. */
static bool rank_in_parts(const kz_pf_board *board, uint32_t anchor, const uint8_t *codes, const parts *all,
                          uint64_t *rank) {
    uint64_t before = 0;
    for (int i = 0; i < all->count; i++) {
        const part *candidate = &all->list[i];
        bool same = true;
        for (int j = 0; j < all->around.count; j++) {
            same = same && codes[all->around.square[j]] == candidate->codes[j];
        }
        if (same) {
            int numbers[KZ_PF_MOST_SQUARES];
            uint8_t others[KZ_PF_MOST_SQUARES];
            int count = other_squares(board, anchor, &all->around, numbers);
            for (int j = 0; j < count; j++) {
                others[j] = codes[numbers[j]];
            }
            *rank = before + kz_pf_string_rank(others, count);
            return true;
        }
        before += candidate->size;
    }
    return false;
}

bool kz_pf_minimized(const kz_pf_position *position, uint64_t *index, bool *rotated) {
    const kz_pf_board *board = kz_pf_board_of(position);
    uint32_t squares = anchor_squares(board);
    kz_pf_position normal = *position;
    *rotated = !(squares & kz_pf_anchor_square(position));
    if (*rotated) {
        kz_pf_rotate_position(&normal);
    }
    uint32_t anchor = kz_pf_anchor_square(&normal);
    uint8_t codes[KZ_PF_MOST_SQUARES];
    kz_pf_codes(&normal, codes);
    parts all;
    uint64_t before = 0;
    for (uint32_t rest = squares & ((anchor << 1) - 1); rest; rest &= rest - 1) {
        for (int vertical = 0; vertical < 2; vertical++) {
            find_parts(board, rest & -rest, vertical, &all);
            uint64_t rank;
            if ((rest & -rest) == anchor && rank_in_parts(board, anchor, codes, &all, &rank)) {
                *index = before + rank;
                return true;
            }
            before += all.size;
        }
    }
    return false;
}

/* Finds the position with that rank in the parts. */
static void at_in_parts(int board_number, uint32_t anchor, const parts *all, uint64_t rank, kz_pf_position *position) {
    const part *found = all->list;
    while (rank >= found->size) {
        rank -= found->size;
        found++;
    }
    const kz_pf_board *board = kz_pf_board_at(board_number);
    uint8_t codes[KZ_PF_MOST_SQUARES];
    codes[kz_pf_square_number(board, (int)kz_lowest_bit32(anchor))] = KZ_PF_ANCHORED;
    for (int i = 0; i < all->around.count; i++) {
        codes[all->around.square[i]] = found->codes[i];
    }
    int numbers[KZ_PF_MOST_SQUARES];
    uint8_t others[KZ_PF_MOST_SQUARES];
    int count = other_squares(board, anchor, &all->around, numbers);
    kz_pf_string_at(rank, found->rest, others);
    for (int i = 0; i < count; i++) {
        codes[numbers[i]] = others[i];
    }
    kz_pf_from_codes(board_number, codes, position);
}

void kz_pf_minimized_at(int board_number, uint64_t index, bool rotated, kz_pf_position *position) {
    const kz_pf_board *board = kz_pf_board_at(board_number);
    parts all;
    for (uint32_t rest = anchor_squares(board); rest; rest &= rest - 1) {
        for (int vertical = 0; vertical < 2; vertical++) {
            find_parts(board, rest & -rest, vertical, &all);
            if (index < all.size) {
                at_in_parts(board_number, rest & -rest, &all, index, position);
                if (rotated) {
                    kz_pf_rotate_position(position);
                }
                return;
            }
            index -= all.size;
        }
    }
}
