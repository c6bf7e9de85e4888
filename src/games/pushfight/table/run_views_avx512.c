/* SPDX-License-Identifier: MIT
 *
 * The views of many places for processors with AVX-512; the build compiles this file with their instructions.
 * Vectors of 32 bytes are as fast as those of 64 here. */
#include "games/pushfight/table/run_views.h"

#ifdef __x86_64__
#define VECTOR_BYTES 32
#define KERNEL kz_run_views_avx512
#include "games/pushfight/table/run_views_body.h"
#endif
