/* SPDX-License-Identifier: MIT
 *
 * What looking positions up has in memory, and the moves of a position as states: for single positions (lookup.c) and
 * for many (lookup_many.c). */
#ifndef KZ_DOBUTSU_LOOKUP_H
#define KZ_DOBUTSU_LOOKUP_H

#include "base/bits.h"
#include "games/dobutsu/rules/forward.h"
#include "games/dobutsu/rules/rules.h"
#include "games/dobutsu/table/coder.h"
#include "games/dobutsu/table/plan.h"
#include "table/probe_many.h"

typedef struct kz_dobutsu_lookup {
    kz_dobutsu_space *space;
    kz_dobutsu_planner planner;
    kz_dobutsu_forward forward;
    uint16_t lion_steps[KZ_DOBUTSU_SQUARES]; /* where a lion can step */
} kz_dobutsu_lookup;

/* NULL: no memory. */
kz_dobutsu_lookup *kz_dobutsu_lookup_open(int rules, kz_error *error);
void kz_dobutsu_lookup_close(kz_dobutsu_lookup *self);

/* The value if the rules tell it; otherwise KZ_UNKNOWN and the position's index. */
kz_value kz_dobutsu_look(const kz_dobutsu_lookup *self, const kz_position *position, uint64_t *index);

/* Looks further ahead, for some microseconds, at a position that has an index, because a block would have to be decoded
 * for it. KZ_UNKNOWN: that is needed, and if the position is not lost, those of `count` successors (room for
 * KZ_DOBUTSU_MAX_MOVES), the only ones that may be lost; -1: those of kz_dobutsu_successors. */
kz_value kz_dobutsu_look_further(const kz_dobutsu_lookup *self, const kz_position *position, uint64_t *indices,
                                 int *count);

/* Lists the successors that may be lost for the side that moves there, and returns how many there are. `best`: what the
 * rules alone promise (table/kind.h). */
int kz_dobutsu_successors(const kz_dobutsu_lookup *self, const kz_position *position, uint64_t *indices,
                          kz_value *best);

/* What the rules promise for a Try that can't be answered, seen by the side that moved; KZ_UNKNOWN: no win. By the
 * official rules it has won; the simplified ones let the opponent move once more if he can. */
kz_value kz_dobutsu_promised_try(const kz_dobutsu_lookup *self, const kz_dobutsu_states *after);

/* How many indices are listed for one of many positions, and in how many plies the rules promise a win (0: they
 * don't). */
typedef struct kz_successors {
    uint16_t count;
    uint16_t promised;
} kz_successors;

/* kz_dobutsu_look for many positions. Each gets its value if the rules tell it, or KZ_UNKNOWN and its index; or
 * KZ_UNKNOWN and KZ_NO_INDEX: it may be no position at all, and has to be looked at by itself. */
void kz_dobutsu_look_many(const kz_dobutsu_lookup *self, const kz_position *positions, unsigned count, kz_value *values,
                          uint64_t *indices);
/* The successors of positions[numbers[0]], positions[numbers[1]] and so on, all of which have an index. The lists of
 * indices follow each other in `indices`, which has room for KZ_DOBUTSU_MAX_MOVES for each. */
void kz_dobutsu_successors_many(const kz_dobutsu_lookup *self, const kz_position *positions, const uint32_t *numbers,
                                unsigned count, kz_successors *lists, uint64_t *indices);

/* ---- Moves ------------------------------------------------------------------------------------------------------ */

/* Gets the position after a move, as the side that moved sees it; false: that is enough. */
typedef bool kz_dobutsu_visit(const kz_dobutsu_lookup *self, const kz_dobutsu_states *after, void *user);

/* A step to a square that may hold an enemy piece of another pair than the one that moved. */
static inline bool kz_dobutsu_visit_step(const kz_dobutsu_lookup *self, kz_dobutsu_states after, unsigned to,
                                         kz_dobutsu_visit *visit, void *user) {
    kz_dobutsu_take(&self->forward, &after, to);
    return visit(self, &after, user);
}

/* All moves but those that take the lion; also those that leave the own lion to be taken. */
static inline void kz_dobutsu_visit_moves(const kz_dobutsu_lookup *self, const kz_dobutsu_states *states,
                                          kz_dobutsu_visit *visit, void *user) {
    const kz_dobutsu_space *space = self->space;
    const kz_dobutsu_footprint *e = &space->elephant[states->elephants];
    const kz_dobutsu_footprint *g = &space->giraffe[states->giraffes];
    const kz_dobutsu_footprint *c = &space->chick[states->chicks];
    unsigned lions = 1U << states->own_lion | 1U << states->enemy_lion;
    for (unsigned to = self->lion_steps[states->own_lion] & ~(lions | e->own | g->own | c->own); to; to &= to - 1) {
        kz_dobutsu_states after = *states;
        after.own_lion = (int)kz_lowest_bit32(to);
        if (!kz_dobutsu_visit_step(self, after, kz_lowest_bit32(to), visit, user)) {
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
            bool more = enemy >> move->to & 1 ? kz_dobutsu_visit_step(self, after, move->to, visit, user)
                                              : visit(self, &after, user);
            if (!more) {
                return;
            }
        }
    }
}

/* Whether the opponent can take the lion of the side that moved. */
static inline bool kz_dobutsu_lion_is_lost(const kz_dobutsu_lookup *self, const kz_dobutsu_states *after) {
    const kz_dobutsu_space *space = self->space;
    unsigned attacked = space->elephant[after->elephants].enemy_attacks |
                        space->giraffe[after->giraffes].enemy_attacks | space->chick[after->chicks].enemy_attacks |
                        self->lion_steps[after->enemy_lion];
    return attacked >> after->own_lion & 1;
}

/* The same as kz_dobutsu_won_at_once, for loops. */
static inline bool kz_dobutsu_wins_now(const kz_dobutsu_lookup *self, const kz_dobutsu_states *states) {
    const kz_dobutsu_space *space = self->space;
    const kz_dobutsu_footprint *e = &space->elephant[states->elephants];
    const kz_dobutsu_footprint *g = &space->giraffe[states->giraffes];
    const kz_dobutsu_footprint *c = &space->chick[states->chicks];
    unsigned attacks = (unsigned)e->own_attacks | g->own_attacks | c->own_attacks;
    unsigned barred = (unsigned)e->own | g->own | c->own | e->enemy_attacks | g->enemy_attacks | c->enemy_attacks |
                      self->lion_steps[states->enemy_lion];
    /* Where a lion that is safe has won. */
    unsigned tries = self->planner.rules == KZ_DOBUTSU_OFFICIAL ? KZ_DOBUTSU_FAR_ROW_SET : 0;
    return (attacks & 1U << states->enemy_lion) | (self->lion_steps[states->own_lion] & ~barred & tries);
}

/* ---- The kind of table ------------------------------------------------------------------------------------------ */

/* Dobutsu Shogi's kind of table: an entry is 0 if the position is not lost and n + 1 if it is lost in n plies; a probe
 * finds wins by the moves. What an open table of it has. */
typedef struct kz_losses {
    kz_dobutsu_lookup *lookup;
    kz_model *model; /* NULL before it is unpacked or learned */
    kz_shape shape;
} kz_losses;

extern const kz_table_kind kz_dobutsu_kind;

/* For the kind: probe.c and encode.c. */
kz_status kz_losses_probe(const kz_table *table, const kz_position *position, kz_value *value, kz_error *error);
kz_status kz_losses_look_at_batch(kz_batch *batch);
void kz_losses_answer(const kz_asked *asked, size_t count, const uint8_t *entries, kz_value *values);
extern const struct kz_encoder kz_losses_encoder;

#endif
