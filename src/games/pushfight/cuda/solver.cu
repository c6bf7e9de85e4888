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

/* ---- Opening and closing -------------------------------------------------------------------------------------------
 */

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

static uint64_t sigmas(const Solver *s) { return (uint64_t)s->space->anchored_splits; }

/* ---- Phases -1 and 0 -----------------------------------------------------------------------------------------------
 */

static cudaError_t start_blocks(Solver *s, StartCounts *counts, uint64_t *stuck) {
    uint32_t sets = s->rules.own_sets;
    for (uint32_t i = 0; i < sets; i++) {
        s->list[i] = i;
    }
    cudaError_t error = copy_in(s, s->slices, s->list, sets);
    for (uint32_t first = 0; error == cudaSuccess && first < sets; first += BATCH) {
        Batch batch = {s->slices + first, std::min<uint32_t>(BATCH, sets - first)};
        error = seed_start(s->rules, batch, s->values, s->stream);
        if (error == cudaSuccess) {
            error = dilate(s->rules, s->moves, batch, 2, nullptr, nullptr, s->values, s->spare, s->stream);
        }
        if (error == cudaSuccess) {
            error = place_start(s->rules, batch, s->values, s->state, counts, stuck, MOST_STUCK, s->stream);
        }
    }
    return error;
}

/* Counts the runs, gives them memory, and numbers them. */
static cudaError_t lay_out(Solver *s, const uint64_t *stuck, uint64_t stuck_count) {
    uint32_t sets = s->rules.own_sets;
    cudaError_t error = measure_pages(s->rules, s->state, s->device_first_runs + 1, s->stream);
    if (error == cudaSuccess) {
        error = copy_out(s, s->first_runs + 1, s->device_first_runs + 1, sets);
    }
    s->first_runs[0] = 0;
    for (uint32_t page = 0; page < sets; page++) {
        s->first_runs[page + 1] += s->first_runs[page];
    }
    s->run_count = s->first_runs[sets];
    if (error == cudaSuccess) {
        error = copy_in(s, s->device_first_runs, s->first_runs, (uint64_t)sets + 1);
    }
    if (error == cudaSuccess) {
        error = allocate(s, &s->state.runs, s->run_count + 1);
    }
    if (error == cudaSuccess) {
        error = cudaMemsetAsync(s->state.runs, 0, mirror_bytes(s), s->stream);
    }
    if (error == cudaSuccess) {
        error = place_pages(s->rules, s->state, s->device_first_runs, stuck, stuck_count, s->stream);
    }
    return error == cudaSuccess ? cudaStreamSynchronize(s->stream) : error;
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

static kz_status start_all(Solver *s, uint8_t *stuck_pages, kz_pf_amount *lost, kz_pf_amount *won, kz_error *error) {
    StartCounts *device_counts = nullptr;
    uint64_t *stuck = nullptr;
    StartCounts counts = {};
    cudaError_t code = cudaMalloc(&device_counts, sizeof *device_counts);
    if (code == cudaSuccess) {
        code = cudaMalloc(&stuck, MOST_STUCK * sizeof *stuck);
    }
    if (code == cudaSuccess) {
        code = cudaMemsetAsync(device_counts, 0, sizeof *device_counts, s->stream);
    }
    if (code == cudaSuccess) {
        code = start_blocks(s, device_counts, stuck);
    }
    if (code == cudaSuccess) {
        code = copy_out(s, &counts, device_counts, 1);
    }
    kz_status status = KZ_OK;
    if (code == cudaSuccess && counts.listed > MOST_STUCK) {
        status = kz_fail(error, KZ_ERR_UNSUPPORTED, "too many positions without a turn for a graphics card: %llu runs",
                         counts.listed);
    } else if (code == cudaSuccess) {
        code = lay_out(s, stuck, counts.listed);
    }
    if (status == KZ_OK && code == cudaSuccess) {
        code = note_stuck(s, stuck, counts.listed, stuck_pages);
    }
    cudaFree(device_counts);
    cudaFree(stuck);
    if (code != cudaSuccess) {
        status = fail(error, code);
    }
    s->total = {s->space->positions * kz_pf_turned(s->space), counts.anchored * sigmas(s)};
    *won = {counts.wins * sigmas(s) * kz_pf_turned(s->space), counts.anchored_wins * sigmas(s)};
    *lost = {counts.stuck * sigmas(s) * kz_pf_turned(s->space), counts.anchored_stuck * sigmas(s)};
    return status;
}

/* ---- Later phases --------------------------------------------------------------------------------------------------
 */

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
static cudaError_t choose_blocks(Solver *s, int parity, uint32_t first, uint32_t count, const uint8_t *changed,
                                 uint32_t *chosen) {
    auto *touched = (uint8_t *)s->counts; /* both are free until the sweep is done */
    uint32_t *need = s->counts + s->rules.own_sets;
    uint32_t all = (UINT32_C(1) << s->rules.pieces) - 1;
    cudaError_t error = copy_in(s, s->changed, changed, s->rules.own_sets);
    if (error == cudaSuccess) {
        error = find_touched(s->rules, first, count, s->changed, s->touched, s->stream);
    }
    if (error == cudaSuccess) {
        error = copy_out(s, touched, s->touched, count);
    }
    *chosen = 0;
    for (uint32_t i = 0; error == cudaSuccess && i < count; i++) {
        if (touched[i]) {
            s->list[(*chosen)++] = first + i;
        }
        need[i] = touched[i] && !s->known[parity][first + i] ? all : 0;
    }
    if (error == cudaSuccess) {
        error = copy_in(s, s->need + first, need, count);
    }
    return error == cudaSuccess ? copy_in(s, s->slices, s->list, *chosen) : error;
}

static cudaError_t sweep_blocks(Solver *s, int parity, uint32_t count) {
    bool losses = parity == 1;
    cudaError_t error = cudaMemsetAsync(s->fresh, 0, sizeof *s->fresh, s->stream);
    for (uint32_t first = 0; error == cudaSuccess && first < count; first += BATCH) {
        Batch batch = {s->slices + first, std::min<uint32_t>(BATCH, count - first)};
        error = seed_sweep(s->rules, batch, s->state, losses, s->values, s->need, s->stream);
        if (error == cudaSuccess) {
            error = dilate(s->rules, s->moves, batch, s->rules.pieces, s->need, s->decided[parity], s->values, s->spare,
                           s->stream);
        }
        if (error == cudaSuccess) {
            error = mark_sweep(s->rules, batch, s->state, losses, s->values, s->need, s->decided[parity], s->fresh,
                               s->stream);
        }
    }
    return error;
}

static kz_status sweep_range(Solver *s, int phase, uint64_t first, uint64_t count, const uint8_t *changed,
                             uint32_t *decided, uint64_t *fresh, uint64_t *swept, kz_error *error) {
    int parity = phase & 1;
    uint32_t chosen = 0;
    unsigned long long found = 0;
    cudaError_t code = take_mirror(s);
    if (code == cudaSuccess) {
        code = choose_blocks(s, parity, (uint32_t)first, (uint32_t)count, changed, &chosen);
    }
    if (code == cudaSuccess) {
        code = sweep_blocks(s, parity, chosen);
    }
    if (code == cudaSuccess) {
        code = copy_out(s, &found, s->fresh, 1);
    }
    if (code == cudaSuccess) {
        code = copy_out(s, s->counts, s->decided[parity] + first * KZ_PF_MOST_PIECES, count * KZ_PF_MOST_PIECES);
    }
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

} // namespace kz_cuda

using kz_cuda::Solver;

kz_status kz_module_pushfight_open(int rules, kz_pf_card **opened, kz_error *error) {
    return kz_cuda::open_solver(rules, opened, error);
}

void kz_module_pushfight_close(kz_pf_card *card) { kz_cuda::close_solver((Solver *)card); }

kz_status kz_module_pushfight_start(kz_pf_card *card, uint8_t *stuck, kz_pf_amount *lost, kz_pf_amount *won,
                                    kz_error *error) {
    return kz_cuda::start_all((Solver *)card, stuck, lost, won, error);
}

kz_status kz_module_pushfight_sweep(kz_pf_card *card, int phase, uint64_t first, uint64_t count,
                                    const uint8_t *changed, uint32_t *decided, uint64_t *fresh, uint64_t *swept,
                                    kz_error *error) {
    return kz_cuda::sweep_range((Solver *)card, phase, first, count, changed, decided, fresh, swept, error);
}
