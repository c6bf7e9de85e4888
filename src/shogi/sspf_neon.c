/* SPDX-License-Identifier: MIT
 *
 * SSPFv1 with the vector instructions of arm64. */
#include "shogi/sspf_groups.h"

#ifdef __aarch64__
#include "shogi/sspf_shuffle.h"

#include "shogi/sspf_codec.h"

KZ_SSPF_CODECS(neon)
#endif
