/* SPDX-License-Identifier: MIT
 *
 * SSPFv1 with SSE4.2 and POPCNT, or with the vector instructions of arm64. */
#include "shogi/src/sspf_groups.h"

#if defined __x86_64__ || defined __aarch64__
#include "shogi/src/sspf_shuffle.h"

#include "shogi/src/sspf_codec.h"

#ifdef __x86_64__
KZ_SSPF_CODECS(sse42)
#else
KZ_SSPF_CODECS(neon)
#endif
#endif
