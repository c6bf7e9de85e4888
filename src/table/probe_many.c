/* SPDX-License-Identifier: MIT
 *
 * Many positions at once. Single probes decode a block for one entry of it. Here each worker takes a batch of
 * positions, lists the entries that they need, sorts them by block, and decodes a block once for all of them. */
#include "base/error.h"
#include "base/list.h"
#include "base/pool.h"
#include "table/any_probe.h"
#include "table/reader.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Positions of all batches together, which bounds the memory; and of one batch. A request takes 20 bytes, and a
 * position makes two of them on average, in games like those that we have. */
enum { MOST_AT_ONCE = 1 << 22, MOST_IN_BATCH = 1 << 20, LEAST_IN_BATCH = 1 << 10 };

/* An entry that is needed. */
typedef struct request {
    uint64_t index;
    uint32_t slot; /* its result goes there */
} request;

/* A position whose value the table has to tell. */
typedef struct open_position {
    uint32_t number;   /* in the batch */
    uint32_t slot;     /* of its own entry; those of its successors follow */
    uint16_t requests; /* all of these */
    uint8_t promised;  /* in how many plies the rules promise a win; 0: they don't */
} open_position;

/* What one worker works with. Buffers grow to what the largest batch needs. */
typedef struct desk {
    open_position *open;
    size_t open_count;
    request *requests;
    request *sorted;
    uint8_t *results;
    uint32_t *starts; /* of the buckets that requests are sorted into */
    size_t count;     /* of requests */
    size_t room;
    uint64_t *successors; /* of one position */
    kz_status status;
    kz_error error;
} desk;

typedef struct job {
    const kz_table *table;
    const kz_position *positions;
    kz_value *values;
    size_t count;
    size_t batch;
    int threads;
    desk *desks;
    _Atomic uint64_t first_bad; /* the first position that is none */
} job;

static kz_status no_memory(kz_error *error) {
    return kz_fail(error, KZ_ERR_MEMORY, "no memory to look up many positions");
}

/* ---- What a batch needs
 * ----------------------------------------------------------------------------------------------
 */

static bool make_room(desk *d, size_t more) {
    if (d->count + more <= d->room) {
        return true;
    }
    size_t room = 2 * d->room > d->count + more ? 2 * d->room : d->count + more;
    request *requests = realloc(d->requests, room * sizeof *requests);
    d->requests = requests ? requests : d->requests;
    request *sorted = requests ? realloc(d->sorted, room * sizeof *sorted) : NULL;
    d->sorted = sorted ? sorted : d->sorted;
    uint8_t *results = sorted ? realloc(d->results, room) : NULL;
    d->results = results ? results : d->results;
    if (!results) {
        return false;
    }
    d->room = room;
    return true;
}

static void ask(desk *d, uint64_t index) {
    d->requests[d->count] = (request){index, (uint32_t)d->count};
    d->count++;
}

/* A position of a table of losses is lost if its entry says so, and otherwise won or drawn by its successors'. */
static kz_status ask_for(const kz_table *table, desk *d, const kz_position *position, uint64_t index, uint32_t number) {
    const kz_game *game = kz_table_game(table);
    kz_value promised = {KZ_UNKNOWN, 0};
    int count = 0;
    if (!kz_table_shape(table)->run) {
        count = game->reader->successors(kz_table_game_reader(table), position, d->successors, &promised);
    }
    if (count < 0 || !make_room(d, 1 + (size_t)count)) {
        return no_memory(&d->error);
    }
    d->open[d->open_count++] = (open_position){
        .number = number,
        .slot = (uint32_t)d->count,
        .requests = (uint16_t)(1 + count),
        .promised = promised.outcome == KZ_WIN ? (uint8_t)promised.distance : 0,
    };
    ask(d, index);
    for (int i = 0; i < count; i++) {
        ask(d, d->successors[i]);
    }
    return KZ_OK;
}

static void note_bad(job *j, uint64_t number) {
    uint64_t seen = atomic_load(&j->first_bad);
    while (number < seen && !atomic_compare_exchange_weak(&j->first_bad, &seen, number)) {
    }
}

/* The value if the rules tell it; otherwise requests for what is needed. */
static kz_status begin_position(job *j, desk *d, uint64_t number, uint32_t in_batch) {
    const kz_table *table = j->table;
    const kz_game *game = kz_table_game(table);
    const kz_position *position = &j->positions[number];
    uint64_t index = KZ_NO_INDEX;
    j->values[number] = (kz_value){KZ_UNKNOWN, 0};
    if (kz_validate(game, kz_table_rules(table), position, NULL) != KZ_OK) {
        note_bad(j, number);
        return KZ_OK;
    }
    if (kz_table_any(table)) {
        return kz_any_probe(table, position, &j->values[number], &d->error);
    }
    j->values[number] = game->reader->look(kz_table_game_reader(table), position, &index);
    if (j->values[number].outcome != KZ_UNKNOWN) {
        return KZ_OK;
    }
    return index == KZ_NO_INDEX ? kz_probe(table, position, &j->values[number], &d->error)
                                : ask_for(table, d, position, index, in_batch);
}

/* ---- Sorting and reading
 * ---------------------------------------------------------------------------------------------
 */

enum { BUCKET_BITS = 11, BUCKETS = 1 << BUCKET_BITS };

/* Sorts by BUCKET_BITS bits of the index; requests that are equal in them stay in order. */
static void sort_by_bits(const request *from, request *to, size_t count, unsigned shift, uint32_t starts[BUCKETS]) {
    memset(starts, 0, BUCKETS * sizeof *starts);
    for (size_t i = 0; i < count; i++) {
        starts[from[i].index >> shift & (BUCKETS - 1)]++;
    }
    uint32_t sum = 0;
    for (unsigned bucket = 0; bucket < BUCKETS; bucket++) {
        uint32_t size = starts[bucket];
        starts[bucket] = sum;
        sum += size;
    }
    for (size_t i = 0; i < count; i++) {
        to[starts[from[i].index >> shift & (BUCKETS - 1)]++] = from[i];
    }
}

/* Requests of one block come together; in which order does not matter. */
static void sort_requests(desk *d, const kz_shape *shape) {
    unsigned within = 0;
    while (shape->block >> (within + 1)) {
        within++;
    }
    for (unsigned shift = within; shift < 64 && shape->places >> shift; shift += BUCKET_BITS) {
        sort_by_bits(d->requests, d->sorted, d->count, shift, d->starts);
        request *swapped = d->requests;
        d->requests = d->sorted;
        d->sorted = swapped;
    }
}

/* Reads requests [begin, end) of a sorted list, all of one block. */
static kz_status read_requests(const kz_table *table, desk *d, size_t begin, size_t end) {
    enum { AT_ONCE = 256 };
    uint64_t indices[AT_ONCE];
    uint8_t entries[AT_ONCE];
    for (size_t at = begin; at < end; at += AT_ONCE) {
        size_t count = end - at < AT_ONCE ? end - at : AT_ONCE;
        for (size_t i = 0; i < count; i++) {
            indices[i] = d->requests[at + i].index;
        }
        kz_status status = kz_table_lookup_block(table, indices, count, end - begin > 1, entries, &d->error);
        if (status != KZ_OK) {
            return status;
        }
        for (size_t i = 0; i < count; i++) {
            d->results[d->requests[at + i].slot] = entries[i];
        }
    }
    return KZ_OK;
}

/* Reads all of them, from the first one at or after index `from` on, and then those before it: workers that begin in
 * different places find in the cache what the others have decoded. */
static kz_status read_all(const kz_table *table, desk *d, uint64_t from) {
    unsigned block_places = kz_table_shape(table)->block;
    size_t first = 0;
    while (first < d->count && d->requests[first].index < from) {
        first++;
    }
    for (size_t done = 0; done < d->count;) {
        size_t begin = (first + done) % d->count;
        uint64_t block = d->requests[begin].index / block_places;
        size_t end = begin;
        while (end < d->count && d->requests[end].index / block_places == block) {
            end++;
        }
        kz_status status = read_requests(table, d, begin, end);
        if (status != KZ_OK) {
            return status;
        }
        done += end - begin;
    }
    return KZ_OK;
}

/* ---- Answers
 * ---------------------------------------------------------------------------------------------------------
 */

static kz_value value_of_losses(const open_position *open, const uint8_t *results) {
    unsigned loss = results[open->slot];
    if (loss) {
        return (kz_value){KZ_LOSS, (int)loss - 1};
    }
    /* Lost in n for the opponent is won in n + 1, and n + 1 is what is stored. */
    unsigned best = open->promised;
    for (unsigned i = 1; i < open->requests; i++) {
        unsigned found = results[open->slot + i];
        best = found && (best == 0 || found < best) ? found : best;
    }
    return best ? (kz_value){KZ_WIN, (int)best} : (kz_value){KZ_DRAW, 0};
}

static kz_status answer_batch(job *j, desk *d, uint64_t first, size_t count, int worker) {
    const kz_shape *shape = kz_table_shape(j->table);
    kz_status status = KZ_OK;
    d->count = 0;
    d->open_count = 0;
    for (size_t i = 0; i < count && status == KZ_OK; i++) {
        status = begin_position(j, d, first + i, (uint32_t)i);
    }
    if (status == KZ_OK && d->count > 0) {
        sort_requests(d, shape);
        status = read_all(j->table, d, shape->places / (unsigned)j->threads * (unsigned)worker);
    }
    for (size_t i = 0; i < d->open_count && status == KZ_OK; i++) {
        const open_position *open = &d->open[i];
        j->values[first + open->number] =
            shape->run ? kz_value_of_entry(d->results[open->slot]) : value_of_losses(open, d->results);
    }
    return status;
}

static void work(void *context, int worker, uint64_t begin, uint64_t end) {
    job *j = context;
    desk *d = &j->desks[worker];
    for (uint64_t batch = begin; batch < end && d->status == KZ_OK; batch++) {
        uint64_t first = batch * j->batch;
        size_t count = j->count - first < j->batch ? (size_t)(j->count - first) : j->batch;
        d->status = answer_batch(j, d, first, count, worker);
    }
}

/* ---- The call
 * --------------------------------------------------------------------------------------------------------
 */

static bool open_desk(const job *j, desk *d) {
    size_t moves = (size_t)kz_max_moves(kz_table_game(j->table), kz_table_rules(j->table));
    d->open = malloc(j->batch * sizeof *d->open);
    d->starts = malloc(BUCKETS * sizeof *d->starts);
    d->successors = malloc((moves + 1) * sizeof *d->successors);
    return d->open && d->starts && d->successors;
}

static void close_desk(desk *d) {
    free(d->open);
    free(d->requests);
    free(d->sorted);
    free(d->results);
    free(d->starts);
    free(d->successors);
}

static kz_status run_job(job *j, kz_pool *pool, kz_error *error) {
    uint64_t batches = (j->count + j->batch - 1) / j->batch;
    bool complete = true;
    for (int i = 0; i < j->threads && complete; i++) {
        complete = open_desk(j, &j->desks[i]);
    }
    kz_status status = complete ? kz_pool_for(pool, batches, 1, work, j, NULL, NULL, error) : no_memory(error);
    for (int i = 0; i < j->threads && status == KZ_OK; i++) {
        status = j->desks[i].status;
        if (status != KZ_OK && error) {
            *error = j->desks[i].error;
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
    if (count == 0) {
        return KZ_OK;
    }
    kz_error reason;
    kz_pool *pool = kz_pool_new(threads, &reason);
    if (!pool) {
        return kz_fail(error, reason.status, "%s", reason.message);
    }
    job j = {
        .table = table, .positions = positions, .values = values, .count = count, .threads = kz_pool_threads(pool)};
    atomic_init(&j.first_bad, UINT64_MAX);
    /* Every worker gets something to do, and all of them together stay within the bound. */
    size_t even = (count + (size_t)j.threads - 1) / (size_t)j.threads;
    size_t most = MOST_AT_ONCE / (size_t)j.threads < MOST_IN_BATCH ? MOST_AT_ONCE / (size_t)j.threads : MOST_IN_BATCH;
    j.batch = even < most ? even : most;
    j.batch = j.batch < LEAST_IN_BATCH ? LEAST_IN_BATCH : j.batch;
    j.desks = calloc((size_t)j.threads, sizeof *j.desks);
    kz_status status = j.desks ? run_job(&j, pool, error) : no_memory(error);
    free(j.desks);
    kz_pool_free(pool);
    return status;
}
