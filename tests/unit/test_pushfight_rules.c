/* SPDX-License-Identifier: MIT
 *
 * The rules of Push Fight against a second, slower set of rules that is written out here, positions with published
 * values, and the index of single positions against that of space.h. */
#include "tests/support/pushfight_testing.h"

#include "base/bits.h"
#include "games/pushfight/index/index.h"
#include "games/pushfight/index/permutation.h"
#include "games/pushfight/index/space.h"
#include "games/pushfight/rules/notation.h"
#include "games/pushfight/rules/turns.h"
#include "games/pushfight/solve/solve.h"

#include <inttypes.h>

static kz_move moves[KZ_MAX_MOVES];

static int board_count(void) {
    int count = 0;
    while (kz_pf_board_at(count)) {
        count++;
    }
    return count;
}

TEST(test_boards) {
    for (int board = 0; board < board_count(); board++) {
        assert_string_equal(kz_rules_name(game(), board), kz_pf_board_at(board)->name);
    }
    assert_null(kz_rules_name(game(), board_count()));
}

/* ---- Slow rules ------------------------------------------------------------------------------------------------- */

/* A board of characters with a frame of squares that are not there: ' ' and, where a railing is, '#'. Symbols are those
 * of the side to move: its own are o and O. */
enum { WIDE = KZ_PF_COLUMNS + 2, HIGH = KZ_PF_ROWS + 2, AREA = WIDE * HIGH };

static int place_of(int bit) { return (bit / KZ_PF_COLUMNS + 1) * WIDE + bit % KZ_PF_COLUMNS + 1; }

static const int steps[KZ_PF_DIRECTIONS] = {
    [KZ_PF_LEFT] = -1, [KZ_PF_RIGHT] = 1, [KZ_PF_UP] = -WIDE, [KZ_PF_DOWN] = WIDE};

typedef struct slow_board {
    char at[AREA + 1];
} slow_board;

static slow_board slow_from(const kz_pf_position *position) {
    const kz_pf_board *board = kz_pf_board_of(position);
    uint8_t codes[KZ_PF_MOST_SQUARES];
    kz_pf_codes(position, codes);
    slow_board slow;
    memset(slow.at, ' ', AREA);
    slow.at[AREA] = '\0';
    int number = 0;
    for (int bit = 0; bit < KZ_PF_GRID; bit++) {
        if (!(board->squares >> bit & 1)) {
            continue;
        }
        slow.at[place_of(bit)] = ".oOxXY"[codes[number++]];
        for (int d = 0; d < KZ_PF_DIRECTIONS; d++) {
            if (board->rail[d] >> bit & 1) {
                slow.at[place_of(bit) + steps[d]] = '#';
            }
        }
    }
    return slow;
}

/* A result of a turn: the board as the next side sees it, and how few moves it takes. */
typedef struct slow_result {
    slow_board board;
    int moves;
} slow_result;

typedef struct slow_results {
    size_t count;
    size_t room;
    slow_result *list;
} slow_results;

static void slow_push(const slow_board *board, int pusher, int step, int made, slow_results *results) {
    slow_board after = *board;
    int end = pusher + step;
    while (strchr("oOxX", board->at[end])) {
        end += step;
    }
    if (end == pusher + step || board->at[end] == 'Y' || board->at[end] == '#') {
        return;
    }
    if (board->at[end] == ' ' && strchr("oO", board->at[end - step])) {
        return;
    }
    for (int place = board->at[end] == ' ' ? end - step : end; place != pusher; place -= step) {
        after.at[place] = after.at[place - step];
    }
    after.at[pusher] = '.';
    for (int place = 0; place < AREA; place++) {
        static const char before[] = "oOxXY";
        const char *found = strchr(before, after.at[place]);
        after.at[place] = found ? "xXoOO"[found - before] : after.at[place];
    }
    after.at[pusher + step] = 'Y';
    if (results->count == results->room) {
        results->room = 2 * results->room + 1000;
        results->list = realloc(results->list, results->room * sizeof *results->list);
    }
    results->list[results->count++] = (slow_result){after, made};
}

static void slow_flood(const slow_board *board, int place, bool *reached) {
    for (int d = 0; d < KZ_PF_DIRECTIONS; d++) {
        int next = place + steps[d];
        if (board->at[next] == '.' && !reached[next]) {
            reached[next] = true;
            slow_flood(board, next, reached);
        }
    }
}

static void slow_turns(const slow_board *board, int made, slow_results *results) {
    for (int piece = 0; piece < AREA; piece++) {
        if (board->at[piece] == 'O') {
            for (int d = 0; d < KZ_PF_DIRECTIONS; d++) {
                slow_push(board, piece, steps[d], made, results);
            }
        }
        if (made < 2 && (board->at[piece] == 'o' || board->at[piece] == 'O')) {
            bool reached[AREA] = {false};
            slow_flood(board, piece, reached);
            for (int target = 0; target < AREA; target++) {
                if (reached[target]) {
                    slow_board moved = *board;
                    moved.at[target] = board->at[piece];
                    moved.at[piece] = '.';
                    slow_turns(&moved, made + 1, results);
                }
            }
        }
    }
}

static int compare_results(const void *a, const void *b) {
    const slow_result *one = a;
    const slow_result *other = b;
    int order = memcmp(one->board.at, other->board.at, AREA);
    return order ? order : one->moves - other->moves;
}

/* Sorts, and keeps of those with the same board the one with the fewest moves. */
static void tidy(slow_results *results) {
    if (results->count == 0) {
        return;
    }
    qsort(results->list, results->count, sizeof *results->list, compare_results);
    size_t kept = 0;
    for (size_t i = 1; i < results->count; i++) {
        if (memcmp(results->list[i].board.at, results->list[kept].board.at, AREA) != 0) {
            results->list[++kept] = results->list[i];
        }
    }
    results->count = kept + 1;
}

/* The listed turns lead where the slow rules lead, to each position once, and with as few moves. */
static void assert_turns(const kz_pf_position *position) {
    slow_board slow = slow_from(position);
    slow_results expected = {0};
    slow_turns(&slow, 0, &expected);
    bool wins = false;
    for (size_t i = 0; i < expected.count; i++) {
        const slow_board *result = &expected.list[i].board;
        int pieces = 0;
        for (int place = 0; place < AREA; place++) {
            pieces += strchr("oOxXY", result->at[place]) != NULL;
        }
        const kz_pf_board *board = kz_pf_board_of(position);
        wins = wins || pieces < 2 * (board->movers + board->pushers);
    }
    tidy(&expected);

    int count = kz_pf_turns(position, moves);
    slow_results listed = {.count = (size_t)count, .list = calloc((size_t)count + 1, sizeof(slow_result))};
    int before = 0;
    for (int i = 0; i < count; i++) {
        kz_pf_position next = *position;
        kz_pf_turn turn = kz_pf_turn_unpack(moves[i]);
        assert_true(moves[i] != 0 && kz_pf_turn_pack(&turn) == moves[i]);
        assert_true(turn.moves >= before);
        before = turn.moves;
        kz_pf_play(&next, moves[i]);
        assert_int_equal(next.side, 1 - position->side);
        listed.list[i] = (slow_result){slow_from(&next), turn.moves};
    }
    tidy(&listed);
    assert_int_equal(listed.count, count);
    assert_int_equal(listed.count, expected.count);
    for (size_t i = 0; i < expected.count; i++) {
        assert_memory_equal(listed.list[i].board.at, expected.list[i].board.at, AREA);
        assert_int_equal(listed.list[i].moves, expected.list[i].moves);
    }
    assert_int_equal(kz_pf_can_push(position), count > 0);
    assert_int_equal(kz_pf_can_win(position), wins);
    free(expected.list);
    free(listed.list);
}

TEST(test_turns) {
    uint64_t random = 88172645463325252;
    for (int board = 0; board < board_count(); board++) {
        for (int i = 0; i < 40; i++) {
            kz_pf_position position;
            kz_pf_permutation_at(board, next_random(&random) % kz_pf_permutations(kz_pf_board_at(board)), &position);
            assert_turns(&position);
        }
        kz_pf_position start;
        kz_pf_start(board, &start);
        assert_turns(&start);
    }
}

/* ---- Starts and ends -------------------------------------------------------------------------------------------- */

TEST(test_start) {
    for (int rules = 0; rules < board_count(); rules++) {
        const kz_pf_board *board = kz_pf_board_at(rules);
        kz_position position;
        kz_start(game(), rules, &position);
        kz_pf_position pf = kz_pf_from_position(&position);
        assert_int_equal(pf.board, rules);
        assert_int_equal(pf.anchor, KZ_PF_NO_ANCHOR);
        assert_string_equal(kz_side_to_move(game(), &position), "red");
        assert_int_equal(kz_popcount32(pf.own_movers), board->movers);
        assert_int_equal(kz_popcount32(pf.own_pushers), board->pushers);
        assert_int_equal(kz_popcount32(pf.enemy_movers), board->movers);
        assert_int_equal(kz_popcount32(pf.enemy_pushers), board->pushers);
        assert_int_equal(kz_pf_own(&pf) & ~board->home, 0);
        assert_int_equal(kz_pf_enemy(&pf) & ~(board->squares & ~board->home), 0);
        assert_true(kz_moves(game(), rules, &position, moves) > 0);
        uint64_t index;
        assert_false(kz_rank(game(), &position, &index));
    }
}

/* A turn that pushes a piece off the board ends the game. */
TEST(test_finish) {
    kz_position position = parsed(0, "..OoO..X......oxY..XO..x.."); /* can win, says the published table */
    assert_int_equal(kz_immediate(game(), 0, &position).outcome, KZ_WIN);
    assert_int_equal(kz_immediate(game(), 0, &position).distance, 1);
    int count = kz_moves(game(), 0, &position, moves);
    int ends = 0;
    for (int i = 0; i < count; i++) {
        kz_position next = position;
        kz_play(game(), 0, &next, moves[i]);
        kz_pf_position pf = kz_pf_from_position(&next);
        if (!kz_pf_finished(&pf)) {
            continue;
        }
        ends++;
        kz_value value = kz_immediate(game(), 0, &next);
        assert_true(value.outcome == KZ_LOSS && value.distance == 0);
        kz_move none[KZ_MAX_MOVES];
        assert_int_equal(kz_moves(game(), 0, &next, none), 0);
        char text[KZ_TEXT_BYTES];
        assert_int_equal(kz_format(game(), &next, KZ_PF_STRING, text, sizeof text, NULL), KZ_OK);
        kz_position again = parsed(0, text);
        assert_true(kz_same(game(), &next, &again));
    }
    assert_true(ends > 0);
}

/* ---- Published values ------------------------------------------------------------------------------------------- */

TEST(test_lost) {
    FILE *file = open_data("lost-permutation-indices.txt");
    char line[64];
    int count = 0;
    int anchored = 0;
    for (; fgets(line, sizeof line, file); count++) {
        kz_position position = parsed(0, line);
        assert_int_equal(kz_moves(game(), 0, &position, moves), 0);
        kz_value value = kz_immediate(game(), 0, &position);
        assert_true(value.outcome == KZ_LOSS && value.distance == 0);
        uint64_t index;
        anchored += kz_rank(game(), &position, &index);
    }
    fclose(file);
    assert_int_equal(count, 648);
    assert_int_equal(anchored, 624);
}

TEST(test_samples) {
    FILE *file = open_data("minimized-samples.tsv");
    unsigned byte;
    uint64_t index;
    int count = 0;
    for (; fscanf(file, "%u %" SCNu64, &byte, &index) == 2; count++) {
        char text[32];
        snprintf(text, sizeof text, "%c%" PRIu64, count % 2 ? '-' : '+', index);
        kz_position position = parsed(0, text);
        kz_value value = kz_immediate(game(), 0, &position);
        kz_outcome expected = byte == 1 ? KZ_LOSS : byte == 2 ? KZ_WIN : KZ_UNKNOWN;
        if (value.outcome != expected || value.distance != (byte == 2)) {
            fail_msg("%s: outcome %d in %d, published %u", text, (int)value.outcome, value.distance, byte);
        }
    }
    fclose(file);
    assert_int_equal(count, 485);
}

/* ---- Counts and indices ----------------------------------------------------------------------------------------- */

TEST(test_counts) {
    kz_count counts[8];
    size_t found = 0;
    assert_int_equal(kz_count_positions(game(), 1, NULL, counts, 8, &found, NULL), KZ_OK);
    assert_int_equal(found, 3);
    assert_string_equal(counts[0].name, "permutations");
    assert_int_equal(counts[0].count, 401567166000);
    assert_string_equal(counts[1].name, "anchored");
    assert_int_equal(counts[1].count, 172416263040);
    assert_string_equal(counts[2].name, "minimized");
    assert_int_equal(counts[2].count, 86208131520);

    kz_pf_position_counts mini = kz_pf_count_board(kz_pf_board_at(kz_rules_find(game(), "mini")));
    assert_int_equal(mini.permutations, 15135120);
    assert_int_equal(mini.anchored, 5715360);
    assert_int_equal(mini.minimized, 2857680);
}

static void assert_same_index(const kz_pf_space *space, int rules, uint64_t index) {
    kz_pf_position expected;
    bool exists = kz_pf_at(space, index, &expected);
    kz_position position;
    kz_unrank(game(), rules, index, &position);
    kz_pf_position found = kz_pf_from_position(&position);
    assert_true(kz_pf_same(&found, &expected));
    uint64_t rank = 0;
    assert_int_equal(kz_rank(game(), &position, &rank), exists);
    if (exists && !space->folded) {
        assert_int_equal(rank, index);
    }
    if (exists && kz_pf_board_at(rules)->symmetric) {
        kz_pf_rotate_position(&found);
        kz_pf_to_position(&found, &position);
        uint64_t by_tables;
        assert_true(kz_pf_index(space, &found, &by_tables));
        assert_true(kz_rank(game(), &position, &rank));
        assert_int_equal(rank, by_tables);
        if (space->folded) {
            assert_int_equal(rank, index);
        }
    }
}

TEST(test_index) {
    uint64_t random = 362436069;
    for (int rules = 0; rules < board_count(); rules++) {
        kz_pf_space *space = NULL;
        assert_int_equal(kz_pf_space_open(kz_pf_board_at(rules), &space, NULL), KZ_OK);
        assert_int_equal(kz_index_size(game(), rules), space->positions);
        assert_same_index(space, rules, 0);
        assert_same_index(space, rules, space->positions - 1);
        for (int i = 0; i < 2000; i++) {
            assert_same_index(space, rules, next_random(&random) % space->positions);
        }
        kz_pf_space_close(space);
    }
}

TESTS(NULL, NULL)
