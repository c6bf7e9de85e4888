/* SPDX-License-Identifier: MIT
 *
 * Moves in USI's notation: "7g7f", "8h2b+", "P*5e". */
#include "base/text_reader.h"
#include "shogi/src/position.h"
#include <string.h>

static const char *const words[] = {
    [KZ_SHOGI_NONE] = "none", [KZ_SHOGI_NULL] = "pass", [KZ_SHOGI_RESIGNS] = "resign", [KZ_SHOGI_DECLARES] = "win"};
enum { WORDS = sizeof words / sizeof words[0] };

static kz_status read_square(kz_reader *text, uint8_t *square) {
    char file = kz_next(text);
    if (file < '1' || file > '9') {
        return kz_bad(text, "a square begins with its file, 1 to 9");
    }
    text->at++;
    char rank = kz_next(text);
    if (rank < 'a' || rank > 'i') {
        return kz_bad(text, "a square ends with its rank, a to i");
    }
    text->at++;
    *square = (uint8_t)kz_shogi_square(file - '1', rank - 'a');
    return KZ_OK;
}

static kz_status read_drop(kz_reader *text, uint8_t *from) {
    int kind = kz_shogi_kind_of_letter(kz_next(text));
    if (kind < 0 || kind == KZ_SHOGI_KING) {
        return kz_bad(text, "the piece of a drop is one of P L N S G B R");
    }
    text->at++;
    if (!kz_accept(text, '*')) {
        return kz_bad(text, "'*' must follow the piece of a drop");
    }
    *from = (uint8_t)(KZ_SHOGI_SQUARES + kind);
    return KZ_OK;
}

kz_status kz_shogi_parse_move(const char *text, size_t length, kz_shogi_move *move, kz_error *error) {
    kz_reader reader = kz_read_trimmed(text, length, error);
    kz_shogi_move read = {.special = KZ_SHOGI_MOVE};
    for (unsigned word = KZ_SHOGI_NONE; word < WORDS; word++) {
        size_t size = strlen(words[word]);
        if (reader.length - reader.at == size && memcmp(text + reader.at, words[word], size) == 0) {
            *move = (kz_shogi_move){.special = (uint8_t)word};
            return KZ_OK;
        }
    }
    if (kz_at_end(&reader)) {
        return kz_bad(&reader, "the move is missing");
    }
    bool drop = kz_is_upper(kz_next(&reader));
    if (!drop && !kz_is_digit(kz_next(&reader))) {
        return kz_bad(&reader, "a move is like 7g7f, 8h2b+ or P*5e, or one of none, pass, resign, win");
    }
    kz_status status = drop ? read_drop(&reader, &read.from) : read_square(&reader, &read.from);
    size_t second = reader.at;
    if (status == KZ_OK) {
        status = read_square(&reader, &read.to);
    }
    if (status != KZ_OK) {
        return status;
    }
    if (read.to == read.from) {
        return kz_bad_at(&reader, second, "a move goes to another square");
    }
    if (drop && kz_next(&reader) == '+') {
        return kz_bad(&reader, "a dropped piece does not promote");
    }
    read.promotes = kz_accept(&reader, '+');
    if (!kz_at_end(&reader)) {
        return kz_bad(&reader, "nothing follows the move");
    }
    *move = read;
    return KZ_OK;
}

static char *write_square(char *at, unsigned square) {
    *at++ = (char)('1' + square / 9);
    *at++ = (char)('a' + square % 9);
    return at;
}

size_t kz_shogi_format_move(kz_shogi_move move, char text[8]) {
    char *at = text;
    if (move.special != KZ_SHOGI_MOVE) {
        const char *word = words[move.special < WORDS ? move.special : KZ_SHOGI_NONE];
        size_t size = strlen(word);
        memcpy(text, word, size + 1);
        return size;
    }
    if (move.from < KZ_SHOGI_SQUARES) {
        at = write_square(at, move.from);
    } else {
        *at++ = kz_shogi_letters[(move.from - KZ_SHOGI_SQUARES) % KZ_SHOGI_HAND_KINDS];
        *at++ = '*';
    }
    at = write_square(at, move.to);
    if (move.promotes) {
        *at++ = '+';
    }
    *at = '\0';
    return (size_t)(at - text);
}
