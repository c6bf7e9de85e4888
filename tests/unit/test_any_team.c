/* SPDX-License-Identifier: MIT
 *
 * Games that are definitions, solved by teams whose members are threads, so that sanitizers see it
 * (tests/cli/test_mpi_define.sh has processes): the table is the one that a single member writes, whose values
 * tests/unit/test_any.c compares with a plain loop. */
#include "tests/support/testing.h"

#include "tests/support/forge.h"
#include "tests/support/graph_game.h"
#include "tests/support/thread_team.h"

#include <kanzen/load.h>
#include <kanzen/solve.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct run {
    const kz_game *game;
    const char *path;
    int members;
    int threads; /* of each */
    bool keep_work;
    uint64_t memory;
    int stop_after; /* reports of member 0; 0: never */
    int reports;    /* of member 0 */
    kz_status status[THREAD_TEAM_MOST];
    kz_error error[THREAD_TEAM_MOST];
    kz_summary summary[THREAD_TEAM_MOST];
} run;

static bool count_reports(void *user, const char *stage, uint64_t done, uint64_t total) {
    run *r = user;
    (void)stage;
    (void)done;
    (void)total;
    r->reports++;
    return r->stop_after == 0 || r->reports < r->stop_after;
}

static void take_part_in(kz_team *team, void *context) {
    run *r = context;
    int rank = kz_team_rank(team);
    const kz_progress progress = {count_reports, r};
    const kz_solve_options options = {.threads = r->threads,
                                      .team = team,
                                      .replace = true,
                                      .keep_work = r->keep_work,
                                      .memory_bytes = r->memory,
                                      .progress = rank == 0 ? &progress : NULL};
    r->status[rank] = kz_solve(r->game, 0, r->path, &options, &r->summary[rank], &r->error[rank]);
}

/* Solves, and returns what all members return. */
static kz_status solve(run *r) {
    if (r->members == 1) {
        take_part_in(NULL, r);
    } else {
        run_as_threads(r->members, take_part_in, r);
    }
    for (int member = 1; member < r->members; member++) {
        assert_int_equal(r->status[member], r->status[0]);
    }
    return r->status[0];
}

static void solve_well(run *r) {
    if (solve(r) != KZ_OK) {
        fail_msg("%d members: %s", r->members, r->error[0].message);
    }
    for (int member = 1; member < r->members; member++) {
        assert_int_equal(r->summary[member].positions, r->summary[0].positions);
        assert_int_equal(r->summary[member].members, r->members);
        assert_true(r->summary[member].exchanged_bytes > 0);
    }
}

static void check_graph(kz_definition definition, const int *members, int count) {
    run r = {.path = "alone.kzt", .members = 1, .threads = 1};
    kz_error error;
    assert_int_equal(kz_game_open(&definition, &r.game, &error), KZ_OK);
    solve_well(&r);
    uint64_t positions = r.summary[0].positions;
    for (int i = 0; i < count; i++) {
        run t = {.game = r.game, .path = "team.kzt", .members = members[i], .threads = 1 + i % 2};
        solve_well(&t);
        assert_int_equal(t.summary[0].positions, positions);
        if (!same_contents("team.kzt", "alone.kzt")) {
            fail_msg("%d members, %u nodes, %d tiers, symmetric %d: another table", members[i], made->size, made->tiers,
                     made->symmetric);
        }
        assert_int_not_equal(access("team.kzt.work", F_OK), 0);
    }
    kz_game_close(r.game);
}

/* Backwards, forwards and by numbers, with tiers and without, images, and holes; more members than a small tier has
 * parts. */
TEST(test_same_bytes) {
    static const int members[] = {2, 3, 5};
    enum { LAST = sizeof members / sizeof *members };
    for (int tiers = 1; tiers <= TIERS_MOST; tiers += TIERS_MOST - 1) {
        for (int symmetric = 0; symmetric < 2; symmetric++) {
            make_graph(made, symmetric ? 2000 : 1200, tiers, symmetric, 4);
            check_graph(with(BACKWARDS, tiers > 1), members, symmetric ? 1 : LAST);
            check_graph(with(FORWARDS, tiers > 1), members, symmetric ? 2 : 1);
            check_graph(with(BY_NUMBERS, tiers > 1), members, 1 + symmetric);
        }
    }
}

/* Shards of more than 65,536 numbers, parts of which are messages of their own, and more than one round of questions:
 * every 17th number is a position, the others are holes. */
enum { SPREAD = 17 };
static uint64_t wide_size(const void *context) {
    (void)context;
    return (uint64_t)made->size * SPREAD;
}
static uint64_t wide_rank(const void *context, const kz_position *position) {
    (void)context;
    uint32_t node;
    memcpy(&node, position, sizeof node);
    return (uint64_t)node * SPREAD;
}
static bool wide_unrank(const void *context, uint64_t index, kz_position *position) {
    (void)context;
    put_node(position, (uint32_t)(index / SPREAD));
    return index % SPREAD == 0 && !made->hole[index / SPREAD];
}
static uint64_t wide_tier_begin(const void *context, int tier) {
    (void)context;
    return (uint64_t)tier_begin_of(made, tier) * SPREAD;
}

TEST(test_large_shards) {
    static const int members[] = {2};
    make_graph(made, 17000, 2, false, 6);
    kz_definition definition = with(BACKWARDS, true);
    definition.index_size = wide_size;
    definition.rank = wide_rank;
    definition.unrank = wide_unrank;
    definition.tier_begin = wide_tier_begin;
    check_graph(definition, members, 1);
}

static int tier_below(const void *context, int tier, int *next) {
    (void)context;
    next[0] = tier - 1;
    return tier > 0;
}

static int tier_of(uint32_t node) {
    int tier = 0;
    while (tier + 1 < made->tiers && tier_begin_of(made, tier + 1) <= node) {
        tier++;
    }
    return tier;
}

/* Only moves to the same tier and the one below: values of other tiers are not kept. A move to another tier is refused,
 * with the position. */
TEST(test_next_tiers) {
    static const int members[] = {3};
    make_graph(made, 3000, TIERS_MOST, false, 8);
    kz_definition definition = with(BACKWARDS, true);
    definition.tier_next = tier_below;
    run r = {.path = "refused.kzt", .members = 2, .threads = 1};
    kz_error error;
    assert_int_equal(kz_game_open(&definition, &r.game, &error), KZ_OK);
    assert_int_equal(solve(&r), KZ_ERR_INPUT);
    assert_non_null(strstr(r.error[0].message, "a tier that tier_next does not list"));
    assert_non_null(strstr(r.error[1].message, "position "));
    assert_int_not_equal(access("refused.kzt", F_OK), 0);
    kz_game_close(r.game);
    memset(made->before_count, 0, sizeof made->before_count);
    for (uint32_t node = 0; node < made->size; node++) {
        int left = 0;
        for (int i = 0; i < made->moves[node]; i++) {
            uint32_t next = made->next[node][i];
            if (tier_of(next) + 1 >= tier_of(node)) {
                made->next[node][left++] = next;
                made->before[next][made->before_count[next]++] = node;
            }
        }
        made->moves[node] = (uint8_t)left;
    }
    check_graph(definition, members, 1);
}

/* ---- Cells of four bytes ---- */

enum { WIDE_PLIES = 33000, WIDE_END = WIDE_PLIES + 100 };

static uint64_t long_tier_begin(const void *context, int tier) {
    (void)context;
    return tier == 0 ? 0 : tier == 1 ? WIDE_PLIES : WIDE_END;
}

/* The lower tier is solved alone, up to 33,000 plies; the team goes on from its file, and finds that distances do not
 * fit into two bytes. */
TEST(test_wide_cells) {
    make_path(made, WIDE_END);
    made->tiers = 2;
    kz_definition definition = with(BACKWARDS, true);
    definition.tier_begin = long_tier_begin;
    run r = {.path = "wide.kzt", .members = 1, .threads = 1, .keep_work = true};
    kz_error error;
    assert_int_equal(kz_game_open(&definition, &r.game, &error), KZ_OK);
    solve_well(&r);
    content alone = needed_content("wide.kzt");
    assert_int_equal(unlink("wide.kzt.work/tier-0001.kzv"), 0);
    run t = {.game = r.game, .path = "wide.kzt", .members = 3, .threads = 1};
    solve_well(&t);
    assert_int_equal(t.summary[0].longest_win, WIDE_END - 1);
    content team = needed_content("wide.kzt");
    assert_int_equal(team.size, alone.size);
    assert_memory_equal(team.bytes, alone.bytes, alone.size);
    free(team.bytes);
    free(alone.bytes);
    kz_game_close(r.game);
}

/* ---- What goes wrong ---- */

TEST(test_laws) {
    make_graph(made, 2000, 3, false, 5);
    kz_definition definition = with(BACKWARDS, true);
    definition.never_repeats = true;
    run r = {.path = "laws.kzt", .members = 3, .threads = 2};
    kz_error error;
    assert_int_equal(kz_game_open(&definition, &r.game, &error), KZ_OK);
    assert_int_equal(solve(&r), KZ_ERR_INPUT);
    assert_non_null(strstr(r.error[0].message, "never_repeats"));
    kz_game_close(r.game);
    definition.never_repeats = false;
    assert_int_equal(kz_game_open(&definition, &r.game, &error), KZ_OK);
    r.memory = 1;
    assert_int_equal(solve(&r), KZ_ERR_MEMORY);
    assert_non_null(strstr(r.error[0].message, "in each process"));
    assert_int_not_equal(access("laws.kzt", F_OK), 0);
    kz_game_close(r.game);
}

/* Interrupted anywhere, another number of members goes on after the last tier that is done. */
TEST(test_interrupted) {
    make_graph(made, 4000, TIERS_MOST, false, 9);
    kz_definition definition = with(BACKWARDS, true);
    run whole = {.path = "whole.kzt", .members = 1, .threads = 1};
    kz_error error;
    assert_int_equal(kz_game_open(&definition, &whole.game, &error), KZ_OK);
    solve_well(&whole);
    int stops = 0;
    kz_status status = KZ_ERR_CANCELLED;
    for (int after = 2; status == KZ_ERR_CANCELLED; after += 20) {
        run r = {.game = whole.game, .path = "parts.kzt", .members = 2 + stops % 3, .threads = 1, .stop_after = after};
        status = solve(&r);
        stops += status == KZ_ERR_CANCELLED;
    }
    assert_int_equal(status, KZ_OK);
    assert_true(stops > 2);
    assert_true(same_contents("whole.kzt", "parts.kzt"));
    kz_game_close(whole.game);
}

static int set_up(void **state) {
    (void)state;
    made = calloc(1, sizeof *made);
    return made ? 0 : -1;
}

static int tear_down(void **state) {
    (void)state;
    free(made);
    return 0;
}

TESTS(set_up, tear_down)
