/* SPDX-License-Identifier: MIT
 *
 * A million random positions through every format and path. */
#include "tests/support/shogi_roundtrip.h"

enum { MILLION = 1000000, GAMES = 200000, EACH = (MILLION - GAMES) / SHOGI_RANDOM_WISHES + 1 };

static void test_a_million(void **state) {
    (void)state;
    uint64_t seed = 40;
    for (unsigned i = 0; i < SHOGI_RANDOM_WISHES; i++) {
        shogi_check_wish(&seed, shogi_random_wishes[i], EACH);
    }
    shogi_walker walker = {.state = 41};
    shogi_check_walk(&walker, GAMES);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_a_million)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
