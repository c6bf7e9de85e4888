/* SPDX-License-Identifier: MIT
 *
 * Playing moves for whole runs gives what playing them position by position gives. */
#include "tests/support/testing.h"

#include "games/dobutsu/rules/rules.h"
#include "games/dobutsu/solve/reach.h"
#include "tests/support/dobutsu_samples.h"

#include <stdlib.h>

enum { BLOCKS = 80, ROOM = BLOCKS * 900 * 48, TANAKA = KZ_DOBUTSU_CAN_CAPTURE | KZ_DOBUTSU_TRIED };

typedef struct list {
    size_t count;
    uint32_t *indices;
} list;

static void append(list *l, uint64_t index) {
    assert_true(l->count < ROOM);
    l->indices[l->count++] = (uint32_t)index;
}

static int compare(const void *a, const void *b) {
    uint32_t one = *(const uint32_t *)a;
    uint32_t other = *(const uint32_t *)b;
    return (one > other) - (one < other);
}

static void sort_and_fold(list *l) {
    size_t kept = 0;
    qsort(l->indices, l->count, sizeof *l->indices, compare);
    for (size_t i = 0; i < l->count; i++) {
        if (i == 0 || l->indices[i] != l->indices[i - 1]) {
            l->indices[kept++] = l->indices[i];
        }
    }
    l->count = kept;
}

/* Whether a position is the end of a game, in terms of the rules. */
static bool is_end(unsigned stop, const kz_dobutsu *position) {
    if (stop == 0) {
        return false;
    }
    int rules = stop & KZ_DOBUTSU_CAN_TRY ? KZ_DOBUTSU_OFFICIAL : KZ_DOBUTSU_SIMPLIFIED;
    return kz_dobutsu_immediate(rules, position).outcome != KZ_UNKNOWN;
}

static int append_successors(const kz_dobutsu_space *space, unsigned stop, uint64_t index, list *l) {
    kz_dobutsu position;
    kz_move moves[KZ_DOBUTSU_MAX_MOVES];
    kz_dobutsu_space_unrank(space, index, &position);
    int count = is_end(stop, &position) ? 0 : kz_dobutsu_moves(KZ_DOBUTSU_SIMPLIFIED, &position, moves);
    for (int i = 0; i < count; i++) {
        kz_dobutsu child = position;
        uint64_t child_index;
        kz_dobutsu_play(&child, moves[i]);
        if (kz_dobutsu_space_rank_all(space, &child, &child_index) && child_index < KZ_DOBUTSU_DECIDED_END) {
            append(l, child_index);
        }
    }
    return count;
}

static uint64_t size_of(const kz_dobutsu_reach *reach) {
    kz_dobutsu_reach_tally tally = {0};
    uint64_t size = 0;
    kz_dobutsu_reach_count(reach, NULL, 0, reach->space->decided_runs, &tally);
    for (int features = 0; features < KZ_DOBUTSU_FEATURE_SETS; features++) {
        size += tally.folded[features];
    }
    return size;
}

/* Takes about half of the positions of some runs, anywhere, and plays their moves. */
TEST(test_blocks_against_rules) {
    static const unsigned stops[] = {0, TANAKA, TANAKA | KZ_DOBUTSU_CAN_TRY};
    uint64_t seed = 20090627;
    kz_dobutsu_reach *reach = kz_dobutsu_reach_new();
    list expected = {.indices = malloc(ROOM * sizeof *expected.indices)};
    assert_non_null(reach);
    assert_non_null(expected.indices);
    for (size_t i = 0; i < sizeof stops / sizeof stops[0]; i++) {
        unsigned played = 0;
        expected.count = 0;
        kz_dobutsu_reach_clear(reach);
        for (int n = 0; n < BLOCKS; n++) {
            /* Every other one from the solved zone, where more positions are not the end of a game. */
            int limit = n % 2 ? KZ_DOBUTSU_INDEX_SIZE : KZ_DOBUTSU_DECIDED_END;
            const kz_dobutsu_run *block = kz_dobutsu_run_of(reach->space, (uint64_t)sample_below(&seed, limit));
            bool seen_before = false;
            for (uint32_t index = block->base; index < block->base + block->size; index++) {
                seen_before = seen_before || kz_dobutsu_reach_has(reach, index);
            }
            if (seen_before) {
                continue; /* it may hold successors already, which would be played as well */
            }
            for (uint32_t index = block->base; index < block->base + block->size; index++) {
                if (sample_below(&seed, 2)) {
                    kz_dobutsu_reach_add(reach, index);
                    append(&expected, index);
                    played += append_successors(reach->space, stops[i], index, &expected) > 0;
                }
            }
            uint64_t number = (uint64_t)(block - reach->space->runs);
            kz_dobutsu_reach_expand(reach, stops[i], number, number + 1);
        }
        assert_true(played > 2000);
        sort_and_fold(&expected);
        for (size_t k = 0; k < expected.count; k++) {
            assert_true(kz_dobutsu_reach_has(reach, expected.indices[k]));
        }
        assert_int_equal(size_of(reach), expected.count);
    }
    free(expected.indices);
    kz_dobutsu_reach_free(reach);
}

/* The features of positions from all zones but the finished one, against the rules. */
TEST(test_features) {
    uint64_t seed = 1234567;
    kz_dobutsu_reach *reach = kz_dobutsu_reach_new();
    assert_non_null(reach);
    kz_dobutsu_reach_tally expected = {0};
    for (int n = 0; n < 20000; n++) {
        uint64_t index = (uint64_t)sample_below(&seed, KZ_DOBUTSU_DECIDED_END);
        if (kz_dobutsu_reach_has(reach, index)) {
            continue;
        }
        kz_dobutsu position;
        kz_move moves[KZ_DOBUTSU_MAX_MOVES];
        kz_dobutsu_space_unrank(reach->space, index, &position);
        unsigned features = 0;
        int count = kz_dobutsu_moves(KZ_DOBUTSU_SIMPLIFIED, &position, moves);
        for (int square = 0; square < 3; square++) {
            features |= position.board[square] == (1 + KZ_DOBUTSU_LION + KZ_DOBUTSU_ENEMY) ? KZ_DOBUTSU_TRIED : 0U;
        }
        for (int i = 0; i < count; i++) {
            kz_dobutsu child = position;
            int from = kz_dobutsu_move_from(moves[i]);
            kz_dobutsu_play(&child, moves[i]);
            bool lion = from < KZ_DOBUTSU_SQUARES && position.board[from] == 1 + KZ_DOBUTSU_LION;
            kz_value value = kz_dobutsu_immediate(KZ_DOBUTSU_SIMPLIFIED, &child);
            if (child.hand[1][KZ_DOBUTSU_LION]) {
                features |= KZ_DOBUTSU_CAN_CAPTURE;
            } else if (lion && kz_dobutsu_move_to(moves[i]) >= 9 && value.outcome == KZ_LOSS) {
                features |= KZ_DOBUTSU_CAN_TRY;
            }
        }
        /* After a Try of both the rules see only the first, so that the second can't be judged in this way. */
        if (!(features & KZ_DOBUTSU_TRIED)) {
            kz_dobutsu_reach_add(reach, index);
            expected.folded[features]++;
        }
    }
    kz_dobutsu_reach_tally tally = {0};
    kz_dobutsu_reach_count(reach, NULL, 0, reach->space->decided_runs, &tally);
    for (int features = 0; features < KZ_DOBUTSU_FEATURE_SETS; features++) {
        assert_int_equal(tally.folded[features], expected.folded[features]);
    }
    kz_dobutsu_reach_free(reach);
}

TESTS(NULL, NULL)
