/* SPDX-License-Identifier: MIT
 *
 * Legal moves and results against the plain rules, and against the game itself: what the rules promise about a position
 * has to show in its moves, and a move has to be found again when it is taken back. */
#include "table/selftest.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *move_text(const kz_tester *tester, kz_move move, char text[KZ_TEXT_BYTES]) {
    if (kz_move_format(tester->game, &tester->position, move, text, KZ_TEXT_BYTES, NULL) != KZ_OK) {
        snprintf(text, KZ_TEXT_BYTES, "number %" PRIu32, move);
    }
    return text;
}

static const char *value_text(kz_value value, char text[32]) {
    if (value.outcome == KZ_LOSS || value.outcome == KZ_WIN) {
        snprintf(text, 32, "a %s in %d", kz_outcome_name(value.outcome), value.distance);
    } else {
        snprintf(text, 32, value.outcome == KZ_DRAW ? "a draw" : "%s", kz_outcome_name(value.outcome));
    }
    return text;
}

/* ---- Against the plain rules ------------------------------------------------------------------------------------- */

/* The slot of a key, or the free one where it would be. */
static kz_key_slot *find_slot(kz_tester *tester, kz_twin_key key) {
    uint64_t mixed = (key.words[0] ^ key.words[1] * UINT64_C(0x9E3779B97F4A7C15)) * UINT64_C(0xD6E8FEB86659FD93);
    uint32_t at = (uint32_t)(mixed >> 40) % KZ_KEY_SLOTS;
    while (tester->slots[at].set == tester->set &&
           (tester->slots[at].key.words[0] != key.words[0] || tester->slots[at].key.words[1] != key.words[1])) {
        at = (at + 1) % KZ_KEY_SLOTS;
    }
    return &tester->slots[at];
}

static void fill_set(kz_tester *tester) {
    tester->set++;
    tester->key_count = 0;
    tester->has_unlisted = false;
    for (int i = 0; i < tester->move_count; i++) {
        kz_position child = kz_tester_child(tester, tester->moves[i]);
        kz_twin_key key = tester->game->doors->twin->key(tester->twin, &child);
        kz_key_slot *slot = find_slot(tester, key);
        tester->key_count += slot->set != tester->set;
        *slot = (kz_key_slot){.key = key, .set = tester->set, .move = tester->moves[i]};
    }
}

static void see_next(void *context, kz_twin_key next) {
    kz_tester *tester = context;
    kz_key_slot *slot = find_slot(tester, next);
    if (slot->set != tester->set) {
        tester->unlisted = next;
        tester->has_unlisted = true;
    } else if (!slot->seen) {
        slot->seen = true;
        tester->key_count--; /* what is left in the end has no legal move */
    }
}

static bool test_against_twin(kz_tester *tester, kz_value value) {
    const kz_twin_ops *twin = tester->game->doors->twin;
    char text[KZ_TEXT_BYTES];
    char one[32];
    char other[32];
    fill_set(tester);
    kz_value expected = twin->moves(tester->twin, &tester->position, see_next, tester);
    tester->counts[KZ_SELFTEST_MOVE] += (uint64_t)tester->move_count;
    if (value.outcome != expected.outcome || value.distance != expected.distance) {
        return kz_tester_fail(tester, KZ_SELFTEST_RESULT, "it is %s, and by the plain rules %s", value_text(value, one),
                              value_text(expected, other));
    }
    if (tester->has_unlisted) {
        kz_position next;
        twin->position(tester->twin, tester->unlisted, &next);
        kz_tester_text(tester, &next, text);
        return kz_tester_fail(
            tester, KZ_SELFTEST_MOVE,
            "by the plain rules a move leads to \"%s\" (as the side to move sees it), and no move that "
            "is listed does",
            text);
    }
    for (int i = 0; tester->key_count > 0 && i < tester->move_count; i++) {
        kz_position child = kz_tester_child(tester, tester->moves[i]);
        const kz_key_slot *slot = find_slot(tester, twin->key(tester->twin, &child));
        if (!slot->seen) {
            char after[KZ_TEXT_BYTES];
            kz_tester_text(tester, &child, after);
            return kz_tester_fail(tester, KZ_SELFTEST_MOVE,
                                  "the move %s leads to \"%s\", and by the plain rules no move does",
                                  move_text(tester, slot->move, text), after);
        }
    }
    return true;
}

/* ---- Against the game itself ------------------------------------------------------------------------------------- */

/* What tables know is asked first, because that is fast. */
static bool some_move_wins(const kz_tester *tester, int distance) {
    for (int slow = 0; slow < 2; slow++) {
        for (int i = 0; i < tester->move_count; i++) {
            kz_position child = kz_tester_child(tester, tester->moves[i]);
            uint64_t index;
            kz_value after =
                slow ? kz_immediate(tester->game, tester->rules, &child) : kz_tester_look(tester, &child, &index);
            if (after.outcome == KZ_LOSS && after.distance == distance - 1) {
                return true;
            }
        }
    }
    return false;
}

/* A finished game has no moves, and only that has none. Who wins in n has a move after which the other one loses in n -
 * 1; who loses in n has no other moves than those after which the other one wins in n - 1 or sooner. */
static bool test_result(kz_tester *tester, kz_value value) {
    const kz_game *game = tester->game;
    bool finished = value.outcome != KZ_UNKNOWN && value.distance == 0;
    char text[KZ_TEXT_BYTES];
    char one[32];
    tester->counts[KZ_SELFTEST_RESULT]++;
    if (finished != (tester->move_count == 0)) {
        return kz_tester_fail(tester, KZ_SELFTEST_RESULT, "it is %s and has %d moves", value_text(value, one),
                              tester->move_count);
    }
    for (int i = 0; i < tester->move_count; i++) {
        kz_position child = kz_tester_child(tester, tester->moves[i]);
        if (strcmp(kz_side_to_move(game, &child), kz_side_to_move(game, &tester->position)) == 0) {
            return kz_tester_fail(tester, KZ_SELFTEST_MOVE, "after the move %s the same side moves again",
                                  move_text(tester, tester->moves[i], text));
        }
    }
    if (value.outcome == KZ_WIN && !finished && !some_move_wins(tester, value.distance)) {
        return kz_tester_fail(tester, KZ_SELFTEST_RESULT, "it is %s, and no move does that", value_text(value, one));
    }
    for (int i = 0; value.outcome == KZ_LOSS && i < tester->move_count; i++) {
        kz_position child = kz_tester_child(tester, tester->moves[i]);
        kz_value after = kz_immediate(game, tester->rules, &child);
        if (after.outcome != KZ_WIN || after.distance >= value.distance) {
            return kz_tester_fail(tester, KZ_SELFTEST_RESULT, "it is %s, and the move %s is better",
                                  value_text(value, one), move_text(tester, tester->moves[i], text));
        }
    }
    return true;
}

/* No move is 0, and none is there twice: that no two are equal is asked only where they are few. */
static bool test_list(kz_tester *tester) {
    enum { FEW = 256 };
    char text[KZ_TEXT_BYTES];
    if (tester->move_count < 0 || tester->move_count > kz_max_moves(tester->game, tester->rules)) {
        return kz_tester_fail(tester, KZ_SELFTEST_MOVE, "it has %d moves", tester->move_count);
    }
    for (int i = 0; i < tester->move_count; i++) {
        if (tester->moves[i] == 0) {
            return kz_tester_fail(tester, KZ_SELFTEST_MOVE, "move %d of the list is 0", i);
        }
        for (int k = 0; tester->move_count <= FEW && k < i; k++) {
            if (tester->moves[i] == tester->moves[k]) {
                return kz_tester_fail(tester, KZ_SELFTEST_MOVE, "the move %s is listed twice",
                                      move_text(tester, tester->moves[i], text));
            }
        }
    }
    return true;
}

bool kz_test_moves(kz_tester *tester) {
    const kz_game *game = tester->game;
    tester->move_count = kz_moves(game, tester->rules, &tester->position, tester->moves);
    kz_value value = kz_immediate(game, tester->rules, &tester->position);
    return test_list(tester) && (!tester->twin || test_against_twin(tester, value)) && test_result(tester, value);
}

/* ---- Backwards --------------------------------------------------------------------------------------------------- */

static bool is_among(const kz_game *game, const kz_position *wanted, const kz_position *list, int count) {
    for (int i = 0; i < count; i++) {
        if (kz_same(game, wanted, &list[i])) {
            return true;
        }
    }
    return false;
}

static bool leads_to(kz_tester *tester, const kz_position *before, const kz_position *after) {
    const kz_game *game = tester->game;
    kz_move *moves = tester->other_moves;
    int count = kz_moves(game, tester->rules, before, moves);
    for (int i = 0; i < count; i++) {
        kz_position child = *before;
        kz_play(game, tester->rules, &child, moves[i]);
        if (kz_same(game, &child, after)) {
            return true;
        }
    }
    return false;
}

/* A few of the many moves are enough for one position. */
enum { MOVES_BACK = 3 };

bool kz_test_predecessors(kz_tester *tester) {
    const kz_game *game = tester->game;
    kz_position before[KZ_MAX_PREDECESSORS];
    char text[KZ_TEXT_BYTES];
    for (int i = 0; game->doors->predecessors && i < MOVES_BACK && tester->move_count > 0; i++) {
        kz_move move = tester->moves[kz_random_below(&tester->random, (uint64_t)tester->move_count)];
        kz_position child = kz_tester_child(tester, move);
        int count = game->doors->predecessors(&child, before);
        tester->counts[KZ_SELFTEST_PREDECESSOR]++;
        if (!is_among(game, &tester->position, before, count)) {
            char after[KZ_TEXT_BYTES];
            kz_tester_text(tester, &child, after);
            return kz_tester_fail(tester, KZ_SELFTEST_PREDECESSOR,
                                  "the move %s leads to \"%s\", and taking moves back there does not lead here",
                                  move_text(tester, move, text), after);
        }
    }
    int count = game->doors->predecessors ? game->doors->predecessors(&tester->position, before) : 0;
    for (int i = 0; i < MOVES_BACK && count > 0; i++) {
        const kz_position *one = &before[kz_random_below(&tester->random, (uint64_t)count)];
        kz_value value = kz_immediate(game, tester->rules, one);
        if (value.outcome != KZ_UNKNOWN && value.distance == 0) {
            continue; /* the game was over */
        }
        tester->counts[KZ_SELFTEST_PREDECESSOR]++;
        if (!leads_to(tester, one, &tester->position)) {
            kz_tester_text(tester, one, text);
            return kz_tester_fail(tester, KZ_SELFTEST_PREDECESSOR,
                                  "taking a move back leads to \"%s\", from where no move leads here", text);
        }
    }
    return true;
}
