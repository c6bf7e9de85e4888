/* SPDX-License-Identifier: MIT */
#include "games/pushfight/rules/board.h"

#include "base/bits.h"

#include <stddef.h>

/* Columns `from` to `to` of a row. */
#define ROW(row, from, to) ((UINT32_C(0xFF) >> (7 - (to)) & UINT32_C(0xFF) << (from)) << 8 * (row))

#define STANDARD_SQUARES (ROW(0, 2, 6) | ROW(1, 0, 7) | ROW(2, 0, 7) | ROW(3, 1, 5))
#define STANDARD_HOME (ROW(0, 2, 3) | ROW(1, 0, 3) | ROW(2, 0, 3) | ROW(3, 1, 3))
#define STANDARD_RAILS                                                                                                 \
    { [KZ_PF_UP] = ROW(0, 2, 6), [KZ_PF_DOWN] = ROW(3, 1, 5) }

static const kz_pf_board boards[] = {
    {
        .name = "standard",
        .title = "26 squares, 2 movers and 3 pushers a side",
        .squares = STANDARD_SQUARES,
        .rail = STANDARD_RAILS,
        .movers = 2,
        .pushers = 3,
        .home = STANDARD_HOME,
        .phases = 97,
        .symmetric = true,
    },
    {
        .name = "mini",
        .title = "3 x 6 without its corners, 2 movers and 2 pushers a side",
        .squares = ROW(0, 1, 4) | ROW(1, 0, 5) | ROW(2, 1, 4),
        .rail = {[KZ_PF_UP] = ROW(0, 1, 4), [KZ_PF_DOWN] = ROW(2, 1, 4)},
        .movers = 2,
        .pushers = 2,
        .home = ROW(0, 1, 2) | ROW(1, 0, 2) | ROW(2, 1, 2),
        .symmetric = true,
    },
    {
        .name = "twocolumn",
        .title = "the standard board without its two middle columns, 18 squares",
        .squares = ROW(0, 2, 4) | ROW(1, 0, 5) | ROW(2, 0, 5) | ROW(3, 1, 3),
        .rail = {[KZ_PF_UP] = ROW(0, 2, 4), [KZ_PF_DOWN] = ROW(3, 1, 3)},
        .movers = 2,
        .pushers = 3,
        .home = ROW(0, 2, 2) | ROW(1, 0, 2) | ROW(2, 0, 2) | ROW(3, 1, 2),
        .phases = 40,
        .symmetric = true,
    },
    {
        .name = "onecolumn",
        .title = "the standard board without one middle column, 22 squares",
        .squares = ROW(0, 2, 5) | ROW(1, 0, 6) | ROW(2, 0, 6) | ROW(3, 1, 4),
        .rail = {[KZ_PF_UP] = ROW(0, 2, 5), [KZ_PF_DOWN] = ROW(3, 1, 4)},
        .movers = 2,
        .pushers = 3,
        /* Half of the middle column each. */
        .home = ROW(0, 2, 3) | ROW(1, 0, 3) | ROW(2, 0, 2) | ROW(3, 1, 2),
        .phases = 59,
        .symmetric = true,
    },
    {
        .name = "two-pushers",
        .title = "the standard board, 3 movers and 2 pushers a side",
        .squares = STANDARD_SQUARES,
        .rail = STANDARD_RAILS,
        .movers = 3,
        .pushers = 2,
        .home = STANDARD_HOME,
        .symmetric = true,
    },
    {
        .name = "corridor",
        .title = "2 x 5 with railings on the long sides, 1 mover and 1 pusher a side",
        .squares = ROW(0, 0, 4) | ROW(1, 0, 4),
        .rail = {[KZ_PF_UP] = ROW(0, 0, 4), [KZ_PF_DOWN] = ROW(1, 0, 4)},
        .movers = 1,
        .pushers = 1,
        .home = ROW(0, 0, 2) | ROW(1, 0, 1),
        .symmetric = true,
    },
    {
        .name = "raft",
        .title = "3 x 4 without railings, 1 mover and 2 pushers a side",
        .squares = ROW(0, 0, 3) | ROW(1, 0, 3) | ROW(2, 0, 3),
        .movers = 1,
        .pushers = 2,
        .home = ROW(0, 0, 1) | ROW(1, 0, 1) | ROW(2, 0, 1),
        .symmetric = true,
    },
    {
        .name = "hook",
        .title = "a crooked board of 11 squares with one railing, 1 mover and 2 pushers a side",
        .squares = ROW(0, 0, 3) | ROW(1, 0, 4) | ROW(2, 3, 4),
        .rail = {[KZ_PF_UP] = ROW(0, 0, 3)},
        .movers = 1,
        .pushers = 2,
        .home = ROW(0, 0, 1) | ROW(1, 0, 1) | ROW(2, 3, 3),
        .symmetric = false,
    },
};

const char *const kz_pushfight_rule_names[] = {"standard", "mini", "twocolumn", "onecolumn", "two-pushers",
                                               "corridor", "raft", "hook",      NULL};

const kz_pf_board *kz_pf_board_at(int number) {
    return number >= 0 && number < (int)(sizeof boards / sizeof *boards) ? &boards[number] : NULL;
}

uint32_t kz_pf_rotate_squares(const kz_pf_board *board, uint32_t squares) {
    uint32_t rotated = 0;
    uint32_t from_below = board->squares;
    for (uint32_t rest = board->squares; rest; rest &= rest - 1) {
        uint32_t highest = UINT32_C(1) << (31 - __builtin_clz(from_below));
        from_below ^= highest;
        rotated |= squares & rest & -rest ? highest : 0;
    }
    return rotated;
}

int kz_pf_square_number(const kz_pf_board *board, int bit) {
    return (int)kz_popcount32(board->squares & ((UINT32_C(1) << bit) - 1));
}

int kz_pf_square_bit(const kz_pf_board *board, int number) {
    uint32_t rest = board->squares;
    for (int i = 0; i < number; i++) {
        rest &= rest - 1;
    }
    return (int)kz_lowest_bit32(rest);
}

int kz_pf_square_count(const kz_pf_board *board) { return (int)kz_popcount32(board->squares); }
