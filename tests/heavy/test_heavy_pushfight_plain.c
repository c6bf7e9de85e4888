/* SPDX-License-Identifier: MIT
 *
 * The plain solution of the mini board against counts that two programs by others agree on, and the table of the fast
 * solver against it. */
#include "tests/support/forge.h"
#include "tests/support/pushfight_testing.h"

#include <stdio.h>

enum { MINI = 1, VALUES = 256, OPENINGS = 44100 };

/* How many positions have each value: all permutations, those whose anchor fits, those up to the half turn. */
typedef struct counts {
    uint64_t of[VALUES][3];
    uint64_t openings[VALUES];
} counts;

typedef struct solution {
    kz_pool *pool;
    kz_pf_plain *plain;
    uint8_t *values;
    counts expected;
} solution;

static void read_counts(counts *expected) {
    char line[256];
    FILE *file = open_source("tests/data/pushfight/mini-board-counts.txt");
    int lines = 0;
    while (fgets(line, sizeof line, file)) {
        unsigned value;
        unsigned long long all;
        unsigned long long fit;
        unsigned long long folded;
        if (sscanf(line, "%u %llu %llu %llu", &value, &all, &fit, &folded) == 4 && value < VALUES) {
            expected->of[value][0] = all;
            expected->of[value][1] = fit;
            expected->of[value][2] = folded;
            lines++;
        } else if (sscanf(line, " opening byte %u: %llu", &value, &all) == 2 && value < VALUES) {
            expected->openings[value] = all;
            lines++;
        }
    }
    fclose(file);
    assert_int_equal(lines, 21 + 11);
}

static int setup(void **state) {
    static solution s;
    kz_error error;
    *state = &s;
    read_counts(&s.expected);
    s.pool = kz_pool_new(0, &error);
    if (!s.pool || kz_pf_plain_open(kz_pf_board_at(MINI), &s.plain, &error) != KZ_OK) {
        return -1;
    }
    s.values = malloc(s.plain->permutations);
    kz_status status = s.values ? kz_pf_plain_solve(s.plain, true, s.pool, s.values, &error) : KZ_ERR_MEMORY;
    return status == KZ_OK ? 0 : -1;
}

static int teardown(void **state) {
    solution *s = *state;
    free(s->values);
    kz_pf_plain_close(s->plain);
    kz_pool_free(s->pool);
    return 0;
}

static void assert_counts(const counts *found, const counts *expected, int column) {
    for (int value = 0; value < VALUES; value++) {
        if (found->of[value][column] != expected->of[value][column]) {
            fail_msg("value %d: %llu positions in column %d, not %llu", value,
                     (unsigned long long)found->of[value][column], column + 1,
                     (unsigned long long)expected->of[value][column]);
        }
    }
}

TEST(test_counts) {
    const solution *s = *state;
    counts found = {.openings = {0}};
    assert_int_equal(s->plain->permutations, 15135120);
    for (uint64_t index = 0; index < s->plain->permutations; index++) {
        uint8_t codes[KZ_PF_MOST_SQUARES];
        uint8_t turned[KZ_PF_MOST_SQUARES];
        kz_pf_plain_unrank(s->plain, index, codes);
        kz_pf_plain_turn_board(s->plain, codes, turned);
        bool fits = kz_pf_plain_anchor_fits(s->plain, codes);
        found.of[s->values[index]][0]++;
        found.of[s->values[index]][1] += fits;
        found.of[s->values[index]][2] += fits && index <= kz_pf_plain_rank(s->plain, turned);
    }
    for (int column = 0; column < 3; column++) {
        assert_counts(&found, &s->expected, column);
    }
}

/* The next permutation in lexicographic order, or false after the last. */
static bool next_permutation(int *codes, int count) {
    for (int i = count - 2; i >= 0; i--) {
        if (codes[i] < codes[i + 1]) {
            int j = count - 1;
            while (codes[j] <= codes[i]) {
                j--;
            }
            int swap = codes[i];
            codes[i] = codes[j];
            codes[j] = swap;
            for (int left = i + 1, right = count - 1; left < right; left++, right--) {
                swap = codes[left];
                codes[left] = codes[right];
                codes[right] = swap;
            }
            return true;
        }
    }
    return false;
}

/* Before the first turn nobody has the anchor. */
TEST(test_openings) {
    enum { HALF = 7 };
    static const int left[HALF] = {0, 1, 4, 5, 6, 10, 11};
    static const int right[HALF] = {2, 3, 7, 8, 9, 12, 13};
    const solution *s = *state;
    uint64_t found[VALUES] = {0};
    int openings = 0;
    int own[HALF] = {KZ_PF_PLAIN_EMPTY,     KZ_PF_PLAIN_EMPTY,      KZ_PF_PLAIN_EMPTY,     KZ_PF_PLAIN_OWN_MOVER,
                     KZ_PF_PLAIN_OWN_MOVER, KZ_PF_PLAIN_OWN_PUSHER, KZ_PF_PLAIN_OWN_PUSHER};
    do {
        int enemy[HALF] = {KZ_PF_PLAIN_EMPTY,       KZ_PF_PLAIN_EMPTY,       KZ_PF_PLAIN_EMPTY,
                           KZ_PF_PLAIN_ENEMY_MOVER, KZ_PF_PLAIN_ENEMY_MOVER, KZ_PF_PLAIN_ENEMY_PUSHER,
                           KZ_PF_PLAIN_ENEMY_PUSHER};
        do {
            uint8_t codes[2 * HALF];
            for (int i = 0; i < HALF; i++) {
                codes[left[i]] = (uint8_t)own[i];
                codes[right[i]] = (uint8_t)enemy[i];
            }
            found[kz_pf_plain_value(s->plain, s->values, codes)]++;
            openings++;
        } while (next_permutation(enemy, HALF));
    } while (next_permutation(own, HALF));
    assert_int_equal(openings, OPENINGS);
    assert_memory_equal(found, s->expected.openings, sizeof found);
}

TEST(test_table) {
    const solution *s = *state;
    assert_table_agrees("mini", s->plain, s->values, s->pool, 5715360, OPENINGS);
}

TESTS(setup, teardown)
