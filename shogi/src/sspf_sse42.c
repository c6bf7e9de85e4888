/* SPDX-License-Identifier: MIT
 *
 * SSPFv1 with SSE4.2 and POPCNT. */
#include "shogi/src/sspf_groups.h"

#ifdef __x86_64__
#include "shogi/src/sspf_shuffle.h"

#include "shogi/src/sspf_codec.h"

KZ_SSPF_CODECS(sse42)
#endif
