/* SPDX-License-Identifier: MIT
 *
 * The positions after each turn, for searches that look at millions of them: no lists, nothing that does not matter to
 * a position's value. It is all inline, so that what is done with a successor becomes part of the loops.
 *
 * For positions in which no push wins at once: turns that push a piece off the board are left out. */
#ifndef KZ_PUSHFIGHT_SUCCESSORS_H
#define KZ_PUSHFIGHT_SUCCESSORS_H

#include "base/bits.h"
#include "games/pushfight/rules/rules.h"

#define KZ_PF_INLINE static inline __attribute__((always_inline))

/* A position, as the side to move sees it. */
typedef struct kz_pf_sides {
    uint32_t movers;
    uint32_t pushers;
    uint32_t enemy_movers;
    uint32_t enemy_pushers;
    uint32_t anchor; /* a set of one square or of none */
} kz_pf_sides;

/* A turn: up to two moves, which can be made in one order or the other, and a push. Sets of one square, empty where
 * there is no move. */
typedef struct kz_pf_steps {
    uint32_t from[2];
    uint32_t to[2];
    uint32_t pusher;
    kz_pf_direction direction;
} kz_pf_steps;

/* Gets a turn and the position after it, as the next side to move sees it. Returns whether to go on. */
typedef bool kz_pf_visit(void *context, const kz_pf_steps *turn, const kz_pf_sides *next);

static inline uint32_t kz_pf_free_squares(const kz_pf_board *board, const kz_pf_sides *sides) {
    return board->squares & ~(sides->movers | sides->pushers | sides->enemy_movers | sides->enemy_pushers);
}

/* The position after the moves of a turn. */
KZ_PF_INLINE kz_pf_sides kz_pf_after_moves(const kz_pf_sides *sides, const kz_pf_steps *turn) {
    kz_pf_sides moved = *sides;
    moved.movers &= ~(turn->from[0] | turn->from[1]);
    moved.pushers &= ~(turn->from[0] | turn->from[1]);
    for (int i = 0; i < 2; i++) {
        uint32_t mover_to = sides->movers & turn->from[i] ? turn->to[i] : 0;
        moved.movers |= mover_to;
        moved.pushers |= turn->to[i] ^ mover_to;
    }
    return moved;
}

/* The position after a push. False if that is not legal or pushes a piece off the board. */
KZ_PF_INLINE bool kz_pf_after_push(const kz_pf_board *board, const kz_pf_sides *sides, uint32_t pusher,
                                   kz_pf_direction direction, kz_pf_sides *next) {
    uint32_t line;
    if (kz_pf_try_push(board, sides->movers | sides->pushers, sides->enemy_movers | sides->enemy_pushers, sides->anchor,
                       pusher, direction, &line) != KZ_PF_PUSH_MOVES) {
        return false;
    }
    line |= pusher;
    next->movers = kz_pf_shifted(board, sides->enemy_movers, line, direction);
    next->pushers = kz_pf_shifted(board, sides->enemy_pushers, line, direction);
    next->enemy_movers = kz_pf_shifted(board, sides->movers, line, direction);
    next->enemy_pushers = kz_pf_shifted(board, sides->pushers, line, direction);
    next->anchor = kz_pf_step(pusher, direction);
    return true;
}

KZ_PF_INLINE bool kz_pf_each_push_towards(const kz_pf_board *board, const kz_pf_sides *sides, kz_pf_steps *turn,
                                          kz_pf_direction direction, kz_pf_visit *visit, void *context) {
    uint32_t pushable = board->squares & ~kz_pf_free_squares(board, sides) & ~sides->anchor;
    turn->direction = direction;
    for (uint32_t rest = sides->pushers & kz_pf_step(pushable, direction ^ 1); rest; rest &= rest - 1) {
        kz_pf_sides next;
        turn->pusher = rest & -rest;
        if (kz_pf_after_push(board, sides, turn->pusher, direction, &next) && !visit(context, turn, &next)) {
            return false;
        }
    }
    return true;
}

/* Visits the pushes that can follow the moves of `turn`. */
static inline bool kz_pf_each_push(const kz_pf_board *board, const kz_pf_sides *sides, kz_pf_steps *turn,
                                   kz_pf_visit *visit, void *context) {
    kz_pf_sides moved = kz_pf_after_moves(sides, turn);
    return kz_pf_each_push_towards(board, &moved, turn, KZ_PF_LEFT, visit, context) &&
           kz_pf_each_push_towards(board, &moved, turn, KZ_PF_RIGHT, visit, context) &&
           kz_pf_each_push_towards(board, &moved, turn, KZ_PF_UP, visit, context) &&
           kz_pf_each_push_towards(board, &moved, turn, KZ_PF_DOWN, visit, context);
}

/* Where two pieces can get to with a move each: `one` to square number a, `other` to the squares pairs[a]. What leads
 * to the same position as another pair or as a single move is left out. */
static inline void kz_pf_pairs_of_moves(const kz_pf_sides *sides, uint32_t free, uint32_t one, uint32_t other,
                                        uint32_t pairs[KZ_PF_GRID]) {
    uint32_t reach = kz_pf_reach(one, free);
    uint32_t other_reach = kz_pf_reach(other, free);
    for (unsigned i = 0; i < KZ_PF_GRID; i++) {
        pairs[i] = 0;
    }
    for (uint32_t rest = reach; rest; rest &= rest - 1) {
        pairs[kz_lowest_bit32(rest)] = kz_pf_reach(other, (free | one) & ~(rest & -rest));
    }
    for (uint32_t rest = other_reach; rest; rest &= rest - 1) {
        for (uint32_t ends = kz_pf_reach(one, (free | other) & ~(rest & -rest)); ends; ends &= ends - 1) {
            pairs[kz_lowest_bit32(ends)] |= rest & -rest;
        }
    }
    if (!(sides->movers & one) != !(sides->movers & other)) {
        return;
    }
    /* Alike: which of them stands where does not matter, and going where the other one was may be a single move. */
    pairs[kz_lowest_bit32(other)] &= ~reach;
    for (uint32_t rest = other_reach; rest; rest &= rest - 1) {
        pairs[kz_lowest_bit32(rest)] &= ~one;
    }
    for (unsigned i = 0; i < KZ_PF_GRID; i++) {
        for (uint32_t below = pairs[i] & ((UINT32_C(1) << i) - 1); below; below &= below - 1) {
            pairs[i] ^= pairs[kz_lowest_bit32(below)] >> i & 1 ? below & -below : 0;
        }
    }
}

/* Visits every position after a turn, those with fewer moves first. False if a visit asked to stop. */
KZ_PF_INLINE bool kz_pf_each_successor(const kz_pf_board *board, const kz_pf_sides *sides, kz_pf_visit *visit,
                                       void *context) {
    uint32_t free = kz_pf_free_squares(board, sides);
    uint32_t own = sides->movers | sides->pushers;
    kz_pf_steps turn = {.from = {0, 0}, .to = {0, 0}};
    if (!kz_pf_each_push(board, sides, &turn, visit, context)) {
        return false;
    }
    for (uint32_t pieces = own; pieces; pieces &= pieces - 1) {
        turn.from[0] = pieces & -pieces;
        for (uint32_t ends = kz_pf_reach(turn.from[0], free); ends; ends &= ends - 1) {
            turn.to[0] = ends & -ends;
            if (!kz_pf_each_push(board, sides, &turn, visit, context)) {
                return false;
            }
        }
    }
    for (uint32_t pieces = own; pieces; pieces &= pieces - 1) {
        turn.from[0] = pieces & -pieces;
        for (uint32_t others = pieces & (pieces - 1); others; others &= others - 1) {
            turn.from[1] = others & -others;
            uint32_t pairs[KZ_PF_GRID];
            kz_pf_pairs_of_moves(sides, free, turn.from[0], turn.from[1], pairs);
            for (uint32_t ends = board->squares; ends; ends &= ends - 1) {
                turn.to[0] = ends & -ends;
                for (uint32_t seconds = pairs[kz_lowest_bit32(ends)]; seconds; seconds &= seconds - 1) {
                    turn.to[1] = seconds & -seconds;
                    if (!kz_pf_each_push(board, sides, &turn, visit, context)) {
                        return false;
                    }
                }
            }
        }
    }
    return true;
}

/* At least as many as kz_pf_each_successor can visit. */
static inline size_t kz_pf_most_successors(const kz_pf_board *board) {
    size_t pieces = (size_t)board->movers + (size_t)board->pushers;
    size_t free = kz_popcount32(board->squares) - 2 * pieces;
    size_t placements = 1 + pieces * free + pieces * (pieces - 1) / 2 * (free + 1) * (free + 1);
    return placements * (size_t)board->pushers * KZ_PF_DIRECTIONS;
}

/* Makes a turn that was found in another position, if it can be made here. */
static inline bool kz_pf_try_steps(const kz_pf_board *board, const kz_pf_sides *sides, const kz_pf_steps *turn,
                                   kz_pf_sides *next) {
    uint32_t one = turn->from[0];
    uint32_t other = turn->from[1];
    if ((one | other) & ~(sides->movers | sides->pushers)) {
        return false;
    }
    if (one) {
        uint32_t free = kz_pf_free_squares(board, sides);
        bool can = kz_pf_reach(one, free) & turn->to[0] &&
                   (!other || kz_pf_reach(other, (free | one) & ~turn->to[0]) & turn->to[1]);
        if (!can && (!other || !(kz_pf_reach(other, free) & turn->to[1]) ||
                     !(kz_pf_reach(one, (free | other) & ~turn->to[1]) & turn->to[0]))) {
            return false;
        }
    }
    kz_pf_sides moved = kz_pf_after_moves(sides, turn);
    return moved.pushers & turn->pusher && kz_pf_after_push(board, &moved, turn->pusher, turn->direction, next);
}

/* ---- The positions before a turn (before.c) ----------------------------------------------------------------------
 *
 * The anchor is on the piece that pushed, so a push is taken back in one of four directions, with one or more of the
 * pieces in front of it; the moves before it can be made backwards as well as forwards. */

/* Gets a position before a turn, as the side that made the turn saw it. Without `anchor`, the anchor may have been
 * nowhere (the first turn), or on any pusher of `anchors`. */
typedef void kz_pf_visit_before(void *context, const kz_pf_sides *before, uint32_t anchors);

/* Visits every position that has a turn to this one, as often as there are ways to make it: arrangements of the own
 * pieces from which a push leads here. Some of them can't occur. */
void kz_pf_each_before(const kz_pf_board *board, const kz_pf_sides *sides, kz_pf_visit_before *visit, void *context);

/* At least as many as there can be, with each place of the anchor counted. */
size_t kz_pf_most_before(const kz_pf_board *board);

#endif
