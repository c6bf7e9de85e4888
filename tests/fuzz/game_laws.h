/* SPDX-License-Identifier: MIT
 *
 * Texts as positions and moves of a game: what is read is written so that it is read again. */
#ifndef FUZZ_GAME_LAWS_H
#define FUZZ_GAME_LAWS_H

#include "tests/fuzz/laws.h"

#include <kanzen/game.h>

/* A notation may leave something out, such as who moves; but what it does hold comes back. The canonical one holds
 * everything. */
static inline const char *fuzz_broken_by_notation(const kz_game *game, int rules, const kz_position *position,
                                                  int notation) {
    char text[KZ_TEXT_BYTES], again[KZ_TEXT_BYTES];
    kz_position back;
    kz_error error = {KZ_OK, ""};
    kz_status status = kz_format(game, position, notation, text, sizeof text, &error);
    LAW(status == KZ_OK || status == KZ_ERR_UNSUPPORTED);
    fuzz_keep_failure(status, &error);
    if (status != KZ_OK) {
        LAW(notation != 0);
        return NULL;
    }
    LAW(kz_parse(game, rules, text, strlen(text), &back, &error) == KZ_OK);
    LAW(notation != 0 || kz_same(game, &back, position));
    LAW(kz_format(game, &back, notation, again, sizeof again, &error) == KZ_OK);
    LAW(strcmp(text, again) == 0);
    /* With too little room it fails, and with enough it does not. */
    size_t length = strlen(text);
    LAW(kz_format(game, position, notation, again, length + 1, &error) == KZ_OK);
    LAW(kz_format(game, position, notation, again, length, &error) == KZ_ERR_INPUT);
    return NULL;
}

static inline const char *fuzz_broken_by_position(const kz_game *game, int rules, const kz_position *position) {
    char text[32 << 10];
    LAW(kz_same(game, position, position));
    for (int notation = 0; kz_notation_name(game, notation); notation++) {
        fuzz_keep(fuzz_broken_by_notation(game, rules, position, notation));
    }
    LAW(kz_draw(game, position, text, sizeof text, NULL) == KZ_OK);
    LAW(kz_draw_svg(game, position, text, sizeof text, NULL) == KZ_OK);
    return NULL;
}

static inline const char *fuzz_broken_by_move(const kz_game *game, int rules, const kz_position *position,
                                              kz_move move) {
    static kz_move moves[KZ_MAX_MOVES];
    char text[KZ_TEXT_BYTES];
    kz_move again = 0;
    kz_error error = {KZ_OK, ""};
    int count = kz_moves(game, rules, position, moves);
    bool listed = false;
    LAW(count >= 0 && count <= KZ_MAX_MOVES);
    for (int i = 0; i < count; i++) {
        listed = listed || moves[i] == move;
    }
    LAW(listed);
    LAW(kz_move_format(game, position, move, text, sizeof text, &error) == KZ_OK);
    LAW(kz_move_parse(game, rules, position, text, strlen(text), &again, &error) == KZ_OK);
    LAW(again == move);
    kz_position after = *position;
    kz_play(game, rules, &after, move);
    return NULL;
}

/* A move in the position. */
static inline void fuzz_move(const kz_game *game, int rules, const kz_position *position, const char *text,
                             size_t length) {
    kz_move move = 0;
    kz_error error = {KZ_OK, ""};
    kz_status status = kz_move_parse(game, rules, position, text, length, &move, &error);
    fuzz_keep_failure(status, &error);
    if (status == KZ_OK) {
        fuzz_keep(fuzz_broken_by_move(game, rules, position, move));
    }
}

/* A position of as many lines as its first one asks for, and a move in the rest; the same rest is a move of the start
 * position, too. */
static inline void fuzz_position_and_move(const kz_game *game, int rules, const uint8_t *data, size_t size) {
    char *text = (char *)fuzz_copy(data, size);
    const char *line_end = memchr(text, '\n', size);
    size_t end = line_end ? (size_t)(line_end - text) : size;
    int lines = kz_position_lines(game, rules, text, end);
    fuzz_keep(lines >= 1 && lines < 100 ? NULL : "a position has a strange number of lines");
    for (int line = 1; line < lines && end < size; line++) {
        const char *next = memchr(text + end + 1, '\n', size - end - 1);
        end = next ? (size_t)(next - text) : size;
    }
    /* Each in memory of its own, so that the sanitizer watches the ends. */
    char *first = (char *)fuzz_copy((const uint8_t *)text, end);
    size_t rest_length = end < size ? size - end - 1 : 0;
    char *rest = (char *)fuzz_copy((const uint8_t *)text + (size - rest_length), rest_length);
    kz_position position, start;
    kz_error error = {KZ_OK, ""};
    kz_status status = kz_parse(game, rules, first, end, &position, &error);
    fuzz_keep_failure(status, &error);
    if (status == KZ_OK) {
        fuzz_keep(fuzz_broken_by_position(game, rules, &position));
        fuzz_move(game, rules, &position, rest, rest_length);
    } else {
        kz_start(game, rules, &start);
        fuzz_move(game, rules, &start, rest, rest_length);
    }
    free(rest);
    free(first);
    free(text);
}

#endif
