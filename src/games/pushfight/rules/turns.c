/* SPDX-License-Identifier: MIT
 *
 * Moves change the own pieces only, and two moves bring them into some two thousand arrangements at most. These are
 * found first, each with its fewest moves; then every pusher of every arrangement pushes. What two turns lead to is
 * listed for the first of them: to find that out, the pushes that may have led there are taken back. */
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
    /* Two of 5 own pieces stand elsewhere, each of the 10 pairs of them on 2 of 18 squares, or of 19 if the enemy has
     * lost a piece. Fewer pieces leave more squares, and still there are fewer ways. */
    MOST_ARRANGEMENTS = 10 * 19 * 18,
    PIECE_PAIRS = 10,
    PLACES = KZ_PF_MOST_SQUARES, /* squares where own pieces may stand */
};

/* The own pieces after some moves. */
typedef struct arrangement {
    uint32_t movers;
    uint32_t pushers;
    uint32_t moves; /* as in a kz_move */
} arrangement;

/* All that no, one and two moves make. An arrangement is told by which one or two pieces are not where they were, and
 * where they are; two of a kind can't be told apart, so the first of them stands on the first of their squares. */
typedef struct arrangements {
    const kz_pf_position *position; /* before these moves */
    const kz_pf_board *board;
    uint8_t piece[KZ_PF_GRID]; /* by square: the number of the own piece there */
    uint8_t place[KZ_PF_GRID]; /* by square: its number among the places */
    int count;
    uint32_t moves[MOST_ARRANGEMENTS]; /* of each; the pieces follow from them */
    /* 1 + the number of an arrangement; 0: it is not there (yet). */
    uint16_t one[KZ_PF_MOST_PIECES][PLACES];
    uint16_t two[PIECE_PAIRS][PLACES * PLACES];
} arrangements;

/* Takes a piece from one square to another, which may be the same. Without a branch: what it is, nobody can guess. */
static void move_piece(arrangement *own, uint32_t from, uint32_t to) {
    uint32_t mover = 0 - (uint32_t)((own->movers & from) != 0);
    own->movers ^= (from ^ to) & mover;
    own->pushers ^= (from ^ to) & ~mover;
}

static unsigned square_at(uint32_t moves, int shift) { return moves >> shift & SQUARE_MASK; }

static arrangement arrangement_at(const arrangements *all, int number) {
    uint32_t moves = all->moves[number];
    arrangement own = {all->position->own_movers, all->position->own_pushers, moves};
    for (int shift = 0; shift < 2 * KZ_PF_MOVE_BITS; shift += KZ_PF_MOVE_BITS) {
        move_piece(&own, UINT32_C(1) << square_at(moves, shift),
                   UINT32_C(1) << square_at(moves, shift + KZ_PF_SQUARE_BITS));
    }
    return own;
}

/* A piece and where it is. */
typedef struct moved_piece {
    unsigned from;
    unsigned to;
} moved_piece;

static uint16_t *slot_of_one(arrangements *all, moved_piece one) {
    return &all->one[all->piece[one.from]][all->place[one.to]];
}

/* Of two different pieces, `a` the one with the lower number. */
static uint16_t *slot_of_two(arrangements *all, moved_piece a, moved_piece b, bool same_kind) {
    unsigned i = all->piece[a.from];
    unsigned j = all->piece[b.from];
    bool swap = same_kind && a.to > b.to;
    unsigned first = all->place[swap ? b.to : a.to];
    unsigned second = all->place[swap ? a.to : b.to];
    return &all->two[i * (7 - i) / 2 + j - 1][first * PLACES + second];
}

static void add_arrangement(arrangements *all, uint16_t *slot, uint32_t moves) {
    if (!*slot && all->count < MOST_ARRANGEMENTS) {
        all->moves[all->count++] = moves;
        *slot = (uint16_t)all->count;
    }
}

/* The second move of a turn, with a piece that did not make the first one. */
static void add_second_moves(arrangements *all, uint32_t first_moves) {
    moved_piece a = {square_at(first_moves, 0), square_at(first_moves, KZ_PF_SQUARE_BITS)};
    uint32_t own = kz_pf_own(all->position);
    uint32_t stay = own & ~(UINT32_C(1) << a.from);
    uint32_t free = all->board->squares & ~kz_pf_enemy(all->position) & ~stay & ~(UINT32_C(1) << a.to);
    for (uint32_t rest = stay; rest; rest &= rest - 1) {
        moved_piece b = {kz_lowest_bit32(rest), 0};
        bool same_kind = (all->position->own_movers >> a.from & 1) == (all->position->own_movers >> b.from & 1);
        for (uint32_t targets = kz_pf_reach(rest & -rest, free); targets; targets &= targets - 1) {
            b.to = kz_lowest_bit32(targets);
            uint16_t *slot = same_kind && b.to == a.from ? slot_of_one(all, (moved_piece){b.from, a.to})
                             : a.from < b.from           ? slot_of_two(all, a, b, same_kind)
                                                         : slot_of_two(all, b, a, same_kind);
            add_arrangement(all, slot, first_moves | move_bits(b.from, b.to) << KZ_PF_MOVE_BITS);
        }
    }
}

/* Fills in all that 0, 1 and 2 moves make of the position, in this order. A piece that moves twice could have got there
 * with one move. */
static void find_arrangements(const kz_pf_position *position, arrangements *all) {
    all->position = position;
    all->board = kz_pf_board_of(position);
    memset(all->one, 0, sizeof all->one);
    memset(all->two, 0, sizeof all->two);
    uint32_t own = kz_pf_own(position);
    uint32_t places = all->board->squares & ~kz_pf_enemy(position);
    unsigned number = 0;
    for (uint32_t rest = own; rest; rest &= rest - 1) {
        all->piece[kz_lowest_bit32(rest)] = (uint8_t)number++;
    }
    number = 0;
    for (uint32_t rest = places; rest; rest &= rest - 1) {
        all->place[kz_lowest_bit32(rest)] = (uint8_t)number++;
    }
    all->moves[0] = 0;
    all->count = 1;
    for (uint32_t rest = own; rest; rest &= rest - 1) {
        moved_piece a = {kz_lowest_bit32(rest), 0};
        for (uint32_t targets = kz_pf_reach(rest & -rest, places & ~own); targets; targets &= targets - 1) {
            a.to = kz_lowest_bit32(targets);
            add_arrangement(all, slot_of_one(all, a), move_bits(a.from, a.to));
        }
    }
    for (int i = 1, end = all->count; i < end; i++) {
        add_second_moves(all, all->moves[i]);
    }
}

/* The number of an arrangement, or that of all arrangements if it is not one of them. */
static int number_of(arrangements *all, uint32_t movers, uint32_t pushers) {
    uint32_t movers_gone = all->position->own_movers & ~movers;
    uint32_t pushers_gone = all->position->own_pushers & ~pushers;
    uint32_t movers_come = movers & ~all->position->own_movers;
    uint32_t pushers_come = pushers & ~all->position->own_pushers;
    uint32_t gone = movers_gone | pushers_gone;
    uint32_t second = gone & (gone - 1);
    if (!gone) {
        return 0;
    }
    if (second & (second - 1)) {
        return all->count;
    }
    moved_piece a = {kz_lowest_bit32(gone), 0};
    uint32_t come = second && movers_gone && pushers_gone ? (movers_gone >> a.from & 1 ? movers_come : pushers_come)
                                                          : movers_come | pushers_come;
    a.to = kz_lowest_bit32(come);
    uint16_t number;
    if (!second) {
        number = *slot_of_one(all, a);
    } else {
        uint32_t other = (movers_come | pushers_come) & ~(UINT32_C(1) << a.to);
        bool same_kind = !movers_gone || !pushers_gone;
        number = *slot_of_two(all, a, (moved_piece){kz_lowest_bit32(second), kz_lowest_bit32(other)}, same_kind);
    }
    return number ? number - 1 : all->count;
}

/* ---- What pushes can do ---------------------------------------------------------------------------------------- */

/* A position after a turn, whose anchor is on the square of `anchor`. */
typedef struct successor {
    uint32_t own_movers;
    uint32_t own_pushers;
    uint32_t enemy_movers;
    uint32_t enemy_pushers;
    uint32_t anchor;
} successor;

/* A push of the pieces of `line`, the pusher among them. */
typedef struct push {
    int number; /* of the arrangement */
    kz_pf_direction direction;
    uint32_t pusher;
    uint32_t line;
} push;

static successor pushed(const arrangements *all, const arrangement *own, const push *p) {
    const kz_pf_board *board = all->board;
    const kz_pf_position *position = all->position;
    return (successor){
        .own_movers = kz_pf_shifted(board, own->movers, p->line, p->direction),
        .own_pushers = kz_pf_shifted(board, own->pushers, p->line, p->direction),
        .enemy_movers = kz_pf_shifted(board, position->enemy_movers, p->line, p->direction),
        .enemy_pushers = kz_pf_shifted(board, position->enemy_pushers, p->line, p->direction),
        .anchor = kz_pf_step(p->pusher, p->direction),
    };
}

static kz_pf_direction opposite(kz_pf_direction direction) { return (kz_pf_direction)(direction ^ 1); }

/* The own pieces before a push; none of them fell off the board. */
static uint32_t taken_back(uint32_t pieces, const push *p) {
    uint32_t after = kz_pf_step(p->line, p->direction);
    return (pieces & ~after) | kz_pf_step(pieces & after, opposite(p->direction));
}

/* Whether `other`, from an arrangement that comes before that of `p`, or from the same one in an earlier direction,
 * leads to `next`. */
static bool leads_there_before(arrangements *all, const successor *next, const push *p, const push *other) {
    const kz_pf_position *position = all->position;
    const kz_pf_board *board = all->board;
    if (kz_pf_shifted(board, position->enemy_movers, other->line, other->direction) != next->enemy_movers ||
        kz_pf_shifted(board, position->enemy_pushers, other->line, other->direction) != next->enemy_pushers) {
        return false;
    }
    uint32_t movers = taken_back(next->own_movers, other);
    uint32_t pushers = taken_back(next->own_pushers, other);
    int number = number_of(all, movers, pushers);
    if (number > p->number || (number == p->number && other->direction >= p->direction)) {
        return false;
    }
    uint32_t line;
    kz_pf_push_result result = kz_pf_try_push(board, movers | pushers, kz_pf_enemy(position),
                                              kz_pf_anchor_square(position), other->pusher, other->direction, &line);
    return kz_pf_push_legal(result) && (line | other->pusher) == other->line;
}

enum { IN_ITS_DIRECTION = 1, IN_OTHERS = 2 };

/* Whether a turn that comes before this one may lead to the same successor: most can't, and that shows at once.
 *
 * In the same direction, that would be a push of a line that is shorter by own pieces at its end, or longer by own
 * pieces a square behind it, which stand there one step nearer. In another direction, no enemy piece can have come to
 * another square: one has fallen, or own pieces only were pushed, and so they are across. */
static inline unsigned may_come_again(const arrangements *all, uint32_t own, const push *p) {
    uint32_t enemy = kz_pf_enemy(all->position);
    uint32_t board = all->board->squares;
    uint32_t anchor = kz_pf_step(p->pusher, p->direction);
    uint32_t last = p->line & ~kz_pf_step(p->line, opposite(p->direction));
    uint32_t landing = kz_pf_step(last, p->direction);
    bool same = ((last & ~anchor) | kz_pf_step(landing, p->direction)) & own;
    bool others = !(landing & board);
    if (!(p->line & enemy)) {
        uint32_t free = board & ~(own | enemy);
        uint32_t one = kz_pf_step(anchor, (kz_pf_direction)(p->direction ^ 2));
        uint32_t other = kz_pf_step(anchor, (kz_pf_direction)(p->direction ^ 3));
        others = ((one & own) && (other & free)) || ((other & own) && (one & free));
    }
    return (same ? IN_ITS_DIRECTION : 0) | (others ? IN_OTHERS : 0);
}

/* Whether one does, with a push in one of the directions that `ways` leaves. */
static bool comes_again(arrangements *all, const arrangement *own, const push *p, unsigned ways) {
    uint32_t board = all->board->squares;
    successor next = pushed(all, own, p);
    uint32_t free = board & ~(next.own_movers | next.own_pushers | next.enemy_movers | next.enemy_pushers);
    for (kz_pf_direction d = 0; d < KZ_PF_DIRECTIONS; d++) {
        push other = {.direction = d, .pusher = kz_pf_step(next.anchor, opposite(d))};
        other.line = other.pusher;
        if (!(other.pusher & free) || !(ways & (d == p->direction ? IN_ITS_DIRECTION : IN_OTHERS))) {
            continue;
        }
        /* The line is longer and longer, while it has left pieces behind it, or one has fallen. */
        for (uint32_t piece = next.anchor; piece & board;) {
            other.line |= piece;
            piece = kz_pf_step(piece, d);
            if (piece & free) {
                break;
            }
            if (other.line != p->line && leads_there_before(all, &next, p, &other)) {
                return true;
            }
        }
    }
    return false;
}

/* The squares from which a push in that direction would move something. */
static uint32_t behind(uint32_t taken, kz_pf_direction direction) { return kz_pf_step(taken, opposite(direction)); }

/* Adds the turns that push from an arrangement in one direction. */
__attribute__((always_inline)) static inline int add_pushes(arrangements *all, int number, const arrangement *from,
                                                            kz_pf_direction direction, kz_move *turns, int count) {
    uint32_t enemy = kz_pf_enemy(all->position);
    uint32_t own = from->movers | from->pushers;
    for (uint32_t rest = from->pushers & behind(own | enemy, direction); rest; rest &= rest - 1) {
        push p = {.number = number, .direction = direction, .pusher = rest & -rest};
        if (kz_pf_push_legal(kz_pf_try_push(all->board, own, enemy, kz_pf_anchor_square(all->position), p.pusher,
                                            direction, &p.line))) {
            p.line |= p.pusher;
            unsigned ways = may_come_again(all, own, &p);
            if ((!ways || !comes_again(all, from, &p, ways)) && count < KZ_MAX_MOVES) {
                turns[count++] = turn_bits(from->moves, kz_lowest_bit32(p.pusher), direction);
            }
        }
    }
    return count;
}

int kz_pf_turns(const kz_pf_position *position, kz_move *turns) {
    if (kz_pf_finished(position)) {
        return 0;
    }
    arrangements all;
    find_arrangements(position, &all);
    int count = 0;
    for (int i = 0; i < all.count; i++) {
        arrangement from = arrangement_at(&all, i);
        /* A direction that the compiler knows makes steps cheap. */
        count = add_pushes(&all, i, &from, KZ_PF_LEFT, turns, count);
        count = add_pushes(&all, i, &from, KZ_PF_RIGHT, turns, count);
        count = add_pushes(&all, i, &from, KZ_PF_UP, turns, count);
        count = add_pushes(&all, i, &from, KZ_PF_DOWN, turns, count);
    }
    return count;
}

/* Whether some turn ends with a push that wins, or (`any`) with a push at all. */
static bool can_end(const kz_pf_position *position, bool any) {
    uint32_t enemy = kz_pf_enemy(position);
    uint32_t anchor = kz_pf_anchor_square(position);
    arrangements all;
    find_arrangements(position, &all);
    for (int i = 0; i < all.count; i++) {
        arrangement from = arrangement_at(&all, i);
        uint32_t own = from.movers | from.pushers;
        for (kz_pf_direction d = 0; d < KZ_PF_DIRECTIONS; d++) {
            for (uint32_t rest = from.pushers & behind(own | enemy, d); rest; rest &= rest - 1) {
                uint32_t line;
                kz_pf_push_result result = kz_pf_try_push(all.board, own, enemy, anchor, rest & -rest, d, &line);
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
