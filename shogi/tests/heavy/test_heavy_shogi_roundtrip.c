/* SPDX-License-Identifier: MIT
 *
 * 200,000 random positions through every format and path; with THOROUGH=1 a million (make faults). */
#include "shogi/tests/support/shogi_roundtrip.h"

#include <stdlib.h>

enum { POSITIONS = 200000, GAMES = 40000, THOROUGH_TIMES = 5 };

TEST(test_many) {
    unsigned times = getenv("THOROUGH") ? THOROUGH_TIMES : 1;
    unsigned each = times * (POSITIONS - GAMES) / SHOGI_RANDOM_WISHES + 1;
    uint64_t seed = 40;
    for (unsigned i = 0; i < SHOGI_RANDOM_WISHES; i++) {
        shogi_check_wish(&seed, shogi_random_wishes[i], each);
    }
    shogi_walker walker = {.state = 41};
    shogi_check_walk(&walker, times * GAMES);
}

TESTS(NULL, NULL)
