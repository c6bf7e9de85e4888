/* SPDX-License-Identifier: MIT
 *
 * What the registry offers for any game: names, distances as people count them, and what a game may leave out. */
#include "tests/testing.h"

#include <kanzen/game.h>
#include <string.h>

static void test_names(void **state) {
    (void)state;
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
static void test_start(void **state) {
    (void)state;
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
static void test_distances(void **state) {
    (void)state;
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

static void test_no_search(void **state) {
    (void)state;
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_start),
        cmocka_unit_test(test_distances),
        cmocka_unit_test(test_no_search),
    };
    return cmocka_run_group_tests_name("games", tests, NULL, NULL);
}
