/* SPDX-License-Identifier: MIT
 *
 * The generic solver, its tables and their verification, with games that are made up: graphs whose edges are moves,
 * with holes, finished positions of all outcomes, tiers, and a symmetry. Every value is compared with one that a plain
 * loop finds forwards. */
#include "tests/support/testing.h"

#include "tests/support/contents.h"

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
enum { NODES = 33002, MOST_MOVES = 4, TIERS_MOST = 5, MOST_BEFORE = 64, LONG_PLIES = 9000, WIDE_PLIES = 33000 };

/* A graph. With a symmetry, node n and its image n ^ 1 have the same value, and the image's moves are the images of the
 * moves. */
typedef struct graph {
    uint32_t size;
    int tiers;
    bool symmetric;
    uint8_t moves[NODES];
    uint32_t next[NODES][MOST_MOVES];
    uint8_t result[NODES]; /* kz_outcome */
    uint8_t hole[NODES];
    uint32_t before[NODES][MOST_BEFORE];
    uint8_t before_count[NODES];
    kz_value plain[NODES];
} graph;

static graph *made; /* the context of all games below */

static uint64_t seed;
static uint32_t roll(uint32_t limit) {
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((seed >> 33) % limit);
}

static uint32_t tier_begin_of(const graph *g, int tier) {
    return (uint32_t)((uint64_t)g->size * (unsigned)tier / (unsigned)g->tiers) & ~1U;
}

static bool add_edge(graph *g, uint32_t from, uint32_t to) {
    if (g->hole[to] || g->before_count[to] >= MOST_BEFORE) {
        return false;
    }
    g->next[from][g->moves[from]++] = to;
    g->before[to][g->before_count[to]++] = from;
    return true;
}

/* Random edges, in blocks of two nodes that are images of each other if the graph is symmetric. */
static void make_graph(graph *g, uint32_t size, int tiers, bool symmetric, uint64_t number) {
    memset(g, 0, sizeof *g);
    seed = number * 1000003 + 17;
    g->size = size;
    g->tiers = tiers;
    g->symmetric = symmetric;
    for (uint32_t node = 0; node < size; node += 2) {
        bool hole = roll(20) == 0;
        for (uint32_t side = 0; side < 2; side++) {
            g->hole[node + side] = symmetric ? hole : roll(20) == 0;
        }
    }
    for (uint32_t node = 0; node < size; node += symmetric ? 2 : 1) {
        int tier = 0;
        while (tier + 1 < tiers && tier_begin_of(g, tier + 1) <= node) {
            tier++;
        }
        uint32_t end = tier_begin_of(g, tier + 1);
        uint32_t low = tier == 0 || roll(2) ? tier_begin_of(g, tier) : 0;
        uint32_t kind = roll(40);
        uint32_t count = kind < 3 ? 0 : 1 + roll(MOST_MOVES);
        g->result[node] = kind == 0 ? KZ_WIN : kind == 1 ? KZ_DRAW : kind == 2 ? KZ_LOSS : KZ_UNKNOWN;
        if (symmetric) {
            g->result[node + 1] = g->result[node];
        }
        for (uint32_t i = 0; i < count && !g->hole[node]; i++) {
            uint32_t to = low + roll(end - low);
            if (add_edge(g, node, to) && symmetric && !add_edge(g, node + 1, to ^ 1)) {
                fail_msg("the image of an edge does not fit");
            }
        }
    }
}

/* A long way to the end: from node n only node n - 1 can be reached, and node 0 is lost. */
static void make_path(graph *g, uint32_t size) {
    memset(g, 0, sizeof *g);
    g->size = size;
    g->tiers = 1;
    g->result[0] = KZ_LOSS;
    for (uint32_t node = 1; node < size; node++) {
        add_edge(g, node, node - 1);
    }
}

/* In round n, what is decided in n plies: straight from the definition of a value. */
static void solve_plainly(graph *g) {
    uint32_t since = 0;
    for (uint32_t node = 0; node < g->size; node++) {
        g->plain[node] = (kz_value){g->result[node], 0};
        if (g->result[node] == KZ_UNKNOWN && g->moves[node] == 0) {
            g->plain[node].outcome = KZ_LOSS;
        }
    }
    for (int n = 1; since < 3; n++) {
        since++;
        for (uint32_t node = 0; node < g->size; node++) {
            if (g->plain[node].outcome != KZ_UNKNOWN || g->hole[node]) {
                continue;
            }
            bool win = false;
            bool all = true;
            for (int i = 0; i < g->moves[node]; i++) {
                kz_value next = g->plain[g->next[node][i]];
                bool early = next.distance < n;
                win = win || (early && next.outcome == KZ_LOSS);
                all = all && early && next.outcome == KZ_WIN;
            }
            if (win || all) {
                g->plain[node] = (kz_value){win ? KZ_WIN : KZ_LOSS, n};
                since = 0;
            }
        }
    }
    for (uint32_t node = 0; node < g->size; node++) {
        if (g->plain[node].outcome == KZ_UNKNOWN) {
            g->plain[node].outcome = KZ_DRAW;
        }
    }
}

/* ---- The graph as a game ----------------------------------------------------------------------------------------- */

static uint32_t node_of(const kz_position *position) { return (uint32_t)position->words[0]; }
static void put_node(kz_position *position, uint32_t node) { *position = (kz_position){{node}}; }

static void start(const void *context, kz_position *position) {
    (void)context;
    uint32_t node = 0;
    while (made->hole[node]) {
        node++;
    }
    put_node(position, node);
}
static int list_moves(const void *context, const kz_position *position, kz_move *moves) {
    (void)context;
    for (int i = 0; i < made->moves[node_of(position)]; i++) {
        moves[i] = (kz_move)i + 1;
    }
    return made->moves[node_of(position)];
}
static void play(const void *context, kz_position *position, kz_move move) {
    (void)context;
    position->words[0] = made->next[node_of(position)][move - 1];
}
static kz_outcome result(const void *context, const kz_position *position) {
    (void)context;
    return (kz_outcome)made->result[node_of(position)];
}
static uint64_t index_size(const void *context) {
    (void)context;
    return made->size;
}
static uint64_t rank(const void *context, const kz_position *position) {
    (void)context;
    return node_of(position);
}
static bool unrank(const void *context, uint64_t index, kz_position *position) {
    (void)context;
    put_node(position, (uint32_t)index);
    return !made->hole[index];
}
static void format(const void *context, const kz_position *position, char *text) {
    (void)context;
    snprintf(text, KZ_TEXT_BYTES, "%u", node_of(position));
}
static kz_status parse(const void *context, const char *text, size_t length, kz_position *position, kz_error *error) {
    (void)context;
    (void)error;
    (void)length;
    put_node(position, (uint32_t)strtoul(text, NULL, 10));
    return KZ_OK;
}
static int predecessors(const void *context, const kz_position *position, kz_position *before) {
    (void)context;
    uint32_t node = node_of(position);
    for (int i = 0; i < made->before_count[node]; i++) {
        put_node(&before[i], made->before[node][i]);
    }
    return made->before_count[node];
}
static void symmetry(const void *context, const kz_position *position, int number, kz_position *image) {
    (void)context;
    put_node(image, node_of(position) ^ (uint32_t)number);
}
static int tiers(const void *context) {
    (void)context;
    return made->tiers;
}
static uint64_t tier_begin(const void *context, int tier) {
    (void)context;
    return tier_begin_of(made, tier);
}
static kz_outcome twin(const void *context, const kz_position *position,
                       void (*visit)(void *user, const kz_position *next), void *user) {
    (void)context;
    uint32_t node = node_of(position);
    for (int i = made->moves[node]; i-- > 0 && made->result[node] == KZ_UNKNOWN;) {
        kz_position next;
        put_node(&next, made->next[node][i]);
        visit(user, &next);
    }
    return (kz_outcome)made->result[node];
}

/* ---- Moves as numbers: with a symmetry, the even node stands for both ---- */

static uint64_t class_of(uint32_t node) { return made->symmetric ? node & ~1U : node; }

static int add_once(uint64_t *list, int count, uint64_t number) {
    for (int i = 0; i < count; i++) {
        if (list[i] == number) {
            return count;
        }
    }
    list[count] = number;
    return count + 1;
}

/* Whether a move ends the game at once with a win. */
static bool wins_now(uint32_t node) {
    for (int i = 0; i < made->moves[node]; i++) {
        if (made->result[made->next[node][i]] == KZ_LOSS) {
            return true;
        }
    }
    return false;
}

static int numbers_after(const void *context, uint64_t index, uint64_t *numbers, kz_sight *sight) {
    (void)context;
    uint32_t node = (uint32_t)index;
    int count = 0;
    if (made->hole[node] || class_of(node) != node) {
        return -1;
    }
    sight->over = (kz_outcome)made->result[node];
    if (made->moves[node] == 0 && sight->over == KZ_UNKNOWN) {
        sight->over = KZ_LOSS; /* and is listed by others: only `moves` tells it */
    }
    sight->win = sight->over == KZ_UNKNOWN && wins_now(node);
    for (int i = 0; i < made->moves[node] && sight->over == KZ_UNKNOWN && !sight->win; i++) {
        uint32_t next = made->next[node][i];
        if (made->result[next] == KZ_DRAW) {
            sight->draws = true;
        } else if (made->result[next] == KZ_UNKNOWN && wins_now(next)) {
            sight->worst = 1;
        } else if (made->result[next] == KZ_UNKNOWN) {
            count = add_once(numbers, count, class_of(next));
        }
    }
    return count;
}

static int numbers_before(const void *context, uint64_t index, uint64_t *numbers) {
    (void)context;
    int count = 0;
    for (int i = 0; i < made->before_count[index]; i++) {
        count = add_once(numbers, count, class_of(made->before[index][i]));
    }
    return count;
}

static const kz_definition basic = {.version = KZ_DEFINE_VERSION,
                                    .size = sizeof(kz_definition),
                                    .name = "graph",
                                    .title = "A graph",
                                    .max_moves = MOST_MOVES,
                                    .start = start,
                                    .moves = list_moves,
                                    .play = play,
                                    .result = result,
                                    .without_moves = KZ_LOSS,
                                    .index_size = index_size,
                                    .rank = rank,
                                    .unrank = unrank,
                                    .format = format,
                                    .parse = parse};

enum way { FORWARDS, BACKWARDS, BY_NUMBERS };

static kz_definition with(enum way way, bool tiered) {
    kz_definition game = basic;
    if (way != FORWARDS) {
        game.max_predecessors = MOST_BEFORE;
        game.predecessors = predecessors;
    }
    if (way == BY_NUMBERS) {
        game.numbers_after = numbers_after;
        game.numbers_before = numbers_before;
    }
    if (tiered) {
        game.tiers = tiers;
        game.tier_begin = tier_begin;
    }
    if (made->symmetric) {
        game.symmetries = 2;
        game.symmetry = symmetry;
    }
    return game;
}

static kz_table *solve(const kz_definition *definition, int threads, const char *path, const kz_game **game) {
    kz_error error = {.status = KZ_OK};
    kz_summary summary;
    kz_table *table = NULL;
    kz_solve_options options = {.threads = threads, .replace = true};
    if (kz_game_open(definition, game, &error) != KZ_OK ||
        kz_solve(*game, 0, path, &options, &summary, &error) != KZ_OK ||
        kz_table_open_as(path, *game, &table, &error) != KZ_OK) {
        fail_msg("%s", error.message);
    }
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
    definition.twin = by_twin ? twin : NULL;
    const kz_game *game;
    kz_verify_report report;
    kz_error error;
    kz_table *table = solve(&definition, 1, "one.kzt", &game);
    compare_all(table);
    if (kz_table_verify(table, 3, NULL, &report, &error) != KZ_OK) {
        fail_msg("%s", error.message);
    }
    kz_table_close(table);
    kz_game_close(game);
    table = solve(&definition, 4, "four.kzt", &game);
    kz_table_close(table);
    kz_game_close(game);
    assert_true(same_contents("one.kzt", "four.kzt"));
    assert_int_not_equal(access("one.kzt.work", F_OK), 0);
}

static void test_values(void **state) {
    (void)state;
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
static void test_graphs_are_hard(void **state) {
    (void)state;
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
static void test_long_distances(void **state) {
    (void)state;
    make_path(made, LONG_PLIES + 1);
    solve_plainly(made);
    assert_int_equal(made->plain[LONG_PLIES].distance, LONG_PLIES);
    check_graph(BACKWARDS, false, true);
}

/* Distances that do not fit into cells of two bytes: the tier is solved again with larger ones. */
static void test_wide_cells(void **state) {
    (void)state;
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

/* What the functions for numbers say is what the others say. */
static void test_numbers_agree(void **state) {
    (void)state;
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
static void test_verify_finds(void **state) {
    (void)state;
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
    if (kz_game_open(definition, &game, &error) != KZ_OK) {
        fail_msg("%s", error.message);
    }
    assert_int_equal(kz_solve(game, 0, "refused.kzt", &options, &summary, &error), KZ_ERR_INPUT);
    if (!strstr(error.message, reason)) {
        fail_msg("'%s' does not say '%s'", error.message, reason);
    }
    assert_int_not_equal(access("refused.kzt", F_OK), 0);
    kz_game_close(game);
}

static void test_laws(void **state) {
    (void)state;
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

static void test_interrupted(void **state) {
    (void)state;
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
static void test_damaged_tier(void **state) {
    (void)state;
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),         cmocka_unit_test(test_graphs_are_hard),
        cmocka_unit_test(test_long_distances), cmocka_unit_test(test_wide_cells),
        cmocka_unit_test(test_numbers_agree),  cmocka_unit_test(test_verify_finds),
        cmocka_unit_test(test_laws),           cmocka_unit_test(test_interrupted),
        cmocka_unit_test(test_damaged_tier),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
