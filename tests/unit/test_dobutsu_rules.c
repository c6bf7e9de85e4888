/* SPDX-License-Identifier: MIT
 *
 * The rules of Dobutsu Shogi against a second, slower set of rules that is written out here, positions with known
 * ends, and published perft figures. */
#include "tests/support/testing.h"

#include "games/dobutsu/rules/rules.h"
#include "tests/support/dobutsu_samples.h"
#include <string.h>

static const kz_game *game(void) { return kz_game_find("dobutsu"); }

/* Plays a move and compares the position, written as SFEN. */
static void assert_play(const char *text, const char *move_text, const char *expected) {
    kz_position position = dobutsu_at(text);
    kz_move move;
    kz_error error = {0};
    char result[KZ_TEXT_BYTES];
    if (kz_move_parse(game(), KZ_DOBUTSU_OFFICIAL, &position, move_text, strlen(move_text), &move, &error) != KZ_OK) {
        fail_msg("%s in %s: %s", move_text, text, error.message);
    }
    kz_play(game(), KZ_DOBUTSU_OFFICIAL, &position, move);
    assert_int_equal(kz_format(game(), &position, 0, result, sizeof result, NULL), KZ_OK);
    assert_string_equal(result, expected);
}

static void assert_value(const char *text, int rules, kz_outcome outcome, int distance) {
    kz_position position = dobutsu_at(text);
    kz_value value = kz_immediate(game(), rules, &position);
    if (value.outcome != outcome || value.distance != distance) {
        fail_msg("%s, rules %d: outcome %d in %d, expected %d in %d", text, rules, (int)value.outcome, value.distance,
                 (int)outcome, distance);
    }
}

static int move_count(const char *text, int rules) {
    kz_position position = dobutsu_at(text);
    kz_move moves[KZ_DOBUTSU_MAX_MOVES];
    return kz_moves(game(), rules, &position, moves);
}

/* ---- A second set of rules -------------------------------------------------------------------------------------- */

/* Forward is up the page. */
static const char *const step_pictures[KZ_DOBUTSU_KINDS] = {
    [KZ_DOBUTSU_CHICK] = ".*."
                         "..."
                         "...",
    [KZ_DOBUTSU_ELEPHANT] = "*.*"
                            "..."
                            "*.*",
    [KZ_DOBUTSU_GIRAFFE] = ".*."
                           "*.*"
                           ".*.",
    [KZ_DOBUTSU_LION] = "***"
                        "*.*"
                        "***",
    [KZ_DOBUTSU_HEN] = "***"
                       "*.*"
                       ".*.",
};

static bool steps(int kind, int from, int to) {
    int up = to / 3 - from / 3;
    int right = to % 3 - from % 3;
    return up >= -1 && up <= 1 && right >= -1 && right <= 1 && step_pictures[kind][3 * (1 - up) + 1 + right] == '*';
}

static bool reference_legal(const kz_dobutsu *position, int from, int to) {
    uint8_t target = position->board[to];
    if (from >= 12) {
        return position->hand[0][from - 12] > 0 && target == 0;
    }
    uint8_t cell = position->board[from];
    bool own = cell >= 1 && cell <= 5;
    return own && steps(cell - 1, from, to) && !(target >= 1 && target <= 5);
}

/* Lion, then chick or hen, elephant, giraffe; within those the squares, then the hand. */
static int reference_moves(const kz_dobutsu *position, kz_move *moves) {
    static const char order[] = {KZ_DOBUTSU_LION, KZ_DOBUTSU_CHICK, KZ_DOBUTSU_ELEPHANT, KZ_DOBUTSU_GIRAFFE};
    int count = 0;
    for (int i = 0; i < 4; i++) {
        for (int from = 0; from < 15; from++) {
            int kind = from >= 12 ? from - 12 : position->board[from] % 8 - 1;
            kind = kind == KZ_DOBUTSU_HEN ? KZ_DOBUTSU_CHICK : kind;
            for (int to = 0; to < 12; to++) {
                if (kind == order[i] && reference_legal(position, from, to)) {
                    moves[count++] = (kz_move)((from + 1) * 16 + to);
                }
            }
        }
    }
    return count;
}

static int find(const kz_dobutsu *position, int cell) {
    for (int square = 0; square < 12; square++) {
        if (position->board[square] == cell) {
            return square;
        }
    }
    return -1;
}

static bool can_reach(const kz_dobutsu *position, int square) {
    for (int from = 0; from < 12; from++) {
        if (reference_legal(position, from, square)) {
            return true;
        }
    }
    return false;
}

/* The value of a finished game; unknown while it goes on. */
static kz_value reference_end(int rules, const kz_dobutsu *position) {
    kz_move moves[KZ_DOBUTSU_MAX_MOVES];
    int lion = find(position, 4);
    int enemy = find(position, 12);
    if (lion < 0) {
        return (kz_value){KZ_LOSS, 0};
    }
    if (lion >= 9) {
        return (kz_value){KZ_WIN, 0};
    }
    if (rules == KZ_DOBUTSU_OFFICIAL && enemy < 3 && !can_reach(position, enemy)) {
        return (kz_value){KZ_LOSS, 0};
    }
    return (kz_value){reference_moves(position, moves) ? KZ_UNKNOWN : KZ_LOSS, 0};
}

/* The value by looking one move ahead, where that ends the game: a move that leaves a lost game wins in 1; if every
 * move leaves a won one, the game is lost in 1. */
static kz_value reference_value(int rules, const kz_dobutsu *position) {
    kz_value end = reference_end(rules, position);
    if (end.outcome != KZ_UNKNOWN) {
        return end;
    }
    kz_move moves[KZ_DOBUTSU_MAX_MOVES];
    int count = reference_moves(position, moves);
    bool all_won = true;
    for (int i = 0; i < count; i++) {
        kz_dobutsu child = *position;
        kz_dobutsu_play(&child, moves[i]);
        kz_value value = reference_end(rules, &child);
        if (value.outcome == KZ_LOSS) {
            return (kz_value){KZ_WIN, 1};
        }
        all_won = all_won && value.outcome == KZ_WIN;
    }
    return (kz_value){all_won ? KZ_LOSS : KZ_UNKNOWN, all_won ? 1 : 0};
}

TEST(test_steps) {
    for (int kind = 0; kind < KZ_DOBUTSU_KINDS; kind++) {
        for (int from = 0; from < KZ_DOBUTSU_SQUARES; from++) {
            for (int to = 0; to < KZ_DOBUTSU_SQUARES; to++) {
                assert_int_equal(kz_dobutsu_steps(kind, from) >> to & 1, steps(kind, from, to));
            }
        }
    }
}

TEST(test_random_positions) {
    uint64_t seed = 2008;
    for (int i = 0; i < 200000 / FEWER; i++) {
        kz_dobutsu position = sample_position(&seed);
        assert_int_equal(kz_dobutsu_validate(&position, NULL), KZ_OK);
        for (int rules = 0; rules < 2; rules++) {
            kz_value expected = reference_value(rules, &position);
            kz_value value = kz_dobutsu_immediate(rules, &position);
            assert_int_equal(value.outcome, expected.outcome);
            assert_int_equal(value.distance, expected.distance);

            kz_move expected_moves[KZ_DOBUTSU_MAX_MOVES];
            kz_move moves[KZ_DOBUTSU_MAX_MOVES];
            bool over = reference_end(rules, &position).outcome != KZ_UNKNOWN;
            int expected_count = over ? 0 : reference_moves(&position, expected_moves);
            int count = kz_dobutsu_moves(rules, &position, moves);
            assert_int_equal(count, expected_count);
            assert_memory_equal(moves, expected_moves, (size_t)count * sizeof moves[0]);
        }
    }
}

static kz_dobutsu mirrored(const kz_dobutsu *position) {
    kz_dobutsu mirror = *position;
    for (int square = 0; square < 12; square++) {
        mirror.board[square] = position->board[square / 3 * 3 + 2 - square % 3];
    }
    return mirror;
}

/* Mirror images have the same value and mirrored moves; every child is a valid position with the other side to move. */
TEST(test_symmetry) {
    uint64_t seed = 2009;
    for (int i = 0; i < 20000; i++) {
        kz_dobutsu position = sample_position(&seed);
        kz_dobutsu mirror = mirrored(&position);
        kz_move moves[2][KZ_DOBUTSU_MAX_MOVES];
        int count = kz_dobutsu_moves(KZ_DOBUTSU_OFFICIAL, &position, moves[0]);
        assert_int_equal(kz_dobutsu_moves(KZ_DOBUTSU_OFFICIAL, &mirror, moves[1]), count);
        assert_int_equal(kz_dobutsu_immediate(KZ_DOBUTSU_OFFICIAL, &position).outcome,
                         kz_dobutsu_immediate(KZ_DOBUTSU_OFFICIAL, &mirror).outcome);
        for (int k = 0; k < count; k++) {
            int from = kz_dobutsu_move_from(moves[0][k]);
            int to = kz_dobutsu_move_to(moves[0][k]);
            kz_dobutsu child = position;
            kz_dobutsu other = mirror;
            kz_dobutsu_play(&child, moves[0][k]);
            kz_dobutsu_play(&other,
                            kz_dobutsu_move(from < 12 ? from / 3 * 3 + 2 - from % 3 : from, to / 3 * 3 + 2 - to % 3));
            assert_int_equal(kz_dobutsu_validate(&child, NULL), KZ_OK);
            assert_int_equal(child.turn, !position.turn);
            child = mirrored(&child);
            assert_memory_equal(&child, &other, sizeof child);
        }
        kz_dobutsu twice = position;
        kz_dobutsu_flip(&twice);
        kz_dobutsu_flip(&twice);
        assert_memory_equal(&twice, &position, sizeof twice);
    }
}

/* ---- What moves do ---------------------------------------------------------------------------------------------- */

TEST(test_play) {
    assert_play("gle/1c1/1C1/ELG b - 1", "2c2b", "gle/1C1/3/ELG w C 2");
    assert_play("gle/1C1/3/ELG w C 2", "1a2b", "gl1/1e1/3/ELG b Cc 3");
    assert_play("gl1/1e1/3/ELG b Cc 3", "C*2c", "gl1/1e1/1C1/ELG w c 4");
    /* The move number stays unknown, and does not run over. */
    assert_play("gle/1c1/1C1/ELG b -", "2c2b", "gle/1C1/3/ELG w C");
    assert_play("gle/1c1/1C1/ELG b - 65535", "2c2b", "gle/1C1/3/ELG w C 65535");
}

TEST(test_promotion) {
    /* By moving only: a dropped chick stays one and has no moves. */
    assert_play("1l1/C2/3/1L1 b GEgec 1", "3b3a+", "+Cl1/3/3/1L1 w GEgec 2");
    assert_play("1l1/3/3/1L1 b GECgec 1", "C*3a", "Cl1/3/3/1L1 w GEgec 2");
    assert_play("1l1/3/c2/1L1 w GECge 1", "3c3d", "1l1/3/3/+cL1 b GECge 2");
    /* A hen stays a hen when it comes back. */
    assert_play("+Cl1/3/3/1L1 b GEgec 1", "3a3b", "1l1/+C2/3/1L1 w GEgec 2");
}

TEST(test_captured_hen) { assert_play("1l1/+c2/G2/1L1 b Egec 1", "3c3b", "1l1/G2/3/1L1 w ECgec 2"); }

TEST(test_drops) {
    /* Lion 4, chick 1, and two giraffes that are dropped as one on 9 squares. */
    assert_int_equal(move_count("1l1/3/1C1/1L1 b 2G2ec", KZ_DOBUTSU_OFFICIAL), 4 + 1 + 9);
    /* Onto the far row, into a file with another chick, and giving mate: all of it is allowed. */
    assert_play("1l1/3/1C1/1L1 b C2G2e", "C*2b", "1l1/1C1/1C1/1L1 w 2G2e");
    /* A chick that was dropped onto the far row has no moves: the lion's 3 are all. */
    assert_int_equal(move_count("C1l/3/3/L2 b 2e2gc", KZ_DOBUTSU_OFFICIAL), 3);
}

/* ---- How games end ---------------------------------------------------------------------------------------------- */

static void assert_both(const char *text, kz_outcome outcome, int distance) {
    assert_value(text, KZ_DOBUTSU_OFFICIAL, outcome, distance);
    assert_value(text, KZ_DOBUTSU_SIMPLIFIED, outcome, distance);
}

TEST(test_lion_capture) {
    assert_both("gle/1c1/1C1/ELG b - 1", KZ_UNKNOWN, 0);
    /* The giraffe takes the lion; then the game is lost for the other side. */
    assert_both("1l1/1G1/3/1L1 b 2eg2c 1", KZ_WIN, 1);
    assert_play("1l1/1G1/3/1L1 b 2eg2c 1", "2b2a", "1G1/3/3/1L1 w Lg2e2c 2");
    assert_both("1G1/3/3/1L1 w Lg2e2c 2", KZ_LOSS, 0);
    assert_int_equal(move_count("1G1/3/3/1L1 w Lg2e2c 2", KZ_DOBUTSU_OFFICIAL), 0);
    assert_int_equal(move_count("1G1/3/3/1L1 w Lg2e2c 2", KZ_DOBUTSU_SIMPLIFIED), 0);
    /* Nobody has to see it. */
    assert_int_equal(move_count("1l1/1G1/3/1L1 b 2eg2c 1", KZ_DOBUTSU_OFFICIAL), 5 + 4);
}

TEST(test_safe_try) {
    /* 3a is out of reach for gote's lion on 1a: stepping there wins at once, or in 2 under the simplified rule. */
    const char before[] = "2l/L2/3/3 b 2E2G2C";
    const char tried[] = "L1l/3/3/3 w 2G2E2C";
    assert_value(before, KZ_DOBUTSU_OFFICIAL, KZ_WIN, 1);
    assert_value(before, KZ_DOBUTSU_SIMPLIFIED, KZ_UNKNOWN, 0);
    assert_play(before, "3b3a", tried);
    assert_value(tried, KZ_DOBUTSU_OFFICIAL, KZ_LOSS, 0);
    assert_value(tried, KZ_DOBUTSU_SIMPLIFIED, KZ_LOSS, 1);
    assert_int_equal(move_count(tried, KZ_DOBUTSU_OFFICIAL), 0);
    assert_int_equal(move_count(tried, KZ_DOBUTSU_SIMPLIFIED), 3);
    /* The turn after it. */
    assert_both("L2/2l/3/3 b 2E2G2C", KZ_WIN, 0);
    assert_int_equal(move_count("L2/2l/3/3 b 2E2G2C", KZ_DOBUTSU_SIMPLIFIED), 0);
    /* A Try that takes its only guard is safe. */
    assert_value("g1l/L2/3/3 b 2EG2C", KZ_DOBUTSU_OFFICIAL, KZ_WIN, 1);
}

TEST(test_unsafe_try) {
    /* Gote's elephant on 2b guards 3a and 1a, the lion on 1a guards 2a. */
    const char before[] = "2l/Le1/3/3 b 2GE2C 1";
    const char tried[] = "L1l/1e1/3/3 w 2GE2C 2";
    const char missed[] = "Ll1/1e1/3/3 b 2GE2C 3";
    assert_both("2l/1e1/L2/3 b 2GE2C 1", KZ_UNKNOWN, 0);
    assert_play(before, "3b3a", tried);
    assert_both(tried, KZ_WIN, 1);
    assert_int_equal(move_count(tried, KZ_DOBUTSU_OFFICIAL), 2 + 3);
    assert_play(tried, "2b3a", "e1l/3/3/3 b 2GE2Cl 3");
    assert_both("e1l/3/3/3 b 2GE2Cl 3", KZ_LOSS, 0);
    /* The capture was missed: the Try counts, even with the lions side by side. */
    assert_play(tried, "1a2a", missed);
    assert_both(missed, KZ_WIN, 0);
    assert_int_equal(move_count(missed, KZ_DOBUTSU_OFFICIAL), 0);
    /* So it does if gote answers it with a Try of its own. */
    assert_both("L2/1e1/3/2l b 2GE2C", KZ_WIN, 0);
}

/* The only legal positions in which the side to move has no move at all. */
TEST(test_no_moves) {
    assert_both("S/-EG/EGL/lCC/---/-", KZ_LOSS, 0);
    assert_both("S/lEG/EGL/-CC/---/-", KZ_LOSS, 0);
    /* And, under the simplified rule, after a Try. */
    static const char *const tried[] = {"0x20a5352c81", "0x20a5352c82", "0x28c4352ea0", "0x28c4352ea1"};
    for (int i = 0; i < 4; i++) {
        assert_both(tried[i], KZ_LOSS, 0);
        assert_int_equal(move_count(tried[i], KZ_DOBUTSU_SIMPLIFIED), 0);
    }
}

/* ---- Counts ----------------------------------------------------------------------------------------------------- */

static void assert_perft(const char *text, int rules, const uint64_t *expected, int depths) {
    kz_position position = dobutsu_at(text);
    for (int depth = 0; depth < depths; depth++) {
        assert_int_equal(kz_perft(game(), rules, &position, depth), expected[depth]);
    }
}

/* The official figures are published to depth 6. Where the simplified ones part from them, and at depth 7, they come
 * from a separate program that keeps the board as text. */
TEST(test_perft) {
    const char start[] = "gle/1c1/1C1/ELG b - 1";
    assert_perft(start, KZ_DOBUTSU_OFFICIAL, (const uint64_t[]){1, 4, 17, 123, 976, 8122, 71677, 635117}, 8);
    assert_perft(start, KZ_DOBUTSU_SIMPLIFIED, (const uint64_t[]){1, 4, 17, 123, 976, 8122, 72004, 639056}, 8);
    /* Published for Fairy-Stockfish. */
    const char hands[] = "1l1/3/3/1L1[EGCegc] w 0 1";
    const char chick[] = "gle/3/1C1/ELG[c] w 0 1";
    for (int rules = 0; rules < 2; rules++) {
        assert_perft(hands, rules, (const uint64_t[]){1, 35, 1135, 27255, 612534}, 5);
        assert_perft(chick, rules, (const uint64_t[]){1, 4, 40, 218, 1705, 10764}, 6);
    }
}

/* ---- Positions -------------------------------------------------------------------------------------------------- */

static void assert_invalid(const kz_dobutsu *position, const char *reason) {
    kz_error error = {0};
    assert_int_equal(kz_dobutsu_validate(position, &error), KZ_ERR_INPUT);
    if (!strstr(error.message, reason)) {
        fail_msg("\"%s\" does not say \"%s\"", error.message, reason);
    }
}

TEST(test_validate) {
    kz_dobutsu start;
    kz_dobutsu_start(&start);
    assert_int_equal(kz_dobutsu_validate(&start, NULL), KZ_OK);

    kz_dobutsu position = start;
    position.board[3] = 6;
    assert_invalid(&position, "square 3 holds 6");
    position.board[3] = 8;
    assert_invalid(&position, "square 3 holds 8");
    position.board[3] = 17;
    assert_invalid(&position, "square 3 holds 17");
    position.board[3] = 1 + KZ_DOBUTSU_HEN;
    assert_invalid(&position, "chicks and hens is 3");
    position = start;
    position.hand[1][KZ_DOBUTSU_ELEPHANT] = 2;
    assert_invalid(&position, "elephants is 4");
    position = start;
    position.board[2] = KZ_DOBUTSU_EMPTY;
    assert_invalid(&position, "giraffes is 1");
    position = start;
    position.board[3] = 1 + KZ_DOBUTSU_LION;
    assert_invalid(&position, "the side to move has 2 lions");
    position = start;
    position.board[1] = KZ_DOBUTSU_EMPTY;
    assert_invalid(&position, "the opponent does not hold it");
    position.hand[1][KZ_DOBUTSU_LION] = 1;
    assert_int_equal(kz_dobutsu_validate(&position, NULL), KZ_OK);
    position.board[10] = KZ_DOBUTSU_EMPTY;
    assert_invalid(&position, "the opponent has no lion");
    position = start;
    position.hand[1][KZ_DOBUTSU_LION] = 1;
    assert_invalid(&position, "still on the board");
    position = start;
    position.board[10] = KZ_DOBUTSU_EMPTY;
    position.hand[0][KZ_DOBUTSU_LION] = 1;
    assert_invalid(&position, "the game ended before this turn");
    position = start;
    position.turn = 2;
    assert_invalid(&position, "turn is 2");
}

TEST(test_registry) {
    assert_ptr_equal(kz_game_at(0), game());
    assert_null(kz_game_at(1000));
    assert_null(kz_game_find("go"));
    assert_string_equal(kz_game_name(game()), "dobutsu");
    assert_non_null(kz_game_title(game()));
    assert_string_equal(kz_rules_name(game(), 0), "official");
    assert_string_equal(kz_rules_name(game(), 1), "simplified");
    assert_null(kz_rules_name(game(), 2));
    assert_null(kz_rules_name(game(), -1));
    assert_int_equal(kz_rules_find(game(), NULL), 0);
    assert_int_equal(kz_rules_find(game(), "simplified"), 1);
    assert_int_equal(kz_rules_find(game(), "simple"), -1);

    kz_position start;
    kz_start(game(), 0, &start);
    kz_position other = dobutsu_at("gle/1c1/1C1/ELG b - 9");
    kz_position gote = dobutsu_at("gle/1c1/1C1/ELG w - 1");
    assert_true(kz_same(game(), &start, &other));
    assert_false(kz_same(game(), &start, &gote));
    assert_string_equal(kz_side_to_move(game(), &start), "sente");
    assert_string_equal(kz_side_to_move(game(), &gote), "gote");
}

TESTS(NULL, NULL)
