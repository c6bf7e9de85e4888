/* SPDX-License-Identifier: MIT
 *
 * The first distances of Dobutsu Shogi by the simplified rules, found by teams whose members are threads, each going on
 * from the checkpoint of the one before: stopped as asked, by the clock and on request. What they leave is what one
 * solver alone leaves, and for positions taken at random what looking ahead finds. */
#include "tests/support/testing.h"

#include "games/dobutsu/index/space.h"
#include "games/dobutsu/rules/rules.h"
#include "games/dobutsu/solve/solve.h"
#include "solve/checkpoint.h"
#include "tests/support/dobutsu_samples.h"
#include "tests/support/thread_team.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LAST = 4, SAMPLES = 3000, RULES = KZ_DOBUTSU_SIMPLIFIED };

typedef struct run {
    const char *path;
    int last_distance;
    double checkpoint_seconds;
    bool stops; /* asks to, when the first distance is done */
    kz_status status[THREAD_TEAM_MOST];
} run;

static bool hear(void *user, const char *stage, uint64_t done, uint64_t total) {
    const run *r = user;
    (void)done;
    (void)total;
    return !r->stops || strcmp(stage, "going back") != 0;
}

static void take_part(kz_team *team, void *context) {
    run *r = context;
    kz_summary summary = {0};
    kz_error error;
    const kz_progress progress = {.report = hear, .user = r};
    const kz_solve_options options = {.progress = &progress,
                                      .team = team,
                                      .last_phase = r->last_distance,
                                      .checkpoint_seconds = r->checkpoint_seconds};
    kz_pool *pool = kz_pool_new(1, NULL);
    const kz_solve_job job = {.game = kz_game_find("dobutsu"),
                              .rules = RULES,
                              .path = r->path,
                              .options = &options,
                              .pool = pool,
                              .summary = &summary};
    r->status[kz_team_rank(team)] = kz_dobutsu_solve(&job, &error);
    kz_pool_free(pool);
}

static void go(int members, run r, kz_status status) {
    if (members == 1) {
        take_part(NULL, &r);
    } else {
        run_as_threads(members, take_part, &r);
    }
    for (int member = 0; member < members; member++) {
        assert_int_equal(r.status[member], status);
    }
}

/* What a checkpoint has. */
static kz_dobutsu_retro *load(const char *folder, kz_checkpoint *checkpoint) {
    kz_dobutsu_retro *retro = kz_dobutsu_retro_new(RULES, 1);
    kz_pool *pool = kz_pool_new(2, NULL);
    assert_true(retro && pool);
    const kz_checkpoint_state state = {
        "dobutsu", "simplified",          KZ_DOBUTSU_INDEX_SIZE, KZ_DOBUTSU_SEGMENT, KZ_DOBUTSU_STATE_BYTES,
        retro,     kz_dobutsu_retro_save, kz_dobutsu_retro_load};
    bool found = false;
    assert_int_equal(kz_checkpoint_read(checkpoint, &state, folder, pool, NULL, &found, NULL), KZ_OK);
    assert_true(found);
    kz_pool_free(pool);
    return retro;
}

/* The value, if it is decided in so many plies; KZ_UNKNOWN otherwise. */
static kz_value look_ahead(const kz_dobutsu *position, int plies) {
    kz_move moves[KZ_DOBUTSU_MAX_MOVES];
    kz_value value = kz_dobutsu_immediate(RULES, position);
    if (value.outcome != KZ_UNKNOWN || plies == 0) {
        return value.distance <= plies ? value : (kz_value){KZ_UNKNOWN, 0};
    }
    int count = kz_dobutsu_moves(RULES, position, moves);
    kz_value best = {KZ_LOSS, 0};
    for (int i = 0; i < count; i++) {
        kz_dobutsu next = *position;
        kz_dobutsu_play(&next, moves[i]);
        kz_value after = look_ahead(&next, plies - 1);
        if (after.outcome == KZ_LOSS && (best.outcome != KZ_WIN || after.distance + 1 < best.distance)) {
            best = (kz_value){KZ_WIN, after.distance + 1};
        } else if (best.outcome != KZ_WIN && after.outcome != KZ_WIN) {
            best = (kz_value){KZ_UNKNOWN, 0};
        } else if (best.outcome == KZ_LOSS && after.distance + 1 > best.distance) {
            best.distance = after.distance + 1;
        }
    }
    return best;
}

TEST(test_teams) {
    go(1, (run){.path = "alone.kzt", .last_distance = LAST}, KZ_OK);
    go(3, (run){.path = "team.kzt", .last_distance = 2}, KZ_OK);
    go(2, (run){.path = "team.kzt", .stops = true}, KZ_ERR_CANCELLED);
    go(4, (run){.path = "team.kzt", .last_distance = LAST, .checkpoint_seconds = 1e-9}, KZ_OK);
    assert_int_not_equal(access("team.kzt", F_OK), 0);
    kz_checkpoint alone, team;
    kz_dobutsu_retro *one = load("alone.kzt.work", &alone);
    kz_dobutsu_retro *all = load("team.kzt.work", &team);
    assert_true(alone.distance == LAST && team.distance == LAST && alone.idle == 0 && team.idle == 0);
    assert_int_equal(alone.open, team.open);
    assert_int_equal(alone.sources, team.sources);
    assert_memory_equal((void *)one->cells, (void *)all->cells, KZ_DOBUTSU_INDEX_SIZE);
    assert_memory_equal((void *)one->odd_ones, (void *)all->odd_ones, KZ_DOBUTSU_INDEX_SIZE / 8);
    uint64_t seed = 5;
    unsigned decided = 0;
    for (int i = 0; i < SAMPLES; i++) {
        uint32_t index = (uint32_t)sample_below(&seed, KZ_DOBUTSU_INDEX_SIZE);
        kz_dobutsu position;
        kz_dobutsu_space_unrank(all->space, index, &position);
        kz_value expected = look_ahead(&position, LAST - 1);
        kz_value value = kz_dobutsu_retro_value(all, index);
        if (expected.outcome == KZ_UNKNOWN) { /* drawn, as far as the solver knows, or decided later */
            assert_true(value.outcome == KZ_DRAW || value.distance >= LAST);
        } else {
            assert_int_equal(value.outcome, expected.outcome);
            assert_int_equal(value.distance, expected.distance);
            decided += value.distance > 1;
        }
    }
    assert_true(decided > 100);
    kz_dobutsu_retro_free(one);
    kz_dobutsu_retro_free(all);
    kz_checkpoint_remove("alone.kzt.work");
    kz_checkpoint_remove("team.kzt.work");
}

TESTS(NULL, NULL)
