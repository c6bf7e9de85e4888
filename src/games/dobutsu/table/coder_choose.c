/* SPDX-License-Identifier: MIT
 *
 * Which way of listing and of counting a block's steps to take. */
#include "base/cpu.h"
#include "games/dobutsu/table/coder.h"

kz_coder_list *kz_coder_choose(void) {
#ifdef __x86_64__
    if (kz_cpu_level() >= KZ_CPU_AVX512) {
        return kz_coder_list_avx512;
    }
#endif
    return kz_coder_list_plain;
}

kz_coder_counting *kz_coder_choose_counting(void) {
#ifdef __x86_64__
    if (kz_cpu_level() >= KZ_CPU_AVX512) {
        return kz_coder_count_avx512;
    }
#endif
    return kz_coder_count;
}
