/* SPDX-License-Identifier: MIT
 *
 * The sweeps over strips for processors with AVX-512; the build compiles this file with their instructions. */
#include "games/dobutsu/strips.h"

#ifdef __x86_64__
#define KZ_DOBUTSU_GATHER_PIECES kz_dobutsu_gather_pieces_avx512
#define KZ_DOBUTSU_GATHER_CHICKS kz_dobutsu_gather_chicks_avx512
#include "games/dobutsu/strips_body.h"
#endif
