/* SPDX-License-Identifier: MIT
 * labels: server
 *
 * What the page asks about a game that is defined, and that does not come with Kanzen: its board, and all that it asks
 * about any game. */
#include "tests/support/api_answers.h"
#include "tests/support/testing.h"
#include "tests/support/tictactoe.h"

#include <kanzen/load.h>
#include <kanzen/solve.h>
#include <unistd.h>

typedef struct fixture {
    const kz_game *game;
    kz_table *table;
    kz_api *api;
} fixture;

static int open_all(void **state) {
    static fixture f;
    kz_summary summary;
    kz_error error;
    kz_solve_options options = {.threads = 1};
    assert_int_equal(kz_game_open(kanzen_game(), &f.game, &error), KZ_OK);
    assert_int_equal(kz_solve(f.game, 0, "tictactoe.kzt", &options, &summary, &error), KZ_OK);
    assert_int_equal(summary.positions, 765);
    assert_int_equal(kz_table_open("tictactoe.kzt", &f.table, &error), KZ_ERR_CORRUPT); /* a game that nobody knows */
    assert_int_equal(kz_table_open_as("tictactoe.kzt", kz_game_find("dobutsu"), &f.table, &error), KZ_ERR_INPUT);
    assert_int_equal(kz_table_open_as("tictactoe.kzt", f.game, &f.table, &error), KZ_OK);
    f.api = kz_api_new();
    assert_non_null(f.api);
    assert_int_equal(kz_api_use(f.api, f.table, &error), KZ_OK);
    *state = &f;
    return 0;
}

static int close_all(void **state) {
    fixture *f = *state;
    kz_api_free(f->api);
    kz_table_close(f->table);
    kz_game_close(f->game);
    return unlink("tictactoe.kzt");
}

static json_int_t number_at(const json_t *list, size_t place) {
    return json_integer_value(json_array_get(list, place));
}

TEST(test_board) {
    const fixture *f = *state;
    json_t *answer = got(f->api, "/api/v1/tictactoe/board", "pos=XO..X....");
    assert_int_equal(json_integer_value(json_object_get(answer, "mover")), 1);
    assert_string_equal(json_string_value(json_array_get(json_object_get(answer, "sides"), 1)), "O");
    json_t *places = json_object_get(answer, "squares");
    assert_int_equal(json_array_size(places), 9);
    assert_string_equal(json_string_value(json_object_get(json_array_get(places, 8), "label")), "c1");
    json_t *shown = json_object_get(answer, "pieces");
    static const int expected[9] = {1, 2, 0, 0, 1, 0, 0, 0, 0};
    for (size_t i = 0; i < 9; i++) {
        assert_int_equal(number_at(shown, i), expected[i]);
    }
    json_t *list = json_object_get(answer, "moves");
    assert_int_equal(json_array_size(list), 6);
    json_t *last = json_array_get(list, 5);
    assert_string_equal(json_string_value(json_object_get(last, "move")), "c1");
    assert_string_equal(json_string_value(json_object_get(last, "position")), "XO..X...O");
    assert_int_equal(number_at(json_object_get(last, "squares"), 0), 8);
    assert_true(json_is_null(json_object_get(last, "choice")));
    refuses_get(f->api, "/api/v1/tictactoe/board", "pos=XX", 400, "9 characters");
}

TEST(test_values) {
    const fixture *f = *state;
    json_t *answer = got(f->api, "/api/v1/tictactoe/position", "pos=XX.OO....");
    assert_string_equal(json_string_value(json_object_get(answer, "value")), "win");
    assert_int_equal(json_integer_value(json_object_get(answer, "plies")), 1);
    assert_string_equal(json_string_value(json_object_get(answer, "side")), "X");
    answer = got(f->api, "/api/v1/games", NULL);
    json_t *games = json_object_get(answer, "games");
    assert_string_equal(json_string_value(json_object_get(json_array_get(games, json_array_size(games) - 1), "name")),
                        "tictactoe");
    static const char game[] = "{\"record\": \"game: tictactoe\\nstart: XOXXOO.X.\\na1\\nc1\\n\"}";
    answer = posted(f->api, "/api/v1/tictactoe/annotate", NULL, game, 200);
    assert_string_equal(json_string_value(json_object_get(answer, "result")), "draw");
    assert_int_equal(json_array_size(json_object_get(answer, "moves")), 2);
    refuses_get(f->api, "/api/v1/tictac/board", NULL, 404, "tictactoe");
}

TESTS(open_all, close_all)
