/* SPDX-License-Identifier: MIT
 *
 * The self-test of a definition: for each law a game that breaks it, in few positions or in all; and games that break
 * none. The games are tic-tac-toe, and Nim with one heap, in which moves are easy to take back. */
#include "game/defined.h"
#include "tests/support/testing.h"
#include "tests/support/tictactoe.h"

#include <kanzen/selftest.h>

/* ---- One heap: take 1 to 3, or put 1 back if there are fewer than 9; who can't take loses. It repeats. ----------- */

enum { HEAP = 20 };

static int heap_of(const kz_position *position) { return (int)(position->words[0] & 31); }
static void put_heap(kz_position *position, int heap, uint64_t side) {
    position->words[0] = (uint64_t)heap | side << 8;
}
static uint64_t side_of(const kz_position *position) { return position->words[0] >> 8 & 1; }
static void heap_start(const void *context, kz_position *position) {
    (void)context;
    *position = (kz_position){{0}};
    put_heap(position, HEAP, 0);
}
static int heap_moves(const void *context, const kz_position *position, kz_move *list) {
    (void)context;
    int n = 0;
    for (int take = 1; take <= 3 && take <= heap_of(position); take++) {
        list[n++] = (kz_move)take;
    }
    if (heap_of(position) > 0 && heap_of(position) < 9) {
        list[n++] = 9;
    }
    return n;
}
static void heap_play(const void *context, kz_position *position, kz_move move) {
    (void)context;
    put_heap(position, move == 9 ? heap_of(position) + 1 : heap_of(position) - (int)move, side_of(position) ^ 1);
}
static kz_outcome heap_result(const void *context, const kz_position *position) {
    (void)context;
    return heap_of(position) == 0 ? KZ_LOSS : KZ_UNKNOWN;
}
static uint64_t heap_size(const void *context) {
    (void)context;
    return HEAP + 1;
}
static uint64_t heap_rank(const void *context, const kz_position *position) {
    (void)context;
    return (uint64_t)heap_of(position);
}
static bool heap_unrank(const void *context, uint64_t index, kz_position *position) {
    (void)context;
    *position = (kz_position){{0}};
    put_heap(position, (int)index, 0);
    return true;
}
static void heap_format(const void *context, const kz_position *position, char *text) {
    (void)context;
    snprintf(text, 16, "%d %c", heap_of(position), side_of(position) ? 'b' : 'a');
}
static kz_status heap_parse(const void *context, const char *text, size_t length, kz_position *position,
                            kz_error *error) {
    (void)context;
    char copy[16] = "";
    int heap;
    char side;
    memcpy(copy, text, length < 15 ? length : 15);
    if (sscanf(copy, "%d %c", &heap, &side) != 2 || heap < 0 || heap > HEAP || (side != 'a' && side != 'b')) {
        return kz_reject(error, "no heap");
    }
    *position = (kz_position){{0}};
    put_heap(position, heap, side == 'b');
    return KZ_OK;
}
static int heap_predecessors(const void *context, const kz_position *position, kz_position *before) {
    (void)context;
    int n = 0;
    int heap = heap_of(position);
    for (int from = heap - 1; from <= heap + 3; from++) {
        bool taken = from > heap && from <= HEAP;
        bool put = from == heap - 1 && from > 0 && from < 9;
        if (taken || put) {
            before[n] = (kz_position){{0}};
            put_heap(&before[n++], from, side_of(position) ^ 1);
        }
    }
    return n;
}
static kz_outcome heap_twin(const void *context, const kz_position *position,
                            void (*visit)(void *user, const kz_position *next), void *user) {
    (void)context;
    for (int left = 0; left <= HEAP; left++) {
        int change = heap_of(position) - left;
        if (heap_of(position) > 0 && ((change >= 1 && change <= 3) || (change == -1 && left <= 9))) {
            kz_position next = {{0}};
            put_heap(&next, left, side_of(position) ^ 1);
            visit(user, &next);
        }
    }
    return heap_of(position) == 0 ? KZ_LOSS : KZ_UNKNOWN;
}

static kz_definition heap_game(void) {
    return (kz_definition){.version = KZ_DEFINE_VERSION,
                           .size = sizeof(kz_definition),
                           .name = "heap",
                           .title = "One heap",
                           .max_moves = 4,
                           .start = heap_start,
                           .moves = heap_moves,
                           .play = heap_play,
                           .result = heap_result,
                           .without_moves = KZ_LOSS,
                           .index_size = heap_size,
                           .rank = heap_rank,
                           .unrank = heap_unrank,
                           .format = heap_format,
                           .parse = heap_parse,
                           .max_predecessors = 5,
                           .predecessors = heap_predecessors,
                           .twin = heap_twin};
}

/* ---- Testing ----------------------------------------------------------------------------------------------------- */

static kz_status test_game(const kz_definition *defined, kz_selftest_report *report) {
    const kz_game *game;
    kz_error error = {KZ_OK, ""};
    if (kz_game_open(defined, &game, &error) != KZ_OK) {
        print_error("%s\n", error.message);
        fail();
    }
    kz_selftest_options options = {.positions = 3000, .seed = 1, .threads = 2};
    kz_status status = kz_selftest(game, 0, &options, NULL, report, &error);
    kz_game_close(game);
    return status;
}

static void keeps_laws(const kz_definition *good) {
    static kz_selftest_report report;
    if (test_game(good, &report) != KZ_OK) {
        print_error("%s: %s\n", report.position, report.problem);
        fail();
    }
    assert_int_equal(report.positions, 3000);
    assert_true(report.counts[KZ_SELFTEST_INDEX] >= 3000);
}

static void breaks(const kz_definition *bad, int law, const char *says) {
    static kz_selftest_report report;
    if (test_game(bad, &report) != KZ_ERR_MISMATCH) {
        print_error("nothing was found, and it should say: %s\n", says);
        fail();
    }
    if (report.failed != law || !strstr(report.problem, says) || !report.position[0]) {
        print_error("law %d, %s: '%s' does not say: %s\n", report.failed, report.position, report.problem, says);
        fail();
    }
}

#define BREAKS(good, change, law, says)                                                                                \
    do {                                                                                                               \
        kz_definition bad = good;                                                                                      \
        change;                                                                                                        \
        breaks(&bad, law, says);                                                                                       \
    } while (0)

/* ---- Index ------------------------------------------------------------------------------------------------------- */

static uint64_t rank_too_far(const void *context, const kz_position *position) {
    uint64_t index = heap_rank(context, position);
    return index == 7 ? HEAP + 1 : index;
}
static uint64_t rank_shared(const void *context, const kz_position *position) {
    uint64_t index = heap_rank(context, position);
    return index == 7 ? 8 : index;
}
static uint64_t rank_of_loss(const void *context, const kz_position *position) {
    uint64_t index = heap_rank(context, position);
    return index == 7 ? 0 : index;
}
static bool unrank_hole(const void *context, uint64_t index, kz_position *position) {
    return heap_unrank(context, index, position) && index != 7;
}
static bool unrank_beside(const void *context, uint64_t index, kz_position *position) {
    return heap_unrank(context, index == 7 ? 8 : index, position);
}

TEST(test_index) {
    BREAKS(heap_game(), bad.rank = rank_too_far, KZ_SELFTEST_INDEX, "not below index_size");
    BREAKS(heap_game(), bad.rank = rank_shared, KZ_SELFTEST_INDEX, "unrank gives");
    BREAKS(heap_game(), bad.rank = rank_of_loss, KZ_SELFTEST_INDEX, "whose result is another one");
    BREAKS(heap_game(), bad.unrank = unrank_hole, KZ_SELFTEST_INDEX, "unrank calls that a hole");
    BREAKS(heap_game(), bad.unrank = unrank_beside, KZ_SELFTEST_INDEX, "has the rank 8");
}

/* ---- Moves ------------------------------------------------------------------------------------------------------- */

static int moves_with_zero(const void *context, const kz_position *position, kz_move *list) {
    int n = heap_moves(context, position, list);
    list[n - 1] = heap_of(position) == 5 ? 0 : list[n - 1];
    return n;
}
static int moves_twice(const void *context, const kz_position *position, kz_move *list) {
    int n = heap_moves(context, position, list);
    list[n - 1] = heap_of(position) == 5 ? list[0] : list[n - 1];
    return n;
}
static int moves_without_one(const void *context, const kz_position *position, kz_move *list) {
    return heap_moves(context, position, list) - (heap_of(position) == 5);
}
static int moves_too_far(const void *context, const kz_position *position, kz_move *list) {
    int n = heap_moves(context, position, list);
    list[n] = 4;
    return n + (heap_of(position) == 15);
}
static void play_over_the_edge(const void *context, kz_position *position, kz_move move) {
    heap_play(context, position, move);
    position->words[7] = heap_of(position) == 5 ? (uint64_t)1 << 40 : position->words[7];
}
static int same_side(const void *context, const kz_position *position) {
    (void)context;
    (void)position;
    return 0;
}
static kz_outcome result_of_twelve(const void *context, const kz_position *position) {
    return heap_of(position) == 12 ? KZ_DRAW : heap_result(context, position);
}
static kz_outcome result_that_is_none(const void *context, const kz_position *position) {
    return heap_of(position) == 12 ? (kz_outcome)9 : heap_result(context, position);
}

TEST(test_moves) {
    BREAKS(heap_game(), bad.max_moves = 3, KZ_SELFTEST_MOVE, "it has 4 moves, and max_moves is 3");
    BREAKS(heap_game(), bad.moves = moves_with_zero, KZ_SELFTEST_MOVE, "is 0");
    BREAKS(heap_game(), bad.moves = moves_twice, KZ_SELFTEST_MOVE, "listed twice");
    BREAKS(heap_game(), bad.moves = moves_without_one, KZ_SELFTEST_MOVE,
           "by the second implementation a move leads to");
    BREAKS(heap_game(), (bad.moves = moves_too_far, bad.predecessors = NULL, bad.max_predecessors = 0),
           KZ_SELFTEST_MOVE, "no move of the second implementation leads to");
    BREAKS(heap_game(), bad.play = play_over_the_edge, KZ_SELFTEST_MOVE, "bytes after the first 60");
    BREAKS(heap_game(), bad.side_to_move = same_side, KZ_SELFTEST_MOVE, "the same side is to move");
    BREAKS(heap_game(), bad.result = result_of_twelve, KZ_SELFTEST_RESULT, "by the second implementation");
    BREAKS(heap_game(), bad.result = result_that_is_none, KZ_SELFTEST_RESULT, "which is no outcome");
}

/* ---- Predecessors ------------------------------------------------------------------------------------------------ */

static int predecessors_without_one(const void *context, const kz_position *position, kz_position *before) {
    return heap_predecessors(context, position, before) - (heap_of(position) == 11);
}
static int predecessors_and_more(const void *context, const kz_position *position, kz_position *before) {
    int n = heap_predecessors(context, position, before);
    if (heap_of(position) == 11) {
        put_heap(&before[0], 16, side_of(position) ^ 1);
    }
    return n;
}

TEST(test_predecessors) {
    BREAKS(heap_game(), bad.predecessors = predecessors_without_one, KZ_SELFTEST_PREDECESSOR,
           "does not have this one among its predecessors");
    BREAKS(heap_game(), bad.predecessors = predecessors_and_more, KZ_SELFTEST_PREDECESSOR, "predecessors");
    BREAKS(heap_game(), bad.max_predecessors = 2, KZ_SELFTEST_PREDECESSOR, "max_predecessors is 2");
    BREAKS(heap_game(), bad.max_predecessors = 1, KZ_SELFTEST_PREDECESSOR, "max_predecessors is 1");
}

/* ---- Moves as numbers -------------------------------------------------------------------------------------------- */

/* Up to three are won at once, so they are settled. */
static int heap_after(const void *context, uint64_t index, uint64_t *numbers, kz_sight *sight) {
    (void)context;
    int n = 0;
    sight->over = index == 0 ? KZ_LOSS : KZ_UNKNOWN;
    sight->win = index >= 1 && index <= 3;
    for (uint64_t taken = 1; index > 3 && taken <= 3; taken++) {
        if (index - taken > 3) {
            numbers[n++] = index - taken;
        } else {
            sight->worst = 1;
        }
    }
    if (index > 3 && index < 9) {
        numbers[n++] = index + 1;
    }
    return n;
}
static int heap_before(const void *context, uint64_t index, uint64_t *numbers) {
    (void)context;
    int n = 0;
    for (uint64_t more = 1; more <= 3 && index + more <= HEAP; more++) {
        numbers[n++] = index + more;
    }
    if (index > 1 && index <= 9) {
        numbers[n++] = index - 1;
    }
    return n;
}
static kz_definition heap_by_numbers(void) {
    kz_definition heap = heap_game();
    heap.numbers_after = heap_after;
    heap.numbers_before = heap_before;
    return heap;
}

static int after_hole(const void *context, uint64_t index, uint64_t *numbers, kz_sight *sight) {
    return index == 12 ? -1 : heap_after(context, index, numbers, sight);
}
static int after_too_many(const void *context, uint64_t index, uint64_t *numbers, kz_sight *sight) {
    int n = heap_after(context, index, numbers, sight);
    return index == 12 ? 5 : n;
}
static int after_without_one(const void *context, uint64_t index, uint64_t *numbers, kz_sight *sight) {
    return heap_after(context, index, numbers, sight) - (index == 12);
}
static int after_another(const void *context, uint64_t index, uint64_t *numbers, kz_sight *sight) {
    int n = heap_after(context, index, numbers, sight);
    numbers[0] = index == 12 ? 5 : numbers[0];
    return n;
}
static int after_over(const void *context, uint64_t index, uint64_t *numbers, kz_sight *sight) {
    int n = heap_after(context, index, numbers, sight);
    sight->over = index == HEAP ? KZ_DRAW : sight->over;
    return n;
}
static int after_wrong_win(const void *context, uint64_t index, uint64_t *numbers, kz_sight *sight) {
    int n = heap_after(context, index, numbers, sight);
    sight->win = index == 12 ? 4 : sight->win;
    return n;
}
static int after_wrong_worst(const void *context, uint64_t index, uint64_t *numbers, kz_sight *sight) {
    int n = heap_after(context, index, numbers, sight);
    sight->worst = index == 5 ? 0 : sight->worst;
    return n;
}
static int after_draws(const void *context, uint64_t index, uint64_t *numbers, kz_sight *sight) {
    sight->draws = index == 12;
    return heap_after(context, index, numbers, sight);
}
static int before_without_one(const void *context, uint64_t index, uint64_t *numbers) {
    return heap_before(context, index, numbers) - (index == 12);
}
static int before_twice(const void *context, uint64_t index, uint64_t *numbers) {
    int n = heap_before(context, index, numbers);
    numbers[n] = numbers[0];
    return n + (index == 12);
}
static int before_another(const void *context, uint64_t index, uint64_t *numbers) {
    int n = heap_before(context, index, numbers);
    numbers[n] = 5;
    return n + (index == 12);
}
static int before_too_many(const void *context, uint64_t index, uint64_t *numbers) {
    int n = heap_before(context, index, numbers);
    return index == 12 ? 6 : n;
}

TEST(test_numbers) {
    kz_definition good = heap_by_numbers();
    keeps_laws(&good);
    BREAKS(good, bad.numbers_after = after_hole, KZ_SELFTEST_MOVE, "numbers_after calls that a hole");
    BREAKS(good, bad.numbers_after = after_too_many, KZ_SELFTEST_MOVE, "lists 5 numbers, and max_moves is 4");
    BREAKS(good, bad.numbers_after = after_without_one, KZ_SELFTEST_MOVE, "numbers_after lists 2 numbers");
    BREAKS(good, bad.numbers_after = after_another, KZ_SELFTEST_MOVE, "they are not the same ones");
    BREAKS(good, bad.numbers_after = after_over, KZ_SELFTEST_MOVE, "by numbers_after draw");
    BREAKS(good, bad.numbers_after = after_wrong_win, KZ_SELFTEST_MOVE, "numbers_after says win 4");
    BREAKS(good, bad.numbers_after = after_wrong_worst, KZ_SELFTEST_MOVE, "worst 0");
    BREAKS(good, bad.numbers_after = after_draws, KZ_SELFTEST_MOVE, "draws 1");
    BREAKS(good, bad.numbers_before = before_without_one, KZ_SELFTEST_PREDECESSOR, "lists this position 0 times");
    BREAKS(good, bad.numbers_before = before_twice, KZ_SELFTEST_PREDECESSOR, "2 times");
    BREAKS(good, bad.numbers_before = before_another, KZ_SELFTEST_PREDECESSOR, "numbers_before lists number 5");
    BREAKS(good, bad.numbers_before = before_too_many, KZ_SELFTEST_PREDECESSOR, "lists 6 numbers");
}

/* ---- Symmetries, tiers, text, look: tic-tac-toe ------------------------------------------------------------------ */

static void shift_right(const void *context, const kz_position *position, int number, kz_position *image) {
    symmetry(context, position, number, image);
    board b = get(position);
    if (number == 3 && b.x == 1) { /* X in a corner becomes X at an edge */
        set(image, (board){2, b.o & ~2U});
    }
}
static void colours(const void *context, const kz_position *position, int number, kz_position *image) {
    (void)context;
    (void)number;
    board b = get(position);
    set(image, (board){b.o, b.x});
}
static uint64_t upside_down(const void *context, const kz_position *position) { return 6045 - rank(context, position); }
static bool unrank_upside_down(const void *context, uint64_t index, kz_position *position) {
    return unrank(context, 6045 - index, position);
}
static uint64_t tiers_upside_down(const void *context, int tier) { return 6046 - tier_begin(context, 10 - tier); }
static int one_tier(const void *context) {
    (void)context;
    return 1;
}
static uint64_t one_tier_begin(const void *context, int tier) { return tier ? index_size(context) : 0; }
static int wrong_next(const void *context, int tier, int *next) {
    (void)context;
    next[0] = tier == 5 ? 1 : tier - 1;
    return tier > 0;
}
static void format_without_o(const void *context, const kz_position *position, char *text) {
    format(context, position, text);
    char *o = strchr(text, 'O');
    if (o && text[4] == 'X') {
        *o = '.';
    }
}
static void all_moves_alike(const void *context, const kz_position *position, kz_move move, char *text) {
    move_format(context, position, move == 9 ? 8 : move, text);
}
static void strange_pieces(const void *context, const kz_position *position, uint8_t *piece, uint8_t *number) {
    pieces(context, position, piece, number);
    piece[8] = piece[8] ? 7 : 0;
}
static void strange_touches(const void *context, const kz_position *position, kz_move move, kz_touched *touched) {
    touches(context, position, move, touched);
    touched->square[0] = move == 9 ? 9 : touched->square[0];
}

TEST(test_boards) {
    kz_definition good = *kanzen_game();
    BREAKS(good, bad.symmetry = shift_right, KZ_SELFTEST_IMAGE, "by symmetry 3");
    BREAKS(good, (bad.symmetry = colours, bad.symmetries = 2), KZ_SELFTEST_IMAGE, "by symmetry 1");
    BREAKS(good, (bad.rank = upside_down, bad.unrank = unrank_upside_down, bad.tier_begin = tiers_upside_down),
           KZ_SELFTEST_TIER, "a larger one");
    BREAKS(good, (bad.tiers = one_tier, bad.tier_begin = one_tier_begin), KZ_SELFTEST_TIER, "never_repeats");
    BREAKS(good, bad.tier_next = wrong_next, KZ_SELFTEST_TIER, "which tier_next does not list");
    BREAKS(good, bad.format = format_without_o, KZ_SELFTEST_TEXT, "as text it is");
    BREAKS(good, bad.move_format = all_moves_alike, KZ_SELFTEST_MOVE_TEXT, "b1");
    BREAKS(good, bad.pieces = strange_pieces, KZ_SELFTEST_LOOK, "piece 7 is on square c1");
    BREAKS(good, bad.touches = strange_touches, KZ_SELFTEST_LOOK, "touches a square that is none");
}

/* Finished games need no number. */
static uint64_t rank_unless_over(const void *context, const kz_position *position) {
    return result(context, position) == KZ_UNKNOWN ? rank(context, position) : KZ_NO_NUMBER;
}

static bool unrank_unless_over(const void *context, uint64_t index, kz_position *position) {
    return unrank(context, index, position) && result(context, position) == KZ_UNKNOWN;
}

TEST(test_good_games) {
    kz_definition without = *kanzen_game();
    without.rank = rank_unless_over;
    without.unrank = unrank_unless_over;
    keeps_laws(&without);
    kz_definition heap = heap_game();
    keeps_laws(&heap);
    keeps_laws(kanzen_game());
    heap.predecessors = NULL;
    heap.max_predecessors = 0;
    heap.twin = NULL;
    keeps_laws(&heap);
}

TESTS(NULL, NULL)
