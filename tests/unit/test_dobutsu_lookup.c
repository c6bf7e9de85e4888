/* SPDX-License-Identifier: MIT
 *
 * Looking many positions up (src/games/dobutsu/table/lookup_many.c) sees what the rules and the index say, which are
 * written for one position at a time: the same values, indices and successors, and no position where there is none. */
#include "base/random.h"
#include "games/dobutsu/table/lookup.h"
#include "tests/support/testing.h"

#include <kanzen/game.h>
#include <stdlib.h>
#include <string.h>

enum { POSITIONS = 500, RULES = 2 };

typedef struct fixture {
    const kz_game *game;
    kz_dobutsu_lookup *lookups[RULES];
    kz_position positions[POSITIONS];
    kz_value values[POSITIONS];
    uint64_t indices[POSITIONS];
} fixture;

static int set_up(void **state) {
    fixture *f = calloc(1, sizeof *f);
    kz_random random = {7};
    *state = f;
    f->game = kz_game_find("dobutsu");
    for (int rules = 0; rules < RULES; rules++) {
        f->lookups[rules] = kz_dobutsu_lookup_open(rules, NULL);
        assert_non_null(f->lookups[rules]);
    }
    for (int i = 0; i < POSITIONS; i++) {
        assert_true(kz_unrank(f->game, 0, kz_random_below(&random, kz_index_size(f->game, 0)), &f->positions[i]));
    }
    return 0;
}

static int tear_down(void **state) {
    fixture *f = *state;
    for (int rules = 0; rules < RULES; rules++) {
        kz_dobutsu_lookup_close(f->lookups[rules]);
    }
    free(f);
    return 0;
}

static void look(fixture *f, int rules) {
    memset(f->values, 0xEE, sizeof f->values);
    memset(f->indices, 0xEE, sizeof f->indices);
    kz_dobutsu_look_many(f->lookups[rules], f->positions, POSITIONS, f->values, f->indices);
}

TEST(test_look) {
    fixture *f = *state;
    for (int rules = 0; rules < RULES; rules++) {
        int won = 0;
        int open = 0;
        look(f, rules);
        for (int i = 0; i < POSITIONS; i++) {
            kz_value value = kz_immediate(f->game, rules, &f->positions[i]);
            uint64_t index;
            assert_true(kz_rank(f->game, &f->positions[i], &index));
            if (f->values[i].outcome == KZ_UNKNOWN) {
                /* The table has lost positions without a move, too. */
                assert_true(value.outcome == KZ_UNKNOWN || value.outcome == KZ_LOSS || f->indices[i] == KZ_NO_INDEX);
                assert_true(f->indices[i] == index || f->indices[i] == KZ_NO_INDEX);
                open += f->indices[i] == index;
            } else {
                assert_int_equal(f->values[i].outcome, value.outcome);
                assert_int_equal(f->values[i].distance, value.distance);
                won++;
            }
        }
        assert_true(won > POSITIONS / 4);
        assert_true(open > POSITIONS / 4);
    }
}

/* The successors by the public calls. Those that lose at once are left out; those that win at once may be. */
static void check_successors(const fixture *f, int rules, const kz_position *position, kz_successors list,
                             const uint64_t *indices) {
    static kz_move moves[KZ_DOBUTSU_MAX_MOVES];
    int count = kz_moves(f->game, rules, position, moves);
    unsigned found = 0;
    unsigned promised = 0;
    for (int i = 0; i < count; i++) {
        kz_position after = *position;
        uint64_t index;
        kz_play(f->game, rules, &after, moves[i]);
        kz_value value = kz_immediate(f->game, rules, &after);
        if (value.outcome == KZ_WIN) {
            continue;
        }
        bool listed = false;
        bool ranked = kz_rank(f->game, &after, &index);
        for (unsigned k = 0; k < list.count && ranked; k++) {
            listed = listed || indices[k] == index;
        }
        found += listed;
        if (!listed) {
            assert_int_equal(value.outcome, KZ_LOSS);
            promised =
                promised == 0 || (unsigned)value.distance + 1 < promised ? (unsigned)value.distance + 1 : promised;
        }
    }
    assert_int_equal(list.count, found);
    assert_int_equal(list.promised, promised);
}

TEST(test_successors) {
    fixture *f = *state;
    static uint32_t numbers[POSITIONS];
    static kz_successors lists[POSITIONS];
    uint64_t *indices = malloc(sizeof *indices * POSITIONS * KZ_DOBUTSU_MAX_MOVES);
    assert_non_null(indices);
    for (int rules = 0; rules < RULES; rules++) {
        unsigned count = 0;
        unsigned promised = 0;
        size_t listed = 0;
        look(f, rules);
        for (uint32_t i = 0; i < POSITIONS; i++) {
            if (f->indices[i] != KZ_NO_INDEX) {
                numbers[count++] = i;
            }
        }
        kz_dobutsu_successors_many(f->lookups[rules], f->positions, numbers, count, lists, indices);
        for (unsigned i = 0; i < count; i++) {
            check_successors(f, rules, &f->positions[numbers[i]], lists[i], indices + listed);
            listed += lists[i].count;
            promised += lists[i].promised > 0;
        }
        assert_true(listed > count);
        /* A Try wins at once by the official rules. */
        assert_int_equal(promised > 0, rules == KZ_DOBUTSU_SIMPLIFIED);
    }
    free(indices);
}

/* Positions with a few bytes changed: most are none any more. */
TEST(test_damaged) {
    fixture *f = *state;
    kz_random random = {11};
    int bad = 0;
    for (int i = 0; i < POSITIONS; i++) {
        uint8_t bytes[sizeof(kz_dobutsu)];
        memcpy(bytes, &f->positions[i], sizeof bytes);
        for (int k = 0; k < 1 + i % 3; k++) {
            bytes[kz_random_below(&random, sizeof bytes)] = (uint8_t)kz_random_below(&random, i % 2 ? 256 : 16);
        }
        memcpy(&f->positions[i], bytes, sizeof bytes);
    }
    look(f, 0);
    for (int i = 0; i < POSITIONS; i++) {
        if (kz_validate(f->game, 0, &f->positions[i], NULL) != KZ_OK) {
            assert_int_equal(f->values[i].outcome, KZ_UNKNOWN);
            assert_true(f->indices[i] == KZ_NO_INDEX);
            bad++;
        } else if (f->indices[i] != KZ_NO_INDEX) {
            uint64_t index;
            assert_true(kz_rank(f->game, &f->positions[i], &index));
            assert_true(f->indices[i] == index || f->values[i].outcome == KZ_WIN);
        }
    }
    assert_true(bad > POSITIONS / 2);
    assert_true(bad < POSITIONS);
}

TESTS(set_up, tear_down)
