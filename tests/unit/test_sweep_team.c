/* SPDX-License-Identifier: MIT
 *
 * Push Fight solved by teams whose members are threads, so that sanitizers see it (tests/cli/test_mpi_pushfight.sh has
 * processes): the table is the one that a single member writes, and what one team began another goes on with. */
#include "tests/support/testing.h"

#include "games/pushfight/solve/solve.h"
#include "tests/support/forge.h"
#include "tests/support/thread_team.h"

#include <kanzen/game.h>
#include <kanzen/solve.h>
#include <unistd.h>

typedef struct run {
    const char *board;
    const char *path;
    int members;
    int threads; /* of each */
    int last_phase;
    uint64_t batch;
    bool packs;
    kz_status status[THREAD_TEAM_MOST];
    kz_error error[THREAD_TEAM_MOST];
    kz_summary summary[THREAD_TEAM_MOST];
    uint64_t questions; /* of member 0 */
} run;

static void take_part_in(kz_team *team, void *context) {
    run *r = context;
    const kz_game *game = kz_game_find("pushfight");
    const kz_solve_options options = {.threads = r->threads,
                                      .team = team,
                                      .last_phase = r->last_phase,
                                      .team_batch = r->batch,
                                      .team_packs = r->packs};
    int rank = kz_team_rank(team);
    r->status[rank] =
        kz_solve(game, kz_rules_find(game, r->board), r->path, &options, &r->summary[rank], &r->error[rank]);
}

static void solve(run *r) {
    if (r->members == 1) {
        take_part_in(NULL, r);
    } else {
        r->questions = run_as_threads(r->members, take_part_in, r);
    }
}

/* Returns how many questions member 0 has asked. */
static uint64_t solve_well(run r) {
    solve(&r);
    for (int member = 0; member < r.members; member++) {
        if (r.status[member] != KZ_OK) {
            fail_msg("%s, member %d of %d: %s", r.board, member, r.members, r.error[member].message);
        }
        assert_int_equal(r.summary[member].positions, r.summary[0].positions);
        assert_int_equal(r.summary[member].members, r.members);
        assert_true(r.members == 1 || r.summary[member].exchanged_bytes > 0);
    }
    return r.questions;
}

static void check_board(const char *board, uint64_t batch, bool packs) {
    solve_well((run){.board = board, .path = "alone.kzt", .members = 1, .threads = 2, .batch = batch, .packs = packs});
    solve_well((run){.board = board, .path = "team.kzt", .members = 2, .threads = 2, .batch = batch, .packs = packs});
    assert_true(same_contents("team.kzt", "alone.kzt"));
    unlink("team.kzt");
    solve_well((run){.board = board,
                     .path = "team.kzt",
                     .members = 4,
                     .threads = 1,
                     .batch = batch,
                     .packs = packs,
                     .last_phase = 2});
    assert_int_not_equal(access("team.kzt", F_OK), 0);
    solve_well((run){.board = board,
                     .path = "team.kzt",
                     .members = 2,
                     .threads = 1,
                     .batch = batch,
                     .packs = packs,
                     .last_phase = 4});
    solve_well((run){.board = board,
                     .path = "team.kzt",
                     .members = 1,
                     .threads = 1,
                     .batch = batch,
                     .packs = packs,
                     .last_phase = 5});
    uint64_t questions = solve_well(
        (run){.board = board, .path = "team.kzt", .members = 3, .threads = 1, .batch = batch, .packs = packs});
    /* Both boards have more than 100 pages, two thirds of them with others. Member 0 gets several with each answer. */
    assert_in_range(questions, 1, 40);
    assert_true(same_contents("team.kzt", "alone.kzt"));
    assert_int_not_equal(access("team.kzt.work", F_OK), 0);
    unlink("team.kzt");
    unlink("alone.kzt");
}

TEST(test_raft) {
    setenv("KANZEN_CPU", "plain", 1);
    check_board("raft", 5, false);
    unsetenv("KANZEN_CPU");
}

TEST(test_hook) { check_board("hook", 70, true); }

/* Member 0 alone has files; what it fails with, all do. */
TEST(test_failures) {
    put_content("there.kzt", "", 0);
    run r = {.board = "raft", .path = "there.kzt", .members = 3, .threads = 1};
    solve(&r);
    for (int member = 0; member < r.members; member++) {
        assert_int_not_equal(r.status[member], KZ_OK);
        assert_int_equal(r.status[member], r.status[0]);
        assert_string_equal(r.error[member].message, r.error[0].message);
    }
    unlink("there.kzt");

    solve_well((run){.board = "raft", .path = "bad.kzt", .members = 2, .threads = 1, .last_phase = 3});
    content phase = needed_content("bad.kzt.work/phase-003.kzp");
    phase.bytes[phase.size / 2] ^= 1;
    put_content("bad.kzt.work/phase-003.kzp", phase.bytes, phase.size);
    free(phase.bytes);
    r = (run){.board = "raft", .path = "bad.kzt", .members = 3, .threads = 1};
    solve(&r);
    for (int member = 0; member < r.members; member++) {
        assert_int_equal(r.status[member], KZ_ERR_CORRUPT);
    }
    assert_int_not_equal(access("bad.kzt", F_OK), 0);
    kz_pf_remove_work("bad.kzt.work");
}

TESTS(NULL, NULL)
