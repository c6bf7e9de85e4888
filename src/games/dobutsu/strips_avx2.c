/* SPDX-License-Identifier: MIT
 *
 * The sweeps over strips for processors with AVX2; the build compiles this file with their instructions. */
#include "games/dobutsu/strips.h"

#ifdef __x86_64__
#define KZ_DOBUTSU_GATHER_PIECES kz_dobutsu_gather_pieces_avx2
#define KZ_DOBUTSU_GATHER_CHICKS kz_dobutsu_gather_chicks_avx2
#include "games/dobutsu/strips_body.h"
#endif
