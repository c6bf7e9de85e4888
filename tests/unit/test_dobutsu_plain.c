/* SPDX-License-Identifier: MIT
 * labels: slow
 *
 * The two implementations of the rules against each other and against published figures, and the kernels that check a
 * table against the plain rules, one position at a time. */
#include "games/dobutsu/check/plain.h"
#include "games/dobutsu/index/space.h"
#include "games/dobutsu/rules/rules.h"
#include "table/verify.h"
#include "tests/support/dobutsu_samples.h"
#include "tests/support/testing.h"

#include <stdlib.h>
#include <string.h>

enum { RULE_SETS = 2 };

static const kz_game *game(void) { return kz_game_find("dobutsu"); }

static kz_dobutsu_plain plain_of(const kz_dobutsu *position) {
    kz_dobutsu_plain plain;
    kz_dobutsu_plain_from(position, &plain);
    return plain;
}

static kz_dobutsu parsed(const char *text) {
    kz_position position;
    kz_dobutsu dobutsu;
    assert_int_equal(kz_parse(game(), 0, text, strlen(text), &position, NULL), KZ_OK);
    kz_dobutsu_from_position(&position, &dobutsu);
    return dobutsu;
}

/* ---- The rules --------------------------------------------------------------------------------------------------- */

/* The official figures up to 6 are published. */
TEST(test_perft) {
    static const uint64_t expected[RULE_SETS][8] = {
        [KZ_DOBUTSU_OFFICIAL] = {1, 4, 17, 123, 976, 8122, 71677, 635117},
        [KZ_DOBUTSU_SIMPLIFIED] = {1, 4, 17, 123, 976, 8122, 72004, 639056},
    };
    kz_dobutsu start = parsed("gle/1c1/1C1/ELG b - 1");
    kz_position position;
    kz_dobutsu_plain plain = plain_of(&start);
    kz_dobutsu_to_position(&start, &position);
    for (int rules = 0; rules < RULE_SETS; rules++) {
        for (int depth = 0; depth < 8; depth++) {
            assert_int_equal(kz_dobutsu_plain_perft(rules, &plain, depth), expected[rules][depth]);
            assert_int_equal(kz_perft(game(), rules, &position, depth), expected[rules][depth]);
        }
    }
}

static void fail_on(const kz_dobutsu *position, int rules, const char *what) {
    kz_position general;
    char text[KZ_TEXT_BYTES] = "?";
    kz_dobutsu_to_position(position, &general);
    kz_format(game(), &general, 0, text, sizeof text, NULL);
    fail_msg("%s, rules %d: %s", text, rules, what);
}

static bool same_cells(const kz_dobutsu *a, const kz_dobutsu *b) {
    return memcmp(a->board, b->board, sizeof a->board) == 0 && memcmp(a->hand, b->hand, sizeof a->hand) == 0;
}

/* Values, moves as a set, what each move leads to, and whether it can be taken back. */
static void assert_engines_agree(const kz_dobutsu *position, int rules) {
    kz_dobutsu_plain plain = plain_of(position);
    kz_value expected = kz_dobutsu_plain_immediate(rules, &plain);
    kz_value value = kz_dobutsu_immediate(rules, position);
    if (value.outcome != expected.outcome || value.distance != expected.distance) {
        fail_on(position, rules, "the values differ");
    }
    kz_dobutsu_plain_move plain_moves[KZ_DOBUTSU_MAX_MOVES];
    kz_move moves[KZ_DOBUTSU_MAX_MOVES];
    int count = kz_dobutsu_plain_moves(rules, &plain, plain_moves);
    if (kz_dobutsu_moves(rules, position, moves) != count) {
        fail_on(position, rules, "the numbers of moves differ");
    }
    uint16_t listed[KZ_DOBUTSU_FROMS] = {0};
    for (int i = 0; i < count; i++) {
        int from = kz_dobutsu_move_from(moves[i]);
        listed[from] = (uint16_t)(listed[from] | 1U << kz_dobutsu_move_to(moves[i]));
    }
    for (int i = 0; i < count; i++) {
        kz_dobutsu_plain_move move = plain_moves[i];
        if (!(listed[move.from] >> move.to & 1)) {
            fail_on(position, rules, "the moves differ");
        }
        listed[move.from] = (uint16_t)(listed[move.from] & ~(1U << move.to));
        kz_dobutsu_plain next = plain;
        kz_dobutsu seen;
        kz_dobutsu played = *position;
        kz_dobutsu_plain_undo undo = kz_dobutsu_plain_make(&next, move);
        kz_dobutsu_plain_to(&next, &seen);
        kz_dobutsu_play(&played, kz_dobutsu_move(move.from, move.to));
        if (!same_cells(&seen, &played)) {
            fail_on(position, rules, "a move leads to different positions");
        }
        kz_dobutsu_plain_unmake(&next, move, undo);
        if (memcmp(&next, &plain, sizeof plain) != 0) {
            fail_on(position, rules, "a move was not taken back");
        }
    }
}

TEST(test_random_arrangements) {
    uint64_t seed = 20240229;
    const int cases = random_cases(1000000);
    for (int i = 0; i < cases; i++) {
        kz_dobutsu position = sample_position(&seed);
        for (int rules = 0; rules < RULE_SETS; rules++) {
            assert_engines_agree(&position, rules);
        }
    }
}

static void agree_on_tree(const kz_dobutsu *position, int rules, int depth) {
    assert_engines_agree(position, rules);
    kz_move moves[KZ_DOBUTSU_MAX_MOVES];
    int count = depth > 0 ? kz_dobutsu_moves(rules, position, moves) : 0;
    for (int i = 0; i < count; i++) {
        kz_dobutsu next = *position;
        kz_dobutsu_play(&next, moves[i]);
        agree_on_tree(&next, rules, depth - 1);
    }
}

TEST(test_first_plies) {
    kz_dobutsu start = parsed("gle/1c1/1C1/ELG b - 1");
    for (int rules = 0; rules < RULE_SETS; rules++) {
        agree_on_tree(&start, rules, FEWER > 1 ? 5 : 6);
    }
}

/* ---- The kernels ------------------------------------------------------------------------------------------------- */

/* A made-up table, most of it wrong, and what the kernels should say about it by the plain rules. */
typedef struct model {
    int rules;
    uint8_t *losses;
    kz_dobutsu_space *space;
    void *checker;
} model;

/* One position in eight is said to be lost, in up to 200 plies. Then derived wins and draws are common, too. */
static model new_model(int rules) {
    model m = {.rules = rules, .losses = calloc(KZ_DOBUTSU_INDEX_SIZE, 1), .space = kz_dobutsu_space_new()};
    assert_non_null(m.losses);
    assert_non_null(m.space);
    uint64_t seed = 173;
    for (size_t i = 0; i < KZ_DOBUTSU_INDEX_SIZE;) {
        i += 1 + (size_t)sample_below(&seed, 15);
        if (i < KZ_DOBUTSU_INDEX_SIZE) {
            m.losses[i] = (uint8_t)(1 + (seed >> 32) % 200);
        }
    }
    m.checker = kz_dobutsu_checker.open(rules, 1, NULL);
    assert_non_null(m.checker);
    assert_int_equal(kz_dobutsu_checker.batches(m.checker), KZ_DOBUTSU_INDEX_SIZE);
    kz_dobutsu_checker.take(m.checker, 0, 0, KZ_DOBUTSU_INDEX_SIZE, m.losses);
    return m;
}

static void free_model(model *m) {
    kz_dobutsu_checker.close(m->checker);
    kz_dobutsu_space_free(m->space);
    free(m->losses);
}

/* Whether the side to move can take the lion. */
static bool takes_lion(const model *m, const kz_dobutsu_plain *plain) {
    kz_dobutsu_plain_move moves[KZ_DOBUTSU_MAX_MOVES];
    int count = kz_dobutsu_plain_moves(m->rules, plain, moves);
    bool takes = false;
    for (int i = 0; i < count; i++) {
        takes = takes || abs(plain->board[moves[i].to]) == 1 + KZ_DOBUTSU_LION;
    }
    return takes;
}

/* A position after a move. Its value is looked up, unless it has no index or the lion can be taken. */
typedef struct child {
    bool looked_up;
    uint64_t index;
    kz_value value;
} child;

static int children_of(const model *m, uint64_t index, child *children) {
    kz_dobutsu position;
    kz_dobutsu_space_unrank(m->space, index, &position);
    kz_dobutsu_plain plain = plain_of(&position);
    kz_dobutsu_plain_move moves[KZ_DOBUTSU_MAX_MOVES];
    int count = kz_dobutsu_plain_moves(m->rules, &plain, moves);
    for (int i = 0; i < count; i++) {
        kz_dobutsu_plain next = plain;
        kz_dobutsu seen;
        kz_dobutsu_plain_make(&next, moves[i]);
        kz_dobutsu_plain_to(&next, &seen);
        bool ranked = kz_dobutsu_space_rank_all(m->space, &seen, &children[i].index);
        bool indexed = ranked && children[i].index < KZ_DOBUTSU_INDEX_SIZE;
        children[i].looked_up = indexed && !takes_lion(m, &next);
        children[i].value = kz_dobutsu_plain_immediate(m->rules, &next);
        assert_true(children[i].looked_up || children[i].value.outcome != KZ_UNKNOWN);
    }
    return count;
}

/* The distance of the win that the stored losses give a position; 0: none. */
static int expected_win(const model *m, uint64_t index) {
    kz_dobutsu position;
    kz_dobutsu_space_unrank(m->space, index, &position);
    kz_dobutsu_plain plain = plain_of(&position);
    if (kz_dobutsu_plain_immediate(m->rules, &plain).outcome == KZ_WIN) {
        return 1;
    }
    child children[KZ_DOBUTSU_MAX_MOVES];
    int count = m->losses[index] ? 0 : children_of(m, index, children);
    int win = 0;
    for (int i = 0; i < count; i++) {
        bool lost = !children[i].looked_up && children[i].value.outcome == KZ_LOSS;
        int candidate = children[i].looked_up ? m->losses[children[i].index]
                        : lost                ? children[i].value.distance + 1
                                              : 0;
        win = candidate && (!win || candidate < win) ? candidate : win;
    }
    return win;
}

/* As a loss is stored: what follows from the wins of all children; 0 if one of them is not won. */
static int expected_loss(const model *m, uint64_t index) {
    child children[KZ_DOBUTSU_MAX_MOVES];
    int count = children_of(m, index, children);
    int longest = -1;
    for (int i = 0; i < count; i++) {
        bool won = !children[i].looked_up && children[i].value.outcome == KZ_WIN;
        int win = children[i].looked_up ? expected_win(m, children[i].index) : won ? children[i].value.distance : 0;
        if (win == 0) {
            return 0;
        }
        longest = win > longest ? win : longest;
    }
    return longest + 2;
}

typedef struct findings {
    kz_verify_report report;
    uint64_t losses[KZ_MAX_DISTANCE + 1];
    uint64_t wins[KZ_MAX_DISTANCE + 1];
    uint64_t draws;
} findings;

static void check(const model *m, uint64_t begin, uint64_t end, findings *found) {
    kz_dobutsu_checker.check(m->checker, 0, begin, end, &found->report, found->losses, found->wins, &found->draws);
}

/* Tests change the losses after the checker has taken them in. */
static void take_again(const model *m, uint64_t index) {
    kz_dobutsu_checker.take(m->checker, 0, index, 1, &m->losses[index]);
    kz_dobutsu_checker.derive(m->checker, 0, index, index + 1);
}

/* One position alone, after its own win and those of its children were derived. */
static findings found_at(const model *m, uint64_t index) {
    findings found = {0};
    child children[KZ_DOBUTSU_MAX_MOVES];
    int count = children_of(m, index, children);
    for (int i = 0; i < count; i++) {
        if (children[i].looked_up) {
            take_again(m, children[i].index);
        }
    }
    take_again(m, index);
    check(m, index, index + 1, &found);
    return found;
}

/* Tells whether the value was right. */
static bool assert_finding(const model *m, uint64_t index, kz_outcome *outcome) {
    int loss = m->losses[index];
    int win = expected_win(m, index);
    bool right = win ? loss == 0 : loss == expected_loss(m, index);
    findings found = found_at(m, index);
    *outcome = win ? KZ_WIN : loss ? KZ_LOSS : KZ_DRAW;
    assert_int_equal(found.report.positions, 1);
    assert_int_equal(found.report.wins, *outcome == KZ_WIN);
    assert_int_equal(found.report.losses, *outcome == KZ_LOSS);
    assert_int_equal(found.report.draws, *outcome == KZ_DRAW);
    assert_int_equal(*outcome == KZ_WIN    ? found.wins[win]
                     : *outcome == KZ_LOSS ? found.losses[loss - 1]
                                           : found.draws,
                     1);
    assert_int_equal(found.report.wrong, !right);
    assert_int_equal(found.report.first_wrong, right ? 0 : index);
    return right;
}

/* Single positions, as the table has them and with what would be right. */
TEST(test_single_positions) {
    for (int rules = 0; rules < RULE_SETS; rules++) {
        model m = new_model(rules);
        uint64_t seed = 78;
        int seen[KZ_WIN + 1][2] = {0}; /* [outcome][right] */
        for (int i = 0; i < 4000; i++) {
            uint64_t index = (uint64_t)sample_below(&seed, KZ_DOBUTSU_INDEX_SIZE);
            kz_outcome outcome;
            bool right = assert_finding(&m, index, &outcome);
            seen[outcome][right]++;
            m.losses[index] = 0;
            if (expected_win(&m, index) == 0) {
                m.losses[index] = (uint8_t)expected_loss(&m, index);
            }
            kz_dobutsu_checker.take(m.checker, 0, index, 1, &m.losses[index]);
            assert_true(assert_finding(&m, index, &outcome));
            seen[outcome][true]++;
        }
        assert_true(seen[KZ_LOSS][true] > 100 && seen[KZ_LOSS][false] > 100);
        assert_true(seen[KZ_DRAW][true] > 100 && seen[KZ_DRAW][false] > 100);
        assert_true(seen[KZ_WIN][true] > 100 && seen[KZ_WIN][false] > 100);
        free_model(&m);
    }
}

/* Ranges that begin and end anywhere, and the beginning and the end of the index. */
TEST(test_ranges) {
    enum { LENGTH = 3000 };
    static const uint64_t firsts[] = {0, 5944635 - 1000, 100000000, KZ_DOBUTSU_INDEX_SIZE - LENGTH};
    for (int rules = 0; rules < RULE_SETS; rules++) {
        model m = new_model(rules);
        for (size_t i = 0; i < sizeof firsts / sizeof firsts[0]; i++) {
            uint64_t first = firsts[i];
            findings whole = {0};
            findings parts = {0};
            uint64_t expected[KZ_MAX_DISTANCE + 1] = {0};
            for (uint64_t index = first; index < first + LENGTH; index++) {
                int win = expected_win(&m, index);
                expected[win] += win != 0;
            }
            kz_dobutsu_checker.derive(m.checker, 0, first, first);
            kz_dobutsu_checker.derive(m.checker, 0, first, first + 1);
            kz_dobutsu_checker.derive(m.checker, 0, first + 1, first + LENGTH);
            check(&m, first, first + LENGTH, &whole);
            check(&m, first + 777, first + LENGTH, &parts);
            check(&m, first, first + 777, &parts);
            assert_int_equal(whole.report.positions, LENGTH);
            assert_memory_equal(whole.wins, expected, sizeof expected);
            assert_memory_equal(&whole, &parts, sizeof whole);
        }
        free_model(&m);
    }
}

/* The only positions of the index in which there is no move: lost in 0, and in nothing else. */
TEST(test_no_moves) {
    static const char *const texts[] = {"S/-EG/EGL/lCC/---/-", "S/lEG/EGL/-CC/---/-"};
    model m = new_model(KZ_DOBUTSU_OFFICIAL);
    for (int i = 0; i < 2; i++) {
        kz_dobutsu position = parsed(texts[i]);
        uint64_t index;
        kz_outcome outcome;
        assert_true(kz_dobutsu_rank(&position, &index));
        for (int loss = 0; loss <= 3; loss++) {
            m.losses[index] = (uint8_t)loss;
            assert_int_equal(assert_finding(&m, index, &outcome), loss == 1);
        }
    }
    free_model(&m);
}

/* A Try that leaves the enemy no move wins in 1 by the simplified rule, and not in 2 as others do. */
TEST(test_try_without_answer) {
    static const uint64_t after_try[] = {0x20a5352c81, 0x20a5352c82, 0x28c4352ea0, 0x28c4352ea1};
    model m = new_model(KZ_DOBUTSU_SIMPLIFIED);
    int tries = 0;
    for (int i = 0; i < 4; i++) {
        kz_dobutsu position;
        assert_int_equal(kz_dobutsu_from_state40(after_try[i], true, &position, NULL), KZ_OK);
        kz_dobutsu_plain plain = plain_of(&position);
        kz_value value = kz_dobutsu_plain_immediate(KZ_DOBUTSU_SIMPLIFIED, &plain);
        assert_true(value.outcome == KZ_LOSS && value.distance == 0);
        for (int lion = 0; lion < 3; lion++) {
            unsigned sources =
                plain.board[lion] == -1 - KZ_DOBUTSU_LION ? kz_dobutsu_plain_steps(KZ_DOBUTSU_LION, 1, lion) : 0;
            for (int from = 3; from < 6; from++) {
                kz_dobutsu_plain before = plain;
                uint64_t index;
                if (!(sources >> from & 1) || before.board[from] != 0) {
                    continue;
                }
                before.board[from] = before.board[lion];
                before.board[lion] = 0;
                before.side = 1;
                kz_dobutsu_plain_to(&before, &position);
                if (kz_dobutsu_rank(&position, &index) && !kz_dobutsu_immediate(m.rules, &position).outcome) {
                    m.losses[index] = 0;
                    assert_int_equal(found_at(&m, index).wins[1], 1);
                    tries++;
                }
            }
        }
    }
    assert_true(tries > 0);
    free_model(&m);
}

/* Bytes that no table should hold are wrong, and do not overrun the counts. */
TEST(test_distances_too_far) {
    model m = new_model(KZ_DOBUTSU_OFFICIAL);
    kz_dobutsu start = parsed("gle/1c1/1C1/ELG b - 1");
    uint64_t index;
    assert_true(kz_dobutsu_rank(&start, &index));
    m.losses[index] = 255;
    findings found = found_at(&m, index);
    assert_int_equal(found.report.wrong, 1);
    assert_int_equal(found.report.losses, 0);

    child children[KZ_DOBUTSU_MAX_MOVES];
    int count = children_of(&m, index, children);
    for (int i = 0; i < count; i++) {
        m.losses[children[i].index] = 255;
    }
    m.losses[index] = 0;
    found = found_at(&m, index);
    assert_int_equal(found.report.wrong, 1);
    assert_int_equal(found.report.wins, 0);
    free_model(&m);
}

TESTS(NULL, NULL)
