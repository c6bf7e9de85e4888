/* SPDX-License-Identifier: MIT
 *
 * The laws that a definition (kanzen/define.h) promises to keep, held against one position. */
#include "game/defined.h"
#include "table/selftest.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A position, its class and its tier. */
typedef struct known {
    const kz_definition *definition;
    const void *context;
    uint64_t size;
    uint64_t class; /* the lowest rank among its images */
    int tier;
} known;

static bool same_bytes(const kz_position *a, const kz_position *b) { return memcmp(a, b, KZ_GAME_BYTES) == 0; }

/* Names of moves in messages. */
static const char *move_name(const kz_tester *tester, kz_move move, char text[KZ_TEXT_BYTES]) {
    if (kz_move_format(tester->game, &tester->position, move, text, KZ_TEXT_BYTES, NULL) != KZ_OK) {
        snprintf(text, KZ_TEXT_BYTES, "number %" PRIu32, move);
    }
    return text;
}

/* ---- Index ------------------------------------------------------------------------------------------------------- */

/* What has a rank has a place: below the size, not a hole, and the position there has the same rank. */
static bool test_place(kz_tester *tester, const known *k, const kz_position *position, const char *whose) {
    uint64_t index = k->definition->rank(k->context, position);
    kz_position there = {{0}};
    tester->counts[KZ_SELFTEST_INDEX]++;
    if (index == KZ_NO_NUMBER && k->definition->result(k->context, position) != KZ_UNKNOWN) {
        return true;
    }
    if (index >= k->size) {
        return kz_tester_fail(tester, KZ_SELFTEST_INDEX,
                              "%s rank is %" PRIu64 ", which is not below index_size, %" PRIu64, whose, index, k->size);
    }
    if (!k->definition->unrank(k->context, index, &there)) {
        return kz_tester_fail(tester, KZ_SELFTEST_INDEX, "%s rank is %" PRIu64 ", and unrank calls that a hole", whose,
                              index);
    }
    uint64_t back = k->definition->rank(k->context, &there);
    if (back != index) {
        return kz_tester_fail(tester, KZ_SELFTEST_INDEX,
                              "%s rank is %" PRIu64 ", and the position that unrank gives there has the rank %" PRIu64,
                              whose, index, back);
    }
    if (!same_bytes(&there, position)) {
        kz_outcome one = kz_defined_result(k->definition, k->context, position);
        kz_outcome other = kz_defined_result(k->definition, k->context, &there);
        char text[KZ_TEXT_BYTES] = "";
        k->definition->format(k->context, &there, text);
        if (one != other) {
            return kz_tester_fail(tester, KZ_SELFTEST_INDEX,
                                  "%s rank is %" PRIu64 ", and it shares it with \"%s\", whose result is another one",
                                  whose, index, text);
        }
    }
    return true;
}

/* Any number: what unrank gives has that rank. */
static bool test_number(kz_tester *tester, const known *k) {
    uint64_t index = kz_random_below(&tester->random, k->size);
    kz_position there = {{0}};
    if (!k->definition->unrank(k->context, index, &there)) {
        return true;
    }
    uint64_t back = k->definition->rank(k->context, &there);
    tester->counts[KZ_SELFTEST_INDEX]++;
    if (back != index) {
        tester->position = there;
        return kz_tester_fail(tester, KZ_SELFTEST_INDEX, "unrank gives it for %" PRIu64 ", and its rank is %" PRIu64,
                              index, back);
    }
    return true;
}

/* ---- Moves ------------------------------------------------------------------------------------------------------- */

static bool test_list(kz_tester *tester, const known *k) {
    kz_outcome outcome = k->definition->result(k->context, &tester->position);
    tester->counts[KZ_SELFTEST_RESULT]++;
    tester->move_count = 0;
    if ((int)outcome < KZ_UNKNOWN || outcome > KZ_WIN) {
        return kz_tester_fail(tester, KZ_SELFTEST_RESULT, "its result is %d, which is no outcome", (int)outcome);
    }
    if (outcome != KZ_UNKNOWN) {
        return true;
    }
    int count = k->definition->moves(k->context, &tester->position, tester->moves);
    if (count < 0 || count > k->definition->max_moves) {
        return kz_tester_fail(tester, KZ_SELFTEST_MOVE, "it has %d moves, and max_moves is %d", count,
                              k->definition->max_moves);
    }
    tester->move_count = count;
    for (int i = 0; i < count; i++) {
        if (tester->moves[i] == 0) {
            return kz_tester_fail(tester, KZ_SELFTEST_MOVE, "move number %d is 0, which is never a move", i + 1);
        }
        for (int j = 0; j < i; j++) {
            if (tester->moves[i] == tester->moves[j]) {
                char text[KZ_TEXT_BYTES];
                return kz_tester_fail(tester, KZ_SELFTEST_MOVE, "the move %s is listed twice",
                                      move_name(tester, tester->moves[i], text));
            }
        }
    }
    return true;
}

/* Where a move may lead: a position with a number, in this tier or one that it may lead to; and the other side's turn.
 */
static bool test_child(kz_tester *tester, const known *k, kz_move move, uint64_t *class) {
    char text[KZ_TEXT_BYTES];
    char whose[KZ_TEXT_BYTES + 64];
    kz_position child = tester->position;
    uint8_t bytes[KZ_POSITION_BYTES];
    uint8_t before[KZ_POSITION_BYTES];
    k->definition->play(k->context, &child, move);
    memcpy(bytes, &child, sizeof bytes);
    memcpy(before, &tester->position, sizeof before);
    if (memcmp(bytes + KZ_GAME_BYTES, before + KZ_GAME_BYTES, KZ_POSITION_BYTES - KZ_GAME_BYTES) != 0) {
        return kz_tester_fail(tester, KZ_SELFTEST_MOVE,
                              "the move %s changes bytes after the first %d, which are Kanzen's",
                              move_name(tester, move, text), KZ_GAME_BYTES);
    }
    snprintf(whose, sizeof whose, "after the move %s, the", move_name(tester, move, text));
    if (!test_place(tester, k, &child, whose)) {
        return false;
    }
    if (k->definition->side_to_move &&
        k->definition->side_to_move(k->context, &child) == k->definition->side_to_move(k->context, &tester->position)) {
        return kz_tester_fail(tester, KZ_SELFTEST_MOVE, "after the move %s the same side is to move",
                              move_name(tester, move, text));
    }
    *class = kz_defined_rank(k->definition, k->context, &child, NULL);
    if (*class == KZ_NO_NUMBER) {
        return true; /* the game is over there */
    }
    int tier = kz_defined_tier_of(k->definition, k->context, *class);
    tester->counts[KZ_SELFTEST_TIER]++;
    if (tier > k->tier) {
        return kz_tester_fail(tester, KZ_SELFTEST_TIER,
                              "it is in tier %d, and the move %s leads to tier %d, a larger one", k->tier,
                              move_name(tester, move, text), tier);
    }
    if (tier == k->tier && k->definition->never_repeats) {
        return kz_tester_fail(tester, KZ_SELFTEST_TIER,
                              "the move %s stays in tier %d, and never_repeats says that every move leaves its tier",
                              move_name(tester, move, text), tier);
    }
    if (tier < k->tier && k->definition->tier_next) {
        int next[KZ_MAX_TIERS];
        int count = k->definition->tier_next(k->context, k->tier, next);
        bool listed = false;
        for (int i = 0; i < count; i++) {
            listed = listed || next[i] == tier;
        }
        if (!listed) {
            return kz_tester_fail(tester, KZ_SELFTEST_TIER,
                                  "the move %s leads from tier %d to tier %d, which tier_next does not list",
                                  move_name(tester, move, text), k->tier, tier);
        }
    }
    return true;
}

static bool test_children(kz_tester *tester, const known *k) {
    for (int i = 0; i < tester->move_count; i++) {
        if (!test_child(tester, k, tester->moves[i], &tester->indices[0][i])) {
            return false;
        }
    }
    return true;
}

/* ---- The second implementation
 * --------------------------------------------------------------------------------------- */

typedef struct visits {
    kz_tester *tester;
    const known *k;
    bool seen[KZ_DEFINE_MAX_MOVES];
    bool has_unlisted;
    kz_position unlisted;
} visits;

static void see(void *user, const kz_position *next) {
    visits *v = user;
    bool listed = false;
    for (int i = 0; i < v->tester->move_count; i++) {
        kz_position child = v->tester->position;
        v->k->definition->play(v->k->context, &child, v->tester->moves[i]);
        if (same_bytes(&child, next)) {
            v->seen[i] = true;
            listed = true;
        }
    }
    if (!listed && !v->has_unlisted) {
        v->has_unlisted = true;
        v->unlisted = *next;
    }
}

static bool test_twin(kz_tester *tester, const known *k) {
    if (!k->definition->twin) {
        return true;
    }
    visits v = {.tester = tester, .k = k};
    char text[KZ_TEXT_BYTES] = "";
    kz_outcome one = k->definition->result(k->context, &tester->position);
    kz_outcome other = k->definition->twin(k->context, &tester->position, see, &v);
    tester->counts[KZ_SELFTEST_MOVE] += (uint64_t)tester->move_count;
    if (one != other) {
        return kz_tester_fail(tester, KZ_SELFTEST_RESULT, "its result is %s, and by the second implementation %s",
                              kz_outcome_name(one), kz_outcome_name(other));
    }
    if (v.has_unlisted && one == KZ_UNKNOWN) {
        k->definition->format(k->context, &v.unlisted, text);
        return kz_tester_fail(tester, KZ_SELFTEST_MOVE,
                              "by the second implementation a move leads to \"%s\", and no move that is listed does",
                              text);
    }
    for (int i = 0; i < tester->move_count; i++) {
        if (!v.seen[i]) {
            return kz_tester_fail(tester, KZ_SELFTEST_MOVE,
                                  "the move %s leads to what no move of the second implementation leads to",
                                  move_name(tester, tester->moves[i], text));
        }
    }
    return true;
}

/* ---- Predecessors
 * ------------------------------------------------------------------------------------------------------ */

enum { MOVES_BACK = 3 };

static bool has_class(const known *k, const kz_position *list, int count, uint64_t class) {
    for (int i = 0; i < count; i++) {
        if (kz_defined_rank(k->definition, k->context, &list[i], NULL) == class) {
            return true;
        }
    }
    return false;
}

static bool leads_to(const known *k, const kz_position *from, uint64_t class) {
    kz_move moves[KZ_DEFINE_MAX_MOVES];
    int count;
    kz_defined_moves(k->definition, k->context, from, moves, &count);
    for (int i = 0; i < count; i++) {
        kz_position child = *from;
        k->definition->play(k->context, &child, moves[i]);
        if (kz_defined_rank(k->definition, k->context, &child, NULL) == class) {
            return true;
        }
    }
    return false;
}

static int list_predecessors(kz_tester *tester, const known *k, const kz_position *position) {
    int count = k->definition->predecessors(k->context, position, tester->before);
    if (count < 0 || count > k->definition->max_predecessors) {
        kz_tester_fail(tester, KZ_SELFTEST_PREDECESSOR,
                       "it, or a position after it, has %d predecessors; "
                       "max_predecessors is %d",
                       count, k->definition->max_predecessors);
        return -1;
    }
    return count;
}

static bool test_back(kz_tester *tester, const known *k) {
    char text[KZ_TEXT_BYTES] = "";
    for (int i = 0; i < MOVES_BACK && tester->move_count > 0; i++) {
        uint64_t chosen = kz_random_below(&tester->random, (uint64_t)tester->move_count);
        kz_position child = tester->position;
        k->definition->play(k->context, &child, tester->moves[chosen]);
        uint64_t class = tester->indices[0][chosen];
        if (kz_defined_tier_of(k->definition, k->context, class) != k->tier ||
            k->definition->result(k->context, &child) != KZ_UNKNOWN) {
            continue; /* need not be listed */
        }
        int count = list_predecessors(tester, k, &child);
        tester->counts[KZ_SELFTEST_PREDECESSOR]++;
        if (count < 0) {
            return false;
        }
        if (!has_class(k, tester->before, count, k->class)) {
            return kz_tester_fail(tester, KZ_SELFTEST_PREDECESSOR,
                                  "the move %s leads to a position that does not have this one among its predecessors",
                                  move_name(tester, tester->moves[chosen], text));
        }
    }
    if (k->definition->result(k->context, &tester->position) != KZ_UNKNOWN) {
        return true;
    }
    int count = list_predecessors(tester, k, &tester->position);
    for (int i = 0; i < MOVES_BACK && count > 0; i++) {
        const kz_position *one = &tester->before[kz_random_below(&tester->random, (uint64_t)count)];
        kz_position there = {{0}};
        uint64_t index = k->definition->rank(k->context, one);
        if (k->definition->result(k->context, one) != KZ_UNKNOWN || index >= k->size ||
            !k->definition->unrank(k->context, index, &there)) {
            continue; /* finished, or it can't occur: that is allowed */
        }
        tester->counts[KZ_SELFTEST_PREDECESSOR]++;
        if (!leads_to(k, one, k->class)) {
            k->definition->format(k->context, one, text);
            return kz_tester_fail(tester, KZ_SELFTEST_PREDECESSOR,
                                  "\"%s\" is among its predecessors, and no move leads from there to here", text);
        }
    }
    return count >= 0;
}

static bool test_predecessors(kz_tester *tester, const known *k) {
    return !k->definition->predecessors || test_back(tester, k);
}

/* ---- Symmetries
 * --------------------------------------------------------------------------------------------------------- */

static int by_number(const void *left, const void *right) {
    uint64_t a = *(const uint64_t *)left;
    uint64_t b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

/* The classes that moves lead to, in order; how many. */
static int classes_after(const known *k, const kz_position *position, uint64_t *classes) {
    kz_move moves[KZ_DEFINE_MAX_MOVES];
    int count;
    kz_defined_moves(k->definition, k->context, position, moves, &count);
    for (int i = 0; i < count; i++) {
        kz_position child = *position;
        k->definition->play(k->context, &child, moves[i]);
        classes[i] = kz_defined_rank(k->definition, k->context, &child, NULL);
    }
    qsort(classes, (size_t)count, sizeof *classes, by_number);
    return count;
}

static bool test_image(kz_tester *tester, const known *k, int number, int count) {
    kz_position image = {{0}};
    char text[KZ_TEXT_BYTES] = "";
    const char *differs = NULL;
    k->definition->symmetry(k->context, &tester->position, number, &image);
    tester->counts[KZ_SELFTEST_IMAGE]++;
    uint64_t index = k->definition->rank(k->context, &image);
    /* A finished game need not have a number; then its images have none, either. */
    bool has_none = k->class == KZ_NO_NUMBER;
    if (index >= k->size ? !has_none : kz_defined_rank(k->definition, k->context, &image, NULL) != k->class) {
        differs = "images of its own, with another lowest rank";
    } else if (k->definition->result(k->context, &image) != k->definition->result(k->context, &tester->position)) {
        differs = "another result";
    } else if (classes_after(k, &image, tester->indices[2]) != count) {
        differs = "another number of moves";
    } else if (memcmp(tester->indices[1], tester->indices[2], (size_t)count * sizeof tester->indices[1][0]) != 0) {
        differs = "moves to other positions";
    }
    if (differs) {
        k->definition->format(k->context, &image, text);
        return kz_tester_fail(tester, KZ_SELFTEST_IMAGE, "its image by symmetry %d, \"%s\", has %s", number, text,
                              differs);
    }
    return true;
}

static bool test_symmetries(kz_tester *tester, const known *k) {
    int symmetries = kz_defined_symmetries(k->definition);
    int count = symmetries > 1 ? classes_after(k, &tester->position, tester->indices[1]) : 0;
    for (int i = 1; i < symmetries; i++) {
        if (!test_image(tester, k, i, count)) {
            return false;
        }
    }
    return true;
}

/* ---- Look
 * ---------------------------------------------------------------------------------------------------------------- */

static bool test_look(kz_tester *tester, const known *k) {
    if (!k->definition->look) {
        return true;
    }
    const kz_board_look *look = k->definition->look(k->context);
    uint8_t piece[KZ_MAX_SQUARES] = {0};
    uint8_t count[KZ_MAX_SQUARES] = {0};
    char text[KZ_TEXT_BYTES];
    k->definition->pieces(k->context, &tester->position, piece, count);
    tester->counts[KZ_SELFTEST_LOOK]++;
    for (int i = 0; i < look->squares; i++) {
        if (piece[i] > look->pieces) {
            return kz_tester_fail(tester, KZ_SELFTEST_LOOK, "piece %d is on square %s, and look has %d kinds of pieces",
                                  piece[i], look->square[i].label, look->pieces);
        }
    }
    for (int i = 0; k->definition->touches && i < tester->move_count; i++) {
        kz_touched touched = {.count = 0};
        k->definition->touches(k->context, &tester->position, tester->moves[i], &touched);
        bool good = touched.count >= 0 && touched.count <= KZ_MAX_TOUCHED;
        for (int j = 0; good && j < touched.count; j++) {
            good = touched.square[j] < look->squares;
        }
        if (!good) {
            return kz_tester_fail(tester, KZ_SELFTEST_LOOK, "the move %s touches a square that is none",
                                  move_name(tester, tester->moves[i], text));
        }
    }
    return true;
}

bool kz_test_definition(kz_tester *tester) {
    const kz_definition *definition = tester->game->definition;
    const void *context = kz_game_context(tester->game, tester->rules);
    known k = {.definition = definition, .context = context, .size = definition->index_size(context)};
    if (!test_place(tester, &k, &tester->position, "its")) {
        return false;
    }
    k.class = kz_defined_rank(definition, context, &tester->position, NULL);
    k.tier = kz_defined_tier_of(definition, context, k.class);
    return test_list(tester, &k) && test_children(tester, &k) && test_twin(tester, &k) &&
           test_predecessors(tester, &k) && test_symmetries(tester, &k) && test_look(tester, &k) &&
           test_number(tester, &k) && kz_test_numbers(tester, k.class);
}
