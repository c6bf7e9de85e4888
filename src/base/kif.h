/* SPDX-License-Identifier: MIT
 *
 * A move in the manner of KIF, the text that shogi programs write: "７六歩(77)", "同　銀(31)", "２二角成(88)",
 * "５五角打". What pieces are called, and what a move means, is known to who asks. */
#ifndef KZ_BASE_KIF_H
#define KZ_BASE_KIF_H

#include "base/text.h"

/* "１", ... and "一", ...: [0] is empty. */
extern const char *const kz_kif_digits[10];
extern const char *const kz_kif_numerals[10];
#define KZ_KIF_SAME "同"

/* Blanks, wide ones included. */
void kz_kif_skip_blanks(kz_span *text);
/* A digit, wide or not, or a Chinese numeral, from 1 to `most`. 0 if there is none. */
int kz_kif_accept_numeral(kz_span *text, int most);

/* Files and ranks count from 1. */
typedef struct kz_kif_square {
    int file;
    int rank;
} kz_kif_square;

/* `board`: the last file and the last rank. */
bool kz_kif_accept_square(kz_span *text, kz_kif_square board, kz_kif_square *square);

typedef struct kz_kif_move {
    bool same; /* it goes to the square of the move before; `to` is not set */
    kz_kif_square to;
    int piece;
    bool drops;
    bool promotes;
    kz_kif_square from; /* if it does not drop */
} kz_kif_move;

typedef enum kz_kif_fault { KZ_KIF_FINE, KZ_KIF_NO_SQUARE, KZ_KIF_NO_PIECE, KZ_KIF_NO_ORIGIN } kz_kif_fault;

/* Steps over the name of a piece and returns what it stands for; below 0 if there is none. */
typedef int kz_kif_accept_piece_fn(const void *user, kz_span *text);

/* Steps over a move, or as much of it as makes sense. */
kz_kif_fault kz_kif_read_move(kz_span *text, kz_kif_square board, kz_kif_accept_piece_fn *accept_piece,
                              const void *user, kz_kif_move *move);

#endif
