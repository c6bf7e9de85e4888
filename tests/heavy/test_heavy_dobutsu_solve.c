/* SPDX-License-Identifier: MIT
 * labels: dobutsu-table makes-simplified-table
 *
 * Both solutions of Dobutsu Shogi against what is published about them, against each other, and against the tables made
 * from them. The simplified one is that of a source of packets, and the packets are checked, too. The table by the
 * simplified rules stays at $SIMPLIFIED_TABLE, for other tests. */
#include "tests/support/testing.h"

#include "game/gamedef.h"
#include "games/dobutsu/compat/entries.h"
#include "games/dobutsu/rules/definition.h"
#include "games/dobutsu/rules/rules.h"
#include "games/dobutsu/solve/reach.h"
#include "games/dobutsu/solve/solve.h"
#include "solve/any_tier.h"
#include "table/reader.h"
#include "table/writer.h"
#include "tests/support/dobutsu_samples.h"
#include "tests/support/forge.h"
#include "tests/support/packets_undecided.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RULE_SETS = 2, TANAKA = KZ_DOBUTSU_CAN_CAPTURE | KZ_DOBUTSU_TRIED };

/* Made once for all tests. */
typedef struct solutions {
    const kz_game *game;
    kz_pool *pool;
    kz_packet_source *packets; /* has the simplified solution, and the set that is reachable by these rules */
    kz_dobutsu_retro *solver[RULE_SETS];
    kz_dobutsu_reach *reach;        /* the same space, and an own set */
    kz_histogram folded[RULE_SETS]; /* all positions, mirror images folded */
} solutions;

/* ---- Positions by value ----------------------------------------------------------------------------------------- */

/* How mirror images are counted. Clausecker's program folds those that differ in the lions' squares only, so that a
 * position with both lions in the middle column and its mirror image are two. */
enum folding { FOLDED, CLAUSECKER, UNFOLDED };

typedef struct walk {
    const solutions *s;
    int rules;
    enum folding folding;
    const kz_dobutsu_reach *within; /* only positions of this set; NULL: all */
    kz_histogram *by_worker;
} walk;

static void walk_blocks(void *context, int worker, uint64_t begin, uint64_t end) {
    const walk *w = context;
    const kz_dobutsu_space *space = w->s->reach->space;
    kz_histogram *h = &w->by_worker[worker];
    for (uint64_t b = begin; b < end; b++) {
        const kz_dobutsu_run *block = &space->runs[b];
        const uint16_t *states = space->chick_state[kz_dobutsu_run_chicks(space, block)];
        bool central =
            kz_dobutsu_lions_central(space->own_lion[block->lion_class], space->enemy_lion[block->lion_class]);
        for (unsigned i = 0; i < block->size; i++) {
            uint64_t index = block->base + i;
            if (w->within && !kz_dobutsu_reach_has(w->within, index)) {
                continue;
            }
            bool symmetric = block->folded && space->chick_mirror[states[i]] == states[i];
            bool twice = !symmetric && (w->folding == UNFOLDED || (w->folding == CLAUSECKER && central));
            kz_value value = kz_dobutsu_retro_value(w->s->solver[w->rules], index);
            uint64_t *count = value.outcome == KZ_DRAW  ? &h->draws
                              : value.outcome == KZ_WIN ? &h->wins[value.distance]
                                                        : &h->losses[value.distance];
            *count += twice ? 2 : 1;
        }
    }
}

static kz_histogram histogram_of(const solutions *s, int rules, enum folding folding, const kz_dobutsu_reach *within) {
    size_t workers = (size_t)kz_pool_threads(s->pool);
    walk w = {s, rules, folding, within, calloc(workers, sizeof *w.by_worker)};
    kz_histogram sum = {.draws = 0};
    assert_non_null(w.by_worker);
    assert_int_equal(kz_pool_for(s->pool, s->reach->space->solved_runs, 0, walk_blocks, &w, NULL, NULL, NULL), KZ_OK);
    for (size_t worker = 0; worker < workers; worker++) {
        const kz_histogram *h = &w.by_worker[worker];
        sum.draws += h->draws;
        for (int n = 0; n <= KZ_MAX_DISTANCE; n++) {
            sum.wins[n] += h->wins[n];
            sum.losses[n] += h->losses[n];
        }
    }
    free(w.by_worker);
    return sum;
}

static int setup(void **state) {
    static solutions s;
    kz_error error;
    *state = &s;
    s.game = kz_game_find("dobutsu");
    s.pool = kz_pool_new(3, &error); /* a number that other tests don't take: nothing depends on it */
    s.reach = kz_dobutsu_reach_new();
    s.packets = s.pool ? kz_packet_source_open(s.pool, NULL, &error) : NULL;
    if (!s.reach || !s.packets ||
        kz_dobutsu_solve_in_memory(KZ_DOBUTSU_OFFICIAL, true, s.pool, NULL, &s.solver[KZ_DOBUTSU_OFFICIAL], &error) !=
            KZ_OK) {
        return -1;
    }
    s.solver[KZ_DOBUTSU_SIMPLIFIED] = s.packets->retro;
    for (int rules = 0; rules < RULE_SETS; rules++) {
        s.folded[rules] = histogram_of(&s, rules, FOLDED, NULL);
    }
    packets_whole_begin(s.packets);
    return 0;
}

static int teardown(void **state) {
    solutions *s = *state;
    kz_dobutsu_retro_free(s->solver[KZ_DOBUTSU_OFFICIAL]);
    kz_packet_source_close(s->packets);
    kz_dobutsu_reach_free(s->reach);
    kz_pool_free(s->pool);
    return 0;
}

static uint64_t sum_of(const uint64_t counts[KZ_MAX_DISTANCE + 1]) {
    uint64_t sum = 0;
    for (int n = 0; n <= KZ_MAX_DISTANCE; n++) {
        sum += counts[n];
    }
    return sum;
}

static void assert_longest_win(const kz_histogram *h, int longest, uint64_t count) {
    assert_int_equal(h->wins[longest], count);
    for (int n = longest; n <= KZ_MAX_DISTANCE; n++) {
        assert_true(n == longest || h->wins[n] == 0);
        assert_int_equal(h->losses[n], 0);
    }
}

static kz_value value_of(const solutions *s, int rules, const char *text) {
    kz_position position;
    uint64_t index;
    assert_int_equal(kz_parse(s->game, 0, text, strlen(text), &position, NULL), KZ_OK);
    assert_true(kz_rank(s->game, &position, &index));
    return kz_dobutsu_retro_value(s->solver[rules], index);
}

static void assert_value(const solutions *s, int rules, const char *text, kz_outcome outcome, int distance) {
    kz_value value = value_of(s, rules, text);
    assert_int_equal(value.outcome, outcome);
    assert_int_equal(value.distance, distance);
}

/* ---- The official rules ------------------------------------------------------------------------------------------ */

static void test_official_totals(void **state) {
    const solutions *s = *state;
    kz_histogram h = s->folded[KZ_DOBUTSU_OFFICIAL];
    assert_int_equal(sum_of(h.wins), 174787315);
    assert_int_equal(h.wins[1], 122428962);
    assert_int_equal(sum_of(h.losses), 53793170);
    assert_int_equal(h.draws, 3061506);
    assert_longest_win(&h, 173, 14); /* none of the 14 has both lions in the middle, so both foldings have as many */
    /* The two positions without a move. */
    assert_int_equal(h.losses[0], 2);
    for (int n = 0; n <= KZ_MAX_DISTANCE; n++) {
        assert_int_equal(n % 2 ? h.losses[n] : h.wins[n], 0);
    }
}

/* The same with mirror images of positions with central lions apart: what Clausecker's program stores. */
static void test_clauseckers_totals(void **state) {
    const solutions *s = *state;
    kz_histogram h = histogram_of(s, KZ_DOBUTSU_OFFICIAL, CLAUSECKER, NULL);
    assert_int_equal(sum_of(h.wins), 188377024);
    assert_int_equal(sum_of(h.losses), 57707893);
    assert_int_equal(h.draws, 3357850);
    assert_longest_win(&h, 173, 14);
}

static void test_official_values(void **state) {
    const solutions *s = *state;
    int rules = KZ_DOBUTSU_OFFICIAL;
    assert_value(s, rules, "gle/1c1/1C1/ELG b - 1", KZ_LOSS, 78);
    assert_value(s, rules, "S/-EG/EGL/lCC/---/-", KZ_LOSS, 0);
    assert_value(s, rules, "S/lEG/EGL/-CC/---/-", KZ_LOSS, 0);
    /* After the first moves: chick takes chick, giraffe up, lion to either side. */
    assert_value(s, rules, "gle/1C1/3/ELG w C 2", KZ_WIN, 75);
    assert_value(s, rules, "gle/1c1/1CG/EL1 w - 2", KZ_WIN, 77);
    assert_value(s, rules, "gle/1c1/LC1/E1G w - 2", KZ_WIN, 77);
    assert_value(s, rules, "gle/1c1/1CL/E1G w - 2", KZ_WIN, 77);
}

static void read_distances(kz_histogram *expected) {
    char line[256];
    FILE *file = open_source("tests/data/tanaka-distances.txt");
    int lines = 0;
    while (fgets(line, sizeof line, file)) {
        int n;
        unsigned long long wins;
        unsigned long long losses;
        if (line[0] != '#' && sscanf(line, "%d %llu %llu", &n, &wins, &losses) == 3 && n <= KZ_MAX_DISTANCE) {
            expected->wins[n] = wins;
            expected->losses[n] = losses;
            lines++;
        }
    }
    fclose(file);
    assert_int_equal(lines, 173);
}

/* Positions of the reachable set that have one of the features, or with `none` those that have none of them. */
static uint64_t count_of(const solutions *s, uint64_t begin, uint64_t end, unsigned features, bool none) {
    kz_dobutsu_reach_tally tally = {0};
    uint64_t sum = 0;
    kz_dobutsu_reach_count(s->reach, NULL, begin, end, &tally);
    for (unsigned set = 0; set < KZ_DOBUTSU_FEATURE_SETS; set++) {
        sum += ((set & features) == 0) == none ? tally.folded[set] : 0;
    }
    return sum;
}

static bool never_go_back(void *user, const char *stage, uint64_t done, uint64_t total) {
    uint64_t *last = user;
    assert_string_equal(stage, "stage");
    assert_true(done >= *last);
    assert_int_equal(total, 0);
    *last = done;
    return true;
}

/* Tetsuro Tanaka, "An Analysis of a Board Game Doubutsu Shogi", IPSJ SIG Notes 2009-GI-22 No. 3: the reachable
 * positions, their values, and the whole table of distances. */
static void test_tanakas_figures(void **state) {
    const solutions *s = *state;
    uint64_t solved = s->reach->space->solved_runs;
    uint64_t all = s->reach->space->decided_runs;
    uint64_t played = 0;
    kz_progress progress = {.report = never_go_back, .user = &played};
    assert_int_equal(kz_dobutsu_reach_run(s->reach, TANAKA, s->pool, &progress, "stage", NULL), KZ_OK);
    assert_int_equal(played, 99485568);
    assert_int_equal(count_of(s, 0, all, 0, true), 246803167);
    assert_int_equal(count_of(s, 0, all, TANAKA, true), 99485568);
    assert_int_equal(count_of(s, 0, all, KZ_DOBUTSU_CAN_CAPTURE, false), 140298614);
    kz_dobutsu_reach_tally tally = {0};
    kz_dobutsu_reach_count(s->reach, s->solver[KZ_DOBUTSU_OFFICIAL], 0, all, &tally);
    assert_int_equal(tally.values[0][KZ_WIN] + tally.values[KZ_DOBUTSU_CAN_TRY][KZ_WIN], 56474473);
    assert_int_equal(tally.values[0][KZ_DRAW], 2682700);
    assert_int_equal(tally.values[0][KZ_LOSS], 40328395);

    kz_histogram expected = {.draws = 2682700};
    kz_histogram h = histogram_of(s, KZ_DOBUTSU_OFFICIAL, FOLDED, s->reach);
    read_distances(&expected);
    /* Where lions are adjacent or one has made its Try, the rules tell the value: a lion that can be taken is a win in
     * 1, another one that stands there a loss in 0, and these are not in the table. */
    h.wins[1] += count_of(s, solved, all, KZ_DOBUTSU_CAN_CAPTURE, false);
    assert_int_equal(h.draws, expected.draws);
    for (int n = 0; n <= KZ_MAX_DISTANCE; n++) {
        assert_int_equal(h.wins[n], expected.wins[n]);
        assert_int_equal(h.losses[n], expected.losses[n]);
    }
}

/* ---- The simplified rules ---------------------------------------------------------------------------------------- */

/* The states of the 2024 analyzer that are no ends of games: reachable by the simplified rules, mirror images apart. */
static void test_simplified_totals(void **state) {
    const solutions *s = *state;
    const kz_dobutsu_space *space = s->reach->space;
    kz_histogram h = histogram_of(s, KZ_DOBUTSU_SIMPLIFIED, UNFOLDED, s->packets->reach);
    kz_dobutsu_reach_tally decided = {0};
    kz_dobutsu_reach_count(s->packets->reach, NULL, space->solved_runs, space->decided_runs, &decided);
    uint64_t wins = sum_of(h.wins);
    uint64_t losses = sum_of(h.losses);
    for (int features = 0; features < KZ_DOBUTSU_FEATURE_SETS; features++) {
        wins += features & KZ_DOBUTSU_CAN_CAPTURE ? decided.unfolded[features] : 0;
        losses += features & KZ_DOBUTSU_CAN_CAPTURE ? 0 : decided.unfolded[features];
    }
    assert_int_equal(wins, 901559026);
    assert_int_equal(losses, 190666837 + 4); /* 4 that have no move are counted apart */
    assert_int_equal(h.draws, 6122342);
    assert_longest_win(&h, 173, 28);
    assert_value(s, KZ_DOBUTSU_SIMPLIFIED, "gle/1c1/1C1/ELG b - 1", KZ_LOSS, 78);
}

/* By the official rules all wins are odd. So the wins that take a ply longer are the even ones by the other rules, and
 * a position that a Try wins is among them; but one of those wins in 1 all the same, since its Try leaves no move. */
static void test_try_rule(void **state) {
    const solutions *s = *state;
    kz_dobutsu_try_rule_report r;
    assert_int_equal(kz_dobutsu_compare_try_rules(s->solver[KZ_DOBUTSU_OFFICIAL], s->solver[KZ_DOBUTSU_SIMPLIFIED],
                                                  s->pool, NULL, &r, NULL),
                     KZ_OK);
    assert_int_equal(r.positions, 231641991);
    assert_int_equal(r.same + r.one_ply_longer, r.positions);
    assert_int_equal(r.one_ply_shorter, 0);
    assert_int_equal(r.further, 0);
    assert_int_equal(r.other_winner, 0);
    assert_int_equal(r.longer_wins + r.longer_losses, r.one_ply_longer);
    kz_histogram h = s->folded[KZ_DOBUTSU_SIMPLIFIED];
    uint64_t even_wins = 0;
    uint64_t odd_losses = 0;
    for (int n = 0; n < KZ_MAX_DISTANCE; n += 2) {
        even_wins += h.wins[n];
        odd_losses += h.losses[n + 1];
    }
    assert_int_equal(r.longer_wins, even_wins);
    assert_int_equal(r.longer_losses, odd_losses);
    assert_int_equal(sum_of(h.wins), 174787315);
    assert_int_equal(sum_of(h.losses), 53793170);
    assert_longest_win(&h, 173, 14);

    kz_dobutsu_reach_tally all = {0};
    kz_dobutsu_reach_count_all(s->reach, 0, s->reach->space->solved_runs, &all);
    assert_int_equal(r.longer_at_once, all.folded[KZ_DOBUTSU_CAN_TRY] - 1);
    assert_value(s, KZ_DOBUTSU_OFFICIAL, "0xcb48d25586", KZ_WIN, 1);
    assert_value(s, KZ_DOBUTSU_SIMPLIFIED, "0xcb48d25586", KZ_WIN, 1);
}

/* What differs by more than a ply is reported as such: the simplified solution compared with one that has not begun. */
static void test_mismatch(void **state) {
    const solutions *s = *state;
    kz_dobutsu_try_rule_report r;
    kz_error error;
    kz_dobutsu_retro *unsolved = kz_dobutsu_retro_new(KZ_DOBUTSU_OFFICIAL, 1);
    assert_non_null(unsolved);
    assert_int_equal(
        kz_dobutsu_compare_try_rules(unsolved, s->solver[KZ_DOBUTSU_SIMPLIFIED], s->pool, NULL, &r, &error),
        KZ_ERR_MISMATCH);
    assert_int_equal(r.positions, 231641991);
    assert_int_equal(r.other_winner, 231641991 - 53793170); /* it calls everything lost in 0 */
    assert_int_equal(r.same, 2);
    assert_true(strstr(error.message, "177848821") != NULL);
    kz_dobutsu_retro_free(unsolved);
}

/* ---- Stopping ---------------------------------------------------------------------------------------------------- */

static bool refuse(void *user, const char *stage, uint64_t done, uint64_t total) {
    (void)user;
    (void)stage;
    (void)done;
    (void)total;
    return false;
}

static void test_cancel(void **state) {
    const solutions *s = *state;
    kz_progress progress = {.report = refuse};
    kz_dobutsu_try_rule_report report;
    kz_count count;
    size_t found = 1;
    kz_error error;
    assert_int_equal(kz_count_positions(s->game, 2, &progress, &count, 1, &found, &error), KZ_ERR_CANCELLED);
    assert_int_equal(error.status, KZ_ERR_CANCELLED);
    assert_int_equal(found, 0);
    assert_int_equal(kz_count_positions(s->game, -1, NULL, &count, 1, &found, &error), KZ_ERR_INPUT);
    assert_int_equal(kz_dobutsu_check_try_rule(2, &progress, &report, &error), KZ_ERR_CANCELLED);
    assert_int_equal(error.status, KZ_ERR_CANCELLED);
    assert_int_equal(kz_dobutsu_check_try_rule(-1, NULL, &report, &error), KZ_ERR_INPUT);
    assert_int_equal(kz_dobutsu_reach_run(s->reach, TANAKA, s->pool, &progress, "stage", &error), KZ_ERR_CANCELLED);
}

/* ---- Tables ------------------------------------------------------------------------------------------------------ */

typedef struct comparison {
    const solutions *s;
    int rules;
    const kz_table *table;
    _Atomic uint64_t compared;
    _Atomic uint64_t wrong;
} comparison;

enum { PIECE = KZ_BLOCK_POSITIONS };

static void compare_pieces(void *context, int worker, uint64_t begin, uint64_t end) {
    comparison *c = context;
    for (uint64_t piece = begin; piece < end; piece++) {
        uint8_t expected[PIECE];
        uint8_t got[PIECE];
        uint64_t first = piece * PIECE;
        uint64_t left = KZ_DOBUTSU_INDEX_SIZE - first;
        size_t count = left < PIECE ? (size_t)left : PIECE;
        kz_source source = kz_dobutsu_retro_source(c->s->solver[c->rules]);
        assert_int_equal(source.read(source.context, worker, piece, expected, NULL), KZ_OK);
        if (kz_table_read(c->table, first, count, got, NULL) != KZ_OK || memcmp(got, expected, count) != 0) {
            c->wrong++;
        }
        c->compared += count;
    }
}

/* Where a table goes: the simplified one is kept for other tests, if they told where. */
static const char *path_of(int rules) {
    const char *kept = getenv("SIMPLIFIED_TABLE");
    return rules == KZ_DOBUTSU_SIMPLIFIED && kept ? kept : "table.kzt";
}

/* Every loss that a table stores, and values of random positions that are looked up in it. */
static void test_tables(void **state) {
    enum { PROBES = 20000 };
    const solutions *s = *state;
    uint64_t pieces = (KZ_DOBUTSU_INDEX_SIZE + PIECE - 1) / PIECE;
    uint64_t seed = 173;
    kz_table *table;
    for (int rules = 0; rules < RULE_SETS; rules++) {
        uint64_t bytes;
        kz_source source = kz_dobutsu_retro_source(s->solver[rules]);
        const char *path = path_of(rules);
        assert_int_equal(
            kz_table_write(s->game, rules, &source, &s->folded[rules], s->pool, path, true, NULL, &bytes, NULL), KZ_OK);
        if (rules == KZ_DOBUTSU_OFFICIAL) {
            /* Another number of threads made the table that all tests share. */
            assert_true(same_contents(path, getenv("DOBUTSU_TABLE")));
        }
        assert_int_equal(kz_table_open(path, &table, NULL), KZ_OK);
        assert_int_equal(kz_table_bytes(table), bytes);
        assert_int_equal(kz_table_rules(table), rules);
        comparison c = {.s = s, .rules = rules, .table = table};
        assert_int_equal(kz_pool_for(s->pool, pieces, 0, compare_pieces, &c, NULL, NULL, NULL), KZ_OK);
        assert_int_equal(c.compared, 231641991);
        assert_int_equal(c.wrong, 0);
        for (int i = 0; i < PROBES; i++) {
            uint64_t index = (uint64_t)sample_below(&seed, KZ_DOBUTSU_INDEX_SIZE);
            kz_value expected = kz_dobutsu_retro_value(s->solver[rules], index);
            kz_dobutsu dobutsu;
            kz_position position;
            kz_value value;
            kz_dobutsu_space_unrank(s->reach->space, index, &dobutsu);
            kz_dobutsu_to_position(&dobutsu, &position);
            assert_int_equal(kz_probe(table, &position, &value, NULL), KZ_OK);
            assert_int_equal(value.outcome, expected.outcome);
            assert_int_equal(value.distance, expected.distance);
        }
        kz_table_close(table);
    }
}

/* ---- The generic way ------------------------------------------------------------------------------------------------
 *
 * The definition's numbers lead from each position to values from which its own follows, and predecessors are listed as
 * often as moves: then the generic solver finds these values as well. With THOROUGH=1 it solves the game, and every
 * value is compared. */

typedef struct generic {
    const solutions *s;
    int rules;
    void *context; /* of the definition */
    kz_any_tier *tier;
    _Atomic uint64_t wrong;
} generic;

static int times(const uint64_t *list, int count, uint64_t number) {
    int found = 0;
    for (int i = 0; i < count; i++) {
        found += list[i] == number;
    }
    return found;
}

static void check_number(generic *g, uint64_t index) {
    const kz_definition *d = &kz_dobutsu_definition;
    uint64_t list[KZ_DOBUTSU_MAX_MOVES];
    uint64_t before[KZ_MAX_PREDECESSORS];
    kz_sight sight = {.win = 0};
    int count = d->numbers_after(g->context, index, list, &sight);
    for (int i = 0; i < count; i++) {
        kz_value next = kz_dobutsu_retro_value(g->s->solver[g->rules], list[i]);
        if (next.outcome == KZ_DRAW) {
            sight.draws = true;
        } else if (next.outcome == KZ_WIN) {
            sight.worst = next.distance > sight.worst ? next.distance : sight.worst;
        } else if (!sight.win || next.distance + 1 < sight.win) {
            sight.win = next.distance + 1;
        }
        int listed = d->numbers_before(g->context, list[i], before);
        g->wrong += times(before, listed, index) != times(list, count, list[i]);
    }
    kz_value here = sight.over != KZ_UNKNOWN ? (kz_value){sight.over, 0}
                    : sight.win              ? (kz_value){KZ_WIN, sight.win}
                    : sight.draws            ? (kz_value){KZ_DRAW, 0}
                                             : (kz_value){KZ_LOSS, sight.worst + 1};
    kz_value value = kz_dobutsu_retro_value(g->s->solver[g->rules], index);
    g->wrong += here.outcome != value.outcome || here.distance != value.distance;
}

enum { GENERIC_SAMPLES = 500000, GENERIC_PIECE = 1000 };

static void check_numbers(void *context, int worker, uint64_t begin, uint64_t end) {
    (void)worker;
    for (uint64_t piece = begin; piece < end; piece++) {
        uint64_t seed = piece + 1;
        for (int i = 0; i < GENERIC_PIECE; i++) {
            check_number(context, (uint64_t)sample_below(&seed, KZ_DOBUTSU_INDEX_SIZE));
        }
    }
}

static void compare_generic(void *context, int worker, uint64_t begin, uint64_t end) {
    generic *g = context;
    (void)worker;
    for (uint64_t index = begin; index < end; index++) {
        kz_value value = kz_dobutsu_retro_value(g->s->solver[g->rules], index);
        unsigned distance = (unsigned)value.distance;
        kz_code expected = value.outcome == KZ_DRAW  ? KZ_CODE_DRAW
                           : value.outcome == KZ_WIN ? kz_code_win(distance)
                                                     : kz_code_loss(distance);
        g->wrong += kz_any_tier_code(g->tier, index) != expected;
    }
}

static void test_generic(void **state) {
    const solutions *s = *state;
    for (int rules = 0; rules < RULE_SETS; rules++) {
        generic g = {.s = s, .rules = rules};
        kz_error error;
        assert_int_equal(kz_dobutsu_definition.open(rules, &g.context, &error), KZ_OK);
        assert_int_equal(
            kz_pool_for(s->pool, GENERIC_SAMPLES / GENERIC_PIECE, 0, check_numbers, &g, NULL, NULL, &error), KZ_OK);
        assert_int_equal(g.wrong, 0);
        if (getenv("THOROUGH")) {
            kz_any_rules any;
            kz_any_lower none = {NULL, NULL};
            assert_int_equal(kz_any_rules_open(&any, &kz_dobutsu_definition, g.context, &error), KZ_OK);
            assert_int_equal(kz_any_tier_solve(&any, 0, &none, s->pool, NULL, &g.tier, &error), KZ_OK);
            assert_int_equal(kz_pool_for(s->pool, KZ_DOBUTSU_INDEX_SIZE, 0, compare_generic, &g, NULL, NULL, &error),
                             KZ_OK);
            assert_int_equal(g.wrong, 0);
            print_message("%s rules: all %d values are those of the kernels\n", kz_rules_name(s->game, rules),
                          KZ_DOBUTSU_INDEX_SIZE);
            kz_any_tier_free(g.tier);
            kz_any_rules_close(&any);
        }
        kz_dobutsu_definition.close(g.context);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_official_totals),
        cmocka_unit_test(test_clauseckers_totals),
        cmocka_unit_test(test_official_values),
        cmocka_unit_test(test_tanakas_figures),
        cmocka_unit_test(test_simplified_totals),
        cmocka_unit_test(test_try_rule),
        cmocka_unit_test(test_mismatch),
        cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_generic),
        cmocka_unit_test(test_packets_counts),
        cmocka_unit_test(test_packets_entries),
        cmocka_unit_test(test_packets_worked_example),
        cmocka_unit_test(test_packets_undecided),
        cmocka_unit_test(test_packets_folder),
        cmocka_unit_test(test_packets_archive),
        cmocka_unit_test(test_packets_fix),
        cmocka_unit_test(test_packets_reading),
    };
    return cmocka_run_group_tests_name("dobutsu solutions", tests, setup, teardown);
}
