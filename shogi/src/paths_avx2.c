/* SPDX-License-Identifier: MIT
 *
 * The codes of Huffman and SSPFv1 with AVX2 and BMI1, without PEXT, which some processors with AVX2 are slow at. */
#include "shogi/src/codec.h"

#ifdef __x86_64__

#include "shogi/src/huffman_read.h"
#include "shogi/src/huffman_write.h"

KZ_SHOGI_HUFFMAN_CODEC(psfen, KZ_SHOGI_PSFEN, avx2, pack_many, unpack_many)
KZ_SHOGI_HUFFMAN_CODEC(hcp, KZ_SHOGI_HCP, avx2, pack_many, unpack_many)

#include "shogi/src/sspf_groups.h"
#include "shogi/src/sspf_shuffle.h"

#include "shogi/src/sspf_codec.h"

KZ_SSPF_CODECS(avx2)

#endif
