/* SPDX-License-Identifier: MIT
 *
 * The slice kernels for processors with AVX-512 VBMI2; the build compiles this file with their instructions. */
#include "games/pushfight/solve/slice.h"

#ifdef __x86_64__
#define KERNEL(name) kz_pf_vbmi2_##name
#include "games/pushfight/solve/slice_body.h"
#endif
