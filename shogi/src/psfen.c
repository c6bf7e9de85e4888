/* SPDX-License-Identifier: MIT */
#include "shogi/src/psfen_codes.h"

#include "shogi/src/huffman_table.h"

/* Written by tools/make-huffman-tables: `squares` and `pieces`. */
#include "shogi/src/psfen_decode.inc"

const kz_shogi_huffman kz_shogi_psfen_huffman = HUFFMAN(squares, pieces);
