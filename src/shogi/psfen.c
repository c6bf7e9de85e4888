/* SPDX-License-Identifier: MIT */
#include "shogi/psfen_codes.h"

#include "shogi/huffman_table.h"

/* Written by tools/make-huffman-tables: `squares` and `pieces`. */
#include "shogi/psfen_decode.inc"

const kz_shogi_huffman kz_shogi_psfen_huffman = HUFFMAN(squares, pieces);
