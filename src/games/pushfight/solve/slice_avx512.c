/* SPDX-License-Identifier: MIT
 *
 * The slice kernels for processors with AVX512; the build compiles this file with their instructions. */
#include "games/pushfight/solve/slice.h"

#ifdef __x86_64__
#define KERNEL(name) kz_pf_avx512_##name
#include "games/pushfight/solve/reach_body.h"
#include "games/pushfight/solve/slice_body.h"
#endif
