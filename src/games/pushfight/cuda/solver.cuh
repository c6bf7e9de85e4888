/* SPDX-License-Identifier: MIT
 *
 * What a solver on a graphics card keeps, for the files of its host side: tables.cu makes what never changes, solver.cu
 * runs the phases, pages.cu takes results out and puts saved ones in. */
#ifndef KZ_CUDA_SOLVER_CUH
#define KZ_CUDA_SOLVER_CUH

#include "games/pushfight/cuda/kernels.cuh"

#include <algorithm>
#include <stdlib.h>
#include <string.h>

extern "C" {
#include "base/bigmem.h"
#include "base/error.h"
#include "games/pushfight/cuda/card.h"
}

namespace kz_cuda {

enum { MOST_DEVICE_ARRAYS = 64 /* that one solver has */ };

struct Solver : kz_pf_card {
    Rules rules;
    Moves moves;
    State state;
    cudaStream_t stream;
    void *arrays[MOST_DEVICE_ARRAYS]; /* all of the card's memory that it has */
    int array_count;

    /* On the card, for sweeps. */
    uint64_t *values;
    uint64_t values_bytes;
    uint64_t *spare;
    uint32_t *slices;     /* [own_sets]: a list */
    uint32_t *need;       /* [own_sets] */
    uint32_t *decided[2]; /* [own_sets][KZ_PF_MOST_PIECES] */
    uint8_t *changed;     /* [own_sets] */
    uint8_t *touched;     /* [own_sets] */
    unsigned long long *fresh;
    uint64_t *device_first_runs;
    uint32_t *marked;     /* [own_sets] */
    uint64_t *bit_place;  /* [own_sets + 1] */
    uint64_t *mark_place; /* [own_sets + 1] */

    /* On the host. */
    uint8_t *known[2]; /* [own_sets]: `decided` holds this slice's counts */
    uint32_t *list;    /* [own_sets] */
    uint32_t *counts;  /* [own_sets][KZ_PF_MOST_PIECES] */
    uint64_t fetched_room;
};

inline kz_status fail(kz_error *error, cudaError_t code) {
    return kz_fail(error, code == cudaErrorMemoryAllocation ? KZ_ERR_MEMORY : KZ_ERR_IO, "the graphics card says: %s",
                   cudaGetErrorString(code));
}

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

template <class T> cudaError_t allocate(Solver *s, T **array, uint64_t count) {
    if (s->array_count == MOST_DEVICE_ARRAYS) {
        return cudaErrorMemoryAllocation;
    }
    void *memory = nullptr;
    CUDA_TRY(cudaMalloc(&memory, std::max<uint64_t>(count, 1) * sizeof(T)));
    s->arrays[s->array_count++] = memory;
    *array = (T *)memory;
    return cudaSuccess;
}

template <class T> cudaError_t upload(Solver *s, const T **array, const T *from, uint64_t count) {
    T *memory = nullptr;
    CUDA_TRY(allocate(s, &memory, count));
    *array = memory;
    return cudaMemcpy(memory, from, count * sizeof(T), cudaMemcpyHostToDevice);
}

template <class T> cudaError_t copy_out(const Solver *s, T *to, const T *from, uint64_t count) {
    CUDA_TRY(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyDeviceToHost, s->stream));
    return cudaStreamSynchronize(s->stream);
}

template <class T> cudaError_t copy_in(const Solver *s, T *to, const T *from, uint64_t count) {
    CUDA_TRY(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyHostToDevice, s->stream));
    return cudaStreamSynchronize(s->stream);
}

inline uint64_t mirror_bytes(const Solver *s) { return (s->run_count + 1) * sizeof *s->mirror; }

/* ---- tables.cu --------------------------------------------------------------------------------------------------- */

/* The board for the kernels, and the components of all slices. The second uses s->need, s->list and s->first_runs. */
kz_status make_rules(Solver *s, kz_error *error);
cudaError_t make_moves(Solver *s);

} // namespace kz_cuda

#endif
