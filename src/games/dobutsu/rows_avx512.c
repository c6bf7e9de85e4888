/* SPDX-License-Identifier: MIT
 *
 * The sweeps over rows for processors with AVX-512; the build compiles this file with their instructions. */
#include "games/dobutsu/rows.h"

#ifdef __x86_64__
#define KZ_DOBUTSU_GATHER kz_dobutsu_gather_avx512
#include "games/dobutsu/rows_body.h"
#endif
