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
#include "base/error.h"
#include "base/pool.h"
#include "table/any_probe.h"
#include "table/reader.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* A request takes 17 bytes while it is sorted and read. A position makes 1.2 of them on average in a cold table of
 * losses, and one in other tables. */
enum { BATCH = 256, SLOT_BITS = 23, MOST_REQUESTS = 6 << 20, RANGES = 1024, MOST_PLACES_BITS = 64 - SLOT_BITS };

/* An entry that is needed: its index, and in the lowest bits the slot of its result. */
typedef uint64_t request;

static inline request make_request(uint64_t index, size_t slot) { return index << SLOT_BITS | slot; }
static inline uint64_t index_of(request r) { return r >> SLOT_BITS; }
static inline size_t slot_of(request r) { return r & ((UINT64_C(1) << SLOT_BITS) - 1); }

/* A position whose value the requested entries tell. */
typedef struct open_position {
    size_t number;
    uint32_t slot;    /* of its own entry; those of its successors follow */
    uint16_t count;   /* of requests */
    uint8_t promised; /* in how many plies the rules promise a win; 0: they don't */
} open_position;

/* What one worker works with. Buffers grow to what the largest round needs. */
typedef struct desk {
    open_position *open;
    size_t open_count;
    size_t open_room;
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
} desk;

typedef struct job {
    const kz_table *table;
    const kz_reader_ops *reader;
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

/* ---- Looking -------------------------------------------------------------------------------------------------------
 */

static bool make_room(desk *d, size_t more) {
    if (d->open_count == d->open_room) {
        size_t room = 2 * d->open_room + BATCH;
        open_position *open = realloc(d->open, room * sizeof *open);
        if (!open) {
            return false;
        }
        d->open = open;
        d->open_room = room;
    }
    if (d->count + more <= d->room) {
        return true;
    }
    size_t room = d->room + d->room / 2 > d->count + more ? d->room + d->room / 2 : d->count + more + BATCH;
    request *requests = realloc(d->requests, room * sizeof *requests);
    d->requests = requests ? requests : d->requests;
    request *sorted = requests ? realloc(d->sorted, room * sizeof *sorted) : NULL;
    d->sorted = sorted ? sorted : d->sorted;
    uint8_t *results = sorted ? realloc(d->results, room) : NULL;
    d->results = results ? results : d->results;
    d->room = results ? room : d->room;
    return results;
}

/* Requests the entry of a position, and those of its successors in a table of losses: it is lost if its own says so,
 * and otherwise won or drawn by theirs. */
static kz_status ask_for(desk *d, size_t number, uint64_t index, const uint64_t *successors, kz_successors list) {
    if (!make_room(d, 1 + (size_t)list.count)) {
        return no_memory(&d->error);
    }
    d->open[d->open_count++] = (open_position){.number = number,
                                               .slot = (uint32_t)d->count,
                                               .count = (uint16_t)(1 + list.count),
                                               .promised = (uint8_t)list.promised};
    d->requests[d->count] = make_request(index, d->count);
    d->count++;
    for (unsigned i = 0; i < list.count; i++) {
        d->requests[d->count] = make_request(successors[i], d->count);
        d->count++;
    }
    return KZ_OK;
}

static void note_bad(job *j, uint64_t number) {
    uint64_t seen = atomic_load(&j->first_bad);
    while (number < seen && !atomic_compare_exchange_weak(&j->first_bad, &seen, number)) {
    }
}

/* One position by itself: its value if the rules tell it; otherwise requests for what is needed. */
static kz_status look_at_one(job *j, desk *d, size_t number) {
    const kz_table *table = j->table;
    const kz_position *position = &j->positions[number];
    uint64_t index = KZ_NO_INDEX;
    kz_value *value = &j->values[number];
    *value = (kz_value){KZ_UNKNOWN, 0};
    if (kz_validate(kz_table_game(table), kz_table_rules(table), position, NULL) != KZ_OK) {
        note_bad(j, number);
        return KZ_OK;
    }
    if (kz_table_any(table)) {
        return kz_any_probe(table, position, value, &d->error);
    }
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): games with tables of other kinds have a reader */
    *value = j->reader->look(kz_table_game_reader(table), position, &index);
    if (value->outcome != KZ_UNKNOWN) {
        return KZ_OK;
    }
    if (index >> MOST_PLACES_BITS) { /* it has none, or one that requests have no room for */
        return kz_probe(table, position, value, &d->error);
    }
    kz_successors list = {0, 0};
    if (!kz_table_shape(table)->run) {
        kz_value promised = {KZ_UNKNOWN, 0};
        int count = j->reader->successors(kz_table_game_reader(table), position, d->successors, &promised);
        if (count < 0) {
            return no_memory(&d->error);
        }
        list = (kz_successors){(uint16_t)count, promised.outcome == KZ_WIN ? (uint16_t)promised.distance : 0};
    }
    return ask_for(d, number, index, d->successors, list);
}

/* The entries of the cache that will be needed: memory is slow, so all of them are on their way at once. */
static void prefetch(const job *j, const uint64_t *indices, size_t count) {
    for (size_t i = 0; j->whole.values && i < count; i++) {
        if (indices[i] != KZ_NO_INDEX) {
            __builtin_prefetch(&j->whole.values[indices[i]]);
        }
    }
}

/* The block of an index below 2^MOST_PLACES_BITS: by a multiplication, since every position needs it several times. */
static inline uint64_t block_at(const job *j, uint64_t index) {
    __extension__ typedef unsigned __int128 wide;
    return (uint64_t)((wide)index * j->block_inverse >> 64);
}

static inline bool is_here(const job *j, uint64_t index) {
    return j->whole.values && kz_whole_has(&j->whole, block_at(j, index));
}

/* Lost in n for the opponent is won in n + 1, and n + 1 is what is stored. */
static inline unsigned sooner(unsigned best, unsigned found) {
    return found && (best == 0 || found < best) ? found : best;
}

static inline kz_value win_or_draw(unsigned best) {
    return best ? (kz_value){KZ_WIN, (int)best} : (kz_value){KZ_DRAW, 0};
}

/* A position that is not known to be lost: its value from the cache, if all of its successors are there. */
static bool value_here(const job *j, uint64_t index, const uint64_t *successors, kz_successors list, kz_value *value) {
    unsigned best = list.promised;
    bool here = is_here(j, index);
    for (unsigned i = 0; i < list.count && here; i++) {
        here = is_here(j, successors[i]);
        best = here ? sooner(best, j->whole.values[successors[i]]) : best;
    }
    *value = here ? win_or_draw(best) : *value;
    return here;
}

/* A batch of a table of losses. */
static kz_status look_at_losses(job *j, desk *d, size_t first, unsigned count) {
    uint64_t indices[BATCH];
    uint32_t rest[BATCH];
    kz_successors lists[BATCH];
    unsigned left = 0;
    const void *reader = kz_table_game_reader(j->table);
    const kz_position *positions = &j->positions[first];
    kz_value *values = &j->values[first];
    kz_status status = KZ_OK;
    j->reader->look_many(reader, positions, count, values, indices);
    prefetch(j, indices, count);
    for (unsigned i = 0; i < count && status == KZ_OK; i++) {
        if (indices[i] >> MOST_PLACES_BITS == 0) {
            unsigned loss = is_here(j, indices[i]) ? j->whole.values[indices[i]] : 0;
            values[i] = loss ? (kz_value){KZ_LOSS, (int)loss - 1} : values[i];
            rest[left] = i;
            left += loss == 0;
        } else if (values[i].outcome == KZ_UNKNOWN) {
            status = look_at_one(j, d, first + i);
        }
    }
    if (status != KZ_OK) {
        return status;
    }
    j->reader->successors_many(reader, positions, rest, left, lists, d->successors);
    size_t listed = 0;
    for (unsigned i = 0; i < left; i++) {
        listed += lists[i].count;
    }
    prefetch(j, d->successors, listed);
    const uint64_t *successors = d->successors;
    for (unsigned i = 0; i < left && status == KZ_OK; i++) {
        if (!value_here(j, indices[rest[i]], successors, lists[i], &values[rest[i]])) {
            status = ask_for(d, first + rest[i], indices[rest[i]], successors, lists[i]);
        }
        successors += lists[i].count;
    }
    return status;
}

static kz_status look_at_batch(job *j, desk *d, size_t batch) {
    size_t first = batch * BATCH;
    size_t count = j->count - first < BATCH ? j->count - first : BATCH;
    size_t before = d->count;
    kz_status status = KZ_OK;
    if (j->reader && j->reader->look_many) {
        status = look_at_losses(j, d, first, (unsigned)count);
    } else {
        for (size_t i = 0; i < count && status == KZ_OK; i++) {
            status = look_at_one(j, d, first + i);
        }
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

/* ---- Sorting -------------------------------------------------------------------------------------------------------
 */

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

/* ---- Reading -------------------------------------------------------------------------------------------------------
 */

/* Bytes that are not here yet are no reason to leave out the rest, so that all that is missing is asked for. */
static bool goes_on(kz_status status) { return status == KZ_OK || status == KZ_ERR_IO; }

/* Reads requests [begin, end) of a sorted list, all of one block. */
static void read_requests(const job *j, desk *reads, desk *d, size_t begin, size_t end, bool keep) {
    uint64_t indices[BATCH];
    uint8_t entries[BATCH];
    for (size_t at = begin; at < end && goes_on(reads->status); at += BATCH) {
        size_t count = end - at < BATCH ? end - at : BATCH;
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
    return block_at(j, index_of(d->requests[at]));
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

/* ---- Answers -------------------------------------------------------------------------------------------------------
 */

static kz_value value_of_losses(const open_position *open, const uint8_t *results) {
    unsigned loss = results[open->slot];
    if (loss) {
        return (kz_value){KZ_LOSS, (int)loss - 1};
    }
    unsigned best = open->promised;
    for (unsigned i = 1; i < open->count; i++) {
        best = sooner(best, results[open->slot + i]);
    }
    return win_or_draw(best);
}

static void answer(void *context, int worker, uint64_t begin, uint64_t end) {
    job *j = context;
    bool losses = kz_table_shape(j->table)->run == 0;
    (void)worker;
    for (uint64_t k = begin; k < end; k++) {
        desk *d = &j->desks[k];
        for (size_t i = 0; i < d->open_count; i++) {
            const open_position *open = &d->open[i];
            j->values[open->number] =
                losses ? value_of_losses(open, d->results) : kz_value_of_entry(d->results[open->slot]);
        }
        d->count = 0;
        d->open_count = 0;
    }
}

/* ---- The call ------------------------------------------------------------------------------------------------------
 */

static bool open_desk(const job *j, desk *d) {
    size_t moves = (size_t)kz_max_moves(kz_table_game(j->table), kz_table_rules(j->table));
    size_t lists = j->reader && j->reader->look_many ? BATCH : 1;
    d->starts = malloc(BUCKETS * sizeof *d->starts);
    d->at = malloc((size_t)j->threads * sizeof *d->at);
    d->successors = malloc((moves + 1) * lists * sizeof *d->successors);
    return d->starts && d->at && d->successors;
}

static void close_desk(desk *d) {
    free(d->open);
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
    kz_status status = kz_pool_for(pool, batches - j->first_batch, 0, look, j, NULL, NULL, error);
    status = status == KZ_OK ? failure(j, error) : status;
    if (status != KZ_OK || atomic_load(&j->requests) == 0) {
        return status;
    }
    status = kz_pool_for(pool, desks, 1, sort, j, NULL, NULL, error);
    status = status == KZ_OK ? kz_pool_for(pool, RANGES, 1, read, j, NULL, NULL, error) : status;
    status = status == KZ_OK ? failure(j, error) : status;
    return status == KZ_OK ? kz_pool_for(pool, desks, 1, answer, j, NULL, NULL, error) : status;
}

static kz_status do_rounds(job *j, kz_pool *pool, kz_error *error) {
    size_t batches = (j->count + BATCH - 1) / BATCH;
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

/* An excerpt has few blocks, which the cache keeps. */
static kz_status probe_each(const kz_table *table, const kz_position *positions, size_t count, kz_value *values,
                            kz_error *error) {
    kz_status result = KZ_OK;
    for (size_t i = 0; i < count; i++) {
        kz_error reason;
        kz_status status = kz_probe(table, &positions[i], &values[i], &reason);
        if (status != KZ_OK && status != KZ_ERR_INPUT) {
            return kz_fail(error, status, "%s", reason.message);
        }
        if (status != KZ_OK && result == KZ_OK) {
            result = kz_fail(error, status, "position %llu: %s", (unsigned long long)i, reason.message);
        }
    }
    return result;
}

kz_status kz_probe_many(const kz_table *table, const kz_position *positions, size_t count, int threads,
                        kz_value *values, kz_error *error) {
    if (count == 0 || kz_table_is_excerpt(table)) {
        return probe_each(table, positions, count, values, error);
    }
    kz_error reason;
    kz_pool *pool = kz_pool_new(threads, &reason);
    if (!pool) {
        return kz_fail(error, reason.status, "%s", reason.message);
    }
    job j = {.table = table,
             .reader = kz_table_game(table)->reader,
             .whole = kz_table_whole(table),
             .block_inverse = UINT64_MAX / kz_table_shape(table)->block + 1,
             .positions = positions,
             .values = values,
             .count = count,
             .threads = kz_pool_threads(pool)};
    atomic_init(&j.requests, 0);
    atomic_init(&j.first_bad, UINT64_MAX);
    j.desks = calloc((size_t)j.threads, sizeof *j.desks);
    j.done = calloc((count + BATCH - 1) / BATCH, sizeof *j.done);
    kz_status status = j.desks && j.done ? do_rounds(&j, pool, error) : no_memory(error);
    free(j.desks);
    free(j.done);
    kz_pool_free(pool);
    return status;
}
