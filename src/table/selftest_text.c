/* SPDX-License-Identifier: MIT
 *
 * Positions and moves as text: what is written is read back, and what is not written by anybody is refused. */
#include "table/selftest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Positions --------------------------------------------------------------------------------------------------- */

static int count_lines(const char *text) {
    int lines = 1;
    for (const char *end = strchr(text, '\n'); end; end = strchr(end + 1, '\n')) {
        lines++;
    }
    return lines;
}

/* The canonical notation keeps all of a position. Others may forget who moves or which mirror image it is, but what
 * they write has to stay the same when it is read and written again, and has to be worth the same. */
static bool test_notation(kz_tester *tester, int notation) {
    const kz_game *game = tester->game;
    const char *name = kz_notation_name(game, notation);
    char text[KZ_TEXT_BYTES];
    char again[KZ_TEXT_BYTES];
    kz_position back;
    kz_error error = {0};
    kz_status status = kz_format(game, &tester->position, notation, text, sizeof text, &error);
    if (status == KZ_ERR_UNSUPPORTED && notation > 0) {
        return true;
    }
    if (status != KZ_OK) {
        return kz_tester_fail(tester, KZ_SELFTEST_TEXT, "it can't be written as %s: %s", name, error.message);
    }
    tester->counts[KZ_SELFTEST_TEXT]++;
    size_t length = strlen(text);
    if (kz_parse(game, tester->rules, text, length, &back, &error) != KZ_OK) {
        return kz_tester_fail(tester, KZ_SELFTEST_TEXT, "as %s it is \"%s\", which can't be read: %s", name, text,
                              error.message);
    }
    if (kz_format(game, &back, notation, again, sizeof again, &error) != KZ_OK || strcmp(text, again) != 0) {
        return kz_tester_fail(tester, KZ_SELFTEST_TEXT, "as %s it is \"%s\", which is read and written again as \"%s\"",
                              name, text, again);
    }
    if (notation == 0 && !kz_same(game, &back, &tester->position)) {
        return kz_tester_fail(tester, KZ_SELFTEST_TEXT, "as %s it is \"%s\", which is read as another position", name,
                              text);
    }
    uint64_t index;
    uint64_t read_index;
    kz_value value = kz_tester_look(tester, &tester->position, &index);
    kz_value read = kz_tester_look(tester, &back, &read_index);
    if (value.outcome != read.outcome || value.distance != read.distance ||
        (index == KZ_NO_INDEX) != (read_index == KZ_NO_INDEX) || (notation == 0 && index != read_index)) {
        return kz_tester_fail(tester, KZ_SELFTEST_TEXT, "as %s it is \"%s\", which is read as one of another value",
                              name, text);
    }
    const char *line_end = strchr(text, '\n');
    size_t first = line_end ? (size_t)(line_end - text) : length;
    int lines = kz_position_lines(game, tester->rules, text, first);
    if (lines != count_lines(text)) {
        return kz_tester_fail(tester, KZ_SELFTEST_TEXT, "as %s it has %d lines, and %d are asked for", name,
                              count_lines(text), lines);
    }
    if (kz_format(game, &tester->position, notation, again, length + 1, NULL) != KZ_OK ||
        kz_format(game, &tester->position, notation, again, length, NULL) != KZ_ERR_INPUT) {
        return kz_tester_fail(tester, KZ_SELFTEST_TEXT,
                              "as %s it is %zu characters long, and a text of that size is not "
                              "treated so",
                              name, length);
    }
    return true;
}

bool kz_test_texts(kz_tester *tester) {
    for (int notation = 0; kz_notation_name(tester->game, notation); notation++) {
        if (!test_notation(tester, notation)) {
            return false;
        }
    }
    return true;
}

/* ---- Moves ------------------------------------------------------------------------------------------------------- */

/* Of positions with very many moves only some are written down: reading one may mean to list them all. */
enum { ALL_MOVES = 40, SOME_MOVES = 4, ALTERED_MOVES = 2 };

static bool test_move_text(kz_tester *tester, kz_move move) {
    const kz_game *game = tester->game;
    char text[KZ_TEXT_BYTES];
    kz_move read = 0;
    kz_error error = {0};
    tester->counts[KZ_SELFTEST_MOVE_TEXT]++;
    if (kz_move_format(game, &tester->position, move, text, sizeof text, &error) != KZ_OK) {
        return kz_tester_fail(tester, KZ_SELFTEST_MOVE_TEXT, "move %lu can't be written: %s", (unsigned long)move,
                              error.message);
    }
    if (kz_move_parse(game, tester->rules, &tester->position, text, strlen(text), &read, &error) != KZ_OK) {
        return kz_tester_fail(tester, KZ_SELFTEST_MOVE_TEXT, "the legal move %s is refused: %s", text, error.message);
    }
    if (read != move) {
        return kz_tester_fail(tester, KZ_SELFTEST_MOVE_TEXT, "the move %s is read as another one", text);
    }
    return true;
}

static bool is_listed(const kz_tester *tester, kz_move move) {
    for (int i = 0; i < tester->move_count; i++) {
        if (tester->moves[i] == move) {
            return true;
        }
    }
    return false;
}

static size_t below(kz_tester *tester, size_t limit) { return (size_t)kz_random_below(&tester->random, limit); }

/* One character is taken out, put in, or replaced; new ones come from the same text as often as not, so that many are
 * nearly right. */
static void alter(kz_tester *tester, char text[KZ_TEXT_BYTES]) {
    size_t length = strlen(text);
    size_t place = below(tester, length);
    char other = kz_random_below(&tester->random, 2) ? text[below(tester, length)] : (char)(' ' + below(tester, 95));
    switch (kz_random_below(&tester->random, 4)) {
    case 0:
        memmove(text + place, text + place + 1, length - place);
        break;
    case 1:
        if (length + 2 < KZ_TEXT_BYTES) {
            memmove(text + place + 1, text + place, length - place + 1);
            text[place] = other;
        }
        break;
    default:
        text[place] = other;
    }
}

/* A text that is read must be a legal move: any that was not listed would be an illegal one. */
static bool test_altered(kz_tester *tester, const char *text) {
    kz_move read = 0;
    kz_error error = {0};
    tester->counts[KZ_SELFTEST_ALTERED]++;
    kz_status status = kz_move_parse(tester->game, tester->rules, &tester->position, text, strlen(text), &read, &error);
    if (status == KZ_OK ? !is_listed(tester, read) : status != KZ_ERR_INPUT || error.message[0] == '\0') {
        return kz_tester_fail(tester, KZ_SELFTEST_ALTERED,
                              status == KZ_OK ? "the move \"%s\" is read, and is not one of the legal moves"
                                              : "the move \"%s\" is refused without a reason",
                              text);
    }
    return true;
}

bool kz_test_move_texts(kz_tester *tester) {
    bool all = tester->move_count <= ALL_MOVES;
    int count = all ? tester->move_count : SOME_MOVES;
    for (int i = 0; i < count; i++) {
        if (!test_move_text(tester, tester->moves[all ? (size_t)i : below(tester, (size_t)tester->move_count)])) {
            return false;
        }
    }
    /* A move of the position before this one. If the game is over now, it has to be refused as any other. */
    if (tester->earlier_move[0] != '\0' && !test_altered(tester, tester->earlier_move)) {
        return false;
    }
    if (tester->move_count == 0) {
        return true;
    }
    kz_move move = tester->moves[below(tester, (size_t)tester->move_count)];
    if (kz_move_format(tester->game, &tester->position, move, tester->earlier_move, KZ_TEXT_BYTES, NULL) != KZ_OK) {
        return kz_tester_fail(tester, KZ_SELFTEST_MOVE_TEXT, "move %lu can't be written", (unsigned long)move);
    }
    for (int i = 0; i < ALTERED_MOVES; i++) {
        char text[KZ_TEXT_BYTES];
        memcpy(text, tester->earlier_move, sizeof text);
        alter(tester, text);
        if (!test_altered(tester, text)) {
            return false;
        }
    }
    return true;
}
