/* SPDX-License-Identifier: MIT
 *
 * The codes of HuffmanCodedPos, bit by bit as they come in the stream. p: it is promoted, c: it is white's. */
#define EMPTY_ON_BOARD STRING1(0)
#define PAWN_ON_BOARD(p, c) STRING4(1, 0, c, p)
#define LANCE_ON_BOARD(p, c) STRING6(1, 1, 0, 0, c, p)
#define KNIGHT_ON_BOARD(p, c) STRING6(1, 1, 1, 0, c, p)
#define SILVER_ON_BOARD(p, c) STRING6(1, 1, 0, 1, c, p)
#define GOLD_ON_BOARD(c) STRING6(1, 1, 1, 1, 0, c)
#define BISHOP_ON_BOARD(p, c) STRING8(1, 1, 1, 1, 1, 0, c, p)
#define ROOK_ON_BOARD(p, c) STRING8(1, 1, 1, 1, 1, 1, c, p)

#define PAWN_IN_HAND(c) STRING3(0, 0, c)
#define LANCE_IN_HAND(c) STRING5(1, 0, 0, 0, c)
#define KNIGHT_IN_HAND(c) STRING5(1, 1, 0, 0, c)
#define SILVER_IN_HAND(c) STRING5(1, 0, 1, 0, c)
#define GOLD_IN_HAND(c) STRING5(1, 1, 1, 0, c)
#define BISHOP_IN_HAND(c) STRING7(1, 1, 1, 1, 1, 0, c)
#define ROOK_IN_HAND(c) STRING7(1, 1, 1, 1, 1, 1, c)

#define PAWN_IN_BOX STRING3(0, 1, 0)
#define LANCE_IN_BOX STRING5(1, 0, 0, 1, 0)
#define KNIGHT_IN_BOX STRING5(1, 1, 0, 1, 0)
#define SILVER_IN_BOX STRING5(1, 0, 1, 1, 0)
#define GOLD_IN_BOX STRING5(1, 0, 1, 1, 1)
#define BISHOP_IN_BOX STRING7(1, 1, 1, 1, 0, 0, 0)
#define ROOK_IN_BOX STRING7(1, 1, 1, 1, 0, 1, 0)

#include "shogi/src/huffman_table.h"

#ifndef KZ_MAKING_TABLES
/* `squares` and `pieces`: the build writes them (shogi/tools/make-huffman-tables). */
#include <hcp_decode.inc>

const kz_shogi_huffman kz_shogi_hcp_huffman = HUFFMAN(squares, pieces);
#endif
