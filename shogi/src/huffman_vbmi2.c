/* SPDX-License-Identifier: MIT */
#include "shogi/src/codec.h"

#ifdef __x86_64__

#include "shogi/src/huffman_read.h"
#include "shogi/src/huffman_write.h"

KZ_SHOGI_HUFFMAN_CODEC(psfen, KZ_SHOGI_PSFEN, vbmi2, pack_many, unpack_many)
KZ_SHOGI_HUFFMAN_CODEC(hcp, KZ_SHOGI_HCP, vbmi2, pack_many, unpack_many)

#endif
