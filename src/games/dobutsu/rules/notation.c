/* SPDX-License-Identifier: MIT
 *
 * What the notations are called and made of, and writing positions in them. */
#include "games/dobutsu/rules/notation.h"

#include "base/text_writer.h"
#include "games/dobutsu/rules/rules.h"
#include <inttypes.h>

const char *const kz_dobutsu_notations[KZ_DOBUTSU_NOTATIONS + 1] = {
    [KZ_DOBUTSU_SFEN] = "sfen",       [KZ_DOBUTSU_LISHOGI] = "lishogi",
    [KZ_DOBUTSU_FAIRY] = "fairy",     [KZ_DOBUTSU_CLAUSECKER] = "clausecker",
    [KZ_DOBUTSU_STATE40] = "state40", [KZ_DOBUTSU_INDEX18] = "index18",
};

const kz_dobutsu_letters kz_dobutsu_letters_of[KZ_DOBUTSU_STATE40] = {
    [KZ_DOBUTSU_SFEN] = {{'c', 'e', 'g', 'l'}, 'h', false},
    [KZ_DOBUTSU_LISHOGI] = {{'p', 'b', 'r', 'k'}, 0, false},
    [KZ_DOBUTSU_FAIRY] = {{'c', 'e', 'g', 'l'}, 'h', false},
    [KZ_DOBUTSU_CLAUSECKER] = {{'c', 'e', 'g', 'l'}, 'r', true},
};

const int kz_dobutsu_hand_order[4] = {KZ_DOBUTSU_LION, KZ_DOBUTSU_GIRAFFE, KZ_DOBUTSU_ELEPHANT, KZ_DOBUTSU_CHICK};

static char cased(char letter, bool gote) { return gote ? letter : (char)(letter - 'a' + 'A'); }

static void write_piece(kz_writer *writer, const kz_dobutsu_letters *letters, uint8_t cell) {
    int kind = (cell & (KZ_DOBUTSU_ENEMY - 1)) - 1;
    bool gote = cell & KZ_DOBUTSU_ENEMY;
    if (kind != KZ_DOBUTSU_HEN) {
        kz_put_char(writer, cased(letters->piece[kind], gote));
    } else if (letters->plain) {
        kz_put_char(writer, cased(letters->hen, gote));
    } else {
        kz_put_char(writer, '+');
        kz_put_char(writer, cased(letters->piece[KZ_DOBUTSU_CHICK], gote));
    }
}

/* `view` is sente's. */
static void write_board(kz_writer *writer, const kz_dobutsu_letters *letters, const kz_dobutsu *view) {
    for (int row = 3; row >= 0; row--) {
        int empty = 0;
        for (int column = 0; column < 3; column++) {
            uint8_t cell = view->board[3 * row + column];
            if (cell == KZ_DOBUTSU_EMPTY && !letters->plain) {
                empty++;
                continue;
            }
            if (empty) {
                kz_put_number(writer, empty);
                empty = 0;
            }
            if (cell == KZ_DOBUTSU_EMPTY) {
                kz_put_char(writer, '-');
            } else {
                write_piece(writer, letters, cell);
            }
        }
        if (empty) {
            kz_put_number(writer, empty);
        }
        if (row > 0) {
            kz_put_char(writer, '/');
        }
    }
}

static void write_hands(kz_writer *writer, const kz_dobutsu_letters *letters, const kz_dobutsu *view, bool counted) {
    size_t before = writer->length;
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < 4; i++) {
            int kind = kz_dobutsu_hand_order[i];
            int count = view->hand[side][kind];
            if (counted && count > 1) {
                kz_put_number(writer, count);
                count = 1;
            }
            for (; count > 0; count--) {
                kz_put_char(writer, cased(letters->piece[kind], side == 1));
            }
        }
    }
    if (writer->length == before) {
        kz_put_char(writer, '-');
    }
}

kz_status kz_dobutsu_format(const kz_dobutsu *position, int notation, char *text, size_t size, kz_error *error) {
    kz_writer writer = kz_writer_into(text, size);
    kz_dobutsu view = *position;
    if (view.turn) {
        kz_dobutsu_flip(&view);
    }
    switch (notation) {
    case KZ_DOBUTSU_SFEN:
    case KZ_DOBUTSU_LISHOGI:
        write_board(&writer, &kz_dobutsu_letters_of[notation], &view);
        kz_put(&writer, view.turn ? " w " : " b ");
        write_hands(&writer, &kz_dobutsu_letters_of[notation], &view, true);
        if (view.move_number) {
            kz_put_char(&writer, ' ');
            kz_put_number(&writer, view.move_number);
        }
        break;
    case KZ_DOBUTSU_FAIRY:
        write_board(&writer, &kz_dobutsu_letters_of[notation], &view);
        kz_put_char(&writer, '[');
        write_hands(&writer, &kz_dobutsu_letters_of[notation], &view, false);
        kz_put(&writer, view.turn ? "] b 0 " : "] w 0 ");
        kz_put_number(&writer, view.move_number ? (view.move_number + 1) / 2 : 1);
        break;
    case KZ_DOBUTSU_CLAUSECKER:
        kz_put(&writer, view.turn ? "G/" : "S/");
        write_board(&writer, &kz_dobutsu_letters_of[notation], &view);
        kz_put_char(&writer, '/');
        write_hands(&writer, &kz_dobutsu_letters_of[notation], &view, false);
        break;
    case KZ_DOBUTSU_STATE40:
        kz_write(&writer, "0x%010" PRIx64, kz_dobutsu_to_state40(position));
        break;
    case KZ_DOBUTSU_INDEX18:
        if (position->hand[1][KZ_DOBUTSU_LION]) {
            return kz_fail(error, KZ_ERR_UNSUPPORTED, "index18 has no room for a captured lion");
        }
        kz_write(&writer, "%" PRIu64, kz_dobutsu_to_index18(position));
        break;
    default:
        return kz_fail(error, KZ_ERR_INPUT, "Dobutsu Shogi has no notation number %d", notation);
    }
    return kz_written(&writer, error);
}
