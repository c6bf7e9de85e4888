/* SPDX-License-Identifier: MIT
 *
 * sspfc with AVX-512 VBMI2. */
#include "shogi/src/codec.h"

#ifdef __x86_64__
#include "shogi/src/sspf_list_vbmi2.h"

#include "shogi/src/sspfc_pext.h"

const kz_shogi_codec kz_shogi_sspfc_vbmi2 = {KZ_SHOGI_SSPFC, "sspfc",         "vbmi2",          sspfc_pack,
                                             sspfc_unpack,   sspfc_pack_many, sspfc_unpack_many};
#endif
