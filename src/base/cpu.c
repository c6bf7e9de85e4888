/* SPDX-License-Identifier: MIT */
#include "base/cpu.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"plain", "sse42", "avx2", "bmi2", "avx512", "vbmi2"};

const char *kz_cpu_name(kz_cpu level) { return names[level]; }

kz_cpu kz_cpu_available(void) {
#ifdef __x86_64__
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("sse4.2") || !__builtin_cpu_supports("popcnt")) {
        return KZ_CPU_PLAIN;
    }
    /* Every processor with AVX2 has LZCNT as well. */
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi")) {
        return KZ_CPU_SSE42;
    }
    if (!__builtin_cpu_supports("bmi2") || __builtin_cpu_is("amdfam15h") || __builtin_cpu_is("znver1") ||
        __builtin_cpu_is("znver2")) {
        return KZ_CPU_AVX2;
    }
    if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") ||
        !__builtin_cpu_supports("avx512dq") || !__builtin_cpu_supports("avx512vl")) {
        return KZ_CPU_BMI2;
    }
    if (!__builtin_cpu_supports("avx512vbmi") || !__builtin_cpu_supports("avx512vbmi2") ||
        !__builtin_cpu_supports("avx512bitalg") || !__builtin_cpu_supports("avx512vpopcntdq") ||
        !__builtin_cpu_supports("gfni")) {
        return KZ_CPU_AVX512;
    }
    return KZ_CPU_VBMI2;
#else
    return KZ_CPU_PLAIN;
#endif
}

kz_cpu kz_cpu_level(void) {
    kz_cpu most = kz_cpu_available();
    const char *wanted = getenv("KANZEN_CPU");
    for (kz_cpu level = KZ_CPU_PLAIN; wanted && level < most; level++) {
        if (strcmp(wanted, names[level]) == 0) {
            return level;
        }
    }
    return most;
}
