/* SPDX-License-Identifier: MIT
 *
 * Positions as FEN with hands, moves as UCI writes them: "b2b3", "b7b8q", "b2b3+", "P@b2". */
#include "base/error.h"
#include "games/texts/variant.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

typedef struct reader {
    const char *text;
    size_t length;
    size_t at;
} reader;

static kz_status refuse(const reader *r, kz_error *error, const char *what) {
    return kz_fail(error, KZ_ERR_INPUT, "character %zu: %s", r->at + 1, what);
}

static char peek(const reader *r) { return r->at < r->length ? r->text[r->at] : '\0'; }

static int find_type(const kz_variant *v, char letter, bool promoted) {
    for (int i = 0; i < v->types; i++) {
        if (v->type[i].letter && v->type[i].letter == tolower((unsigned char)letter) &&
            v->type[i].promoted == promoted) {
            return i;
        }
    }
    return -1;
}

static kz_status read_squares(const kz_variant *v, reader *r, kz_board *b, kz_error *error) {
    int rank = v->ranks - 1;
    int file = 0;
    int pieces = 0;
    for (;; r->at++) {
        char c = peek(r);
        if (c == '/' || c == ' ' || c == '[' || c == '\0') {
            if (file != v->files) {
                return refuse(r, error, "a rank has the wrong number of squares");
            }
            if (c != '/') {
                return rank == 0 ? KZ_OK : refuse(r, error, "the board has too few ranks");
            }
            if (rank-- == 0) {
                return refuse(r, error, "the board has too many ranks");
            }
            file = 0;
        } else if (isdigit((unsigned char)c)) {
            int count = c - '0';
            if (isdigit((unsigned char)(r->at + 1 < r->length ? r->text[r->at + 1] : '\0'))) {
                count = count * 10 + (r->text[++r->at] - '0');
            }
            file += count;
            if (file > v->files) {
                return refuse(r, error, "a rank has too many squares");
            }
        } else {
            bool promoted = c == '+';
            r->at += promoted;
            c = peek(r);
            int type = find_type(v, c, promoted);
            if (type < 0) {
                return refuse(r, error, "no piece of this variant has that letter");
            }
            if (file == v->files) {
                return refuse(r, error, "a rank has too many squares");
            }
            if (++pieces > KZ_VARIANT_PIECES) {
                return refuse(r, error, "too many pieces on the board");
            }
            kz_board_put(b, rank * v->files + file++, kz_piece(type, isupper((unsigned char)c) ? KZ_WHITE : KZ_BLACK));
        }
    }
}

static kz_status read_hands(const kz_variant *v, reader *r, kz_board *b, kz_error *error) {
    if (peek(r) != '[') {
        return KZ_OK;
    }
    for (r->at++; peek(r) != ']'; r->at++) {
        char c = peek(r);
        if (c == '-') {
            continue;
        }
        int type = c ? find_type(v, c, false) : -1;
        if (type < 0 || v->type[type].hand < 0) {
            return refuse(r, error, "no such piece can be in a hand");
        }
        uint8_t *count = &b->hand[isupper((unsigned char)c) ? KZ_WHITE : KZ_BLACK][v->type[type].hand];
        if (*count == 15) {
            return refuse(r, error, "too many pieces in a hand");
        }
        (*count)++;
    }
    r->at++;
    return KZ_OK;
}

static bool take(reader *r, char c) {
    bool there = peek(r) == c;
    r->at += there;
    return there;
}

static kz_status read_en_passant(const kz_variant *v, reader *r, kz_board *b, kz_error *error) {
    if (take(r, '-')) {
        return KZ_OK;
    }
    int file = peek(r) - 'a';
    r->at++;
    int rank = 0;
    while (isdigit((unsigned char)peek(r)) && rank < 10) {
        rank = rank * 10 + (r->text[r->at++] - '0');
    }
    if (file < 0 || file >= v->files || rank < 1 || rank > v->ranks) {
        return refuse(r, error, "the square of en passant is none of the board");
    }
    /* As play does it: the square counts only if a pawn can capture there. */
    int square = (rank - 1) * v->files + file;
    int ahead = b->side == KZ_WHITE ? -v->files : v->files;
    int pawn = square + ahead;
    int start = square - ahead;
    bool there = v->pawn >= 0 && v->double_step && pawn >= 0 && pawn < v->squares && start >= 0 && start < v->squares &&
                 !b->at[square] && !b->at[start] && b->at[pawn] == kz_piece(v->pawn, !b->side) &&
                 v->double_step_region[!b->side] >> start & 1;
    for (int from = 0; there && from < v->squares; from++) {
        int piece = b->at[from];
        int apart = from % v->files - file;
        if (piece && kz_piece_color(piece) == b->side && v->en_passant_types >> kz_piece_type_of(piece) & 1 &&
            (apart == 1 || apart == -1) && from / v->files == pawn / v->files) {
            b->en_passant = (uint8_t)square;
        }
    }
    return KZ_OK;
}

kz_status kz_variant_read_fen(const kz_variant *v, const char *text, size_t length, kz_board *b, kz_error *error) {
    reader r = {text, length, 0};
    *b = (kz_board){.en_passant = KZ_NO_SQUARE};
    KZ_TRY(read_squares(v, &r, b, error));
    KZ_TRY(read_hands(v, &r, b, error));
    if (r.at == r.length) {
        return KZ_OK;
    }
    kz_status status = KZ_OK;
    if (!take(&r, ' ') || (peek(&r) != 'w' && peek(&r) != 'b')) {
        return refuse(&r, error, "a blank and w or b is expected: who is to move");
    }
    b->side = peek(&r) == 'w' ? KZ_WHITE : KZ_BLACK;
    r.at++;
    bool counters = r.at + 1 < r.length && isdigit((unsigned char)r.text[r.at + 1]); /* "w 0 1", without castling */
    if (!counters && take(&r, ' ')) {
        if (!take(&r, '-')) {
            return refuse(&r, error, "'-' is expected: castling is not supported");
        }
        if (take(&r, ' ')) {
            status = read_en_passant(v, &r, b, error);
        }
    }
    for (; status == KZ_OK && r.at < r.length; r.at++) {
        if (!isdigit((unsigned char)peek(&r)) && peek(&r) != ' ') {
            return refuse(&r, error, "a counter of moves is expected");
        }
    }
    if (status == KZ_OK && v->royal >= 0 && kz_variant_in_check(v, b, !b->side)) {
        return kz_fail(error, KZ_ERR_INPUT, "the side that is not to move is in check");
    }
    return status;
}

static char letter_of(const kz_variant *v, int piece) {
    char letter = v->type[kz_piece_type_of(piece)].letter;
    return kz_piece_color(piece) == KZ_WHITE ? (char)toupper((unsigned char)letter) : letter;
}

void kz_variant_write_fen(const kz_variant *v, const kz_board *b, char *text) {
    char *at = text;
    for (int rank = v->ranks - 1; rank >= 0; rank--) {
        int empty = 0;
        for (int file = 0; file <= v->files; file++) {
            int piece = file < v->files ? b->at[rank * v->files + file] : 0;
            if (file < v->files && !piece) {
                empty++;
                continue;
            }
            at += empty ? sprintf(at, "%d", empty) : 0;
            empty = 0;
            if (piece) {
                at += sprintf(at, "%s%c", v->type[kz_piece_type_of(piece)].promoted ? "+" : "", letter_of(v, piece));
            }
        }
        *at++ = rank ? '/' : '\0';
    }
    at--;
    if (v->drops) {
        *at++ = '[';
        for (int color = 0; color < 2; color++) {
            for (int i = 0; i < v->hand_types; i++) {
                for (int n = 0; n < b->hand[color][i]; n++) {
                    *at++ = letter_of(v, kz_piece(v->hand_type[i], color));
                }
            }
        }
        *at++ = ']';
    }
    at += sprintf(at, " %c - ", b->side == KZ_WHITE ? 'w' : 'b');
    if (b->en_passant == KZ_NO_SQUARE) {
        at += sprintf(at, "-");
    } else {
        /* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): every board has files */
        at += sprintf(at, "%c%d", 'a' + b->en_passant % v->files, b->en_passant / v->files + 1);
    }
    sprintf(at, " 0 1");
}

static char *write_square(const kz_variant *v, int square, char *at) {
    return at + sprintf(at, "%c%d", 'a' + square % v->files, square / v->files + 1);
}

void kz_variant_write_move(const kz_variant *v, const kz_board *b, kz_move move, char *text) {
    char *at = text;
    int type = kz_move_type(move);
    if (move & KZ_DROP) {
        at += sprintf(at, "%c@", toupper((unsigned char)v->type[type].letter));
    } else {
        at = write_square(v, kz_move_from(move), at);
    }
    at = write_square(v, kz_move_to(move), at);
    if (move & KZ_PROMOTES) {
        sprintf(at, "%c", v->type[type].promoted ? '+' : v->type[type].letter);
    }
    (void)b;
}
