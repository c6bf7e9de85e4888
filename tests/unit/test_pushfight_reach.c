/* SPDX-License-Identifier: MIT
 *
 * Which positions of the smallest boards can be reached: position by position, turn by turn. */
#include "tests/support/pushfight_testing.h"

enum { CORRIDOR = 5, RAFT = 6, HOOK = 7 };

TEST(test_corridor) { check_board(CORRIDOR, true); }

TEST(test_raft) { check_board(RAFT, true); }

TEST(test_hook) { check_board(HOOK, true); }

TEST(test_no_board) {
    kz_pushfight_reach_report *report = malloc(sizeof *report);
    kz_error error;
    assert_int_equal(kz_pushfight_reachable(1000, 1, false, NULL, report, &error), KZ_ERR_INPUT);
    assert_string_equal(error.message, "there is no board number 1000");
    free(report);
}

static bool stop(void *user, const char *stage, uint64_t done, uint64_t total) {
    (void)user;
    (void)stage;
    (void)done;
    (void)total;
    return false;
}

TEST(test_cancelled) {
    const kz_progress progress = {stop, NULL};
    kz_pushfight_reach_report *report = malloc(sizeof *report);
    kz_error error;
    assert_int_equal(kz_pushfight_reachable(RAFT, 1, false, &progress, report, &error), KZ_ERR_CANCELLED);
    free(report);
}

TESTS(NULL, NULL)
