/* SPDX-License-Identifier: MIT
 *
 * Which positions of the mini board can be reached, position by position. */
#include "tests/support/pushfight_reach.h"

enum { MINI = 1 };

static void test_mini(void **state) {
    (void)state;
    check_board(MINI, false);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_mini)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
