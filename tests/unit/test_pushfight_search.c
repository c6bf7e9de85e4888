/* SPDX-License-Identifier: MIT
 *
 * Proofs by search: what is published about the standard board, and small boards and single turns by the plain rules.
 */
#include "tests/support/forge.h"
#include "tests/support/pushfight_testing.h"
#include "tests/support/testing.h"

#include "base/pool.h"
#include "games/pushfight/check/plain.h"
#include "games/pushfight/rules/successors.h"
#include "games/pushfight/rules/wins_at_once.h"
#include "games/pushfight/search/search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STANDARD = 0, MINI = 1, CORRIDOR = 5, RAFT = 6, HOOK = 7, MOST_NEXT = 40000 };

static kz_pf_plain *open_board(int number) {
    kz_pf_plain *plain = NULL;
    assert_int_equal(kz_pf_plain_open(kz_pf_board_at(number), &plain, NULL), KZ_OK);
    return plain;
}

static kz_pf_position position_of(int number, const uint8_t *codes) {
    const kz_pf_board *board = kz_pf_board_at(number);
    kz_pf_position position = {.anchor = KZ_PF_NO_ANCHOR, .board = (uint8_t)number};
    for (int i = 0; i < kz_pf_square_count(board); i++) {
        int bit = kz_pf_square_bit(board, i);
        uint32_t square = UINT32_C(1) << bit;
        position.own_movers |= codes[i] == KZ_PF_PLAIN_OWN_MOVER ? square : 0;
        position.own_pushers |= codes[i] == KZ_PF_PLAIN_OWN_PUSHER ? square : 0;
        position.enemy_movers |= codes[i] == KZ_PF_PLAIN_ENEMY_MOVER ? square : 0;
        position.enemy_pushers |= codes[i] >= KZ_PF_PLAIN_ENEMY_PUSHER ? square : 0;
        position.anchor = codes[i] == KZ_PF_PLAIN_ANCHORED ? (int8_t)bit : position.anchor;
    }
    return position;
}

static kz_pf_sides sides_of(const kz_pf_position *position) {
    return (kz_pf_sides){position->own_movers, position->own_pushers, position->enemy_movers, position->enemy_pushers,
                         kz_pf_anchor_square(position)};
}

static kz_pf_position read_position(int number, const char *text) {
    uint8_t codes[KZ_PF_MOST_SQUARES];
    for (int i = 0; text[i]; i++) {
        codes[i] = (uint8_t)(strchr(KZ_PF_PLAIN_LETTERS, text[i]) - KZ_PF_PLAIN_LETTERS);
    }
    return position_of(number, codes);
}

/* Some position of the board, every fourth time one without an anchor. */
static void random_codes(const kz_pf_plain *plain, uint64_t *random, uint8_t *codes) {
    kz_pf_plain_unrank(plain, next_random(random) % plain->permutations, codes);
    bool lift = next_random(random) % 4 == 0;
    for (int i = 0; i < plain->squares && lift; i++) {
        codes[i] = codes[i] == KZ_PF_PLAIN_ANCHORED ? KZ_PF_PLAIN_ENEMY_PUSHER : codes[i];
    }
}

/* The published byte of a value that is known. */
static int byte_of(kz_value value) { return value.outcome == KZ_UNKNOWN ? 0 : value.distance + 1; }

static int prove(const kz_pf_position *position, int turns, int threads) {
    kz_value value;
    assert_int_equal(kz_pf_prove(position, turns, threads, NULL, &value, NULL), KZ_OK);
    assert_true(value.outcome == (value.distance % 2 ? KZ_WIN : byte_of(value) ? KZ_LOSS : KZ_UNKNOWN));
    return byte_of(value);
}

/* ---- A single turn ------------------------------------------------------------------------------------------- */

static bool visit_until_win(void *context, const kz_pf_plain_turn *turn, const uint8_t *next) {
    (void)context;
    (void)turn;
    return next;
}

TEST(test_wins_at_once) {
    enum { KEPT = 32 };
    uint64_t random = 20240607;
    for (int number = 0; kz_pf_board_at(number); number++) {
        kz_pf_plain *plain = open_board(number);
        kz_pf_edges edges;
        kz_pf_edges_init(&edges, kz_pf_board_at(number));
        kz_pf_threat kept[KEPT];
        size_t threats = 0;
        for (int i = 0; i < 2000 / FEWER; i++) {
            uint8_t codes[KZ_PF_MOST_SQUARES];
            random_codes(plain, &random, codes);
            bool wins = !kz_pf_plain_turns(plain, codes, visit_until_win, NULL);
            kz_pf_position position = position_of(number, codes);
            kz_pf_attack attack = {position.own_movers, position.own_pushers, kz_pf_enemy(&position),
                                   kz_pf_anchor_square(&position)};
            kz_pf_threat threat;
            assert_int_equal(kz_pf_wins_at_once(&edges, &attack, &threat), wins);
            if (wins) {
                assert_true(kz_pf_threat_holds(&threat, &attack));
                kept[threats++ % KEPT] = threat;
            }
            for (size_t k = 0; k < threats && k < KEPT && !wins; k++) {
                assert_false(kz_pf_threat_holds(&kept[k], &attack));
            }
        }
        kz_pf_plain_close(plain);
    }
}

typedef struct found {
    int number;
    kz_pf_sides *items;
    size_t count;
    bool wins;
} found;

static bool visit_plain(void *context, const kz_pf_plain_turn *turn, const uint8_t *next) {
    found *f = context;
    (void)turn;
    f->wins = f->wins || !next;
    if (next) {
        kz_pf_position position = position_of(f->number, next);
        assert_true(f->count < MOST_NEXT);
        f->items[f->count++] = sides_of(&position);
    }
    return !f->wins;
}

static bool visit_fast(void *context, const kz_pf_steps *turn, const kz_pf_sides *next) {
    found *f = context;
    (void)turn;
    assert_true(f->count < MOST_NEXT);
    f->items[f->count++] = *next;
    return true;
}

static int compare_sides(const void *a, const void *b) { return memcmp(a, b, sizeof(kz_pf_sides)); }

static void sort_and_unite(found *f) {
    qsort(f->items, f->count, sizeof *f->items, compare_sides);
    size_t count = 0;
    for (size_t i = 0; i < f->count; i++) {
        if (count == 0 || compare_sides(&f->items[i], &f->items[count - 1])) {
            f->items[count++] = f->items[i];
        }
    }
    f->count = count;
}

TEST(test_successors) {
    uint64_t random = 8;
    found plain_found = {.items = malloc(MOST_NEXT * sizeof(kz_pf_sides))};
    found fast_found = {.items = malloc(MOST_NEXT * sizeof(kz_pf_sides))};
    for (int number = 0; kz_pf_board_at(number); number++) {
        const kz_pf_board *board = kz_pf_board_at(number);
        kz_pf_plain *plain = open_board(number);
        for (int i = 0; i < 100; i++) {
            uint8_t codes[KZ_PF_MOST_SQUARES];
            random_codes(plain, &random, codes);
            plain_found = (found){.number = number, .items = plain_found.items};
            kz_pf_plain_turns(plain, codes, visit_plain, &plain_found);
            if (plain_found.wins) {
                continue;
            }
            kz_pf_position position = position_of(number, codes);
            kz_pf_sides sides = sides_of(&position);
            fast_found.count = 0;
            assert_true(kz_pf_each_successor(board, &sides, visit_fast, &fast_found));
            assert_true(fast_found.count <= kz_pf_most_successors(board));
            sort_and_unite(&plain_found);
            sort_and_unite(&fast_found);
            assert_int_equal(fast_found.count, plain_found.count);
            assert_memory_equal(fast_found.items, plain_found.items, plain_found.count * sizeof *plain_found.items);
        }
        kz_pf_plain_close(plain);
    }
    free(plain_found.items);
    free(fast_found.items);
}

/* ---- Values -------------------------------------------------------------------------------------------------- */

TEST(test_published_values) {
    FILE *file = open_source("tests/data/pushfight/search-samples.tsv");
    char line[128];
    int seen = 0;
    while (fgets(line, sizeof line, file)) {
        int value;
        char text[27];
        if (sscanf(line, "%d\t%26s", &value, text) == 2) {
            kz_pf_position position = read_position(STANDARD, text);
            int expected = value <= 2 * KZ_PF_PROVE_TURNS ? value : 0;
            if (prove(&position, KZ_PF_PROVE_TURNS, 1) != expected) {
                fail_msg("%s is not proved to be %d", text, expected);
            }
            seen++;
        }
    }
    fclose(file);
    assert_in_range(seen, 40, 1000);
}

/* Every value up to `turns`, as the plain rules say it, for every so many-th position. */
static void compare_board(int number, uint64_t step, int turns, int threads) {
    kz_pf_plain *plain = open_board(number);
    kz_pool *pool = kz_pool_new(0, NULL);
    uint8_t *values = malloc(plain->permutations);
    assert_non_null(values);
    assert_int_equal(kz_pf_plain_solve(plain, false, pool, values, NULL), KZ_OK);
    for (uint64_t index = 0; index < plain->permutations; index += step) {
        uint8_t codes[KZ_PF_MOST_SQUARES];
        kz_pf_plain_unrank(plain, index, codes);
        bool lift = index / step % 4 == 0;
        for (int i = 0; i < plain->squares && lift; i++) {
            codes[i] = codes[i] == KZ_PF_PLAIN_ANCHORED ? KZ_PF_PLAIN_ENEMY_PUSHER : codes[i];
        }
        int value = kz_pf_plain_value(plain, values, codes);
        kz_pf_position position = position_of(number, codes);
        assert_int_equal(prove(&position, turns, threads), value <= 2 * turns ? value : 0);
    }
    free(values);
    kz_pool_free(pool);
    kz_pf_plain_close(plain);
}

TEST(test_corridor) {
    compare_board(CORRIDOR, 1, KZ_PF_PROVE_TURNS, 1);
    compare_board(CORRIDOR, 7, KZ_PF_PROVE_MOST_TURNS, 1);
}

TEST(test_raft) { compare_board(RAFT, 53, KZ_PF_PROVE_TURNS, 1); }

TEST(test_hook) {
    compare_board(HOOK, 41, KZ_PF_PROVE_TURNS, 1);
    compare_board(HOOK, 4001, KZ_PF_PROVE_MOST_TURNS, 2);
}

/* ---- What is asked and answered -------------------------------------------------------------------------------- */

#define LOST_IN_1 ".YOOoO.X...x....x..Xo....."
#define WON_IN_2 ".YO....XxX.O...o.Ox...o..."
#define WON_IN_3 ".Yo..OX.......Xx..OO..xo.."

TEST(test_turns) {
    kz_pf_position lost = read_position(STANDARD, LOST_IN_1);
    kz_pf_position near = read_position(STANDARD, WON_IN_2);
    kz_pf_position far = read_position(STANDARD, WON_IN_3);
    assert_int_equal(prove(&lost, 1, 1), 0);
    assert_int_equal(prove(&lost, 2, 1), 3);
    assert_int_equal(prove(&near, 1, 1), 0);
    assert_int_equal(prove(&near, 2, 1), 4);
    assert_int_equal(prove(&far, 2, 1), 0);
    assert_int_equal(prove(&far, 3, 1), 6);
    assert_int_equal(prove(&far, 3, 2), 6);
    assert_int_equal(prove(&far, 3, 0), 6);
}

static bool stop_at_once(void *user, const char *stage, uint64_t done, uint64_t total) {
    (void)stage;
    (void)done;
    (void)total;
    ++*(int *)user;
    return false;
}

TEST(test_cancel) {
    kz_pf_position far = read_position(STANDARD, WON_IN_3);
    int calls = 0;
    kz_progress progress = {stop_at_once, &calls};
    kz_value value;
    kz_error error;
    assert_int_equal(kz_pf_prove(&far, 3, 2, &progress, &value, &error), KZ_ERR_CANCELLED);
    assert_int_equal(calls, 1);
}

static void assert_refused(const kz_pf_position *position, int turns, const char *reason) {
    kz_value value;
    kz_error error;
    assert_int_equal(kz_pf_prove(position, turns, 1, NULL, &value, &error), KZ_ERR_INPUT);
    assert_non_null(strstr(error.message, reason));
}

TEST(test_refused) {
    kz_pf_position good = read_position(STANDARD, WON_IN_2);
    kz_pf_position bad = good;
    assert_refused(&good, 0, "turns");
    assert_refused(&good, KZ_PF_PROVE_MOST_TURNS + 1, "turns");
    bad.board = 99;
    assert_refused(&bad, 3, "board");
    bad = good;
    bad.board = MINI;
    assert_refused(&bad, 3, "beside the board");
    bad = good;
    bad.own_movers |= bad.own_pushers & -bad.own_pushers;
    assert_refused(&bad, 3, "two pieces");
    bad = good;
    bad.enemy_movers &= bad.enemy_movers - 1;
    assert_refused(&bad, 3, "number of pieces");
    bad = good;
    bad.anchor = (int8_t)kz_lowest_bit32(bad.enemy_movers);
    assert_refused(&bad, 3, "anchor");
    bad.anchor = 100;
    assert_refused(&bad, 3, "anchor");
    kz_value value;
    kz_error error;
    assert_int_equal(kz_pf_prove(&good, 3, -1, NULL, &value, &error), KZ_ERR_INPUT);
    assert_non_null(strstr(error.message, "threads"));
}

TEST(test_finished) {
    kz_pf_position position = read_position(STANDARD, WON_IN_2);
    position.own_movers &= position.own_movers - 1;
    assert_int_equal(prove(&position, 1, 1), 1);
}

TESTS(NULL, NULL)
