/* SPDX-License-Identifier: MIT */
#include "tests/support/players.h"

kz_values values_from(const kz_table *table) {
    return (kz_values){.game = kz_table_game(table), .rules = kz_table_rules(table), .table = table};
}

kz_value looked_up(const kz_values *values, const kz_position *position) {
    kz_value value;
    assert_int_equal(kz_probe(values->table, position, &value, NULL), KZ_OK);
    return value;
}

kz_position after_move(const kz_values *values, const kz_position *position, kz_move move) {
    kz_position after = *position;
    kz_play(values->game, values->rules, &after, move);
    return after;
}

kz_move chosen(const kz_values *values, const kz_position *position, const char *level, bool aggressive,
               uint64_t seed) {
    kz_player player = {.level = kz_level_find(level), .aggressive = aggressive, .seed = seed};
    kz_move move;
    assert_int_equal(kz_choose_move(values, position, player, &move, NULL), KZ_OK);
    return move;
}

kz_value worth_of(const kz_values *values, const kz_position *position, kz_move move) {
    kz_position after = after_move(values, position, move);
    kz_value value = looked_up(values, &after);
    switch (value.outcome) {
    case KZ_WIN:
        return (kz_value){KZ_LOSS, value.distance + 1};
    case KZ_LOSS:
        return (kz_value){KZ_WIN, value.distance + 1};
    default:
        return value;
    }
}

bool same_value(kz_value a, kz_value b) { return a.outcome == b.outcome && a.distance == b.distance; }

/* How many replies to a move keep what the opponent has. */
static int good_replies(const kz_values *values, const kz_position *position, kz_move move) {
    static kz_move replies[KZ_MAX_MOVES];
    kz_position after = after_move(values, position, move);
    kz_outcome best = looked_up(values, &after).outcome;
    int count = kz_moves(values->game, values->rules, &after, replies);
    int good = 0;
    for (int i = 0; i < count; i++) {
        good += worth_of(values, &after, replies[i]).outcome == best;
    }
    return good;
}

void check_perfection(const kz_values *values, const kz_position *position, uint64_t seed) {
    static kz_move moves[KZ_MAX_MOVES];
    int count = kz_moves(values->game, values->rules, position, moves);
    kz_move move = chosen(values, position, "perfect", false, seed);
    kz_move aggressive = chosen(values, position, "perfect", true, seed);
    if (count == 0) {
        assert_int_equal(move, 0);
        assert_int_equal(aggressive, 0);
        return;
    }
    kz_value value = looked_up(values, position);
    assert_true(same_value(worth_of(values, position, move), value));
    assert_true(same_value(worth_of(values, position, aggressive), value));
    int left = good_replies(values, position, aggressive);
    for (int i = 0; i < count; i++) {
        if (same_value(worth_of(values, position, moves[i]), value)) {
            assert_true(good_replies(values, position, moves[i]) >= left);
        }
    }
}

void check_lists(const kz_values *values, const kz_position *position) {
    static kz_scored_move moves[KZ_MAX_MOVES];
    kz_value value;
    kz_value best_value;
    kz_move best;
    int count;
    assert_int_equal(kz_values_moves(values, position, &value, moves, &count, NULL), KZ_OK);
    assert_int_equal(kz_values_best(values, position, &best_value, &best, NULL), KZ_OK);
    assert_true(same_value(value, looked_up(values, position)));
    assert_true(same_value(value, best_value));
    assert_int_equal(best, count > 0 ? moves[0].move : 0);
    for (int i = 0; i < count; i++) {
        assert_true(same_value(moves[i].value, worth_of(values, position, moves[i].move)));
        assert_true(i == 0 || kz_value_worth(moves[i - 1].value) >= kz_value_worth(moves[i].value));
    }
    assert_int_equal(kz_values_value(values, position, &value, NULL), KZ_OK);
    assert_true(same_value(value, best_value));
}

int played(const kz_values *values, const kz_position *start, const char *const levels[2], uint64_t seed, int most,
           int *winner) {
    static kz_move moves[KZ_MAX_MOVES];
    kz_position position = *start;
    int plies = 0;
    *winner = -1;
    while (plies < most && kz_moves(values->game, values->rules, &position, moves) > 0) {
        kz_move move = chosen(values, &position, levels[plies % 2], false, seed);
        position = after_move(values, &position, move);
        plies++;
    }
    if (plies < most) {
        *winner = kz_immediate(values->game, values->rules, &position).outcome == KZ_LOSS ? 1 - plies % 2 : plies % 2;
    }
    return plies;
}
