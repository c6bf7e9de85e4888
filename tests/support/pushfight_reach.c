/* SPDX-License-Identifier: MIT */
#include "tests/support/pushfight_testing.h"

enum { MOST_TURNS = 100 };

/* ---- The search ------------------------------------------------------------------------------------------------- */

/* In how many turns each permutation can be reached, 0 if it can't; and whether a permutation whose anchor fits leads
 * there. */
typedef struct search {
    const kz_pf_board *board;
    kz_pf_plain *plain;
    uint8_t *turns;
    uint8_t *has_predecessor;
    uint8_t turn; /* 1: from the positions before the first turn, in which nobody has the anchor */
    uint64_t found;
} search;

static bool take_reached(void *context, const kz_pf_plain_turn *turn, const uint8_t *next) {
    search *s = context;
    (void)turn;
    if (next) {
        uint64_t index = kz_pf_plain_rank(s->plain, next);
        uint8_t *turns = &s->turns[index];
        s->found += *turns == 0;
        *turns = *turns == 0 ? s->turn : *turns;
        s->has_predecessor[index] |= s->turn > 1;
    }
    return true;
}

static bool take_predecessor(void *context, const kz_pf_plain_turn *turn, const uint8_t *next) {
    const search *s = context;
    (void)turn;
    if (next) {
        s->has_predecessor[kz_pf_plain_rank(s->plain, next)] = 1;
    }
    return true;
}

/* Places what is left of each code on the squares from `square` on, in all ways that the rules allow at the start. */
static void place_and_play(search *s, int square, const int *left, uint8_t *codes) {
    if (square == s->plain->squares) {
        bool all = true;
        for (int code = KZ_PF_PLAIN_OWN_MOVER; code <= KZ_PF_PLAIN_ENEMY_PUSHER; code++) {
            all = all && left[code] == 0;
        }
        if (all) {
            kz_pf_plain_turns(s->plain, codes, take_reached, s);
        }
        return;
    }
    bool home = s->board->home >> kz_pf_square_bit(s->board, square) & 1;
    int first = home ? KZ_PF_PLAIN_OWN_MOVER : KZ_PF_PLAIN_ENEMY_MOVER;
    codes[square] = KZ_PF_PLAIN_EMPTY;
    place_and_play(s, square + 1, left, codes);
    for (int code = first; code <= first + 1; code++) {
        if (left[code] > 0) {
            int rest[KZ_PF_PLAIN_CODES];
            memcpy(rest, left, sizeof rest);
            rest[code]--;
            codes[square] = (uint8_t)code;
            place_and_play(s, square + 1, rest, codes);
        }
    }
}

static search search_board(const kz_pf_board *board) {
    search s = {.board = board};
    uint8_t codes[KZ_PF_MOST_SQUARES];
    int left[KZ_PF_PLAIN_CODES];
    assert_int_equal(kz_pf_plain_open(board, &s.plain, NULL), KZ_OK);
    s.turns = calloc(s.plain->permutations, 1);
    s.has_predecessor = calloc(s.plain->permutations, 1);
    assert_true(s.turns && s.has_predecessor);
    memcpy(left, s.plain->pieces, sizeof left);
    left[KZ_PF_PLAIN_ENEMY_PUSHER] += left[KZ_PF_PLAIN_ANCHORED];
    s.turn = 1;
    place_and_play(&s, 0, left, codes);
    while (s.found) {
        assert_true(s.turn < MOST_TURNS);
        s.found = 0;
        s.turn++;
        for (uint64_t index = 0; index < s.plain->permutations; index++) {
            if (s.turns[index] == s.turn - 1) {
                kz_pf_plain_unrank(s.plain, index, codes);
                assert_true(kz_pf_plain_anchor_fits(s.plain, codes));
                kz_pf_plain_turns(s.plain, codes, take_reached, &s);
            }
        }
    }
    /* The turns of what can be reached have been looked at. */
    for (uint64_t index = 0; index < s.plain->permutations; index++) {
        if (s.turns[index] > 0) {
            continue;
        }
        kz_pf_plain_unrank(s.plain, index, codes);
        if (kz_pf_plain_anchor_fits(s.plain, codes)) {
            kz_pf_plain_turns(s.plain, codes, take_predecessor, &s);
        }
    }
    return s;
}

static void close_search(search *s) {
    kz_pf_plain_close(s->plain);
    free(s->turns);
    free(s->has_predecessor);
}

/* With folded half turns a position is reached when one of the two is. */
static int turns_to(const search *s, const uint8_t *codes, bool folded) {
    int turns = s->turns[kz_pf_plain_rank(s->plain, codes)];
    if (folded) {
        uint8_t turned[KZ_PF_MOST_SQUARES];
        kz_pf_plain_turn_board(s->plain, codes, turned);
        int other = s->turns[kz_pf_plain_rank(s->plain, turned)];
        turns = turns == 0 || (other != 0 && other < turns) ? other : turns;
    }
    return turns;
}

/* No pusher of the side to move has squares on both sides of it, in either line. */
static bool is_cornered(const search *s, const uint8_t *codes) {
    for (int square = 0; square < s->plain->squares; square++) {
        const int *beside = s->plain->beside[square];
        if (codes[square] == KZ_PF_PLAIN_OWN_PUSHER && ((beside[KZ_PF_LEFT] >= 0 && beside[KZ_PF_RIGHT] >= 0) ||
                                                        (beside[KZ_PF_UP] >= 0 && beside[KZ_PF_DOWN] >= 0))) {
            return false;
        }
    }
    return true;
}

/* ---- Comparing -------------------------------------------------------------------------------------------------- */

static kz_pf_position position_of(const search *s, const uint8_t *codes) {
    kz_pf_position position = {.anchor = KZ_PF_NO_ANCHOR};
    for (int square = 0; square < s->plain->squares; square++) {
        int bit = kz_pf_square_bit(s->board, square);
        uint32_t *const sets[KZ_PF_PLAIN_CODES] = {
            [KZ_PF_PLAIN_OWN_MOVER] = &position.own_movers,     [KZ_PF_PLAIN_OWN_PUSHER] = &position.own_pushers,
            [KZ_PF_PLAIN_ENEMY_MOVER] = &position.enemy_movers, [KZ_PF_PLAIN_ENEMY_PUSHER] = &position.enemy_pushers,
            [KZ_PF_PLAIN_ANCHORED] = &position.enemy_pushers,
        };
        if (sets[codes[square]]) {
            *sets[codes[square]] |= UINT32_C(1) << bit;
        }
        if (codes[square] == KZ_PF_PLAIN_ANCHORED) {
            position.anchor = (int8_t)bit;
        }
    }
    return position;
}

/* The kernels, turn by turn on one thread. */
typedef struct sweeps {
    kz_pf_space *space;
    kz_pf_tables *tables;
    kz_pf_reached *reached;
    kz_pf_slice *memory;
} sweeps;

static sweeps open_sweeps(const kz_pf_board *board) {
    sweeps s;
    assert_int_equal(kz_pf_space_open(board, &s.space, NULL), KZ_OK);
    assert_int_equal(kz_pf_tables_open(s.space, &s.tables, NULL), KZ_OK);
    assert_int_equal(kz_pf_reached_open(s.tables, &s.reached, NULL), KZ_OK);
    s.memory = kz_pf_slice_open(s.tables, NULL);
    assert_non_null(s.memory);
    for (uint32_t page = 0; page < s.space->own_sets; page++) {
        kz_pf_reached_measure(s.reached, page);
    }
    assert_int_equal(kz_pf_reached_lay_out(s.reached, NULL), KZ_OK);
    return s;
}

static void close_sweeps(sweeps *s) {
    kz_pf_slice_close(s->memory);
    kz_pf_reached_close(s->reached);
    kz_pf_tables_close(s->tables);
    kz_pf_space_close(s->space);
}

static uint64_t make_turn(const sweeps *s, int turn) {
    uint64_t found = 0;
    for (uint32_t block = 0; block < s->space->own_sets; block++) {
        if (turn == 1) {
            kz_pf_reached_turn(s->reached, s->memory, block, KZ_PF_FROM_STARTS);
        } else if (s->reached->due[block]) {
            kz_pf_reached_turn(s->reached, s->memory, block, KZ_PF_FROM_REACHED);
        }
    }
    for (uint32_t page = 0; page < s->space->own_sets; page++) {
        found += kz_pf_reached_settle(s->reached, page);
    }
    kz_pf_reached_next(s->reached);
    return found;
}

/* After `turn` turns. */
static void compare_positions(const sweeps *s, const search *expected, int turn) {
    for (uint64_t index = 0; index < expected->plain->permutations; index++) {
        uint8_t codes[KZ_PF_MOST_SQUARES];
        kz_pf_plain_unrank(expected->plain, index, codes);
        kz_pf_position position = position_of(expected, codes);
        uint64_t place;
        bool exists = kz_pf_index(s->space, &position, &place);
        int turns = turns_to(expected, codes, s->space->folded);
        assert_int_equal(exists, kz_pf_plain_anchor_fits(expected->plain, codes));
        assert_int_equal(exists && kz_pf_reached_has(s->reached, place), turns > 0 && turns <= turn);
    }
}

static void check_positions(const search *expected, const kz_pf_board *board, bool after_each_turn) {
    sweeps s = open_sweeps(board);
    int turn = 1;
    for (; make_turn(&s, turn) > 0; turn++) {
        if (after_each_turn) {
            compare_positions(&s, expected, turn);
        }
    }
    compare_positions(&s, expected, turn);
    close_sweeps(&s);
}

/* The examples are the unreached positions that come first. */
static void check_examples(const search *expected, const kz_pushfight_reach_report *report, const kz_pf_board *board) {
    kz_pf_space *space;
    int example = 0;
    assert_int_equal(kz_pf_space_open(board, &space, NULL), KZ_OK);
    for (uint64_t index = 0; example < KZ_PUSHFIGHT_EXAMPLES; index++) {
        kz_pf_position position;
        assert_true(index < space->positions);
        if (!kz_pf_at(space, index, &position)) {
            continue;
        }
        uint8_t codes[KZ_PF_MOST_SQUARES];
        for (int square = 0; square < expected->plain->squares; square++) {
            int bit = kz_pf_square_bit(board, square);
            codes[square] = position.own_movers >> bit & 1      ? KZ_PF_PLAIN_OWN_MOVER
                            : position.own_pushers >> bit & 1   ? KZ_PF_PLAIN_OWN_PUSHER
                            : position.enemy_movers >> bit & 1  ? KZ_PF_PLAIN_ENEMY_MOVER
                            : position.anchor == bit            ? KZ_PF_PLAIN_ANCHORED
                            : position.enemy_pushers >> bit & 1 ? KZ_PF_PLAIN_ENEMY_PUSHER
                                                                : KZ_PF_PLAIN_EMPTY;
        }
        if (turns_to(expected, codes, report->folded) == 0) {
            kz_pf_position shown = kz_pf_from_position(&report->unreached[example++]);
            position.board = shown.board;
            assert_true(kz_pf_same(&shown, &position));
        }
    }
    assert_int_equal(report->examples, example);
    kz_pf_space_close(space);
}

static void check_report(const search *expected, int rules, bool unfold, const kz_pf_board *board) {
    kz_pushfight_reach_report *report = malloc(sizeof *report);
    uint64_t reached_in[MOST_TURNS] = {0};
    uint64_t positions = 0;
    uint64_t no_predecessor = 0;
    uint64_t cornered = 0;
    assert_non_null(report);
    assert_int_equal(kz_pushfight_reachable(rules, 2, unfold, NULL, report, NULL), KZ_OK);
    for (uint64_t index = 0; index < expected->plain->permutations; index++) {
        uint8_t codes[KZ_PF_MOST_SQUARES];
        kz_pf_plain_unrank(expected->plain, index, codes);
        if (kz_pf_plain_anchor_fits(expected->plain, codes)) {
            int turns = turns_to(expected, codes, report->folded);
            bool orphan = turns == 0 && !expected->has_predecessor[index];
            reached_in[turns]++;
            positions++;
            no_predecessor += orphan;
            cornered += orphan && is_cornered(expected, codes);
        }
    }
    /* No position of a folded board is its own half turn. */
    uint64_t weight = report->folded ? 2 : 1;
    assert_int_equal(report->positions * weight, positions);
    assert_int_equal(report->reached * weight, positions - reached_in[0]);
    assert_int_equal(report->no_predecessor * weight, no_predecessor);
    assert_int_equal(report->cornered * weight, cornered);
    for (int turn = 1; turn < MOST_TURNS; turn++) {
        assert_int_equal(report->reached_in[turn] * weight, reached_in[turn]);
        assert_true((reached_in[turn] > 0) == (turn <= report->turns));
    }
    check_examples(expected, report, board);
    free(report);
}

void check_board(int number, bool after_each_turn) {
    kz_pf_board board = *kz_pf_board_at(number);
    search expected = search_board(kz_pf_board_at(number));
    check_positions(&expected, &board, after_each_turn);
    check_report(&expected, number, false, &board);
    board.symmetric = false;
    check_positions(&expected, &board, after_each_turn);
    check_report(&expected, number, true, &board);
    close_search(&expected);
}
