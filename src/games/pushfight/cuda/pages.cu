/* SPDX-License-Identifier: MIT
 *
 * Pages from the card to the host: the marks of a phase, and what is known of positions. */
#include "games/pushfight/cuda/solver.cuh"

namespace kz_cuda {

/* ---- Marks ------------------------------------------------------------------------------------------------------- */

/* Where the marks of each page go; pages without any have no place. */
static cudaError_t place_marks(Solver *s) {
    uint32_t sets = s->rules.own_sets;
    CUDA_TRY(count_marks(s->state, s->device_first_runs, 0, sets, s->marked, s->stream));
    CUDA_TRY(copy_out(s, s->host_marked, s->marked, sets));
    for (uint32_t page = 0; page < sets; page++) {
        uint64_t bits = std::min<uint64_t>(s->host_marked[page], (kz_pf_run_count(s->first_runs, page) + 31) / 32);
        s->host_bit_place[page + 1] = s->host_bit_place[page] + bits;
        s->host_mark_place[page + 1] = s->host_mark_place[page] + s->host_marked[page];
    }
    CUDA_TRY(copy_in(s, s->bit_place, s->host_bit_place, (uint64_t)sets + 1));
    return copy_in(s, s->mark_place, s->host_mark_place, (uint64_t)sets + 1);
}

static cudaError_t make_room(Solver *s, uint64_t bytes) {
    if (bytes <= s->fetched_room) {
        return cudaSuccess;
    }
    cudaFreeHost(s->fetched);
    s->fetched = nullptr;
    s->fetched_room = 0;
    CUDA_TRY(cudaMallocHost(&s->fetched, bytes));
    s->fetched_room = bytes;
    return cudaSuccess;
}

static uint64_t bit_bytes(const Solver *s, uint32_t first, uint32_t end) {
    return (s->host_bit_place[end] - s->host_bit_place[first]) * sizeof(uint32_t);
}

static uint64_t mark_bytes(const Solver *s, uint32_t first, uint32_t end) {
    return s->host_mark_place[end] - s->host_mark_place[first];
}

/* As many pages at a time as there is room for on the card. */
static cudaError_t fetch_marks(Solver *s, bool losses, bool settle) {
    uint32_t sets = s->rules.own_sets;
    for (uint32_t first = 0, end = 0; first < sets; first = end) {
        for (end = first + 1; end < sets; end++) {
            if (bit_bytes(s, first, end + 1) + mark_bytes(s, first, end + 1) > s->values_bytes) {
                break;
            }
        }
        auto *bits = (uint32_t *)s->values;
        uint8_t *marks = (uint8_t *)s->values + bit_bytes(s, first, end);
        CUDA_TRY(pack_marks(s->state, s->device_first_runs, first, end - first, losses, settle, s->marked,
                            s->bit_place, s->mark_place, bits, marks, s->stream));
        if (mark_bytes(s, first, end)) {
            CUDA_TRY(copy_out(s, s->fetched + bit_bytes(s, 0, first), (uint8_t *)bits, bit_bytes(s, first, end)));
            CUDA_TRY(copy_out(s, s->fetched + s->fetched_marks + mark_bytes(s, 0, first), marks,
                              mark_bytes(s, first, end)));
        }
    }
    return cudaStreamSynchronize(s->stream);
}

static cudaError_t fetch(Solver *s, bool losses, bool settle) {
    uint32_t sets = s->rules.own_sets;
    CUDA_TRY(place_marks(s));
    s->fetched_marks = bit_bytes(s, 0, sets);
    CUDA_TRY(make_room(s, s->fetched_marks + mark_bytes(s, 0, sets)));
    return fetch_marks(s, losses, settle);
}

} // namespace kz_cuda

using kz_cuda::Solver;

kz_status kz_module_pushfight_fetch(kz_pf_card *card, int phase, bool settle, kz_error *error) {
    cudaError_t code = kz_cuda::fetch((Solver *)card, phase % 2 == 1, settle);
    return code == cudaSuccess ? KZ_OK : kz_cuda::fail(error, code);
}

kz_status kz_module_pushfight_runs(const kz_pf_card *card, uint64_t first, uint64_t count, uint16_t *runs,
                                   kz_error *error) {
    auto *s = (const Solver *)card;
    cudaError_t code = cudaMemcpy(runs, s->state.runs + first, count * sizeof *runs, cudaMemcpyDeviceToHost);
    return code == cudaSuccess ? KZ_OK : kz_cuda::fail(error, code);
}

kz_status kz_module_pushfight_pairs(const kz_pf_card *card, uint64_t page, uint64_t *pairs, kz_error *error) {
    auto *s = (const Solver *)card;
    uint64_t sets = s->space->enemy_sets;
    cudaError_t code = cudaMemcpy(pairs, s->state.pairs + page * sets, sets * sizeof *pairs, cudaMemcpyDeviceToHost);
    return code == cudaSuccess ? KZ_OK : kz_cuda::fail(error, code);
}
