/* SPDX-License-Identifier: MIT */
#include "games/dobutsu/solve/reach.h"

#include "base/bits.h"
#include "games/dobutsu/rules/rules.h"

#include <stdlib.h>
#include <string.h>

enum {
    SET_WORDS = KZ_DOBUTSU_DECIDED_END / 64 + 16, /* some more than the set has, because a prefetch may look past it */
    HOME_ROW = 07
};

/* ---- The set -------------------------------------------------------------------------------------------------- */

static inline uint64_t load(const _Atomic uint64_t *word) { return atomic_load_explicit(word, memory_order_relaxed); }

/* Most of what is reached has been reached before, and then the locked instruction can be saved. */
static inline void set_bits(_Atomic uint64_t *word, uint64_t bits) {
    if (bits & ~load(word)) {
        atomic_fetch_or_explicit(word, bits, memory_order_relaxed);
    }
}

static void fill_chick_changes(kz_dobutsu_reach *reach) {
    const kz_dobutsu_space *space = reach->space;
    for (unsigned state = 0; state < KZ_DOBUTSU_CHICK_STATES; state++) {
        reach->seen[0][state] = space->chick_flip[state];
        reach->seen[1][state] = space->chick_mirror[space->chick_flip[state]];
    }
    for (unsigned mirrored = 0; mirrored < 2; mirrored++) {
        for (unsigned to = 0; to < KZ_DOBUTSU_SQUARES; to++) {
            for (unsigned state = 0; state < KZ_DOBUTSU_CHICK_STATES; state++) {
                bool own = space->chick[state].own >> to & 1;
                unsigned taken = reach->forward->chick_taken[state][to];
                unsigned after = taken != KZ_DOBUTSU_NO_STATE ? taken : state;
                reach->landed[mirrored][to][state] = own ? KZ_DOBUTSU_NO_STATE : reach->seen[mirrored][after];
            }
        }
    }
}

kz_dobutsu_reach *kz_dobutsu_reach_new(void) {
    kz_dobutsu_reach *reach = calloc(1, sizeof *reach);
    if (!reach) {
        return NULL;
    }
    reach->space = kz_dobutsu_space_new();
    reach->forward = malloc(sizeof *reach->forward);
    reach->reached = calloc(SET_WORDS, sizeof *reach->reached);
    reach->expanded = calloc(SET_WORDS, sizeof *reach->expanded);
    if (!reach->space || !reach->forward || !reach->reached || !reach->expanded ||
        !kz_dobutsu_forward_fill(reach->forward)) {
        kz_dobutsu_reach_free(reach);
        return NULL;
    }
    fill_chick_changes(reach);
    return reach;
}

void kz_dobutsu_reach_free(kz_dobutsu_reach *reach) {
    if (reach) {
        kz_dobutsu_space_free(reach->space);
        free(reach->forward);
        free((void *)reach->reached);
        free((void *)reach->expanded);
        free(reach);
    }
}

void kz_dobutsu_reach_clear(kz_dobutsu_reach *reach) {
    memset((void *)reach->reached, 0, SET_WORDS * sizeof *reach->reached);
    memset((void *)reach->expanded, 0, SET_WORDS * sizeof *reach->expanded);
    reach->expansions = 0;
}

void kz_dobutsu_reach_add(kz_dobutsu_reach *reach, uint64_t index) {
    set_bits(&reach->reached[index / 64], UINT64_C(1) << (index % 64));
}

bool kz_dobutsu_reach_has(const kz_dobutsu_reach *reach, uint64_t index) {
    return load(&reach->reached[index / 64]) >> (index % 64) & 1;
}

/* The bits of a word of the set that belong to a run. */
static inline uint64_t run_bits(const kz_dobutsu_run *run, uint32_t word) {
    uint64_t bits = UINT64_MAX;
    uint32_t last = run->base + run->size - 1;
    if (word == run->base / 64) {
        bits &= UINT64_MAX << (run->base % 64);
    }
    if (word == last / 64) {
        bits &= UINT64_MAX >> (63 - last % 64);
    }
    return bits;
}

/* ---- Features ------------------------------------------------------------------------------------------------- */

/* What the features of a run's positions depend on beside the chicks. */
typedef struct outlook {
    unsigned features; /* that all of them have */
    unsigned prey;     /* the enemy's lion */
    unsigned tries;    /* where a Try is safe, as far as the chicks allow it */
} outlook;

static outlook outlook_of(const kz_dobutsu_space *space, const kz_dobutsu_run *run) {
    const kz_dobutsu_footprint *e = &space->elephant[run->elephants];
    const kz_dobutsu_footprint *g = &space->giraffe[run->giraffes];
    unsigned own_steps = kz_dobutsu_steps(KZ_DOBUTSU_LION, space->own_lion[run->lion_class]);
    outlook look = {.prey = 1U << space->enemy_lion[run->lion_class], .tries = kz_dobutsu_safe_tries(space, run)};
    if ((own_steps | e->own_attacks | g->own_attacks) & look.prey) {
        look.features |= KZ_DOBUTSU_CAN_CAPTURE;
    }
    if (look.prey & HOME_ROW) {
        look.features |= KZ_DOBUTSU_TRIED;
    }
    return look;
}

static inline unsigned features_of(const outlook *look, const kz_dobutsu_footprint *chicks) {
    unsigned features = look->features;
    features |= chicks->own_attacks & look->prey ? KZ_DOBUTSU_CAN_CAPTURE : 0U;
    features |= look->tries & ~(unsigned)(chicks->own | chicks->enemy_attacks) ? KZ_DOBUTSU_CAN_TRY : 0U;
    return features;
}

/* ---- Playing the moves of one run's positions --------------------------------------------------------------- */

/* Positions with the same lions, elephants and giraffes, as their mover sees them. */
typedef struct source {
    int own_lion;
    int enemy_lion;
    unsigned elephants;
    unsigned giraffes;
    unsigned prey;    /* enemy elephants and giraffes */
    unsigned blocked; /* own pieces but chicks, and the enemy's lion, which is not taken here */
    unsigned count;
    uint16_t chicks[KZ_DOBUTSU_CHICK_STATES];
} source;

/* A move of one piece leads from all positions of a run into one other run. They are collected on a canvas, which
 * goes into the set word by word. */
enum { LARGEST_BLOCK = 45 * 16 + 10 * 8 + 3, CANVAS_WORDS = (LARGEST_BLOCK + 62) / 64 + 1 };

typedef struct canvas {
    uint32_t first_word;
    unsigned shift;
    kz_dobutsu_run_base target;
    uint64_t words[CANVAS_WORDS];
} canvas;

/* The run after a move, given as the mover sees it. */
static inline void canvas_open(const kz_dobutsu_reach *reach, canvas *c, int own_lion, int enemy_lion,
                               unsigned elephants, unsigned giraffes) {
    const kz_dobutsu_space *space = reach->space;
    int last = KZ_DOBUTSU_SQUARES - 1;
    if (!kz_dobutsu_run_base_of(space, last - enemy_lion, last - own_lion, space->plain_flip[elephants],
                                space->plain_flip[giraffes], &c->target)) {
        __builtin_unreachable(); /* no piece moves onto another one, so they all fit on the board */
    }
    c->first_word = c->target.base / 64;
    c->shift = c->target.base % 64;
    memset(c->words, 0, sizeof c->words);
    __builtin_prefetch((const void *)&reach->reached[c->first_word], 1);
    __builtin_prefetch((const void *)&reach->reached[c->first_word + CANVAS_WORDS / 2], 1);
}

static inline void canvas_set(canvas *c, unsigned rank) {
    unsigned bit = c->shift + rank;
    c->words[bit / 64] |= UINT64_C(1) << (bit % 64);
}

static inline void canvas_close(kz_dobutsu_reach *reach, const canvas *c) {
    for (unsigned i = 0; i < CANVAS_WORDS; i++) {
        if (c->words[i]) {
            set_bits(&reach->reached[c->first_word + i], c->words[i]);
        }
    }
}

/* Lion, elephant or giraffe steps onto a square that is not blocked. The states are those after the step; an elephant
 * that takes an elephant has done so in its state. */
static void play_step(kz_dobutsu_reach *reach, const source *s, int own_lion, unsigned elephants, unsigned giraffes,
                      unsigned to) {
    const kz_dobutsu_forward *forward = reach->forward;
    if (forward->plain_taken[elephants][to] != KZ_DOBUTSU_NO_STATE) {
        elephants = forward->plain_taken[elephants][to];
    } else if (forward->plain_taken[giraffes][to] != KZ_DOBUTSU_NO_STATE) {
        giraffes = forward->plain_taken[giraffes][to];
    }
    canvas c;
    canvas_open(reach, &c, own_lion, s->enemy_lion, elephants, giraffes);
    const uint16_t *landed = reach->landed[c.target.mirrored][to];
    for (unsigned i = 0; i < s->count; i++) {
        unsigned chicks = landed[s->chicks[i]];
        if (chicks != KZ_DOBUTSU_NO_STATE) {
            canvas_set(&c, kz_dobutsu_chick_rank(&c.target, chicks));
        }
    }
    canvas_close(reach, &c);
}

/* An elephant or giraffe is dropped on a square where only a chick may be in its way. */
static void play_drop(kz_dobutsu_reach *reach, const source *s, unsigned elephants, unsigned giraffes) {
    canvas c;
    canvas_open(reach, &c, s->own_lion, s->enemy_lion, elephants, giraffes);
    const uint16_t *seen = reach->seen[c.target.mirrored];
    for (unsigned i = 0; i < s->count; i++) {
        unsigned rank = kz_dobutsu_chick_rank(&c.target, seen[s->chicks[i]]);
        if (rank != KZ_DOBUTSU_NO_STATE) {
            canvas_set(&c, rank);
        }
    }
    canvas_close(reach, &c);
}

static void play_chick_moves(kz_dobutsu_reach *reach, const source *s) {
    const kz_dobutsu_forward *forward = reach->forward;
    /* One canvas for moves that take no elephant or giraffe, and one for each of these. */
    canvas canvases[5];
    unsigned count = 0;
    canvas *at[KZ_DOBUTSU_SQUARES];
    canvas *quiet = &canvases[count++];
    canvas_open(reach, quiet, s->own_lion, s->enemy_lion, s->elephants, s->giraffes);
    for (unsigned to = 0; to < KZ_DOBUTSU_SQUARES; to++) {
        at[to] = quiet;
        if (s->prey >> to & 1) {
            unsigned elephants = forward->plain_taken[s->elephants][to];
            unsigned giraffes = forward->plain_taken[s->giraffes][to];
            at[to] = &canvases[count++];
            canvas_open(reach, at[to], s->own_lion, s->enemy_lion,
                        elephants != KZ_DOBUTSU_NO_STATE ? elephants : s->elephants,
                        giraffes != KZ_DOBUTSU_NO_STATE ? giraffes : s->giraffes);
        }
    }
    for (unsigned i = 0; i < s->count; i++) {
        const kz_dobutsu_pair_moves *list = &forward->chick[s->chicks[i]];
        for (unsigned k = 0; k < list->count; k++) {
            const kz_dobutsu_pair_move *move = &list->moves[k];
            unsigned in_the_way = s->blocked | (move->from == KZ_DOBUTSU_FROM_HAND ? s->prey : 0);
            if (!(in_the_way >> move->to & 1)) {
                canvas *c = at[move->to];
                canvas_set(c, kz_dobutsu_chick_rank(&c->target, reach->seen[c->target.mirrored][move->state]));
            }
        }
    }
    for (unsigned i = 0; i < count; i++) {
        canvas_close(reach, &canvases[i]);
    }
}

static void play_all(kz_dobutsu_reach *reach, const source *s) {
    const kz_dobutsu_forward *forward = reach->forward;
    for (unsigned to = kz_dobutsu_steps(KZ_DOBUTSU_LION, s->own_lion) & ~s->blocked; to; to &= to - 1) {
        unsigned square = kz_lowest_bit32(to);
        play_step(reach, s, (int)square, s->elephants, s->giraffes, square);
    }
    for (int kind = KZ_DOBUTSU_ELEPHANT; kind <= KZ_DOBUTSU_GIRAFFE; kind++) {
        bool elephant = kind == KZ_DOBUTSU_ELEPHANT;
        const kz_dobutsu_pair_moves *list =
            elephant ? &forward->elephant[s->elephants] : &forward->giraffe[s->giraffes];
        for (unsigned i = 0; i < list->count; i++) {
            const kz_dobutsu_pair_move *move = &list->moves[i];
            unsigned elephants = elephant ? move->state : s->elephants;
            unsigned giraffes = elephant ? s->giraffes : move->state;
            if (s->blocked >> move->to & 1) {
                continue;
            }
            if (move->from != KZ_DOBUTSU_FROM_HAND) {
                play_step(reach, s, s->own_lion, elephants, giraffes, move->to);
            } else if (!(s->prey >> move->to & 1)) {
                play_drop(reach, s, elephants, giraffes);
            }
        }
    }
    play_chick_moves(reach, s);
}

static void source_of(const kz_dobutsu_space *space, const kz_dobutsu_run *run, source *s) {
    const kz_dobutsu_footprint *e = &space->elephant[run->elephants];
    const kz_dobutsu_footprint *g = &space->giraffe[run->giraffes];
    s->own_lion = space->own_lion[run->lion_class];
    s->enemy_lion = space->enemy_lion[run->lion_class];
    s->elephants = run->elephants;
    s->giraffes = run->giraffes;
    s->prey = (unsigned)e->enemy | g->enemy;
    s->blocked = 1U << s->own_lion | 1U << s->enemy_lion | e->own | g->own;
    s->count = 0;
}

/* Takes the positions of a run that are new; those that are the end of a game are done with. */
static void collect(kz_dobutsu_reach *reach, unsigned stop, const kz_dobutsu_run *run, source *s) {
    const kz_dobutsu_space *space = reach->space;
    const uint16_t *states = NULL;
    outlook look = {0};
    uint32_t last_word = (run->base + run->size - 1) / 64;
    s->count = 0;
    for (uint32_t word = run->base / 64; word <= last_word; word++) {
        uint64_t fresh = load(&reach->reached[word]) & ~load(&reach->expanded[word]) & run_bits(run, word);
        if (!fresh) {
            continue;
        }
        if (!states) {
            states = space->chick_state[kz_dobutsu_run_chicks(space, run)];
            look = outlook_of(space, run);
            source_of(space, run, s);
        }
        set_bits(&reach->expanded[word], fresh);
        /* Any move but one that takes the lion would let its Try stand. */
        if ((look.features & stop) || (look.features & KZ_DOBUTSU_TRIED)) {
            continue;
        }
        for (; fresh; fresh &= fresh - 1) {
            unsigned chicks = states[word * 64 + kz_lowest_bit64(fresh) - run->base];
            if (!(features_of(&look, &space->chick[chicks]) & stop)) {
                s->chicks[s->count++] = (uint16_t)chicks;
            }
        }
    }
}

void kz_dobutsu_reach_expand(kz_dobutsu_reach *reach, unsigned stop, uint64_t begin, uint64_t end) {
    uint64_t expansions = 0;
    source s;
    for (uint64_t b = begin; b < end; b++) {
        collect(reach, stop, &reach->space->runs[b], &s);
        if (s.count) {
            play_all(reach, &s);
            expansions += s.count;
        }
    }
    atomic_fetch_add_explicit(&reach->expansions, expansions, memory_order_relaxed);
}

/* ---- From the start to the end -------------------------------------------------------------------------------- */

typedef struct sweep {
    kz_dobutsu_reach *reach;
    unsigned stop;
    const kz_progress *listener;
} sweep;

static void sweep_runs(void *context, int worker, uint64_t begin, uint64_t end) {
    const sweep *s = context;
    (void)worker;
    kz_dobutsu_reach_expand(s->reach, s->stop, begin, end);
}

/* A listener hears how many positions have been played on from, not how far one of many sweeps is. */
static bool report_expansions(void *user, const char *stage, uint64_t done, uint64_t total) {
    const sweep *s = user;
    (void)done;
    (void)total;
    return s->listener->report(s->listener->user, stage, load(&s->reach->expansions), 0);
}

kz_status kz_dobutsu_reach_run(kz_dobutsu_reach *reach, unsigned stop, kz_pool *pool, const kz_progress *progress,
                               const char *stage, kz_error *error) {
    sweep s = {.reach = reach, .stop = stop, .listener = progress};
    kz_progress wrapped = {.report = report_expansions, .user = &s};
    bool listens = progress && progress->report;
    kz_dobutsu start;
    uint64_t index;
    kz_dobutsu_start(&start);
    kz_dobutsu_space_rank_all(reach->space, &start, &index);
    kz_dobutsu_reach_clear(reach);
    kz_dobutsu_reach_add(reach, index);
    /* A sweep plays on from what it has just found wherever it has not passed yet. In what order positions are found
     * depends on the threads; which ones are found in the end does not. */
    uint64_t before;
    do {
        before = load(&reach->expansions);
        kz_status status =
            kz_pool_for(pool, reach->space->decided_runs, 0, sweep_runs, &s, listens ? &wrapped : NULL, stage, error);
        if (status != KZ_OK) {
            return status;
        }
    } while (load(&reach->expansions) != before);
    return KZ_OK;
}

/* ---- Counting ------------------------------------------------------------------------------------------------- */

typedef struct plain_tally {
    uint64_t folded[KZ_DOBUTSU_FEATURE_SETS];
    uint64_t unfolded[KZ_DOBUTSU_FEATURE_SETS];
    uint64_t values[KZ_DOBUTSU_FEATURE_SETS][KZ_WIN + 1];
} plain_tally;

static void count_run(const kz_dobutsu_reach *reach, const kz_dobutsu_retro *retro, const kz_dobutsu_run *run, bool all,
                      plain_tally *tally) {
    const kz_dobutsu_space *space = reach->space;
    const uint16_t *states = space->chick_state[kz_dobutsu_run_chicks(space, run)];
    outlook look = outlook_of(space, run);
    bool valued = retro && run->lion_class < KZ_DOBUTSU_LION_CLASSES_SOLVED;
    uint32_t last_word = (run->base + run->size - 1) / 64;
    for (uint32_t word = run->base / 64; word <= last_word; word++) {
        uint64_t bits = run_bits(run, word) & (all ? UINT64_MAX : load(&reach->reached[word]));
        for (; bits; bits &= bits - 1) {
            uint32_t index = word * 64 + kz_lowest_bit64(bits);
            unsigned chicks = states[index - run->base];
            unsigned features = features_of(&look, &space->chick[chicks]);
            bool symmetric = run->folded && space->chick_mirror[chicks] == chicks;
            tally->folded[features]++;
            tally->unfolded[features] += symmetric ? 1 : 2;
            if (valued) {
                tally->values[features][kz_dobutsu_retro_value(retro, index).outcome]++;
            }
        }
    }
}

static void count_runs(const kz_dobutsu_reach *reach, const kz_dobutsu_retro *retro, uint64_t begin, uint64_t end,
                       bool all, kz_dobutsu_reach_tally *tally) {
    plain_tally sum = {0};
    for (uint64_t b = begin; b < end; b++) {
        count_run(reach, retro, &reach->space->runs[b], all, &sum);
    }
    for (unsigned features = 0; features < KZ_DOBUTSU_FEATURE_SETS; features++) {
        atomic_fetch_add_explicit(&tally->folded[features], sum.folded[features], memory_order_relaxed);
        atomic_fetch_add_explicit(&tally->unfolded[features], sum.unfolded[features], memory_order_relaxed);
        for (int outcome = 0; outcome <= KZ_WIN; outcome++) {
            atomic_fetch_add_explicit(&tally->values[features][outcome], sum.values[features][outcome],
                                      memory_order_relaxed);
        }
    }
}

void kz_dobutsu_reach_count(const kz_dobutsu_reach *reach, const kz_dobutsu_retro *retro, uint64_t begin, uint64_t end,
                            kz_dobutsu_reach_tally *tally) {
    count_runs(reach, retro, begin, end, false, tally);
}

void kz_dobutsu_reach_count_all(const kz_dobutsu_reach *reach, uint64_t begin, uint64_t end,
                                kz_dobutsu_reach_tally *tally) {
    count_runs(reach, NULL, begin, end, true, tally);
}
