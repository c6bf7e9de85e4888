/* SPDX-License-Identifier: MIT
 *
 * Moves: the components of free squares, and dilations over them (see games/pushfight/solve/slice.h).
 *
 * One block of threads dilates one word of all own sets in its multiprocessor's memory, in place. First every rest gets
 * the OR over its largest component, then every own set takes what the rests have that it belongs to. The other
 * components are small: their words wait in the threads that made them and are scattered after that. */
#include "games/pushfight/cuda/device.cuh"

namespace kz_cuda {

/* ---- Components -------------------------------------------------------------------------------------------------- */

enum { MOVES_THREADS = 512 };

/* Calls `extra` for each component of two squares or more but the largest, which it returns. */
template <class Extra> __device__ inline uint32_t split_components(uint32_t free, Extra extra) {
    uint32_t largest = 0;
    int most = 1;
    for (uint32_t left = free; left;) {
        uint32_t grown = left & -left;
        uint32_t filled;
        do {
            filled = grown;
            grown |= kz_pf_neighbours(grown) & left;
        } while (grown != filled);
        left &= ~filled;
        int size = __popc(filled);
        if (size > most) {
            uint32_t smaller = largest;
            most = size;
            largest = filled;
            filled = smaller;
        }
        if (filled && (filled & (filled - 1))) {
            extra(filled);
        }
    }
    return largest;
}

__global__ void __launch_bounds__(MOVES_THREADS)
    count_extras_kernel(const __grid_constant__ Rules rules, uint32_t *extras) {
    __shared__ Near near;
    __shared__ uint32_t sum;
    uint32_t enemy = rules.own_squares[blockIdx.x];
    sum = 0;
    fill(near, rules, enemy);
    uint32_t count = 0;
    for (uint32_t i = threadIdx.x; i < rules.rests; i += blockDim.x) {
        uint32_t free = rules.squares & ~enemy & ~unpacked(near, rules.rest[i].squares);
        split_components(free, [&](uint32_t) { count++; });
    }
    atomicAdd(&sum, count);
    __syncthreads();
    if (threadIdx.x == 0) {
        extras[blockIdx.x] = sum;
    }
}

__global__ void __launch_bounds__(MOVES_THREADS) find_moves_kernel(const __grid_constant__ Rules rules, Moves moves) {
    enum { MEMBER_WORDS = (KZ_PF_MOST_ENEMY_SETS + 3) / 4 };
    __shared__ Near near;
    __shared__ uint32_t member[MEMBER_WORDS];
    __shared__ uint32_t count;
    uint64_t slice = blockIdx.x;
    uint32_t enemy = rules.own_squares[slice];
    uint32_t open = rules.squares & ~enemy;
    count = 0;
    for (unsigned i = threadIdx.x; i < MEMBER_WORDS; i += blockDim.x) {
        member[i] = 0;
    }
    fill(near, rules, enemy);
    uint32_t *extras = moves.extras + moves.first_extra[slice];
    for (uint32_t i = threadIdx.x; i < rules.rests; i += blockDim.x) {
        Rest rest = rules.rest[i];
        uint32_t free = open & ~unpacked(near, rest.squares);
        uint32_t largest = split_components(free, [&](uint32_t filled) {
            uint32_t places = 0;
            for (; filled; filled &= filled - 1) {
                places |= UINT32_C(1) << __popc(free & ((filled & -filled) - 1));
            }
            extras[atomicAdd(&count, 1)] = i << PLACE_BITS | places;
        });
        uint32_t in_order = 0;
        for (; largest; largest &= largest - 1) {
            int place = __popc(open & ((largest & -largest) - 1));
            int before = __popc(rest.squares & ((UINT32_C(1) << place) - 1));
            uint32_t rank = rest.base[before] + near.binomials[before][place];
            atomicOr(&member[rank / 4], UINT32_C(1) << (8 * (rank % 4) + before));
            in_order |= UINT32_C(1) << place;
        }
        moves.largest[slice * rules.rests + i] = in_order;
    }
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < rules.sets; i += blockDim.x) {
        moves.member[slice * rules.sets + i] = (uint8_t)(member[i / 4] >> 8 * (i % 4));
    }
}

cudaError_t count_extras(const Rules &rules, uint32_t *extras, cudaStream_t stream) {
    count_extras_kernel<<<rules.own_sets, MOVES_THREADS, 0, stream>>>(rules, extras);
    return cudaGetLastError();
}

cudaError_t find_moves(const Rules &rules, const Moves &moves, cudaStream_t stream) {
    find_moves_kernel<<<rules.own_sets, MOVES_THREADS, 0, stream>>>(rules, moves);
    return cudaGetLastError();
}

/* ---- Roles ---------------------------------------------------------------------------------------------------------
 *
 * When two pieces change places in the order, each rho becomes another: groups of bits change places in the word.
 * Boards with fewer pieces count as if they had five, the last of them pushers. */

template <int MOVERS> KZ_DEVICE constexpr int number_of_subset(int pattern) {
    int number = 0;
    for (int smaller = 0; smaller < pattern; smaller++) {
        int bits = 0;
        for (int i = 0; i < KZ_PF_MOST_PIECES; i++) {
            bits += smaller >> i & 1;
        }
        number += bits == MOVERS;
    }
    return number;
}

/* The groups that change places with one `distance` above when pieces `low` and low + 1 do. */
template <int MOVERS> KZ_DEVICE constexpr uint64_t exchanged(int low, int distance) {
    uint64_t mask = 0;
    for (int pattern = 0; pattern < KZ_PF_SUBSETS; pattern++) {
        int bits = 0;
        for (int i = 0; i < KZ_PF_MOST_PIECES; i++) {
            bits += pattern >> i & 1;
        }
        if (bits == MOVERS && (pattern >> low & 3) == 1) {
            int number = number_of_subset<MOVERS>(pattern);
            int other = number_of_subset<MOVERS>(pattern ^ 3 << low);
            if (other - number == distance) {
                mask |= UINT64_C(63) << number * STRIDE;
            }
        }
    }
    return mask;
}

template <int MOVERS, int LOW, int DISTANCE> __device__ inline uint64_t exchange_at(uint64_t word) {
    constexpr uint64_t mask = exchanged<MOVERS>(LOW, DISTANCE);
    if constexpr (mask != 0) {
        constexpr int shift = DISTANCE * STRIDE;
        uint64_t differ = (word ^ word >> shift) & mask;
        word ^= differ ^ differ << shift;
    }
    return word;
}

/* The word when pieces LOW and LOW + 1 change places. No two numbers are more than three apart that do. */
template <int MOVERS, int LOW> __device__ inline uint64_t exchange(uint64_t word) {
    static_assert(exchanged<MOVERS>(LOW, 4) == 0 && exchanged<MOVERS>(LOW, 5) == 0 && exchanged<MOVERS>(LOW, 6) == 0,
                  "roles are further apart");
    word = exchange_at<MOVERS, LOW, 1>(word);
    word = exchange_at<MOVERS, LOW, 2>(word);
    return exchange_at<MOVERS, LOW, 3>(word);
}

/* ---- Dilation ---------------------------------------------------------------------------------------------------- */

struct Work {
    uint64_t *elements;
    uint64_t *rests;
    uint32_t (*binomials)[RANK_ROW];
};

/* The squares before the first, second, ... of the others. */
struct Gaps {
    uint32_t below[KZ_PF_MOST_PIECES - 1];
};

__device__ inline Gaps find_gaps(uint32_t others) {
    Gaps gaps;
#pragma unroll
    for (int i = 0; i < KZ_PF_MOST_PIECES - 1; i++) {
        gaps.below[i] = (others & -others) - 1; /* everything if there is none */
        others &= others - 1;
    }
    return gaps;
}

__device__ inline uint32_t gap(const Gaps &gaps, uint32_t squares, int j) {
    uint32_t low = j > 0 ? gaps.below[j > 0 ? j - 1 : 0] : 0;
    uint32_t high = j < KZ_PF_MOST_PIECES - 1 ? gaps.below[j < KZ_PF_MOST_PIECES - 1 ? j : 0] : UINT32_MAX;
    return squares & high & ~low;
}

/* The OR of the elements with the last piece on one of `squares`, which are in gap J. */
template <int J> __device__ inline uint64_t any_of(const Work &work, uint32_t squares, const Rest &rest) {
    uint64_t any = 0;
    const uint64_t *elements = work.elements + rest.base[J];
    /* Two at a time, the same one twice at the end: half the turns of the loop, and loads that do not wait. */
    while (squares) {
        int first = __ffs((int)squares) - 1;
        squares &= squares - 1;
        int second = squares ? __ffs((int)squares) - 1 : first;
        squares &= squares - 1;
        any |= elements[work.binomials[J][first]] | elements[work.binomials[J][second]];
    }
    return any;
}

/* The OR over a component, with the roles as they are when the last piece is the third. */
template <int MOVERS> __device__ inline uint64_t gathered(const Work &work, uint32_t squares, const Rest &rest) {
    Gaps gaps = find_gaps(rest.squares);
    uint64_t low = any_of<0>(work, gap(gaps, squares, 0), rest);
    low = exchange<MOVERS, 0>(low) | any_of<1>(work, gap(gaps, squares, 1), rest);
    low = exchange<MOVERS, 1>(low) | any_of<2>(work, gap(gaps, squares, 2), rest);
    uint64_t high = any_of<4>(work, gap(gaps, squares, 4), rest);
    high = exchange<MOVERS, 3>(high) | any_of<3>(work, gap(gaps, squares, 3), rest);
    return low | exchange<MOVERS, 2>(high);
}

template <int J> __device__ inline void give(const Work &work, uint32_t squares, const Rest &rest, uint64_t share) {
    uint64_t *elements = work.elements + rest.base[J];
    while (squares) {
        auto *halves = (uint32_t *)&elements[work.binomials[J][__ffs((int)squares) - 1]];
        atomicOr(halves, (uint32_t)share);
        atomicOr(halves + 1, (uint32_t)(share >> 32));
        squares &= squares - 1;
    }
}

/* Back from the form of `gathered` to all elements of a component. */
template <int MOVERS>
__device__ inline void scatter(const Work &work, uint32_t squares, const Rest &rest, uint64_t word) {
    Gaps gaps = find_gaps(rest.squares);
    give<2>(work, gap(gaps, squares, 2), rest, word);
    uint64_t share = exchange<MOVERS, 1>(word);
    give<1>(work, gap(gaps, squares, 1), rest, share);
    give<0>(work, gap(gaps, squares, 0), rest, exchange<MOVERS, 0>(share));
    share = exchange<MOVERS, 2>(word);
    give<3>(work, gap(gaps, squares, 3), rest, share);
    give<4>(work, gap(gaps, squares, 4), rest, exchange<MOVERS, 3>(share));
}

/* The squares of an extra component: its places, with room made for the others. */
__device__ inline uint32_t extra_squares(uint32_t extra, uint32_t others) {
    uint32_t squares = extra & ((UINT32_C(1) << PLACE_BITS) - 1);
    for (; others; others &= others - 1) {
        uint32_t below = (others & -others) - 1;
        squares = (squares & below) | (squares & ~below) << 1;
    }
    return squares;
}

__device__ inline Rest load_rest(const Rules &rules, uint32_t number) {
    static_assert(sizeof(Rest) == sizeof(uint4), "one load");
    uint4 bytes = __ldg((const uint4 *)rules.rest + number);
    Rest rest;
    memcpy(&rest, &bytes, sizeof rest);
    return rest;
}

template <int MOVERS>
__device__ inline void dilate_once(const Rules &rules, const Work &work, const uint32_t *largest, const uint8_t *member,
                                   const uint32_t *extras, uint32_t extra_count) {
    uint64_t waiting[MOST_EXTRAS];
    for (uint32_t i = threadIdx.x; i < rules.rests; i += DILATE_THREADS) {
        work.rests[i] = gathered<MOVERS>(work, largest[i], load_rest(rules, i));
    }
    int kept = 0;
    for (uint32_t i = threadIdx.x; i < extra_count; i += DILATE_THREADS) {
        Rest rest = load_rest(rules, extras[i] >> PLACE_BITS);
        waiting[kept++] = gathered<MOVERS>(work, extra_squares(extras[i], rest.squares), rest);
    }
    __syncthreads();
    for (uint32_t o = threadIdx.x; o < rules.sets; o += DILATE_THREADS) {
        unsigned in = member[o];
        uint64_t word[KZ_PF_MOST_PIECES];
#pragma unroll
        for (int j = 0; j < KZ_PF_MOST_PIECES; j++) {
            uint64_t of_rest = work.rests[__ldg(&rules.rest_of[j * rules.sets + o])];
            word[j] = in >> j & 1 ? of_rest : 0;
        }
        uint64_t low = exchange<MOVERS, 0>(exchange<MOVERS, 1>(word[0])) | exchange<MOVERS, 1>(word[1]);
        uint64_t high = exchange<MOVERS, 3>(exchange<MOVERS, 2>(word[4])) | exchange<MOVERS, 2>(word[3]);
        work.elements[o] |= low | word[2] | high;
    }
    __syncthreads();
    kept = 0;
    for (uint32_t i = threadIdx.x; i < extra_count; i += DILATE_THREADS) {
        uint64_t word = waiting[kept++];
        if (word) {
            Rest rest = load_rest(rules, extras[i] >> PLACE_BITS);
            scatter<MOVERS>(work, extra_squares(extras[i], rest.squares), rest, word);
        }
    }
    __syncthreads();
}

/* Which of the words are in the multiprocessor's memory depends on how much it has. */
template <int MOVERS, bool NEAR_ELEMENTS, bool NEAR_RESTS>
__global__ void __launch_bounds__(DILATE_THREADS, 1)
    dilate_kernel(const __grid_constant__ Rules rules, const __grid_constant__ Moves moves, Batch batch, int words,
                  const uint32_t *need, uint32_t *decided, uint64_t *values, uint64_t *spare) {
    extern __shared__ uint64_t memory[];
    __shared__ uint32_t binomials[KZ_PF_MOST_PIECES][RANK_ROW];
    uint64_t slice = batch.slices[blockIdx.x / words];
    int alpha = (int)(blockIdx.x % words);
    if (need) {
        if (!(need[slice] >> alpha & 1)) {
            return;
        }
        if (threadIdx.x == 0) {
            decided[slice * KZ_PF_MOST_PIECES + alpha] = 0;
        }
    }
    uint64_t *mine = values + (uint64_t)blockIdx.x * rules.sets;
    Work work;
    work.elements = NEAR_ELEMENTS ? memory : mine;
    work.rests = NEAR_RESTS ? memory + (NEAR_ELEMENTS ? rules.sets : 0) : spare + (uint64_t)blockIdx.x * rules.rests;
    work.binomials = binomials;
    for (unsigned i = threadIdx.x; i < KZ_PF_MOST_PIECES * RANK_ROW; i += DILATE_THREADS) {
        (&binomials[0][0])[i] = rules.binomials[i];
    }
    if (NEAR_ELEMENTS) {
        for (uint32_t o = threadIdx.x; o < rules.sets; o += DILATE_THREADS) {
            memory[o] = mine[o];
        }
    }
    __syncthreads();
    const uint32_t *largest = moves.largest + slice * rules.rests;
    const uint8_t *member = moves.member + slice * rules.sets;
    uint64_t first = moves.first_extra[slice];
    uint32_t extra_count = (uint32_t)(moves.first_extra[slice + 1] - first);
    for (int i = 0; i < 2; i++) {
        dilate_once<MOVERS>(rules, work, largest, member, moves.extras + first, extra_count);
    }
    if (NEAR_ELEMENTS) {
        for (uint32_t o = threadIdx.x; o < rules.sets; o += DILATE_THREADS) {
            mine[o] = memory[o];
        }
    }
}

typedef void DilateKernel(Rules, Moves, Batch, int, const uint32_t *, uint32_t *, uint64_t *, uint64_t *);

struct Shape {
    DilateKernel *kernel;
    size_t bytes;
    bool near_rests;
};

template <int MOVERS> static Shape shape_for(const Rules &rules, size_t room) {
    size_t elements = rules.sets * sizeof(uint64_t);
    size_t rests = rules.rests * sizeof(uint64_t);
    if (elements + rests <= room) {
        return {dilate_kernel<MOVERS, true, true>, elements + rests, true};
    }
    if (elements <= room) {
        return {dilate_kernel<MOVERS, true, false>, elements, false};
    }
    if (rests <= room) {
        return {dilate_kernel<MOVERS, false, true>, rests, true};
    }
    return {dilate_kernel<MOVERS, false, false>, 0, false};
}

static cudaError_t find_shape(const Rules &rules, Shape *shape) {
    int device = 0;
    int most = 0;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess) {
        error = cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    }
    size_t room = (size_t)most - sizeof(uint32_t) * KZ_PF_MOST_PIECES * RANK_ROW;
    switch (rules.movers) {
    case 1:
        *shape = shape_for<1>(rules, room);
        break;
    case 2:
        *shape = shape_for<2>(rules, room);
        break;
    case 3:
        *shape = shape_for<3>(rules, room);
        break;
    default:
        error = cudaErrorNotSupported; /* no board has so many */
        break;
    }
    return error;
}

cudaError_t set_up_dilation(const Rules &rules, bool *needs_spare) {
    Shape shape;
    CUDA_TRY(find_shape(rules, &shape));
    *needs_spare = !shape.near_rests;
    return cudaFuncSetAttribute((const void *)shape.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                (int)shape.bytes);
}

cudaError_t dilate(const Rules &rules, const Moves &moves, const Batch &batch, int words, const uint32_t *need,
                   uint32_t *decided, uint64_t *values, uint64_t *spare, cudaStream_t stream) {
    Shape shape;
    CUDA_TRY(find_shape(rules, &shape));
    shape.kernel<<<batch.count *(unsigned)words, DILATE_THREADS, shape.bytes, stream>>>(
        rules, moves, batch, words, need, decided, values, spare);
    return cudaGetLastError();
}

} // namespace kz_cuda
