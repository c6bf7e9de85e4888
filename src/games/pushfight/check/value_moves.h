/* SPDX-License-Identifier: MIT
 *
 * One move of a turn, for all own sets of an enemy set at once: each (O, rho) gets the largest of the worths that it
 * and those one move away have. All own pieces but one stay; the last one may stand anywhere in its region of free
 * squares, so all own sets that a region makes get the largest worth of any of them. */
#ifndef KZ_PUSHFIGHT_VALUE_MOVES_H
#define KZ_PUSHFIGHT_VALUE_MOVES_H

#include "games/pushfight/index/space.h"

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

/* The own set that a piece makes with those that stay. */
typedef struct kz_pf_made_set {
    uint16_t own_rank;
    uint8_t place; /* the piece's number in it */
} kz_pf_made_set;

typedef struct kz_pf_value_moves {
    const kz_pf_space *space;
    bool avx2;                  /* the processor has it */
    int room;                   /* squares that E leaves free */
    uint32_t stays;             /* ways to place all own pieces but one there */
    uint32_t *staying;          /* [stays]: packed squares */
    kz_pf_made_set *placements; /* [stays][room]: by the packed square of the piece that moves */
    /* rho, by the number of the piece that moves and a number for which roles the pieces that stay and the piece that
     * moves have. */
    uint8_t rho[KZ_PF_MOST_PIECES][KZ_PF_MOST_SPLITS];
    /* The regions of the enemy set: for each how many squares it has, then a number for each square (KZ_PF_AT_PLACE);
     * 0 is the end. */
    uint32_t *regions;
} kz_pf_value_moves;

/* A square of a region: the own set that the piece makes there, and the piece's number in it. */
enum { KZ_PF_PLACE_BITS = 3 };
#define KZ_PF_AT_PLACE(own_rank, place) ((uint32_t)(own_rank) << KZ_PF_PLACE_BITS | (place))

kz_status kz_pf_value_moves_open(const kz_pf_space *space, kz_pf_value_moves **opened, kz_error *error);
void kz_pf_value_moves_close(kz_pf_value_moves *moves);

/* Lists the regions of an enemy set. */
void kz_pf_value_moves_begin(kz_pf_value_moves *moves, uint32_t enemy);
/* Of that enemy set. `from` and `to` are different arrays of [enemy_sets][splits][width] worths; what `to` holds is
 * replaced. */
void kz_pf_value_moves_spread(const kz_pf_value_moves *moves, int width, const uint8_t *from, uint8_t *to);

#endif
