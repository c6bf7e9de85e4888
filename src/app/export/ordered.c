/* SPDX-License-Identifier: MIT */
#include "app/export/ordered.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

/* Pieces may be tiny or large, so a round has as many of them as are about this many bytes. */
enum { ROUND_BYTES = 1 << 24, ROUND_MOST = 4096 };

/* The pieces of one round. */
typedef struct batch {
    uint64_t first;
    uint64_t count;
    kz_buffer *made;  /* [ROUND_MOST] */
    kz_error *errors; /* [ROUND_MOST]: KZ_OK where all is well */
} batch;

typedef struct line {
    const kz_ordered *work;
    batch *full;  /* is taken */
    batch *empty; /* is filled */
    kz_error taken;
    bool enough;
    const kz_progress *listener;
    uint64_t pieces;
} line;

static void take_batch(line *l) {
    for (uint64_t i = 0; i < l->full->count && l->taken.status == KZ_OK && !l->enough; i++) {
        if (l->full->made[i].size) {
            kz_status status = l->work->take(l->work->context, &l->full->made[i], &l->enough, &l->taken);
            l->taken.status = status;
        }
    }
}

/* Item 0 takes the batch before, so that it begins first; the others make. */
static void work_items(void *context, int worker, uint64_t begin, uint64_t end) {
    line *l = context;
    for (uint64_t item = begin; item < end; item++) {
        if (item == 0) {
            take_batch(l);
            continue;
        }
        kz_error *error = &l->empty->errors[item - 1];
        l->empty->made[item - 1].size = 0;
        error->status = KZ_OK;
        error->status =
            l->work->make(l->work->context, worker, l->empty->first + item - 1, &l->empty->made[item - 1], error);
    }
}

static bool report_pieces(void *user, const char *stage, uint64_t done, uint64_t total) {
    const line *l = user;
    (void)total;
    return l->listener->report(l->listener->user, stage, l->empty->first + (done > 0 ? done - 1 : 0), l->pieces);
}

static uint64_t made_bytes(const batch *b) {
    uint64_t sum = 0;
    for (uint64_t i = 0; i < b->count; i++) {
        sum += b->made[i].size;
    }
    return sum;
}

static kz_status first_error(const batch *b, kz_error *error) {
    for (uint64_t i = 0; i < b->count; i++) {
        if (b->errors[i].status != KZ_OK) {
            return kz_fail(error, b->errors[i].status, "%s", b->errors[i].message);
        }
    }
    return KZ_OK;
}

/* The size of the next round, from that of the last one. */
static uint64_t next_size(const batch *last, uint64_t left, unsigned threads) {
    uint64_t bytes = made_bytes(last) + 1;
    uint64_t size = last->count == 0 ? 4ULL * threads : last->count * ROUND_BYTES / bytes;
    if (last->count && size > 4 * last->count) {
        size = 4 * last->count;
    }
    size = size < threads ? threads : size > ROUND_MOST ? ROUND_MOST : size;
    return size < left ? size : left;
}

static kz_status run_rounds(kz_pool *pool, line *l, const char *stage, kz_error *error) {
    bool listens = l->listener && l->listener->report;
    kz_progress wrapped = {.report = report_pieces, .user = l};
    uint64_t next = 0;
    kz_status status = KZ_OK;
    while (status == KZ_OK && !l->enough && (next < l->pieces || l->full->count)) {
        l->empty->first = next;
        l->empty->count = next_size(l->full, l->pieces - next, (unsigned)kz_pool_threads(pool));
        next += l->empty->count;
        status = kz_pool_for(pool, 1 + l->empty->count, 1, work_items, l, listens ? &wrapped : NULL, stage, error);
        if (status == KZ_OK && l->taken.status != KZ_OK) {
            status = kz_fail(error, l->taken.status, "%s", l->taken.message);
        }
        if (status == KZ_OK && !l->enough) {
            status = first_error(l->empty, error);
        }
        batch *swap = l->full;
        l->full = l->empty;
        l->empty = swap;
    }
    return status;
}

static bool batch_new(batch *b) {
    b->made = calloc(ROUND_MOST, sizeof *b->made);
    b->errors = calloc(ROUND_MOST, sizeof *b->errors);
    return b->made && b->errors;
}

static void batch_free(batch *b) {
    for (int i = 0; b->made && i < ROUND_MOST; i++) {
        kz_buffer_free(&b->made[i]);
    }
    free(b->made);
    free(b->errors);
}

kz_status kz_ordered_run(kz_pool *pool, uint64_t pieces, const kz_ordered *work, const kz_progress *progress,
                         const char *stage, kz_error *error) {
    batch one = {0};
    batch other = {0};
    line l = {.work = work, .full = &one, .empty = &other, .listener = progress, .pieces = pieces};
    kz_status status = batch_new(&one) && batch_new(&other)
                           ? run_rounds(pool, &l, stage, error)
                           : kz_fail(error, KZ_ERR_MEMORY, "no memory to write what is made");
    batch_free(&one);
    batch_free(&other);
    return status;
}
