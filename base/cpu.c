/* SPDX-License-Identifier: MIT */
#include "base/cpu.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"plain", "avx2", "avx512"};

const char *kz_cpu_name(kz_cpu level) { return names[level]; }

static kz_cpu available(void) {
#ifdef __x86_64__
    __builtin_cpu_init();
    /* AMD's processors before Zen 3 have PEXT, but take hundreds of cycles for it. */
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt") &&
        !__builtin_cpu_is("amdfam15h") && !__builtin_cpu_is("znver1") && !__builtin_cpu_is("znver2")) {
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                       __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")
                   ? KZ_CPU_AVX512
                   : KZ_CPU_AVX2;
    }
#endif
    return KZ_CPU_PLAIN;
}

kz_cpu kz_cpu_level(void) {
    kz_cpu most = available();
    const char *wanted = getenv("KANZEN_CPU");
    for (kz_cpu level = KZ_CPU_PLAIN; wanted && level < most; level++) {
        if (strcmp(wanted, names[level]) == 0) {
            return level;
        }
    }
    return most;
}
