/* SPDX-License-Identifier: MIT
 *
 * Push Fight on a graphics card, as card.h promises: the state lies in the card's memory, in the layout of
 * games/pushfight/solve/page.h, and all slices of a sweep are done by a few large kernels.
 *
 * Besides what the sweeps on processors do, this one notes which runs the last phase changed. So it can leave out what
 * none of them touches, by slice and alpha: that has the same words as two phases ago. */
#include "games/pushfight/cuda/solver.cuh"

namespace kz_cuda {

enum {
    BATCH = 1024,        /* slices at a time: their words take 0.8 GiB */
    MOST_STUCK = 1 << 24 /* runs without a legal turn */
};

/* ---- Opening and closing ----------------------------------------------------------------------------------------- */

static void close_solver(Solver *s) {
    if (s->stream) {
        cudaStreamSynchronize(s->stream);
        cudaStreamDestroy(s->stream);
    }
    for (int i = 0; i < s->array_count; i++) {
        cudaFree(s->arrays[i]);
    }
    cudaFreeHost(s->fetched);
    kz_big_free(s->mirror, s->mirror ? mirror_bytes(s) : 0);
    free(s->first_runs);
    free(s->known[0]);
    free(s->known[1]);
    free(s->list);
    free(s->counts);
    free(s->host_marked);
    free(s->host_bit_place);
    free(s->host_mark_place);
    kz_pf_tables_close(s->tables);
    kz_pf_space_close(s->space);
    free(s);
}

template <class T> static bool make(T **array, uint64_t count) {
    *array = (T *)calloc(count, sizeof(T));
    return *array != nullptr;
}

static bool make_host_arrays(Solver *s) {
    uint64_t sets = s->space->own_sets;
    return make(&s->first_runs, sets + 1) && make(&s->known[0], sets) && make(&s->known[1], sets) &&
           make(&s->list, sets) && make(&s->counts, sets * KZ_PF_MOST_PIECES) && make(&s->host_marked, sets) &&
           make(&s->host_bit_place, sets + 1) && make(&s->host_mark_place, sets + 1);
}

static cudaError_t make_device_arrays(Solver *s) {
    const Rules *rules = &s->rules;
    uint64_t sets = rules->own_sets;
    uint64_t batch = std::min<uint64_t>(BATCH, sets);
    bool needs_spare = false;
    cudaError_t error = set_up_dilation(*rules, &needs_spare);
    auto next = [&](auto **array, uint64_t count) { error = error == cudaSuccess ? allocate(s, array, count) : error; };
    next(&s->state.pairs, s->space->pairs);
    next(&s->state.bases, sets * rules->groups);
    /* The same memory takes the marks of at least one page. */
    uint64_t page = (uint64_t)rules->sets * KZ_PF_WIN_BITS;
    s->values_bytes = std::max<uint64_t>(batch * rules->sets * (uint64_t)rules->pieces * sizeof *s->values, 2 * page);
    next(&s->values, s->values_bytes / sizeof *s->values + 1);
    next(&s->spare, needs_spare ? batch * (uint64_t)rules->pieces * rules->rests : 0);
    next(&s->slices, sets);
    next(&s->need, sets);
    next(&s->decided[0], sets * KZ_PF_MOST_PIECES);
    next(&s->decided[1], sets * KZ_PF_MOST_PIECES);
    next(&s->changed, sets);
    next(&s->touched, sets);
    next(&s->fresh, 1);
    next(&s->device_first_runs, sets + 1);
    next(&s->marked, sets);
    next(&s->bit_place, sets + 1);
    next(&s->mark_place, sets + 1);
    return error;
}

static kz_status set_up(Solver *s, const kz_pf_board *board, kz_error *error) {
    KZ_TRY(kz_pf_space_open(board, &s->space, error));
    KZ_TRY(kz_pf_tables_open(s->space, &s->tables, error));
    if (!make_host_arrays(s)) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for the sweep");
    }
    KZ_TRY(make_rules(s, error));
    cudaError_t code = make_device_arrays(s);
    if (code == cudaSuccess) {
        code = make_moves(s);
    }
    if (code == cudaErrorMemoryAllocation) {
        return kz_fail(error, KZ_ERR_MEMORY, "the graphics card's memory is too small for the board '%s'", board->name);
    }
    return code == cudaSuccess ? KZ_OK : fail(error, code);
}

static kz_status open_solver(int rules, kz_pf_card **opened, kz_error *error) {
    int devices = 0;
    cudaError_t code = cudaGetDeviceCount(&devices);
    if (code != cudaSuccess || devices == 0) {
        return kz_fail(error, KZ_ERR_UNSUPPORTED, "no graphics card that CUDA can use: %s",
                       code == cudaSuccess ? "there is none" : cudaGetErrorString(code));
    }
    auto *s = (Solver *)calloc(1, sizeof(Solver));
    if (!s) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for the solver");
    }
    code = cudaStreamCreateWithFlags(&s->stream, cudaStreamNonBlocking);
    kz_status status = code == cudaSuccess ? set_up(s, kz_pf_board_at(rules), error) : fail(error, code);
    if (status != KZ_OK) {
        close_solver(s);
        return status;
    }
    *opened = s;
    return KZ_OK;
}

/* ---- Phases -1 and 0 --------------------------------------------------------------------------------------------- */

static cudaError_t start_slices(Solver *s, StartCounts *counts, uint64_t *stuck) {
    uint32_t sets = s->rules.own_sets;
    for (uint32_t i = 0; i < sets; i++) {
        s->list[i] = i;
    }
    CUDA_TRY(copy_in(s, s->slices, s->list, sets));
    for (uint32_t first = 0; first < sets; first += BATCH) {
        Batch batch = {s->slices + first, std::min<uint32_t>(BATCH, sets - first)};
        CUDA_TRY(seed_start(s->rules, batch, s->values, s->stream));
        CUDA_TRY(dilate(s->rules, s->moves, batch, 2, nullptr, nullptr, s->values, s->spare, s->stream));
        CUDA_TRY(place_start(s->rules, batch, s->values, s->state, counts, stuck, MOST_STUCK, s->stream));
    }
    return cudaSuccess;
}

/* Counts the runs, gives them memory, and numbers them. */
static cudaError_t lay_out(Solver *s, const uint64_t *stuck, uint64_t stuck_count) {
    uint32_t sets = s->rules.own_sets;
    CUDA_TRY(measure_pages(s->rules, s->state, s->device_first_runs + 1, s->stream));
    CUDA_TRY(copy_out(s, s->first_runs + 1, s->device_first_runs + 1, sets));
    s->first_runs[0] = 0;
    for (uint32_t page = 0; page < sets; page++) {
        s->first_runs[page + 1] += s->first_runs[page];
    }
    s->run_count = s->first_runs[sets];
    CUDA_TRY(copy_in(s, s->device_first_runs, s->first_runs, (uint64_t)sets + 1));
    CUDA_TRY(allocate(s, &s->state.runs, s->run_count + 1));
    CUDA_TRY(cudaMemsetAsync(s->state.runs, 0, mirror_bytes(s), s->stream));
    CUDA_TRY(place_pages(s->rules, s->state, s->device_first_runs, stuck, stuck_count, s->stream));
    return cudaStreamSynchronize(s->stream);
}

/* Notes the pages that have runs without a legal turn. */
static cudaError_t note_stuck(const Solver *s, const uint64_t *stuck, uint64_t count, uint8_t *pages) {
    memset(pages, 0, s->rules.own_sets);
    auto *items = (uint64_t *)malloc((count + 1) * sizeof(uint64_t));
    cudaError_t error = items ? copy_out(s, items, stuck, count) : cudaErrorMemoryAllocation;
    for (uint64_t i = 0; error == cudaSuccess && i < count; i++) {
        pages[(items[i] >> 6) / s->rules.sets] = 1;
    }
    free(items);
    return error;
}

/* Phases -1 and 0. The counts and the runs that are stuck are on the card. */
static cudaError_t start(Solver *s, StartCounts *device_counts, uint64_t *stuck, StartCounts *counts,
                         uint8_t *stuck_pages) {
    CUDA_TRY(cudaMemsetAsync(device_counts, 0, sizeof *device_counts, s->stream));
    CUDA_TRY(start_slices(s, device_counts, stuck));
    CUDA_TRY(copy_out(s, counts, device_counts, 1));
    if (counts->listed > MOST_STUCK) {
        return cudaSuccess; /* the caller says so */
    }
    CUDA_TRY(lay_out(s, stuck, counts->listed));
    return note_stuck(s, stuck, counts->listed, stuck_pages);
}

/* ---- Later phases ------------------------------------------------------------------------------------------------ */

/* Takes what `restore` changed to the card. Counts from before are of no use then. */
static cudaError_t take_mirror(Solver *s) {
    if (!s->mirror) {
        return cudaSuccess;
    }
    cudaError_t error = copy_in(s, s->state.runs, s->mirror, s->run_count);
    kz_big_free(s->mirror, mirror_bytes(s));
    s->mirror = nullptr;
    memset(s->known[0], 0, s->rules.own_sets);
    memset(s->known[1], 0, s->rules.own_sets);
    return error;
}

/* Makes the list of slices to sweep, and what is needed of them whatever has changed. */
static cudaError_t choose_slices(Solver *s, int parity, uint32_t first, uint32_t count, const uint8_t *changed,
                                 uint32_t *chosen) {
    auto *touched = (uint8_t *)s->counts; /* both are free until the sweep is done */
    uint32_t *need = s->counts + s->rules.own_sets;
    uint32_t all = (UINT32_C(1) << s->rules.pieces) - 1;
    CUDA_TRY(copy_in(s, s->changed, changed, s->rules.own_sets));
    CUDA_TRY(find_touched(s->rules, first, count, s->changed, s->touched, s->stream));
    CUDA_TRY(copy_out(s, touched, s->touched, count));
    *chosen = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (touched[i]) {
            s->list[(*chosen)++] = first + i;
        }
        need[i] = touched[i] && !s->known[parity][first + i] ? all : 0;
    }
    CUDA_TRY(copy_in(s, s->need + first, need, count));
    return copy_in(s, s->slices, s->list, *chosen);
}

static cudaError_t sweep_slices(Solver *s, int parity, uint32_t count) {
    bool losses = parity == 1;
    CUDA_TRY(cudaMemsetAsync(s->fresh, 0, sizeof *s->fresh, s->stream));
    for (uint32_t first = 0; first < count; first += BATCH) {
        Batch batch = {s->slices + first, std::min<uint32_t>(BATCH, count - first)};
        CUDA_TRY(seed_sweep(s->rules, batch, s->state, losses, s->values, s->need, s->stream));
        CUDA_TRY(dilate(s->rules, s->moves, batch, s->rules.pieces, s->need, s->decided[parity], s->values, s->spare,
                        s->stream));
        CUDA_TRY(mark_sweep(s->rules, batch, s->state, losses, s->values, s->need, s->decided[parity], s->fresh,
                            s->stream));
    }
    return cudaSuccess;
}

static cudaError_t sweep(Solver *s, int parity, uint32_t first, uint32_t count, const uint8_t *changed,
                         uint32_t *chosen, unsigned long long *found) {
    CUDA_TRY(take_mirror(s));
    CUDA_TRY(choose_slices(s, parity, first, count, changed, chosen));
    CUDA_TRY(sweep_slices(s, parity, *chosen));
    CUDA_TRY(copy_out(s, found, s->fresh, 1));
    return copy_out(s, s->counts, s->decided[parity] + (uint64_t)first * KZ_PF_MOST_PIECES,
                    (uint64_t)count * KZ_PF_MOST_PIECES);
}

} // namespace kz_cuda

/* ---- The functions of the module --------------------------------------------------------------------------------- */

using namespace kz_cuda;

kz_status kz_module_pushfight_open(int rules, kz_pf_card **opened, kz_error *error) {
    return open_solver(rules, opened, error);
}

void kz_module_pushfight_close(kz_pf_card *card) { close_solver((Solver *)card); }

kz_status kz_module_pushfight_start(kz_pf_card *card, uint8_t *stuck_pages, kz_pf_amount *lost, kz_pf_amount *won,
                                    kz_error *error) {
    auto *s = (Solver *)card;
    StartCounts *device_counts = nullptr;
    uint64_t *stuck = nullptr;
    StartCounts counts = {};
    cudaError_t code = cudaMalloc(&device_counts, sizeof *device_counts);
    if (code == cudaSuccess) {
        code = cudaMalloc(&stuck, MOST_STUCK * sizeof *stuck);
    }
    if (code == cudaSuccess) {
        code = start(s, device_counts, stuck, &counts, stuck_pages);
    }
    cudaFree(device_counts);
    cudaFree(stuck);
    uint64_t sigmas = (uint64_t)s->space->anchored_splits;
    uint64_t turns = kz_pf_turned(s->space);
    s->total = {s->space->positions * turns, counts.anchored * sigmas};
    *won = {counts.wins * sigmas * turns, counts.anchored_wins * sigmas};
    *lost = {counts.stuck * sigmas * turns, counts.anchored_stuck * sigmas};
    if (code == cudaSuccess && counts.listed > MOST_STUCK) {
        return kz_fail(error, KZ_ERR_UNSUPPORTED, "too many positions without a turn for a graphics card: %llu runs",
                       counts.listed);
    }
    return code == cudaSuccess ? KZ_OK : fail(error, code);
}

kz_status kz_module_pushfight_sweep(kz_pf_card *card, int phase, uint64_t first, uint64_t count,
                                    const uint8_t *changed, uint32_t *decided, uint64_t *fresh, uint64_t *swept,
                                    kz_error *error) {
    auto *s = (Solver *)card;
    int parity = phase & 1;
    uint32_t chosen = 0;
    unsigned long long found = 0;
    cudaError_t code = sweep(s, parity, (uint32_t)first, (uint32_t)count, changed, &chosen, &found);
    if (code != cudaSuccess) {
        return fail(error, code);
    }
    for (uint32_t i = 0; i < chosen; i++) {
        uint32_t slice = s->list[i];
        const uint32_t *parts = s->counts + (slice - first) * KZ_PF_MOST_PIECES;
        uint64_t sum = 0;
        for (int alpha = 0; alpha < s->rules.pieces; alpha++) {
            sum += parts[alpha];
        }
        decided[slice] = (uint32_t)(sum * kz_pf_turned(s->space));
        s->known[parity][slice] = 1;
    }
    *fresh += found;
    *swept += chosen;
    return KZ_OK;
}
