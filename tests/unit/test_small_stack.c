/* SPDX-License-Identifier: MIT
 *
 * Programs call the library from threads with little stack, such as those of servers and other languages: moves, texts,
 * drawings, searches, values and players of every game that is not too large, and a line of best moves from a table, in
 * a thread with a stack of 256 KiB. One that took more would not come back. */
#include "base/random.h"
#include "tests/support/tables.h"
#include "tests/support/tictactoe.h"

#include <kanzen/load.h>
#include <kanzen/values.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#ifdef __SANITIZE_ADDRESS__
enum { STACK = 1 << 20 }; /* what it puts around arrays is no part of the library */
#else
enum { STACK = 256 << 10 };
#endif

enum { SAMPLES = 20, TEXT = 1 << 17, MOST_PLIES = 60 };

typedef struct visit {
    const kz_game *game;
    int rules;
    const kz_table *table; /* NULL: there is none */
    kz_position position;
    kz_move *moves;
    kz_scored_move *scored;
    char *text;
    int moves_seen;
    kz_status failed; /* the first failure of what must not fail */
} visit;

static void note(visit *v, kz_status status) { v->failed = v->failed == KZ_OK ? status : v->failed; }

/* Moves, and there and back through texts. */
static void list_moves(visit *v) {
    kz_position again;
    kz_move move;
    kz_immediate(v->game, v->rules, &v->position);
    int count = kz_moves(v->game, v->rules, &v->position, v->moves);
    v->moves_seen += count;
    note(v, kz_format(v->game, &v->position, 0, v->text, TEXT, NULL));
    note(v, kz_parse(v->game, v->rules, v->text, strlen(v->text), &again, NULL));
    kz_draw(v->game, &v->position, v->text, TEXT, NULL);
    kz_draw_svg(v->game, &v->position, v->text, TEXT, NULL);
    for (int i = 0; i < count; i += count / 3 + 1) {
        note(v, kz_move_format(v->game, &v->position, v->moves[i], v->text, TEXT, NULL));
        note(v, kz_move_parse(v->game, v->rules, &v->position, v->text, strlen(v->text), &move, NULL));
    }
}

/* A search where the game has one. */
static void search(visit *v) {
    kz_values values = {.game = v->game, .rules = v->rules, .seconds = 0.01, .value_seconds = 0.01};
    kz_value value;
    kz_move best;
    int count;
    if (kz_prove_depth(v->game) > 0) {
        note(v, kz_prove_to(v->game, v->rules, &v->position, 1, 1, NULL, &value, &best, NULL));
        note(v, kz_values_moves(&values, &v->position, &value, v->scored, &count, NULL));
        note(v, kz_choose_move(&values, &v->position, (kz_player){.level = 0}, &best, NULL));
    }
}

/* A line of best moves. */
static void play_on(visit *v) {
    kz_values values = {.game = v->game, .rules = v->rules, .table = v->table};
    kz_position position = v->position;
    kz_value value;
    kz_move best = 1;
    int count;
    for (int ply = 0; v->table && best && ply < MOST_PLIES && v->failed == KZ_OK; ply++) {
        note(v, kz_probe(v->table, &position, &value, NULL));
        note(v, kz_probe_many(v->table, &position, 1, 1, &value, NULL));
        note(v, kz_probe_moves(v->table, &position, v->scored, &count, NULL));
        note(v, kz_values_moves(&values, &position, &value, v->scored, &count, NULL));
        note(v, kz_choose_move(&values, &position, (kz_player){.level = kz_level_find("perfect")}, &best, NULL));
        if (best) {
            kz_play(v->game, v->rules, &position, best);
        }
    }
}

static void *visit_all(void *context) {
    visit *v = context;
    kz_random random = {.state = 5};
    uint64_t size = kz_index_size(v->game, v->rules);
    kz_start(v->game, v->rules, &v->position);
    for (int i = 0; i < SAMPLES; i++) {
        list_moves(v);
        search(v);
        play_on(v);
        while (size > 0 && !kz_unrank(v->game, v->rules, kz_random_below(&random, size), &v->position)) {
        }
    }
    return NULL;
}

static void visit_rules(const kz_game *game, int rules, const kz_table *table) {
    size_t most = (size_t)kz_max_moves(game, rules) + 1;
    visit v = {.game = game,
               .rules = rules,
               .table = table,
               .moves = calloc(most, sizeof *v.moves),
               .scored = calloc(most, sizeof *v.scored),
               .text = calloc(TEXT, 1)};
    pthread_attr_t attributes;
    pthread_t thread;
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstacksize(&attributes, STACK), 0);
    assert_int_equal(pthread_create(&thread, &attributes, visit_all, &v), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    pthread_attr_destroy(&attributes);
    if (v.failed != KZ_OK) {
        fail_msg("%s, %s: status %d", kz_game_name(game), kz_rules_name(game, rules), (int)v.failed);
    }
    assert_true(v.moves_seen > 0);
    free(v.moves);
    free(v.scored);
    free(v.text);
}

TEST(test_every_game) {
    const kz_game *game;
    for (size_t i = 0; (game = kz_game_at(i)); i++) {
        for (int rules = 0; kz_rules_name(game, rules); rules++) {
            visit_rules(game, rules, NULL);
        }
    }
}

TEST(test_tables) {
    kz_table *table = solved_board("hook");
    visit_rules(kz_table_game(table), kz_table_rules(table), table);
    kz_table_close(table);
}

TEST(test_defined_game) {
    const kz_game *game;
    kz_summary summary;
    kz_table *table;
    assert_int_equal(kz_game_open(kanzen_game(), &game, NULL), KZ_OK);
    assert_int_equal(kz_solve(game, 0, "small.kzt", NULL, &summary, NULL), KZ_OK);
    assert_int_equal(kz_table_open_as("small.kzt", game, &table, NULL), KZ_OK);
    visit_rules(game, 0, table);
    kz_table_close(table);
    kz_game_close(game);
    remove("small.kzt");
}

TESTS(NULL, NULL)
