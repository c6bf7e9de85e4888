/* SPDX-License-Identifier: MIT
 *
 * The rules by sets of squares, for processors with AVX2 and BMI2. */
#ifdef __x86_64__
#define RULES kz_shogi_rules_bmi2
#define PATH "bmi2"
#include "shogi/src/boards_body.h"
#else
typedef int kz_shogi_nothing_here;
#endif
