/* SPDX-License-Identifier: MIT
 *
 * The longest wins and the puzzles of a small board, against looking every position up. */
#include "tests/support/players.h"
#include "tests/support/tables.h"

#include <kanzen/collect.h>
#include <kanzen/pushfight.h>
#include <stdlib.h>
#include <string.h>

static int setup(void **state) {
    *state = solved_board("hook");
    return 0;
}

static int teardown(void **state) {
    kz_table_close(*state);
    return 0;
}

/* Won positions, longest first, then by index: as many as there is room for. */
static void list_wins(const kz_table *table, kz_found *wins, size_t room) {
    kz_values values = values_from(table);
    uint64_t size = kz_index_size(values.game, values.rules);
    int *plies = calloc(size, sizeof *plies);
    int longest = 0;
    assert_non_null(plies);
    for (uint64_t index = 0; index < size; index++) {
        kz_position position;
        uint64_t place;
        kz_unrank(values.game, values.rules, index, &position);
        if (kz_rank(values.game, &position, &place) && place == index) {
            kz_value value = looked_up(&values, &position);
            plies[index] = value.outcome == KZ_WIN ? value.distance : 0;
            longest = plies[index] > longest ? plies[index] : longest;
        }
    }
    size_t count = 0;
    for (int distance = longest; distance > 0; distance--) {
        for (uint64_t index = 0; index < size && count < room; index++) {
            if (plies[index] == distance) {
                kz_unrank(values.game, values.rules, index, &wins[count].position);
                wins[count++].value = (kz_value){KZ_WIN, distance};
            }
        }
    }
    free(plies);
    assert_int_equal(count, room);
}

TEST(test_longest) {
    const kz_table *table = *state;
    enum { MOST = 60 };
    static kz_found expected[MOST];
    static kz_found found[MOST];
    list_wins(table, expected, MOST);
    for (size_t most = 1; most <= MOST; most += 13) {
        for (int threads = 1; threads <= 3; threads += 2) {
            size_t count;
            assert_int_equal(kz_collect_longest(table, most, threads, NULL, found, &count, NULL), KZ_OK);
            assert_int_equal(count, most);
            for (size_t i = 0; i < count; i++) {
                assert_true(kz_same(kz_table_game(table), &found[i].position, &expected[i].position));
                assert_true(same_value(found[i].value, expected[i].value));
            }
        }
    }
}

/* Just one of several moves wins, in as many plies as the puzzle says. */
static void check_puzzle(const kz_values *values, const kz_puzzle *puzzle) {
    static kz_move moves[KZ_MAX_MOVES];
    int count = kz_moves(values->game, values->rules, &puzzle->position, moves);
    int winning = 0;
    assert_true(count > 1);
    assert_int_equal(puzzle->value.outcome, KZ_WIN);
    for (int i = 0; i < count; i++) {
        kz_value worth = worth_of(values, &puzzle->position, moves[i]);
        if (worth.outcome == KZ_WIN) {
            assert_int_equal(moves[i], puzzle->move);
            assert_int_equal(worth.distance, puzzle->value.distance);
            winning++;
        }
    }
    assert_int_equal(winning, 1);
}

TEST(test_puzzles) {
    const kz_table *table = *state;
    kz_values values = values_from(table);
    enum { EACH = 4 };
    kz_puzzle *lists[3];
    size_t counts[3];
    for (int i = 0; i < 3; i++) {
        kz_puzzle_wish wish = {.per_length = EACH, .seed = i == 2 ? 8 : 7, .threads = 1 + i};
        assert_int_equal(kz_collect_puzzles(table, &wish, NULL, &lists[i], &counts[i], NULL), KZ_OK);
        assert_true(counts[i] > EACH);
        int alike = 0;
        for (size_t k = 0; k < counts[i]; k++) {
            check_puzzle(&values, &lists[i][k]);
            int before = k > 0 ? lists[i][k - 1].value.distance : 0;
            assert_true(before <= lists[i][k].value.distance);
            alike = before == lists[i][k].value.distance ? alike + 1 : 1;
            assert_true(alike <= EACH);
            for (size_t other = 0; other < k; other++) {
                assert_false(kz_same(values.game, &lists[i][k].position, &lists[i][other].position));
            }
        }
    }
    /* The same for the same seed on any number of threads, others for another one. */
    assert_int_equal(counts[0], counts[1]);
    size_t same = 0;
    for (size_t k = 0; k < counts[0]; k++) {
        assert_true(kz_same(values.game, &lists[0][k].position, &lists[1][k].position));
        assert_int_equal(lists[0][k].move, lists[1][k].move);
        same += k < counts[2] && kz_same(values.game, &lists[0][k].position, &lists[2][k].position);
    }
    assert_true(same < counts[0]);
    for (int i = 0; i < 3; i++) {
        free(lists[i]);
    }
}

static bool refuse(void *user, const char *stage, uint64_t done, uint64_t total) {
    (void)user;
    (void)stage;
    (void)done;
    (void)total;
    return false;
}

TEST(test_refusals) {
    const kz_table *table = *state;
    kz_error error;
    kz_found found[1];
    kz_puzzle *list = NULL;
    size_t count = 99;
    assert_int_equal(kz_collect_longest(table, KZ_COLLECT_MOST + 1, 1, NULL, found, &count, &error), KZ_ERR_INPUT);
    assert_string_equal(error.message, "10000 positions are the most that can be listed");
    assert_int_equal(count, 0);
    assert_int_equal(kz_collect_longest(table, 1, -1, NULL, found, &count, &error), KZ_ERR_INPUT);
    assert_non_null(strstr(error.message, "the number of threads must be from 0 to"));
    static const unsigned numbers[] = {0, 201, 4000000000};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        kz_puzzle_wish wish = {.per_length = numbers[i], .threads = 1};
        assert_int_equal(kz_collect_puzzles(table, &wish, NULL, &list, &count, &error), KZ_ERR_INPUT);
        assert_non_null(strstr(error.message, "1 to 200 are possible"));
    }
    kz_puzzle_wish wish = {.per_length = 1, .threads = -1};
    assert_int_equal(kz_collect_puzzles(table, &wish, NULL, &list, &count, &error), KZ_ERR_INPUT);
    wish.threads = 1;
    kz_progress stopping = {.report = refuse};
    assert_int_equal(kz_collect_puzzles(table, &wish, &stopping, &list, &count, &error), KZ_ERR_CANCELLED);
    assert_int_equal(kz_collect_longest(table, 1, 1, &stopping, found, &count, &error), KZ_ERR_CANCELLED);
    assert_null(list);

    /* Chunks are parts of the standard board's permutations. */
    kz_pushfight_values_report report;
    assert_int_equal(kz_pushfight_merged_chunk(table, 1, 0, NULL, false, NULL, &report, &error), KZ_ERR_UNSUPPORTED);
    assert_string_equal(error.message, "chunks are defined for the standard board only");
    /* Without a file there is only the report: every permutation has one value. */
    assert_int_equal(kz_pushfight_values(table, 1, false, NULL, false, NULL, &report, &error), KZ_OK);
    uint64_t sum = 0;
    for (int byte = 0; byte < KZ_PUSHFIGHT_VALUES; byte++) {
        sum += report.counts[byte];
    }
    /* 11 squares: 2 + 4 of them are pushers and movers of either side, and one of the enemy's pushers has the anchor.
     */
    assert_int_equal(sum, UINT64_C(11) * 10 * 9 / 2 * 8 * 7 * 6 / 2 * 2);
    assert_int_equal(strlen(report.sha256), 64);
}

TESTS(setup, teardown)
