/* SPDX-License-Identifier: MIT
 *
 * Reading positions. Text is always sente's view, so a position is built that way and turned round at the end if gote
 * is to move. */
#include "games/dobutsu/rules/notation.h"

#include "base/text_reader.h"
#include "games/dobutsu/rules/rules.h"
#include <stdio.h>
#include <string.h>

/* For errors that no single character is to blame for. */
static kz_status bad_whole(const kz_reader *reader, const kz_error *reason) {
    return kz_fail(reader->error, KZ_ERR_INPUT, "characters 1 to %zu: %.250s", reader->length, reason->message);
}

/* ---- Parts that notations share -------------------------------------------------------------------------------- */

static int kind_of_letter(const kz_dobutsu_letters *letters, char c) {
    char lower = kz_to_lower(c);
    for (int kind = KZ_DOBUTSU_CHICK; kind <= KZ_DOBUTSU_LION; kind++) {
        if (letters->piece[kind] == lower) {
            return kind;
        }
    }
    return letters->hen && letters->hen == lower ? KZ_DOBUTSU_HEN : -1;
}

static kz_status bad_piece(const kz_reader *reader, const kz_dobutsu_letters *letters) {
    char why[120];
    snprintf(why, sizeof why, "expected a piece (%c chick, %c elephant, %c giraffe, %c lion, %s%c hen) or %s",
             letters->piece[KZ_DOBUTSU_CHICK], letters->piece[KZ_DOBUTSU_ELEPHANT], letters->piece[KZ_DOBUTSU_GIRAFFE],
             letters->piece[KZ_DOBUTSU_LION], letters->plain ? "" : "+",
             letters->plain ? letters->hen : letters->piece[KZ_DOBUTSU_CHICK],
             letters->plain ? "- for an empty square" : "a number of empty squares");
    return kz_bad(reader, why);
}

/* Reads a piece or a run of empty squares and moves `column` on. */
static kz_status parse_square(kz_reader *reader, const kz_dobutsu_letters *letters, uint8_t row[3], int *column) {
    char c = kz_next(reader);
    if (!letters->plain && c >= '1' && c <= '3') {
        if (*column + (c - '0') > 3) {
            return kz_bad(reader, "more than 3 squares in a rank");
        }
        *column += c - '0';
        reader->at++;
        return KZ_OK;
    }
    if (letters->plain && kz_accept(reader, '-')) {
        ++*column;
        return KZ_OK;
    }
    bool plus = !letters->plain && kz_accept(reader, '+');
    c = kz_next(reader);
    int kind = kind_of_letter(letters, c);
    if (kind < 0) {
        return bad_piece(reader, letters);
    }
    if (plus && kind != KZ_DOBUTSU_CHICK) {
        return kz_bad(reader, "only a chick can be promoted");
    }
    row[(*column)++] = (uint8_t)((1 + (plus ? KZ_DOBUTSU_HEN : kind)) | (kz_is_upper(c) ? 0 : KZ_DOBUTSU_ENEMY));
    reader->at++;
    return KZ_OK;
}

static kz_status parse_board(kz_reader *reader, const kz_dobutsu_letters *letters, kz_dobutsu *view) {
    for (int row = 3; row >= 0; row--) {
        for (int column = 0; column < 3;) {
            KZ_TRY(parse_square(reader, letters, &view->board[3 * row], &column));
        }
        if (row > 0 && !kz_accept(reader, '/')) {
            return kz_bad(reader, "expected '/': a rank has 3 squares, and there are 4 ranks");
        }
    }
    return KZ_OK;
}

/* Reads hands up to `end` (0: the end of the text) or a space. "-" means empty, and so may nothing at all. */
static kz_status parse_hands(kz_reader *reader, const kz_dobutsu_letters *letters, char end, kz_dobutsu *view) {
    if (kz_accept(reader, '-')) {
        return KZ_OK;
    }
    while (!kz_at_end(reader) && kz_next(reader) != end && kz_next(reader) != ' ') {
        int count = 1;
        if (kz_is_digit(kz_next(reader))) {
            count = kz_next(reader) - '0';
            if (count < 1 || count > 2) {
                return kz_bad(reader, "there are only two of each piece");
            }
            reader->at++;
        }
        char c = kz_next(reader);
        int kind = kind_of_letter(letters, c);
        if (kind == KZ_DOBUTSU_HEN || c == '+') {
            return kz_bad(reader, "a captured hen is a chick: there are no hens in hand");
        }
        if (kind < 0) {
            return kz_bad(reader, "expected a piece in hand");
        }
        uint8_t *held = &view->hand[kz_is_upper(c) ? 0 : 1][kind];
        if (*held + count > (kind == KZ_DOBUTSU_LION ? 1 : 2)) {
            return kz_bad(reader,
                          kind == KZ_DOBUTSU_LION ? "a hand can't hold two lions" : "there are only two of each piece");
        }
        *held = (uint8_t)(*held + count);
        reader->at++;
    }
    return KZ_OK;
}

static kz_status parse_spaces(kz_reader *reader, const char *why) {
    if (!kz_accept(reader, ' ')) {
        return kz_bad(reader, why);
    }
    while (kz_accept(reader, ' ')) {
    }
    return KZ_OK;
}

static kz_status parse_turn(kz_reader *reader, char sente, char gote, const char *why, kz_dobutsu *view) {
    if (kz_accept(reader, sente)) {
        view->turn = 0;
    } else if (kz_accept(reader, gote)) {
        view->turn = 1;
    } else {
        return kz_bad(reader, why);
    }
    return KZ_OK;
}

static kz_status parse_number(kz_reader *reader, unsigned least, unsigned most, const char *why, unsigned *number) {
    size_t begin = reader->at;
    uint64_t value;
    if (!kz_read_digits(reader, most, &value) || value < least) {
        return kz_bad_at(reader, begin, why);
    }
    *number = (unsigned)value;
    return KZ_OK;
}

/* The checks that need the whole text, and the turn of the board. */
static kz_status finish(const kz_reader *reader, kz_dobutsu *view, kz_dobutsu *position) {
    if (!kz_at_end(reader)) {
        return kz_bad(reader, "the position is complete before this");
    }
    if (view->turn) {
        kz_dobutsu_flip(view);
    }
    kz_error reason;
    if (kz_dobutsu_validate(view, &reason) != KZ_OK) {
        return bad_whole(reader, &reason);
    }
    *position = *view;
    return KZ_OK;
}

/* ---- One function a notation ----------------------------------------------------------------------------------- */

/* gle/1c1/1C1/ELG b - 1 */
static kz_status parse_sfen(kz_reader *reader, int notation, kz_dobutsu *position) {
    const kz_dobutsu_letters *letters = &kz_dobutsu_letters_of[notation];
    kz_dobutsu view = {0};
    KZ_TRY(parse_board(reader, letters, &view));
    KZ_TRY(parse_spaces(reader, "expected a space and whose turn it is after the 4 ranks"));
    KZ_TRY(parse_turn(reader, 'b', 'w', "expected b (sente to move) or w (gote to move)", &view));
    KZ_TRY(parse_spaces(reader, "expected a space and the pieces in hand, or -"));
    KZ_TRY(parse_hands(reader, letters, '\0', &view));
    if (kz_next(reader) == ' ') {
        unsigned number = 0;
        parse_spaces(reader, "");
        KZ_TRY(parse_number(reader, 1, UINT16_MAX, "expected a move number from 1 to 65535", &number));
        view.move_number = (uint16_t)number;
    }
    return finish(reader, &view, position);
}

/* gle/1c1/1C1/ELG[-] w 0 1, perhaps with fields for castling and en passant, which are always "-" */
static kz_status parse_fairy(kz_reader *reader, kz_dobutsu *position) {
    const kz_dobutsu_letters *letters = &kz_dobutsu_letters_of[KZ_DOBUTSU_FAIRY];
    kz_dobutsu view = {0};
    KZ_TRY(parse_board(reader, letters, &view));
    if (!kz_accept(reader, '[')) {
        return kz_bad(reader, "expected '[' and the pieces in hand after the 4 ranks");
    }
    KZ_TRY(parse_hands(reader, letters, ']', &view));
    if (!kz_accept(reader, ']')) {
        return kz_bad(reader, "expected ']' after the pieces in hand");
    }
    KZ_TRY(parse_spaces(reader, "expected a space and whose turn it is after the pieces in hand"));
    KZ_TRY(parse_turn(reader, 'w', 'b', "expected w (sente to move) or b (gote to move)", &view));
    unsigned numbers[2] = {0, 0}; /* half-move clock, full move */
    for (int fields = 0, found = 0; !kz_at_end(reader) && fields < 4 && found < 2; fields++) {
        KZ_TRY(parse_spaces(reader, "expected a space"));
        if (!(found == 0 && fields < 2 && kz_accept(reader, '-'))) {
            KZ_TRY(parse_number(reader, (unsigned)found, UINT16_MAX / 2,
                                found ? "expected a move number from 1 to 32767"
                                      : "expected a half-move clock from 0 to 32767",
                                &numbers[found]));
            found++;
        }
    }
    if (numbers[1]) {
        view.move_number = (uint16_t)(2 * numbers[1] - 1 + view.turn);
    }
    return finish(reader, &view, position);
}

/* S/gle/-c-/-C-/ELG/- */
static kz_status parse_clausecker(kz_reader *reader, kz_dobutsu *position) {
    const kz_dobutsu_letters *letters = &kz_dobutsu_letters_of[KZ_DOBUTSU_CLAUSECKER];
    kz_dobutsu view = {0};
    KZ_TRY(parse_turn(reader, 'S', 'G', "expected S (sente to move) or G (gote to move)", &view));
    reader->at++; /* the '/' that told the notation */
    KZ_TRY(parse_board(reader, letters, &view));
    if (!kz_accept(reader, '/')) {
        return kz_bad(reader, "expected '/' and the pieces in hand, or -, after the 4 ranks");
    }
    KZ_TRY(parse_hands(reader, letters, '\0', &view));
    return finish(reader, &view, position);
}

/* 0x2b20785c1d */
static kz_status parse_state40(kz_reader *reader, kz_dobutsu *position) {
    reader->at += 2;
    if (kz_at_end(reader)) {
        return kz_bad(reader, "expected hexadecimal digits after 0x");
    }
    uint64_t state = 0;
    for (; !kz_at_end(reader); reader->at++) {
        static const char digits[] = "0123456789abcdef";
        char c = kz_next(reader);
        const char *digit = c ? strchr(digits, kz_to_lower(c)) : NULL;
        if (!digit) {
            return kz_bad(reader, "expected a hexadecimal digit");
        }
        state = state << 4 | (uint64_t)(digit - digits);
        if (state >> 40) {
            return kz_bad(reader, "a state has 40 bits, ten hexadecimal digits");
        }
    }
    kz_error reason;
    return kz_dobutsu_from_state40(state, false, position, &reason) == KZ_OK ? KZ_OK : bad_whole(reader, &reason);
}

/* 2276617967770 */
static kz_status parse_index18(kz_reader *reader, kz_dobutsu *position) {
    uint64_t index = 0;
    for (; !kz_at_end(reader); reader->at++) {
        if (!kz_is_digit(kz_next(reader))) {
            return kz_bad(reader, "expected a decimal digit: a text that begins with a digit and has no / is an index");
        }
        index = index * 10 + (uint64_t)(kz_next(reader) - '0');
        if (index >> 52) {
            return kz_bad(reader, "the index is too large");
        }
    }
    kz_error reason;
    return kz_dobutsu_from_index18(index, position, &reason) == KZ_OK ? KZ_OK : bad_whole(reader, &reason);
}

/* ---- Which one is it? ------------------------------------------------------------------------------------------ */

static int first_board_letter_notation(const kz_reader *reader) {
    for (size_t i = reader->at; i < reader->length && reader->text[i] != ' '; i++) {
        char lower = kz_to_lower(reader->text[i]);
        if (lower >= 'a' && lower <= 'z') {
            return kind_of_letter(&kz_dobutsu_letters_of[KZ_DOBUTSU_LISHOGI], lower) >= 0 ? KZ_DOBUTSU_LISHOGI
                                                                                          : KZ_DOBUTSU_SFEN;
        }
    }
    return KZ_DOBUTSU_SFEN;
}

static bool holds(const kz_reader *reader, char wanted) {
    return memchr(reader->text + reader->at, wanted, reader->length - reader->at) != NULL;
}

kz_status kz_dobutsu_parse(const char *text, size_t length, kz_dobutsu *position, kz_error *error) {
    kz_reader reader = kz_read_trimmed(text, length, error);
    if (kz_at_end(&reader)) {
        return kz_bad(&reader, "expected a position, for example gle/1c1/1C1/ELG b - 1");
    }
    char second = reader.at + 1 < reader.length ? reader.text[reader.at + 1] : '\0';
    if (kz_next(&reader) == '0' && (second == 'x' || second == 'X')) {
        return parse_state40(&reader, position);
    }
    if (kz_is_digit(kz_next(&reader)) && !holds(&reader, '/')) {
        return parse_index18(&reader, position);
    }
    if (second == '/' && !kz_is_digit(kz_next(&reader))) {
        return parse_clausecker(&reader, position);
    }
    if (holds(&reader, '[')) {
        return parse_fairy(&reader, position);
    }
    return parse_sfen(&reader, first_board_letter_notation(&reader), position);
}
