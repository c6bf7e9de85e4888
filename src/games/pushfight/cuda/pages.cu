/* SPDX-License-Identifier: MIT
 *
 * Pages between the card and the host: the marks of a phase, saved ones that are put back, and the table's numbers. */
#include "games/pushfight/cuda/solver.cuh"

namespace kz_cuda {


/* ---- Marks ---------------------------------------------------------------------------------------------------------
 */

size_t page_runs(const void *context, uint64_t page) {
    const Solver *s = solver_of(context);
    return s->first_runs[page + 1] - s->first_runs[page];
}

/* Where the marks of each page go; pages without any have no place. */
static cudaError_t place_marks(Solver *s) {
    uint32_t sets = s->rules.own_sets;
    cudaError_t error = count_marks(s->state, s->device_first_runs, 0, sets, s->marked, s->stream);
    if (error == cudaSuccess) {
        error = copy_out(s, s->host_marked, s->marked, sets);
    }
    for (uint32_t page = 0; error == cudaSuccess && page < sets; page++) {
        uint64_t bits = std::min<uint64_t>(s->host_marked[page], (page_runs(s, page) + 31) / 32);
        s->host_bit_place[page + 1] = s->host_bit_place[page] + bits;
        s->host_mark_place[page + 1] = s->host_mark_place[page] + s->host_marked[page];
    }
    if (error == cudaSuccess) {
        error = copy_in(s, s->bit_place, s->host_bit_place, (uint64_t)sets + 1);
    }
    if (error == cudaSuccess) {
        error = copy_in(s, s->mark_place, s->host_mark_place, (uint64_t)sets + 1);
    }
    return error;
}

static cudaError_t make_room(Solver *s, uint64_t bytes) {
    if (bytes <= s->fetched_room) {
        return cudaSuccess;
    }
    cudaFreeHost(s->fetched);
    s->fetched = nullptr;
    s->fetched_room = 0;
    cudaError_t error = cudaMallocHost(&s->fetched, bytes);
    s->fetched_room = error == cudaSuccess ? bytes : 0;
    return error;
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
    cudaError_t error = cudaSuccess;
    for (uint32_t first = 0, end = 0; error == cudaSuccess && first < sets; first = end) {
        for (end = first + 1; end < sets; end++) {
            if (bit_bytes(s, first, end + 1) + mark_bytes(s, first, end + 1) > s->values_bytes) {
                break;
            }
        }
        auto *bits = (uint32_t *)s->values;
        uint8_t *marks = (uint8_t *)s->values + bit_bytes(s, first, end);
        error = pack_marks(s->state, s->device_first_runs, first, end - first, losses, settle, s->marked, s->bit_place,
                           s->mark_place, bits, marks, s->stream);
        if (error == cudaSuccess && mark_bytes(s, first, end)) {
            error = copy_out(s, s->fetched + bit_bytes(s, 0, first), (uint8_t *)bits, bit_bytes(s, first, end));
            if (error == cudaSuccess) {
                error = copy_out(s, s->fetched + s->fetched_marks + mark_bytes(s, 0, first), marks,
                                 mark_bytes(s, first, end));
            }
        }
    }
    return error == cudaSuccess ? cudaStreamSynchronize(s->stream) : error;
}

kz_status fetch(void *context, int phase, bool settle, kz_error *error) {
    Solver *s = solver_of(context);
    uint32_t sets = s->rules.own_sets;
    cudaError_t code = place_marks(s);
    if (code == cudaSuccess) {
        s->fetched_marks = bit_bytes(s, 0, sets);
        code = make_room(s, s->fetched_marks + mark_bytes(s, 0, sets));
    }
    if (code == cudaSuccess) {
        code = fetch_marks(s, phase % 2 == 1, settle);
    }
    return code == cudaSuccess ? KZ_OK : fail(error, code);
}

uint64_t collect(void *context, int phase, uint64_t page, bool settle, uint8_t *marks) {
    const Solver *s = solver_of(context);
    (void)phase;
    (void)settle; /* `fetch` did it */
    memset(marks, 0, page_runs(s, page));
    if (!s->host_marked[page]) {
        return 0;
    }
    const uint32_t *bits = (const uint32_t *)s->fetched + s->host_bit_place[page];
    const uint8_t *next = s->fetched + s->fetched_marks + s->host_mark_place[page];
    uint64_t words = s->host_bit_place[page + 1] - s->host_bit_place[page];
    uint64_t found = 0;
    if (words < (page_runs(s, page) + 31) / 32) { /* the numbers of the runs */
        for (uint64_t i = 0; i < words; i++) {
            found += (uint64_t)__builtin_popcount(next[i]);
            marks[bits[i]] = next[i];
        }
        return found;
    }
    for (uint64_t i = 0; i < words; i++) {
        for (uint32_t rest = bits[i]; rest; rest &= rest - 1) {
            found += (uint64_t)__builtin_popcount(*next);
            marks[i * 32 + (uint64_t)__builtin_ctz(rest)] = *next++;
        }
    }
    return found;
}

/* ---- Going on, and results -----------------------------------------------------------------------------------------
 */

/* The copy of the runs; NULL, with a note of why, if there can be none. */
static uint16_t *get_mirror(Solver *s) {
    pthread_mutex_lock(&s->lock);
    if (!s->mirror && s->broken == cudaSuccess) {
        auto *mirror = (uint16_t *)kz_big_alloc(mirror_bytes(s));
        s->broken = mirror ? copy_out(s, mirror, s->state.runs, s->run_count) : cudaErrorMemoryAllocation;
        if (s->broken == cudaSuccess) {
            s->mirror = mirror;
        } else {
            kz_big_free(mirror, mirror ? mirror_bytes(s) : 0);
        }
    }
    pthread_mutex_unlock(&s->lock);
    return s->mirror;
}

void restore(void *context, int phase, uint64_t page, bool settle, const uint8_t *marks) {
    Solver *s = solver_of(context);
    uint16_t *mirror = get_mirror(s);
    if (!mirror) {
        return;
    }
    uint16_t *runs = mirror + s->first_runs[page];
    size_t count = page_runs(s, page);
    for (size_t i = 0; i < count; i++) {
        if (marks[i]) {
            unsigned run = runs[i] | marks[i] | (unsigned)marks[i] << KZ_PF_LOSS_SHIFT;
            unsigned over = phase % 2 == 1 ? marks[i] : (unsigned)marks[i] << KZ_PF_LOSS_SHIFT;
            runs[i] = (uint16_t)(settle ? run & ~over : run);
        }
    }
}

/* Copies the pairs and the runs of a page from the card; the runs from the mirror if there is one. */
static cudaError_t copy_page(const Solver *s, uint64_t page, uint64_t *pairs, uint16_t *runs) {
    uint64_t sets = s->space->enemy_sets;
    uint64_t count = page_runs(s, page);
    const uint16_t *mirror = s->mirror;
    cudaError_t code = cudaMemcpy(pairs, s->state.pairs + page * sets, sets * sizeof *pairs, cudaMemcpyDeviceToHost);
    if (code == cudaSuccess && mirror) {
        memcpy(runs, mirror + s->first_runs[page], count * sizeof *runs);
    } else if (code == cudaSuccess) {
        code = cudaMemcpy(runs, s->state.runs + s->first_runs[page], count * sizeof *runs, cudaMemcpyDeviceToHost);
    }
    return code == cudaSuccess ? s->broken : code;
}

static kz_status no_memory(kz_error *error) {
    return kz_fail(error, KZ_ERR_MEMORY, "no memory for a page of the state");
}

kz_status numbers(const void *context, uint64_t page, const uint64_t *values, uint8_t *numbers, kz_error *error) {
    const Solver *s = solver_of(context);
    auto *pairs = (uint64_t *)malloc(s->space->enemy_sets * sizeof(uint64_t));
    auto *runs = (uint16_t *)malloc((page_runs(s, page) + 1) * sizeof(uint16_t));
    if (!pairs || !runs) {
        free(pairs);
        free(runs);
        return no_memory(error);
    }
    cudaError_t code = copy_page(s, page, pairs, runs);
    if (code == cudaSuccess) {
        kz_pf_write_entries(s->tables, s->space->own_squares[page], pairs, runs, values, numbers);
    }
    free(pairs);
    free(runs);
    return code == cudaSuccess ? KZ_OK : fail(error, code);
}

kz_status open_runs(const void *context, uint64_t page, uint64_t *values, uint64_t *won, kz_error *error) {
    const Solver *s = solver_of(context);
    auto *runs = (uint16_t *)malloc((page_runs(s, page) + 1) * sizeof(uint16_t));
    if (!runs) {
        return no_memory(error);
    }
    cudaError_t code = copy_page(s, page, won, runs);
    if (code == cudaSuccess) {
        kz_pf_complete_runs(runs, page_runs(s, page), values);
    }
    free(runs);
    return code == cudaSuccess ? KZ_OK : fail(error, code);
}

size_t page_groups(const void *context) { return solver_of(context)->space->enemy_sets; }

} // namespace kz_cuda
