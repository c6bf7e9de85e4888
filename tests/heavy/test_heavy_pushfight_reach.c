/* SPDX-License-Identifier: MIT
 *
 * Which positions of the mini board can be reached: the counts that docs/push-fight.md has. A search that plays all
 * turns of the plain rules found the same ones; with THOROUGH=1 (make faults) it is made again and compared position by
 * position, as tests/unit/test_pushfight_reach.c does for smaller boards. */
#include "tests/support/pushfight_testing.h"

enum { MINI = 1, TURNS = 7 };

TEST(test_mini) {
    static const uint64_t reached_in[TURNS + 1] = {0, 102744, 578937, 1810864, 1566330, 97455, 1562, 22};
    kz_pushfight_reach_report *report = malloc(sizeof *report);
    assert_non_null(report);
    for (int unfold = 0; unfold < 2; unfold++) {
        assert_int_equal(kz_pushfight_reachable(MINI, 2, unfold, NULL, report, NULL), KZ_OK);
        assert_false(report->folded); /* with an even number of pieces a side no board is */
        assert_int_equal(report->positions, 5715360);
        assert_int_equal(report->reached, 4157914);
        assert_int_equal(report->no_predecessor, 1494486);
        assert_int_equal(report->cornered, 1082280);
        assert_int_equal(report->turns, TURNS);
        for (int turn = 1; turn <= TURNS; turn++) {
            assert_int_equal(report->reached_in[turn], reached_in[turn]);
        }
    }
    free(report);
    if (getenv("THOROUGH")) {
        check_board(MINI, false);
    }
}

TESTS(NULL, NULL)
