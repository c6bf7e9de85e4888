/* SPDX-License-Identifier: MIT
 *
 * The solver of Dobutsu Shogi on a part of its index, small enough for every build: the values are the same on any
 * number of threads, and if another solver goes on from what one has saved. ThreadSanitizer looks at this one, too. */
#include "tests/support/testing.h"

#include "base/pool.h"
#include "game/gamedef.h"
#include "games/dobutsu/index/space.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* The part has the positions with both lions on their first squares: what moves, other than a lion's, is made from them
 * leads to them again. What lies outside counts as decided. */
enum { OWN_LION = 1, ENEMY_LION = 10, MOVE_AT = 7 };

enum step { START, COUNT, SETTLE, SPREAD };

typedef struct work {
    const kz_solver_ops *ops;
    void *solver;
    uint64_t first; /* unit; a group of runs */
    uint64_t units;
    uint64_t begin; /* place */
    uint64_t end;
    enum step step;
    bool wins;
    int n;
    atomic_uint_fast64_t total;
} work;

static void run_step(void *context, int worker, uint64_t begin, uint64_t end) {
    work *w = context;
    (void)worker;
    begin += w->first;
    end += w->first;
    switch (w->step) {
    case START:
        w->ops->start(w->solver, begin, end);
        break;
    case COUNT:
        atomic_fetch_add(&w->total, w->ops->count(w->solver, NULL, begin, end));
        break;
    case SETTLE:
        w->ops->settle(w->solver, begin, end);
        break;
    case SPREAD:
        atomic_fetch_add(&w->total, w->ops->propagate(w->solver, NULL, w->wins, w->n, begin, end));
        break;
    }
}

/* Finds where the part begins and ends. */
static void choose_part(work *w) {
    kz_dobutsu_space *space = kz_dobutsu_space_new();
    assert_non_null(space);
    unsigned wanted = space->lion_class[OWN_LION][ENEMY_LION];
    for (uint32_t number = 0; number < space->solved_slices; number++) {
        const kz_dobutsu_run *last = &space->runs[space->slices[number + 1] - 1];
        if (last->lion_class == wanted) {
            w->first = w->units == 0 ? number : w->first;
            w->begin = w->units == 0 ? space->runs[space->slices[number]].base : w->begin;
            w->end = last->base + last->size;
            w->units++;
        }
    }
    kz_dobutsu_space_free(space);
}

static uint64_t do_step(work *w, kz_pool *pool, enum step step, bool wins, int n) {
    w->step = step;
    w->wins = wins;
    w->n = n;
    atomic_store(&w->total, 0);
    assert_int_equal(kz_pool_for(pool, w->units, 1, run_step, w, NULL, NULL, NULL), KZ_OK);
    return atomic_load(&w->total);
}

/* Another solver, with what the one at work has found till distance n. */
static void move_on(work *w, int rules, int n) {
    void *other = w->ops->open(rules, NULL);
    uint64_t begin;
    uint64_t end;
    uint64_t chunk;
    assert_non_null(other);
    w->ops->shard(w->solver, &begin, &end, &chunk);
    for (begin = w->begin / chunk * chunk; begin < w->end; begin += chunk) {
        uint8_t *bytes = malloc(w->ops->state_bytes(w->solver, begin, begin + chunk));
        assert_non_null(bytes);
        w->ops->save(w->solver, begin, begin + chunk, bytes);
        w->ops->load(other, n, begin, begin + chunk, bytes);
        free(bytes);
    }
    w->ops->close(w->solver);
    w->solver = other;
}

typedef struct solved {
    kz_value *values; /* of the part, place by place */
    size_t count;
    uint64_t sources;
} solved;

static solved solve_part(int rules, int threads, bool moves) {
    const kz_game *game = kz_game_find("dobutsu");
    work w = {.ops = game->solver, .solver = game->solver->open(rules, NULL)};
    kz_pool *pool = kz_pool_new(threads, NULL);
    solved s = {.sources = 0};
    assert_non_null(w.solver);
    assert_non_null(pool);
    choose_part(&w);
    do_step(&w, pool, START, false, 0);
    do_step(&w, pool, SPREAD, false, 0);
    do_step(&w, pool, COUNT, false, 0);
    do_step(&w, pool, SETTLE, false, 0);
    for (int n = 2, idle = 0; idle < 2; n++) {
        assert_true(n < KZ_MAX_DISTANCE);
        uint64_t found = do_step(&w, pool, SPREAD, false, n) + do_step(&w, pool, SPREAD, true, n);
        w.ops->clear(w.solver, n);
        idle = found ? 0 : idle + 1;
        s.sources += found;
        if (moves && n == MOVE_AT) {
            move_on(&w, rules, n);
        }
    }
    s.count = w.end - w.begin;
    s.values = calloc(s.count, sizeof *s.values);
    assert_non_null(s.values);
    for (uint64_t i = 0; i < s.count; i++) {
        kz_value value = w.ops->value(w.solver, w.begin + i);
        s.values[i].outcome = value.outcome;
        s.values[i].distance = value.distance;
    }
    w.ops->close(w.solver);
    kz_pool_free(pool);
    return s;
}

/* There was something to find, and after the other solver went on, too. */
static void assert_worth_it(const solved *s) {
    int longest = 0;
    for (size_t i = 0; i < s->count; i++) {
        longest = s->values[i].distance > longest ? s->values[i].distance : longest;
    }
    assert_true(s->count > 1000000 && s->sources > 1000 && longest > MOVE_AT + 1);
}

static void assert_same_on_threads(int rules) {
    static const int threads[] = {2, 7};
    solved first = solve_part(rules, 1, false);
    assert_worth_it(&first);
    for (size_t i = 0; i < sizeof threads / sizeof threads[0]; i++) {
        solved other = solve_part(rules, threads[i], threads[i] == 7);
        assert_int_equal(other.sources, first.sources);
        assert_int_equal(other.count, first.count);
        assert_memory_equal(other.values, first.values, first.count * sizeof *first.values);
        free(other.values);
    }
    free(first.values);
}

static void test_official(void **state) {
    (void)state;
    assert_same_on_threads(0);
}

static void test_simplified(void **state) {
    (void)state;
    assert_same_on_threads(1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_official),
        cmocka_unit_test(test_simplified),
    };
    return cmocka_run_group_tests_name("dobutsu threads", tests, NULL, NULL);
}
