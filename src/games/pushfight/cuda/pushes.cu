/* SPDX-License-Identifier: MIT
 *
 * Pushes: what each own set of a slice reaches without a move. */
#include "games/pushfight/cuda/device.cuh"

namespace kz_cuda {

enum {
    PUSH_THREADS = 256,
    SETS_A_BLOCK = 2048, /* own sets that one block of threads looks at */
    TARGETS = KZ_PF_DIRECTIONS * KZ_PF_SUBSETS
};

static dim3 push_grid(const Rules &rules, const Batch &batch) {
    return dim3((rules.sets + SETS_A_BLOCK - 1) / SETS_A_BLOCK, batch.count);
}

/* ---- Phase 0 ----------------------------------------------------------------------------------------------------- */

__global__ void __launch_bounds__(PUSH_THREADS)
    seed_start_kernel(const __grid_constant__ Rules rules, Batch batch, uint64_t *values) {
    __shared__ Near near;
    uint32_t enemy = rules.own_squares[batch.slices[blockIdx.y]];
    fill(near, rules, enemy);
    uint64_t *off = values + (uint64_t)blockIdx.y * 2 * rules.sets;
    uint64_t *legal = off + rules.sets;
    uint32_t alphas = (UINT32_C(1) << rules.pieces) - 1;
    uint32_t end = min(rules.sets, (blockIdx.x + 1) * SETS_A_BLOCK);
    for (uint32_t o = blockIdx.x * SETS_A_BLOCK + threadIdx.x; o < end; o += blockDim.x) {
        uint32_t own = unpacked(near, rules.patterns[o]);
        uint32_t taken = own | enemy;
        uint64_t any_off = 0;
        uint64_t any_legal = 0;
        for (unsigned d = 0; d < KZ_PF_DIRECTIONS; d++) {
            for (uint32_t pushers = against(own, taken, d); pushers; pushers &= pushers - 1) {
                unsigned square = (unsigned)__ffs((int)pushers) - 1;
                uint32_t line = near.ray[d][square];
                uint32_t empty = line & ~taken;
                if (empty) {
                    line &= nearer_than(empty, d);
                } else {
                    uint32_t last = d & 1 ? UINT32_C(1) << (31 - __clz((int)line)) : line & -line;
                    if (rules.blocked_ray[d] >> square & 1 || own & last) {
                        continue;
                    }
                }
                uint64_t lanes = alphas & ~packed(line, enemy);
                lanes *= rules.pusher_bits[__popc(own & ((UINT32_C(1) << square) - 1))];
                any_legal |= lanes;
                any_off |= empty ? 0 : lanes;
            }
        }
        off[o] = any_off;
        legal[o] = any_legal;
    }
}

cudaError_t seed_start(const Rules &rules, const Batch &batch, uint64_t *values, cudaStream_t stream) {
    seed_start_kernel<<<push_grid(rules, batch), PUSH_THREADS, 0, stream>>>(rules, batch, values);
    return cudaGetLastError();
}

/* ---- Later phases ------------------------------------------------------------------------------------------------ */

/* Where the successors lie whose own set is that of the slice with some pieces shifted by a push. */
struct Target {
    uint32_t page;
    uint32_t after;
    bool rotated;
    uint8_t movers[KZ_PF_MOST_SPLITS]; /* by the roles of that set: which pieces of the slice's set are the movers */
};

/* The set after the pieces in `moved` were shifted in a direction; 0 if one leaves the board or two meet. */
__device__ inline uint32_t set_after(const Rules &rules, uint32_t enemy, uint32_t moved, unsigned d) {
    uint32_t after = (enemy & ~moved) | kz_pf_step(moved, (kz_pf_direction)d);
    return __popc(after & rules.squares) == rules.pieces ? after : 0;
}

__device__ inline uint32_t chosen_pieces(uint32_t pattern, uint32_t set) {
    uint32_t chosen = 0;
    for (; pattern; pattern >>= 1, set &= set - 1) {
        chosen |= pattern & 1 ? set & -set : 0;
    }
    return chosen;
}

__device__ inline void find_target(const Near &near, const Rules &rules, uint32_t enemy, unsigned d, uint32_t pattern,
                                   Target &target) {
    uint32_t moved = chosen_pieces(pattern, enemy);
    uint32_t after = set_after(rules, enemy, moved, d);
    if (!after) {
        return;
    }
    uint32_t kept = rules.kept[rank_of(near, after, rules.squares, false, rules.pieces, 0)];
    target.page = kept >> 1;
    target.rotated = kept & 1;
    target.after = after;
    for (int rho = 0; rho < rules.splits; rho++) {
        target.movers[rho] = 0;
    }
    int t = 0;
    for (uint32_t rest = enemy; rest; rest &= rest - 1, t++) {
        uint32_t square = rest & -rest;
        square = square & moved ? shifted(square, d) : square;
        int place = __popc(after & (square - 1));
        place = target.rotated ? rules.pieces - 1 - place : place;
        for (int rho = 0; rho < rules.splits; rho++) {
            target.movers[rho] |= (uint8_t)((rules.split_pattern[rho] >> place & 1) << t);
        }
    }
}

/* The order of the own pieces but the pusher after a push that moves some of them. */
__device__ inline unsigned find_order(uint32_t others, uint32_t moved, unsigned d, bool rotated) {
    uint32_t after = (others & ~moved) | shifted(others & moved, d);
    unsigned last = (unsigned)__popc(others) - 1;
    unsigned order = 0;
    unsigned t = 0;
    for (uint32_t rest = others; rest; rest &= rest - 1, t++) {
        uint32_t square = rest & -rest;
        square = square & moved ? shifted(square, d) : square;
        unsigned place = (unsigned)__popc(after & (square - 1));
        order |= (rotated ? last - place : place) << 2 * t;
    }
    return order;
}

/* A bit for each rho as bits STRIDE apart. */
__device__ inline uint64_t spread_roles(const uint32_t *spread, unsigned words) {
    return spread[words & 31] | (uint64_t)spread[words >> 5] << 5 * STRIDE;
}

/* The pushes of so many own sets as a warp has threads are looked at together. How many pushes a set has differs much,
 * and few of them lead to anything but a win at once for the opponent: so first all pushes are put into a queue and
 * looked up, those that lead on into another, and only these are followed. */
enum {
    WARP = 32,
    WARPS = PUSH_THREADS / WARP,
    MOST_PUSHES = WARP * KZ_PF_MOST_PIECES * KZ_PF_DIRECTIONS,
    SET_BITS = 5, /* of an item: the own set's number, then the direction, then the square */
    DIRECTION_BITS = 2,
    ITEM_BITS = 12
};

struct Queue {
    uint16_t pushes[MOST_PUSHES];
    uint32_t leading[2 * WARP]; /* an item, and the rank of the pair above it */
    uint64_t pairs[2 * WARP];
    uint32_t words[2 * KZ_PF_MOST_PIECES][WARP]; /* what is reached, by alpha: low and high halves */
};

struct Sweep {
    Near near;
    Target targets[TARGETS];
    uint32_t spread[32];
    Queue queues[WARPS];
};

/* One push of a slice's own set. */
struct Push {
    unsigned set; /* of those of the warp */
    unsigned direction;
    uint32_t own;
    uint32_t pusher;
    uint32_t line;    /* empty if it pushes a piece off or is not legal */
    uint32_t pattern; /* of the enemy's pieces in it */
    uint32_t after;   /* own pieces */
};

/* `own` is this thread's set: every thread of the warp takes part. */
__device__ inline Push find_push(const Near &near, uint32_t item, uint32_t own, uint32_t enemy) {
    Push push;
    push.set = item & (WARP - 1);
    push.direction = item >> SET_BITS & (KZ_PF_DIRECTIONS - 1);
    push.own = __shfl_sync(UINT32_MAX, own, (int)push.set);
    unsigned square = item >> (SET_BITS + DIRECTION_BITS);
    push.pusher = UINT32_C(1) << square;
    uint32_t ray = near.ray[push.direction][square];
    uint32_t empty = ray & ~(push.own | enemy);
    push.line = empty ? ray & nearer_than(empty, push.direction) : 0;
    push.pattern = packed(push.line, enemy);
    uint32_t moved = push.line | push.pusher;
    push.after = (push.own & ~moved) | shifted(push.own & moved, push.direction);
    return push;
}

/* Where the bits of the pair are for the anchor that the push leaves. */
__device__ inline int find_shift(const Rules &rules, const Push &push, bool rotated) {
    int alpha = __popc(push.after & (shifted(push.pusher, push.direction) - 1));
    return (rotated ? rules.pieces - 1 - alpha : alpha) * rules.splits;
}

/* Puts the pushes of the warp's own sets into the queue; returns how many there are. */
__device__ inline unsigned queue_pushes(Queue &queue, uint32_t own, uint32_t enemy) {
    unsigned lane = threadIdx.x % WARP;
    uint32_t pushers[KZ_PF_DIRECTIONS];
    unsigned count = 0;
    for (unsigned d = 0; d < KZ_PF_DIRECTIONS; d++) {
        pushers[d] = against(own, own | enemy, d);
        count += (unsigned)__popc(pushers[d]);
    }
    unsigned end = count;
    for (unsigned step = 1; step < WARP; step *= 2) {
        unsigned other = __shfl_up_sync(UINT32_MAX, end, step);
        end += lane >= step ? other : 0;
    }
    unsigned total = __shfl_sync(UINT32_MAX, end, WARP - 1);
    unsigned place = end - count;
    for (unsigned d = 0; d < KZ_PF_DIRECTIONS; d++) {
        for (uint32_t rest = pushers[d]; rest; rest &= rest - 1) {
            unsigned square = (unsigned)__ffs((int)rest) - 1;
            queue.pushes[place++] = (uint16_t)(square << (SET_BITS + DIRECTION_BITS) | d << SET_BITS | lane);
        }
    }
    __syncwarp();
    return total;
}

/* Looks up the pairs of up to a warp of pushes and adds those to the second queue that lead on. */
__device__ inline unsigned look_up(const Sweep &sweep, const Rules &rules, const State &state, Queue &queue,
                                   unsigned item, bool is_item, uint32_t own, uint32_t enemy, unsigned leading) {
    Push push = find_push(sweep.near, item, own, enemy);
    bool leads = false;
    uint64_t pair = 0;
    uint32_t rank = 0;
    if (is_item && push.line) {
        const Target &target = sweep.targets[push.direction * KZ_PF_SUBSETS + push.pattern];
        bool rotated = target.rotated;
        rank = rank_of(sweep.near, push.after, rules.squares & ~target.after, rotated, rules.pieces, rules.width);
        pair = state.pairs[(uint64_t)target.page * rules.sets + rank];
        int shift = find_shift(rules, push, rotated);
        leads = (uint32_t)(~pair >> shift) & ((UINT32_C(1) << rules.splits) - 1); /* not won at once by all roles */
    }
    uint32_t all = __ballot_sync(UINT32_MAX, leads);
    if (leads) {
        unsigned place = leading + (unsigned)__popc(all & ((UINT32_C(1) << threadIdx.x % WARP) - 1));
        queue.leading[place] = item | rank << ITEM_BITS;
        queue.pairs[place] = pair;
    }
    __syncwarp();
    return leading + (unsigned)__popc(all);
}

/* Follows one of the pushes that lead on. Returns the alphas that see a change. */
template <bool LOSSES>
__device__ inline unsigned follow(const Sweep &sweep, const Rules &rules, const State &state, Queue &queue,
                                  const Push &push, uint32_t rank, uint64_t pair) {
    const Near &near = sweep.near;
    const Target &target = sweep.targets[push.direction * KZ_PF_SUBSETS + push.pattern];
    bool rotated = target.rotated;
    int shift = find_shift(rules, push, rotated);
    uint32_t rhos = (uint32_t)(~pair >> shift) & ((UINT32_C(1) << rules.splits) - 1);
    uint32_t anchors = packed(anchorable(rules, push.after | target.after), push.after);
    uint64_t below = ~pair & near.allowed[rotated][anchors] & ((UINT64_C(1) << shift) - 1);
    const uint16_t *run = state.runs + state.bases[(uint64_t)target.page * rules.groups + rank / KZ_PF_BASE_PAIRS] +
                          (pair >> KZ_PF_WIN_BITS) + __popcll(below);
    unsigned order = rotated ? rules.reversed_order : rules.same_order;
    if (push.line & push.own && push.direction >= KZ_PF_UP) {
        order = find_order(push.own & ~push.pusher, push.line | push.pusher, push.direction, rotated);
    }
    unsigned piece = (unsigned)__popc(push.own & (push.pusher - 1));
    const uint16_t *words = rules.words + (piece * KZ_PF_ORDERS + order) * 64;
    unsigned free = ((1U << rules.pieces) - 1) & ~push.pattern; /* the anchored piece can't be pushed */
    unsigned changed = 0;
    uint64_t reached[KZ_PF_MOST_PIECES] = {};
    for (; rhos; rhos &= rhos - 1) {
        unsigned values = *run++;
        unsigned won = values & KZ_PF_STATE_MASK;
        unsigned lost = values >> KZ_PF_LOSS_SHIFT & KZ_PF_STATE_MASK;
        unsigned good = LOSSES ? ~(won & ~lost) & KZ_PF_STATE_MASK : lost & ~won;
        if (!good && !(values & FRESH_RUN)) {
            continue;
        }
        unsigned movers = target.movers[__ffs((int)rhos) - 1];
        unsigned alphas = free & ~movers;
        changed |= values & FRESH_RUN ? alphas : 0;
        uint64_t roles = spread_roles(sweep.spread, __ldg(&words[good]));
        unsigned sigmas = near.sigmas[movers];
#pragma unroll
        for (int a = 0; a < KZ_PF_MOST_PIECES; a++) {
            if (alphas >> a & 1) {
                reached[a] |= roles << (sigmas >> 3 * a & 7);
            }
        }
    }
#pragma unroll
    for (int a = 0; a < KZ_PF_MOST_PIECES; a++) {
        if ((uint32_t)reached[a]) {
            atomicOr(&queue.words[2 * a][push.set], (uint32_t)reached[a]);
        }
        if (reached[a] >> 32) {
            atomicOr(&queue.words[2 * a + 1][push.set], (uint32_t)(reached[a] >> 32));
        }
    }
    return changed;
}

/* All pushes of the warp's own sets. */
template <bool LOSSES>
__device__ inline unsigned reach(const Sweep &sweep, const Rules &rules, const State &state, Queue &queue, uint32_t own,
                                 uint32_t enemy) {
    unsigned lane = threadIdx.x % WARP;
    unsigned pushes = queue_pushes(queue, own, enemy);
    unsigned leading = 0;
    unsigned changed = 0;
    for (unsigned begin = 0; begin < pushes || leading; begin += WARP) {
        if (begin < pushes) {
            bool is_item = begin + lane < pushes;
            unsigned item = is_item ? queue.pushes[begin + lane] : 0;
            leading = look_up(sweep, rules, state, queue, item, is_item, own, enemy, leading);
        }
        if (leading >= WARP || begin + WARP >= pushes) {
            unsigned first = leading > WARP ? leading - WARP : 0;
            bool is_item = first + lane < leading;
            uint32_t item = is_item ? queue.leading[first + lane] : 0;
            Push push = find_push(sweep.near, item & ((1U << ITEM_BITS) - 1), own, enemy);
            if (is_item) {
                changed |=
                    follow<LOSSES>(sweep, rules, state, queue, push, item >> ITEM_BITS, queue.pairs[first + lane]);
            }
            leading = first;
            __syncwarp();
        }
    }
    return changed;
}

template <bool LOSSES>
__global__ void __launch_bounds__(PUSH_THREADS)
    seed_sweep_kernel(const __grid_constant__ Rules rules, Batch batch, State state, uint64_t *values, uint32_t *need) {
    __shared__ Sweep sweep;
    uint32_t slice = batch.slices[blockIdx.y];
    uint32_t enemy = rules.own_squares[slice];
    fill(sweep.near, rules, enemy);
    for (unsigned i = threadIdx.x; i < TARGETS; i += blockDim.x) {
        if (i % KZ_PF_SUBSETS < 1U << rules.pieces) {
            find_target(sweep.near, rules, enemy, i / KZ_PF_SUBSETS, i % KZ_PF_SUBSETS, sweep.targets[i]);
        }
    }
    if (threadIdx.x < 32) {
        uint32_t bits = 0;
        for (unsigned i = 0; i < 5; i++) {
            bits |= (threadIdx.x >> i & 1) << i * STRIDE;
        }
        sweep.spread[threadIdx.x] = bits;
    }
    __syncthreads();
    unsigned lane = threadIdx.x % WARP;
    Queue &queue = sweep.queues[threadIdx.x / WARP];
    unsigned changed = 0;
    uint32_t end = min(rules.sets, (blockIdx.x + 1) * SETS_A_BLOCK);
    for (uint32_t o = blockIdx.x * SETS_A_BLOCK + threadIdx.x; o - lane < end; o += blockDim.x) {
        for (int i = 0; i < 2 * KZ_PF_MOST_PIECES; i++) {
            queue.words[i][lane] = 0;
        }
        uint32_t own = o < end ? unpacked(sweep.near, rules.patterns[o]) : 0;
        changed |= reach<LOSSES>(sweep, rules, state, queue, own, enemy);
        for (int a = 0; o < end && a < rules.pieces; a++) {
            values[((uint64_t)blockIdx.y * rules.pieces + a) * rules.sets + o] =
                queue.words[2 * a][lane] | (uint64_t)queue.words[2 * a + 1][lane] << 32;
        }
        __syncwarp();
    }
    changed = __reduce_or_sync(UINT32_MAX, changed);
    if (changed && lane == 0) {
        atomicOr(&need[slice], changed);
    }
}

cudaError_t seed_sweep(const Rules &rules, const Batch &batch, const State &state, bool losses, uint64_t *values,
                       uint32_t *need, cudaStream_t stream) {
    if (losses) {
        seed_sweep_kernel<true>
            <<<push_grid(rules, batch), PUSH_THREADS, 0, stream>>>(rules, batch, state, values, need);
    } else {
        seed_sweep_kernel<false>
            <<<push_grid(rules, batch), PUSH_THREADS, 0, stream>>>(rules, batch, state, values, need);
    }
    return cudaGetLastError();
}

/* ---- What a change touches --------------------------------------------------------------------------------------- */

/* kz_pf_slice_touched, for one slice by as many threads as there are targets. */
__global__ void __launch_bounds__(TARGETS)
    find_touched_kernel(const __grid_constant__ Rules rules, uint32_t first, const uint8_t *changed, uint8_t *touched) {
    __shared__ Near near;
    uint32_t enemy = rules.own_squares[first + blockIdx.x];
    fill(near, rules, enemy);
    unsigned d = threadIdx.x / KZ_PF_SUBSETS;
    unsigned pattern = threadIdx.x % KZ_PF_SUBSETS;
    bool found = false;
    if (pattern < 1U << rules.pieces) {
        uint32_t moved = chosen_pieces(pattern, enemy);
        uint32_t after = set_after(rules, enemy, moved, d);
        /* Pieces that one push moves stand in one line. */
        unsigned lowest = (unsigned)__ffs((int)moved) - 1;
        bool in_line = !moved || !(moved & (moved - 1) & ~near.ray[d][lowest] & ~near.ray[d ^ 1][lowest]);
        if (after && in_line) {
            uint32_t kept = rules.kept[rank_of(near, after, rules.squares, false, rules.pieces, 0)];
            found = changed[kept >> 1];
        }
    }
    found = __syncthreads_or(found);
    if (threadIdx.x == 0) {
        touched[blockIdx.x] = found;
    }
}

cudaError_t find_touched(const Rules &rules, uint32_t first, uint32_t count, const uint8_t *changed, uint8_t *touched,
                         cudaStream_t stream) {
    find_touched_kernel<<<count, TARGETS, 0, stream>>>(rules, first, changed, touched);
    return cudaGetLastError();
}

} // namespace kz_cuda
