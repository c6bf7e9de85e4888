/* SPDX-License-Identifier: MIT
 *
 * What an open table of Dobutsu Shogi needs of the game (kz_reader_ops). */
#include "base/bits.h"
#include "base/error.h"
#include "core/gamedef.h"
#include "games/dobutsu/forward.h"
#include "games/dobutsu/plan.h"
#include "games/dobutsu/rules.h"

#include <stdlib.h>

typedef struct lookup {
    kz_dobutsu_space *space;
    kz_dobutsu_planner planner;
    kz_dobutsu_forward forward;
} lookup;

static void lookup_close(void *reader) {
    lookup *self = reader;
    if (self) {
        kz_dobutsu_space_free(self->space);
        free(self);
    }
}

static void *lookup_open(int rules, kz_error *error) {
    lookup *self = calloc(1, sizeof *self);
    if (self) {
        self->space = kz_dobutsu_space_new_small();
    }
    if (!self || !self->space || !kz_dobutsu_forward_fill(&self->forward)) {
        lookup_close(self);
        kz_fail(error, KZ_ERR_MEMORY, "no memory for the index of Dobutsu Shogi");
        return NULL;
    }
    kz_dobutsu_planner_fill(&self->planner, self->space, rules);
    return self;
}

static void lookup_shape(const void *reader, kz_shape *shape) {
    (void)reader;
    *shape = (kz_shape){.places = KZ_DOBUTSU_INDEX_SIZE, .extent = KZ_BLOCK_POSITIONS, .block = KZ_BLOCK_POSITIONS};
}

static void lookup_plan(const void *reader, uint64_t first, unsigned count, kz_plan *plan) {
    const lookup *self = reader;
    kz_dobutsu_plan(&self->planner, first, count, plan);
}

/* ---- Moves ------------------------------------------------------------------------------------------------------ */

/* Gets the position after a move, as the side that moved sees it; false: that is enough. */
typedef bool visit_move(const lookup *self, const kz_dobutsu_states *after, void *user);

/* A step to a square that may hold an enemy piece of another pair than the one that moved. */
static inline bool visit_step(const lookup *self, kz_dobutsu_states after, unsigned to, visit_move *visit, void *user) {
    const kz_dobutsu_forward *forward = &self->forward;
    if (forward->plain_taken[after.elephants][to] != KZ_DOBUTSU_NO_STATE) {
        after.elephants = forward->plain_taken[after.elephants][to];
    } else if (forward->plain_taken[after.giraffes][to] != KZ_DOBUTSU_NO_STATE) {
        after.giraffes = forward->plain_taken[after.giraffes][to];
    } else if (forward->chick_taken[after.chicks][to] != KZ_DOBUTSU_NO_STATE) {
        after.chicks = forward->chick_taken[after.chicks][to];
    }
    return visit(self, &after, user);
}

/* All moves but those that take the lion; also those that leave the own lion to be taken. */
static inline void visit_moves(const lookup *self, const kz_dobutsu_states *states, visit_move *visit, void *user) {
    const kz_dobutsu_space *space = self->space;
    const kz_dobutsu_footprint *e = &space->elephant[states->elephants];
    const kz_dobutsu_footprint *g = &space->giraffe[states->giraffes];
    const kz_dobutsu_footprint *c = &space->chick[states->chicks];
    unsigned lions = 1U << states->own_lion | 1U << states->enemy_lion;
    for (unsigned to = kz_dobutsu_steps(KZ_DOBUTSU_LION, states->own_lion) & ~(lions | e->own | g->own | c->own); to;
         to &= to - 1) {
        kz_dobutsu_states after = *states;
        after.own_lion = (int)kz_lowest_bit32(to);
        if (!visit_step(self, after, kz_lowest_bit32(to), visit, user)) {
            return;
        }
    }
    for (int kind = KZ_DOBUTSU_CHICK; kind <= KZ_DOBUTSU_GIRAFFE; kind++) {
        kz_dobutsu_states after = *states;
        const kz_dobutsu_pair_moves *list = kind == KZ_DOBUTSU_CHICK      ? &self->forward.chick[states->chicks]
                                            : kind == KZ_DOBUTSU_ELEPHANT ? &self->forward.elephant[states->elephants]
                                                                          : &self->forward.giraffe[states->giraffes];
        unsigned *moved = kind == KZ_DOBUTSU_CHICK      ? &after.chicks
                          : kind == KZ_DOBUTSU_ELEPHANT ? &after.elephants
                                                        : &after.giraffes;
        unsigned own = lions | (kind == KZ_DOBUTSU_CHICK ? 0 : c->own) | (kind == KZ_DOBUTSU_ELEPHANT ? 0 : e->own) |
                       (kind == KZ_DOBUTSU_GIRAFFE ? 0 : g->own);
        unsigned enemy = (kind == KZ_DOBUTSU_CHICK ? 0U : c->enemy) | (kind == KZ_DOBUTSU_ELEPHANT ? 0U : e->enemy) |
                         (kind == KZ_DOBUTSU_GIRAFFE ? 0U : g->enemy);
        for (unsigned i = 0; i < list->count; i++) {
            const kz_dobutsu_pair_move *move = &list->moves[i];
            bool drop = move->from == KZ_DOBUTSU_FROM_HAND;
            if ((own | (drop ? enemy : 0)) >> move->to & 1) {
                continue;
            }
            *moved = move->state;
            bool more =
                enemy >> move->to & 1 ? visit_step(self, after, move->to, visit, user) : visit(self, &after, user);
            if (!more) {
                return;
            }
        }
    }
}

/* Whether the opponent can take the lion of the side that moved. */
static inline bool lion_is_lost(const kz_dobutsu_space *space, const kz_dobutsu_states *after) {
    unsigned attacked = space->elephant[after->elephants].enemy_attacks |
                        space->giraffe[after->giraffes].enemy_attacks | space->chick[after->chicks].enemy_attacks |
                        kz_dobutsu_steps(KZ_DOBUTSU_LION, after->enemy_lion);
    return attacked >> after->own_lion & 1;
}

/* The position as the other side sees it. */
static inline kz_dobutsu_states turned(const kz_dobutsu_space *space, const kz_dobutsu_states *states) {
    return (kz_dobutsu_states){.own_lion = KZ_DOBUTSU_SQUARES - 1 - states->enemy_lion,
                               .enemy_lion = KZ_DOBUTSU_SQUARES - 1 - states->own_lion,
                               .elephants = space->plain_flip[states->elephants],
                               .giraffes = space->plain_flip[states->giraffes],
                               .chicks = space->chick_flip[states->chicks]};
}

/* ---- Lost in two plies: the rules alone tell it, and that saves many blocks
 * ------------------------------------------
 */

typedef struct prospects {
    bool moves; /* there is a move */
    bool safe;  /* and one after which the opponent does not win at once, as far as we look */
} prospects;

static bool see_move(const lookup *self, const kz_dobutsu_states *after, void *user) {
    prospects *seen = user;
    seen->moves = true;
    if (lion_is_lost(self->space, after)) {
        return true;
    }
    if (KZ_DOBUTSU_FAR_ROW_SET >> after->own_lion & 1) {
        seen->safe = true;
        return false;
    }
    kz_dobutsu_states next = turned(self->space, after);
    seen->safe = !kz_dobutsu_won_at_once(&self->planner, &next);
    return !seen->safe;
}

/* Of a position of the solved zone that is not won at once. */
static prospects prospects_of(const lookup *self, const kz_dobutsu_states *states) {
    prospects seen = {false, false};
    visit_moves(self, states, see_move, &seen);
    return seen;
}

static kz_value lookup_look(const void *reader, const kz_position *position, uint64_t *index) {
    const lookup *self = reader;
    kz_dobutsu dobutsu;
    kz_dobutsu_from_position(position, &dobutsu);
    if (!dobutsu.hand[0][KZ_DOBUTSU_LION] && !dobutsu.hand[1][KZ_DOBUTSU_LION]) {
        kz_dobutsu_states states;
        kz_dobutsu_states_of(&dobutsu, &states);
        if (self->space->lion_class[states.own_lion][states.enemy_lion] < KZ_DOBUTSU_LION_CLASSES_SOLVED) {
            if (kz_dobutsu_won_at_once(&self->planner, &states)) {
                return (kz_value){KZ_WIN, 1};
            }
            prospects seen = prospects_of(self, &states);
            if (seen.moves && !seen.safe) {
                return (kz_value){KZ_LOSS, 2};
            }
            *index = kz_dobutsu_space_rank(self->space, &states);
            return (kz_value){KZ_UNKNOWN, 0};
        }
    }
    return kz_dobutsu_immediate(self->planner.rules, &dobutsu);
}

/* ---- Successors -------------------------------------------------------------------------------------------------- */

/* The successors found so far. */
typedef struct findings {
    uint64_t *indices;
    int count;
    kz_value best;
    bool wins_in_three; /* one of them is lost in two */
    bool stuck;         /* one of them has no move at all, which is sooner */
} findings;

/* A Try that can't be answered: won, but the simplified rules let the opponent move once more if he can. */
static void add_try(const lookup *self, const kz_dobutsu_states *after, findings *f) {
    kz_dobutsu_arrangement arrangement = {.own_lion = after->own_lion, .enemy_lion = after->enemy_lion};
    kz_dobutsu_pair_unrank(after->elephants, KZ_DOBUTSU_PLAIN_BITS, 0, &arrangement.elephants);
    kz_dobutsu_pair_unrank(after->giraffes, KZ_DOBUTSU_PLAIN_BITS, 0, &arrangement.giraffes);
    kz_dobutsu_pair_unrank(after->chicks, KZ_DOBUTSU_CHICK_BITS, 0, &arrangement.chicks);
    kz_dobutsu position;
    kz_dobutsu_arrangement_to(&arrangement, &position);
    kz_dobutsu_flip(&position);
    kz_value value = kz_dobutsu_immediate(self->planner.rules, &position);
    if (value.outcome == KZ_LOSS && (f->best.outcome == KZ_UNKNOWN || value.distance + 1 < f->best.distance)) {
        f->best = (kz_value){KZ_WIN, value.distance + 1};
    }
}

/* Moves that let the opponent win at once are no good, and most moves are of that kind. */
static bool add_successor(const lookup *self, const kz_dobutsu_states *after, void *user) {
    findings *f = user;
    if (lion_is_lost(self->space, after)) {
        return true;
    }
    if (KZ_DOBUTSU_FAR_ROW_SET >> after->own_lion & 1) {
        add_try(self, after, f);
        return true;
    }
    kz_dobutsu_states next = turned(self->space, after);
    if (!kz_dobutsu_won_at_once(&self->planner, &next)) {
        prospects seen = prospects_of(self, &next);
        f->stuck = f->stuck || !seen.moves;
        f->wins_in_three = f->wins_in_three || (seen.moves && !seen.safe);
        f->indices[f->count++] = kz_dobutsu_space_rank(self->space, &next);
    }
    return true;
}

/* NOLINTNEXTLINE(readability-non-const-parameter): written through the findings */
static int lookup_successors(const void *reader, const kz_position *position, uint64_t *indices, kz_value *best) {
    const lookup *self = reader;
    findings f = {.indices = indices, .best = {KZ_UNKNOWN, 0}};
    kz_dobutsu dobutsu;
    kz_dobutsu_states states;
    kz_dobutsu_from_position(position, &dobutsu);
    kz_dobutsu_states_of(&dobutsu, &states);
    visit_moves(self, &states, add_successor, &f);
    *best = f.best;
    if (f.wins_in_three && f.best.outcome == KZ_UNKNOWN) {
        *best = (kz_value){KZ_WIN, 3};
        return f.stuck ? f.count : 0; /* nothing else that the table could tell is sooner */
    }
    return f.count;
}

extern const kz_reader_ops kz_dobutsu_reader;
const kz_reader_ops kz_dobutsu_reader = {
    .open = lookup_open,
    .close = lookup_close,
    .shape = lookup_shape,
    .look = lookup_look,
    .plan = lookup_plan,
    .successors = lookup_successors,
};
