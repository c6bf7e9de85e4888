/* SPDX-License-Identifier: MIT
 *
 * SFEN: "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1".
 *
 * What other programs write is taken: hands in any order, a count of 1, several spaces, move number 0. What could mean
 * two things is not: a piece given twice in a hand, numbers that begin with 0. */
#include "base/error.h"
#include "base/text_reader.h"
#include "shogi/src/position.h"
#include <limits.h>
#include <stdio.h>

typedef struct sfen_reader {
    kz_reader text;
    kz_shogi_position position;
    int left[KZ_SHOGI_KING]; /* pieces of each kind that are still in the box */
    bool has_king[2];
} sfen_reader;

/* ---- Reading ---------------------------------------------------------------------------------------------------- */

/* The kind and the side of a letter, -1 if it is none. */
static int kind_of_letter(char letter, kz_shogi_side *side) {
    *side = kz_is_upper(letter) ? KZ_SHOGI_BLACK : KZ_SHOGI_WHITE;
    if (*side == KZ_SHOGI_WHITE) {
        if (letter < 'a' || letter > 'z') {
            return -1;
        }
        letter = (char)(letter - 'a' + 'A');
    }
    return kz_shogi_kind_of_letter(letter);
}

/* Takes `count` pieces out of the box; complains about the character at `at`. */
static kz_status take(sfen_reader *reader, size_t at, unsigned kind, int count) {
    char why[64];
    reader->left[kind] -= count;
    if (reader->left[kind] >= 0) {
        return KZ_OK;
    }
    (void)snprintf(why, sizeof why, "there are only %u %ss", kz_shogi_full_sets[kind], kz_shogi_kind_names[kind]);
    return kz_bad_at(&reader->text, at, why);
}

/* Reads a piece of the board, '+' included. */
static kz_status read_piece(sfen_reader *reader, uint8_t *code) {
    kz_reader *text = &reader->text;
    bool promoted = kz_accept(text, '+');
    kz_shogi_side side;
    int kind = kind_of_letter(kz_next(text), &side);
    if (kind < 0) {
        return kz_bad(text, promoted ? "a piece must follow '+'"
                                     : "a square is one of P L N S G B R K, p l n s g b r k, or counted by 1 to 9");
    }
    if (promoted && !kz_shogi_kind_promotes((unsigned)kind)) {
        return kz_bad(text, kind == KZ_SHOGI_GOLD ? "a gold is never promoted" : "a king is never promoted");
    }
    if (kind == KZ_SHOGI_KING) {
        if (reader->has_king[side]) {
            return kz_bad(text, side == KZ_SHOGI_BLACK ? "black has two kings" : "white has two kings");
        }
        reader->has_king[side] = true;
    } else {
        KZ_TRY(take(reader, text->at, (unsigned)kind, 1));
    }
    text->at++;
    *code = (uint8_t)(kz_shogi_code((kz_shogi_kind)kind, side) | (promoted ? KZ_SHOGI_PROMOTED : 0));
    return KZ_OK;
}

/* Reads rank 0 (the top) to 8, without what ends it. */
static kz_status read_rank(sfen_reader *reader, int rank) {
    kz_reader *text = &reader->text;
    char why[64];
    int squares = 0;
    while (!kz_at_end(text) && kz_next(text) != '/' && kz_next(text) != ' ') {
        char c = kz_next(text);
        int empty = c >= '1' && c <= '9' ? c - '0' : 0;
        if (squares + (empty > 0 ? empty : 1) > 9) {
            (void)snprintf(why, sizeof why, "rank %d has more than 9 squares", rank + 1);
            return kz_bad(text, why);
        }
        if (empty > 0) {
            squares += empty;
            text->at++;
            continue;
        }
        KZ_TRY(read_piece(reader, &reader->position.board[kz_shogi_square(8 - squares, rank)]));
        squares++;
    }
    if (squares < 9) {
        (void)snprintf(why, sizeof why, "rank %d has only %d of 9 squares", rank + 1, squares);
        return kz_bad(text, why);
    }
    return KZ_OK;
}

static kz_status read_board(sfen_reader *reader) {
    kz_reader *text = &reader->text;
    for (int rank = 0; rank < 9; rank++) {
        if (rank > 0 && !kz_accept(text, '/')) {
            char why[64];
            (void)snprintf(why, sizeof why, "the board has only %d of 9 ranks", rank);
            return kz_bad(text, why);
        }
        KZ_TRY(read_rank(reader, rank));
    }
    return kz_next(text) == '/' ? kz_bad(text, "the board has more than 9 ranks") : KZ_OK;
}

/* Steps over the spaces before a field that must be there. */
static kz_status next_field(kz_reader *text, const char *why_not) {
    while (kz_accept(text, ' ')) {
    }
    return kz_at_end(text) ? kz_bad(text, why_not) : KZ_OK;
}

static kz_status read_side(sfen_reader *reader) {
    kz_reader *text = &reader->text;
    KZ_TRY(next_field(text, "the side to move is missing"));
    bool white = kz_accept(text, 'w');
    if (!white && !kz_accept(text, 'b')) {
        return kz_bad(text, "the side to move is b or w");
    }
    reader->position.side = white ? KZ_SHOGI_WHITE : KZ_SHOGI_BLACK;
    return !kz_at_end(text) && kz_next(text) != ' ' ? kz_bad(text, "a space must follow the side to move") : KZ_OK;
}

/* Reads digits. What is larger than `most` is `most` + 1. */
static int64_t read_number(kz_reader *text, int64_t most) {
    uint64_t number;
    if (kz_read_digits(text, (uint64_t)most, &number)) {
        return (int64_t)number;
    }
    while (kz_is_digit(kz_next(text))) {
        text->at++;
    }
    return most + 1;
}

/* Reads a count, if there is one, and a piece. */
static kz_status read_hand_piece(sfen_reader *reader) {
    kz_reader *text = &reader->text;
    size_t begin = text->at;
    if (kz_next(text) == '0') {
        return kz_bad(text, "the count of pieces in hand begins with 1 to 9");
    }
    int count = kz_is_digit(kz_next(text)) ? (int)read_number(text, 99) : 1;
    char letter = kz_next(text);
    kz_shogi_side side;
    int kind = kind_of_letter(letter, &side);
    if (kind < 0) {
        return kz_bad(text, text->at > begin ? "a piece must follow the count"
                            : letter == '+'  ? "pieces in hand are not promoted"
                            : letter == '-'  ? "'-' stands alone, for hands without pieces"
                                             : "a piece in hand is one of P L N S G B R or p l n s g b r");
    }
    if (kind == KZ_SHOGI_KING) {
        return kz_bad(text, "a king is never in hand");
    }
    if (reader->position.hand[side][kind] != 0) {
        return kz_bad(text, "this piece in hand is given twice");
    }
    KZ_TRY(take(reader, begin, (unsigned)kind, count));
    reader->position.hand[side][kind] = (uint8_t)count;
    text->at++;
    return KZ_OK;
}

static kz_status read_hands(sfen_reader *reader) {
    kz_reader *text = &reader->text;
    kz_status status = next_field(text, "the pieces in hand are missing ('-' if there are none)");
    if (status == KZ_OK && kz_accept(text, '-')) {
        return !kz_at_end(text) && kz_next(text) != ' ' ? kz_bad(text, "'-' stands alone, for hands without pieces")
                                                        : KZ_OK;
    }
    while (status == KZ_OK && !kz_at_end(text) && kz_next(text) != ' ') {
        status = read_hand_piece(reader);
    }
    return status;
}

static kz_status read_ply(kz_reader *text, int *ply) {
    *ply = 1;
    while (kz_accept(text, ' ')) {
    }
    if (kz_at_end(text)) {
        return KZ_OK;
    }
    size_t begin = text->at;
    if (!kz_is_digit(kz_next(text))) {
        return kz_bad(text, "the move number is not a number");
    }
    int64_t number = read_number(text, INT_MAX);
    if (text->text[begin] == '0' && text->at > begin + 1) {
        return kz_bad_at(text, begin, "the move number begins with 0");
    }
    if (number > INT_MAX) {
        return kz_bad_at(text, begin, "the move number is too large");
    }
    if (!kz_at_end(text)) {
        return kz_bad(text, "nothing follows the move number");
    }
    *ply = (int)number;
    return KZ_OK;
}

kz_status kz_shogi_parse_sfen(const char *text, size_t length, kz_shogi_position *position, int *ply, kz_error *error) {
    sfen_reader reader = {.text = kz_read_trimmed(text, length, error)};
    for (int kind = 0; kind < KZ_SHOGI_KING; kind++) {
        reader.left[kind] = kz_shogi_full_sets[kind];
    }
    int number = 1;
    kz_status status = kz_at_end(&reader.text) ? kz_bad(&reader.text, "the board is missing") : read_board(&reader);
    if (status == KZ_OK) {
        status = read_side(&reader);
    }
    if (status == KZ_OK) {
        status = read_hands(&reader);
    }
    if (status == KZ_OK) {
        status = read_ply(&reader.text, &number);
    }
    if (status == KZ_OK) {
        *position = reader.position;
        if (ply) {
            *ply = number;
        }
    }
    return status;
}

/* ---- Writing ---------------------------------------------------------------------------------------------------- */

static char letter_of(unsigned kind, unsigned side) {
    char letter = kz_shogi_letters[kind];
    return side == KZ_SHOGI_BLACK ? letter : kz_to_lower(letter);
}

static char *write_board(const kz_shogi_position *position, char *at) {
    for (int rank = 0; rank < 9; rank++) {
        int empty = 0;
        for (int file = 8; file >= 0; file--) {
            uint8_t code = position->board[kz_shogi_square(file, rank)];
            if (code == KZ_SHOGI_EMPTY) {
                empty++;
                continue;
            }
            if (empty > 0) {
                *at++ = (char)('0' + empty);
                empty = 0;
            }
            if (code & KZ_SHOGI_PROMOTED) {
                *at++ = '+';
            }
            *at++ = letter_of(kz_shogi_kind_of(code), kz_shogi_side_of(code));
        }
        if (empty > 0) {
            *at++ = (char)('0' + empty);
        }
        *at++ = rank < 8 ? '/' : ' ';
    }
    return at;
}

static char *write_number(char *at, unsigned number) {
    char digits[12];
    int count = 0;
    do {
        digits[count++] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    while (count > 0) {
        *at++ = digits[--count];
    }
    return at;
}

static char *write_hands(const kz_shogi_position *position, char *at) {
    const char *begin = at;
    for (unsigned side = 0; side < 2; side++) {
        for (unsigned kind = KZ_SHOGI_HAND_KINDS; kind-- > 0;) {
            unsigned count = position->hand[side][kind];
            if (count > 1) {
                at = write_number(at, count);
            }
            if (count > 0) {
                *at++ = letter_of(kind, side);
            }
        }
    }
    if (at == begin) {
        *at++ = '-';
    }
    return at;
}

size_t kz_shogi_format_sfen(const kz_shogi_position *position, int ply, char text[KZ_SHOGI_SFEN_BYTES]) {
    char *at = write_board(position, text);
    *at++ = position->side == KZ_SHOGI_WHITE ? 'w' : 'b';
    *at++ = ' ';
    at = write_hands(position, at);
    *at++ = ' ';
    at = write_number(at, ply > 0 ? (unsigned)ply : 0);
    *at = '\0';
    return (size_t)(at - text);
}
