/* SPDX-License-Identifier: MIT
 *
 * The views of many places for any processor, and which kernel to take. */
#define VECTOR_BYTES 16
#define KERNEL kz_run_views_plain
#include "games/pushfight/table/run_views_body.h"

#include "base/cpu.h"

kz_run_look_many *kz_run_views_choose(void) {
#ifdef __x86_64__
    kz_cpu level = kz_cpu_level();
    if (level >= KZ_CPU_AVX2) {
        return level >= KZ_CPU_AVX512 ? kz_run_views_avx512 : kz_run_views_avx2;
    }
#endif
    return kz_run_views_plain;
}
