/* SPDX-License-Identifier: MIT
 *
 * Which instructions the processor has. Code with faster paths asks once, when it is set up. The environment variable
 * KANZEN_CPU (the name of a level) asks for less than there is, so that tests can compare the paths. */
#ifndef KZ_BASE_CPU_H
#define KZ_BASE_CPU_H

/* Each has what those before it have. A machine whose PEXT and PDEP are slow (AMD's before Zen 3 take hundreds of
 * cycles) is no more than KZ_CPU_AVX2. */
typedef enum kz_cpu {
    KZ_CPU_PLAIN,  /* what the compiler may assume: x86-64; on arm64 that is NEON */
    KZ_CPU_SSE42,  /* SSE4.2, POPCNT */
    KZ_CPU_AVX2,   /* AVX2, BMI1, LZCNT */
    KZ_CPU_BMI2,   /* BMI2 with a fast PEXT */
    KZ_CPU_AVX512, /* AVX-512 F, BW, DQ, VL */
    KZ_CPU_VBMI2,  /* AVX-512 VBMI, VBMI2, BITALG, VPOPCNTDQ; GFNI */
    KZ_CPU_LEVELS
} kz_cpu;

kz_cpu kz_cpu_level(void);
/* What the processor has, whatever KANZEN_CPU says. */
kz_cpu kz_cpu_available(void);
/* "plain", "sse42", "avx2", "bmi2", "avx512", "vbmi2". */
const char *kz_cpu_name(kz_cpu level);

#endif
