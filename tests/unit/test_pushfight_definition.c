/* SPDX-License-Identifier: MIT
 *
 * Push Fight as a definition keeps the laws of definitions; and what the generic way finds for small boards is what the
 * sweeps find, every value. With THOROUGH=1 for the mini board as well. */
#include "games/pushfight/rules/rules.h"
#include "tests/support/testing.h"

#include <kanzen/load.h>
#include <kanzen/selftest.h>
#include <kanzen/solve.h>
#include <kanzen/table.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_SMALL = 5 };
static const char *const small_boards[] = {"corridor", "raft", "hook", NULL};

static kz_status open_small(int rules, void **context, kz_error *error) {
    return kz_pushfight_definition.open(FIRST_SMALL + rules, context, error);
}

TEST(test_laws) {
    const kz_game *game;
    kz_error error = {KZ_OK, ""};
    kz_definition small = kz_pushfight_definition;
    small.rules = small_boards;
    small.open = open_small;
    must(kz_game_open(&small, &game, &error), &error);
    for (int rules = 0; kz_rules_name(game, rules); rules++) {
        static kz_selftest_report report;
        kz_selftest_options options = {.positions = 300, .seed = 1, .threads = 2};
        if (kz_selftest(game, rules, &options, NULL, &report, NULL) != KZ_OK) {
            fail_msg("%s: %s", report.position, report.problem);
        }
        assert_true(report.counts[KZ_SELFTEST_MOVE] > 100);
    }
    kz_game_close(game);
}

static kz_table *solved(const kz_game *game, int rules, bool plain, const char *path, kz_summary *summary) {
    kz_error error;
    kz_table *table = NULL;
    kz_solve_options options = {.threads = 2, .replace = true, .plain = plain};
    must(kz_solve(game, rules, path, &options, summary, &error), &error);
    must(kz_table_open(path, &table, &error), &error);
    return table;
}

static void compare_board(const char *board) {
    const kz_game *game = kz_game_find("pushfight");
    int rules = kz_rules_find(game, board);
    kz_summary sums[2];
    kz_table *swept = solved(game, rules, false, "swept.kzt", &sums[0]);
    kz_table *generic = solved(game, rules, true, "generic.kzt", &sums[1]);
    uint64_t compared = 0;
    for (uint64_t index = 0; index < kz_index_size(game, rules); index++) {
        kz_position position;
        uint64_t back;
        kz_value values[2];
        kz_error error;
        if (!kz_unrank(game, rules, index, &position) || !kz_rank(game, &position, &back)) {
            continue; /* it can't occur */
        }
        assert_int_equal(kz_probe(swept, &position, &values[0], &error), KZ_OK);
        assert_int_equal(kz_probe(generic, &position, &values[1], &error), KZ_OK);
        if (values[0].outcome != values[1].outcome || values[0].distance != values[1].distance) {
            fail_msg("%s, number %llu: %d in %d, and by the generic way %d in %d", board, (unsigned long long)index,
                     (int)values[0].outcome, values[0].distance, (int)values[1].outcome, values[1].distance);
        }
        compared++;
    }
    /* The generic way has a number for the start, too. */
    assert_int_equal(compared, sums[0].positions);
    assert_int_equal(compared + 1, sums[1].positions);
    assert_int_equal(sums[0].longest_win, sums[1].longest_win);
    kz_table_close(swept);
    kz_table_close(generic);
}

TEST(test_values) {
    compare_board("corridor");
    compare_board("hook");
    if (getenv("THOROUGH")) {
        compare_board("raft");
        compare_board("mini");
    }
}

TEST(test_too_large) {
    kz_error error;
    kz_summary summary;
    kz_solve_options options = {.threads = 1, .plain = true};
    assert_int_equal(kz_solve(kz_game_find("pushfight"), 0, "large.kzt", &options, &summary, &error),
                     KZ_ERR_UNSUPPORTED);
    assert_non_null(strstr(error.message, "too many for the generic way"));
}

TESTS(NULL, NULL)
