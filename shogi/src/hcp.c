/* SPDX-License-Identifier: MIT */
#include "shogi/src/hcp_codes.h"

#include "shogi/src/huffman_table.h"

/* `squares` and `pieces`: the build writes them (shogi/tools/make-huffman-tables). */
#include <hcp_decode.inc>

const kz_shogi_huffman kz_shogi_hcp_huffman = HUFFMAN(squares, pieces);
