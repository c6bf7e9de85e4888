/* SPDX-License-Identifier: MIT */
#include "shogi/src/psfen_codes.h"

#include "shogi/src/huffman_table.h"

/* `squares` and `pieces`: the build writes them (shogi/tools/make-huffman-tables). */
#include <psfen_decode.inc>

const kz_shogi_huffman kz_shogi_psfen_huffman = HUFFMAN(squares, pieces);
