/* SPDX-License-Identifier: MIT
 *
 * The generic solver, its tables and their verification, with games that are made up: graphs whose edges are moves,
 * with holes, finished positions of all outcomes, tiers, and a symmetry. Every value is compared with one that a plain
 * loop finds forwards. */
#include "tests/support/testing.h"

#include "tests/support/forge.h"
#include "tests/support/graph_game.h"

#include "table/any_kind.h"

#include <kanzen/load.h>
#include <kanzen/selftest.h>
#include <kanzen/solve.h>
#include <kanzen/table.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__
enum { LARGE = 2000 }; /* nodes of a large graph */
#else
enum { LARGE = 8000 };
#endif
enum { LONG_PLIES = 9000, WIDE_PLIES = 33000 };

static kz_table *solve(const kz_definition *definition, int threads, const char *path, const kz_game **game) {
    kz_error error = {.status = KZ_OK};
    kz_summary summary;
    kz_table *table = NULL;
    kz_solve_options options = {.threads = threads, .replace = true};
    must(kz_game_open(definition, game, &error), &error);
    must(kz_solve(*game, 0, path, &options, &summary, &error), &error);
    must(kz_table_open_as(path, *game, &table, &error), &error);
    return table;
}

static void compare_all(const kz_table *table) {
    for (uint32_t node = 0; node < made->size; node++) {
        kz_position position;
        kz_value value;
        kz_error error;
        if (made->hole[node]) {
            continue;
        }
        put_node(&position, node);
        if (kz_probe(table, &position, &value, &error) != KZ_OK) {
            fail_msg("node %u: %s", node, error.message);
        }
        kz_value plain = made->plain[node];
        if (value.outcome != plain.outcome || value.distance != plain.distance) {
            fail_msg("node %u (%u nodes, %d tiers, symmetric %d): %d in %d, not %d in %d", node, made->size,
                     made->tiers, made->symmetric, (int)value.outcome, value.distance, (int)plain.outcome,
                     plain.distance);
        }
    }
}

static void check_graph(enum way way, bool tiered, bool by_twin) {
    kz_definition definition = with(way, tiered);
    definition.twin = by_twin ? graph_twin : NULL;
    const kz_game *game;
    kz_verify_report report;
    kz_error error;
    kz_table *table = solve(&definition, 1, "one.kzt", &game);
    compare_all(table);
    must(kz_table_verify(table, 3, NULL, &report, &error), &error);
    /* The same with no more tiers in memory than are needed at a time. */
    kz_verify_report tier_by_tier;
    must(kz_any_verify_within(table, 2, 1, NULL, &tier_by_tier, &error), &error);
    assert_memory_equal(&tier_by_tier, &report, sizeof report);
    kz_table_close(table);
    kz_game_close(game);
    table = solve(&definition, 4, "four.kzt", &game);
    kz_table_close(table);
    kz_game_close(game);
    assert_true(same_contents("one.kzt", "four.kzt"));
    assert_int_not_equal(access("one.kzt.work", F_OK), 0);
}

TEST(test_values) {
    for (uint64_t number = 0; number < 4; number++) {
        for (int tiers_of = 1; tiers_of <= TIERS_MOST; tiers_of += 2) {
            for (int symmetric = 0; symmetric < 2; symmetric++) {
                make_graph(made, number == 0 ? 600 : LARGE, tiers_of, symmetric, number);
                solve_plainly(made);
                check_graph(BACKWARDS, tiers_of > 1, number == 1);
                check_graph(FORWARDS, tiers_of > 1, number == 2);
                check_graph(BY_NUMBERS, tiers_of > 1, number == 2);
            }
        }
    }
}

/* The values of a graph have draws, and wins and losses of many distances: otherwise the comparison proves little. */
TEST(test_graphs_are_hard) {
    make_graph(made, 20000, 3, false, 2);
    solve_plainly(made);
    uint32_t seen[4] = {0};
    int longest = 0;
    for (uint32_t node = 0; node < made->size; node++) {
        seen[made->plain[node].outcome] += !made->hole[node];
        longest = made->plain[node].distance > longest ? made->plain[node].distance : longest;
    }
    assert_true(seen[KZ_WIN] > 1000 && seen[KZ_LOSS] > 1000 && seen[KZ_DRAW] > 1000);
    assert_true(longest > 10);
}

/* Distances that take two bytes, and more different values than a symbol of the coder has. */
TEST(test_long_distances) {
    make_path(made, LONG_PLIES + 1);
    solve_plainly(made);
    assert_int_equal(made->plain[LONG_PLIES].distance, LONG_PLIES);
    check_graph(BACKWARDS, false, true);
}

/* Distances that do not fit into cells of two bytes: the tier is solved again with larger ones. */
TEST(test_wide_cells) {
    const kz_game *game;
    make_path(made, WIDE_PLIES + 1);
    for (uint32_t node = 0; node <= WIDE_PLIES; node++) {
        made->plain[node] = (kz_value){node % 2 ? KZ_WIN : KZ_LOSS, (int)node};
    }
    kz_definition definition = with(BACKWARDS, false);
    kz_table *table = solve(&definition, 2, "wide.kzt", &game);
    compare_all(table);
    kz_table_close(table);
    kz_game_close(game);
}

/* How many bytes the values of a tier of a kept solve take (docs/format-tier.md). */
static size_t bytes_of_tier(int tier) {
    enum { HEADER_BYTES = 96 };
    char path[64];
    snprintf(path, sizeof path, "forms.kzt.work/tier-%04d.kzv", tier);
    content file = needed_content(path);
    free(file.bytes);
    return file.size - HEADER_BYTES;
}

/* Values of one byte as long as the longest distance has room in it, and read as they were written by the tier above.
 */
TEST(test_forms) {
    static const struct form {
        uint32_t half; /* positions of each of the two tiers */
        int first;     /* what the end of the path is worth */
        size_t width[2];
    } forms[] = {{64, KZ_LOSS, {1, 1}},  {126, KZ_LOSS, {1, 1}}, {126, KZ_WIN, {1, 2}}, {128, KZ_LOSS, {1, 2}},
                 {254, KZ_LOSS, {1, 2}}, {256, KZ_LOSS, {2, 2}}, {200, KZ_WIN, {2, 2}}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        const struct form *f = &forms[i];
        const kz_game *game;
        kz_error error;
        kz_summary summary;
        kz_solve_options options = {.threads = 2, .replace = true, .keep_work = true};
        make_path(made, 2 * f->half);
        made->tiers = 2;
        made->result[0] = (uint8_t)f->first;
        solve_plainly(made);
        kz_definition definition = with(BACKWARDS, true);
        kz_table *table = NULL;
        must(kz_game_open(&definition, &game, &error), &error);
        must(kz_solve(game, 0, "forms.kzt", &options, &summary, &error), &error);
        must(kz_table_open_as("forms.kzt", game, &table, &error), &error);
        compare_all(table);
        assert_int_equal(bytes_of_tier(0), f->half * f->width[0]);
        assert_int_equal(bytes_of_tier(1), f->half * f->width[1]);
        kz_table_close(table);
        kz_game_close(game);
        assert_int_equal(unlink("forms.kzt.work/tier-0000.kzv"), 0);
        assert_int_equal(unlink("forms.kzt.work/tier-0001.kzv"), 0);
    }
}

/* What the functions for numbers say is what the others say. */
TEST(test_numbers_agree) {
    for (int symmetric = 0; symmetric < 2; symmetric++) {
        static kz_selftest_report report;
        const kz_game *game;
        kz_error error;
        kz_selftest_options options = {.positions = 3000, .seed = 1, .threads = 2};
        make_graph(made, 20000, 3, symmetric, 3);
        kz_definition definition = with(BY_NUMBERS, true);
        assert_int_equal(kz_game_open(&definition, &game, &error), KZ_OK);
        if (kz_selftest(game, 0, &options, NULL, &report, NULL) != KZ_OK) {
            fail_msg("%s: %s", report.position, report.problem);
        }
        assert_true(report.counts[KZ_SELFTEST_PREDECESSOR] > 1000);
        kz_game_close(game);
    }
}

/* A table of other rules: what changed is found. */
TEST(test_verify_finds) {
    const kz_game *game;
    kz_verify_report report;
    kz_error error;
    make_graph(made, 20000, 1, false, 7);
    solve_plainly(made);
    kz_definition definition = with(BACKWARDS, false);
    kz_table *table = solve(&definition, 2, "other.kzt", &game);
    uint32_t node = 0;
    while (made->plain[node].outcome != KZ_WIN || made->plain[node].distance != 3) {
        node++;
    }
    made->moves[node] = 0;
    assert_int_equal(kz_table_verify(table, 2, NULL, &report, &error), KZ_ERR_MISMATCH);
    assert_true(report.wrong >= 1);
    assert_true(report.first_wrong <= node);
    kz_table_close(table);
    kz_game_close(game);
}

/* What a definition must not do is found while it is solved, and the position is named. */
static void refuse(const kz_definition *definition, const char *reason) {
    const kz_game *game;
    kz_error error = {.status = KZ_OK};
    kz_summary summary;
    kz_solve_options options = {.threads = 2, .replace = true};
    must(kz_game_open(definition, &game, &error), &error);
    assert_int_equal(kz_solve(game, 0, "refused.kzt", &options, &summary, &error), KZ_ERR_INPUT);
    if (!strstr(error.message, reason)) {
        fail_msg("'%s' does not say '%s'", error.message, reason);
    }
    assert_int_not_equal(access("refused.kzt", F_OK), 0);
    kz_game_close(game);
}

/* The graph's moves, counted from 0. */
static kz_definition usual;

static int moves_from_zero(const void *context, const kz_position *position, kz_move *moves) {
    int count = usual.moves(context, position, moves);
    for (int i = 0; i < count; i++) {
        moves[i]--;
    }
    return count;
}

static void play_from_zero(const void *context, kz_position *position, kz_move move) {
    usual.play(context, position, move + 1);
}

TEST(test_laws) {
    make_graph(made, 600, 1, false, 5);
    usual = with(FORWARDS, false);
    kz_definition from_zero = usual;
    from_zero.moves = moves_from_zero;
    from_zero.play = play_from_zero;
    refuse(&from_zero, "a move that is 0");
    make_graph(made, 2000, 3, false, 5);
    uint32_t node = 1;
    while (made->hole[node] || made->moves[node] < 2 || made->result[node] != KZ_UNKNOWN) {
        node++;
    }
    uint32_t kept = made->next[node][0];
    kz_definition tiered = with(BACKWARDS, true);
    char named[32];
    snprintf(named, sizeof named, "position %u, '%u'", node, node);
    made->next[node][0] = made->size - 1 - made->hole[made->size - 1];
    if (made->result[made->next[node][0]] == KZ_UNKNOWN) {
        refuse(&tiered, "tier with a larger number");
        refuse(&tiered, named);
    }
    made->next[node][0] = kept;
    tiered.never_repeats = true;
    refuse(&tiered, "never_repeats");
    tiered.never_repeats = false;
    made->before_count[kept] = MOST_BEFORE + 1;
    kz_definition flat = with(BACKWARDS, false);
    made->moves[node] = MOST_MOVES + 1;
    refuse(&flat, "max_moves");
}

/* Interrupted anywhere, a solve goes on after the last tier that is done, and ends in the same bytes. */
typedef struct stopper {
    int left;
} stopper;

static bool stop_soon(void *user, const char *stage, uint64_t done, uint64_t total) {
    (void)stage;
    (void)done;
    (void)total;
    return ((stopper *)user)->left-- > 0;
}

TEST(test_interrupted) {
    make_graph(made, NODES, TIERS_MOST, false, 9);
    kz_definition definition = with(BACKWARDS, true);
    const kz_game *game;
    kz_table_close(solve(&definition, 2, "whole.kzt", &game));
    int stops = 0;
    for (int left = 0;; left += 3) {
        stopper s = {left};
        kz_progress progress = {stop_soon, &s};
        kz_solve_options options = {.threads = 2, .replace = true, .progress = &progress};
        kz_summary summary;
        kz_error error;
        kz_status status = kz_solve(game, 0, "parts.kzt", &options, &summary, &error);
        if (status == KZ_OK) {
            break;
        }
        assert_int_equal(status, KZ_ERR_CANCELLED);
        stops++;
    }
    kz_game_close(game);
    assert_true(stops > 3);
    assert_true(same_contents("whole.kzt", "parts.kzt"));
}

/* A damaged tier is not taken for a good one. */
TEST(test_damaged_tier) {
    make_graph(made, NODES, TIERS_MOST, false, 9);
    kz_definition definition = with(BACKWARDS, true);
    const kz_game *game;
    kz_error error;
    kz_summary summary;
    kz_solve_options options = {.threads = 2, .replace = true, .keep_work = true};
    assert_int_equal(kz_game_open(&definition, &game, &error), KZ_OK);
    assert_int_equal(kz_solve(game, 0, "kept.kzt", &options, &summary, &error), KZ_OK);
    FILE *file = fopen("kept.kzt.work/tier-0001.kzv", "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, 1000, SEEK_SET), 0);
    int byte = fgetc(file);
    assert_int_equal(fseek(file, 1000, SEEK_SET), 0);
    fputc(byte ^ 1, file);
    fclose(file);
    assert_int_equal(kz_solve(game, 0, "kept.kzt", &options, &summary, &error), KZ_ERR_CORRUPT);
    assert_non_null(strstr(error.message, "tier-0001"));
    kz_game_close(game);
}

static void assert_refused(const kz_definition *definition) {
    const kz_game *game;
    kz_table *table = NULL;
    kz_error error = {.status = KZ_OK};
    kz_summary summary;
    kz_solve_options options = {.threads = 2, .replace = true, .keep_work = true};
    assert_int_equal(kz_game_open(definition, &game, &error), KZ_OK);
    assert_int_equal(kz_table_open_as("rules.kzt", game, &table, &error), KZ_ERR_INPUT);
    assert_non_null(strstr(error.message, "made by other rules"));
    assert_int_equal(kz_solve(game, 0, "rules.kzt", &options, &summary, &error), KZ_ERR_INPUT);
    assert_non_null(strstr(error.message, "rules.kzt.work/tier-0000.kzv: made by other rules"));
    kz_game_close(game);
}

/* The same name and as many positions, but other moves, or another edition: neither the table nor a tier is taken. */
TEST(test_other_rules) {
    make_graph(made, NODES, TIERS_MOST, false, 9);
    kz_definition definition = with(BACKWARDS, true);
    const kz_game *game;
    kz_table *table = NULL;
    kz_error error;
    kz_summary summary;
    kz_solve_options options = {.threads = 2, .replace = true, .keep_work = true};
    assert_int_equal(kz_game_open(&definition, &game, &error), KZ_OK);
    assert_int_equal(kz_solve(game, 0, "rules.kzt", &options, &summary, &error), KZ_OK);
    assert_int_equal(kz_table_open_as("rules.kzt", game, &table, &error), KZ_OK);
    kz_table_close(table);
    kz_game_close(game);
    definition.edition = 1;
    assert_refused(&definition);
    definition.edition = 0;
    make_graph(made, NODES, TIERS_MOST, false, 10);
    assert_refused(&definition);
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
