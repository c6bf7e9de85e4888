/* SPDX-License-Identifier: MIT */
#include "games/pushfight/rules/rules.h"

#include "base/bits.h"
#include "base/error.h"

kz_pf_push_result kz_pf_push(kz_pf_position *position, int from, kz_pf_direction direction) {
    const kz_pf_board *board = kz_pf_board_of(position);
    uint32_t pusher = UINT32_C(1) << from;
    uint32_t line;
    kz_pf_push_result result = kz_pf_try_push(board, kz_pf_own(position), kz_pf_enemy(position),
                                              kz_pf_anchor_square(position), pusher, direction, &line);
    if (!kz_pf_push_legal(result)) {
        return result;
    }
    line |= pusher;
    position->own_movers = kz_pf_shifted(board, position->own_movers, line, direction);
    position->own_pushers = kz_pf_shifted(board, position->own_pushers, line, direction);
    position->enemy_movers = kz_pf_shifted(board, position->enemy_movers, line, direction);
    position->enemy_pushers = kz_pf_shifted(board, position->enemy_pushers, line, direction);
    kz_pf_change_sides(position);
    position->anchor = (int8_t)kz_lowest_bit32(kz_pf_step(pusher, direction));
    return result;
}

void kz_pf_change_sides(kz_pf_position *position) {
    kz_pf_position before = *position;
    position->own_movers = before.enemy_movers;
    position->own_pushers = before.enemy_pushers;
    position->enemy_movers = before.own_movers;
    position->enemy_pushers = before.own_pushers;
    position->anchor = KZ_PF_NO_ANCHOR;
    position->side = before.side ^ 1;
}

void kz_pf_rotate_position(kz_pf_position *position) {
    const kz_pf_board *board = kz_pf_board_of(position);
    position->own_movers = kz_pf_rotate_squares(board, position->own_movers);
    position->own_pushers = kz_pf_rotate_squares(board, position->own_pushers);
    position->enemy_movers = kz_pf_rotate_squares(board, position->enemy_movers);
    position->enemy_pushers = kz_pf_rotate_squares(board, position->enemy_pushers);
    uint32_t anchor = kz_pf_rotate_squares(board, kz_pf_anchor_square(position));
    position->anchor = (int8_t)(anchor ? (int)kz_lowest_bit32(anchor) : KZ_PF_NO_ANCHOR);
}

bool kz_pf_finished(const kz_pf_position *position) {
    const kz_pf_board *board = kz_pf_board_of(position);
    return (int)kz_popcount32(kz_pf_own(position)) < board->movers + board->pushers;
}

bool kz_pf_in_progress(const kz_pf_position *position) {
    return position->anchor != KZ_PF_NO_ANCHOR && !kz_pf_finished(position);
}

/* Whether there are as many pieces as the board has, but for `missing` of them. */
static bool has_pieces(uint32_t squares, int pieces, int *missing) {
    int count = (int)kz_popcount32(squares);
    *missing += pieces - count;
    return count <= pieces;
}

kz_status kz_pf_validate(int board, const kz_pf_position *position, kz_error *error) {
    if (position->board != board) {
        return kz_fail(error, KZ_ERR_INPUT, "the position belongs to another board");
    }
    const kz_pf_board *b = kz_pf_board_at(board);
    uint32_t own = kz_pf_own(position);
    uint32_t enemy = kz_pf_enemy(position);
    int missing = 0;
    if ((position->own_movers & position->own_pushers) | (position->enemy_movers & position->enemy_pushers) |
        (own & enemy) | ((own | enemy) & ~b->squares)) {
        return kz_fail(error, KZ_ERR_INPUT, "two pieces stand on one square, or one beside the board");
    }
    if (!has_pieces(position->own_movers, b->movers, &missing) ||
        !has_pieces(position->own_pushers, b->pushers, &missing) ||
        !has_pieces(position->enemy_movers, b->movers, &missing) ||
        !has_pieces(position->enemy_pushers, b->pushers, &missing) || missing > 1) {
        return kz_fail(error, KZ_ERR_INPUT,
                       "a side has %d movers and %d pushers, and at most one piece is off the board", b->movers,
                       b->pushers);
    }
    if (position->anchor != KZ_PF_NO_ANCHOR &&
        (position->anchor < 0 || position->anchor >= 32 || !(position->enemy_pushers >> position->anchor & 1))) {
        return kz_fail(error, KZ_ERR_INPUT, "the anchor is not on an enemy pusher");
    }
    if (position->side > 1) {
        return kz_fail(error, KZ_ERR_INPUT, "there are two sides, 0 and 1");
    }
    return KZ_OK;
}

bool kz_pf_same(const kz_pf_position *a, const kz_pf_position *b) {
    return a->own_movers == b->own_movers && a->own_pushers == b->own_pushers && a->enemy_movers == b->enemy_movers &&
           a->enemy_pushers == b->enemy_pushers && a->anchor == b->anchor && a->board == b->board && a->side == b->side;
}

/* ---- The start ------------------------------------------------------------------------------------------------- */

/* How near `square` is to `zone`: larger is nearer. */
static int nearness(const kz_pf_board *board, uint32_t square, uint32_t zone) {
    int near = KZ_PF_GRID;
    for (; near > 0 && !(zone & square); near--) {
        zone |= kz_pf_neighbours(zone) & board->squares;
    }
    return near;
}

static int neighbours_of(const kz_pf_board *board, uint32_t square) {
    return (int)kz_popcount32(kz_pf_neighbours(square) & board->squares);
}

/* The best `count` of `squares`: near the other half, or (`inner` only) just in the middle of the board, where a piece
 * is safe; the first ones of those that are as good. */
static uint32_t best_squares(const kz_pf_board *board, uint32_t squares, int count, bool inner) {
    uint32_t other_half = board->squares & ~squares;
    uint32_t chosen = 0;
    for (int i = 0; i < count; i++) {
        uint32_t best = 0;
        int most = -1;
        for (uint32_t rest = squares & ~chosen; rest; rest &= rest - 1) {
            uint32_t square = rest & -rest;
            int score = neighbours_of(board, square) + (inner ? 0 : 8 * nearness(board, square, other_half));
            if (score > most) {
                most = score;
                best = square;
            }
        }
        chosen |= best;
    }
    return chosen;
}

void kz_pf_start(int board_number, kz_pf_position *position) {
    const kz_pf_board *board = kz_pf_board_at(board_number);
    *position = (kz_pf_position){.anchor = KZ_PF_NO_ANCHOR, .board = (uint8_t)board_number};
    int pieces = board->movers + board->pushers;
    uint32_t own = best_squares(board, board->home, pieces, false);
    uint32_t enemy = board->symmetric ? kz_pf_rotate_squares(board, own)
                                      : best_squares(board, board->squares & ~board->home, pieces, false);
    position->own_pushers = best_squares(board, own, board->pushers, true);
    position->own_movers = own & ~position->own_pushers;
    position->enemy_pushers = board->symmetric ? kz_pf_rotate_squares(board, position->own_pushers)
                                               : best_squares(board, enemy, board->pushers, true);
    position->enemy_movers = enemy & ~position->enemy_pushers;
}
