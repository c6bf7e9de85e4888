/* SPDX-License-Identifier: MIT
 *
 * Move sequences of up to nine plies from the start, counted by the fast rules and by the plain ones. Up to six plies
 * the official figures are published; the others come from a program that shares no code with the library
 * (docs/rules-dobutsu.md). */
#include "tests/support/testing.h"

#include "base/pool.h"
#include "games/dobutsu/check/plain.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { DEPTHS = 9, FIRST_PLIES = 4 };

static const uint64_t expected[2][DEPTHS + 1] = {
    [KZ_DOBUTSU_OFFICIAL] = {1, 4, 17, 123, 976, 8122, 71677, 635117, 5684459, 50503579},
    [KZ_DOBUTSU_SIMPLIFIED] = {1, 4, 17, 123, 976, 8122, 72004, 639056, 5723667, 50959908},
};

/* The positions after the first plies, which threads share. */
typedef struct crowd {
    int rules;
    int depth; /* from there on */
    size_t count;
    kz_position positions[976];
    atomic_uint_fast64_t fast;
    atomic_uint_fast64_t plain;
} crowd;

static void gather(crowd *c, const kz_position *position, int plies) {
    static kz_move moves[FIRST_PLIES + 1][KZ_MAX_MOVES];
    const kz_game *game = kz_game_find("dobutsu");
    if (plies == 0) {
        assert_true(c->count < sizeof c->positions / sizeof c->positions[0]);
        c->positions[c->count++] = *position;
        return;
    }
    int count = kz_moves(game, c->rules, position, moves[plies]);
    for (int i = 0; i < count; i++) {
        kz_position next = *position;
        kz_play(game, c->rules, &next, moves[plies][i]);
        gather(c, &next, plies - 1);
    }
}

static void count_both(void *context, int worker, uint64_t begin, uint64_t end) {
    crowd *c = context;
    (void)worker;
    for (uint64_t i = begin; i < end; i++) {
        kz_dobutsu dobutsu;
        kz_dobutsu_plain plain;
        kz_dobutsu_from_position(&c->positions[i], &dobutsu);
        kz_dobutsu_plain_from(&dobutsu, &plain);
        atomic_fetch_add(&c->fast, kz_perft(kz_game_find("dobutsu"), c->rules, &c->positions[i], c->depth));
        atomic_fetch_add(&c->plain, kz_dobutsu_plain_perft(c->rules, &plain, c->depth));
    }
}

static void assert_perft(int rules) {
    const kz_game *game = kz_game_find("dobutsu");
    static crowd c;
    kz_position start;
    kz_pool *pool = kz_pool_new(0, NULL);
    assert_non_null(pool);
    kz_start(game, rules, &start);
    c.rules = rules;
    c.count = 0;
    gather(&c, &start, FIRST_PLIES);
    for (int depth = 1; depth < FIRST_PLIES; depth++) {
        kz_dobutsu dobutsu;
        kz_dobutsu_plain plain;
        kz_dobutsu_from_position(&start, &dobutsu);
        kz_dobutsu_plain_from(&dobutsu, &plain);
        assert_int_equal(kz_perft(game, rules, &start, depth), expected[rules][depth]);
        assert_int_equal(kz_dobutsu_plain_perft(rules, &plain, depth), expected[rules][depth]);
    }
    for (int depth = FIRST_PLIES; depth <= DEPTHS; depth++) {
        c.depth = depth - FIRST_PLIES;
        atomic_store(&c.fast, 0);
        atomic_store(&c.plain, 0);
        assert_int_equal(kz_pool_for(pool, c.count, 1, count_both, &c, NULL, NULL, NULL), KZ_OK);
        assert_int_equal(atomic_load(&c.fast), expected[rules][depth]);
        assert_int_equal(atomic_load(&c.plain), expected[rules][depth]);
    }
    kz_pool_free(pool);
}

TEST(test_official) { assert_perft(KZ_DOBUTSU_OFFICIAL); }

TEST(test_simplified) { assert_perft(KZ_DOBUTSU_SIMPLIFIED); }

TESTS(NULL, NULL)
