/* SPDX-License-Identifier: MIT */
#ifdef __x86_64__
#define DISORDERED kz_shogi_disordered_bmi2
#include "shogi/src/huffman_order_body.h"
#else
typedef int kz_shogi_nothing_here;
#endif
