/* SPDX-License-Identifier: MIT
 *
 * Moves change the own pieces only, and two moves bring them into some two thousand arrangements at most. These are
 * found first, each with its fewest moves; then every pusher of every arrangement pushes. */
#include "games/pushfight/rules/turns.h"

#include "base/bits.h"

#include <string.h>

/* ---- Turns as numbers ------------------------------------------------------------------------------------------ */

enum { SQUARE_MASK = (1 << KZ_PF_SQUARE_BITS) - 1 };

/* The bits of a move, as the first of a turn. */
static uint32_t move_bits(unsigned from, unsigned to) { return (uint32_t)(from | to << KZ_PF_SQUARE_BITS); }

static kz_move turn_bits(uint32_t moves, unsigned pusher, kz_pf_direction direction) {
    return KZ_PF_TURN_BIT | moves | (uint32_t)pusher << KZ_PF_PUSH_SHIFT | (uint32_t)direction << KZ_PF_DIRECTION_SHIFT;
}

kz_move kz_pf_turn_pack(const kz_pf_turn *turn) {
    uint32_t moves = 0;
    for (int i = 0; i < turn->moves; i++) {
        moves |= move_bits((unsigned)turn->from[i], (unsigned)turn->to[i]) << i * KZ_PF_MOVE_BITS;
    }
    return turn_bits(moves, (unsigned)turn->pusher, turn->direction);
}

kz_pf_turn kz_pf_turn_unpack(kz_move move) {
    kz_pf_turn turn = {
        .pusher = (int)(move >> KZ_PF_PUSH_SHIFT & SQUARE_MASK),
        .direction = (kz_pf_direction)(move >> KZ_PF_DIRECTION_SHIFT & 3),
    };
    for (int i = 0; i < 2; i++) {
        int from = (int)(move >> i * KZ_PF_MOVE_BITS & SQUARE_MASK);
        int to = (int)(move >> (i * KZ_PF_MOVE_BITS + KZ_PF_SQUARE_BITS) & SQUARE_MASK);
        if (from != to) {
            turn.from[turn.moves] = from;
            turn.to[turn.moves] = to;
            turn.moves++;
        }
    }
    return turn;
}

void kz_pf_play(kz_pf_position *position, kz_move move) {
    kz_pf_turn turn = kz_pf_turn_unpack(move);
    for (int i = 0; i < turn.moves; i++) {
        uint32_t from = UINT32_C(1) << turn.from[i];
        uint32_t to = UINT32_C(1) << turn.to[i];
        uint32_t *pieces = position->own_movers & from ? &position->own_movers : &position->own_pushers;
        *pieces = (*pieces & ~from) | to;
    }
    kz_pf_push(position, turn.pusher, turn.direction);
}

/* ---- What moves can do ----------------------------------------------------------------------------------------- */

enum {
    /* With 5 pieces and 16 free squares: each of the 10 pairs of pieces stands on 2 of 18 squares in at most 17 * 17
     * ways. Fewer pieces leave more squares, and still there are fewer ways. */
    MOST_ARRANGEMENTS = 4096,
    ARRANGEMENT_SLOTS = 2 * MOST_ARRANGEMENTS,
};

/* The own pieces after some moves. */
typedef struct arrangement {
    uint32_t movers;
    uint32_t pushers;
    uint32_t moves; /* as in a kz_move */
} arrangement;

typedef struct arrangements {
    int count;
    arrangement list[MOST_ARRANGEMENTS];
    uint16_t slots[ARRANGEMENT_SLOTS]; /* a hash table: 1 + the number in the list; 0 if empty */
} arrangements;

static uint32_t mixed(uint64_t a, uint64_t b) {
    uint64_t product = (a ^ b * UINT64_C(0x9E3779B97F4A7C15)) * UINT64_C(0xD6E8FEB86659FD93);
    return (uint32_t)(product >> 40);
}

/* Adds it unless it is there already. */
static void add_arrangement(arrangements *all, uint32_t movers, uint32_t pushers, uint32_t moves) {
    uint32_t slot = mixed(movers, pushers) % ARRANGEMENT_SLOTS;
    for (; all->slots[slot]; slot = (slot + 1) % ARRANGEMENT_SLOTS) {
        const arrangement *other = &all->list[all->slots[slot] - 1];
        if (other->movers == movers && other->pushers == pushers) {
            return;
        }
    }
    if (all->count < MOST_ARRANGEMENTS) {
        all->list[all->count++] = (arrangement){movers, pushers, moves};
        all->slots[slot] = (uint16_t)all->count;
    }
}

/* Adds what one more move makes of `from`; `shift` is the place of that move in the turn. */
static void add_moved(arrangements *all, const arrangement *from, uint32_t free, int shift) {
    for (uint32_t rest = from->movers | from->pushers; rest; rest &= rest - 1) {
        uint32_t piece = rest & -rest;
        uint32_t movers = from->movers & ~piece;
        uint32_t pushers = from->pushers & ~piece;
        for (uint32_t targets = kz_pf_reach(piece, free); targets; targets &= targets - 1) {
            uint32_t target = targets & -targets;
            uint32_t moves = from->moves | move_bits(kz_lowest_bit32(piece), kz_lowest_bit32(target)) << shift;
            if (from->movers & piece) {
                add_arrangement(all, movers | target, pushers, moves);
            } else {
                add_arrangement(all, movers, pushers | target, moves);
            }
        }
    }
}

/* Fills in all that 0, 1 and 2 moves make of the position, in this order. */
static void find_arrangements(const kz_pf_position *position, arrangements *all) {
    uint32_t free = kz_pf_board_of(position)->squares & ~kz_pf_enemy(position);
    all->count = 0;
    memset(all->slots, 0, sizeof all->slots);
    add_arrangement(all, position->own_movers, position->own_pushers, 0);
    for (int move = 0, next = 0; move < 2; move++) {
        for (int end = all->count; next < end; next++) {
            arrangement from = all->list[next];
            add_moved(all, &from, free & ~(from.movers | from.pushers), move * KZ_PF_MOVE_BITS);
        }
    }
}

/* ---- What pushes can do ---------------------------------------------------------------------------------------- */

enum { SUCCESSOR_SLOTS = 32768 };

/* A position after a turn. An anchored pusher is in `own_movers` and in `own_pushers`, as no other piece is. */
typedef struct successor {
    uint32_t own_movers;
    uint32_t own_pushers;
    uint32_t enemy_movers;
    uint32_t enemy_pushers;
} successor;

typedef struct successors {
    int count;
    successor list[KZ_MAX_MOVES];
    uint16_t slots[SUCCESSOR_SLOTS];
} successors;

static bool same_successor(const successor *a, const successor *b) {
    return a->own_movers == b->own_movers && a->own_pushers == b->own_pushers && a->enemy_movers == b->enemy_movers &&
           a->enemy_pushers == b->enemy_pushers;
}

/* Adds it and returns true unless it is there already. */
static bool add_successor(successors *all, const successor *next) {
    uint64_t own = (uint64_t)next->own_movers << 32 | next->own_pushers;
    uint64_t enemy = (uint64_t)next->enemy_movers << 32 | next->enemy_pushers;
    uint32_t slot = mixed(own, enemy) % SUCCESSOR_SLOTS;
    for (; all->slots[slot]; slot = (slot + 1) % SUCCESSOR_SLOTS) {
        if (same_successor(&all->list[all->slots[slot] - 1], next)) {
            return false;
        }
    }
    if (all->count == KZ_MAX_MOVES) {
        return false;
    }
    all->list[all->count++] = *next;
    all->slots[slot] = (uint16_t)all->count;
    return true;
}

static successor pushed(const kz_pf_board *board, const kz_pf_position *position, const arrangement *own,
                        uint32_t pusher, uint32_t line, kz_pf_direction direction) {
    uint32_t anchored = kz_pf_step(pusher, direction);
    line |= pusher;
    return (successor){
        .own_movers = kz_pf_shifted(board, own->movers, line, direction) | anchored,
        .own_pushers = kz_pf_shifted(board, own->pushers, line, direction),
        .enemy_movers = kz_pf_shifted(board, position->enemy_movers, line, direction),
        .enemy_pushers = kz_pf_shifted(board, position->enemy_pushers, line, direction),
    };
}

/* The squares from which a push in that direction would move something. */
static uint32_t behind(uint32_t taken, kz_pf_direction direction) {
    return kz_pf_step(taken, (kz_pf_direction)(direction ^ 1)); /* the opposite direction */
}

int kz_pf_turns(const kz_pf_position *position, kz_move *turns) {
    if (kz_pf_finished(position)) {
        return 0;
    }
    const kz_pf_board *board = kz_pf_board_of(position);
    uint32_t enemy = kz_pf_enemy(position);
    uint32_t anchor = kz_pf_anchor_square(position);
    arrangements own;
    find_arrangements(position, &own);
    successors found;
    found.count = 0;
    memset(found.slots, 0, sizeof found.slots);
    for (int i = 0; i < own.count; i++) {
        const arrangement *from = &own.list[i];
        uint32_t own_squares = from->movers | from->pushers;
        for (kz_pf_direction d = 0; d < KZ_PF_DIRECTIONS; d++) {
            for (uint32_t rest = from->pushers & behind(own_squares | enemy, d); rest; rest &= rest - 1) {
                uint32_t pusher = rest & -rest;
                uint32_t line;
                if (kz_pf_push_legal(kz_pf_try_push(board, own_squares, enemy, anchor, pusher, d, &line))) {
                    successor next = pushed(board, position, from, pusher, line, d);
                    if (add_successor(&found, &next)) {
                        turns[found.count - 1] = turn_bits(from->moves, kz_lowest_bit32(pusher), d);
                    }
                }
            }
        }
    }
    return found.count;
}

/* Whether some turn ends with a push that wins, or (`any`) with a push at all. */
static bool can_end(const kz_pf_position *position, bool any) {
    const kz_pf_board *board = kz_pf_board_of(position);
    uint32_t enemy = kz_pf_enemy(position);
    uint32_t anchor = kz_pf_anchor_square(position);
    arrangements own;
    find_arrangements(position, &own);
    for (int i = 0; i < own.count; i++) {
        const arrangement *from = &own.list[i];
        uint32_t own_squares = from->movers | from->pushers;
        for (kz_pf_direction d = 0; d < KZ_PF_DIRECTIONS; d++) {
            for (uint32_t rest = from->pushers & behind(own_squares | enemy, d); rest; rest &= rest - 1) {
                uint32_t line;
                kz_pf_push_result result = kz_pf_try_push(board, own_squares, enemy, anchor, rest & -rest, d, &line);
                if (any ? kz_pf_push_legal(result) : result == KZ_PF_PUSH_WINS) {
                    return true;
                }
            }
        }
    }
    return false;
}

bool kz_pf_can_win(const kz_pf_position *position) { return can_end(position, false); }

bool kz_pf_can_push(const kz_pf_position *position) { return can_end(position, true); }
