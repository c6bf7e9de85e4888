/* SPDX-License-Identifier: MIT
 *
 * A score is what the analyzer calls an outcome, seen by the side to move in the child: 201 - n for a win in n, n - 201
 * for a loss in n, 0 for a draw. The lowest one is chosen, and of several the first. */
#include "games/dobutsu/compat/packet_source.h"

#include "base/bits.h"
#include "games/dobutsu/rules/rules.h"
#include "games/dobutsu/solve/cells.h"

enum {
    LOST_AT_ONCE = -201, /* the lion is taken, or there is no move */
    LOST_IN_1 = -200,
    WON_AT_ONCE = 201, /* the lion has arrived */
    WON_IN_1 = 200,
    WORST = 202,
    OUTCOME_MASK = 511,
    OUTCOME_BITS = 9,
    KEY_BITS = 40,
    MOST_CHILDREN = KZ_DOBUTSU_MAX_MOVES
};

/* ---- Tables ------------------------------------------------------------------------------------------------------ */

/* Pieces on lower squares come first in a key, and one in hand last; KZ_DOBUTSU_FROM_HAND is above all squares. */
static void sort_moves(kz_dobutsu_pair_moves *list) {
    for (unsigned i = 1; i < list->count; i++) {
        kz_dobutsu_pair_move move = list->moves[i];
        unsigned position = i;
        for (; position > 0; position--) {
            const kz_dobutsu_pair_move *before = &list->moves[position - 1];
            if (before->from < move.from || (before->from == move.from && before->to <= move.to)) {
                break;
            }
            list->moves[position] = *before;
        }
        list->moves[position] = move;
    }
}

static bool enemy_holds(unsigned state, int bits) {
    kz_dobutsu_pair pair;
    kz_dobutsu_pair_unrank(state, bits, 0, &pair);
    return pair.enemy_hand > 0;
}

static int score_of_cell(int cell, bool odd) {
    if (cell >= KZ_DOBUTSU_CELL_OPEN) {
        return 0;
    }
    int distance = cell == KZ_DOBUTSU_CELL_STALEMATE ? 1 : cell;
    bool win = ((distance & 1) != 0) != odd;
    return win ? WON_AT_ONCE - distance : LOST_AT_ONCE + distance;
}

bool kz_packet_judge_fill(kz_packet_judge *judge, const kz_packet_keys *keys, const kz_dobutsu_retro *retro) {
    judge->keys = keys;
    judge->retro = retro;
    judge->space = retro->space;
    if (!kz_dobutsu_forward_fill(&judge->forward)) {
        return false;
    }
    for (unsigned state = 0; state < KZ_DOBUTSU_CHICK_STATES; state++) {
        sort_moves(&judge->forward.chick[state]);
        judge->enemy_holds[KZ_DOBUTSU_CHICK][state] = enemy_holds(state, KZ_DOBUTSU_CHICK_BITS);
    }
    for (unsigned state = 0; state < KZ_DOBUTSU_PLAIN_STATES; state++) {
        sort_moves(&judge->forward.elephant[state]);
        sort_moves(&judge->forward.giraffe[state]);
        judge->enemy_holds[KZ_DOBUTSU_ELEPHANT][state] = enemy_holds(state, KZ_DOBUTSU_PLAIN_BITS);
        judge->enemy_holds[KZ_DOBUTSU_GIRAFFE][state] = judge->enemy_holds[KZ_DOBUTSU_ELEPHANT][state];
    }
    for (int cell = 0; cell < 256; cell++) {
        judge->scores[0][cell] = (int16_t)score_of_cell(cell, false);
        judge->scores[1][cell] = (int16_t)score_of_cell(cell, true);
    }
    return true;
}

/* ---- Moves ------------------------------------------------------------------------------------------------------- */

/* A position after a move is still seen by the side that made it. */

static inline kz_packet_position seen_by_other(const kz_packet_judge *judge, const kz_packet_position *position) {
    const kz_dobutsu_space *space = judge->space;
    return (kz_packet_position){.elephants = space->plain_flip[position->elephants],
                                .giraffes = space->plain_flip[position->giraffes],
                                .chicks = space->chick_flip[position->chicks],
                                .own_lion = (uint8_t)(KZ_DOBUTSU_SQUARES - 1 - position->enemy_lion),
                                .enemy_lion = (uint8_t)(KZ_DOBUTSU_SQUARES - 1 - position->own_lion)};
}

/* Takes the enemy's piece on a square, if there is one, of any pair. */
static inline void take(const kz_packet_judge *judge, kz_packet_position *position, unsigned to) {
    const kz_dobutsu_forward *forward = &judge->forward;
    if (forward->plain_taken[position->elephants][to] != KZ_DOBUTSU_NO_STATE) {
        position->elephants = forward->plain_taken[position->elephants][to];
    } else if (forward->plain_taken[position->giraffes][to] != KZ_DOBUTSU_NO_STATE) {
        position->giraffes = forward->plain_taken[position->giraffes][to];
    } else if (forward->chick_taken[position->chicks][to] != KZ_DOBUTSU_NO_STATE) {
        position->chicks = forward->chick_taken[position->chicks][to];
    }
}

/* Where the pair's state is in a position, and its moves. */
static inline uint16_t *pair_of(kz_packet_position *position, int kind) {
    return kind == KZ_DOBUTSU_CHICK      ? &position->chicks
           : kind == KZ_DOBUTSU_ELEPHANT ? &position->elephants
                                         : &position->giraffes;
}

static inline const kz_dobutsu_pair_moves *moves_of(const kz_packet_judge *judge, const kz_packet_position *position,
                                                    int kind) {
    return kind == KZ_DOBUTSU_CHICK      ? &judge->forward.chick[position->chicks]
           : kind == KZ_DOBUTSU_ELEPHANT ? &judge->forward.elephant[position->elephants]
                                         : &judge->forward.giraffe[position->giraffes];
}

static inline const kz_dobutsu_footprint *footprint_of(const kz_packet_judge *judge, const kz_packet_position *position,
                                                       int kind) {
    return kind == KZ_DOBUTSU_CHICK      ? &judge->space->chick[position->chicks]
           : kind == KZ_DOBUTSU_ELEPHANT ? &judge->space->elephant[position->elephants]
                                         : &judge->space->giraffe[position->giraffes];
}

/* The first `most` places that moves lead to, in the analyzer's order: lion, chicks, elephants, giraffes. The enemy's
 * lion is not attacked. */
static unsigned list_children(const kz_packet_judge *judge, const kz_packet_position *position, unsigned most,
                              kz_packet_position *children) {
    const kz_dobutsu_footprint *c = footprint_of(judge, position, KZ_DOBUTSU_CHICK);
    const kz_dobutsu_footprint *e = footprint_of(judge, position, KZ_DOBUTSU_ELEPHANT);
    const kz_dobutsu_footprint *g = footprint_of(judge, position, KZ_DOBUTSU_GIRAFFE);
    unsigned lions = 1U << position->own_lion | 1U << position->enemy_lion;
    unsigned own = lions | c->own | e->own | g->own;
    unsigned all = own | c->enemy | e->enemy | g->enemy;
    unsigned count = 0;
    for (unsigned to = kz_dobutsu_steps(KZ_DOBUTSU_LION, position->own_lion) & ~own; to && count < most; to &= to - 1) {
        kz_packet_position *child = &children[count++];
        *child = *position;
        child->own_lion = (uint8_t)kz_lowest_bit32(to);
        take(judge, child, child->own_lion);
    }
    for (int kind = KZ_DOBUTSU_CHICK; kind <= KZ_DOBUTSU_GIRAFFE; kind++) {
        const kz_dobutsu_pair_moves *list = moves_of(judge, position, kind);
        for (unsigned i = 0; i < list->count && count < most; i++) {
            const kz_dobutsu_pair_move *move = &list->moves[i];
            if ((move->from == KZ_DOBUTSU_FROM_HAND ? all : own) >> move->to & 1) {
                continue;
            }
            kz_packet_position *child = &children[count++];
            *child = *position;
            *pair_of(child, kind) = move->state;
            if (all >> move->to & 1) {
                take(judge, child, move->to);
            }
        }
    }
    return count;
}

bool kz_packet_can_move(const kz_packet_judge *judge, const kz_packet_position *position) {
    unsigned own = 0;
    unsigned attacked = 0;
    for (int kind = KZ_DOBUTSU_CHICK; kind <= KZ_DOBUTSU_GIRAFFE; kind++) {
        own |= footprint_of(judge, position, kind)->own;
        attacked |= footprint_of(judge, position, kind)->own_attacks;
    }
    kz_packet_position child;
    /* Nearly always the lion has one; and taking the enemy's lion is not among the children. */
    return (kz_dobutsu_steps(KZ_DOBUTSU_LION, position->own_lion) & ~own) != 0 ||
           attacked >> position->enemy_lion & 1 || list_children(judge, position, 1, &child) > 0;
}

/* ---- Scores ------------------------------------------------------------------------------------------------------ */

/* After a Try that can't be answered. */
static int score_of_try(const kz_packet_judge *judge, const kz_packet_position *child) {
    if (judge->enemy_holds[KZ_DOBUTSU_CHICK][child->chicks] ||
        judge->enemy_holds[KZ_DOBUTSU_ELEPHANT][child->elephants] ||
        judge->enemy_holds[KZ_DOBUTSU_GIRAFFE][child->giraffes]) {
        return LOST_IN_1;
    }
    kz_packet_position seen = seen_by_other(judge, child);
    return kz_packet_can_move(judge, &seen) ? LOST_IN_1 : LOST_AT_ONCE;
}

/* The scores of children of a position in which the lions are apart and no lion is on its far row. Those that the rules
 * don't tell are looked up together, so that the memory is asked for many at once. */
static void score_children(const kz_packet_judge *judge, const kz_packet_position *children, unsigned count,
                           int *scores) {
    const kz_dobutsu_space *space = judge->space;
    uint32_t index[MOST_CHILDREN];
    uint8_t number[MOST_CHILDREN];
    unsigned open = 0;
    for (unsigned i = 0; i < count; i++) {
        const kz_packet_position *child = &children[i];
        unsigned attacked = (unsigned)space->elephant[child->elephants].enemy_attacks |
                            space->giraffe[child->giraffes].enemy_attacks | space->chick[child->chicks].enemy_attacks |
                            kz_dobutsu_steps(KZ_DOBUTSU_LION, child->enemy_lion);
        if (attacked >> child->own_lion & 1) {
            scores[i] = WON_IN_1;
            continue;
        }
        if (KZ_DOBUTSU_FAR_ROW_SET >> child->own_lion & 1) {
            scores[i] = score_of_try(judge, child);
            continue;
        }
        kz_packet_position seen = seen_by_other(judge, child);
        kz_dobutsu_run_base target;
        if (!kz_dobutsu_run_base_of(space, seen.own_lion, seen.enemy_lion, seen.elephants, seen.giraffes, &target)) {
            __builtin_unreachable(); /* no piece moves onto another one */
        }
        unsigned chicks = target.mirrored ? space->chick_mirror[seen.chicks] : seen.chicks;
        index[open] = target.base + kz_dobutsu_chick_rank(&target, chicks);
        __builtin_prefetch((const void *)&judge->retro->cells[index[open]]);
        __builtin_prefetch((const void *)&judge->retro->odd_ones[index[open] / 64]);
        number[open++] = (uint8_t)i;
    }
    for (unsigned i = 0; i < open; i++) {
        scores[number[i]] =
            judge->scores[kz_dobutsu_odd_one(judge->retro, index[i])][kz_dobutsu_cell_load(judge->retro, index[i])];
    }
}

/* ---- Entries ----------------------------------------------------------------------------------------------------- */

static inline uint64_t statistics(unsigned required, int outcome) {
    return ((uint64_t)required << OUTCOME_BITS | ((unsigned)outcome & OUTCOME_MASK)) << KEY_BITS;
}

static inline uint64_t pairs_seen(const kz_packet_judge *judge, const kz_packet_position *child) {
    const kz_packet_keys *keys = judge->keys;
    return keys->chick_seen[child->chicks] | keys->elephant_seen[child->elephants] |
           keys->giraffe_seen[child->giraffes];
}

static inline uint64_t key_seen(const kz_packet_judge *judge, const kz_packet_position *child) {
    unsigned last = KZ_DOBUTSU_SQUARES - 1;
    return pairs_seen(judge, child) | kz_packet_coords(last - child->enemy_lion) << 4 |
           kz_packet_coords(last - child->own_lion);
}

/* The first move that takes the enemy's lion. */
static uint64_t capture_entry(const kz_packet_judge *judge, const kz_packet_position *position) {
    kz_packet_position child = *position;
    unsigned prey = 1U << position->enemy_lion;
    if (kz_dobutsu_steps(KZ_DOBUTSU_LION, position->own_lion) & prey) {
        child.own_lion = position->enemy_lion;
    } else {
        int kind = KZ_DOBUTSU_CHICK;
        while (!(footprint_of(judge, position, kind)->own_attacks & prey)) {
            kind++;
        }
        const kz_dobutsu_pair_move *move = moves_of(judge, position, kind)->moves;
        while (move->to != position->enemy_lion || move->from == KZ_DOBUTSU_FROM_HAND) {
            move++;
        }
        *pair_of(&child, kind) = move->state;
    }
    return statistics(0, LOST_AT_ONCE) | pairs_seen(judge, &child) | (uint64_t)KZ_DOBUTSU_LION_IN_HAND << 4 |
           kz_packet_coords(KZ_DOBUTSU_SQUARES - 1U - child.own_lion);
}

/* What the analysis leaves in a position that it never decides: how many children have not reported, and the best that
 * the others have. */
static uint64_t draw_statistics(const kz_packet_judge *judge, const kz_packet_position *child) {
    kz_packet_position seen = seen_by_other(judge, child);
    kz_packet_position children[MOST_CHILDREN];
    int scores[MOST_CHILDREN];
    unsigned count = list_children(judge, &seen, MOST_CHILDREN, children);
    score_children(judge, children, count, scores);
    unsigned required = 0;
    int best = LOST_AT_ONCE;
    for (unsigned i = 0; i < count; i++) {
        if (scores[i] == 0) {
            required++;
        } else if (1 - scores[i] > best) {
            best = 1 - scores[i]; /* won in n for the other side is lost in n + 1 */
        }
    }
    return statistics(required, best);
}

uint64_t kz_packet_entry(const kz_packet_judge *judge, const kz_packet_position *position) {
    unsigned attacked = kz_dobutsu_steps(KZ_DOBUTSU_LION, position->own_lion);
    for (int kind = KZ_DOBUTSU_CHICK; kind <= KZ_DOBUTSU_GIRAFFE; kind++) {
        attacked |= footprint_of(judge, position, kind)->own_attacks;
    }
    if (attacked >> position->enemy_lion & 1) {
        return capture_entry(judge, position);
    }
    kz_packet_position children[MOST_CHILDREN];
    int scores[MOST_CHILDREN];
    children[0] = *position; /* there is a move, and so a child; but a compiler can't know */
    /* The enemy's lion is on its far row: whatever is played, it has won. */
    if (position->enemy_lion < 3) {
        (void)list_children(judge, position, 1, children);
        return statistics(0, WON_AT_ONCE) | key_seen(judge, &children[0]);
    }
    unsigned count = list_children(judge, position, MOST_CHILDREN, children);
    score_children(judge, children, count, scores);
    unsigned chosen = 0;
    int best = WORST;
    for (unsigned i = 0; i < count; i++) {
        if (scores[i] < best) {
            best = scores[i];
            chosen = i;
        }
    }
    return (best == 0 ? draw_statistics(judge, &children[chosen]) : statistics(0, best)) |
           key_seen(judge, &children[chosen]);
}
