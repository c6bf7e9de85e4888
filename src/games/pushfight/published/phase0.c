/* SPDX-License-Identifier: MIT
 *
 * Phase 0 of Push Fight by itself: counted over a board, or as the published bitmap of a chunk. */
#include "base/bigmem.h"
#include "base/error.h"
#include "base/pool.h"
#include "games/pushfight/index/order.h"
#include "games/pushfight/solve/slice.h"

#include <inttypes.h>
#include <kanzen/paths.h>
#include <kanzen/pushfight.h>
#include <kanzen/system.h>
#include <stdlib.h>
#include <string.h>

/* A permutation of the chunk: its place there, its own set and its bit among the wins of that. */
typedef struct found {
    uint32_t place;
    uint16_t set; /* place in `wanted` */
    uint8_t bit;
} found;

/* A worker's memory. */
typedef struct worker_memory {
    kz_pf_slice *slice;
    kz_pf_start_counts counts;
    /* The own sets of an enemy set that a chunk has, and their wins. */
    uint32_t *wanted;
    uint32_t wanted_count;
    uint32_t *number; /* [enemy_sets]: 1 + the place in `wanted` */
    uint64_t *wins;
    found *founds; /* the permutations of the chunk that have the enemy set */
    uint32_t found_count;
    const kz_pf_space *space;
} worker_memory;

typedef struct work {
    kz_pf_space *space;
    kz_pf_tables *tables;
    kz_pool *pool;
    worker_memory *workers;
    kz_pf_order *order;
    uint64_t first;
    uint64_t count;
    uint8_t *bytes; /* one for each permutation of the chunk */
} work;

/* A chunk has an enemy set with all own sets at most. */
static size_t founds_bytes(const kz_pf_space *space) {
    return (size_t)space->enemy_sets * (size_t)(space->lanes * space->splits) * sizeof(found);
}

static void close_work(work *w) {
    for (int i = 0; w->workers && i < kz_pool_threads(w->pool); i++) {
        kz_pf_slice_close(w->workers[i].slice);
        free(w->workers[i].wanted);
        free(w->workers[i].number);
        free(w->workers[i].wins);
        kz_big_free(w->workers[i].founds, founds_bytes(w->space));
    }
    free(w->workers);
    kz_pf_order_close(w->order);
    kz_pf_tables_close(w->tables);
    kz_pf_space_close(w->space);
    kz_big_free(w->bytes, w->count);
    if (w->pool) {
        kz_pool_free(w->pool);
    }
}

/* To be closed after a failure, too. */
static kz_status open_work(work *w, int rules, int threads, kz_error *error) {
    *w = (work){.space = NULL};
    const kz_pf_board *board = kz_pf_board_at(rules);
    if (!board) {
        return kz_fail(error, KZ_ERR_INPUT, "there is no board number %d", rules);
    }
    w->pool = kz_pool_new(threads, error);
    if (!w->pool) {
        return KZ_ERR_MEMORY;
    }
    KZ_TRY(kz_pf_space_open(board, &w->space, error));
    KZ_TRY(kz_pf_tables_open(w->space, &w->tables, error));
    w->workers = calloc((size_t)kz_pool_threads(w->pool), sizeof *w->workers);
    for (int i = 0; w->workers && i < kz_pool_threads(w->pool); i++) {
        worker_memory *h = &w->workers[i];
        h->space = w->space;
        h->slice = kz_pf_slice_open(w->tables, error);
        h->wanted = malloc(w->space->enemy_sets * sizeof *h->wanted);
        h->number = calloc(w->space->enemy_sets, sizeof *h->number);
        h->wins = malloc(w->space->enemy_sets * sizeof *h->wins);
        h->founds = kz_big_alloc(founds_bytes(w->space));
        if (!h->slice || !h->wanted || !h->number || !h->wins || !h->founds) {
            return kz_fail(error, KZ_ERR_MEMORY, "no memory for phase 0");
        }
    }
    return w->workers ? KZ_OK : kz_fail(error, KZ_ERR_MEMORY, "no memory for phase 0");
}

/* ---- A whole board ----------------------------------------------------------------------------------------------- */

static void count_slices(void *context, int worker, uint64_t begin, uint64_t end) {
    const work *w = context;
    worker_memory *h = &w->workers[worker];
    for (uint64_t slice = begin; slice < end; slice++) {
        kz_pf_slice_start(h->slice, w->space->own_squares[slice], NULL, NULL, NULL, &h->counts);
    }
}

kz_status kz_pushfight_phase0(int rules, int threads, const kz_progress *progress, kz_pushfight_phase0_report *report,
                              kz_error *error) {
    double begin = kz_seconds();
    work w;
    kz_status status;
    KZ_TRY_OR(done, open_work(&w, rules, threads, error));
    KZ_TRY_OR(done, kz_pool_for(w.pool, w.space->own_sets, 0, count_slices, &w, progress, "phase 0", error));
    uint64_t each = (uint64_t)w.space->anchored_splits * (w.space->folded ? 2 : 1);
    *report = (kz_pushfight_phase0_report){.permutations = w.space->positions * (w.space->folded ? 2 : 1)};
    for (int i = 0; i < kz_pool_threads(w.pool); i++) {
        const kz_pf_start_counts *counts = &w.workers[i].counts;
        report->wins += counts->wins * each;
        report->stuck += counts->stuck * each;
        report->reachable += counts->anchored * each;
        report->reachable_wins += counts->anchored_wins * each;
        report->reachable_stuck += counts->anchored_stuck * each;
    }
    report->seconds = kz_seconds() - begin;
done:
    close_work(&w);
    return status;
}

/* ---- A chunk ----------------------------------------------------------------------------------------------------- */

static void note(void *context, uint64_t i, uint32_t own_rank, unsigned rho, unsigned lane) {
    worker_memory *h = context;
    if (!h->number[own_rank]) {
        h->wanted[h->wanted_count++] = own_rank;
        h->number[own_rank] = h->wanted_count;
    }
    unsigned bit = lane / (unsigned)h->space->anchored_splits * (unsigned)h->space->splits + rho;
    h->founds[h->found_count++] = (found){(uint32_t)i, (uint16_t)(h->number[own_rank] - 1), (uint8_t)bit};
}

static void find_chunk(void *context, int worker, uint64_t begin, uint64_t end) {
    const work *w = context;
    worker_memory *h = &w->workers[worker];
    for (uint64_t set = begin; set < end; set++) {
        uint32_t enemy = kz_pf_unpack(w->space->sets.patterns[set], w->space->board->squares);
        h->wanted_count = 0;
        h->found_count = 0;
        kz_pf_order_walk(w->order, (kz_pf_side_set){.squares = enemy}, w->first, w->count, note, h);
        if (h->wanted_count) {
            kz_pf_slice_wins(h->slice, enemy, h->wanted, h->wanted_count, h->wins);
        }
        for (uint32_t k = 0; k < h->found_count; k++) {
            const found *f = &h->founds[k];
            w->bytes[f->place] = h->wins[f->set] >> f->bit & 1;
        }
        for (uint32_t k = 0; k < h->wanted_count; k++) {
            h->number[h->wanted[k]] = 0;
        }
    }
}

static kz_status find_bits(work *w, const kz_progress *progress, kz_error *error) {
    KZ_TRY(kz_pf_order_open(w->space, false, &w->order, error));
    w->bytes = kz_big_alloc(w->count);
    return w->bytes ? kz_pool_for(w->pool, w->space->sets.count, 0, find_chunk, w, progress, "phase 0", error)
                    : kz_fail(error, KZ_ERR_MEMORY, "no memory for a chunk");
}

kz_status kz_pushfight_phase0_chunk(int threads, uint64_t chunk, const char *path, bool replace,
                                    const kz_progress *progress, uint64_t *wins, kz_error *error) {
    if (chunk >= KZ_PUSHFIGHT_CHUNKS) {
        return kz_fail(error, KZ_ERR_INPUT, "chunk %" PRIu64 " is past the last, %d", chunk, KZ_PUSHFIGHT_CHUNKS - 1);
    }
    KZ_TRY(kz_prepare_output(path, replace, error));
    work w;
    kz_status status;
    KZ_TRY_OR(done, open_work(&w, KZ_PUSHFIGHT_STANDARD, threads, error));
    w.first = chunk * KZ_PUSHFIGHT_CHUNK;
    w.count = KZ_PUSHFIGHT_CHUNK;
    KZ_TRY_OR(done, find_bits(&w, progress, error));
    *wins = 0;
    for (uint64_t i = 0; i < w.count; i += 8) {
        uint8_t bits = 0;
        for (unsigned k = 0; k < 8; k++) {
            bits = (uint8_t)(bits | w.bytes[i + k] << k);
            *wins += w.bytes[i + k];
        }
        w.bytes[i / 8] = bits;
    }
    status = kz_write_file(path, w.bytes, w.count / 8, replace, error);
done:
    close_work(&w);
    return status;
}
