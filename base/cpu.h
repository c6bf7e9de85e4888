/* SPDX-License-Identifier: MIT
 *
 * Which instructions the processor has. Code with faster paths asks once, when it is set up. The environment variable
 * KANZEN_CPU (plain, avx2, avx512) asks for less than there is, so that tests can compare the paths. */
#ifndef KZ_BASE_CPU_H
#define KZ_BASE_CPU_H

typedef enum kz_cpu {
    KZ_CPU_PLAIN,
    KZ_CPU_AVX2,  /* AVX2, BMI2 with a fast PEXT, POPCNT */
    KZ_CPU_AVX512 /* AVX-512 F, BW, DQ, VL as well */
} kz_cpu;

kz_cpu kz_cpu_level(void);
/* "plain", "avx2", "avx512". */
const char *kz_cpu_name(kz_cpu level);

#endif
