/* SPDX-License-Identifier: MIT
 *
 * The same as in paths_bmi2.c, for processors with AVX-512 VBMI2; the rules have a file of their own. */
#include "shogi/src/codec.h"

#ifdef __x86_64__

#include "shogi/src/huffman_read.h"
#include "shogi/src/huffman_write.h"

KZ_SHOGI_HUFFMAN_CODEC(psfen, KZ_SHOGI_PSFEN, vbmi2, pack_many, unpack_many)
KZ_SHOGI_HUFFMAN_CODEC(hcp, KZ_SHOGI_HCP, vbmi2, pack_many, unpack_many)

#include "shogi/src/sspf_list_vbmi2.h"

#include "shogi/src/sspfc_pext.h"

const kz_shogi_codec kz_shogi_sspfc_vbmi2 = {KZ_SHOGI_SSPFC, "sspfc",         "vbmi2",          sspfc_pack,
                                             sspfc_unpack,   sspfc_pack_many, sspfc_unpack_many};

#endif
