/* SPDX-License-Identifier: MIT
 *
 * The published sizes of position sets, to the last digit. */
#include "tests/testing.h"

#include "dobutsu/reach.h"

#include <kanzen/solve.h>

#include <string.h>

enum { ROOM = 32, TANAKA = KZ_FEATURE_CAPTURE | KZ_FEATURE_TRIED, SAFE_TRY = TANAKA | KZ_FEATURE_TRY };

/* Tanaka 2009: Tetsuro Tanaka, "An Analysis of a Board Game Doubutsu Shogi", IPSJ SIG Notes 2009-GI-22 No. 3: all
 * arrangements (table 1), the reachable positions, their values, and the two kinds of ends among them.
 * The legal ones: the set of Robert Clausecker's dobutsu with every mirror pair counted once.
 * Safe Try and missed wins: enumerations by other programs that agree with each other and with Tanaka's set.
 * Simplified: the 2024 analyzer (kylejlin/dobutsu_shogi_2024), 1,696,843,730 reachable states less the
 * 338,671,813 won and 259,823,708 lost ones at which its games end. */
static const struct {
    const char *name;
    uint64_t count;
} published[] = {
    {"arrangements", 1567925964},
    {"legal", 231641991},
    {"legal-not-won-in-1", 109213029},
    {"reachable-tanaka", 246803167},
    {"reachable-tanaka-nonterminal", 99485568},
    {"reachable-tanaka-wins", 56474473},
    {"reachable-tanaka-draws", 2682700},
    {"reachable-tanaka-losses", 40328395},
    {"reachable-tanaka-capture", 140298614},
    {"reachable-tanaka-tried", 7018985},
    {"reachable-safe-try", 213993386},
    {"reachable-safe-try-nonterminal", 86831053},
    {"reachable-missed-wins", 507669530},
    {"reachable-missed-wins-nonterminal", 109179572},
    {"reachable-simplified-nonterminal", 1098348209},
};

static void test_published_figures(void **state) {
    (void)state;
    const kz_game *game = kz_game_find("dobutsu");
    kz_count counts[ROOM];
    size_t found;
    kz_error error;
    assert_int_equal(kz_count_positions(game, 0, NULL, counts, ROOM, &found, &error), KZ_OK);
    assert_int_equal(found, sizeof published / sizeof published[0]);
    for (size_t i = 0; i < found; i++) {
        assert_string_equal(counts[i].name, published[i].name);
        assert_true(strlen(counts[i].meaning) > 0);
        assert_int_equal(counts[i].count, published[i].count);
    }
}

static bool never_go_back(void *user, const char *stage, uint64_t done, uint64_t total) {
    uint64_t *last = user;
    assert_string_equal(stage, "stage");
    assert_true(done >= *last);
    assert_int_equal(total, 0);
    *last = done;
    return true;
}

/* The same set with another number of threads. */
static void test_thread_counts(void **state) {
    (void)state;
    kz_reach *reach = kz_reach_new();
    kz_pool *pool = kz_pool_new(5, NULL);
    uint64_t played = 0;
    kz_progress progress = {.report = never_go_back, .user = &played};
    kz_reach_tally tally = {0};
    uint64_t sum = 0;
    assert_non_null(reach);
    assert_non_null(pool);
    assert_int_equal(kz_reach_run(reach, SAFE_TRY, pool, &progress, "stage", NULL), KZ_OK);
    assert_int_equal(played, 86831053);
    kz_reach_count(reach, NULL, 0, reach->space->decided_blocks, &tally);
    for (int features = 0; features < KZ_FEATURE_SETS; features++) {
        sum += tally.folded[features];
    }
    assert_int_equal(sum, 213993386);
    assert_int_equal(tally.folded[0], 86831053);
    kz_pool_free(pool);
    kz_reach_free(reach);
}

static bool refuse(void *user, const char *stage, uint64_t done, uint64_t total) {
    const char *refused = user;
    (void)done;
    (void)total;
    return strcmp(stage, refused) != 0;
}

static void test_cancel(void **state) {
    (void)state;
    const kz_game *game = kz_game_find("dobutsu");
    kz_progress progress = {.report = refuse, .user = "counting moves"};
    kz_count counts[1];
    size_t found = 1;
    kz_error error;
    assert_int_equal(kz_count_positions(game, 2, &progress, counts, 1, &found, &error), KZ_ERR_CANCELLED);
    assert_int_equal(error.status, KZ_ERR_CANCELLED);
    assert_int_equal(found, 0);
    assert_int_equal(kz_count_positions(game, -1, NULL, counts, 1, &found, &error), KZ_ERR_INPUT);

    kz_reach *reach = kz_reach_new();
    kz_pool *pool = kz_pool_new(2, &error);
    assert_non_null(reach);
    assert_non_null(pool);
    progress.user = "stage";
    assert_int_equal(kz_reach_run(reach, SAFE_TRY, pool, &progress, "stage", &error), KZ_ERR_CANCELLED);
    kz_pool_free(pool);
    kz_reach_free(reach);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published_figures),
        cmocka_unit_test(test_thread_counts),
        cmocka_unit_test(test_cancel),
    };
    return cmocka_run_group_tests_name("dobutsu counts", tests, NULL, NULL);
}
