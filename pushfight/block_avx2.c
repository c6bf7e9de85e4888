/* SPDX-License-Identifier: MIT
 *
 * The block kernels for processors with AVX2; the build compiles this file with their instructions. */
#ifdef __x86_64__
#define KERNEL(name) kz_pf_avx2_##name
#include "pushfight/block_body.h"
#include "pushfight/reach_body.h"
#endif
