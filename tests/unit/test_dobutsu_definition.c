/* SPDX-License-Identifier: MIT
 *
 * Dobutsu Shogi as a definition keeps the laws of definitions, and agrees with the game that its kernels belong to. */
#include "games/dobutsu/rules/definition.h"
#include "tests/support/testing.h"

#include <kanzen/load.h>
#include <kanzen/selftest.h>
#include <string.h>

static const kz_game *opened(void) {
    const kz_game *game;
    kz_error error = {KZ_OK, ""};
    if (kz_game_open(&kz_dobutsu_definition, &game, &error) != KZ_OK) {
        print_error("%s\n", error.message);
        fail();
    }
    return game;
}

TEST(test_laws) {
    const kz_game *game = opened();
    for (int rules = 0; kz_rules_name(game, rules); rules++) {
        static kz_selftest_report report;
        kz_selftest_options options = {.positions = 2000, .seed = 1, .threads = 2};
        if (kz_selftest(game, rules, &options, NULL, &report, NULL) != KZ_OK) {
            print_error("%s: %s\n", report.position, report.problem);
            fail();
        }
        assert_true(report.counts[KZ_SELFTEST_PREDECESSOR] > 1000);
    }
    kz_game_close(game);
}

/* The same numbers, moves and results; with the tables of an opened game and without. */
TEST(test_same) {
    const kz_game *defined = opened();
    const kz_game *game = kz_game_find("dobutsu");
    assert_ptr_equal(kz_game_definition(game), &kz_dobutsu_definition);
    for (int rules = 0; kz_rules_name(game, rules); rules++) {
        for (uint64_t index = 0; index < kz_index_size(game, rules); index += 1234567) {
            kz_position one;
            kz_position other;
            char texts[2][KZ_TEXT_BYTES];
            uint64_t back;
            assert_true(kz_unrank(game, rules, index, &one));
            assert_true(kz_unrank(defined, rules, index, &other));
            assert_int_equal(kz_format(game, &one, 0, texts[0], KZ_TEXT_BYTES, NULL), KZ_OK);
            assert_int_equal(kz_format(defined, &other, 0, texts[1], KZ_TEXT_BYTES, NULL), KZ_OK);
            assert_string_equal(texts[0], texts[1]);
            assert_true(kz_rank(defined, &other, &back) && back == index);
            assert_true(kz_dobutsu_definition.rank(kz_game_context(game, rules), &one) == index);
            kz_move lists[2][KZ_DEFINE_MAX_MOVES];
            int count = kz_moves(game, rules, &one, lists[0]);
            assert_int_equal(kz_moves(defined, rules, &other, lists[1]), count);
            assert_memory_equal(lists[0], lists[1], (size_t)count * sizeof lists[0][0]);
        }
    }
    kz_game_close(defined);
}

TESTS(NULL, NULL)
