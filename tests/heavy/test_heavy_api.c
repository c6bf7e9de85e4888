/* SPDX-License-Identifier: MIT
 * labels: dobutsu-table server
 *
 * Players and the API on the real table of Dobutsu Shogi. That gote wins in 78 plies, and what the four first moves are
 * worth, is Tetsuro Tanaka's result of 2009. */
#include "tests/support/api_answers.h"
#include "tests/support/dobutsu_samples.h"
#include "tests/support/players.h"

#include <stdlib.h>

typedef struct fixture {
    kz_table *table;
    kz_api *api;
    kz_values values;
} fixture;

static int setup(void **state) {
    static fixture f;
    const char *path = getenv("DOBUTSU_TABLE");
    *state = &f;
    f.api = kz_api_new();
    if (!path || !f.api || kz_table_open(path, &f.table, NULL) != KZ_OK || kz_api_use(f.api, f.table, NULL) != KZ_OK) {
        return -1;
    }
    /* Enough for all of it, and another number of shelves than before. */
    f.values = values_from(f.table);
    return kz_table_cache(f.table, UINT64_C(256) << 20, NULL) == KZ_OK ? 0 : -1;
}

static int teardown(void **state) {
    fixture *f = *state;
    kz_api_free(f->api);
    kz_table_close(f->table);
    return 0;
}

static kz_position random_position(uint64_t *seed) {
    kz_dobutsu dobutsu = sample_position(seed);
    kz_position position;
    kz_dobutsu_to_position(&dobutsu, &position);
    return position;
}

/* ---- Players --------------------------------------------------------------------------------------------------- */

TEST(test_lists) {
    const fixture *f = *state;
    uint64_t seed = 1;
    for (int i = 0; i < 3000; i++) {
        kz_position position = random_position(&seed);
        check_lists(&f->values, &position);
    }
}

TEST(test_perfection) {
    const fixture *f = *state;
    uint64_t seed = 2;
    for (int i = 0; i < 1000; i++) {
        kz_position position = random_position(&seed);
        check_perfection(&f->values, &position, seed);
    }
}

/* Whatever the seed, two perfect players need 78 plies, and who moves second wins. */
TEST(test_perfect_game) {
    const fixture *f = *state;
    kz_position start;
    kz_start(f->values.game, 0, &start);
    for (uint64_t seed = 0; seed < 5; seed++) {
        int winner;
        assert_int_equal(played(&f->values, &start, (const char *const[2]){"perfect", "perfect"}, seed, 300, &winner),
                         78);
        assert_int_equal(winner, 1);
    }
}

/* How many games of so many the first of the players wins; they take turns in moving first. */
static int wins_of(const fixture *f, const char *one, const char *other, int games) {
    int wins = 0;
    kz_position start;
    kz_start(f->values.game, 0, &start);
    for (int i = 0; i < games; i++) {
        int winner;
        const char *const levels[2] = {i % 2 ? other : one, i % 2 ? one : other};
        played(&f->values, &start, levels, (uint64_t)i, 300, &winner);
        wins += winner == i % 2;
    }
    return wins;
}

TEST(test_strengths) {
    const fixture *f = *state;
    assert_true(wins_of(f, "perfect", "beginner", 40) >= 39);
    for (int level = 0; kz_level_name(level + 1); level++) {
        assert_true(wins_of(f, kz_level_name(level + 1), kz_level_name(level), 40) > 24);
    }
    /* But they can be beaten, and not by perfection alone. */
    assert_true(wins_of(f, "easy", "medium", 40) > 0);
    assert_true(wins_of(f, "medium", "hard", 40) > 0);
}

/* ---- The API --------------------------------------------------------------------------------------------------- */

TEST(test_first_moves) {
    const fixture *f = *state;
    json_t *answer = got(f->api, "/api/v1/dobutsu/position", NULL);
    has_value(answer, "loss", 78);
    assert_int_equal(number_in(answer, "distance"), 78);
    assert_string_equal(text_in(answer, "source"), "table");
    json_t *moves = json_object_get(answer, "moves");
    assert_int_equal(json_array_size(moves), 4);
    for (size_t i = 0; i < 4; i++) {
        has_value(json_array_get(moves, i), "loss", i < 3 ? 78 : 76);
    }
    assert_string_equal(text_in(json_array_get(moves, 3), "move"), "2c2b");
}

TEST(test_line) {
    const fixture *f = *state;
    json_t *answer = got(f->api, "/api/v1/dobutsu/line", NULL);
    json_t *line = json_object_get(answer, "line");
    has_value(answer, "loss", 78);
    assert_int_equal(json_array_size(line), 78);
    assert_string_equal(text_in(answer, "ending"), "over");
    for (int ply = 0; ply < 78; ply++) {
        has_value(json_array_get(line, (size_t)ply), ply % 2 ? "win" : "loss", 78 - ply);
    }
    answer = got(f->api, "/api/v1/dobutsu/line", "limit=10");
    assert_int_equal(json_array_size(json_object_get(answer, "line")), 10);
    assert_true(json_is_false(json_object_get(answer, "complete")));
}

TEST(test_table) {
    const fixture *f = *state;
    json_t *answer = got(f->api, "/api/v1/dobutsu/table", NULL);
    json_t *counts = json_object_get(answer, "counts");
    json_int_t sum = 0;
    json_int_t longest = 0;
    for (size_t i = 0; i < json_array_size(counts); i++) {
        json_t *entry = json_array_get(counts, i);
        sum += number_in(entry, "count");
        if (strcmp(text_in(entry, "value"), "win") == 0 && number_in(entry, "plies") > longest) {
            longest = number_in(entry, "plies");
        }
    }
    assert_int_equal(longest, 173);
    assert_int_equal(sum, number_in(answer, "positions"));
}

/* What the API says of a thousand positions is what single lookups say. */
TEST(test_many) {
    const fixture *f = *state;
    enum { MANY = 1000, ROOM = 64 };
    static const char *const names[] = {[KZ_LOSS] = "loss", [KZ_DRAW] = "draw", [KZ_WIN] = "win"};
    static char texts[MANY][ROOM];
    static char body[MANY * (ROOM + 3) + 32] = "{\"positions\":[";
    size_t length = strlen(body);
    kz_value values[MANY];
    uint64_t seed = 3;
    for (int i = 0; i < MANY; i++) {
        kz_position position = random_position(&seed);
        assert_int_equal(kz_format(f->values.game, &position, 0, texts[i], ROOM, NULL), KZ_OK);
        assert_int_equal(kz_probe(f->table, &position, &values[i], NULL), KZ_OK);
        length += (size_t)sprintf(body + length, "%s\"%s\"", i > 0 ? "," : "", texts[i]);
    }
    sprintf(body + length, "]}");
    json_t *answer = posted(f->api, "/api/v1/dobutsu/positions", NULL, body, 200);
    for (size_t i = 0; i < MANY; i++) {
        json_t *one = json_array_get(json_object_get(answer, "answers"), i);
        assert_string_equal(text_in(one, "position"), texts[i]);
        assert_string_equal(text_in(one, "value"), names[values[i].outcome]);
        if (values[i].outcome != KZ_DRAW) {
            assert_int_equal(number_in(one, "distance"), values[i].distance);
        }
    }
}

TESTS(setup, teardown)
