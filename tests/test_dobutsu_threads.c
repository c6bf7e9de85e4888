/* SPDX-License-Identifier: MIT
 *
 * The solver of Dobutsu Shogi on a part of its index, small enough for every build: the values are the same on any
 * number of threads. What lies outside of the part counts as decided. ThreadSanitizer looks at this one, too. */
#include "tests/testing.h"

#include "base/gamedef.h"
#include "base/pool.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* One unit in so many is solved, all in one place. */
enum { PARTS = 400, MOST_PLIES = 40 };

enum step { START, COUNT, SETTLE, SPREAD };

typedef struct work {
    const kz_solver_ops *ops;
    void *solver;
    uint64_t first; /* unit */
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
        atomic_fetch_add(&w->total, w->ops->spread(w->solver, NULL, w->wins, w->n, begin, end));
        break;
    }
}

static uint64_t do_step(work *w, kz_pool *pool, uint64_t units, enum step step, bool wins, int n) {
    w->step = step;
    w->wins = wins;
    w->n = n;
    atomic_store(&w->total, 0);
    assert_int_equal(kz_pool_for(pool, units, 1, run_step, w, NULL, NULL, NULL), KZ_OK);
    return atomic_load(&w->total);
}

/* The values as value.distance and value.outcome, position by position. */
static uint8_t *solved_part(int rules, int threads, uint64_t *sources) {
    const kz_game *game = kz_game_find("dobutsu");
    uint64_t places = game->index_size(rules);
    work w = {.ops = game->solver, .solver = game->solver->open(rules, NULL)};
    kz_pool *pool = kz_pool_new(threads, NULL);
    uint8_t *values = malloc(places / PARTS * 4);
    uint64_t end;
    assert_non_null(w.solver);
    assert_non_null(pool);
    assert_non_null(values);
    w.ops->units(w.solver, &w.first, &end);
    uint64_t units = (end - w.first) / PARTS;
    *sources = 0;
    do_step(&w, pool, units, START, false, 0);
    do_step(&w, pool, units, SPREAD, false, 0);
    do_step(&w, pool, units, COUNT, false, 0);
    do_step(&w, pool, units, SETTLE, false, 0);
    for (int n = 2, idle = 0; n < MOST_PLIES && idle < 2; n++) {
        uint64_t found = do_step(&w, pool, units, SPREAD, false, n) + do_step(&w, pool, units, SPREAD, true, n);
        w.ops->clear(w.solver, n);
        idle = found ? 0 : idle + 1;
        *sources += found;
    }
    for (uint64_t i = 0; i < places / PARTS * 2; i++) {
        kz_value value = w.ops->value(w.solver, i);
        values[2 * i] = (uint8_t)value.outcome;
        values[2 * i + 1] = (uint8_t)value.distance;
    }
    w.ops->close(w.solver);
    kz_pool_free(pool);
    return values;
}

static void assert_same_on_threads(int rules) {
    static const int threads[] = {2, 7};
    size_t bytes = kz_game_find("dobutsu")->index_size(rules) / PARTS * 4;
    uint64_t sources;
    uint8_t *values = solved_part(rules, 1, &sources);
    assert_true(sources > 1000); /* there was something to do */
    for (size_t i = 0; i < sizeof threads / sizeof threads[0]; i++) {
        uint64_t again;
        uint8_t *others = solved_part(rules, threads[i], &again);
        assert_int_equal(again, sources);
        assert_memory_equal(others, values, bytes);
        free(others);
    }
    free(values);
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
