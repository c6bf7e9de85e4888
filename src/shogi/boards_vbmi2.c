/* SPDX-License-Identifier: MIT
 *
 * The rules by sets of squares, for processors with AVX-512. */
#ifdef __x86_64__
#define RULES kz_shogi_rules_vbmi2
#define PATH "vbmi2"
#include "shogi/boards_body.h"
#else
typedef int kz_shogi_nothing_here;
#endif
