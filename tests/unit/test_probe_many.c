/* SPDX-License-Identifier: MIT
 *
 * Many positions at once have the values that they have one by one: in a table of all values, and in a table of a game
 * from a definition. Tables of losses, which take longer to make, are in tests/heavy/test_heavy_table.c. */
#include "tests/support/tables.h"
#include "tests/support/tictactoe.h"

#include <kanzen/load.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 20000 };

typedef struct sample {
    size_t count;
    kz_position positions[MOST];
    kz_value values[MOST];
} sample;

/* Positions from all over the index, the neighbours of one position far from each other. */
static sample *sample_of(const kz_table *table) {
    sample *s = calloc(1, sizeof *s);
    assert_non_null(s);
    const kz_game *game = kz_table_game(table);
    uint64_t size = kz_index_size(game, kz_table_rules(table));
    uint64_t step = 7919;
    for (uint64_t i = 0; i < size && s->count < MOST; i++) {
        if (kz_unrank(game, kz_table_rules(table), i * step % size, &s->positions[s->count])) {
            s->count++;
        }
    }
    return s;
}

static void check_values(const kz_table *table, const sample *s) {
    for (size_t i = 0; i < s->count; i++) {
        kz_value value;
        assert_int_equal(kz_probe(table, &s->positions[i], &value, NULL), KZ_OK);
        assert_int_equal(s->values[i].outcome, value.outcome);
        assert_int_equal(s->values[i].distance, value.distance);
    }
}

static void check_table(kz_table *table) {
    kz_error error;
    sample *s = sample_of(table);
    assert_true(s->count > 100);
    for (int threads = 1; threads <= 3; threads++) {
        memset(s->values, 0xEE, sizeof s->values);
        must(kz_probe_many(table, s->positions, s->count, threads, s->values, &error), &error);
        check_values(table, s);
    }
    /* None at all, and one. */
    assert_int_equal(kz_probe_many(table, NULL, 0, 1, NULL, &error), KZ_OK);
    assert_int_equal(kz_probe_many(table, s->positions, 1, 0, s->values, &error), KZ_OK);
    free(s);
}

TEST(test_all_values) {
    kz_table *table = solved_board("corridor");
    check_table(table);
    kz_table_close(table);
}

TEST(test_definition) {
    const kz_game *game = NULL;
    kz_table *table = NULL;
    kz_summary summary;
    kz_error error;
    assert_int_equal(kz_game_open(kanzen_game(), &game, &error), KZ_OK);
    if (kz_solve(game, 0, "own.kzt", &(kz_solve_options){.replace = true}, &summary, &error) != KZ_OK ||
        kz_table_open_as("own.kzt", game, &table, &error) != KZ_OK) {
        fail_msg("%s", error.message);
    }
    check_table(table);
    kz_table_close(table);
    kz_game_close(game);
    remove("own.kzt");
}

/* Bytes that are no position are named, and the others answered all the same. */
TEST(test_bad_positions) {
    kz_table *table = solved_board("corridor");
    sample *s = sample_of(table);
    kz_error error;
    kz_value before[2];
    assert_int_equal(kz_probe_many(table, s->positions, s->count, 2, s->values, &error), KZ_OK);
    before[0] = s->values[76];
    before[1] = s->values[s->count - 1];
    memset(&s->positions[77], 0, sizeof s->positions[77]);
    memset(&s->positions[500], 0xFF, sizeof s->positions[500]);
    memset(s->values, 0xEE, sizeof s->values);
    assert_int_equal(kz_probe_many(table, s->positions, s->count, 2, s->values, &error), KZ_ERR_INPUT);
    assert_int_equal(error.status, KZ_ERR_INPUT);
    assert_non_null(strstr(error.message, "position 77: "));
    assert_int_equal(s->values[77].outcome, KZ_UNKNOWN);
    assert_int_equal(s->values[500].outcome, KZ_UNKNOWN);
    assert_int_equal(s->values[76].outcome, before[0].outcome);
    assert_int_equal(s->values[s->count - 1].distance, before[1].distance);
    assert_int_equal(kz_probe_many(table, s->positions, s->count, 2, s->values, NULL), KZ_ERR_INPUT);
    assert_int_equal(kz_probe_many(table, s->positions, s->count, -1, s->values, &error), KZ_ERR_INPUT);
    free(s);
    kz_table_close(table);
}

TESTS(NULL, NULL)
