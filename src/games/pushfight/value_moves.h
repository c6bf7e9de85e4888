/* SPDX-License-Identifier: MIT
 *
 * One move of a turn, for all own sets of an enemy set at once: each (O, rho) gets the largest of the worths that it
 * and those one move away have. All own pieces but one stay; the last one may stand anywhere in its region of free
 * squares, so all own sets that a region makes get the largest worth of any of them. */
#ifndef KZ_PUSHFIGHT_VALUE_MOVES_H
#define KZ_PUSHFIGHT_VALUE_MOVES_H

#include "games/pushfight/space.h"

/* Bytes for the lanes of (O, rho): one of these two, so that loops over lanes become vector code. */
enum { KZ_PF_NARROW = 16, KZ_PF_WIDE = 32 };

/* Lanes of a (O, rho). */
typedef struct kz_pf_cell {
    uint8_t lane[KZ_PF_WIDE];
} kz_pf_cell;

/* For functions that take the width as an argument: they become two, each for one width, which compilers turn into
 * vector code. */
#define KZ_PF_FOR_A_WIDTH static inline __attribute__((always_inline))

/* Before a function that is compiled for processors with AVX2. Not defined for other kinds of processors. */
#ifdef __x86_64__
#define KZ_PF_AVX2 __attribute__((target("avx2,bmi,lzcnt,popcnt")))
#endif

/* The larger of the worths in each of `width` lanes. */
KZ_PF_FOR_A_WIDTH kz_pf_cell kz_pf_larger(kz_pf_cell cell, const uint8_t *other, int width) {
    for (int i = 0; i < width; i++) {
        cell.lane[i] = cell.lane[i] > other[i] ? cell.lane[i] : other[i];
    }
    return cell;
}

/* Where the pieces may stand, as far as it does not depend on E. */
typedef struct kz_pf_value_moves kz_pf_value_moves;

kz_status kz_pf_value_moves_open(const kz_pf_space *space, kz_pf_value_moves **opened, kz_error *error);
void kz_pf_value_moves_close(kz_pf_value_moves *moves);

/* `from` and `to` are different arrays of [enemy_sets][splits][width] worths; what `to` holds is replaced. */
void kz_pf_value_moves_spread(const kz_pf_value_moves *moves, uint32_t enemy, int width, const uint8_t *from,
                              uint8_t *to);

#endif
