/* SPDX-License-Identifier: MIT */
#include "games/dobutsu/table/plan.h"

#include "base/bits.h"
#include "games/dobutsu/rules/rules.h"

#include <string.h>

/* Classes: what the mover's lion faces. A lion that is attacked and can't step to safety is lost more often than not.
 */
enum { CLASS_IN_CHECK = 4, CLASS_MOST_ESCAPES = 3, CLASS_SAFE_TRY = 8 };

enum { FEWEST_FREE = 6, MOST_FREE = 10 };

/* What all positions of a run of the index have in common. */
typedef struct common {
    unsigned prey;          /* the enemy lion's square */
    unsigned lion;          /* the own lion's square */
    unsigned steps;         /* where it could step */
    unsigned taken;         /* by lions, elephants and giraffes */
    unsigned own;           /* own elephants and giraffes */
    unsigned own_attacks;   /* what they attack */
    unsigned enemy_attacks; /* what enemy elephants, giraffes and the enemy lion attack */
} common;

static common common_of(const kz_dobutsu_space *space, int own_lion, int enemy_lion, unsigned elephants,
                        unsigned giraffes) {
    const kz_dobutsu_footprint *e = &space->elephant[elephants];
    const kz_dobutsu_footprint *g = &space->giraffe[giraffes];
    return (common){.prey = 1U << enemy_lion,
                    .lion = 1U << own_lion,
                    .steps = kz_dobutsu_steps(KZ_DOBUTSU_LION, own_lion),
                    .taken = 1U << own_lion | 1U << enemy_lion | e->own | e->enemy | g->own | g->enemy,
                    .own = (unsigned)e->own | g->own,
                    .own_attacks = (unsigned)e->own_attacks | g->own_attacks,
                    /* A lion steps alike in all directions, so the enemy's attacks need no turning round. */
                    .enemy_attacks =
                        e->enemy_attacks | g->enemy_attacks | kz_dobutsu_steps(KZ_DOBUTSU_LION, enemy_lion)};
}

static inline unsigned class_of(const common *r, const kz_dobutsu_footprint *chicks, bool official) {
    unsigned attacked = r->enemy_attacks | chicks->enemy_attacks;
    unsigned escapes = r->steps & ~(r->own | chicks->own | attacked);
    bool captures = (r->own_attacks | chicks->own_attacks) & r->prey;
    bool safe_try = escapes & KZ_DOBUTSU_FAR_ROW_SET;
    if (captures || (official && safe_try)) {
        return KZ_PLAN_SKIP;
    }
    if (safe_try) {
        return CLASS_SAFE_TRY;
    }
    /* How many: found by taking the lowest one away, once and twice. */
    unsigned fewer = escapes & (escapes - 1);
    unsigned number = escapes == 0 ? 0 : fewer == 0 ? 1 : (fewer & (fewer - 1)) == 0 ? 2 : CLASS_MOST_ESCAPES;
    return (attacked & r->lion ? CLASS_IN_CHECK : 0) + number;
}

bool kz_dobutsu_won_at_once(const kz_dobutsu_planner *planner, const kz_dobutsu_states *states) {
    const kz_dobutsu_space *space = planner->space;
    common r = common_of(space, states->own_lion, states->enemy_lion, states->elephants, states->giraffes);
    return class_of(&r, &space->chick[states->chicks], planner->rules == KZ_DOBUTSU_OFFICIAL) == KZ_PLAN_SKIP;
}

static void fill_chick_backs(unsigned free, kz_dobutsu_chick_backs *list) {
    unsigned taken = (unsigned)KZ_DOBUTSU_ALL_SQUARES & ~((1U << free) - 1);
    unsigned states = kz_dobutsu_pair_states(KZ_DOBUTSU_CHICK_BITS, free);
    for (unsigned rank = 0; rank < states; rank++) {
        kz_dobutsu_pair pair;
        kz_dobutsu_pair_unrank(rank, KZ_DOBUTSU_CHICK_BITS, taken, &pair);
        for (int piece = 0; piece < pair.on_board; piece++) {
            kz_dobutsu_pair moved = pair;
            moved.square[piece]--;
            bool fits = moved.square[piece] >= 0 && !(piece == 1 && moved.square[1] == moved.square[0]);
            if (fits) {
                list->back[piece][rank] = (uint16_t)(rank - kz_dobutsu_pair_rank(&moved, KZ_DOBUTSU_CHICK_BITS, taken));
            }
        }
    }
}

/* Turns distances back into 1 + offsets in the block, 0 where there is none within the block. Signed 16-bit numbers,
 * and no branch, so that compilers do eight at a time. */
static void fill_near(uint16_t *restrict near, const uint16_t *restrict back, unsigned done, unsigned length) {
    for (unsigned i = 0; i < length; i++) {
        int16_t distance = (int16_t)back[i];
        int16_t place = (int16_t)(done + i + 1);
        int16_t inside = (int16_t) - (distance > 0 && distance < place);
        near[i] = (uint16_t)((place - distance) & inside);
    }
}

/* The same where all neighbours are equally far back. */
static void fill_far(uint16_t *restrict near, unsigned far, unsigned done, unsigned length) {
    unsigned first = far ? far - done : length; /* below 0 if all are in the block */
    for (unsigned i = 0; i < length; i++) {
        near[i] = (uint16_t)((int)i < (int)first ? 0 : i - first + 1);
    }
}

void kz_dobutsu_planner_fill(kz_dobutsu_planner *planner, const kz_dobutsu_space *space, int rules) {
    *planner = (kz_dobutsu_planner){.space = space, .rules = rules};
    for (unsigned free = FEWEST_FREE; free <= MOST_FREE; free++) {
        fill_chick_backs(free, &planner->chicks[free]);
    }
}

#ifdef __SSE2__
/* The classes of the chicks' states from `state` on, as class_of has them. A comparison gives all bits, so -1. */
static inline void classes_of_octet(const kz_dobutsu_space *space, const common *r, unsigned state, bool official,
                                    uint8_t classes[8]) {
    const uint16_t tries = official ? KZ_DOBUTSU_FAR_ROW_SET : 0;
    const uint16_t steps = (uint16_t)(r->steps & ~(r->own | r->enemy_attacks));
    kz_dobutsu_words own = kz_dobutsu_load_words(space->chick_own + state);
    kz_dobutsu_words enemy_attacks = kz_dobutsu_load_words(space->chick_enemy_attacks + state);
    kz_dobutsu_words captures =
        (kz_dobutsu_load_words(space->chick_own_attacks + state) | (uint16_t)r->own_attacks) & (uint16_t)r->prey;
    kz_dobutsu_words escapes = ~(own | enemy_attacks) & steps;
    kz_dobutsu_words fewer = escapes & (escapes - 1);
    kz_dobutsu_words fewest = fewer & (fewer - 1);
    kz_dobutsu_words safe = (kz_dobutsu_words)(((enemy_attacks | (uint16_t)r->enemy_attacks) & (uint16_t)r->lion) == 0);
    kz_dobutsu_words open =
        (kz_dobutsu_words)(escapes == 0) + (kz_dobutsu_words)(fewer == 0) + (kz_dobutsu_words)(fewest == 0);
    open += CLASS_MOST_ESCAPES + (~safe & CLASS_IN_CHECK);
    kz_dobutsu_words no_try = (kz_dobutsu_words)((escapes & KZ_DOBUTSU_FAR_ROW_SET) == 0);
    kz_dobutsu_words class = (open & no_try) | (~no_try & CLASS_SAFE_TRY);
    kz_dobutsu_words stored = (kz_dobutsu_words)((captures | (escapes & tries)) == 0);
    class = (class & stored) | (~stored & KZ_PLAN_SKIP);
    kz_dobutsu_bytes bytes = __builtin_convertvector(class, kz_dobutsu_bytes);
    memcpy(classes, &bytes, sizeof bytes);
}
#else
/* The same without vectors. No branch, and one width of numbers, so that compilers may do all eight at a time. */
static inline void classes_of_octet(const kz_dobutsu_space *space, const common *r, unsigned state, bool official,
                                    uint8_t classes[8]) {
    const uint16_t *chick_own = space->chick_own + state;
    const uint16_t *chick_own_attacks = space->chick_own_attacks + state;
    const uint16_t *chick_enemy_attacks = space->chick_enemy_attacks + state;
    uint16_t tries = official ? KZ_DOBUTSU_FAR_ROW_SET : 0;
    uint16_t found[8];
    for (unsigned i = 0; i < 8; i++) {
        uint16_t attacked = (uint16_t)(r->enemy_attacks | chick_enemy_attacks[i]);
        uint16_t escapes = (uint16_t)(r->steps & ~(r->own | chick_own[i] | attacked));
        uint16_t fewer = (uint16_t)(escapes & (escapes - 1));
        uint16_t fewest = (uint16_t)(fewer & (fewer - 1));
        uint16_t captures = (uint16_t)((r->own_attacks | chick_own_attacks[i]) & r->prey);
        uint16_t number = (uint16_t)((escapes != 0) + (fewer != 0) + (fewest != 0));
        uint16_t open = (uint16_t)(number + ((attacked & r->lion) != 0) * CLASS_IN_CHECK);
        uint16_t class = (escapes & KZ_DOBUTSU_FAR_ROW_SET) != 0 ? CLASS_SAFE_TRY : open;
        found[i] = (captures | (escapes & tries)) != 0 ? KZ_PLAN_SKIP : class;
    }
    for (unsigned i = 0; i < 8; i++) {
        classes[i] = (uint8_t)found[i];
    }
}
#endif

/* The classes of a run's positions from rank `begin` to before `end`. */
static void fill_classes(const kz_dobutsu_space *space, const common *r, bool official, unsigned begin, unsigned end,
                         uint8_t *classes) {
    const uint16_t *octets = space->octets[space->ranking_of[0][r->taken]];
    for (unsigned octet = 0; octet < KZ_DOBUTSU_OCTETS; octet++) {
        unsigned rank = octets[octet];
        if (rank == KZ_DOBUTSU_NO_STATE || rank + 8 <= begin) {
            continue;
        }
        if (rank >= end) {
            return;
        }
        if (rank >= begin && rank + 8 <= end) {
            classes_of_octet(space, r, 8 * octet, official, classes + (rank - begin));
            continue;
        }
        uint8_t some[8];
        unsigned from = rank < begin ? begin - rank : 0;
        unsigned to = rank + 8 > end ? end - rank : 8;
        classes_of_octet(space, r, 8 * octet, official, some);
        memcpy(classes + (rank + from - begin), some + from, to - from);
    }
}

/* The same where mirror images among the chicks are folded: rare. */
static void fill_folded_classes(const kz_dobutsu_space *space, const common *r, bool official, unsigned begin,
                                unsigned end, uint8_t *classes) {
    const uint16_t *ranks = space->chick_rank[space->ranking_of[1][r->taken] - space->unfolded_rankings];
    for (unsigned state = 0; state < KZ_DOBUTSU_CHICK_STATES; state++) {
        unsigned rank = ranks[state];
        if (rank != KZ_DOBUTSU_NO_STATE && space->chick_mirror[state] >= state && rank >= begin && rank < end) {
            classes[rank - begin] = (uint8_t)class_of(r, &space->chick[state], official);
        }
    }
}

void kz_dobutsu_plan(const kz_dobutsu_planner *planner, uint64_t first, unsigned count, kz_plan *plan) {
    const kz_dobutsu_space *space = planner->space;
    bool official = planner->rules == KZ_DOBUTSU_OFFICIAL;
    kz_dobutsu_run_walk walk;
    kz_dobutsu_run_walk_begin(space, first, &walk);
    for (unsigned done = 0;;) {
        const kz_dobutsu_run *run = &walk.run;
        unsigned begin = (unsigned)(first + done - run->base);
        unsigned end = run->size < begin + (count - done) ? run->size : begin + (count - done);
        common r = common_of(space, space->own_lion[run->lion_class], space->enemy_lion[run->lion_class],
                             run->elephants, run->giraffes);
        const kz_dobutsu_chick_backs *backs =
            &planner->chicks[run->folded ? 0 : KZ_DOBUTSU_SQUARES - kz_popcount32(r.taken)];
        unsigned far = kz_dobutsu_giraffe_back(space, &walk);
        unsigned length = end - begin;
        if (run->folded) {
            fill_folded_classes(space, &r, official, begin, end, plan->feature + done);
        } else {
            fill_classes(space, &r, official, begin, end, plan->feature + done);
        }
        fill_near(plan->near[0] + done, backs->back[0] + begin, done, length);
        fill_near(plan->near[1] + done, backs->back[1] + begin, done, length);
        fill_far(plan->near[2] + done, far, done, length);
        done += length;
        if (done == count) {
            return;
        }
        kz_dobutsu_run_walk_next(space, &walk);
    }
}
