/* SPDX-License-Identifier: MIT
 *
 * The dense index: its published sizes, and the fast ranks against the plain ones. */
#include "tests/support/testing.h"

#include "games/dobutsu/index/space.h"
#include "games/dobutsu/rules/rules.h"
#include "games/dobutsu/table/plan.h"
#include "tests/support/dobutsu_samples.h"

#include <stdlib.h>
#include <string.h>

/* Tanaka 2009, table 1: all arrangements. Lions apart and none on its far row: with mirror images apart, and folded as
 * independent enumerations agree. */
static const uint64_t all_unfolded = 1567925964;
static const uint64_t solved_unfolded = 463250853;
static const uint64_t solved_folded = 231641991;

enum { OWN_LION = 1 + KZ_DOBUTSU_LION, ENEMY_LION = OWN_LION + KZ_DOBUTSU_ENEMY };

static int space_setup(void **state) {
    *state = kz_dobutsu_space_new();
    return *state ? 0 : -1;
}

static int space_teardown(void **state) {
    kz_dobutsu_space_free(*state);
    return 0;
}

/* ---- Sizes ------------------------------------------------------------------------------------------------------ */

typedef struct zone_sizes {
    uint64_t solved;
    uint64_t decided;
    uint64_t finished;
} zone_sizes;

/* Adds what two lions leave room for to their zone; the zones as index.h defines them. */
static void add_lions(int own, int enemy, uint64_t positions, zone_sizes *sizes) {
    bool adjacent = abs(own / 3 - enemy / 3) <= 1 && abs(own % 3 - enemy % 3) <= 1;
    if (own >= 9) {
        sizes->finished += positions;
    } else if (adjacent || enemy < 3) {
        sizes->decided += positions;
    } else {
        sizes->solved += positions;
    }
}

static bool is_symmetric(unsigned state, int bits) {
    kz_dobutsu_pair pair;
    kz_dobutsu_pair_unrank(state, bits, 0, &pair);
    kz_dobutsu_pair image = kz_dobutsu_pair_mirror(&pair);
    return kz_dobutsu_pair_rank(&image, bits, 0) == state;
}

static unsigned mask_of(unsigned state, int bits) {
    kz_dobutsu_pair pair;
    kz_dobutsu_pair_unrank(state, bits, 0, &pair);
    return kz_dobutsu_pair_mask(&pair);
}

/* The positions that are their own mirror images, around two lions in the middle column. */
static uint64_t count_symmetric(unsigned taken) {
    uint64_t count = 0;
    for (unsigned e = 0; e < KZ_DOBUTSU_PLAIN_STATES; e++) {
        unsigned elephants = mask_of(e, KZ_DOBUTSU_PLAIN_BITS);
        if (!is_symmetric(e, KZ_DOBUTSU_PLAIN_BITS) || (elephants & taken)) {
            continue;
        }
        for (unsigned g = 0; g < KZ_DOBUTSU_PLAIN_STATES; g++) {
            unsigned giraffes = mask_of(g, KZ_DOBUTSU_PLAIN_BITS);
            if (!is_symmetric(g, KZ_DOBUTSU_PLAIN_BITS) || (giraffes & (taken | elephants))) {
                continue;
            }
            for (unsigned c = 0; c < KZ_DOBUTSU_CHICK_STATES; c++) {
                unsigned chicks = mask_of(c, KZ_DOBUTSU_CHICK_BITS);
                count += !(chicks & (taken | elephants | giraffes)) && is_symmetric(c, KZ_DOBUTSU_CHICK_BITS);
            }
        }
    }
    return count;
}

TEST(test_sizes) {
    const kz_dobutsu_space *space = *state;
    const uint64_t lion_choices = (uint64_t)KZ_DOBUTSU_SQUARES * (KZ_DOBUTSU_SQUARES - 1);
    uint64_t around_lions = all_unfolded / lion_choices;
    assert_int_equal(around_lions * lion_choices, all_unfolded);
    zone_sizes unfolded = {0};
    zone_sizes symmetric = {0};
    for (int own = 0; own < KZ_DOBUTSU_SQUARES; own++) {
        for (int enemy = 0; enemy < KZ_DOBUTSU_SQUARES; enemy++) {
            if (own != enemy) {
                add_lions(own, enemy, around_lions, &unfolded);
            }
            if (own != enemy && own % 3 == 1 && enemy % 3 == 1) {
                add_lions(own, enemy, count_symmetric(1U << own | 1U << enemy), &symmetric);
            }
        }
    }
    /* Of every other position there are two images. */
    uint64_t solved = (unfolded.solved + symmetric.solved) / 2;
    uint64_t decided = (unfolded.decided + symmetric.decided) / 2;
    uint64_t finished = (unfolded.finished + symmetric.finished) / 2;
    assert_int_equal(unfolded.solved, solved_unfolded);
    assert_int_equal(solved, solved_folded);
    assert_int_equal(KZ_DOBUTSU_INDEX_SIZE, solved);
    assert_int_equal(KZ_DOBUTSU_DECIDED_END, solved + decided);
    assert_int_equal(KZ_DOBUTSU_FINISHED_END, solved + decided + finished);
    assert_int_equal(kz_index_size(kz_game_find("dobutsu"), 0), solved);

    uint64_t end = 0;
    for (uint32_t b = 0; b < space->run_count; b++) {
        if (b == space->solved_runs) {
            assert_int_equal(end, solved);
        } else if (b == space->decided_runs) {
            assert_int_equal(end, solved + decided);
        }
        assert_int_equal(space->runs[b].base, end);
        end += space->runs[b].size;
    }
    assert_int_equal(end, solved + decided + finished);
}

/* ---- Ranks ------------------------------------------------------------------------------------------------------ */

static kz_dobutsu mirrored(const kz_dobutsu *position) {
    kz_dobutsu image = *position;
    for (int square = 0; square < KZ_DOBUTSU_SQUARES; square++) {
        image.board[square] = position->board[square - square % 3 + (2 - square % 3)];
    }
    return image;
}

static bool same_view(const kz_dobutsu *a, const kz_dobutsu *b) {
    return memcmp(a->board, b->board, sizeof a->board) == 0 && memcmp(a->hand, b->hand, sizeof a->hand) == 0;
}

static int lion_square(const kz_dobutsu *position, uint8_t lion) {
    for (int square = 0; square < KZ_DOBUTSU_SQUARES; square++) {
        if (position->board[square] == lion) {
            return square;
        }
    }
    return -1;
}

/* Everything that is to be true of one position. Returns its index. */
static uint64_t check_position(const kz_dobutsu_space *space, const kz_dobutsu *position) {
    uint64_t plain;
    uint64_t fast;
    uint64_t other;
    assert_true(kz_dobutsu_rank_all(position, &plain));
    assert_true(kz_dobutsu_space_rank_all(space, position, &fast));
    assert_int_equal(fast, plain);

    zone_sizes zone = {0};
    add_lions(lion_square(position, OWN_LION), lion_square(position, ENEMY_LION), 1, &zone);
    assert_true(zone.solved ? fast < KZ_DOBUTSU_INDEX_SIZE : fast >= KZ_DOBUTSU_INDEX_SIZE);
    assert_true(zone.finished ? fast >= KZ_DOBUTSU_DECIDED_END : fast < KZ_DOBUTSU_DECIDED_END);
    assert_true(fast < KZ_DOBUTSU_FINISHED_END);
    assert_int_equal(kz_dobutsu_rank(position, &other), zone.solved == 1);

    kz_dobutsu image = mirrored(position);
    assert_true(kz_dobutsu_space_rank_all(space, &image, &other));
    assert_int_equal(other, fast);
    image.turn = !image.turn;
    assert_true(kz_dobutsu_space_rank_all(space, &image, &other));
    assert_int_equal(other, fast);

    kz_dobutsu back;
    kz_dobutsu_space_unrank(space, fast, &back);
    assert_int_equal(kz_dobutsu_validate(&back, NULL), KZ_OK);
    assert_true(same_view(&back, position) || same_view(&back, &image));
    const kz_dobutsu_run *block = kz_dobutsu_run_of(space, fast);
    assert_true(block->base <= fast && fast < block->base + block->size);
    return fast;
}

static void check_plain_unrank(const kz_dobutsu_space *space, uint64_t index) {
    kz_dobutsu plain;
    kz_dobutsu fast;
    kz_dobutsu_unrank(index, &plain);
    kz_dobutsu_space_unrank(space, index, &fast);
    assert_memory_equal(&plain, &fast, sizeof plain);
}

TEST(test_random_positions) {
    enum { SAMPLES = 20000, SLOW = 16 };
    const kz_dobutsu_space *space = *state;
    uint64_t seed = 12071207;
    int lion_gone = 0;
    for (int n = 0; n < SAMPLES; n++) {
        uint64_t index;
        kz_dobutsu position = sample_position(&seed);
        int own = lion_square(&position, OWN_LION);
        if (own < 0) {
            assert_false(kz_dobutsu_rank_all(&position, &index));
            assert_false(kz_dobutsu_space_rank_all(space, &position, &index));
            lion_gone++;
        } else if (!kz_dobutsu_lions_central(own, lion_square(&position, ENEMY_LION))) {
            index = check_position(space, &position);
            if (n % SLOW == 0) {
                check_plain_unrank(space, index);
            }
        }
    }
    assert_true(lion_gone > SAMPLES / 32);
}

/* A state that fits around what stands on the board already. */
static kz_dobutsu_pair sample_pair(uint64_t *seed, int bits, bool symmetric, unsigned *taken) {
    unsigned states = bits == KZ_DOBUTSU_CHICK_BITS ? KZ_DOBUTSU_CHICK_STATES : KZ_DOBUTSU_PLAIN_STATES;
    for (;;) {
        kz_dobutsu_pair pair;
        unsigned rank = (unsigned)sample_below(seed, (int)states);
        kz_dobutsu_pair_unrank(rank, bits, 0, &pair);
        if (!(kz_dobutsu_pair_mask(&pair) & *taken) && (!symmetric || is_symmetric(rank, bits))) {
            *taken |= kz_dobutsu_pair_mask(&pair);
            return pair;
        }
    }
}

/* Lions in the middle column; then 0 to 3 pairs that are their own mirror images, so that the next one decides which
 * image is kept. */
TEST(test_central_lions) {
    enum { SAMPLES = 24 };
    const kz_dobutsu_space *space = *state;
    uint64_t seed = 990712;
    for (int own = 1; own < KZ_DOBUTSU_SQUARES; own += 3) {
        for (int enemy = 1; enemy < KZ_DOBUTSU_SQUARES; enemy += 3) {
            for (int n = 0; n < SAMPLES && own != enemy; n++) {
                int symmetric = n % 4;
                unsigned taken = 1U << own | 1U << enemy;
                kz_dobutsu_arrangement arrangement = {.own_lion = own, .enemy_lion = enemy};
                arrangement.elephants = sample_pair(&seed, KZ_DOBUTSU_PLAIN_BITS, symmetric > 0, &taken);
                arrangement.giraffes = sample_pair(&seed, KZ_DOBUTSU_PLAIN_BITS, symmetric > 1, &taken);
                arrangement.chicks = sample_pair(&seed, KZ_DOBUTSU_CHICK_BITS, symmetric > 2, &taken);
                kz_dobutsu position;
                kz_dobutsu_arrangement_to(&arrangement, &position);
                check_position(space, &position);
            }
        }
    }
}

/* From the first to the last index of each zone, and the runs' ends. */
TEST(test_edges) {
    const kz_dobutsu_space *space = *state;
    const uint64_t edges[] = {0,
                              1,
                              KZ_DOBUTSU_INDEX_SIZE - 1,
                              KZ_DOBUTSU_INDEX_SIZE,
                              KZ_DOBUTSU_DECIDED_END - 1,
                              KZ_DOBUTSU_DECIDED_END,
                              KZ_DOBUTSU_FINISHED_END - 1};
    for (size_t i = 0; i < sizeof edges / sizeof edges[0]; i++) {
        kz_dobutsu position;
        kz_dobutsu_space_unrank(space, edges[i], &position);
        assert_int_equal(check_position(space, &position), edges[i]);
        check_plain_unrank(space, edges[i]);
    }
    uint64_t seed = 777;
    for (int n = 0; n < 20000; n++) {
        const kz_dobutsu_run *block = &space->runs[sample_below(&seed, (int)space->run_count)];
        assert_ptr_equal(kz_dobutsu_run_of(space, block->base), block);
        assert_ptr_equal(kz_dobutsu_run_of(space, block->base + block->size - 1), block);
    }
}

/* ---- A small space: what readers of tables have ------------------------------------------------------------------ */

/* How far back the run is that has a giraffe one square lower, from the list. */
static unsigned listed_giraffe_back(const kz_dobutsu_space *space, const kz_dobutsu_run *run) {
    const kz_dobutsu_run *before = run - 4;
    bool alike = run - space->runs >= 4 && before->elephants == run->elephants &&
                 before->lion_class == run->lion_class && before->size == run->size &&
                 before->base + 4 * run->size == run->base && !run->folded && !before->folded;
    return alike ? run->base - before->base : 0;
}

static void check_walk(const kz_dobutsu_space *whole, const kz_dobutsu_space *small, const kz_dobutsu_run *run,
                       uint64_t index, kz_dobutsu_run_walk *walk) {
    enum { RUNS_IN_A_ROW = 700 }; /* some slices */
    kz_dobutsu_run_walk_begin(small, index, walk);
    for (int n = 0; n < RUNS_IN_A_ROW && run < whole->runs + whole->run_count; n++, run++) {
        if (n > 0) {
            kz_dobutsu_run_walk_next(small, walk);
        }
        assert_memory_equal(&walk->run, run, sizeof *run);
        assert_int_equal(kz_dobutsu_giraffe_back(small, walk), listed_giraffe_back(whole, run));
    }
}

TEST(test_small_space) {
    const kz_dobutsu_space *whole = *state;
    kz_dobutsu_space *small = kz_dobutsu_space_new_small();
    kz_dobutsu_run_walk walk;
    assert_non_null(small);
    assert_null(small->runs);
    uint64_t seed = 4711;
    for (int n = 0; n < 500; n++) {
        const kz_dobutsu_run *run = &whole->runs[sample_below(&seed, (int)whole->run_count)];
        check_walk(whole, small, run, run->base + (uint64_t)sample_below(&seed, run->size), &walk);
    }
    check_walk(whole, small, whole->runs, 0, &walk);
    const kz_dobutsu_run *last = &whole->runs[whole->run_count - 1];
    check_walk(whole, small, last, KZ_DOBUTSU_FINISHED_END - 1, &walk);
    kz_dobutsu_space_free(small);
}

/* A plan skips what the rules of rules.c win at once, and nothing else. */
TEST(test_plan) {
    enum { BLOCKS = KZ_DOBUTSU_INDEX_SIZE / KZ_BLOCK_POSITIONS, SAMPLES = 12 };
    const kz_dobutsu_space *whole = *state;
    kz_dobutsu_space *small = kz_dobutsu_space_new_small();
    kz_dobutsu_planner *planner = malloc(sizeof *planner);
    kz_plan *plan = malloc(sizeof *plan);
    assert_true(small && planner && plan);
    uint64_t seed = 99;
    for (int n = 0; n < SAMPLES; n++) {
        int rules = n % 2 ? KZ_DOBUTSU_OFFICIAL : KZ_DOBUTSU_SIMPLIFIED;
        /* Beginnings in the middle of a run, and blocks with both lions in the middle column. */
        uint64_t first = (uint64_t)sample_below(&seed, BLOCKS) * KZ_BLOCK_POSITIONS;
        unsigned count = n % 3 ? KZ_BLOCK_POSITIONS : 1 + (unsigned)sample_below(&seed, KZ_BLOCK_POSITIONS);
        for (uint32_t slice = 0; n >= SAMPLES / 2 && slice < whole->solved_slices; slice++) {
            const kz_dobutsu_run *run = &whole->runs[whole->slices[slice]];
            first = run->folded && sample_below(&seed, 20) == 0 ? run->base : first;
        }
        kz_dobutsu_planner_fill(planner, small, rules);
        kz_dobutsu_plan(planner, first, count, plan);
        for (unsigned i = 0; i < count; i++) {
            kz_dobutsu position;
            kz_dobutsu_space_unrank(whole, first + i, &position);
            kz_value value = kz_dobutsu_immediate(rules, &position);
            bool won = value.outcome == KZ_WIN && value.distance == 1;
            assert_int_equal(plan->feature[i] == KZ_PLAN_SKIP, won);
        }
    }
    free(plan);
    free(planner);
    kz_dobutsu_space_free(small);
}

/* The start position, its mirror image, and the same with gote to move, which is the same to gote: one index. */
TEST(test_public_calls) {
    const kz_game *game = kz_game_find("dobutsu");
    static const char *const texts[] = {"gle/1c1/1C1/ELG b - 1", "elg/1c1/1C1/GLE b - 1", "gle/1c1/1C1/ELG w - 1"};
    uint64_t first = 0;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        kz_position position;
        kz_position back;
        uint64_t index;
        assert_int_equal(kz_parse(game, 0, texts[i], strlen(texts[i]), &position, NULL), KZ_OK);
        assert_true(kz_rank(game, &position, &index));
        kz_unrank(game, 0, index, &back);
        uint64_t again;
        assert_true(kz_rank(game, &back, &again));
        assert_int_equal(again, index);
        first = i == 0 ? index : first;
        assert_int_equal(index, first);
    }
    /* Adjacent lions, and a lion that is gone. */
    static const char *const without[] = {"3/1l1/1L1/3 b 2G2E2C 1", "3/1l1/3/3 b 2G2E2Cl 1", "1L1/3/3/1l1 w 2G2E2C 1"};
    for (size_t i = 0; i < sizeof without / sizeof without[0]; i++) {
        kz_position position;
        uint64_t index;
        kz_error error = {0};
        if (kz_parse(game, 0, without[i], strlen(without[i]), &position, &error) != KZ_OK) {
            fail_msg("%s: %s", without[i], error.message);
        }
        assert_false(kz_rank(game, &position, &index));
    }
}

TESTS(space_setup, space_teardown)
