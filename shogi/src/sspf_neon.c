/* SPDX-License-Identifier: MIT
 *
 * SSPFv1 with the vector instructions of arm64. */
#include "shogi/src/sspf_groups.h"

#ifdef __aarch64__
#include "shogi/src/sspf_shuffle.h"

#include "shogi/src/sspf_codec.h"

KZ_SSPF_CODECS(neon)
#endif
