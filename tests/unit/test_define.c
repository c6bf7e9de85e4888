/* SPDX-License-Identifier: MIT
 *
 * Games from definitions: what is refused and why, and what an opened game does. The game is tic-tac-toe, whose figures
 * are known: 5,478 positions, 765 up to symmetry, 255,168 games. */
#include "game/defined.h"
#include "tests/support/testing.h"
#include "tests/support/tictactoe.h"

#include <stdlib.h>

/* ---- What is refused ------------------------------------------------------------------------------------------- */

static void refused(const kz_definition *wrong, const char *says) {
    const kz_game *game;
    kz_error error = {KZ_OK, ""};
    assert_int_equal(kz_game_open(wrong, &game, &error), KZ_ERR_INPUT);
    assert_null(game);
    if (!strstr(error.message, says)) {
        print_error("'%s' does not say: %s\n", error.message, says);
        fail();
    }
}

#define REFUSED(change, says)                                                                                          \
    do {                                                                                                               \
        kz_definition wrong = *kanzen_game();                                                                          \
        change;                                                                                                        \
        refused(&wrong, says);                                                                                         \
    } while (0)

TEST(test_versions) {
    refused(NULL, "NULL");
    REFUSED(wrong.version = 2, "has version 2, and this program knows version 1");
    REFUSED(wrong.version = 0, "has version 0");
    REFUSED(wrong.size = 16, "says that it has 16 bytes");
    struct {
        kz_definition definition;
        void *later;
    } newer = {*kanzen_game(), NULL};
    newer.definition.size = sizeof newer;
    const kz_game *game;
    assert_int_equal(kz_game_open(&newer.definition, &game, NULL), KZ_OK); /* it uses nothing that is newer */
    kz_game_close(game);
    newer.later = &newer;
    refused(&newer.definition, "came with a later Kanzen");
}

TEST(test_names) {
    static const char *const empty[] = {NULL};
    static const char *const twice[] = {"standard", "other", "standard", NULL};
    static const char *const wrong_name[] = {"standard", "With Blank", NULL};
    REFUSED(wrong.name = NULL, "no proper name");
    REFUSED(wrong.name = "", "no proper name");
    REFUSED(wrong.name = "Tic", "no proper name");
    REFUSED(wrong.name = "../../etc", "no proper name");
    REFUSED(wrong.name = "sixteen-letters-", "no proper name");
    REFUSED(wrong.title = NULL, "no title");
    REFUSED(wrong.title = "two\nlines", "no title");
    REFUSED(wrong.rules = empty, "rule set 0 has no proper name");
    REFUSED(wrong.rules = twice, "two rule sets are called standard");
    REFUSED(wrong.rules = wrong_name, "rule set 1 has no proper name");
}

static int numbers_of(const void *context, uint64_t index, uint64_t *numbers, kz_sight *sight) {
    (void)context;
    (void)sight;
    numbers[0] = index;
    return 1;
}
static int predecessors_of(const void *context, const kz_position *position, kz_position *before) {
    (void)context;
    before[0] = *position;
    return 1;
}
static int some_numbers(const void *context, uint64_t index, uint64_t *numbers) {
    (void)context;
    numbers[0] = index;
    return 1;
}

TEST(test_missing) {
    REFUSED(wrong.start = NULL, "the function 'start' is missing");
    REFUSED(wrong.moves = NULL, "the function 'moves' is missing");
    REFUSED(wrong.play = NULL, "the function 'play' is missing");
    REFUSED(wrong.result = NULL, "the function 'result' is missing");
    REFUSED(wrong.index_size = NULL, "the function 'index_size' is missing");
    REFUSED(wrong.rank = NULL, "the function 'rank' is missing");
    REFUSED(wrong.unrank = NULL, "the function 'unrank' is missing");
    REFUSED(wrong.format = NULL, "the function 'format' is missing");
    REFUSED(wrong.parse = NULL, "the function 'parse' is missing");
    REFUSED(wrong.symmetry = NULL, "the function 'symmetry' is missing");
    REFUSED(wrong.symmetries = 0, "does not say how many");
    REFUSED(wrong.tier_begin = NULL, "it has 'tiers', which needs 'tier_begin'");
    REFUSED(wrong.tiers = NULL, "it has 'tier_begin', which needs 'tiers'");
    REFUSED((wrong.tiers = NULL, wrong.tier_begin = NULL), "it has 'never_repeats', which needs 'tiers'");
    REFUSED(wrong.pieces = NULL, "it has 'look', which needs 'pieces'");
    REFUSED(wrong.look = NULL, "it has 'pieces', which needs 'look'");
    REFUSED((wrong.look = NULL, wrong.pieces = NULL), "it has 'touches', which needs 'look'");
    REFUSED(wrong.close = free, "it has 'close', which needs 'open'");
    REFUSED(wrong.numbers_before = some_numbers, "it has 'numbers_before', which needs 'numbers_after'");
    REFUSED((wrong.predecessors = predecessors_of, wrong.max_predecessors = 1, wrong.numbers_after = numbers_of),
            "which needs 'numbers_before'");
    REFUSED((wrong.numbers_after = numbers_of, wrong.numbers_before = some_numbers), "which needs 'predecessors'");
    REFUSED(wrong.without_moves = KZ_UNKNOWN, "without_moves");
    REFUSED(wrong.max_moves = 0, "max_moves is 0");
    REFUSED(wrong.max_moves = 5000, "max_moves is 5000");
    REFUSED(wrong.symmetries = 65, "65 symmetries");
    REFUSED(wrong.max_predecessors = 3, "max_predecessors is 3");
}

static uint64_t no_positions(const void *context) {
    (void)context;
    return 0;
}
static uint64_t small(const void *context) {
    (void)context;
    return 10;
}
static int no_tiers(const void *context) {
    (void)context;
    return 0;
}
static uint64_t falling(const void *context, int tier) { return tier == 5 ? 3 : tier_begin(context, tier); }
static uint64_t too_short(const void *context, int tier) { return tier == 10 ? 7000 : tier_begin(context, tier); }
static int upwards(const void *context, int tier, int *next) {
    (void)context;
    next[0] = tier == 4 ? 7 : 0;
    return tier > 0;
}
static kz_status never_opens(int rules, void **context, kz_error *error) {
    (void)rules;
    *context = NULL;
    return kz_reject(error, "the board is in the wash");
}
static void big_start(const void *context, kz_position *position) {
    (void)context;
    memset(position, 0, sizeof *position);
    ((uint8_t *)position)[61] = 1;
}
static uint64_t rank_far(const void *context, const kz_position *position) { return rank(context, position) + 6046; }

TEST(test_functions_that_err) {
    REFUSED(wrong.index_size = no_positions, "index_size is 0");
    REFUSED(wrong.index_size = small, "tier_begin(10) is 6046");
    REFUSED(wrong.tiers = no_tiers, "it has 0 tiers");
    REFUSED(wrong.tier_begin = falling, "tier_begin(5) is 3");
    REFUSED(wrong.tier_begin = too_short, "tier_begin(10) is 7000");
    REFUSED(wrong.tier_next = upwards, "moves lead from tier 4 to tier 7");
    REFUSED(wrong.open = never_opens, "can't be opened by standard rules: the board is in the wash");
    REFUSED(wrong.start = big_start, "more than 60 bytes");
    REFUSED(wrong.rank = rank_far, "not below index_size");
}

static kz_board_look bad_look;
static const kz_board_look *get_bad_look(const void *context) {
    (void)context;
    return &bad_look;
}
static const kz_board_look *no_look(const void *context) {
    (void)context;
    return NULL;
}

TEST(test_looks) {
    static const kz_square twice[] = {{0, 0, "a1", 0, -1}, {1, 0, "a1", 0, -1}};
    static const kz_square unnamed[] = {{0, 0, NULL, 0, -1}};
    static const kz_square far_off[] = {{0, 1e9F, "a1", 0, -1}};
    static const kz_square shapeless[] = {{0, 0, "a1", 7, -1}};
    static const kz_piece_look no_letter[] = {{"", NULL, NULL, 0, "X"}};
    static const kz_piece_look no_side[] = {{"X", NULL, NULL, 2, "X"}};
    static const uint16_t nowhere[][2] = {{0, 9}};
    REFUSED(wrong.look = no_look, "look returns NULL");
#define REFUSED_LOOK(change, says)                                                                                     \
    do {                                                                                                               \
        bad_look = board_look;                                                                                         \
        change;                                                                                                        \
        REFUSED(wrong.look = get_bad_look, says);                                                                      \
    } while (0)
    REFUSED_LOOK(bad_look.squares = 0, "look has 0 squares");
    REFUSED_LOOK(bad_look.pieces = 300, "look has 300 kinds of pieces");
    REFUSED_LOOK(bad_look.lines = -1, "look has -1 lines");
    REFUSED_LOOK((bad_look.squares = 2, bad_look.square = twice), "two squares have the label a1");
    REFUSED_LOOK((bad_look.squares = 1, bad_look.square = unnamed), "square 0 has no label");
    REFUSED_LOOK((bad_look.squares = 1, bad_look.square = far_off), "square a1 is more than 1000 squares");
    REFUSED_LOOK((bad_look.squares = 1, bad_look.square = shapeless), "square a1 has the shape 7");
    REFUSED_LOOK((bad_look.pieces = 1, bad_look.piece = no_letter), "piece 0 has no letter");
    REFUSED_LOOK((bad_look.pieces = 1, bad_look.piece = no_side), "piece X belongs to side 2");
    REFUSED_LOOK((bad_look.lines = 1, bad_look.line = nowhere), "line 0 ends at a square that is none");
    REFUSED_LOOK(bad_look.side_names[1] = NULL, "does not name the two sides");
}

/* ---- What an opened game does ---------------------------------------------------------------------------------- */

static const kz_game *opened(const kz_definition *good) {
    const kz_game *game;
    kz_error error = {KZ_OK, ""};
    if (kz_game_open(good, &game, &error) != KZ_OK) {
        print_error("%s\n", error.message);
        fail();
    }
    return game;
}

static void read_position(const kz_game *game, int rules, const char *text, kz_position *position) {
    kz_error error = {KZ_OK, ""};
    if (kz_parse(game, rules, text, strlen(text), position, &error) != KZ_OK) {
        print_error("%s: %s\n", text, error.message);
        fail();
    }
}

/* Every game, played out: an independent figure for moves, play and result. */
static uint64_t count_games(const kz_game *game, const kz_position *position) {
    kz_move list[9];
    int n = kz_moves(game, 0, position, list);
    uint64_t games = n == 0;
    for (int i = 0; i < n; i++) {
        kz_position next = *position;
        kz_play(game, 0, &next, list[i]);
        games += count_games(game, &next);
    }
    return games;
}

TEST(test_figures) {
    const kz_game *game = opened(kanzen_game());
    kz_position position;
    kz_start(game, 0, &position);
    assert_true(count_games(game, &position) == 255168);
    uint64_t all = 0;
    uint64_t folded = 0;
    for (uint64_t index = 0; index < kz_index_size(game, 0); index++) {
        kz_position there = {{0}};
        all += kanzen_game()->unrank(NULL, index, &there);
        if (kz_unrank(game, 0, index, &there)) {
            uint64_t back;
            assert_true(kz_rank(game, &there, &back));
            assert_true(back == index);
            folded++;
        }
    }
    assert_true(all == 5478);
    assert_true(folded == 765);
    /* Images have the same number. */
    kz_position image;
    uint64_t one;
    uint64_t other;
    read_position(game, 0, "X..O.....", &position);
    read_position(game, 0, ".......OX", &image);
    assert_true(kz_rank(game, &position, &one) && kz_rank(game, &image, &other) && one == other);
    assert_false(kz_same(game, &position, &image));
    kz_game_close(game);
}

TEST(test_text) {
    const kz_game *game = opened(kanzen_game());
    kz_position position;
    kz_error error = {KZ_OK, ""};
    char text[KZ_TEXT_BYTES];
    read_position(game, 0, "XO..X....", &position);
    assert_int_equal(kz_format(game, &position, 0, text, sizeof text, &error), KZ_OK);
    assert_string_equal(text, "XO..X....");
    assert_int_equal(kz_format(game, &position, 0, text, 9, &error), KZ_ERR_INPUT);
    assert_string_equal(kz_side_to_move(game, &position), "O");
    assert_int_equal(kz_parse(game, 0, "XZ", 2, &position, &error), KZ_ERR_INPUT);
    assert_string_equal(error.message, "character 2 is 'Z', not X, O or .");
    kz_move move;
    read_position(game, 0, "XO..X....", &position);
    assert_int_equal(kz_move_parse(game, 0, &position, " c1 ", 4, &move, &error), KZ_OK);
    assert_int_equal(move, 9);
    assert_int_equal(kz_move_format(game, &position, move, text, sizeof text, &error), KZ_OK);
    assert_string_equal(text, "c1");
    assert_int_equal(kz_move_parse(game, 0, &position, "a3", 2, &move, &error), KZ_ERR_INPUT);
    assert_string_equal(error.message, "'a3' is no legal move here; one of the 6 legal moves is c3");
    kz_play(game, 0, &position, 9);
    assert_string_equal(kz_side_to_move(game, &position), "X");
    read_position(game, 0, "XXXOO....", &position);
    assert_int_equal(kz_immediate(game, 0, &position).outcome, KZ_LOSS);
    assert_int_equal(kz_moves(game, 0, &position, &move), 0);
    assert_int_equal(kz_move_parse(game, 0, &position, "c1", 2, &move, &error), KZ_ERR_INPUT);
    assert_non_null(strstr(error.message, "the game is over"));
    read_position(game, 0, "XOXXOOOXX", &position);
    assert_int_equal(kz_immediate(game, 0, &position).outcome, KZ_DRAW);
    kz_game_close(game);
}

TEST(test_drawings) {
    const kz_game *game = opened(kanzen_game());
    kz_position position;
    char text[32768];
    kz_error error = {KZ_OK, ""};
    read_position(game, 0, "XO..X...O", &position);
    assert_int_equal(kz_draw(game, &position, text, sizeof text, &error), KZ_OK);
    assert_string_equal(text, " 3  X O .\n 2  . X .\n 1  . . O\n    a b c\n");
    assert_int_equal(kz_draw(game, &position, text, 10, &error), KZ_ERR_INPUT);
    assert_int_equal(kz_draw_svg(game, &position, text, sizeof text, &error), KZ_OK);
    int marks_drawn = 0;
    for (const char *at = text; (at = strstr(at, "<title>X</title>")); at++) {
        marks_drawn++;
    }
    assert_int_equal(marks_drawn, 2);
    kz_game_close(game);
}

/* A game with two rule sets that says nothing but what is required. */
static const char *const two_rule_sets[] = {"standard", "misere", NULL};
static int still_open;
static kz_status open_rules(int rules, void **context, kz_error *error) {
    (void)error;
    *context = malloc(sizeof(int));
    assert_non_null(*context);
    *(int *)*context = rules;
    still_open++;
    return KZ_OK;
}
static void close_rules(void *context) {
    free(context);
    still_open--;
}
static kz_outcome result_by_rules(const void *context, const kz_position *position) {
    kz_outcome outcome = result(context, position);
    return outcome == KZ_LOSS && *(const int *)context == 1 ? KZ_WIN : outcome;
}

TEST(test_defaults) {
    kz_definition plain = {.version = KZ_DEFINE_VERSION,
                           .size = sizeof plain,
                           .name = "plain",
                           .title = "Plain",
                           .max_moves = 9,
                           .start = start,
                           .moves = moves,
                           .play = play,
                           .result = result_by_rules,
                           .without_moves = KZ_DRAW,
                           .index_size = index_size,
                           .rank = rank,
                           .unrank = unrank,
                           .format = format,
                           .parse = parse,
                           .rules = two_rule_sets,
                           .open = open_rules,
                           .close = close_rules};
    const kz_game *game = opened(&plain);
    assert_int_equal(still_open, 2);
    kz_position position;
    char text[KZ_TEXT_BYTES];
    kz_error error = {KZ_OK, ""};
    read_position(game, 1, "XXXOO....", &position);
    assert_int_equal(kz_immediate(game, 1, &position).outcome, KZ_WIN);
    assert_int_equal(kz_immediate(game, 0, &position).outcome, KZ_LOSS);
    kz_start(game, 1, &position);
    assert_string_equal(kz_side_to_move(game, &position), "first");
    kz_play(game, 1, &position, 5);
    assert_string_equal(kz_side_to_move(game, &position), "second");
    assert_int_equal(kz_move_format(game, &position, 6, text, sizeof text, NULL), KZ_OK);
    assert_string_equal(text, "5"); /* square 5 is taken */
    kz_move move;
    assert_int_equal(kz_move_parse(game, 1, &position, "8", 1, &move, NULL), KZ_OK);
    assert_int_equal(move, 9);
    assert_int_equal(kz_draw(game, &position, text, sizeof text, NULL), KZ_OK);
    assert_string_equal(text, "....X....\n");
    assert_int_equal(kz_draw_svg(game, &position, text, sizeof text, &error), KZ_ERR_UNSUPPORTED);
    assert_int_equal(kz_defined_tiers(&plain, NULL), 1);
    assert_true(kz_defined_tier_begin(&plain, NULL, 1) == 6046);
    kz_game_close(game);
    assert_int_equal(still_open, 0);
}

TEST(test_tiers) {
    const kz_definition *good = kanzen_game();
    for (uint64_t index = 0; index < 6046; index++) {
        int tier = kz_defined_tier_of(good, NULL, index);
        assert_true(tier_begin(NULL, tier) <= index && index < tier_begin(NULL, tier + 1));
    }
    int next[KZ_MAX_TIERS];
    char text[64];
    assert_int_equal(kz_defined_tier_next(good, NULL, 3, next), 3);
    kz_defined_tier_name(good, NULL, 3, text);
    assert_string_equal(text, "tier 3");
}

/* ---- Shared objects -------------------------------------------------------------------------------------------- */

TEST(test_loading) {
    const kz_game *game;
    kz_error error = {KZ_OK, ""};
    assert_int_equal(kz_game_load("./nowhere.so", &game, &error), KZ_ERR_IO);
    assert_non_null(strstr(error.message, "./nowhere.so"));
    assert_null(game);
    assert_int_equal(kz_game_load("nowhere.so", &game, &error), KZ_ERR_INPUT);
    assert_non_null(strstr(error.message, "./nowhere.so"));
    FILE *file = fopen("text.so", "w");
    assert_non_null(file);
    fputs("this is no shared object\n", file);
    fclose(file);
    assert_int_equal(kz_game_load("./text.so", &game, &error), KZ_ERR_INPUT);
    assert_non_null(strstr(error.message, "can't load the game ./text.so"));
    assert_int_equal(kz_game_named("no-such-game", &game, &error), KZ_ERR_INPUT);
    assert_non_null(strstr(error.message, "no game is called 'no-such-game'"));
    assert_int_equal(kz_game_named("dobutsu", &game, &error), KZ_OK);
    kz_game_close(game); /* it stays */
    assert_ptr_equal(kz_game_find("dobutsu"), game);
}

TESTS(NULL, NULL)
