/* SPDX-License-Identifier: MIT
 *
 * Values from tables of small boards, from the search, and from the rules alone; and players of all strengths. */
#include "tests/support/dobutsu_samples.h"
#include "tests/support/players.h"
#include "tests/support/pushfight_testing.h"
#include "tests/support/tables.h"

#include "app/engine/players.h"

typedef struct tables {
    kz_table *raft;
    kz_table *hook;
} tables;

static int setup(void **state) {
    static tables t;
    t.raft = solved_board("raft");
    t.hook = solved_board("hook");
    *state = &t;
    return 0;
}

static int teardown(void **state) {
    tables *t = *state;
    kz_table_close(t->raft);
    kz_table_close(t->hook);
    return 0;
}

/* A position of the index, finished games aside. */
static kz_position random_position(const kz_values *values, uint64_t *seed) {
    for (;;) {
        kz_position position;
        uint64_t index = next_random(seed) % kz_index_size(values->game, values->rules);
        kz_unrank(values->game, values->rules, index, &position);
        if (kz_rank(values->game, &position, &index)) {
            return position;
        }
    }
}

/* ---- Values ---------------------------------------------------------------------------------------------------- */

TEST(test_lists) {
    const tables *t = *state;
    uint64_t seed = 1;
    for (int i = 0; i < 400; i++) {
        kz_values values = values_from(i % 2 ? t->raft : t->hook);
        kz_position position = random_position(&values, &seed);
        check_lists(&values, &position);
        position = after_move(&values, &position, chosen(&values, &position, "beginner", false, seed));
        check_lists(&values, &position);
    }
}

/* What a search finds is what the table says, and it finds every near win. */
TEST(test_search) {
    static kz_scored_move moves[KZ_MAX_MOVES];
    const tables *t = *state;
    kz_values known = values_from(t->raft);
    kz_values searched = {.game = known.game, .rules = known.rules, .seconds = 0.5, .value_seconds = 5};
    uint64_t seed = 2;
    for (int i = 0; i < 10; i++) {
        kz_position position = random_position(&known, &seed);
        kz_value real = looked_up(&known, &position);
        kz_value value;
        kz_value best_value;
        kz_move best;
        int count;
        assert_int_equal(kz_values_moves(&searched, &position, &value, moves, &count, NULL), KZ_OK);
        assert_true(value.outcome == KZ_UNKNOWN || same_value(value, real));
        assert_true(real.outcome != KZ_WIN || real.distance > 3 || same_value(value, real));
        for (int k = 0; k < count; k++) {
            assert_true(moves[k].value.outcome == KZ_UNKNOWN ||
                        same_value(moves[k].value, worth_of(&known, &position, moves[k].move)));
        }
        assert_int_equal(kz_values_best(&searched, &position, &best_value, &best, NULL), KZ_OK);
        assert_true(same_value(best_value, value));
        if (best) {
            assert_true(same_value(worth_of(&known, &position, best), real));
        }
    }
}

/* Dobutsu Shogi has no search: without a table only the rules speak. */
TEST(test_rules_alone) {
    static kz_scored_move moves[KZ_MAX_MOVES];
    kz_values values = {.game = kz_game_find("dobutsu"), .seconds = 1};
    kz_position start = dobutsu_at("gle/1c1/1C1/ELG b - 1");
    kz_value value;
    kz_move best;
    int count;
    assert_int_equal(kz_values_moves(&values, &start, &value, moves, &count, NULL), KZ_OK);
    assert_int_equal(value.outcome, KZ_UNKNOWN);
    assert_int_equal(count, 4);
    assert_int_equal(kz_values_best(&values, &start, &value, &best, NULL), KZ_OK);
    assert_int_equal(best, 0);
    /* A chick before a lion that it can take. */
    kz_position winning = dobutsu_at("1l1/1C1/3/1L1 b EGcge 1");
    assert_int_equal(kz_values_best(&values, &winning, &value, &best, NULL), KZ_OK);
    assert_true(same_value(value, (kz_value){KZ_WIN, 1}));
    kz_position won = after_move(&values, &winning, best);
    assert_int_equal(kz_moves(values.game, 0, &won, &best), 0);
    assert_int_equal(kz_values_best(&values, &won, &value, &best, NULL), KZ_OK);
    assert_true(same_value(value, (kz_value){KZ_LOSS, 0}));
    assert_int_equal(best, 0);
    /* A player sees it, too. */
    assert_true(kz_choose_move(&values, &winning, (kz_player){.level = kz_level_find("perfect")}, &best, NULL) ==
                KZ_OK);
    won = after_move(&values, &winning, best);
    assert_true(same_value(kz_immediate(values.game, 0, &won), (kz_value){KZ_LOSS, 0}));
}

/* ---- Players --------------------------------------------------------------------------------------------------- */

TEST(test_level_names) {
    static const char *const names[] = {"beginner", "easy", "medium", "hard", "expert", "perfect"};
    for (int i = 0; i < 6; i++) {
        assert_string_equal(kz_level_name(i), names[i]);
        assert_int_equal(kz_level_find(names[i]), i);
    }
    assert_null(kz_level_name(6));
    assert_null(kz_level_name(-1));
    assert_int_equal(kz_level_find("Perfect"), -1);
    kz_values values = {.game = kz_game_find("dobutsu")};
    kz_position start = dobutsu_at("gle/1c1/1C1/ELG b - 1");
    kz_error error;
    kz_move move;
    assert_int_equal(kz_choose_move(&values, &start, (kz_player){.level = 6}, &move, &error), KZ_ERR_INPUT);
    assert_string_equal(error.message, "there is no level number 6");
    assert_int_equal(kz_choose_move(&values, &start, (kz_player){.level = -1}, &move, &error), KZ_ERR_INPUT);
}

TEST(test_perfection) {
    const tables *t = *state;
    uint64_t seed = 3;
    for (int i = 0; i < 60; i++) {
        kz_values values = values_from(i % 2 ? t->raft : t->hook);
        kz_position position = random_position(&values, &seed);
        check_perfection(&values, &position, seed);
    }
}

TEST(test_seeds) {
    const tables *t = *state;
    static const char *const levels[] = {"beginner", "easy", "medium", "hard", "expert", "perfect"};
    kz_values values = values_from(t->hook);
    uint64_t seed = 4;
    for (int level = 0; level < 6; level++) {
        int different = 0;
        for (int i = 0; i < 50; i++) {
            kz_position position = random_position(&values, &seed);
            kz_move first = chosen(&values, &position, levels[level], i % 2, 10);
            assert_int_equal(chosen(&values, &position, levels[level], i % 2, 10), first);
            different += chosen(&values, &position, levels[level], i % 2, 11) != first;
        }
        assert_true(different > 0);
    }
    /* The number of the move is no part of the position. */
    values = (kz_values){.game = kz_game_find("dobutsu")};
    kz_position early = dobutsu_at("gle/1c1/1C1/ELG b - 1");
    kz_position late = dobutsu_at("gle/1c1/1C1/ELG b - 9");
    for (uint64_t i = 0; i < 20; i++) {
        assert_int_equal(chosen(&values, &early, "medium", false, i), chosen(&values, &late, "medium", false, i));
    }
}

/* Weaker players give more away, and none of them always does: of positions that are won, they win fewer. */
TEST(test_mistakes) {
    const tables *t = *state;
    kz_values values = values_from(t->hook);
    int kept[6] = {0};
    int won = 0;
    uint64_t seed = 5;
    while (won < 300) {
        kz_position position = random_position(&values, &seed);
        kz_value value = looked_up(&values, &position);
        if (value.outcome != KZ_WIN || value.distance < 5) {
            continue;
        }
        won++;
        for (int level = 0; level < 6; level++) {
            kz_move move = chosen(&values, &position, kz_level_name(level), false, seed);
            kept[level] += worth_of(&values, &position, move).outcome == KZ_WIN;
        }
    }
    assert_true(kept[0] > 0);
    assert_true(kept[0] < won / 2);
    assert_true(kept[0] < kept[2]);
    assert_true(kept[2] < kept[4]);
    assert_int_equal(kept[5], won);
}

/* How often players of the weaker levels, by their own choices, lose with their next move. */
static double tried_chance(const kz_values *values, const kz_position *position, int tries) {
    int losses = 0, all = 0;
    for (int level = 0; strcmp(kz_level_name(level), "perfect") != 0; level++) {
        for (int i = 0; i < tries; i++, all++) {
            kz_move move = chosen(values, position, kz_level_name(level), false, 1000 * (uint64_t)level + (uint64_t)i);
            losses += worth_of(values, position, move).outcome == KZ_LOSS;
        }
    }
    return (double)losses / all;
}

/* The chance that is worked out is the one that the players themselves have. */
TEST(test_chance_of_losing) {
    const tables *t = *state;
    kz_values values = values_from(t->hook);
    uint64_t seed = 8;
    double apart = 0, largest = 0;
    enum { POSITIONS = 40, TRIES = 100 };
    for (int drawn = 0; drawn < POSITIONS;) {
        kz_position position = random_position(&values, &seed);
        if (looked_up(&values, &position).outcome != KZ_DRAW) {
            continue;
        }
        drawn++;
        int budget = 50000;
        double chance;
        assert_int_equal(kz_chance_of_losing(&values, &position, &budget, &chance, NULL), KZ_OK);
        double tried = tried_chance(&values, &position, TRIES);
        apart += (chance > tried ? chance - tried : tried - chance) / POSITIONS;
        largest = tried > largest ? tried : largest;
    }
    assert_true(largest > 0.2); /* or all of them would be near 0 */
    assert_true(apart < 0.04);  /* the players choose with seeds that never change */
}

static double trap_of(const kz_values *values, const kz_position *position, kz_move move) {
    kz_position after = after_move(values, position, move);
    int budget = 50000;
    double chance;
    assert_int_equal(kz_chance_of_losing(values, &after, &budget, &chance, NULL), KZ_OK);
    return chance;
}

/* In a drawn position the perfect player keeps the draw, and on average sets better traps than one who takes any move
 * that draws. */
TEST(test_traps) {
    static kz_move moves[KZ_MAX_MOVES];
    const tables *t = *state;
    kz_values values = values_from(t->hook);
    uint64_t seed = 6;
    int drawn = 0, better = 0, worse = 0;
    while (drawn < 300) {
        kz_position position = random_position(&values, &seed);
        if (looked_up(&values, &position).outcome != KZ_DRAW) {
            continue;
        }
        drawn++;
        kz_move move = chosen(&values, &position, "perfect", false, seed);
        assert_int_equal(worth_of(&values, &position, move).outcome, KZ_DRAW);
        double sum = 0;
        int drawing = 0;
        int count = kz_moves(values.game, values.rules, &position, moves);
        for (int i = 0; i < count; i++) {
            if (worth_of(&values, &position, moves[i]).outcome == KZ_DRAW) {
                sum += trap_of(&values, &position, moves[i]);
                drawing++;
            }
        }
        double found = trap_of(&values, &position, move);
        better += found > sum / drawing + 1e-9;
        worse += found < sum / drawing - 1e-9;
    }
    assert_true(better > 3); /* or there would be nothing to choose between */
    assert_true(better > worse);
}

/* The perfect player does not come back to a position that was there before, as long as another move draws. */
TEST(test_no_way_back) {
    static kz_move moves[KZ_MAX_MOVES];
    static kz_position past[KZ_MAX_MOVES];
    const tables *t = *state;
    kz_values values = values_from(t->hook);
    kz_player player = {.level = kz_level_find("perfect")};
    uint64_t seed = 7;
    for (int tried = 0; tried < 20;) {
        kz_position position = random_position(&values, &seed);
        int count = kz_moves(values.game, values.rules, &position, moves), drawing = 0;
        for (int i = 0; i < count; i++) {
            if (looked_up(&values, &position).outcome == KZ_DRAW &&
                worth_of(&values, &position, moves[i]).outcome == KZ_DRAW) {
                past[drawing++] = after_move(&values, &position, moves[i]);
            }
        }
        if (drawing < 2) {
            continue;
        }
        tried++;
        /* All of them but one were there: that one is chosen, whatever chance says. It may be reached in several ways.
         */
        kz_position only = past[drawing - 1];
        int others = 0;
        for (int i = 0; i < drawing; i++) {
            if (!kz_same(values.game, &past[i], &only)) {
                past[others++] = past[i];
            }
        }
        for (player.seed = 0; player.seed < 10; player.seed++) {
            kz_move move;
            assert_int_equal(kz_choose_move_after(&values, (kz_past){past, others}, &position, player, &move, NULL),
                             KZ_OK);
            kz_position after = after_move(&values, &position, move);
            assert_true(kz_same(values.game, &after, &only));
        }
        /* If all were there, one of them is taken all the same. */
        past[others++] = only;
        kz_move move;
        assert_int_equal(kz_choose_move_after(&values, (kz_past){past, others}, &position, player, &move, NULL), KZ_OK);
        assert_int_equal(worth_of(&values, &position, move).outcome, KZ_DRAW);
    }
}

TESTS(setup, teardown)
