/* SPDX-License-Identifier: MIT
 *
 * What the rules of Dobutsu Shogi tell about a position that is looked up, and which others the table has to be asked
 * about. */
#include "games/dobutsu/table/lookup.h"
#include "base/bits.h"
#include "base/error.h"

#include <stdlib.h>

typedef kz_dobutsu_lookup lookup;

void kz_dobutsu_lookup_close(lookup *self) {
    if (self) {
        kz_dobutsu_space_free(self->space);
        free(self);
    }
}

lookup *kz_dobutsu_lookup_open(int rules, kz_error *error) {
    lookup *self = calloc(1, sizeof *self);
    if (self) {
        self->space = kz_dobutsu_space_new_small();
    }
    if (!self || !self->space || !kz_dobutsu_forward_fill(&self->forward)) {
        kz_dobutsu_lookup_close(self);
        kz_fail(error, KZ_ERR_MEMORY, "no memory for the index of Dobutsu Shogi");
        return NULL;
    }
    kz_dobutsu_planner_fill(&self->planner, self->space, rules);
    for (int square = 0; square < KZ_DOBUTSU_SQUARES; square++) {
        self->lion_steps[square] = (uint16_t)kz_dobutsu_steps(KZ_DOBUTSU_LION, square);
    }
    return self;
}

/* ---- Lost in two plies: the rules tell it, which saves blocks ---------------------------------------------------- */

typedef struct prospects {
    bool moves; /* there is a move */
    bool safe;  /* and one after which the opponent does not win at once, as far as we look */
} prospects;

static bool see_move(const lookup *self, const kz_dobutsu_states *after, void *user) {
    prospects *seen = user;
    seen->moves = true;
    if (kz_dobutsu_lion_is_lost(self, after)) {
        return true;
    }
    if (KZ_DOBUTSU_FAR_ROW_SET >> after->own_lion & 1) {
        seen->safe = true;
        return false;
    }
    kz_dobutsu_states next = kz_dobutsu_turned(self->space, after);
    seen->safe = !kz_dobutsu_wins_now(self, &next);
    return !seen->safe;
}

/* Of a position of the solved zone that is not won at once. */
static prospects prospects_of(const lookup *self, const kz_dobutsu_states *states) {
    prospects seen = {false, false};
    kz_dobutsu_visit_moves(self, states, see_move, &seen);
    return seen;
}

kz_value kz_dobutsu_look(const lookup *self, const kz_position *position, uint64_t *index) {
    kz_dobutsu dobutsu;
    kz_dobutsu_from_position(position, &dobutsu);
    if (!dobutsu.hand[0][KZ_DOBUTSU_LION] && !dobutsu.hand[1][KZ_DOBUTSU_LION]) {
        kz_dobutsu_states states;
        kz_dobutsu_states_of(&dobutsu, &states);
        if (self->space->lion_class[states.own_lion][states.enemy_lion] < KZ_DOBUTSU_LION_CLASSES_SOLVED) {
            if (kz_dobutsu_wins_now(self, &states)) {
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

/* ---- Two plies more: only if a block would have to be decoded ---------------------------------------------------- */

/* What is known of the moves of a position that is not won at once, nor lost in two. */
typedef struct outlook {
    bool wins_in_three; /* a move leaves the opponent lost in two */
    bool may_be_stuck;  /* somebody may be without a move: rare, and the table tells it */
    bool loses_in_four; /* all moves let him win in three at most */
    bool wins_in_five;  /* a move leaves him lost in four */
    uint64_t *indices;  /* of moves that may leave him lost in more */
    int count;
} outlook;

/* After a move: true if the opponent does not win at once, and then the position as he sees it. A Try that the
 * simplified rules let him answer is left to the table. */
static bool plays_on(const lookup *self, const kz_dobutsu_states *after, kz_dobutsu_states *next) {
    *next = kz_dobutsu_turned(self->space, after);
    return !kz_dobutsu_lion_is_lost(self, after) && !kz_dobutsu_wins_now(self, next);
}

/* Whether the enemy may be without a move after some move from here: then its own pieces are all around its lion, and
 * they are so now, because our moves only take enemy pieces away. */
static bool may_stick_enemy(const lookup *self, const kz_dobutsu_states *states) {
    const kz_dobutsu_space *space = self->space;
    unsigned enemy = space->elephant[states->elephants].enemy | space->giraffe[states->giraffes].enemy |
                     space->chick[states->chicks].enemy;
    return !(self->lion_steps[states->enemy_lion] & ~enemy);
}

static bool see_three(const lookup *self, const kz_dobutsu_states *after, void *user) {
    outlook *seen = user;
    kz_dobutsu_states next;
    if (plays_on(self, after, &next)) {
        seen->wins_in_three = seen->wins_in_three || !prospects_of(self, &next).safe;
    }
    return !seen->wins_in_three;
}

static bool see_four(const lookup *self, const kz_dobutsu_states *after, void *user) {
    outlook *seen = user;
    kz_dobutsu_states next;
    if (plays_on(self, after, &next)) {
        outlook theirs = {.may_be_stuck = may_stick_enemy(self, &next)};
        kz_dobutsu_visit_moves(self, &next, see_three, &theirs);
        seen->may_be_stuck = seen->may_be_stuck || theirs.may_be_stuck;
        seen->loses_in_four = theirs.wins_in_three;
    }
    return seen->loses_in_four && !seen->may_be_stuck;
}

static bool see_five(const lookup *self, const kz_dobutsu_states *after, void *user) {
    outlook *seen = user;
    kz_dobutsu_states next;
    if (plays_on(self, after, &next)) {
        outlook theirs = {.loses_in_four = true, .may_be_stuck = may_stick_enemy(self, &next)};
        kz_dobutsu_visit_moves(self, &next, see_three, &theirs);
        if (!theirs.wins_in_three && !theirs.may_be_stuck) {
            kz_dobutsu_visit_moves(self, &next, see_four, &theirs);
            seen->wins_in_five = theirs.loses_in_four;
            seen->indices[seen->count++] = kz_dobutsu_space_rank(self->space, &next);
        }
        seen->may_be_stuck = seen->may_be_stuck || theirs.may_be_stuck;
    }
    return !seen->may_be_stuck && !seen->wins_in_five;
}

/* By the official rules only: there a lion on the far row has won or is lost. */
/* NOLINTNEXTLINE(readability-non-const-parameter): written through what is seen */
kz_value kz_dobutsu_look_further(const lookup *self, const kz_position *position, uint64_t *indices, int *count) {
    kz_dobutsu dobutsu;
    kz_dobutsu_states states;
    outlook seen = {.loses_in_four = true, .indices = indices};
    *count = -1;
    if (self->planner.rules != KZ_DOBUTSU_OFFICIAL) {
        return (kz_value){KZ_UNKNOWN, 0};
    }
    kz_dobutsu_from_position(position, &dobutsu);
    kz_dobutsu_states_of(&dobutsu, &states);
    kz_dobutsu_states turned = kz_dobutsu_turned(self->space, &states);
    if (may_stick_enemy(self, &states) || may_stick_enemy(self, &turned)) {
        return (kz_value){KZ_UNKNOWN, 0};
    }
    kz_dobutsu_visit_moves(self, &states, see_three, &seen);
    if (seen.wins_in_three) {
        return (kz_value){KZ_WIN, 3};
    }
    kz_dobutsu_visit_moves(self, &states, see_four, &seen);
    if (!seen.may_be_stuck && seen.loses_in_four) {
        return (kz_value){KZ_LOSS, 4};
    }
    if (!seen.may_be_stuck) {
        kz_dobutsu_visit_moves(self, &states, see_five, &seen);
    }
    if (!seen.may_be_stuck && seen.wins_in_five) {
        return (kz_value){KZ_WIN, 5};
    }
    *count = seen.may_be_stuck ? -1 : seen.count;
    return (kz_value){KZ_UNKNOWN, 0};
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

kz_value kz_dobutsu_promised_try(const lookup *self, const kz_dobutsu_states *after) {
    kz_dobutsu position;
    kz_dobutsu_states_to(after, &position);
    kz_dobutsu_flip(&position);
    kz_value value = kz_dobutsu_immediate(self->planner.rules, &position);
    return value.outcome == KZ_LOSS ? (kz_value){KZ_WIN, value.distance + 1} : (kz_value){KZ_UNKNOWN, 0};
}

static void add_try(const lookup *self, const kz_dobutsu_states *after, findings *f) {
    kz_value promised = kz_dobutsu_promised_try(self, after);
    if (promised.outcome == KZ_WIN && (f->best.outcome == KZ_UNKNOWN || promised.distance < f->best.distance)) {
        f->best = promised;
    }
}

/* Moves that let the opponent win at once are no good, and most moves are of that kind. */
static bool add_successor(const lookup *self, const kz_dobutsu_states *after, void *user) {
    findings *f = user;
    if (kz_dobutsu_lion_is_lost(self, after)) {
        return true;
    }
    if (KZ_DOBUTSU_FAR_ROW_SET >> after->own_lion & 1) {
        add_try(self, after, f);
        return true;
    }
    kz_dobutsu_states next = kz_dobutsu_turned(self->space, after);
    if (!kz_dobutsu_wins_now(self, &next)) {
        prospects seen = prospects_of(self, &next);
        f->stuck = f->stuck || !seen.moves;
        f->wins_in_three = f->wins_in_three || (seen.moves && !seen.safe);
        f->indices[f->count++] = kz_dobutsu_space_rank(self->space, &next);
    }
    return true;
}

/* NOLINTNEXTLINE(readability-non-const-parameter): written through the findings */
int kz_dobutsu_successors(const lookup *self, const kz_position *position, uint64_t *indices, kz_value *best) {
    findings f = {.indices = indices, .best = {KZ_UNKNOWN, 0}};
    kz_dobutsu dobutsu;
    kz_dobutsu_states states;
    kz_dobutsu_from_position(position, &dobutsu);
    kz_dobutsu_states_of(&dobutsu, &states);
    kz_dobutsu_visit_moves(self, &states, add_successor, &f);
    *best = f.best;
    if (f.wins_in_three && f.best.outcome == KZ_UNKNOWN) {
        *best = (kz_value){KZ_WIN, 3};
        return f.stuck ? f.count : 0; /* nothing else that the table could tell is sooner */
    }
    return f.count;
}
