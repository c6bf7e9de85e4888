/* SPDX-License-Identifier: MIT
 *
 * What the kernels have in common: ranks, sets of squares, pushes. The same as in games/pushfight/solve/slice_turns.h, in the way
 * that suits a processor without instructions for packing bits. */
#ifndef KZ_CUDA_DEVICE_CUH
#define KZ_CUDA_DEVICE_CUH

#include "games/pushfight/cuda/kernels.cuh"

namespace kz_cuda {

/* Tables that every kernel keeps near. */
struct Near {
    uint32_t binomials[KZ_PF_MOST_PIECES][RANK_ROW];
    uint32_t ray[KZ_PF_DIRECTIONS][KZ_PF_GRID];
    uint64_t allowed[2][KZ_PF_SUBSETS];
    uint32_t open_squares[RANK_ROW]; /* that the enemy leaves free, as single bits */
    uint16_t sigmas[KZ_PF_SUBSETS];
    uint8_t rotated_sigmas[64];
};

/* Filled by all threads of a block; ends with a barrier. */
__device__ inline void fill(Near &near, const Rules &rules, uint32_t enemy) {
    for (unsigned i = threadIdx.x; i < KZ_PF_MOST_PIECES * RANK_ROW; i += blockDim.x) {
        (&near.binomials[0][0])[i] = rules.binomials[i];
    }
    for (unsigned i = threadIdx.x; i < KZ_PF_DIRECTIONS * KZ_PF_GRID; i += blockDim.x) {
        (&near.ray[0][0])[i] = rules.ray[i];
    }
    for (unsigned i = threadIdx.x; i < 2 * KZ_PF_SUBSETS; i += blockDim.x) {
        (&near.allowed[0][0])[i] = rules.allowed[i];
        near.rotated_sigmas[i] = rules.rotated_sigmas[i];
    }
    if (threadIdx.x < KZ_PF_SUBSETS) {
        near.sigmas[threadIdx.x] = rules.sigmas[threadIdx.x];
        uint32_t square = UINT32_C(1) << threadIdx.x;
        uint32_t open = rules.squares & ~enemy;
        if (open & square) {
            near.open_squares[__popc(open & (square - 1))] = square;
        }
    }
    __syncthreads();
}

__device__ inline uint32_t unpacked(const Near &near, uint32_t packed) {
    uint32_t squares = 0;
    for (; packed; packed &= packed - 1) {
        squares |= near.open_squares[__ffs((int)packed) - 1];
    }
    return squares;
}

/* Packs those of the pieces `set` that are in `chosen`. */
__device__ inline uint32_t packed(uint32_t chosen, uint32_t set) {
    uint32_t result = 0;
    for (uint32_t bit = 1; set; set &= set - 1, bit <<= 1) {
        result |= chosen & set & -set ? bit : 0;
    }
    return result;
}

/* The rank of a set among the sets of the squares `among`, or that of its rotation among the rotated squares. */
__device__ inline uint32_t rank_of(const Near &near, uint32_t set, uint32_t among, bool rotated, int pieces, int width) {
    uint32_t rank = 0;
#pragma unroll
    for (int i = 0; i < KZ_PF_MOST_PIECES; i++) {
        if (set) {
            int place = __popc(among & ((set & -set) - 1));
            rank += rotated ? near.binomials[pieces - 1 - i][width - 1 - place] : near.binomials[i][place];
            set &= set - 1;
        }
    }
    return rank;
}

__device__ inline uint32_t anchorable(const Rules &rules, uint32_t taken) {
    return ((kz_pf_step(taken, KZ_PF_LEFT) ^ kz_pf_step(taken, KZ_PF_RIGHT)) & rules.across) |
           ((kz_pf_step(taken, KZ_PF_UP) ^ kz_pf_step(taken, KZ_PF_DOWN)) & rules.along);
}

/* kz_pf_step for pieces that stay on the board. */
__device__ inline uint32_t shifted(uint32_t squares, unsigned direction) {
    unsigned by = direction < 2 ? 1 : KZ_PF_COLUMNS;
    return direction & 1 ? squares << by : squares >> by;
}

/* The own pieces that have a piece beside them in a direction. */
__device__ inline uint32_t against(uint32_t own, uint32_t taken, unsigned direction) {
    return own & kz_pf_step(taken, (kz_pf_direction)(direction ^ 1));
}

/* Squares of a ray that are nearer than any of `empty`, which is some of it. */
__device__ inline uint32_t nearer_than(uint32_t empty, unsigned direction) {
    return direction & 1 ? (empty & -empty) - 1 : ~(UINT32_MAX >> __clz((int)empty));
}

/* Where an element of a slice belongs. */
struct Place {
    uint64_t pair;
    uint64_t group;
    uint64_t allowed;
    bool rotated;
};

__device__ inline Place find_place(const Near &near, const Rules &rules, uint32_t own, uint32_t enemy) {
    uint32_t kept = rules.kept[rank_of(near, own, rules.squares, false, rules.pieces, 0)];
    bool rotated = kept & 1;
    uint32_t rank = rank_of(near, enemy, rules.squares & ~own, rotated, rules.pieces, rules.width);
    Place place;
    place.rotated = rotated;
    place.allowed = near.allowed[rotated][packed(anchorable(rules, own | enemy), enemy)];
    place.pair = (uint64_t)(kept >> 1) * rules.sets + rank;
    place.group = (uint64_t)(kept >> 1) * rules.groups + rank / KZ_PF_BASE_PAIRS;
    return place;
}

} // namespace kz_cuda

#endif
