/* SPDX-License-Identifier: MIT
 *
 * The views of many places for processors with AVX2; the build compiles this file with their instructions. */
#include "games/pushfight/table/run_views.h"

#ifdef __x86_64__
#define VECTOR_BYTES 32
#define KERNEL kz_run_views_avx2
#include "games/pushfight/table/run_views_body.h"
#endif
