/* SPDX-License-Identifier: MIT
 *
 * Moves as text: USI ("2c2b", "C*2b"), and coordinates ("b3b2", "C*b2") on input. Squares are named from sente's side
 * of the board, whoever moves. */
#include "games/dobutsu/rules/notation.h"

#include "base/text_reader.h"
#include "base/text_writer.h"
#include "games/dobutsu/rules/rules.h"
#include <string.h>

static int absolute(const kz_dobutsu *position, int square) { return position->turn ? 11 - square : square; }

/* "2c": file from the right, rank from the top. */
struct square_name {
    char text[3];
};

static struct square_name name_of(const kz_dobutsu *position, int square) {
    int seen = absolute(position, square);
    return (struct square_name){{(char)('3' - seen % 3), (char)('d' - seen / 3), '\0'}};
}

static bool promotes(const kz_dobutsu *position, kz_move move) {
    int from = kz_dobutsu_move_from(move);
    return from < KZ_DOBUTSU_HAND && position->board[from] == 1 + KZ_DOBUTSU_CHICK && kz_dobutsu_move_to(move) >= 9;
}

kz_status kz_dobutsu_move_format(const kz_dobutsu *position, kz_move move, char *text, size_t size, kz_error *error) {
    int from = kz_dobutsu_move_from(move);
    int to = kz_dobutsu_move_to(move);
    if (from < 0 || from >= KZ_DOBUTSU_FROMS || to >= KZ_DOBUTSU_SQUARES) {
        return kz_fail(error, KZ_ERR_INPUT, "%u is not the number of a move", (unsigned)move);
    }
    kz_writer writer = kz_writer_into(text, size);
    if (from >= KZ_DOBUTSU_HAND) {
        kz_put_char(&writer, "CEG"[from - KZ_DOBUTSU_HAND]);
        kz_put_char(&writer, '*');
    } else {
        kz_put(&writer, name_of(position, from).text);
    }
    kz_put(&writer, name_of(position, to).text);
    kz_put(&writer, promotes(position, move) ? "+" : "");
    return kz_written(&writer, error);
}

/* "2c", or "b3": the letter tells the column there, counted from the left, and the digit the rank. */
static kz_status parse_square(kz_reader *reader, const kz_dobutsu *position, int *square) {
    char first = kz_next(reader);
    bool coordinates = first >= 'a' && first <= 'c';
    if (!coordinates && (first < '1' || first > '3')) {
        return kz_bad(reader,
                      "expected a square: file 1 to 3 and rank a to d (2c), or file a to c and rank 1 to 4 (b3)");
    }
    reader->at++;
    char second = kz_next(reader);
    char lowest = coordinates ? '1' : 'a';
    if (second < lowest || second > lowest + 3) {
        return kz_bad(reader, coordinates ? "expected a rank from 1 to 4" : "expected a rank from a to d");
    }
    reader->at++;
    int column = coordinates ? first - 'a' : '3' - first;
    *square = absolute(position, 3 * (3 - (second - lowest)) + column);
    return KZ_OK;
}

/* Where the piece comes from: a square, or a hand ("C*"). */
static kz_status parse_origin(kz_reader *reader, const kz_dobutsu *position, int *from) {
    if (reader->at + 1 >= reader->length || reader->text[reader->at + 1] != '*') {
        return parse_square(reader, position, from);
    }
    static const char letters[] = "cegpbr"; /* lishogi's names after our own */
    char c = kz_next(reader);
    const char *found = c ? strchr(letters, kz_to_lower(c)) : NULL;
    if (!found) {
        return kz_bad(reader, "expected the piece to drop: C chick, E elephant or G giraffe");
    }
    *from = KZ_DOBUTSU_HAND + (int)(found - letters) % 3;
    reader->at += 2;
    return KZ_OK;
}

/* Why a move is not among the legal ones of a game that goes on. Characters are those of a two-character origin. */
static kz_status refuse(const kz_reader *reader, const kz_dobutsu *position, int from, int to) {
    size_t from_at = reader->at;
    size_t to_at = reader->at + 2;
    char why[120];
    if (from >= KZ_DOBUTSU_HAND) {
        const char *kind = kz_dobutsu_kind_name(from - KZ_DOBUTSU_HAND);
        if (position->hand[0][from - KZ_DOBUTSU_HAND] == 0) {
            snprintf(why, sizeof why, "there is no %s in hand", kind);
            return kz_bad_at(reader, from_at, why);
        }
        snprintf(why, sizeof why, "%s is occupied, and a drop needs an empty square", name_of(position, to).text);
        return kz_bad_at(reader, to_at, why);
    }
    uint8_t cell = position->board[from];
    uint8_t target = position->board[to];
    if (cell == KZ_DOBUTSU_EMPTY || cell & KZ_DOBUTSU_ENEMY) {
        snprintf(why, sizeof why, cell ? "the piece on %s is not yours" : "there is no piece on %s",
                 name_of(position, from).text);
        return kz_bad_at(reader, from_at, why);
    }
    if (target != KZ_DOBUTSU_EMPTY && !(target & KZ_DOBUTSU_ENEMY) && from != to) {
        snprintf(why, sizeof why, "%s is occupied by your own piece", name_of(position, to).text);
        return kz_bad_at(reader, to_at, why);
    }
    snprintf(why, sizeof why, "the %s on %s does not move to %s", kz_dobutsu_kind_name(cell - 1),
             name_of(position, from).text, name_of(position, to).text);
    return kz_bad_at(reader, to_at, why);
}

kz_status kz_dobutsu_move_parse(int rules, const kz_dobutsu *position, const char *text, size_t length, kz_move *move,
                                kz_error *error) {
    kz_reader reader = kz_read_trimmed(text, length, error);
    kz_reader begin = reader;
    int from = 0;
    int to = 0;
    kz_status status = parse_origin(&reader, position, &from);
    if (status == KZ_OK) {
        status = parse_square(&reader, position, &to);
    }
    if (status != KZ_OK) {
        return status;
    }
    kz_move wanted = kz_dobutsu_move(from, to);
    kz_move moves[KZ_DOBUTSU_MAX_MOVES];
    int count = kz_dobutsu_moves(rules, position, moves);
    if (count == 0) {
        return kz_bad(&begin, "the game is over: there are no moves");
    }
    int found = 0;
    while (found < count && moves[found] != wanted) {
        found++;
    }
    if (found == count) {
        return refuse(&begin, position, from, to);
    }
    if (kz_next(&reader) == '+') {
        if (!promotes(position, wanted)) {
            return kz_bad(&reader, "this move does not promote: only a chick that moves to the far row does");
        }
        reader.at++;
    }
    if (!kz_at_end(&reader)) {
        return kz_bad(&reader, "the move is complete before this");
    }
    *move = wanted;
    return KZ_OK;
}
