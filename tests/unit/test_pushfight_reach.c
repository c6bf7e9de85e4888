/* SPDX-License-Identifier: MIT
 *
 * Which positions of the smallest boards can be reached: position by position, turn by turn. */
#include "tests/support/pushfight_testing.h"

enum { CORRIDOR = 5, RAFT = 6, HOOK = 7 };

static void test_corridor(void **state) {
    (void)state;
    check_board(CORRIDOR, true);
}

static void test_raft(void **state) {
    (void)state;
    check_board(RAFT, true);
}

static void test_hook(void **state) {
    (void)state;
    check_board(HOOK, true);
}

static void test_no_board(void **state) {
    kz_pushfight_reach_report *report = malloc(sizeof *report);
    kz_error error;
    (void)state;
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

static void test_cancelled(void **state) {
    const kz_progress progress = {stop, NULL};
    kz_pushfight_reach_report *report = malloc(sizeof *report);
    kz_error error;
    (void)state;
    assert_int_equal(kz_pushfight_reachable(RAFT, 1, false, &progress, report, &error), KZ_ERR_CANCELLED);
    free(report);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_corridor), cmocka_unit_test(test_raft),      cmocka_unit_test(test_hook),
        cmocka_unit_test(test_no_board), cmocka_unit_test(test_cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
