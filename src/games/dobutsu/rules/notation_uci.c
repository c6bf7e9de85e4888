/* SPDX-License-Identifier: MIT
 *
 * Moves as Fairy-Stockfish has them in UCI: shogi counts files from the right and ranks from the top, Fairy-Stockfish
 * files from the left and ranks from the bottom; a drop is "C@b3" in place of "C*2b". */
#include "base/error.h"
#include "game/gamedef.h"
#include "games/dobutsu/rules/notation.h"

#include <string.h>

enum { FILES = 3, RANKS = 4, SQUARE_TEXT = 2 };

static bool shogi_square(const char *text, char fairy[SQUARE_TEXT]) {
    if (text[0] < '1' || text[0] >= '1' + FILES || text[1] < 'a' || text[1] >= 'a' + RANKS) {
        return false;
    }
    fairy[0] = (char)('a' + FILES - 1 - (text[0] - '1'));
    fairy[1] = (char)('1' + RANKS - 1 - (text[1] - 'a'));
    return true;
}

static bool fairy_square(const char *text, char shogi[SQUARE_TEXT]) {
    if (text[0] < 'a' || text[0] >= 'a' + FILES || text[1] < '1' || text[1] >= '1' + RANKS) {
        return false;
    }
    shogi[0] = (char)('1' + FILES - 1 - (text[0] - 'a'));
    shogi[1] = (char)('a' + RANKS - 1 - (text[1] - '1'));
    return true;
}

typedef bool translate_square(const char *text, char translated[SQUARE_TEXT]);

/* "2c2b" or "C*2b" and "b2b3" or "C@b3"; '+' may follow. What looks like neither is left alone. */
static void translate(char *move, size_t length, translate_square *square, char drop_from, char drop_to) {
    char squares[2 * SQUARE_TEXT];
    if (length < sizeof squares || length > sizeof squares + 1 || !square(move + SQUARE_TEXT, squares + SQUARE_TEXT)) {
        return;
    }
    if (move[1] == drop_from) {
        move[1] = drop_to;
        memcpy(move + SQUARE_TEXT, squares + SQUARE_TEXT, SQUARE_TEXT);
    } else if (square(move, squares)) {
        memcpy(move, squares, sizeof squares);
    }
}

static kz_status parse(int rules, const kz_position *position, const char *word, size_t word_length, kz_move *move,
                       kz_error *error) {
    char text[KZ_TEXT_BYTES] = "";
    if (word_length >= sizeof text) {
        return kz_fail(error, KZ_ERR_INPUT, "%zu characters are no move", word_length);
    }
    if (word_length > 0) {
        memcpy(text, word, word_length);
    }
    /* "b2b3=" says that nothing promotes, as programs for other kinds of shogi write it. */
    bool plain = word_length > 2 * SQUARE_TEXT && text[word_length - 1] == '=';
    size_t length = word_length - plain;
    translate(text, length, fairy_square, '@', '*');
    kz_dobutsu dobutsu;
    kz_dobutsu_from_position(position, &dobutsu);
    kz_status status = kz_dobutsu_move_parse(rules, &dobutsu, text, length, move, error);
    if (status == KZ_OK && plain) {
        status = kz_dobutsu_move_format(&dobutsu, *move, text, sizeof text, error);
        if (status == KZ_OK && text[strlen(text) - 1] == '+') {
            status = kz_fail(error, KZ_ERR_INPUT, "%s has to promote", text);
        }
    }
    return status;
}

static kz_status format(const kz_position *position, kz_move move, char *text, size_t size, kz_error *error) {
    kz_dobutsu dobutsu;
    kz_dobutsu_from_position(position, &dobutsu);
    KZ_TRY(kz_dobutsu_move_format(&dobutsu, move, text, size, error));
    translate(text, strlen(text), shogi_square, '*', '@');
    return KZ_OK;
}

const kz_uci_moves kz_dobutsu_uci = {.parse = parse, .format = format};
