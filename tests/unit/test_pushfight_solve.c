/* SPDX-License-Identifier: MIT
 *
 * The smallest boards solved both ways; test_heavy_pushfight_plain.c has the mini board. */
#include "tests/support/pushfight_testing.h"

static void assert_same(const char *name, uint64_t fit, uint64_t openings) {
    const kz_pf_board *board = kz_pf_board_at(kz_rules_find(kz_game_find("pushfight"), name));
    kz_error error;
    kz_pf_plain *plain = NULL;
    assert_non_null(board);
    must(kz_pf_plain_open(board, &plain, &error), &error);
    kz_pool *pool = kz_pool_new(0, NULL);
    uint8_t *values = malloc(plain->permutations);
    assert_non_null(pool);
    assert_non_null(values);
    assert_int_equal(kz_pf_plain_solve(plain, false, pool, values, NULL), KZ_OK);
    assert_table_agrees(name, plain, values, pool, fit, openings);
    free(values);
    kz_pool_free(pool);
    kz_pf_plain_close(plain);
}

TEST(test_corridor) { assert_same("corridor", 1512, 400); }

TEST(test_raft) { assert_same("raft", 134400, 3600); }

TEST(test_hook) { assert_same("hook", 45600, 1800); }

TESTS(NULL, NULL)
