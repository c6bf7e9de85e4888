/* SPDX-License-Identifier: MIT
 *
 * The kernels of games/dobutsu/solve/retro.c on a graphics card. The cells, the index and the way moves are taken back
 * are the same; the work is divided in another way:
 *
 *     warp    a run: all positions with the same lions, elephants and giraffes, so its threads take back the same moves
 *             of these, and find the same runs
 *     thread  a position of the frontier: those of the run are listed first, so that few threads idle
 *
 * Cells are bytes, and a card adds to words. A count never leaves its byte, so adding to the word that holds it is the
 * same. In one kernel all threads do the same thing to cells: they count, or refute, or write one distance. */
#include <cuda_runtime.h>
#include <stdlib.h>

extern "C" {
#include "base/error.h"
#include "games/dobutsu/cuda/dobutsu.h"
}

/* All pointers are to the card's memory, also those in the space. */
struct Memory {
    const kz_dobutsu_space *space;
    const kz_dobutsu_unmoves *unmoves;
    uint32_t runs;
    uint32_t *cells;    /* four in a word */
    uint32_t *odd_ones; /* NULL: there are none */
    uint8_t *frontier[2];
    unsigned long long *expanded;
};

struct kz_dobutsu_card {
    kz_dobutsu_card_state state;
    Memory memory;
    int blocks;
    void *arrays[16]; /* all of the card's memory that it has */
    int array_count;
};

namespace {

using Card = kz_dobutsu_card;

enum {
    WARP = 32,
    WARPS = 8, /* of a block */
    LINE = 64, /* positions that share a mark of the frontier */
    LINES = KZ_DOBUTSU_INDEX_SIZE / LINE + 1,
    CELLS = LINES * LINE,
    ODD_WORDS = KZ_DOBUTSU_INDEX_SIZE / 64 + 1,
    MOST_IN_RUN = 803, /* positions: with all but the lions in hand */
    OPEN = 192,        /* cells: as in games/dobutsu/solve/retro.h */
    STALEMATE = 191,
    FIRST_COUNTED = 2,  /* lost in 2: no move that does not lose at once */
    BLOCKS_FOR_EACH = 8 /* blocks for each multiprocessor */
};

enum Effect { COUNT, REFUTE, WIN }; /* as in games/dobutsu/solve/retro.c */

/* ---- What happens to a predecessor ------------------------------------------------------------------------------- */

__device__ inline unsigned cell_of(const Memory &m, uint32_t index) { return ((const uint8_t *)m.cells)[index]; }

/* Is called by one thread only for a loss; several may write the same win. */
__device__ inline void decide(const Memory &m, uint32_t index, bool win, int n) {
    ((uint8_t *)m.cells)[index] = (uint8_t)(n == 1 ? (int)STALEMATE : n);
    if (m.odd_ones && win != (n & 1)) {
        atomicOr(&m.odd_ones[index / 32], UINT32_C(1) << (index % 32));
    }
    m.frontier[n & 1][index / LINE] = 1;
}

template <Effect effect> __device__ inline void take_effect(const Memory &m, int n, uint32_t index) {
    if (cell_of(m, index) < OPEN) {
        return;
    }
    unsigned shift = index % 4 * 8;
    if (effect == COUNT) {
        atomicAdd(&m.cells[index / 4], UINT32_C(1) << shift);
    } else if (effect == WIN) {
        decide(m, index, true, n);
    } else if ((atomicSub(&m.cells[index / 4], UINT32_C(1) << shift) >> shift & 255) == OPEN + 1) {
        /* Another thread may be about to change the byte beside it: no plain store to a byte here. */
        atomicSub(&m.cells[index / 4], (uint32_t)(OPEN - n) << shift);
        if (m.odd_ones && (n & 1)) {
            atomicOr(&m.odd_ones[index / 32], UINT32_C(1) << (index % 32));
        }
        m.frontier[n & 1][index / LINE] = 1;
    }
}

/* ---- Taking moves back, as in games/dobutsu/solve/retro.c
 * -----------------------------------------------------------------
 *
 * Everything is seen by the side that made the move. */

/* What the positions of a run have in common. */
struct Seen {
    int own_lion;
    int enemy_lion;
    unsigned elephants;
    unsigned giraffes;
    unsigned taken; /* by lions and elephants */
    unsigned giraffe_squares;
};

/* The chicks of a thread's position. */
struct Chicks {
    unsigned state;
    unsigned mirrored;
    bool held; /* the own hand has one to give back */
};

template <Effect effect>
__device__ inline void visit(const Memory &m, int n, const kz_dobutsu_run_base &target, unsigned chicks) {
    unsigned rank = kz_dobutsu_chick_rank(&target, chicks);
    if (rank != KZ_DOBUTSU_NO_STATE) {
        take_effect<effect>(m, n, target.base + rank);
    }
}

template <Effect effect>
__device__ inline void visit_state(const Memory &m, int n, const kz_dobutsu_run_base &target, unsigned chicks) {
    if (chicks != KZ_DOBUTSU_NO_STATE) {
        visit<effect>(m, n, target, target.mirrored ? m.space->chick_mirror[chicks] : chicks);
    }
}

/* The same chicks in another run. */
template <Effect effect>
__device__ inline void visit_plain(const Memory &m, int n, const kz_dobutsu_slice_base &slice, unsigned giraffes,
                                   const Chicks &chicks) {
    kz_dobutsu_run_base target;
    if (kz_dobutsu_run_base_in(m.space, &slice, giraffes, &target)) {
        visit<effect>(m, n, target, target.mirrored ? chicks.mirrored : chicks.state);
    }
}

/* A lion, elephant or giraffe goes back from `to`: without a capture, or with a chick, a hen or a giraffe given back
 * there. */
template <Effect effect>
__device__ inline void visit_step(const Memory &m, int n, const kz_dobutsu_slice_base &slice, unsigned giraffes,
                                  unsigned to, const Chicks &chicks) {
    kz_dobutsu_run_base target;
    if (kz_dobutsu_run_base_in(m.space, &slice, giraffes, &target)) {
        visit<effect>(m, n, target, target.mirrored ? chicks.mirrored : chicks.state);
        if (chicks.held) {
            visit_state<effect>(m, n, target, m.unmoves->chick_returned[chicks.state][to][0]);
            visit_state<effect>(m, n, target, m.unmoves->chick_returned[chicks.state][to][1]);
        }
    }
    unsigned back = m.unmoves->plain_returned[giraffes][to];
    if (back != KZ_DOBUTSU_NO_STATE) {
        visit_plain<effect>(m, n, slice, back, chicks);
    }
}

/* The lion or an elephant goes back: `own_lion` and `elephants` are those before the move. */
template <Effect effect>
__device__ inline void visit_slice(const Memory &m, int n, const Seen &seen, int own_lion, unsigned elephants,
                                   unsigned from, unsigned to, const Chicks &chicks) {
    kz_dobutsu_slice_base slice;
    if (!kz_dobutsu_slice_base_of(m.space, own_lion, seen.enemy_lion, elephants, &slice)) {
        return;
    }
    if (from == KZ_DOBUTSU_FROM_HAND) {
        visit_plain<effect>(m, n, slice, seen.giraffes, chicks);
        return;
    }
    if (seen.giraffe_squares >> from & 1) {
        return;
    }
    visit_step<effect>(m, n, slice, seen.giraffes, to, chicks);
    unsigned back = m.unmoves->plain_returned[elephants][to];
    if (back != KZ_DOBUTSU_NO_STATE && kz_dobutsu_slice_base_of(m.space, own_lion, seen.enemy_lion, back, &slice)) {
        visit_plain<effect>(m, n, slice, seen.giraffes, chicks);
    }
}

template <Effect effect>
__device__ inline void take_back_lion(const Memory &m, int n, const Seen &seen, const Chicks &chicks) {
    for (unsigned from = m.unmoves->lion[seen.own_lion] & ~seen.taken; from; from &= from - 1) {
        int square = __ffs((int)from) - 1;
        if (m.space->lion_class[square][seen.enemy_lion] < KZ_DOBUTSU_LION_CLASSES_SOLVED) {
            visit_slice<effect>(m, n, seen, square, seen.elephants, (unsigned)square, (unsigned)seen.own_lion, chicks);
        }
    }
}

template <Effect effect>
__device__ inline void take_back_elephants(const Memory &m, int n, const Seen &seen, const Chicks &chicks) {
    const kz_dobutsu_unmove_list &list = m.unmoves->elephant[seen.elephants];
    for (unsigned i = 0; i < list.count; i++) {
        const kz_dobutsu_unmove &unmove = list.unmoves[i];
        if (unmove.from == KZ_DOBUTSU_FROM_HAND || !(seen.taken >> unmove.from & 1)) {
            visit_slice<effect>(m, n, seen, seen.own_lion, unmove.state, unmove.from, unmove.to, chicks);
        }
    }
}

/* The slice in which an elephant that was captured on a square is given back; false: none can be. */
__device__ inline bool with_elephant(const Memory &m, const Seen &seen, unsigned square, kz_dobutsu_slice_base *slice) {
    unsigned back = m.unmoves->plain_returned[seen.elephants][square];
    return back != KZ_DOBUTSU_NO_STATE &&
           kz_dobutsu_slice_base_of(m.space, seen.own_lion, seen.enemy_lion, back, slice);
}

template <Effect effect>
__device__ inline void take_back_giraffes(const Memory &m, int n, const Seen &seen, const kz_dobutsu_slice_base &home,
                                          const Chicks &chicks) {
    const kz_dobutsu_unmove_list &list = m.unmoves->giraffe[seen.giraffes];
    for (unsigned i = 0; i < list.count; i++) {
        const kz_dobutsu_unmove &unmove = list.unmoves[i];
        if (unmove.from == KZ_DOBUTSU_FROM_HAND) {
            visit_plain<effect>(m, n, home, unmove.state, chicks);
        } else if (!(seen.taken >> unmove.from & 1)) {
            kz_dobutsu_slice_base took;
            visit_step<effect>(m, n, home, unmove.state, unmove.to, chicks);
            if (with_elephant(m, seen, unmove.to, &took)) {
                visit_plain<effect>(m, n, took, unmove.state, chicks);
            }
        }
    }
}

/* Here each thread has its own moves. */
template <Effect effect>
__device__ inline void take_back_chicks(const Memory &m, int n, const Seen &seen, const kz_dobutsu_slice_base &home,
                                        const Chicks &chicks) {
    unsigned taken = seen.taken | seen.giraffe_squares;
    kz_dobutsu_run_base quiet;
    kz_dobutsu_run_base other;
    if (!kz_dobutsu_run_base_in(m.space, &home, seen.giraffes, &quiet)) {
        return; /* can't happen: it is the run itself, seen from the other side */
    }
    const kz_dobutsu_unmove_list &list = m.unmoves->chick[chicks.state];
    for (unsigned i = 0; i < list.count; i++) {
        const kz_dobutsu_unmove &unmove = list.unmoves[i];
        visit_state<effect>(m, n, quiet, unmove.state);
        if (unmove.from == KZ_DOBUTSU_FROM_HAND || (taken >> unmove.from & 1)) {
            continue;
        }
        kz_dobutsu_slice_base took;
        if (with_elephant(m, seen, unmove.to, &took) && kz_dobutsu_run_base_in(m.space, &took, seen.giraffes, &other)) {
            visit_state<effect>(m, n, other, unmove.state);
        }
        unsigned back = m.unmoves->plain_returned[seen.giraffes][unmove.to];
        if (back != KZ_DOBUTSU_NO_STATE && kz_dobutsu_run_base_in(m.space, &home, back, &other)) {
            visit_state<effect>(m, n, other, unmove.state);
        }
    }
    const kz_dobutsu_unmove_list &took_chick = m.unmoves->chick_took_chick[chicks.state];
    for (unsigned i = 0; i < took_chick.count; i++) {
        visit_state<effect>(m, n, quiet, took_chick.unmoves[i].state);
    }
}

/* ---- The kernels ------------------------------------------------------------------------------------------------- */

/* Whether moves are taken back from a position in this step. */
template <Effect effect> __device__ inline bool is_source(const Memory &m, int n, bool odd, uint32_t index) {
    unsigned cell = cell_of(m, index);
    if (effect == COUNT) {
        return cell >= FIRST_COUNTED && cell != STALEMATE;
    }
    return cell == (unsigned)n && (m.odd_ones ? (m.odd_ones[index / 32] >> (index % 32) & 1) != 0 : false) == odd;
}

/* Lists the chicks of the run's sources, as the side that made the last move sees them. By a warp. */
template <Effect effect>
__device__ inline unsigned list_sources(const Memory &m, int n, bool odd, const kz_dobutsu_run &run, uint16_t *list) {
    const uint16_t *states = m.space->chick_state[kz_dobutsu_run_chicks(m.space, &run)];
    unsigned lane = threadIdx.x % WARP;
    unsigned count = 0;
    for (unsigned first = 0; first < run.size; first += WARP) {
        unsigned at = first + lane;
        bool found = at < run.size && is_source<effect>(m, n, odd, run.base + at);
        unsigned all = __ballot_sync(~0U, found);
        if (found) {
            list[count + (unsigned)__popc(all & ((1U << lane) - 1))] = m.space->chick_flip[states[at]];
        }
        count += (unsigned)__popc(all);
    }
    __syncwarp();
    return count;
}

/* A run has at most 14 lines. */
__device__ inline bool in_frontier(const Memory &m, int n, const kz_dobutsu_run &run) {
    uint32_t line = run.base / LINE + threadIdx.x % WARP;
    bool marked = line <= (run.base + run.size - 1) / LINE && m.frontier[n & 1][line];
    return __any_sync(~0U, marked);
}

/* Expands positions: n is the distance of these, and the predecessors get n + 1. */
template <Effect effect> __global__ void __launch_bounds__(WARPS *WARP) expand(Memory m, int n, bool odd) {
    __shared__ uint16_t lists[WARPS][MOST_IN_RUN];
    uint16_t *list = lists[threadIdx.x / WARP];
    unsigned lane = threadIdx.x % WARP;
    unsigned long long expanded = 0;
    for (uint32_t number = blockIdx.x * WARPS + threadIdx.x / WARP; number < m.runs; number += gridDim.x * WARPS) {
        const kz_dobutsu_run run = m.space->runs[number];
        if (effect != COUNT && !in_frontier(m, n, run)) {
            continue;
        }
        unsigned count = list_sources<effect>(m, n, odd, run, list);
        Seen seen;
        seen.own_lion = KZ_DOBUTSU_SQUARES - 1 - m.space->enemy_lion[run.lion_class];
        seen.enemy_lion = KZ_DOBUTSU_SQUARES - 1 - m.space->own_lion[run.lion_class];
        seen.elephants = m.space->plain_flip[run.elephants];
        seen.giraffes = m.space->plain_flip[run.giraffes];
        seen.taken = 1U << seen.own_lion | 1U << seen.enemy_lion | m.space->plain_placement[seen.elephants].mask;
        seen.giraffe_squares = m.space->plain_placement[seen.giraffes].mask;
        kz_dobutsu_slice_base home;
        kz_dobutsu_slice_base_of(m.space, seen.own_lion, seen.enemy_lion, seen.elephants, &home);
        for (unsigned i = lane; i < count; i += WARP) {
            Chicks chicks;
            chicks.state = list[i];
            chicks.mirrored = m.space->chick_mirror[chicks.state];
            chicks.held = m.unmoves->chick_held[chicks.state];
            take_back_lion<effect>(m, n + 1, seen, chicks);
            take_back_elephants<effect>(m, n + 1, seen, chicks);
            take_back_giraffes<effect>(m, n + 1, seen, home, chicks);
            take_back_chicks<effect>(m, n + 1, seen, home, chicks);
        }
        expanded += count;
        __syncwarp(); /* the list is written anew */
    }
    if (lane == 0 && expanded > 0) {
        atomicAdd(m.expanded, expanded);
    }
}

__global__ void settle_all(Memory m) {
    for (uint32_t index = blockIdx.x * blockDim.x + threadIdx.x; index < KZ_DOBUTSU_INDEX_SIZE;
         index += gridDim.x * blockDim.x) {
        if (cell_of(m, index) == OPEN) {
            decide(m, index, false, FIRST_COUNTED);
        }
    }
}

/* ---- The host's side --------------------------------------------------------------------------------------------- */

kz_status fail(kz_error *error, cudaError_t code) {
    return kz_fail(error, code == cudaErrorMemoryAllocation ? KZ_ERR_MEMORY : KZ_ERR_IO, "the graphics card says: %s",
                   cudaGetErrorString(code));
}

kz_status status_of(cudaError_t code, kz_error *error) { return code == cudaSuccess ? KZ_OK : fail(error, code); }

/* Takes `count` things to the card; `from` NULL: zeros. */
template <class T> cudaError_t upload(Card *card, T **array, const void *from, size_t count) {
    void *memory = nullptr;
    cudaError_t code = cudaMalloc(&memory, count * sizeof(T));
    if (code != cudaSuccess) {
        return code;
    }
    card->arrays[card->array_count++] = memory;
    *array = (T *)memory;
    return from ? cudaMemcpy(memory, from, count * sizeof(T), cudaMemcpyHostToDevice)
                : cudaMemset(memory, 0, count * sizeof(T));
}

/* The space with its lists, all on the card. */
cudaError_t upload_space(Card *card) {
    const kz_dobutsu_space *from = card->state.space;
    auto *space = (kz_dobutsu_space *)malloc(sizeof(kz_dobutsu_space));
    if (!space) {
        return cudaErrorMemoryAllocation;
    }
    *space = *from;
    size_t folded = from->rankings - from->unfolded_rankings;
    cudaError_t code = upload(card, &space->giraffe_offset, from->giraffe_offset, folded);
    auto next = [&](auto **array, const void *list, size_t count) {
        code = code == cudaSuccess ? upload(card, array, list, count) : code;
    };
    next(&space->octets, from->octets, from->unfolded_rankings);
    next(&space->chick_rank, from->chick_rank, folded);
    next(&space->chick_state, from->chick_state, from->rankings);
    next(&space->runs, from->runs, from->solved_runs);
    space->chick_states = nullptr; /* no kernel uses them */
    space->slices = nullptr;
    kz_dobutsu_space *on_card = nullptr;
    next(&on_card, space, 1);
    card->memory.space = on_card;
    card->memory.runs = from->solved_runs;
    free(space);
    return code;
}

cudaError_t upload_all(Card *card) {
    const kz_dobutsu_card_state *state = &card->state;
    Memory *m = &card->memory;
    kz_dobutsu_unmoves *unmoves = nullptr;
    cudaError_t code = upload_space(card);
    auto next = [&](auto **array, const void *list, size_t count) {
        code = code == cudaSuccess ? upload(card, array, list, count) : code;
    };
    next(&unmoves, state->unmoves, 1);
    m->unmoves = unmoves;
    next(&m->cells, state->cells, CELLS / 4);
    if (state->odd_ones) {
        next(&m->odd_ones, state->odd_ones, 2 * (size_t)ODD_WORDS);
    }
    next(&m->frontier[0], state->frontier[0], LINES);
    next(&m->frontier[1], state->frontier[1], LINES);
    next(&m->expanded, nullptr, 1);
    return code;
}

void close_card(Card *card) {
    cudaDeviceSynchronize();
    for (int i = 0; i < card->array_count; i++) {
        cudaFree(card->arrays[i]);
    }
    free(card);
}

kz_status check_card(kz_error *error) {
    int devices = 0;
    cudaError_t code = cudaGetDeviceCount(&devices);
    return code == cudaSuccess && devices > 0
               ? KZ_OK
               : kz_fail(error, KZ_ERR_UNSUPPORTED, "no graphics card that CUDA can use: %s",
                         code == cudaSuccess ? "there is none" : cudaGetErrorString(code));
}

Card *open_card(kz_dobutsu_retro *retro, kz_error *error) {
    auto *card = (Card *)calloc(1, sizeof(Card));
    if (!card) {
        kz_fail(error, KZ_ERR_MEMORY, "no memory for the solver");
        return nullptr;
    }
    kz_dobutsu_card_state_of(retro, &card->state);
    int processors = 0;
    cudaError_t code = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
    card->blocks = processors * BLOCKS_FOR_EACH;
    if (code == cudaSuccess) {
        code = upload_all(card);
    }
    if (code != cudaSuccess) {
        fail(error, code);
        close_card(card);
        return nullptr;
    }
    return card;
}

/* Has `launch` expand positions, and tells how many they were. */
template <typename Launch>
kz_status expand_on_card(const Memory &m, Launch launch, uint64_t *expanded, kz_error *error) {
    cudaError_t code = cudaMemset(m.expanded, 0, sizeof *m.expanded);
    if (code == cudaSuccess) {
        launch();
        code = cudaGetLastError();
    }
    if (code == cudaSuccess) {
        unsigned long long count = 0;
        code = cudaMemcpy(&count, m.expanded, sizeof count, cudaMemcpyDeviceToHost);
        *expanded = count;
    }
    return status_of(code, error);
}

kz_status count_on_card(Card *card, uint64_t *open, kz_error *error) {
    const Memory &m = card->memory;
    auto launch = [&] { expand<COUNT><<<card->blocks, WARPS * WARP>>>(m, 0, false); };
    return expand_on_card(m, launch, open, error);
}

kz_status propagate_on_card(Card *card, bool wins, int n, uint64_t *expanded, kz_error *error) {
    const Memory &m = card->memory;
    bool odd = wins != (n & 1);
    *expanded = 0;
    if (odd && !m.odd_ones) {
        return KZ_OK; /* by the official rules there are none */
    }
    auto launch = [&] {
        if (wins) {
            expand<REFUTE><<<card->blocks, WARPS * WARP>>>(m, n, odd);
        } else {
            expand<WIN><<<card->blocks, WARPS * WARP>>>(m, n, odd);
        }
    };
    return expand_on_card(m, launch, expanded, error);
}

kz_status settle_on_card(Card *card, kz_error *error) {
    settle_all<<<card->blocks, WARPS * WARP>>>(card->memory);
    return status_of(cudaGetLastError(), error);
}

kz_status clear_on_card(Card *card, int n, kz_error *error) {
    return status_of(cudaMemset(card->memory.frontier[n & 1], 0, LINES), error);
}

kz_status fetch_from_card(Card *card, kz_error *error) {
    const Memory &m = card->memory;
    cudaError_t code = cudaMemcpy(card->state.cells, m.cells, CELLS, cudaMemcpyDeviceToHost);
    if (code == cudaSuccess && m.odd_ones) {
        code = cudaMemcpy(card->state.odd_ones, m.odd_ones, ODD_WORDS * sizeof(uint64_t), cudaMemcpyDeviceToHost);
    }
    return status_of(code, error);
}

const kz_dobutsu_card_calls card_calls = {
    .check = check_card,
    .open = open_card,
    .close = close_card,
    .count = count_on_card,
    .propagate = propagate_on_card,
    .settle = settle_on_card,
    .clear = clear_on_card,
    .fetch = fetch_from_card,
};

} // namespace

extern "C" const kz_dobutsu_card_calls *kz_module_dobutsu_solver(void) { return &card_calls; }
