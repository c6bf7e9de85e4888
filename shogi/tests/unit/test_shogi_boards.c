/* SPDX-License-Identifier: MIT
 *
 * Legality by sets of squares, against the plain rules: moves that 16 bits could name, legal or not, in positions of
 * random games and in positions that no game leads to; in one of sixteen positions all of them. */
#include "tests/support/testing.h"

#include "shogi/src/boards.h"
#include "shogi/tests/support/shogi_random.h"

#include <stdio.h>

enum { FROMS = KZ_SHOGI_SQUARES + KZ_SHOGI_HAND_KINDS };

/* All moves if `part` is 1; otherwise those that are legal, and one in `part` of the others. */
static void compare_rules(const kz_shogi_rules *rules, const kz_shogi_position *position, unsigned part) {
    static unsigned skipped;
    static bool listed[FROMS][KZ_SHOGI_SQUARES][2];
    kz_shogi_move moves[KZ_SHOGI_MOST_MOVES];
    size_t count = kz_shogi_moves(position, moves);
    memset(listed, 0, sizeof listed);
    for (size_t i = 0; i < count; i++) {
        listed[moves[i].from][moves[i].to][moves[i].promotes] = true;
    }
    for (int from = 0; from < FROMS; from++) {
        for (int to = 0; to < KZ_SHOGI_SQUARES; to++) {
            for (int promotes = 0; promotes < 2; promotes++) {
                kz_shogi_move move = {KZ_SHOGI_MOVE, (uint8_t)from, (uint8_t)to, (uint8_t)promotes};
                if (!listed[from][to][promotes] && ++skipped % part != 0) {
                    continue;
                }
                bool legal = rules->move(position, move) == KZ_SHOGI_FINE;
                if (legal != listed[from][to][promotes]) {
                    char sfen[KZ_SHOGI_SFEN_BYTES];
                    char text[8];
                    kz_shogi_format_sfen(position, 1, sfen);
                    kz_shogi_format_move(move, text);
                    fail_msg("%s %s: %s", sfen, text, legal ? "legal, not listed" : "listed, not legal");
                }
            }
        }
    }
    assert_int_equal(rules->position(position), kz_shogi_check_legal(position));
    /* Many at once: a legal move, and the same move with another piece. */
    kz_shogi_position twice[3] = {*position, *position, *position};
    kz_shogi_note notes[3] = {{.has = KZ_SHOGI_HAS_MOVE}, {.has = KZ_SHOGI_HAS_MOVE}, {.has = 0}};
    const kz_shogi_defect defects[3] = {KZ_SHOGI_FINE, KZ_SHOGI_FINE, KZ_SHOGI_BAD_RESULT};
    notes[0].move = count > 0 ? moves[count / 2] : (kz_shogi_move){.special = KZ_SHOGI_NONE};
    notes[1].move = (kz_shogi_move){KZ_SHOGI_MOVE, 0, 0, 0};
    kz_shogi_rule_counts counts = {.moves = 0};
    rules->count(twice, notes, defects, 3, &counts);
    assert_int_equal(counts.illegal_positions, kz_shogi_check_legal(position) == KZ_SHOGI_FINE ? 0 : 2);
    assert_int_equal(counts.moves, count > 0 ? 2 : 1);
    assert_int_equal(counts.illegal_moves, 1);
    for (int side = 0; side < 2; side++) {
        assert_int_equal(rules->in_check(position, (kz_shogi_side)side),
                         kz_shogi_in_check(position, (kz_shogi_side)side));
    }
}

/* All paths that this machine has. */
static void compare(const kz_shogi_position *position, int number) {
    static const char *const names[] = {"plain", "bmi2", "vbmi2"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const kz_shogi_rules *rules = kz_shogi_rules_for(names[i]);
        assert_true(rules != NULL || i > 0);
        if (rules != NULL) {
            compare_rules(rules, position, number % 16 == 0 ? 1 : 23);
        }
    }
}

TEST(games_at_random) {
    shogi_walker walker = {.state = 5};
    for (int i = 0; i < 1500 / FEWER; i++) {
        compare(shogi_walk(&walker), i);
    }
}

TEST(positions_of_all_kinds) {
    uint64_t random = 6;
    unsigned defects[KZ_SHOGI_DEFECTS] = {0};
    for (int i = 0; i < 2000 / FEWER; i++) {
        kz_shogi_position position = shogi_random_any(&random);
        compare(&position, i);
        defects[kz_shogi_check_legal(&position)]++;
    }
    /* Few pieces, so that none of the defects hides another. */
    for (int i = 0; i < 4000 / FEWER; i++) {
        kz_shogi_position position = shogi_random_position(&random, (shogi_random_wish){"few", 0, 200, 200, 100});
        compare(&position, i);
        defects[kz_shogi_check_legal(&position)]++;
    }
    assert_true(defects[KZ_SHOGI_FINE] > 100 / FEWER && defects[KZ_SHOGI_NO_KING] > 100 / FEWER &&
                defects[KZ_SHOGI_TWO_PAWNS] > 100 / FEWER);
    assert_true(defects[KZ_SHOGI_DEAD_PIECE] > 100 / FEWER && defects[KZ_SHOGI_KING_HANGS] > 100 / FEWER);
}

TEST(no_moves_at_all) {
    kz_shogi_position start = kz_shogi_start();
    static const kz_shogi_move moves[] = {
        {KZ_SHOGI_NONE, 0, 0, 0},     {KZ_SHOGI_RESIGNS, 0, 0, 0}, {KZ_SHOGI_MOVE, 88, 40, 0},
        {KZ_SHOGI_MOVE, 60, 81, 0},   {KZ_SHOGI_MOVE, 60, 59, 2},  {KZ_SHOGI_MOVE, 255, 255, 255},
        {KZ_SHOGI_DECLARES, 0, 0, 0}, {KZ_SHOGI_MOVE, 60, 59, 1},
    };
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
        assert_int_equal(kz_shogi_check_move(&start, moves[i]), KZ_SHOGI_ILLEGAL_MOVE);
    }
    assert_int_equal(kz_shogi_check_move(&start, (kz_shogi_move){KZ_SHOGI_MOVE, 60, 59, 0}), KZ_SHOGI_FINE);
}

/* From bitboards, which are made here square by square, to positions and back. */
TEST(bitboards_are_positions) {
    static const char *const paths[] = {"plain", "vbmi2"};
    uint64_t random = 7;
    shogi_walker walker = {.state = 8};
    for (int i = 0; i < 4000 / FEWER; i++) {
        kz_shogi_position position = i % 2 == 0 ? *shogi_walk(&walker) : shogi_random_any(&random);
        for (unsigned split = 63; split <= 64; split++) {
            kz_shogi_bitboards boards = {.side = position.side, .split = (uint8_t)split};
            memcpy(boards.hand, position.hand, sizeof boards.hand);
            for (unsigned square = 0; square < KZ_SHOGI_SQUARES; square++) {
                uint8_t code = position.board[square];
                unsigned word = square < split ? 0 : 1;
                uint64_t bit = UINT64_C(1) << (word == 0 ? square : square - split);
                if (code != KZ_SHOGI_EMPTY) {
                    boards.kinds[kz_shogi_code_kind(code)][word] |= bit;
                    boards.sides[code & KZ_SHOGI_WHITES ? KZ_SHOGI_WHITE : KZ_SHOGI_BLACK][word] |= bit;
                    boards.promoted[word] |= code & KZ_SHOGI_PROMOTED ? bit : 0;
                }
            }
            for (size_t path = 0; path < sizeof paths / sizeof *paths; path++) {
                kz_shogi_bitboards_fn *read = kz_shogi_bitboards_for(paths[path]);
                assert_true(read != NULL || path > 0);
                if (read != NULL) {
                    const kz_shogi_bitboards two[2] = {boards, boards};
                    kz_shogi_position made[2];
                    memset(made, 0xFF, sizeof made);
                    read(two, 2, made);
                    assert_memory_equal(&made[0], &position, sizeof position);
                    assert_memory_equal(&made[1], &position, sizeof position);
                }
            }
            kz_shogi_bitboards back;
            memset(&back, 0xFF, sizeof back);
            kz_shogi_to_bitboards(&position, split, &back);
            assert_memory_equal(&back, &boards, sizeof back);
        }
    }
    assert_non_null(kz_shogi_bitboards_for(NULL));
    assert_null(kz_shogi_bitboards_for("none"));
}

TESTS(NULL, NULL)
