/* SPDX-License-Identifier: MIT
 *
 * What is written once for several kinds of processors, for those with AVX2 and BMI2: the codes of Huffman, their
 * order, sspfc, and the rules by sets of squares. */
#include "shogi/src/codec.h"

#ifdef __x86_64__

#include "shogi/src/huffman_read.h"
#include "shogi/src/huffman_write.h"

KZ_SHOGI_HUFFMAN_CODEC(psfen, KZ_SHOGI_PSFEN, bmi2, pack_many, unpack_many)
KZ_SHOGI_HUFFMAN_CODEC(hcp, KZ_SHOGI_HCP, bmi2, pack_many, unpack_many)

#include "shogi/src/sspf_list_bmi2.h"

#include "shogi/src/sspfc_pext.h"

const kz_shogi_codec kz_shogi_sspfc_bmi2 = {KZ_SHOGI_SSPFC, "sspfc",         "bmi2",           sspfc_pack,
                                            sspfc_unpack,   sspfc_pack_many, sspfc_unpack_many};

#define DISORDERED kz_shogi_disordered_bmi2
#include "shogi/src/huffman_order_body.h"

#define RULES kz_shogi_rules_bmi2
#define PATH "bmi2"
#include "shogi/src/boards_body.h"

#endif
