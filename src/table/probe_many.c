/* SPDX-License-Identifier: MIT
 *
 * Many positions at once. What is in the cache of a whole table is read there, as soon as the rules have told where it
 * is. All other entries that are needed become requests, which are sorted by block, so that each block is decoded once
 * for all of them. A round is:
 *
 *     look    batches of positions, by any worker: values where the rules or the cache tell them, requests for the rest
 *     sort    the requests of each worker by block
 *     read    ranges of blocks, by any worker, with the requests of all workers
 *     answer  what the entries say
 *
 * The number of requests is bounded: batches that would make too many wait for the next round. */
#include "table/probe_many.h"
#include "base/error.h"
#include "base/pool.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* A request takes 17 bytes while it is sorted and read. A position makes 1.2 of them on average in a cold table of
 * losses, and one in other tables. */
enum { SLOT_BITS = 64 - KZ_ASK_BITS, MOST_REQUESTS = 6 << 20, RANGES = 1024 };

/* An entry that is needed: its index, and in the lowest bits the slot of its result. */
typedef uint64_t request;

static inline request make_request(uint64_t index, size_t slot) { return index << SLOT_BITS | slot; }
static inline uint64_t index_of(request r) { return r >> SLOT_BITS; }
static inline size_t slot_of(request r) { return r & ((UINT64_C(1) << SLOT_BITS) - 1); }

/* What one worker works with. Buffers grow to what the largest round needs. */
typedef struct kz_desk {
    kz_asked *asked;
    size_t asked_count;
    size_t asked_room;
    request *requests;
    request *sorted;
    uint8_t *results;
    size_t count; /* of requests */
    size_t room;
    uint32_t *starts;     /* of the buckets that requests are sorted into */
    size_t *at;           /* for each desk: the next request of the range that is read */
    uint64_t *successors; /* of a batch */
    kz_status status;
    kz_error error;
    struct job *job;
} desk;

typedef struct job {
    const kz_table *table;
    const kz_table_kind *kind;
    kz_whole whole;
    uint64_t block_inverse; /* 2^64 / places of a block, rounded up */
    const kz_position *positions;
    kz_value *values;
    size_t count;
    int threads;
    desk *desks;
    uint8_t *done; /* for each batch: whether it has been looked at */
    size_t first_batch;
    _Atomic size_t requests;    /* of this round */
    _Atomic uint64_t first_bad; /* the first position that is none */
} job;

static kz_status no_memory(kz_error *error) {
    return kz_fail(error, KZ_ERR_MEMORY, "no memory to look up many positions");
}

/* ---- Looking ----------------------------------------------------------------------------------------------------- */

static bool make_room(desk *d, size_t more) {
    if (d->asked_count == d->asked_room) {
        size_t room = 2 * d->asked_room + KZ_BATCH;
        kz_asked *asked = realloc(d->asked, room * sizeof *asked);
        if (!asked) {
            return false;
        }
        d->asked = asked;
        d->asked_room = room;
    }
    if (d->count + more <= d->room) {
        return true;
    }
    size_t room = d->room + d->room / 2 > d->count + more ? d->room + d->room / 2 : d->count + more + KZ_BATCH;
    request *requests = realloc(d->requests, room * sizeof *requests);
    d->requests = requests ? requests : d->requests;
    request *sorted = requests ? realloc(d->sorted, room * sizeof *sorted) : NULL;
    d->sorted = sorted ? sorted : d->sorted;
    uint8_t *results = sorted ? realloc(d->results, room) : NULL;
    d->results = results ? results : d->results;
    d->room = results ? room : d->room;
    return results;
}

kz_status kz_batch_ask(const kz_batch *b, unsigned number, uint64_t index, const uint64_t *others, unsigned count,
                       unsigned promised) {
    desk *d = b->desk;
    if (!make_room(d, 1 + (size_t)count)) {
        return no_memory(&d->error);
    }
    d->asked[d->asked_count++] = (kz_asked){.number = b->first + number,
                                            .slot = (uint32_t)d->count,
                                            .count = (uint16_t)(1 + count),
                                            .promised = (uint8_t)promised};
    d->requests[d->count] = make_request(index, d->count);
    d->count++;
    for (unsigned i = 0; i < count; i++) {
        d->requests[d->count] = make_request(others[i], d->count);
        d->count++;
    }
    return KZ_OK;
}

static void note_bad(job *j, uint64_t number) {
    uint64_t seen = atomic_load(&j->first_bad);
    while (number < seen && !atomic_compare_exchange_weak(&j->first_bad, &seen, number)) {
    }
}

bool kz_batch_is_valid(const kz_batch *b, unsigned number) {
    b->values[number] = (kz_value){KZ_UNKNOWN, 0};
    if (kz_validate(kz_table_game(b->table), kz_table_rules(b->table), &b->positions[number], NULL) == KZ_OK) {
        return true;
    }
    note_bad(b->desk->job, b->first + number);
    return false;
}

kz_status kz_batch_probe(const kz_batch *b, unsigned number) {
    return kz_batch_is_valid(b, number)
               ? b->desk->job->kind->probe(b->table, &b->positions[number], &b->values[number], &b->desk->error)
               : KZ_OK;
}

static kz_status look_at_batch(job *j, desk *d, size_t number) {
    size_t first = number * KZ_BATCH;
    size_t before = d->count;
    kz_batch batch = {.table = j->table,
                      .positions = &j->positions[first],
                      .values = &j->values[first],
                      .count = (unsigned)(j->count - first < KZ_BATCH ? j->count - first : KZ_BATCH),
                      .whole = j->whole,
                      .block_inverse = j->block_inverse,
                      .successors = d->successors,
                      .desk = d,
                      .first = first};
    kz_status status = j->kind->look_at_batch ? j->kind->look_at_batch(&batch) : KZ_OK;
    for (unsigned i = 0; !j->kind->look_at_batch && i < batch.count && status == KZ_OK; i++) {
        status = kz_batch_probe(&batch, i);
    }
    atomic_fetch_add(&j->requests, d->count - before);
    return status;
}

static void look(void *context, int worker, uint64_t begin, uint64_t end) {
    job *j = context;
    desk *d = &j->desks[worker];
    for (uint64_t i = begin; i < end && d->status == KZ_OK && atomic_load(&j->requests) < MOST_REQUESTS; i++) {
        size_t batch = j->first_batch + i;
        if (!j->done[batch]) {
            d->status = look_at_batch(j, d, batch);
            j->done[batch] = 1;
        }
    }
}

/* ---- Sorting ----------------------------------------------------------------------------------------------------- */

enum { BUCKET_BITS = 11, BUCKETS = 1 << BUCKET_BITS };

/* Sorts by BUCKET_BITS bits of the index; requests that are equal in them stay in order. */
static void sort_by_bits(const request *from, request *to, size_t count, unsigned shift, uint32_t starts[BUCKETS]) {
    memset(starts, 0, BUCKETS * sizeof *starts);
    for (size_t i = 0; i < count; i++) {
        starts[index_of(from[i]) >> shift & (BUCKETS - 1)]++;
    }
    uint32_t sum = 0;
    for (unsigned bucket = 0; bucket < BUCKETS; bucket++) {
        uint32_t size = starts[bucket];
        starts[bucket] = sum;
        sum += size;
    }
    for (size_t i = 0; i < count; i++) {
        to[starts[index_of(from[i]) >> shift & (BUCKETS - 1)]++] = from[i];
    }
}

/* Sorts by block; in which order the requests of one block come does not matter. So the lowest bits can be left out if
 * they are all that is different within a block. */
static void sort_requests(desk *d, const kz_shape *shape) {
    unsigned within = 0;
    while (shape->block % (2U << within) == 0) {
        within++;
    }
    for (unsigned shift = within; shift < 64 && shape->places >> shift; shift += BUCKET_BITS) {
        sort_by_bits(d->requests, d->sorted, d->count, shift, d->starts);
        request *swapped = d->requests;
        d->requests = d->sorted;
        d->sorted = swapped;
    }
}

static void sort(void *context, int worker, uint64_t begin, uint64_t end) {
    job *j = context;
    (void)worker;
    for (uint64_t i = begin; i < end; i++) {
        sort_requests(&j->desks[i], kz_table_shape(j->table));
    }
}

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

/* Bytes that are not here yet are no reason to leave out the rest, so that all that is missing is asked for. */
static bool goes_on(kz_status status) { return status == KZ_OK || status == KZ_ERR_IO; }

/* Reads requests [begin, end) of a sorted list, all of one block. */
static void read_requests(const job *j, desk *reads, desk *d, size_t begin, size_t end, bool keep) {
    uint64_t indices[KZ_BATCH];
    uint8_t entries[KZ_BATCH];
    for (size_t at = begin; at < end && goes_on(reads->status); at += KZ_BATCH) {
        size_t count = end - at < KZ_BATCH ? end - at : KZ_BATCH;
        for (size_t i = 0; i < count; i++) {
            indices[i] = index_of(d->requests[at + i]);
        }
        kz_error error;
        kz_status status = kz_table_lookup_block(j->table, indices, count, keep, entries, &error);
        if (status != KZ_OK) {
            reads->status = status;
            reads->error = error;
            return;
        }
        for (size_t i = 0; i < count; i++) {
            d->results[slot_of(d->requests[at + i])] = entries[i];
        }
    }
}

static inline uint64_t block_of(const job *j, const desk *d, size_t at) {
    return kz_block_by(j->block_inverse, index_of(d->requests[at]));
}

/* The first request of a sorted list whose block is not before this one. */
static size_t find_block(const job *j, const desk *d, uint64_t block) {
    size_t low = 0;
    size_t high = d->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (block_of(j, d, middle) < block) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Reads one block for all desks that have requests there, from their `at` on. */
static void read_block(const job *j, desk *reads, uint64_t block) {
    size_t total = 0;
    for (int k = 0; k < j->threads; k++) {
        const desk *d = &j->desks[k];
        for (size_t i = reads->at[k]; i < d->count && block_of(j, d, i) == block && total < 2; i++) {
            total++;
        }
    }
    for (int k = 0; k < j->threads; k++) {
        desk *d = &j->desks[k];
        size_t begin = reads->at[k];
        size_t end = begin;
        while (end < d->count && block_of(j, d, end) == block) {
            end++;
        }
        read_requests(j, reads, d, begin, end, total > 1);
        reads->at[k] = end;
    }
}

static void read(void *context, int worker, uint64_t begin, uint64_t end) {
    job *j = context;
    desk *reads = &j->desks[worker];
    uint64_t blocks = kz_table_blocks(j->table);
    for (uint64_t range = begin; range < end; range++) {
        uint64_t last = blocks * (range + 1) / RANGES;
        for (int k = 0; k < j->threads; k++) {
            reads->at[k] = find_block(j, &j->desks[k], blocks * range / RANGES);
        }
        for (uint64_t block = 0; block < last && goes_on(reads->status);) {
            block = last;
            for (int k = 0; k < j->threads; k++) {
                const desk *d = &j->desks[k];
                uint64_t next = reads->at[k] < d->count ? block_of(j, d, reads->at[k]) : last;
                block = next < block ? next : block;
            }
            if (block < last) {
                read_block(j, reads, block);
            }
        }
    }
}

/* ---- Answers ----------------------------------------------------------------------------------------------------- */

static void answer(void *context, int worker, uint64_t begin, uint64_t end) {
    job *j = context;
    (void)worker;
    for (uint64_t k = begin; k < end; k++) {
        desk *d = &j->desks[k];
        j->kind->answer(d->asked, d->asked_count, d->results, j->values);
        d->count = 0;
        d->asked_count = 0;
    }
}

/* ---- The call ---------------------------------------------------------------------------------------------------- */

static bool open_desk(job *j, desk *d) {
    size_t moves = (size_t)kz_max_moves(kz_table_game(j->table), kz_table_rules(j->table));
    d->job = j;
    d->starts = malloc(BUCKETS * sizeof *d->starts);
    d->at = malloc((size_t)j->threads * sizeof *d->at);
    d->successors = malloc((moves + 1) * (j->kind->losses_only ? KZ_BATCH : 1) * sizeof *d->successors);
    return d->starts && d->at && d->successors;
}

static void close_desk(desk *d) {
    free(d->asked);
    free(d->requests);
    free(d->sorted);
    free(d->results);
    free(d->starts);
    free(d->at);
    free(d->successors);
}

/* The first failure of a worker. */
static kz_status failure(const job *j, kz_error *error) {
    for (int i = 0; i < j->threads; i++) {
        if (j->desks[i].status != KZ_OK) {
            if (error) {
                *error = j->desks[i].error;
            }
            return j->desks[i].status;
        }
    }
    return KZ_OK;
}

static kz_status do_round(job *j, kz_pool *pool, size_t batches, kz_error *error) {
    uint64_t desks = (uint64_t)j->threads;
    atomic_store(&j->requests, 0);
    KZ_TRY(kz_pool_for(pool, batches - j->first_batch, 0, look, j, NULL, NULL, error));
    KZ_TRY(failure(j, error));
    if (atomic_load(&j->requests) == 0) {
        return KZ_OK;
    }
    KZ_TRY(kz_pool_for(pool, desks, 1, sort, j, NULL, NULL, error));
    KZ_TRY(kz_pool_for(pool, RANGES, 1, read, j, NULL, NULL, error));
    KZ_TRY(failure(j, error));
    return kz_pool_for(pool, desks, 1, answer, j, NULL, NULL, error);
}

static kz_status do_rounds(job *j, kz_pool *pool, kz_error *error) {
    size_t batches = (j->count + KZ_BATCH - 1) / KZ_BATCH;
    bool complete = true;
    for (int i = 0; i < j->threads && complete; i++) {
        complete = open_desk(j, &j->desks[i]);
    }
    kz_status status = complete ? KZ_OK : no_memory(error);
    while (status == KZ_OK && j->first_batch < batches) {
        status = do_round(j, pool, batches, error);
        while (j->first_batch < batches && j->done[j->first_batch]) {
            j->first_batch++;
        }
    }
    uint64_t bad = atomic_load(&j->first_bad);
    if (status == KZ_OK && bad != UINT64_MAX) {
        kz_error reason;
        status = kz_validate(kz_table_game(j->table), kz_table_rules(j->table), &j->positions[bad], &reason);
        kz_fail(error, status, "position %llu: %s", (unsigned long long)bad, reason.message);
    }
    for (int i = 0; i < j->threads; i++) {
        close_desk(&j->desks[i]);
    }
    return status;
}

kz_status kz_probe_many(const kz_table *table, const kz_position *positions, size_t count, int threads,
                        kz_value *values, kz_error *error) {
    if (count == 0 || kz_table_blocks(table) == 0) { /* a game in parts without tables says which one is missing */
        return count ? kz_probe(table, positions, values, error) : KZ_OK;
    }
    kz_error reason;
    kz_pool *pool = kz_pool_new(threads, &reason);
    if (!pool) {
        return kz_fail(error, reason.status, "%s", reason.message);
    }
    job j = {.table = table,
             .kind = kz_table_kind_of(table),
             .whole = kz_table_whole(table),
             .block_inverse = UINT64_MAX / kz_table_shape(table)->block + 1,
             .positions = positions,
             .values = values,
             .count = count,
             .threads = kz_pool_threads(pool)};
    atomic_init(&j.requests, 0);
    atomic_init(&j.first_bad, UINT64_MAX);
    j.desks = calloc((size_t)j.threads, sizeof *j.desks);
    j.done = calloc((count + KZ_BATCH - 1) / KZ_BATCH, sizeof *j.done);
    kz_status status = j.desks && j.done ? do_rounds(&j, pool, error) : no_memory(error);
    free(j.desks);
    free(j.done);
    kz_pool_free(pool);
    return status;
}
