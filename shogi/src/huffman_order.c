/* SPDX-License-Identifier: MIT */
#define DISORDERED kz_shogi_disordered_plain
#include "shogi/src/huffman_order_body.h"

#include "base/cpu.h"

kz_shogi_disordered *kz_shogi_disordered_for(void) {
#ifdef __x86_64__
    if (kz_cpu_level() >= KZ_CPU_BMI2) {
        return kz_shogi_disordered_bmi2;
    }
#endif
    return kz_shogi_disordered_plain;
}
