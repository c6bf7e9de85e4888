/* SPDX-License-Identifier: MIT
 *
 * Makes the kz_shogi_huffman of a format out of its codes, which are to be included before. */
#ifndef KZ_SHOGI_HUFFMAN_TABLE_H
#define KZ_SHOGI_HUFFMAN_TABLE_H

#include "shogi/src/huffman.h"

/* A string of bits, the first one lowest, below a 1 that marks its end: so one number says its length as well. */
#define STRING1(a) ((a) | 2)
#define STRING3(a, b, c) ((a) | (b) << 1 | (c) << 2 | 8)
#define STRING4(a, b, c, d) ((a) | (b) << 1 | (c) << 2 | (d) << 3 | 16)
#define STRING5(a, b, c, d, e) ((a) | (b) << 1 | (c) << 2 | (d) << 3 | (e) << 4 | 32)
#define STRING6(a, b, c, d, e, f) ((a) | (b) << 1 | (c) << 2 | (d) << 3 | (e) << 4 | (f) << 5 | 64)
#define STRING7(a, b, c, d, e, f, g) ((a) | (b) << 1 | (c) << 2 | (d) << 3 | (e) << 4 | (f) << 5 | (g) << 6 | 128)
#define STRING8(a, b, c, d, e, f, g, h)                                                                                \
    ((a) | (b) << 1 | (c) << 2 | (d) << 3 | (e) << 4 | (f) << 5 | (g) << 6 | (h) << 7 | 256)

#define LENGTH(string)                                                                                                 \
    ((string) >= 256   ? 8                                                                                             \
     : (string) >= 128 ? 7                                                                                             \
     : (string) >= 64  ? 6                                                                                             \
     : (string) >= 32  ? 5                                                                                             \
     : (string) >= 16  ? 4                                                                                             \
     : (string) >= 8   ? 3                                                                                             \
                       : 1)
#define ONES(string) ((1 << LENGTH(string)) - 1)
#define BITS(string) ((string)&ONES(string))

/* All that stands on squares. */
#define PROMOTABLE(X, code, on_board)                                                                                  \
    X(code, on_board(0, 0))                                                                                            \
    X((code) | KZ_SHOGI_WHITES, on_board(0, 1))                                                                        \
    X((code) | KZ_SHOGI_PROMOTED, on_board(1, 0))                                                                      \
    X((code) | KZ_SHOGI_PROMOTED | KZ_SHOGI_WHITES, on_board(1, 1))
#define ON_BOARD(X)                                                                                                    \
    X(KZ_SHOGI_EMPTY, EMPTY_ON_BOARD)                                                                                  \
    PROMOTABLE(X, KZ_SHOGI_CODE_PAWN, PAWN_ON_BOARD)                                                                   \
    PROMOTABLE(X, KZ_SHOGI_CODE_LANCE, LANCE_ON_BOARD)                                                                 \
    PROMOTABLE(X, KZ_SHOGI_CODE_KNIGHT, KNIGHT_ON_BOARD)                                                               \
    PROMOTABLE(X, KZ_SHOGI_CODE_SILVER, SILVER_ON_BOARD)                                                               \
    X(KZ_SHOGI_CODE_GOLD, GOLD_ON_BOARD(0))                                                                            \
    X(KZ_SHOGI_CODE_GOLD | KZ_SHOGI_WHITES, GOLD_ON_BOARD(1))                                                          \
    PROMOTABLE(X, KZ_SHOGI_CODE_BISHOP, BISHOP_ON_BOARD)                                                               \
    PROMOTABLE(X, KZ_SHOGI_CODE_ROOK, ROOK_ON_BOARD)

/* All that is in hands and in the box, X3 for codes of 3 bits and so on. */
#define OFF_BOARD_KIND(X, kind, in_hand, in_box)                                                                       \
    X(kind, KZ_SHOGI_BLACK, in_hand(0))                                                                                \
    X(kind, KZ_SHOGI_WHITE, in_hand(1))                                                                                \
    X(kind, KZ_SHOGI_BOX, in_box)
#define OFF_BOARD(X3, X5, X7)                                                                                          \
    OFF_BOARD_KIND(X3, KZ_SHOGI_PAWN, PAWN_IN_HAND, PAWN_IN_BOX)                                                       \
    OFF_BOARD_KIND(X5, KZ_SHOGI_LANCE, LANCE_IN_HAND, LANCE_IN_BOX)                                                    \
    OFF_BOARD_KIND(X5, KZ_SHOGI_KNIGHT, KNIGHT_IN_HAND, KNIGHT_IN_BOX)                                                 \
    OFF_BOARD_KIND(X5, KZ_SHOGI_SILVER, SILVER_IN_HAND, SILVER_IN_BOX)                                                 \
    OFF_BOARD_KIND(X5, KZ_SHOGI_GOLD, GOLD_IN_HAND, GOLD_IN_BOX)                                                       \
    OFF_BOARD_KIND(X7, KZ_SHOGI_BISHOP, BISHOP_IN_HAND, BISHOP_IN_BOX)                                                 \
    OFF_BOARD_KIND(X7, KZ_SHOGI_ROOK, ROOK_IN_HAND, ROOK_IN_BOX)

#define BITS_OF(code, string) [code] = BITS(string),
#define LENGTH_OF(code, string) [code] = LENGTH(string),
#define ONES_OF(code, string) [code] = ONES(string),

/* n times a string of a given length: the string times a number with n ones at that distance. */
#define RUN(string, length, n) (BITS(string) * (((UINT64_C(1) << (length) * (n)) - 1) / ((1 << (length)) - 1)))
#define RUN_OF_18(kind, owner, string) [owner][kind] = RUN(string, 3, 18),
#define RUN_OF_4(kind, owner, string) [owner][kind] = RUN(string, 5, 4),
#define RUN_OF_2(kind, owner, string) [owner][kind] = RUN(string, 7, 2),

/* The places of a table that begin with a string: all that may follow it. */
#define FOLLOWED_BY_1(string, meaning) [BITS(string)] = (meaning),
#define FOLLOWED_BY_2(string, length, high, meaning)                                                                   \
    [BITS(string) | (high) << (length)] = (meaning), [BITS(string) | ((high) + 1) << (length)] = (meaning),
#define FOLLOWED_BY_4(string, length, high, meaning)                                                                   \
    FOLLOWED_BY_2(string, length, high, meaning) FOLLOWED_BY_2(string, length, (high) + 2, meaning)
#define FOLLOWED_BY_16(string, length, meaning)                                                                        \
    FOLLOWED_BY_4(string, length, 0, meaning)                                                                          \
    FOLLOWED_BY_4(string, length, 4, meaning)                                                                          \
    FOLLOWED_BY_4(string, length, 8, meaning)                                                                          \
    FOLLOWED_BY_4(string, length, 12, meaning)

#define PIECE_3(kind, owner, string) FOLLOWED_BY_16(string, 3, (kind) + 8 * (owner) + 128)
#define PIECE_5(kind, owner, string) FOLLOWED_BY_4(string, 5, 0, (kind) + 8 * (owner) + 128)
#define PIECE_7(kind, owner, string) FOLLOWED_BY_1(string, (kind) + 8 * (owner) + 128)

#define HUFFMAN(squares_table, pieces_table)                                                                           \
    {                                                                                                                  \
        .bits = {ON_BOARD(BITS_OF)}, .length = {ON_BOARD(LENGTH_OF)}, .ones = {ON_BOARD(ONES_OF)},                     \
        .run = {OFF_BOARD(RUN_OF_18, RUN_OF_4, RUN_OF_2)}, .first_piece = {OFF_BOARD(PIECE_3, PIECE_5, PIECE_7)},      \
        .squares = (squares_table), .pieces = (pieces_table),                                                          \
    }

#endif
