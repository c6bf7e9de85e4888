/* SPDX-License-Identifier: MIT
 *
 * The helpers for those who define a game (kanzen/helpers.h), against plain enumeration. */
#include "tests/support/testing.h"

#include <kanzen/helpers.h>
#include <stdlib.h>

/* Pascal's triangle is another way to count sets. */
TEST(test_choose) {
    static uint64_t triangle[65][65];
    for (int n = 0; n <= 61; n++) {
        for (int k = 0; k <= n; k++) {
            triangle[n][k] = k == 0 || k == n ? 1 : triangle[n - 1][k - 1] + triangle[n - 1][k];
            assert_true(kz_choose(n, k) == triangle[n][k]);
        }
        assert_true(kz_choose(n, n + 1) == 0);
        assert_true(kz_choose(n, -1) == 0);
    }
    assert_true(kz_choose(64, 23) == UINT64_C(146721427591999680)); /* Python's math.comb */
}

/* Sets of k of n squares in the order of their numbers as bits: each is the next one. */
TEST(test_sets) {
    for (int n = 0; n <= 13; n++) {
        uint64_t next[14] = {0};
        for (uint64_t squares = 0; squares < (uint64_t)1 << n; squares++) {
            int k = __builtin_popcountll(squares);
            assert_true(kz_rank_set(squares) == next[k]);
            assert_true(kz_unrank_set(next[k], k) == squares);
            next[k]++;
        }
        for (int k = 0; k <= n; k++) {
            assert_true(next[k] == kz_choose(n, k));
        }
    }
    uint64_t far = UINT64_C(1) << 63 | UINT64_C(1) << 40 | 3;
    assert_true(kz_unrank_set(kz_rank_set(far), 4) == far);
}

TEST(test_gather) {
    enum { SQUARES = 9 };
    for (uint64_t taken = 0; taken < 1 << SQUARES; taken++) {
        for (uint64_t squares = 0; squares < 1 << SQUARES; squares++) {
            if (squares & taken) {
                continue;
            }
            uint64_t plain = 0;
            int rank = 0;
            for (int square = 0; square < SQUARES; square++) {
                if (!(taken >> square & 1)) {
                    plain |= (squares >> square & 1) << rank++;
                }
            }
            assert_true(kz_gather(squares, taken) == plain);
            assert_true(kz_spread(plain, taken) == squares);
        }
    }
    uint64_t last = UINT64_C(1) << 63;
    assert_true(kz_spread(kz_gather(last, 1), 1) == last);
    assert_true(kz_spread(kz_gather(last | 5, 0), 0) == (last | 5));
}

TEST(test_parts) {
    uint64_t expected = 0;
    for (uint64_t a = 0; a < 3; a++) {
        for (uint64_t b = 0; b < 5; b++) {
            for (uint64_t c = 0; c < 2; c++, expected++) {
                uint64_t number = kz_join(kz_join(a, b, 5), c, 2);
                assert_true(number == expected);
                assert_true(kz_split(&number, 2) == c);
                assert_true(kz_split(&number, 5) == b);
                assert_true(number == a);
            }
        }
    }
}

TEST(test_hands) {
    for (int total = 0; total <= 8; total++) {
        bool seen[64] = {false};
        uint64_t ways = 0;
        for (int first = 0; first <= total; first++) {
            for (int second = 0; first + second <= total; second++, ways++) {
                uint64_t number = kz_rank_hands(first, second);
                int one;
                int other;
                assert_true(number < kz_hands(total));
                assert_false(seen[number]);
                seen[number] = true;
                kz_unrank_hands(number, &one, &other);
                assert_int_equal(one, first);
                assert_int_equal(other, second);
            }
        }
        assert_true(ways == kz_hands(total));
    }
}

/* Images keep neighbours: two squares that share a side share one afterwards. All are different, and one takes each
 * back. */
TEST(test_images) {
    static const int boards[][2] = {{3, 3}, {4, 4}, {3, 4}, {5, 2}, {1, 6}};
    for (size_t i = 0; i < sizeof boards / sizeof boards[0]; i++) {
        int width = boards[i][0];
        int height = boards[i][1];
        int images = kz_images(width, height);
        assert_int_equal(images, width == height ? 8 : 4);
        for (int image = 0; image < images; image++) {
            uint64_t seen = 0;
            for (int a = 0; a < width * height; a++) {
                int there = kz_image_of(a, width, height, image);
                assert_in_range(there, 0, width * height - 1);
                seen |= (uint64_t)1 << there;
                assert_int_equal(kz_image_of(there, width, height, kz_image_back(image)), a);
                assert_true(kz_image_of_set((uint64_t)1 << a, width, height, image) == (uint64_t)1 << there);
                for (int b = 0; b < width * height; b++) {
                    int other = kz_image_of(b, width, height, image);
                    int before = abs(a / width - b / width) + abs(a % width - b % width);
                    int after = abs(there / width - other / width) + abs(there % width - other % width);
                    assert_int_equal(before, after);
                }
            }
            assert_true(seen == ((uint64_t)1 << width * height) - 1);
        }
    }
    /* On a square board no two are the same. */
    for (int a = 0; a < 8; a++) {
        for (int b = 0; b < a; b++) {
            assert_true(kz_image_of_set(6, 3, 3, a) != kz_image_of_set(6, 3, 3, b) ||
                        kz_image_of_set(2, 3, 3, a) != kz_image_of_set(2, 3, 3, b));
        }
    }
}

TEST(test_refuse) {
    kz_error error = {KZ_OK, ""};
    assert_int_equal(kz_reject(&error, "character %d is '%c'", 3, 'x'), KZ_ERR_INPUT);
    assert_int_equal(error.status, KZ_ERR_INPUT);
    assert_string_equal(error.message, "character 3 is 'x'");
    assert_int_equal(kz_reject(NULL, "nobody listens"), KZ_ERR_INPUT);
}

TESTS(NULL, NULL)
