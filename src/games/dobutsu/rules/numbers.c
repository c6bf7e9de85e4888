/* SPDX-License-Identifier: MIT */
#include "games/dobutsu/rules/definition.h"

#include "base/bits.h"
#include "base/list.h"
#include "games/dobutsu/rules/forward.h"
#include "games/dobutsu/rules/rules.h"

#include <stdlib.h>
#include <string.h>

enum {
    CHUNK = 256, /* positions; a run has more, so at most two runs begin in a chunk */
    CHUNKS = KZ_DOBUTSU_INDEX_SIZE / CHUNK + 1,
    HOME_ROW_SET = 07
};

struct kz_dobutsu_numbers {
    int rules;
    kz_dobutsu_space *space;
    kz_dobutsu_forward forward;
    kz_dobutsu_unmoves unmoves;
    uint32_t run_at[CHUNKS]; /* the run that the first position of a chunk is in */
};

typedef kz_dobutsu_states states; /* of a position */

kz_dobutsu_numbers *kz_dobutsu_numbers_new(int rules) {
    kz_dobutsu_numbers *n = calloc(1, sizeof *n);
    if (!n) {
        return NULL;
    }
    n->rules = rules;
    n->space = kz_dobutsu_space_new();
    if (!n->space || !kz_dobutsu_forward_fill(&n->forward)) {
        kz_dobutsu_numbers_free(n);
        return NULL;
    }
    kz_dobutsu_unmoves_fill(&n->unmoves);
    uint32_t run = 0;
    for (uint32_t chunk = 0; chunk < CHUNKS; chunk++) {
        while (run + 1 < n->space->run_count && n->space->runs[run + 1].base <= chunk * CHUNK) {
            run++;
        }
        n->run_at[chunk] = run;
    }
    return n;
}

void kz_dobutsu_numbers_free(kz_dobutsu_numbers *n) {
    if (n) {
        kz_dobutsu_space_free(n->space);
        free(n);
    }
}

const kz_dobutsu_space *kz_dobutsu_numbers_space(const kz_dobutsu_numbers *n) { return n->space; }

/* ---- Positions --------------------------------------------------------------------------------------------------- */

static inline states states_at(const kz_dobutsu_numbers *n, uint64_t index) {
    const kz_dobutsu_space *space = n->space;
    const kz_dobutsu_run *run = &space->runs[n->run_at[index / CHUNK]];
    while (run->base + run->size <= index) {
        run++;
    }
    return (states){.own_lion = space->own_lion[run->lion_class],
                    .enemy_lion = space->enemy_lion[run->lion_class],
                    .elephants = run->elephants,
                    .giraffes = run->giraffes,
                    .chicks = space->chick_state[kz_dobutsu_run_chicks(space, run)][index - run->base]};
}

/* Whether it is its own mirror image. Then two moves may lead to mirror images of one position. */
static bool is_symmetric(const kz_dobutsu_space *space, const states *s) {
    return kz_dobutsu_lions_central(s->own_lion, s->enemy_lion) && space->plain_mirror[s->elephants] == s->elephants &&
           space->plain_mirror[s->giraffes] == s->giraffes && space->chick_mirror[s->chicks] == s->chicks;
}

/* The footprints of all pairs together. */
static inline kz_dobutsu_footprint footprint(const kz_dobutsu_space *space, const states *s) {
    uint64_t e;
    uint64_t g;
    uint64_t c;
    kz_dobutsu_footprint all;
    memcpy(&e, &space->elephant[s->elephants], sizeof e);
    memcpy(&g, &space->giraffe[s->giraffes], sizeof g);
    memcpy(&c, &space->chick[s->chicks], sizeof c);
    e |= g | c;
    memcpy(&all, &e, sizeof all);
    return all;
}

/* The index of a position of the solved zone; UINT64_MAX if pieces stand on each other. */
static inline uint64_t rank(const kz_dobutsu_space *space, const states *s) {
    kz_dobutsu_run_base run;
    if (!kz_dobutsu_run_base_of(space, s->own_lion, s->enemy_lion, s->elephants, s->giraffes, &run)) {
        return UINT64_MAX;
    }
    unsigned chicks = kz_dobutsu_chick_rank(&run, run.mirrored ? space->chick_mirror[s->chicks] : s->chicks);
    return chicks == KZ_DOBUTSU_NO_STATE ? UINT64_MAX : run.base + chicks;
}

static inline bool in_solved_zone(const kz_dobutsu_space *space, const states *s) {
    return space->lion_class[s->own_lion][s->enemy_lion] < KZ_DOBUTSU_LION_CLASSES_SOLVED;
}

/* ---- Positions that are won at once ------------------------------------------------------------------------------ */

/* Squares of the far row that the mover's lion can step onto and stay. */
static inline unsigned safe_tries(const states *s, const kz_dobutsu_footprint *all) {
    unsigned barred =
        all->own | all->enemy_attacks | kz_dobutsu_steps(KZ_DOBUTSU_LION, s->enemy_lion) | 1U << s->enemy_lion;
    return KZ_DOBUTSU_FAR_ROW_SET & kz_dobutsu_steps(KZ_DOBUTSU_LION, s->own_lion) & ~barred;
}

/* The position after a capture on `to` by a piece that is not of the captured one's pair. */
static inline states after_capture(const kz_dobutsu_forward *forward, states s, unsigned to) {
    kz_dobutsu_take(forward, &s, to);
    return s;
}

/* By the simplified rules the opponent of a lion that stepped to safety moves once more, if he can. In how many plies
 * the best such step wins: 1 or 2. */
static int try_plies(const kz_dobutsu_numbers *n, const states *s, unsigned tries) {
    for (; tries; tries &= tries - 1) {
        states after = after_capture(&n->forward, *s, kz_lowest_bit32(tries));
        after.own_lion = (int)kz_lowest_bit32(tries);
        kz_dobutsu position;
        kz_dobutsu_states_to(&after, &position);
        kz_dobutsu_flip(&position);
        if (kz_dobutsu_immediate(n->rules, &position).distance == 0) {
            return 1;
        }
    }
    return 2;
}

/* In how many plies the rules alone promise a win: 0 (none), 1, or by the simplified rules 2. */
static inline int promised_win(const kz_dobutsu_numbers *n, const states *s, const kz_dobutsu_footprint *all) {
    if (all->own_attacks >> s->enemy_lion & 1) {
        return 1;
    }
    unsigned tries = safe_tries(s, all);
    if (!tries) {
        return 0;
    }
    return n->rules == KZ_DOBUTSU_OFFICIAL ? 1 : try_plies(n, s, tries);
}

/* ---- Moves ------------------------------------------------------------------------------------------------------- */

/* The numbers found so far, and what else there is to say. */
typedef struct findings {
    const kz_dobutsu_numbers *n;
    uint64_t *list;
    int count;
    bool refuted; /* a move leaves the opponent a win at once */
} findings;

/* The position after a move, as the side that moved sees it. */
static inline void add_successor(findings *f, const states *after) {
    const kz_dobutsu_space *space = f->n->space;
    kz_dobutsu_footprint all = footprint(space, after);
    unsigned steps = kz_dobutsu_steps(KZ_DOBUTSU_LION, after->enemy_lion);
    if ((all.enemy_attacks | steps) >> after->own_lion & 1) {
        f->refuted = true;
        return;
    }
    if (KZ_DOBUTSU_FAR_ROW_SET >> after->own_lion & 1) {
        return; /* a step to safety, which `promised_win` knows about */
    }
    /* The enemy lion's safe steps to this side's home row. */
    unsigned tries =
        HOME_ROW_SET & steps & ~(all.enemy | all.own_attacks | kz_dobutsu_steps(KZ_DOBUTSU_LION, after->own_lion));
    states seen = kz_dobutsu_turned(space, after);
    if (tries) {
        kz_dobutsu_footprint turned = footprint(space, &seen);
        if (promised_win(f->n, &seen, &turned) == 1) {
            f->refuted = true;
            return;
        }
    }
    f->list[f->count++] = rank(space, &seen);
}

static void add_lion_moves(findings *f, const states *s, const kz_dobutsu_footprint *all) {
    unsigned targets = kz_dobutsu_steps(KZ_DOBUTSU_LION, s->own_lion) & ~(unsigned)all->own;
    for (; targets; targets &= targets - 1) {
        unsigned to = kz_lowest_bit32(targets);
        states after = all->enemy >> to & 1 ? after_capture(&f->n->forward, *s, to) : *s;
        after.own_lion = (int)to;
        add_successor(f, &after);
    }
}

/* Moves of a pair: `moved` is its state in `after`, which is the position so far. `own` are squares with own pieces of
 * other pairs and the own lion, `enemy` those with enemy pieces of other pairs. */
static inline void add_pair_moves(findings *f, states *after, unsigned *moved, const kz_dobutsu_pair_moves *moves,
                                  unsigned own, unsigned enemy) {
    unsigned before = *moved;
    for (unsigned i = 0; i < moves->count; i++) {
        const kz_dobutsu_pair_move *move = &moves->moves[i];
        unsigned barred = move->from == KZ_DOBUTSU_FROM_HAND ? own | enemy : own;
        if (barred >> move->to & 1) {
            continue;
        }
        *moved = move->state;
        if (enemy >> move->to & 1) {
            states taken = after_capture(&f->n->forward, *after, move->to);
            add_successor(f, &taken);
        } else {
            add_successor(f, after);
        }
    }
    *moved = before;
}

/* NOLINTNEXTLINE(readability-non-const-parameter): written through the findings */
int kz_dobutsu_numbers_after(const kz_dobutsu_numbers *n, uint64_t index, uint64_t *list, kz_sight *sight) {
    const kz_dobutsu_space *space = n->space;
    states s = states_at(n, index);
    kz_dobutsu_footprint all = footprint(space, &s);
    sight->win = promised_win(n, &s, &all);
    if (sight->win == 1) {
        return 0;
    }
    findings f = {.n = n, .list = list};
    const kz_dobutsu_footprint *e = &space->elephant[s.elephants];
    const kz_dobutsu_footprint *g = &space->giraffe[s.giraffes];
    const kz_dobutsu_footprint *c = &space->chick[s.chicks];
    unsigned lions = 1U << s.own_lion | 1U << s.enemy_lion;
    states after = s;
    add_lion_moves(&f, &s, &all);
    add_pair_moves(&f, &after, &after.chicks, &n->forward.chick[s.chicks], lions | e->own | g->own,
                   (unsigned)e->enemy | g->enemy);
    add_pair_moves(&f, &after, &after.elephants, &n->forward.elephant[s.elephants], lions | g->own | c->own,
                   (unsigned)g->enemy | c->enemy);
    add_pair_moves(&f, &after, &after.giraffes, &n->forward.giraffe[s.giraffes], lions | e->own | c->own,
                   (unsigned)e->enemy | c->enemy);
    sight->worst = f.refuted;
    if (f.count == 0 && !f.refuted && !sight->win) {
        sight->over = KZ_LOSS; /* no moves */
    }
    return is_symmetric(space, &s) ? (int)kz_distinct64(list, (unsigned)f.count) : f.count;
}

/* ---- Moves taken back -------------------------------------------------------------------------------------------- */

/* A position before a move, as the side that made the move sees it; if it is one, and is not won at once, because then
 * it does not matter. */
static inline void add_predecessor(findings *f, const states *before) {
    const kz_dobutsu_space *space = f->n->space;
    kz_dobutsu_footprint all = footprint(space, before);
    bool won =
        all.own_attacks >> before->enemy_lion & 1 || (f->n->rules == KZ_DOBUTSU_OFFICIAL && safe_tries(before, &all));
    if (!won) {
        uint64_t index = rank(space, before);
        f->list[f->count] = index;
        f->count += index != UINT64_MAX;
    }
}

/* A piece has gone back from `to`: nothing was captured there, or something that is in the own hand now. */
static inline void add_with_captures(findings *f, const states *gone, unsigned to) {
    const kz_dobutsu_unmoves *unmoves = &f->n->unmoves;
    states before = *gone;
    add_predecessor(f, gone);
    unsigned elephants = unmoves->plain_returned[gone->elephants][to];
    if (elephants != KZ_DOBUTSU_NO_STATE) {
        before.elephants = elephants;
        add_predecessor(f, &before);
        before.elephants = gone->elephants;
    }
    unsigned giraffes = unmoves->plain_returned[gone->giraffes][to];
    if (giraffes != KZ_DOBUTSU_NO_STATE) {
        before.giraffes = giraffes;
        add_predecessor(f, &before);
        before.giraffes = gone->giraffes;
    }
    for (int hen = 0; unmoves->chick_held[gone->chicks] && hen < 2; hen++) {
        unsigned chicks = unmoves->chick_returned[gone->chicks][to][hen];
        if (chicks != KZ_DOBUTSU_NO_STATE) {
            before.chicks = chicks;
            add_predecessor(f, &before);
        }
    }
}

/* Takes back the moves of a pair: `moved` is its state in `before`, which is the position so far. */
static inline void add_pair_unmoves(findings *f, states *before, unsigned *moved, const kz_dobutsu_unmove_list *list,
                                    unsigned taken) {
    unsigned after = *moved;
    for (unsigned i = 0; i < list->count; i++) {
        const kz_dobutsu_unmove *unmove = &list->unmoves[i];
        *moved = unmove->state;
        if (unmove->from == KZ_DOBUTSU_FROM_HAND) {
            add_predecessor(f, before);
        } else if (!(taken >> unmove->from & 1)) {
            add_with_captures(f, before, unmove->to);
        }
    }
    *moved = after;
}

/* NOLINTNEXTLINE(readability-non-const-parameter): written through the findings */
int kz_dobutsu_numbers_before(const kz_dobutsu_numbers *n, uint64_t index, uint64_t *list) {
    const kz_dobutsu_space *space = n->space;
    states s = states_at(n, index);
    states before = kz_dobutsu_turned(space, &s); /* as the side that has moved sees it */
    kz_dobutsu_footprint all = footprint(space, &before);
    unsigned taken = 1U << before.own_lion | 1U << before.enemy_lion | all.own | all.enemy;
    findings f = {.n = n, .list = list};
    unsigned to = (unsigned)before.own_lion;
    for (unsigned from = n->unmoves.lion[to] & ~taken; from; from &= from - 1) {
        before.own_lion = (int)kz_lowest_bit32(from);
        if (in_solved_zone(space, &before)) {
            add_with_captures(&f, &before, to);
        }
    }
    before.own_lion = (int)to;
    if (in_solved_zone(space, &before)) {
        add_pair_unmoves(&f, &before, &before.elephants, &n->unmoves.elephant[before.elephants], taken);
        add_pair_unmoves(&f, &before, &before.giraffes, &n->unmoves.giraffe[before.giraffes], taken);
        add_pair_unmoves(&f, &before, &before.chicks, &n->unmoves.chick[before.chicks], taken);
    }
    return is_symmetric(space, &s) ? (int)kz_distinct64(list, (unsigned)f.count) : f.count;
}
