/* SPDX-License-Identifier: MIT
 *
 * The packed forms: published examples first, then there and back again. */
#include "tests/support/testing.h"

#include "games/dobutsu/rules/rules.h"
#include "tests/support/dobutsu_samples.h"
#include <string.h>

static const kz_game *game(void) { return kz_game_find("dobutsu"); }

static kz_dobutsu dobutsu_of(const char *text) {
    kz_position position;
    kz_error error = {0};
    if (kz_parse(game(), 0, text, strlen(text), &position, &error) != KZ_OK) {
        fail_msg("%s: %s", text, error.message);
    }
    kz_dobutsu dobutsu;
    kz_dobutsu_from_position(&position, &dobutsu);
    return dobutsu;
}

static kz_dobutsu from_state(uint64_t state) {
    kz_dobutsu position;
    kz_error error = {0};
    if (kz_dobutsu_from_state40(state, true, &position, &error) != KZ_OK) {
        fail_msg("0x%llx: %s", (unsigned long long)state, error.message);
    }
    return position;
}

static void assert_says(const kz_error *error, const char *reason) {
    if (error->status != KZ_ERR_INPUT || !strstr(error->message, reason)) {
        fail_msg("\"%s\" does not say \"%s\"", error->message, reason);
    }
}

/* ---- 40-bit states ---------------------------------------------------------------------------------------------- */

static const uint64_t start_state = 0x2b20785c1d;

static void assert_children(uint64_t parent, const uint64_t *expected, int expected_count) {
    kz_dobutsu position = from_state(parent);
    kz_move moves[KZ_DOBUTSU_MAX_MOVES];
    int count = kz_dobutsu_moves(KZ_DOBUTSU_SIMPLIFIED, &position, moves);
    assert_int_equal(count, expected_count);
    for (int i = 0; i < count; i++) {
        kz_dobutsu child = position;
        kz_dobutsu_play(&child, moves[i]);
        assert_int_equal(kz_dobutsu_to_state40(&child), expected[i]);
    }
}

/* Keys and their order as the analyzer itself prints them. */
TEST(test_state_examples) {
    kz_dobutsu start;
    kz_dobutsu_start(&start);
    assert_int_equal(kz_dobutsu_to_state40(&start), UINT64_C(185228352541));
    assert_int_equal(start_state, UINT64_C(185228352541));
    assert_children(start_state, (const uint64_t[]){0x2b20785c1a, 0x2b20785c18, 0xabe0785c1d, 0x2b2078581d}, 4);
    assert_children(0x2b20785c1a, (const uint64_t[]){0x2b20785c4a, 0x2b20785c48, 0xabe0785c4d, 0x2b2078584d}, 4);
    assert_children(0xabe0785c1d,
                    (const uint64_t[]){0x49e0785c1a, 0x7be0785c19, 0x49e0785c18, 0x7be0645c1d, 0x49e078581d}, 5);
}

static bool has_child(uint64_t parent, uint64_t wanted, kz_value *value) {
    kz_dobutsu position = from_state(parent);
    kz_move moves[KZ_DOBUTSU_MAX_MOVES];
    int count = kz_dobutsu_moves(KZ_DOBUTSU_SIMPLIFIED, &position, moves);
    for (int i = 0; i < count; i++) {
        kz_dobutsu child = position;
        kz_dobutsu_play(&child, moves[i]);
        if (kz_dobutsu_to_state40(&child) == wanted) {
            *value = kz_dobutsu_immediate(KZ_DOBUTSU_SIMPLIFIED, &child);
            return true;
        }
    }
    return false;
}

TEST(test_final_state_examples) {
    kz_value value = {KZ_UNKNOWN, 0};
    assert_true(has_child(0x2b20785c48, 0x2b20785cf6, &value));
    assert_int_equal(value.outcome, KZ_LOSS);
    assert_int_equal(kz_dobutsu_pack56(0x2b20785cf6, (kz_dobutsu_stats){0, kz_dobutsu_outcome_of(value)}),
                     UINT64_C(0x01372b20785cf6));
    assert_true(has_child(0x2b207b9f12, 0x2b20784fca, &value));
    assert_int_equal(value.outcome, KZ_WIN);
    assert_int_equal(kz_dobutsu_pack56(0x2b20784fca, (kz_dobutsu_stats){0, kz_dobutsu_outcome_of(value)}),
                     UINT64_C(0x00c92b20784fca));
}

static void refuse_state(uint64_t state40, bool sorted, const char *reason) {
    kz_dobutsu position;
    kz_error error = {0};
    assert_int_equal(kz_dobutsu_from_state40(state40, sorted, &position, &error), KZ_ERR_INPUT);
    assert_says(&error, reason);
}

TEST(test_state_refusals) {
    refuse_state(start_state | UINT64_C(1) << 40, true, "more than 40 bits");
    refuse_state(start_state | 0xf, true, "the game ended before this turn");
    refuse_state(0x2b20785c3d, true, "the active lion is in row 0, column 3");
    refuse_state(0x2b20785c2d, true, "shares row 0, column 2");
    refuse_state((start_state & ~(UINT64_C(63) << 34)) | UINT64_C(0x1f) << 34, true, "promoted and in hand");
    /* The elephants the wrong way round. */
    uint64_t swapped = (start_state & ~(UINT64_C(0x3ff) << 18)) | UINT64_C(0x1e) << 23;
    refuse_state(swapped, true, "not sorted");
    kz_dobutsu position;
    assert_int_equal(kz_dobutsu_from_state40(swapped, false, &position, NULL), KZ_OK);
    assert_int_equal(kz_dobutsu_to_state40(&position), start_state);
}

/* ---- There and back --------------------------------------------------------------------------------------------- */

/* Written out from the specification, without the tables of the code: sorts by trying both orders. */
static uint64_t reference_state(const kz_dobutsu *position) {
    unsigned lions[2] = {15, 15};
    unsigned pair[3][2];
    int found[3] = {0};
    for (int place = 0; place < 14; place++) {
        for (int copy = 0; copy < 6; copy++) {
            int kind = -1;
            bool enemy = place >= 12 ? place == 13 : position->board[place] > KZ_DOBUTSU_ENEMY;
            unsigned coordinates = place >= 12 ? 15 : (unsigned)(place / 3 * 4 + place % 3);
            if (place >= 12) {
                kind = copy % 3;
                if (copy / 3 >= position->hand[place - 12][kind]) {
                    continue;
                }
            } else if (copy > 0 || position->board[place] == 0) {
                continue;
            } else {
                kind = position->board[place] % 8 - 1;
            }
            if (kind == KZ_DOBUTSU_LION) {
                lions[enemy] = coordinates;
            } else if (kind == KZ_DOBUTSU_ELEPHANT || kind == KZ_DOBUTSU_GIRAFFE) {
                pair[kind][found[kind]++] = (unsigned)enemy * 16 + coordinates;
            } else {
                pair[0][found[0]++] = (unsigned)enemy * 32 + coordinates * 2 + (kind == KZ_DOBUTSU_HEN);
            }
        }
    }
    uint64_t packed = 0;
    for (int kind = 0; kind < 3; kind++) {
        unsigned low = pair[kind][0] < pair[kind][1] ? pair[kind][0] : pair[kind][1];
        unsigned high = pair[kind][0] ^ pair[kind][1] ^ low;
        packed = packed << (kind ? 5 : 6) | low;
        packed = packed << (kind ? 5 : 6) | high;
    }
    return packed << 8 | lions[0] << 4 | lions[1];
}

static void assert_round_trips(const kz_dobutsu *position) {
    kz_dobutsu plain = *position; /* what codes can hold: no turn, no move number */
    plain.turn = 0;
    plain.move_number = 0;
    kz_dobutsu back;
    uint64_t state40 = kz_dobutsu_to_state40(position);
    assert_int_equal(state40, reference_state(position));
    assert_int_equal(kz_dobutsu_from_state40(state40, true, &back, NULL), KZ_OK);
    assert_memory_equal(&back, &plain, sizeof back);

    unsigned hens = 0;
    for (int square = 0; square < KZ_DOBUTSU_SQUARES; square++) {
        hens |= (unsigned)(position->board[square] % 8 == 1 + KZ_DOBUTSU_HEN) << square;
    }
    uint64_t board = kz_dobutsu_to_board64(position);
    assert_int_equal(
        kz_dobutsu_from_board64(board, position->hand[0], position->hand[1], kz_dobutsu_to_coordset(hens), &back, NULL),
        KZ_OK);
    assert_memory_equal(&back, &plain, sizeof back);

    if (position->hand[1][KZ_DOBUTSU_LION]) {
        return;
    }
    uint64_t index = kz_dobutsu_to_index18(position);
    assert_int_equal(kz_dobutsu_from_index18(index, &back, NULL), KZ_OK);
    assert_int_equal(kz_dobutsu_to_index18(&back), index);
    if (memcmp(&back, &plain, sizeof back) != 0) { /* then it is the mirror image */
        for (int square = 0; square < KZ_DOBUTSU_SQUARES; square++) {
            assert_int_equal(back.board[square], plain.board[square / 3 * 3 + 2 - square % 3]);
        }
    }
}

/* Every move as an action and back, and every action that is no move refused. */
static void assert_actions(const kz_dobutsu *position) {
    kz_move moves[KZ_DOBUTSU_MAX_MOVES];
    bool used[128] = {0};
    int count = kz_dobutsu_moves(KZ_DOBUTSU_SIMPLIFIED, position, moves);
    for (int i = 0; i < count; i++) {
        unsigned action = kz_dobutsu_to_action(position, moves[i]);
        kz_move back = 0;
        assert_in_range(action, 16, 127);
        assert_false(used[action]);
        used[action] = true;
        assert_int_equal(kz_dobutsu_from_action(position, action, &back, NULL), KZ_OK);
        assert_int_equal(back, moves[i]);
    }
    for (unsigned action = 0; action < 128; action++) {
        kz_move move = 0;
        kz_status status = kz_dobutsu_from_action(position, action, &move, NULL);
        if (action == 0 || used[action]) {
            assert_int_equal(status, KZ_OK);
        } else if (status == KZ_OK) {
            /* The second one of two equal pieces in hand. */
            assert_int_equal(kz_dobutsu_to_action(position, move), action - 16);
            assert_int_equal(position->hand[0][kz_dobutsu_move_from(move) - KZ_DOBUTSU_HAND], 2);
        }
    }
}

static void visit(const kz_dobutsu *position, int depth) {
    assert_round_trips(position);
    kz_move moves[KZ_DOBUTSU_MAX_MOVES];
    int count = depth > 0 ? kz_dobutsu_moves(KZ_DOBUTSU_SIMPLIFIED, position, moves) : 0;
    for (int i = 0; i < count; i++) {
        kz_dobutsu child = *position;
        kz_dobutsu_play(&child, moves[i]);
        visit(&child, depth - 1);
    }
}

TEST(test_round_trips_of_games) {
    kz_dobutsu start;
    kz_dobutsu_start(&start);
    visit(&start, FEWER > 1 ? 6 : 7);
}

TEST(test_round_trips_of_samples) {
    uint64_t seed = 2024;
    const int cases = random_cases(3000000);
    for (int i = 0; i < cases; i++) {
        kz_dobutsu position = sample_position(&seed);
        assert_round_trips(&position);
        if (i % 100 == 0) {
            assert_actions(&position);
        }
    }
}

/* ---- Statistics, actions, boards, sets -------------------------------------------------------------------------- */

TEST(test_stats_examples) {
    static const struct {
        kz_value value;
        uint64_t bits;
    } examples[] = {
        {{KZ_WIN, 0}, 0x00c9},  {{KZ_WIN, 1}, 0x00c8},   {{KZ_WIN, 77}, 0x007c},
        {{KZ_LOSS, 0}, 0x0137}, {{KZ_LOSS, 78}, 0x0185}, {{KZ_LOSS, 79}, 0x0186},
    };
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
        kz_dobutsu_stats stats = {0, kz_dobutsu_outcome_of(examples[i].value)};
        assert_int_equal(kz_dobutsu_pack56(0, stats) >> 40, examples[i].bits);
    }
    /* The initial state before any of its 4 children has reported. */
    assert_int_equal(kz_dobutsu_pack56(start_state, (kz_dobutsu_stats){4, -201}), UINT64_C(0x09372b20785c1d));
}

TEST(test_stats_round_trip) {
    for (int outcome = -256; outcome < 256; outcome++) {
        for (unsigned required = 0; required < 128; required++) {
            uint64_t packed = kz_dobutsu_pack56(start_state, (kz_dobutsu_stats){required, outcome});
            uint64_t state40;
            kz_dobutsu_stats stats;
            kz_dobutsu_unpack56(packed, &state40, &stats);
            assert_int_equal(packed >> 56, 0);
            assert_int_equal(state40, start_state);
            assert_int_equal(stats.required, required);
            assert_int_equal(stats.outcome, outcome);
        }
        kz_value value = kz_dobutsu_value_of_outcome(outcome);
        if (outcome >= -201 && outcome <= 201) {
            assert_int_equal(value.outcome, outcome > 0 ? KZ_WIN : outcome < 0 ? KZ_LOSS : KZ_DRAW);
            assert_int_equal(kz_dobutsu_outcome_of(value), outcome);
        } else {
            assert_int_equal(value.outcome, KZ_UNKNOWN);
        }
    }
    assert_int_equal(kz_dobutsu_outcome_of((kz_value){KZ_WIN, 201}), 0);
    assert_int_equal(kz_dobutsu_outcome_of((kz_value){KZ_LOSS, 201}), 0);
    assert_int_equal(kz_dobutsu_outcome_of((kz_value){KZ_UNKNOWN, 0}), 0);
}

TEST(test_actions) {
    kz_dobutsu start;
    kz_dobutsu_start(&start);
    assert_actions(&start);
    /* Lion to r1c0, chick0 takes on r2c1, giraffe0 to r1c2. */
    kz_move move;
    assert_int_equal(kz_dobutsu_from_action(&start, 0x14, &move, NULL), KZ_OK);
    assert_int_equal(move, kz_dobutsu_move(1, 3));
    assert_int_equal(kz_dobutsu_from_action(&start, 0x29, &move, NULL), KZ_OK);
    assert_int_equal(move, kz_dobutsu_move(4, 7));
    assert_int_equal(kz_dobutsu_from_action(&start, 0x66, &move, NULL), KZ_OK);
    assert_int_equal(move, kz_dobutsu_move(2, 5));
    assert_int_equal(kz_dobutsu_to_action(&start, 0), 0);

    static const struct {
        unsigned action;
        const char *reason;
    } refusals[] = {
        {0x05, "actor 0"},        {0x83, "actor 8"},           {0x13, "column 3"},
        {0x39, "the opponent's"}, {0x25, "can't go to row 1"}, {0x4a, "can't go to row 2"},
    };
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        kz_error error = {0};
        assert_int_equal(kz_dobutsu_from_action(&start, refusals[i].action, &move, &error), KZ_ERR_INPUT);
        assert_says(&error, refusals[i].reason);
    }
}

TEST(test_board) {
    kz_dobutsu start;
    kz_dobutsu back;
    kz_dobutsu_start(&start);
    /* r3: giraffe1 lion elephant1 of the opponent; r2c1 chick1; r1c1 chick0; r0: elephant0 lion giraffe0. */
    const uint64_t board = UINT64_C(0x0d9f00b000200614);
    assert_int_equal(kz_dobutsu_to_board64(&start), board);
    const uint8_t none[4] = {0};
    /* The bits of column 3 don't matter. */
    assert_int_equal(kz_dobutsu_from_board64(board | UINT64_C(0xf000f000f000f000), none, none, 0, &back, NULL), KZ_OK);
    start.move_number = 0;
    assert_memory_equal(&back, &start, sizeof back);

    static const struct {
        uint64_t board;
        uint16_t hens;
        const char *reason;
    } refusals[] = {
        {UINT64_C(0x0d9f00b000200618), 0, "allegiance bit"},
        {UINT64_C(0x0d9f00b000200614), 1, "row 0, column 0 is to be a hen"},
        {UINT64_C(0x0d9f00a000300614), 0, "not numbered"},
        {UINT64_C(0x0d9f00b000200610), 0, "elephants is 1"},
    };
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        kz_error error = {0};
        assert_int_equal(kz_dobutsu_from_board64(refusals[i].board, none, none, refusals[i].hens, &back, &error),
                         KZ_ERR_INPUT);
        assert_says(&error, refusals[i].reason);
    }
}

TEST(test_coordinate_sets) {
    for (unsigned set = 0; set < 1u << 16; set++) {
        unsigned squares = kz_dobutsu_from_coordset((uint16_t)set);
        assert_int_equal(kz_dobutsu_to_coordset(squares), set & 0x7777);
        for (int square = 0; square < KZ_DOBUTSU_SQUARES; square++) {
            assert_int_equal(squares >> square & 1, set >> (4 * (square / 3) + square % 3) & 1);
        }
    }
}

/* ---- Indices ---------------------------------------------------------------------------------------------------- */

/* Rows of the published database; the start position is stored as its mirror image. */
TEST(test_index_examples) {
    static const struct {
        uint64_t index;
        const char *position;
    } rows[] = {
        {316013363792, "S/---/Lee/-gl/grr/-"},  {316013393076, "S/E--/L-e/-gl/grr/-"},
        {316013685916, "S/-E-/Le-/-gl/grr/-"},  {316013715200, "S/EE-/L--/-gl/grr/-"},
        {316022214942, "S/---/-ee/Lgl/grr/-"},  {316022241562, "S/---/e-e/Lgl/grr/-"},
        {316022243982, "S/--e/--e/Lgl/grr/-"},  {316022244202, "S/-e-/--e/Lgl/grr/-"},
        {316022244222, "S/e--/--e/Lgl/grr/-"},  {316022244226, "S/E--/--e/Lgl/grr/-"},
        {2276617967770, "S/elg/-c-/-C-/GLE/-"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        kz_dobutsu expected = dobutsu_of(rows[i].position);
        kz_dobutsu position;
        assert_int_equal(kz_dobutsu_from_index18(rows[i].index, &position, NULL), KZ_OK);
        assert_memory_equal(&position, &expected, sizeof position);
        assert_int_equal(kz_dobutsu_to_index18(&expected), rows[i].index);
    }
    kz_dobutsu start = dobutsu_of("S/gle/-c-/-C-/ELG/-");
    kz_dobutsu position;
    assert_int_equal(kz_dobutsu_to_index18(&start), UINT64_C(2276617967770));
    assert_int_equal(kz_dobutsu_from_index18(UINT64_C(2559571690810), &position, NULL), KZ_OK);
    assert_memory_equal(&position, &start, sizeof position);
}

/* The start position's children in the published list of states. */
TEST(test_index_children) {
    static const uint64_t expected[4] = {2276617162570, 2276617484980, 2276617961170, 87014145179536};
    kz_dobutsu start = dobutsu_of("S/gle/-c-/-C-/ELG/-");
    kz_move moves[KZ_DOBUTSU_MAX_MOVES];
    int count = kz_dobutsu_moves(KZ_DOBUTSU_OFFICIAL, &start, moves);
    unsigned found = 0;
    for (int i = 0; i < count; i++) {
        kz_dobutsu child = start;
        kz_dobutsu_play(&child, moves[i]);
        for (int k = 0; k < 4; k++) {
            found |= (unsigned)(kz_dobutsu_to_index18(&child) == expected[k]) << k;
        }
    }
    assert_int_equal(found, 15);
}

TEST(test_index_refusals) {
    kz_dobutsu position;
    kz_error error = {0};
    assert_int_equal(kz_dobutsu_from_index18(UINT64_C(3138428376721) * 729, &position, &error), KZ_ERR_INPUT);
    assert_says(&error, "over the largest one");
    assert_int_equal(kz_dobutsu_from_index18(0, &position, &error), KZ_ERR_INPUT);
    assert_int_equal(kz_dobutsu_from_index18(2276617967771, &position, &error), KZ_ERR_INPUT);
    assert_says(&error, "and not 2");
}

TESTS(NULL, NULL)
