/* SPDX-License-Identifier: MIT
 * labels: slow
 *
 * The solver of Dobutsu Shogi on a part of its index, small enough for every build: the values are the same on any
 * number of threads, if another solver goes on from what one has saved, and if two members of a team share the part.
 * ThreadSanitizer looks at this one, too. */
#include "tests/support/testing.h"

#include "base/pool.h"
#include "games/dobutsu/rules/rules.h"
#include "games/dobutsu/solve/cells.h"
#include "tests/support/thread_team.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* The part has the positions with both lions on two squares: what moves, other than a lion's, is made from them leads
 * to them again. What lies outside counts as decided. */
enum { OWN_LION = 1, ENEMY_LION = 10, MOVE_AT = 7 };

typedef struct part {
    uint64_t first; /* slice */
    uint64_t slices;
    uint32_t begin; /* index */
    uint32_t end;
} part;

static part part_of_class(const kz_dobutsu_space *space, unsigned wanted) {
    part p = {.slices = 0};
    for (uint32_t number = 0; number < space->solved_slices; number++) {
        const kz_dobutsu_run *last = &space->runs[space->slices[number + 1] - 1];
        if (last->lion_class == wanted) {
            p.first = p.slices == 0 ? number : p.first;
            p.begin = p.slices == 0 ? space->runs[space->slices[number]].base : p.begin;
            p.end = last->base + last->size;
            p.slices++;
        }
    }
    return p;
}

/* The part of the first lions; or the one that two members share. */
static part choose_part(bool shared) {
    kz_dobutsu_space *space = kz_dobutsu_space_new();
    assert_non_null(space);
    uint64_t border = kz_team_part(KZ_DOBUTSU_SEGMENTS, 1, 2) * KZ_DOBUTSU_SEGMENT;
    part p = part_of_class(space, space->lion_class[OWN_LION][ENEMY_LION]);
    for (unsigned class = 0; shared && class < KZ_DOBUTSU_LION_CLASSES_SOLVED; class ++) {
        part other = part_of_class(space, class);
        p = other.begin < border && other.end > border ? other : p;
    }
    assert_true(p.slices > 10 && (!shared || (p.begin < border && p.end > border)));
    kz_dobutsu_space_free(space);
    return p;
}

enum step { START, COUNT, SETTLE, LOSSES, WINS };

typedef struct work {
    const part *part;
    kz_dobutsu_retro *retro;
    kz_pool *pool;
    kz_team *team;
    kz_mail *mail;  /* NULL: alone */
    uint64_t begin; /* of the slices of the part that have own positions */
    uint64_t end;
    uint64_t first; /* slice: item 0 of the pool's loop */
    enum step step;
    int n;
    atomic_uint_fast64_t total;
} work;

static void run_step(void *context, int worker, uint64_t begin, uint64_t end) {
    work *w = context;
    begin += w->first;
    end += w->first;
    switch (w->step) {
    case START:
        kz_dobutsu_retro_start(w->retro, begin, end);
        break;
    case COUNT:
        atomic_fetch_add(&w->total, kz_dobutsu_retro_count(w->retro, w->mail, worker, begin, end));
        break;
    case SETTLE:
        kz_dobutsu_retro_settle(w->retro, begin, end);
        break;
    case LOSSES:
    case WINS:
        atomic_fetch_add(&w->total,
                         kz_dobutsu_retro_propagate(w->retro, w->mail, worker, w->step == WINS, w->n, begin, end));
        break;
    }
}

static void receive(void *context, int worker, const kz_updates *updates) {
    const work *w = context;
    (void)worker;
    kz_dobutsu_effect effect = w->step == COUNT  ? KZ_DOBUTSU_COUNT
                               : w->step == WINS ? KZ_DOBUTSU_REFUTE
                                                 : KZ_DOBUTSU_WIN;
    kz_dobutsu_retro_receive(w->retro, effect, w->n, updates);
}

/* Returns what all members have found. */
static uint64_t do_step(work *w, enum step step, int n) {
    w->step = step;
    w->n = n;
    w->first = w->mail ? 0 : w->begin;
    atomic_store(&w->total, 0);
    if (w->mail && step != START && step != SETTLE) {
        const kz_mail_step mailed = {w->team, w->mail, w->pool, w->begin, w->end, run_step, receive, w, NULL, NULL};
        kz_mail_do(&mailed, NULL);
    } else {
        w->first = w->begin;
        kz_pool_for(w->pool, w->end - w->begin, 1, run_step, w, NULL, NULL, NULL);
    }
    uint64_t total[] = {atomic_load(&w->total)};
    kz_team_sum(w->team, total, 1, NULL);
    return total[0];
}

/* Another solver, with what the one at work has found till distance n. Returns whether it takes that, and nothing of
 * another size. */
static bool move_on(work *w, int n) {
    kz_dobutsu_retro *other = kz_dobutsu_retro_new(w->retro->rules, kz_pool_threads(w->pool));
    uint8_t *bytes = malloc(KZ_DOBUTSU_STATE_BYTES);
    bool fine = other && bytes;
    uint64_t begin = w->part->begin / KZ_DOBUTSU_SEGMENT * KZ_DOBUTSU_SEGMENT;
    for (; fine && begin < w->part->end; begin += KZ_DOBUTSU_SEGMENT) {
        uint64_t end = begin + KZ_DOBUTSU_SEGMENT;
        size_t size = kz_dobutsu_retro_save(w->retro, begin, end, bytes);
        fine = size <= KZ_DOBUTSU_STATE_BYTES && !kz_dobutsu_retro_load(other, n, begin, end, bytes, size - 1) &&
               kz_dobutsu_retro_load(other, n, begin, end, bytes, size);
    }
    free(bytes);
    kz_dobutsu_retro_free(w->retro);
    w->retro = other;
    return fine;
}

typedef struct solved {
    const part *part;
    int rules;
    int threads;
    bool moves; /* to another solver, on the way */
    bool failed;
    kz_value *values; /* of the part, position by position */
    uint64_t sources;
} solved;

/* What is open in the part, for the other member. */
static void gather_hints(work *w) {
    enum { LINE = KZ_DOBUTSU_CACHE_LINE, WORD = sizeof(uint64_t) };
    uint64_t begins[] = {w->part->begin / LINE * WORD,
                         kz_team_part(KZ_DOBUTSU_SEGMENTS, 1, 2) * KZ_DOBUTSU_SEGMENT / LINE * WORD,
                         (w->part->end + LINE - 1) / LINE * WORD};
    for (uint64_t at = begins[kz_team_rank(w->team)]; at < begins[kz_team_rank(w->team) + 1]; at += WORD) {
        kz_dobutsu_mark_open(w->retro, (uint32_t)(at / WORD));
    }
    kz_team_gather(w->team, (void *)w->retro->open, begins, NULL);
}

static void solve_part(kz_team *team, void *context) {
    solved *s = context;
    int members = kz_team_size(team);
    work w = {.part = s->part, .team = team, .retro = kz_dobutsu_retro_new(s->rules, s->threads)};
    w.pool = kz_pool_new(s->threads, NULL);
    if (members > 1) {
        w.mail = kz_mail_new(team);
        kz_dobutsu_retro_take_shard(w.retro, kz_team_rank(team), members);
    }
    kz_dobutsu_retro_slices(w.retro, &w.begin, &w.end);
    w.begin = w.begin > s->part->first ? w.begin : s->part->first;
    w.end = w.end < s->part->first + s->part->slices ? w.end : s->part->first + s->part->slices;
    do_step(&w, START, 0);
    if (w.mail) {
        gather_hints(&w);
    }
    do_step(&w, LOSSES, 0);
    do_step(&w, COUNT, 0);
    do_step(&w, SETTLE, 0);
    uint64_t sources = 0;
    for (int n = 2, idle = 0; idle < 2 && n < KZ_MAX_DISTANCE; n++) {
        uint64_t found = do_step(&w, LOSSES, n) + do_step(&w, WINS, n);
        kz_dobutsu_retro_clear(w.retro, n);
        idle = found ? 0 : idle + 1;
        sources += found;
        s->failed |= s->moves && n == MOVE_AT && !move_on(&w, n);
    }
    uint32_t begin = w.retro->shard_begin > s->part->begin ? w.retro->shard_begin : s->part->begin;
    uint32_t end = w.retro->shard_end < s->part->end ? w.retro->shard_end : s->part->end;
    for (uint32_t i = begin; i < end; i++) {
        kz_value value = kz_dobutsu_retro_value(w.retro, i);
        s->values[i - s->part->begin].outcome = value.outcome;
        s->values[i - s->part->begin].distance = value.distance;
    }
    if (kz_team_rank(team) == 0) {
        s->sources = sources;
    }
    kz_mail_free(w.mail);
    kz_pool_free(w.pool);
    kz_dobutsu_retro_free(w.retro);
}

static solved solve(const part *p, int rules, int members, int threads, bool moves) {
    solved s = {p, rules, threads, moves, false, calloc(p->end - p->begin, sizeof *s.values), 0};
    assert_non_null(s.values);
    if (members > 1) {
        run_as_threads(members, solve_part, &s);
    } else {
        solve_part(NULL, &s);
    }
    assert_false(s.failed);
    return s;
}

/* There was something to find, and after the other solver went on, too. */
static void assert_worth_it(const solved *s) {
    size_t count = s->part->end - s->part->begin;
    int longest = 0;
    for (size_t i = 0; i < count; i++) {
        longest = s->values[i].distance > longest ? s->values[i].distance : longest;
    }
    assert_true(count > 1000000 && s->sources > 1000 && longest > MOVE_AT + 1);
}

static void assert_same(const solved *first, solved other) {
    assert_int_equal(other.sources, first->sources);
    assert_memory_equal(other.values, first->values, (first->part->end - first->part->begin) * sizeof *first->values);
    free(other.values);
}

static void assert_same_on_threads(int rules) {
    part p = choose_part(false);
    solved first = solve(&p, rules, 1, 1, false);
    assert_worth_it(&first);
    assert_same(&first, solve(&p, rules, 1, 2, false));
    assert_same(&first, solve(&p, rules, 1, 7, true));
    free(first.values);
}

static void assert_same_in_team(int rules) {
    part p = choose_part(true);
    solved first = solve(&p, rules, 1, 2, false);
    assert_worth_it(&first);
    assert_same(&first, solve(&p, rules, 2, 2, false));
    free(first.values);
}

TEST(test_official) { assert_same_on_threads(KZ_DOBUTSU_OFFICIAL); }

TEST(test_simplified) { assert_same_on_threads(KZ_DOBUTSU_SIMPLIFIED); }

TEST(test_team) {
    assert_same_in_team(KZ_DOBUTSU_OFFICIAL);
    assert_same_in_team(KZ_DOBUTSU_SIMPLIFIED);
}

TESTS(NULL, NULL)
