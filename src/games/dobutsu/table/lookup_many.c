/* SPDX-License-Identifier: MIT
 *
 * Looking many positions up: the same answers as lookup.c, which looks further ahead to save blocks of a cold table.
 * Here blocks are shared by many positions, so what counts is the work for each, and above all branches that no
 * processor can guess. */
#include "games/dobutsu/table/lookup.h"

typedef kz_dobutsu_lookup lookup;

/* ---- From the board to states ------------------------------------------------------------------------------------ */

/* The squares of all pieces as sets of 12 bits, several in a word. */
enum { SET_BITS = KZ_DOBUTSU_SQUARES, SET = (1 << SET_BITS) - 1 };
/* Sets of the first word: */
enum { CHICKS = 0, ELEPHANTS = SET_BITS, GIRAFFES = 2 * SET_BITS, OWN_LION = 3 * SET_BITS, ENEMY_LION = 4 * SET_BITS };
/* Sets of the second: */
enum { ENEMIES = 0, HENS = SET_BITS, WRONG = 2 * SET_BITS };
enum { CELLS = 2 * KZ_DOBUTSU_ENEMY };

#define BIT(set) (UINT64_C(1) << (set))
#define PIECE(kind) [1 + (kind)]
#define ENEMY_PIECE(kind) [1 + (kind) + KZ_DOBUTSU_ENEMY]

/* Which sets a piece is in. */
static const uint64_t first_sets[CELLS] = {
    PIECE(KZ_DOBUTSU_CHICK) = BIT(CHICKS),       ENEMY_PIECE(KZ_DOBUTSU_CHICK) = BIT(CHICKS),
    PIECE(KZ_DOBUTSU_HEN) = BIT(CHICKS),         ENEMY_PIECE(KZ_DOBUTSU_HEN) = BIT(CHICKS),
    PIECE(KZ_DOBUTSU_ELEPHANT) = BIT(ELEPHANTS), ENEMY_PIECE(KZ_DOBUTSU_ELEPHANT) = BIT(ELEPHANTS),
    PIECE(KZ_DOBUTSU_GIRAFFE) = BIT(GIRAFFES),   ENEMY_PIECE(KZ_DOBUTSU_GIRAFFE) = BIT(GIRAFFES),
    PIECE(KZ_DOBUTSU_LION) = BIT(OWN_LION),      ENEMY_PIECE(KZ_DOBUTSU_LION) = BIT(ENEMY_LION)};
static const uint64_t second_sets[CELLS] = {PIECE(KZ_DOBUTSU_HEN) = BIT(HENS),
                                            ENEMY_PIECE(KZ_DOBUTSU_CHICK) = BIT(ENEMIES),
                                            ENEMY_PIECE(KZ_DOBUTSU_HEN) = BIT(ENEMIES) | BIT(HENS),
                                            ENEMY_PIECE(KZ_DOBUTSU_ELEPHANT) = BIT(ENEMIES),
                                            ENEMY_PIECE(KZ_DOBUTSU_GIRAFFE) = BIT(ENEMIES),
                                            [1 + KZ_DOBUTSU_KINDS] = BIT(WRONG),
                                            [2 + KZ_DOBUTSU_KINDS] = BIT(WRONG),
                                            [KZ_DOBUTSU_ENEMY] = BIT(WRONG),
                                            [1 + KZ_DOBUTSU_KINDS + KZ_DOBUTSU_ENEMY] = BIT(WRONG),
                                            [2 + KZ_DOBUTSU_KINDS + KZ_DOBUTSU_ENEMY] = BIT(WRONG)};

/* A pair on the board. Squares of pieces that are not there are 12. */
typedef struct pair {
    unsigned low;
    unsigned high;
    unsigned count;
    bool wrong; /* there are more than two */
} pair;

static inline pair pair_of(unsigned set) {
    unsigned second = set & (set - 1);
    return (pair){.low = kz_lowest_bit32(set | 1U << SET_BITS),
                  .high = kz_lowest_bit32(second | 1U << SET_BITS),
                  .count = (unsigned)(set != 0) + (second != 0),
                  .wrong = second & (second - 1)};
}

/* The states as kz_dobutsu_pair_state has them, without a branch. triangle(12) is the number of pairs of squares. */
static inline unsigned triangle(unsigned n) { return n * (n - 1) / 2; }

static inline unsigned plain_state(pair p, unsigned enemies, unsigned enemy_hand) {
    return 4 * (triangle(p.high) + p.low) + 2 * (enemies >> p.low & 1) + (enemies >> p.high & 1) + enemy_hand;
}

static inline unsigned chick_state(pair p, unsigned enemies, unsigned hens, unsigned enemy_hand) {
    unsigned low = (enemies >> p.low & 1) | (hens >> p.low & 1) << 1;
    unsigned high = (enemies >> p.high & 1) | (hens >> p.high & 1) << 1;
    unsigned two = 16 * (triangle(p.high) + p.low) + 4 * low + high;
    unsigned fewer = 16 * triangle(KZ_DOBUTSU_SQUARES) + 8 * p.low + 2 * low + enemy_hand;
    return p.count == 2 ? two : fewer;
}

/* False: it is no position with both lions on the board, or none at all. */
static inline bool read_states(const kz_position *position, kz_dobutsu_states *states) {
    kz_dobutsu d;
    memcpy(&d, position->words, sizeof d);
    uint64_t first = 0;
    uint64_t second = 0;
    unsigned cells = 0;
    for (unsigned square = 0; square < KZ_DOBUTSU_SQUARES; square++) {
        unsigned cell = d.board[square];
        cells |= cell;
        first |= first_sets[cell % CELLS] << square;
        second |= second_sets[cell % CELLS] << square;
    }
    unsigned enemies = second >> ENEMIES & SET;
    pair chicks = pair_of(first >> CHICKS & SET);
    pair elephants = pair_of(first >> ELEPHANTS & SET);
    pair giraffes = pair_of(first >> GIRAFFES & SET);
    pair own_lion = pair_of(first >> OWN_LION & SET);
    pair enemy_lion = pair_of(first >> ENEMY_LION & SET);
    *states = (kz_dobutsu_states){
        .own_lion = (int)own_lion.low,
        .enemy_lion = (int)enemy_lion.low,
        .elephants = plain_state(elephants, enemies, d.hand[1][KZ_DOBUTSU_ELEPHANT]),
        .giraffes = plain_state(giraffes, enemies, d.hand[1][KZ_DOBUTSU_GIRAFFE]),
        .chicks = chick_state(chicks, enemies, second >> HENS & SET, d.hand[1][KZ_DOBUTSU_CHICK]),
    };
    /* What is wrong, as bits: nothing is asked before the end. */
    unsigned wrong = (unsigned)(second >> WRONG) | cells / CELLS;
    wrong |= (unsigned)chicks.wrong | elephants.wrong | giraffes.wrong;
    wrong |= (chicks.count + d.hand[0][KZ_DOBUTSU_CHICK] + d.hand[1][KZ_DOBUTSU_CHICK]) ^ 2U;
    wrong |= (elephants.count + d.hand[0][KZ_DOBUTSU_ELEPHANT] + d.hand[1][KZ_DOBUTSU_ELEPHANT]) ^ 2U;
    wrong |= (giraffes.count + d.hand[0][KZ_DOBUTSU_GIRAFFE] + d.hand[1][KZ_DOBUTSU_GIRAFFE]) ^ 2U;
    wrong |= (own_lion.count ^ 1U) | (enemy_lion.count ^ 1U) | d.hand[0][KZ_DOBUTSU_LION] | d.hand[1][KZ_DOBUTSU_LION];
    wrong |= d.turn & ~1U;
    return wrong == 0;
}

/* ---- Looking ----------------------------------------------------------------------------------------------------- */

static inline uint64_t rank(const kz_dobutsu_space *space, const kz_dobutsu_states *states) {
    kz_dobutsu_run_base target;
    if (!kz_dobutsu_run_base_of(space, states->own_lion, states->enemy_lion, states->elephants, states->giraffes,
                                &target)) {
        return KZ_NO_INDEX;
    }
    unsigned chicks = target.mirrored ? space->chick_mirror[states->chicks] : states->chicks;
    return target.base + kz_dobutsu_chick_rank(&target, chicks);
}

void kz_dobutsu_look_many(const lookup *self, const kz_position *positions, unsigned count, kz_value *values,
                          uint64_t *indices) {
    for (unsigned i = 0; i < count; i++) {
        kz_dobutsu_states states;
        bool usual = read_states(&positions[i], &states);
        values[i] = (kz_value){KZ_UNKNOWN, 0};
        indices[i] = KZ_NO_INDEX;
        if (usual && self->space->lion_class[states.own_lion][states.enemy_lion] < KZ_DOBUTSU_LION_CLASSES_SOLVED) {
            if (kz_dobutsu_wins_now(self, &states)) {
                values[i] = (kz_value){KZ_WIN, 1};
            } else {
                indices[i] = rank(self->space, &states);
            }
        }
    }
}

/* ---- Successors -------------------------------------------------------------------------------------------------- */

typedef struct findings {
    uint64_t *indices;
    unsigned count;
    unsigned promised;
} findings;

static inline void add_index(const lookup *self, const kz_dobutsu_states *after, findings *f) {
    kz_dobutsu_states next = kz_dobutsu_turned(self->space, after);
    f->indices[f->count++] = rank(self->space, &next);
}

static void add_try(const lookup *self, const kz_dobutsu_states *after, findings *f) {
    kz_value promised = kz_dobutsu_promised_try(self, after);
    if (promised.outcome == KZ_WIN && (f->promised == 0 || (unsigned)promised.distance < f->promised)) {
        f->promised = (unsigned)promised.distance;
    }
}

/* What pieces together stand on and attack. */
static inline kz_dobutsu_footprint both(const kz_dobutsu_footprint *a, const kz_dobutsu_footprint *b) {
    return (kz_dobutsu_footprint){.own = a->own | b->own,
                                  .enemy = a->enemy | b->enemy,
                                  .own_attacks = a->own_attacks | b->own_attacks,
                                  .enemy_attacks = a->enemy_attacks | b->enemy_attacks};
}

/* Whether the opponent can win at once after a move: by taking the lion, or by a Try, which the lion and all that
 * attacks the home row may prevent. `all` is what the pieces of all pairs do. */
static inline bool loses_at_once(const lookup *self, const kz_dobutsu_states *after, const kz_dobutsu_footprint *all,
                                 unsigned home) {
    unsigned enemy_steps = self->lion_steps[after->enemy_lion];
    unsigned attacked = (all->enemy_attacks | enemy_steps) & 1U << after->own_lion;
    unsigned barred = (unsigned)all->enemy | all->own_attacks | self->lion_steps[after->own_lion];
    return attacked | (enemy_steps & home & ~barred);
}

static inline kz_dobutsu_footprint footprint_of(const kz_dobutsu_space *space, const kz_dobutsu_states *states) {
    kz_dobutsu_footprint plain = both(&space->elephant[states->elephants], &space->giraffe[states->giraffes]);
    return both(&plain, &space->chick[states->chicks]);
}

/* A move that takes a piece, or one of the lion. */
static void add_other(const lookup *self, kz_dobutsu_states after, unsigned to, unsigned home, findings *f) {
    kz_dobutsu_take(&self->forward, &after, to);
    kz_dobutsu_footprint all = footprint_of(self->space, &after);
    if (KZ_DOBUTSU_FAR_ROW_SET >> after.own_lion & 1) {
        if (!kz_dobutsu_lion_is_lost(self, &after)) {
            add_try(self, &after, f);
        }
    } else if (!loses_at_once(self, &after, &all, home)) {
        add_index(self, &after, f);
    }
}

/* The moves of one pair; `others` is what the other two do, and `moved` the pair's state in `after`. First all moves
 * are sorted into those that take a piece, those that are no good and the others, without a branch. */
static inline void add_pair_moves(const lookup *self, const kz_dobutsu_pair_moves *list,
                                  const kz_dobutsu_footprint *footprints, kz_dobutsu_footprint others, unsigned lions,
                                  unsigned home, kz_dobutsu_states *after, unsigned *moved, findings *f) {
    uint16_t good[KZ_DOBUTSU_MAX_PAIR_MOVES + 1];
    uint8_t taking[KZ_DOBUTSU_MAX_PAIR_MOVES + 1];
    unsigned good_count = 0;
    unsigned taking_count = 0;
    for (unsigned i = 0; i < list->count; i++) {
        const kz_dobutsu_pair_move *move = &list->moves[i];
        unsigned takes = others.enemy >> move->to & 1;
        unsigned fits = ~((lions | others.own) >> move->to) & ~(takes & (move->from == KZ_DOBUTSU_FROM_HAND)) & 1;
        kz_dobutsu_footprint all = both(&others, &footprints[move->state]);
        good[good_count] = move->state;
        good_count += fits & ~takes & (unsigned)!loses_at_once(self, after, &all, home);
        taking[taking_count] = (uint8_t)i;
        taking_count += fits & takes;
    }
    for (unsigned i = 0; i < good_count; i++) {
        *moved = good[i]; /* NOLINT(clang-analyzer-core.uninitialized.Assign): all below good_count are set */
        add_index(self, after, f);
    }
    for (unsigned i = 0; i < taking_count; i++) {
        *moved = list->moves[taking[i]].state;
        add_other(self, *after, list->moves[taking[i]].to, home, f);
    }
}

/* The successors that the opponent does not win at once. */
static void list_successors(const lookup *self, const kz_dobutsu_states *states, findings *f) {
    const kz_dobutsu_space *space = self->space;
    const kz_dobutsu_forward *forward = &self->forward;
    const kz_dobutsu_footprint *e = &space->elephant[states->elephants];
    const kz_dobutsu_footprint *g = &space->giraffe[states->giraffes];
    const kz_dobutsu_footprint *c = &space->chick[states->chicks];
    unsigned lions = 1U << states->own_lion | 1U << states->enemy_lion;
    /* Where the opponent's lion would have to go for a Try. */
    unsigned home = self->planner.rules == KZ_DOBUTSU_OFFICIAL ? (unsigned)KZ_DOBUTSU_HOME_ROW_SET : 0;
    /* A piece that the lion takes does not attack its own square, so what is attacked now is attacked then. */
    unsigned barred = lions | e->own | g->own | c->own | e->enemy_attacks | g->enemy_attacks | c->enemy_attacks |
                      self->lion_steps[states->enemy_lion];
    for (unsigned to = self->lion_steps[states->own_lion] & ~barred; to; to &= to - 1) {
        kz_dobutsu_states after = *states;
        after.own_lion = (int)kz_lowest_bit32(to);
        add_other(self, after, kz_lowest_bit32(to), home, f);
    }
    kz_dobutsu_states after = *states;
    add_pair_moves(self, &forward->chick[states->chicks], space->chick, both(e, g), lions, home, &after, &after.chicks,
                   f);
    after = *states;
    add_pair_moves(self, &forward->elephant[states->elephants], space->elephant, both(g, c), lions, home, &after,
                   &after.elephants, f);
    after = *states;
    add_pair_moves(self, &forward->giraffe[states->giraffes], space->giraffe, both(e, c), lions, home, &after,
                   &after.giraffes, f);
}

/* NOLINTBEGIN(readability-non-const-parameter): written through the findings */
void kz_dobutsu_successors_many(const lookup *self, const kz_position *positions, const uint32_t *numbers,
                                unsigned count, kz_successors *lists, uint64_t *indices) {
    /* NOLINTEND(readability-non-const-parameter) */
    for (unsigned i = 0; i < count; i++) {
        kz_dobutsu_states states;
        findings f = {.indices = indices};
        read_states(&positions[numbers[i]], &states);
        list_successors(self, &states, &f);
        lists[i] = (kz_successors){(uint16_t)f.count, (uint16_t)f.promised};
        indices += f.count;
    }
}
