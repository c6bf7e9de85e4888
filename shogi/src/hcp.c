/* SPDX-License-Identifier: MIT */
#include "shogi/src/hcp_codes.h"

#include "shogi/src/huffman_table.h"

/* Written by tools/make-huffman-tables: `squares` and `pieces`. */
#include "shogi/src/hcp_decode.inc"

const kz_shogi_huffman kz_shogi_hcp_huffman = HUFFMAN(squares, pieces);
