/* SPDX-License-Identifier: MIT
 *
 * What the registry offers for any game: names, distances as people count them, and what a game may leave out. */
#include "game/gamedef.h"
#include "tests/support/testing.h"

#include <kanzen/define.h>
#include <kanzen/game.h>
#include <kanzen/values.h>
#include <pthread.h>
#include <string.h>

TEST(test_names) {
    size_t count = 0;
    while (kz_game_at(count)) {
        const kz_game *game = kz_game_at(count++);
        assert_ptr_equal(kz_game_find(kz_game_name(game)), game);
        assert_int_equal(kz_rules_find(game, NULL), 0);
        assert_int_equal(kz_rules_find(game, kz_rules_name(game, 0)), 0);
        assert_int_equal(kz_rules_find(game, "no such rules"), -1);
        assert_null(kz_rules_name(game, -1));
        for (int notation = 0; kz_notation_name(game, notation); notation++) {
            assert_int_equal(kz_notation_find(game, kz_notation_name(game, notation)), notation);
        }
    }
    assert_int_equal(count, 2);
    assert_null(kz_game_at(count));
    assert_null(kz_game_find("chess"));
}

/* By every rule set, the start position can be written and read again in each notation that can hold it. */
TEST(test_start) {
    for (size_t number = 0; kz_game_at(number); number++) {
        const kz_game *game = kz_game_at(number);
        for (int rules = 0; kz_rules_name(game, rules); rules++) {
            kz_position start;
            kz_start(game, rules, &start);
            assert_true(kz_index_size(game, rules) > 0);
            for (int notation = 0; kz_notation_name(game, notation); notation++) {
                char text[KZ_TEXT_BYTES];
                kz_position back;
                if (kz_format(game, &start, notation, text, sizeof text, NULL) != KZ_OK) {
                    assert_int_not_equal(notation, 0);
                    continue;
                }
                assert_int_equal(kz_parse(game, rules, text, strlen(text), &back, NULL), KZ_OK);
                const char *end = strchr(text, '\n');
                int lines = 1;
                for (const char *next = end; next; next = strchr(next + 1, '\n')) {
                    lines++;
                }
                size_t first = end ? (size_t)(end - text) : strlen(text);
                assert_int_equal(kz_position_lines(game, rules, text, first), lines);
            }
        }
    }
}

/* Push Fight counts the turns of the side to move: plies 1, 3, 5 are its turns 1, 2, 3, and a loss in 2k plies comes
 * after k turns. */
TEST(test_distances) {
    const kz_game *dobutsu = kz_game_find("dobutsu");
    const kz_game *pushfight = kz_game_find("pushfight");
    assert_string_equal(kz_distance_unit(dobutsu), "plies");
    assert_string_equal(kz_distance_unit(pushfight), "turns");
    assert_int_equal(kz_distance_shown(dobutsu, (kz_value){KZ_WIN, 173}), 173);
    assert_int_equal(kz_distance_shown(pushfight, (kz_value){KZ_WIN, 1}), 1);
    assert_int_equal(kz_distance_shown(pushfight, (kz_value){KZ_WIN, 97}), 49);
    assert_int_equal(kz_distance_shown(pushfight, (kz_value){KZ_LOSS, 0}), 0);
    assert_int_equal(kz_distance_shown(pushfight, (kz_value){KZ_LOSS, 2}), 1);
    assert_int_equal(kz_distance_shown(pushfight, (kz_value){KZ_LOSS, 96}), 48);
    assert_int_equal(kz_distance_shown(pushfight, (kz_value){KZ_DRAW, 0}), 0);
}

TEST(test_no_search) {
    const kz_game *dobutsu = kz_game_find("dobutsu");
    kz_position start;
    kz_value value = {KZ_WIN, 1};
    kz_error error;
    kz_start(dobutsu, 0, &start);
    assert_false(kz_can_prove(dobutsu));
    assert_int_equal(kz_prove(dobutsu, 0, &start, NULL, &value, &error), KZ_ERR_UNSUPPORTED);
    assert_int_equal(value.outcome, KZ_UNKNOWN);
    assert_non_null(strstr(error.message, "dobutsu"));
    assert_true(kz_can_prove(kz_game_find("pushfight")));
}

/* The last bytes of a position are no game's; in one that comes from elsewhere there may be anything. */
TEST(test_bytes_of_nobody) {
    for (size_t i = 0; kz_game_at(i); i++) {
        const kz_game *game = kz_game_at(i);
        kz_position start;
        char text[KZ_TEXT_BYTES];
        char again[KZ_TEXT_BYTES];
        kz_start(game, 0, &start);
        assert_int_equal(kz_format(game, &start, 0, text, sizeof text, NULL), KZ_OK);
        kz_position other = start;
        memset((uint8_t *)&other + KZ_GAME_BYTES, 0xFF, sizeof other - KZ_GAME_BYTES);
        assert_int_equal(kz_validate(game, 0, &other, NULL), KZ_OK);
        assert_int_equal(kz_format(game, &other, 0, again, sizeof again, NULL), KZ_OK);
        assert_string_equal(again, text);
        assert_string_equal(kz_side_to_move(game, &other), kz_side_to_move(game, &start));
        assert_true(kz_same(game, &other, &start));
    }
}

/* A game in which every position has the same moves, 1 to `made_up_moves`. */
static int made_up_moves;
static uint64_t played[256];

static int list_made_up(const void *context, const kz_position *position, kz_move *moves) {
    (void)context;
    (void)position;
    for (int i = 0; i < made_up_moves; i++) {
        moves[i] = (kz_move)(i + 1);
    }
    return made_up_moves;
}

static void play_made_up(const void *context, kz_position *position, kz_move move) {
    (void)context;
    (void)position;
    played[move]++;
}

static kz_outcome never_over(const void *context, const kz_position *position) {
    (void)context;
    (void)position;
    return KZ_UNKNOWN;
}

/* Long lists of moves, and more plies than a stack would hold. */
TEST(test_perft) {
    static const kz_definition definition = {
        .max_moves = 200, .moves = list_made_up, .play = play_made_up, .result = never_over};
    void *const contexts[] = {NULL};
    static const kz_doors doors = {.solve = NULL};
    kz_game game = {.definition = &definition, .doors = &doors, .contexts = contexts};
    kz_position position = {{0}};
    made_up_moves = 200;
    assert_int_equal(kz_perft(&game, 0, &position, 0), 1);
    assert_int_equal(kz_perft(&game, 0, &position, 1), 200);
    assert_int_equal(kz_perft(&game, 0, &position, 3), 8000000);
    for (int move = 1; move <= made_up_moves; move++) { /* of the first ply and of the second */
        assert_int_equal(played[move], 1 + 200);
    }
    assert_int_equal(played[0], 0);
    assert_int_equal(played[made_up_moves + 1], 0);
    made_up_moves = 1;
    assert_int_equal(kz_perft(&game, 0, &position, 300000), 1);
}

/* A game with few moves needs little stack, whatever other games need. */
static void *count_on_small_stack(void *context) {
    const kz_game *game = kz_game_find("dobutsu");
    kz_position position;
    kz_values values = {.game = game};
    kz_value value;
    kz_move best = 0;
    uint64_t *count = context;
    kz_start(game, 0, &position);
    *count = kz_perft(game, 0, &position, 3);
    assert_int_equal(kz_values_best(&values, &position, &value, &best, NULL), KZ_OK);
    kz_player player = {.level = 0, .seed = 1};
    assert_int_equal(kz_choose_move(&values, &position, player, &best, NULL), KZ_OK);
    assert_true(best != 0);
    return NULL;
}

TEST(test_small_stack) {
    enum { STACK_BYTES = 80 << 10 };
    pthread_attr_t small;
    pthread_t thread;
    uint64_t count = 0;
    assert_int_equal(pthread_attr_init(&small), 0);
    assert_int_equal(pthread_attr_setstacksize(&small, STACK_BYTES), 0);
    assert_int_equal(pthread_create(&thread, &small, count_on_small_stack, &count), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    pthread_attr_destroy(&small);
    assert_int_equal(count, 123); /* as published: see test_dobutsu_rules.c */
    assert_true(kz_max_moves(kz_game_find("dobutsu"), 0) <= 128);
    assert_true(kz_max_moves(kz_game_find("pushfight"), 0) <= KZ_MAX_MOVES);
}

/* A struct that nobody filled in, one of another board, and single wrong bytes are refused; what the library makes is
 * not. */
TEST(test_validate) {
    const kz_position zero = {{0}};
    kz_error error;
    kz_value value;
    kz_move best;
    for (size_t i = 0; kz_game_at(i); i++) {
        const kz_game *game = kz_game_at(i);
        kz_values values = {.game = game, .value_seconds = 0.01};
        for (int rules = 0; kz_rules_name(game, rules); rules++) {
            kz_position position;
            values.rules = rules;
            assert_int_equal(kz_validate(game, rules, &zero, &error), KZ_ERR_INPUT);
            assert_true(error.message[0]);
            assert_int_equal(kz_values_best(&values, &zero, &value, &best, &error), KZ_ERR_INPUT);
            kz_start(game, rules, &position);
            assert_int_equal(kz_validate(game, rules, &position, &error), KZ_OK);
            for (size_t byte = 0; byte < 16; byte++) { /* where the pieces are, in all games */
                kz_position damaged = position;
                ((uint8_t *)damaged.words)[byte] ^= 0xA5;
                assert_int_equal(kz_validate(game, rules, &damaged, &error), KZ_ERR_INPUT);
            }
        }
    }
    const kz_game *pushfight = kz_game_find("pushfight");
    kz_position mini;
    kz_start(pushfight, kz_rules_find(pushfight, "mini"), &mini);
    assert_int_equal(kz_validate(pushfight, 0, &mini, &error), KZ_ERR_INPUT);
}

TESTS(NULL, NULL)
