/* SPDX-License-Identifier: MIT
 *
 * What the words of the slices mean for the state: pairs and runs in phase 0, marks in later ones; and fetching the
 * marks. */
#include "games/pushfight/cuda/device.cuh"

namespace kz_cuda {

enum { RESULT_THREADS = 256, SETS_A_BLOCK = 2048, PAGE_THREADS = 1024, WARP = 32 };

static dim3 result_grid(const Rules &rules, const Batch &batch) {
    return dim3((rules.sets + SETS_A_BLOCK - 1) / SETS_A_BLOCK, batch.count);
}

__device__ inline void add(unsigned long long *sum, unsigned part) {
    part = __reduce_add_sync(UINT32_MAX, part);
    if (part && threadIdx.x % WARP == 0) {
        atomicAdd(sum, part);
    }
}

/* ---- Phase 0 ----------------------------------------------------------------------------------------------------- */

/* The bits alpha * splits + rho of a pair from a word that has alpha in sigma's place. */
__device__ inline uint64_t pair_bits(const Rules &rules, uint64_t word, bool rotated) {
    uint64_t bits = 0;
    for (int rho = 0; rho < rules.splits; rho++) {
        int to = rotated ? rules.split_reversed[rho] : rho;
        for (int alpha = 0; alpha < rules.pieces; alpha++) {
            int place = (rotated ? rules.pieces - 1 - alpha : alpha) * rules.splits + to;
            bits |= (word >> (rho * STRIDE + alpha) & 1) << place;
        }
    }
    return bits;
}

__global__ void __launch_bounds__(RESULT_THREADS)
    place_start_kernel(const __grid_constant__ Rules rules, Batch batch, const uint64_t *values, State state,
                       StartCounts *counts, uint64_t *stuck, uint64_t room) {
    __shared__ Near near;
    uint32_t enemy = rules.own_squares[batch.slices[blockIdx.y]];
    fill(near, rules, enemy);
    const uint64_t *off = values + (uint64_t)blockIdx.y * 2 * rules.sets;
    const uint64_t *legal = off + rules.sets;
    uint64_t all = near.allowed[0][(1U << rules.pieces) - 1];
    unsigned wins_sum = 0, stuck_sum = 0, anchored = 0, anchored_wins = 0, anchored_stuck = 0;
    uint32_t end = min(rules.sets, (blockIdx.x + 1) * SETS_A_BLOCK);
    for (uint32_t o = blockIdx.x * SETS_A_BLOCK + threadIdx.x; o < end; o += blockDim.x) {
        Place place = find_place(near, rules, unpacked(near, rules.patterns[o]), enemy);
        uint64_t wins = pair_bits(rules, off[o], place.rotated);
        uint64_t immobile = all & ~pair_bits(rules, legal[o], place.rotated);
        wins_sum += (unsigned)__popcll(wins);
        stuck_sum += (unsigned)__popcll(immobile);
        anchored += (unsigned)__popcll(place.allowed);
        anchored_wins += (unsigned)__popcll(wins & place.allowed);
        anchored_stuck += (unsigned)__popcll(immobile & place.allowed);
        state.pairs[place.pair] = wins;
        for (uint64_t rest = immobile & place.allowed; rest; rest &= rest - 1) {
            unsigned long long number = atomicAdd(&counts->listed, 1ULL);
            if (number < room) {
                stuck[number] = place.pair << 6 | (unsigned)(__ffsll((long long)rest) - 1);
            }
        }
    }
    __syncwarp();
    add(&counts->wins, wins_sum);
    add(&counts->stuck, stuck_sum);
    add(&counts->anchored, anchored);
    add(&counts->anchored_wins, anchored_wins);
    add(&counts->anchored_stuck, anchored_stuck);
}

cudaError_t place_start(const Rules &rules, const Batch &batch, const uint64_t *values, const State &state,
                        StartCounts *counts, uint64_t *stuck, uint64_t room, cudaStream_t stream) {
    place_start_kernel<<<result_grid(rules, batch), RESULT_THREADS, 0, stream>>>(rules, batch, values, state, counts,
                                                                                 stuck, room);
    return cudaGetLastError();
}

/* The sum of `value` over the threads before this one, and `total` over all of the block. */
__device__ inline uint32_t sum_before(uint32_t value, uint32_t *sums, uint32_t &total) {
    unsigned lane = threadIdx.x % WARP;
    unsigned warp = threadIdx.x / WARP;
    uint32_t sum = value;
    for (unsigned step = 1; step < WARP; step *= 2) {
        uint32_t other = __shfl_up_sync(UINT32_MAX, sum, step);
        sum += lane >= step ? other : 0;
    }
    if (lane == WARP - 1) {
        sums[warp] = sum;
    }
    __syncthreads();
    uint32_t before = 0;
    total = 0;
    for (unsigned i = 0; i < blockDim.x / WARP; i++) {
        before += i < warp ? sums[i] : 0;
        total += sums[i];
    }
    __syncthreads();
    return before + sum - value;
}

__device__ inline uint64_t open_bits(const Near &near, const Rules &rules, uint64_t pair, uint32_t own,
                                     uint32_t enemy) {
    return ~pair & near.allowed[0][packed(anchorable(rules, own | enemy), enemy)];
}

__global__ void __launch_bounds__(PAGE_THREADS)
    measure_kernel(const __grid_constant__ Rules rules, State state, uint64_t *page_runs) {
    __shared__ Near near;
    __shared__ uint32_t sums[PAGE_THREADS / WARP];
    __shared__ uint32_t group_base[PAGE_THREADS / KZ_PF_BASE_PAIRS];
    uint64_t page = blockIdx.x;
    uint32_t own = rules.own_squares[page];
    fill(near, rules, own); /* here the own set is the fixed one */
    uint64_t *pairs = state.pairs + page * rules.sets;
    uint64_t *bases = state.bases + page * rules.groups;
    uint32_t runs = 0;
    for (uint32_t begin = 0; begin < rules.sets; begin += PAGE_THREADS) {
        uint32_t i = begin + threadIdx.x;
        uint32_t count = 0;
        uint64_t pair = 0;
        if (i < rules.sets) {
            pair = pairs[i];
            count = (uint32_t)__popcll(open_bits(near, rules, pair, own, unpacked(near, rules.patterns[i])));
        }
        uint32_t total;
        uint32_t run = runs + sum_before(count, sums, total);
        if (threadIdx.x % KZ_PF_BASE_PAIRS == 0) {
            group_base[threadIdx.x / KZ_PF_BASE_PAIRS] = run;
            if (i < rules.sets) {
                bases[i / KZ_PF_BASE_PAIRS] = run;
            }
        }
        __syncthreads();
        if (i < rules.sets) {
            pairs[i] = pair | (uint64_t)(run - group_base[threadIdx.x / KZ_PF_BASE_PAIRS]) << KZ_PF_WIN_BITS;
        }
        runs += total;
    }
    if (threadIdx.x == 0) {
        page_runs[page] = runs;
    }
}

cudaError_t measure_pages(const Rules &rules, const State &state, uint64_t *page_runs, cudaStream_t stream) {
    static_assert(PAGE_THREADS % KZ_PF_BASE_PAIRS == 0, "groups are not split");
    measure_kernel<<<rules.own_sets, PAGE_THREADS, 0, stream>>>(rules, state, page_runs);
    return cudaGetLastError();
}

__global__ void place_bases_kernel(const __grid_constant__ Rules rules, State state, const uint64_t *first_runs) {
    uint64_t page = blockIdx.x;
    for (uint32_t i = threadIdx.x; i < rules.groups; i += blockDim.x) {
        state.bases[page * rules.groups + i] += first_runs[page];
    }
}

__global__ void place_stuck_kernel(const __grid_constant__ Rules rules, State state, const uint64_t *stuck,
                                   uint64_t count) {
    uint64_t item = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (item >= count) {
        return;
    }
    uint64_t number = stuck[item] >> 6;
    unsigned bit = stuck[item] & 63;
    uint64_t page = number / rules.sets;
    uint32_t set = (uint32_t)(number % rules.sets);
    uint32_t own = rules.own_squares[page];
    uint32_t enemy = 0;
    uint32_t open = rules.squares & ~own;
    for (uint32_t pattern = rules.patterns[set]; pattern; pattern >>= 1, open &= open - 1) {
        enemy |= pattern & 1 ? open & -open : 0;
    }
    uint64_t pair = state.pairs[number];
    uint64_t runs = ~pair & rules.allowed[packed(anchorable(rules, own | enemy), enemy)];
    uint64_t run = state.bases[page * rules.groups + set / KZ_PF_BASE_PAIRS] + (pair >> KZ_PF_WIN_BITS) +
                   (unsigned)__popcll(runs & ((UINT64_C(1) << bit) - 1));
    state.runs[run] = (uint16_t)(((1U << rules.anchored_splits) - 1) << KZ_PF_LOSS_SHIFT);
}

cudaError_t place_pages(const Rules &rules, const State &state, const uint64_t *first_runs, const uint64_t *stuck,
                        uint64_t stuck_count, cudaStream_t stream) {
    place_bases_kernel<<<rules.own_sets, WARP * 4, 0, stream>>>(rules, state, first_runs);
    if (stuck_count) {
        place_stuck_kernel<<<(unsigned)((stuck_count + RESULT_THREADS - 1) / RESULT_THREADS), RESULT_THREADS, 0,
                             stream>>>(rules, state, stuck, stuck_count);
    }
    return cudaGetLastError();
}

/* ---- Later phases ------------------------------------------------------------------------------------------------ */

template <bool LOSSES>
__global__ void __launch_bounds__(RESULT_THREADS)
    mark_kernel(const __grid_constant__ Rules rules, Batch batch, State state, const uint64_t *values,
                const uint32_t *need, uint32_t *decided, unsigned long long *fresh) {
    __shared__ Near near;
    uint32_t slice = batch.slices[blockIdx.y];
    unsigned wanted = need[slice];
    if (!wanted) {
        return;
    }
    uint32_t enemy = rules.own_squares[slice];
    fill(near, rules, enemy);
    unsigned sigmas = (1U << rules.anchored_splits) - 1;
    uint32_t split_bits = (1U << rules.splits) - 1;
    const uint64_t *words = values + (uint64_t)blockIdx.y * rules.pieces * rules.sets;
    unsigned count[KZ_PF_MOST_PIECES] = {};
    unsigned found_fresh = 0;
    uint32_t end = min(rules.sets, (blockIdx.x + 1) * SETS_A_BLOCK);
    for (uint32_t o = blockIdx.x * SETS_A_BLOCK + threadIdx.x; o < end; o += blockDim.x) {
        Place place = find_place(near, rules, unpacked(near, rules.patterns[o]), enemy);
        uint64_t pair = state.pairs[place.pair];
        uint64_t open = ~pair & place.allowed;
        uint16_t *runs = state.runs + state.bases[place.group] + (pair >> KZ_PF_WIN_BITS);
#pragma unroll
        for (int alpha = 0; alpha < KZ_PF_MOST_PIECES; alpha++) {
            if (!(wanted >> alpha & 1)) {
                continue;
            }
            uint64_t word = words[(uint64_t)alpha * rules.sets + o];
            int shift = (place.rotated ? rules.pieces - 1 - alpha : alpha) * rules.splits;
            uint32_t rhos = (uint32_t)(~pair >> shift) & split_bits;
            bool stored = place.allowed >> shift & 1;
            uint16_t *run = runs + __popcll(open & ((UINT64_C(1) << shift) - 1));
            for (; rhos; rhos &= rhos - 1) {
                int rho = __ffs((int)rhos) - 1;
                rho = place.rotated ? rules.split_reversed[rho] : rho;
                unsigned found = (unsigned)(word >> rho * STRIDE) & sigmas;
                found = LOSSES ? ~found & sigmas : found;
                count[alpha] += (unsigned)__popc(found);
                if (stored && found) {
                    unsigned known = *run;
                    unsigned marks = place.rotated ? near.rotated_sigmas[found] : found;
                    marks &= ~(known | known >> KZ_PF_LOSS_SHIFT);
                    if (marks) {
                        *run = (uint16_t)(known | marks | marks << KZ_PF_LOSS_SHIFT);
                        found_fresh += (unsigned)__popc(marks);
                    }
                }
                run++;
            }
        }
    }
    __syncwarp();
    for (int alpha = 0; alpha < KZ_PF_MOST_PIECES; alpha++) {
        unsigned sum = __reduce_add_sync(UINT32_MAX, count[alpha]);
        if (sum && threadIdx.x % WARP == 0) {
            atomicAdd(&decided[(uint64_t)slice * KZ_PF_MOST_PIECES + alpha], sum);
        }
    }
    add(fresh, found_fresh);
}

cudaError_t mark_sweep(const Rules &rules, const Batch &batch, const State &state, bool losses, const uint64_t *values,
                       const uint32_t *need, uint32_t *decided, unsigned long long *fresh, cudaStream_t stream) {
    if (losses) {
        mark_kernel<true><<<result_grid(rules, batch), RESULT_THREADS, 0, stream>>>(rules, batch, state, values, need,
                                                                                    decided, fresh);
    } else {
        mark_kernel<false><<<result_grid(rules, batch), RESULT_THREADS, 0, stream>>>(rules, batch, state, values, need,
                                                                                     decided, fresh);
    }
    return cudaGetLastError();
}

/* ---- Fetching the marks ------------------------------------------------------------------------------------------ */

__device__ inline unsigned marks_of(unsigned run) { return run & run >> KZ_PF_LOSS_SHIFT & KZ_PF_STATE_MASK; }

__global__ void __launch_bounds__(RESULT_THREADS)
    count_marks_kernel(State state, const uint64_t *first_runs, uint32_t first, uint32_t *marked) {
    __shared__ uint32_t sum;
    uint32_t page = first + blockIdx.x;
    if (threadIdx.x == 0) {
        sum = 0;
    }
    __syncthreads();
    uint32_t count = 0;
    for (uint64_t i = first_runs[page] + threadIdx.x; i < first_runs[page + 1]; i += blockDim.x) {
        count += marks_of(state.runs[i]) != 0;
    }
    atomicAdd(&sum, count);
    __syncthreads();
    if (threadIdx.x == 0) {
        marked[page] = sum;
    }
}

cudaError_t count_marks(const State &state, const uint64_t *first_runs, uint32_t first, uint32_t count,
                        uint32_t *marked, cudaStream_t stream) {
    count_marks_kernel<<<count, RESULT_THREADS, 0, stream>>>(state, first_runs, first, marked);
    return cudaGetLastError();
}

__global__ void __launch_bounds__(PAGE_THREADS)
    pack_marks_kernel(State state, const uint64_t *first_runs, uint32_t first, bool losses, bool settle,
                      const uint32_t *marked, const uint64_t *bit_place, const uint64_t *mark_place, uint32_t *bits,
                      uint8_t *marks) {
    __shared__ uint32_t listed_runs;
    __shared__ uint32_t sums[PAGE_THREADS / WARP];
    uint32_t page = first + blockIdx.x;
    uint16_t *runs = state.runs + first_runs[page];
    uint32_t run_count = (uint32_t)(first_runs[page + 1] - first_runs[page]);
    bool any = marked[page] != 0;
    bool listed = marked[page] < (run_count + WARP - 1) / WARP;
    if (threadIdx.x == 0) {
        listed_runs = 0;
    }
    __syncthreads();
    bits += bit_place[page] - bit_place[first];
    marks += mark_place[page] - mark_place[first];
    uint32_t done = 0;
    for (uint32_t begin = 0; begin < run_count; begin += PAGE_THREADS) {
        uint32_t i = begin + threadIdx.x;
        unsigned run = i < run_count ? runs[i] : 0;
        unsigned mine = marks_of(run);
        if (settle) {
            unsigned next = run & ~(losses ? mine : mine << KZ_PF_LOSS_SHIFT);
            next = mine ? next | FRESH_RUN : next & ~(unsigned)FRESH_RUN;
            if (next != run) {
                runs[i] = (uint16_t)next;
            }
        }
        if (listed && mine) { /* in any order */
            uint32_t place = atomicAdd(&listed_runs, 1);
            bits[place] = i;
            marks[place] = (uint8_t)mine;
        } else if (any && !listed) {
            uint32_t ballot = __ballot_sync(UINT32_MAX, mine != 0);
            if (threadIdx.x % WARP == 0 && i < run_count) {
                bits[i / WARP] = ballot;
            }
            uint32_t total;
            uint32_t place = done + sum_before(mine != 0, sums, total);
            if (mine) {
                marks[place] = (uint8_t)mine;
            }
            done += total;
        }
    }
}

cudaError_t pack_marks(const State &state, const uint64_t *first_runs, uint32_t first, uint32_t count, bool losses,
                       bool settle, const uint32_t *marked, const uint64_t *bit_place, const uint64_t *mark_place,
                       uint32_t *bits, uint8_t *marks, cudaStream_t stream) {
    pack_marks_kernel<<<count, PAGE_THREADS, 0, stream>>>(state, first_runs, first, losses, settle, marked, bit_place,
                                                          mark_place, bits, marks);
    return cudaGetLastError();
}

} // namespace kz_cuda
