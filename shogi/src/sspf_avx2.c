/* SPDX-License-Identifier: MIT
 *
 * SSPFv1 with AVX2 and BMI1, without PEXT, which some processors with AVX2 are slow at. */
#include "shogi/src/sspf_groups.h"

#ifdef __x86_64__
#include "shogi/src/sspf_shuffle.h"

#include "shogi/src/sspf_codec.h"

KZ_SSPF_CODECS(avx2)
#endif
