/* SPDX-License-Identifier: MIT
 *
 * The second pass. Every thread takes the next partition, sorts it, waits for its turn to learn where in the output its
 * records begin, and writes them there. When they have reached the disk, and all partitions before it are finished, the
 * state says so and the partition's file is removed. */
#include "shogi/src/pipeline/finish.h"

#include "base/pool.h"
#include "shogi/src/records/rawfile.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <kanzen/system.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_PIECES = 1024, LEAST_BUFFER = 4096 };

/* ---- A partition, or a piece of one ------------------------------------------------------------------------------ */

/* A file of items. */
struct items {
    char *path;
    uint64_t bytes;
    kz_pipeline_range range;
};

static kz_status open_items(const struct items *items, kz_place *place, kz_error *error) {
    *place = (kz_place){.descriptor = open(items->path, O_RDONLY | O_CLOEXEC), .name = items->path};
    return place->descriptor >= 0 ? KZ_OK : kz_fail_errno(error, KZ_ERR_IO, errno, "can't read %s", items->path);
}

static kz_status finish_items(struct writer *writer, const struct items *items, bool last, kz_error *error);

static kz_status finish_in_memory(struct writer *writer, const struct items *items, bool last, kz_error *error) {
    const kz_pipeline_run *run = writer->finish->run;
    if (items->bytes > 0) {
        kz_place place;
        KZ_TRY(open_items(items, &place, error));
        (void)posix_fadvise(place.descriptor, 0, 0, POSIX_FADV_SEQUENTIAL);
        kz_status status = kz_place_read(place, writer->bench->from, (size_t)items->bytes, error);
        close(place.descriptor);
        KZ_TRY(status);
    }
    KZ_TRY(kz_pipeline_sort(run, &items->range, writer->bench, (size_t)items->bytes / run->item_bytes, error));
    return kz_pipeline_emit(writer, last, error);
}

/* Reads the items, as many at a time as fit on the bench, and gives them to `take`. KZ_ERR_CANCELLED when it is to
 * stop; what else `take` returns ends it, too. */
typedef kz_status take_items(void *user, const uint8_t *begin, const uint8_t *end, kz_error *error);
static kz_status each_benchful(struct writer *writer, const struct items *items, take_items *take, void *user,
                               kz_error *error) {
    size_t item_bytes = writer->finish->run->item_bytes;
    kz_pipeline_bench *bench = writer->bench;
    kz_place place;
    kz_status status;
    KZ_TRY(open_items(items, &place, error));
    for (uint64_t at = 0; at < items->bytes;) {
        size_t now = (size_t)least(items->bytes - at, bench->items * item_bytes);
        KZ_TRY_OR(end, kz_place_read(kz_place_after(place, at), bench->from, now, error));
        KZ_TRY_OR(end, take(user, bench->from, bench->from + now, error));
        at += now;
        KZ_TRY_OR(end, kz_pipeline_go_on(writer) ? KZ_OK : kz_pipeline_cancelled(error));
    }
    status = KZ_OK;
end:
    close(place.descriptor);
    return status;
}

/* Keeps one item for each key. When there is no room for all keys the file stays as it is, and `fits` becomes false. */
struct folding {
    kz_pipeline_fold *fold;
    bool *fits;
};

static kz_status fold_items(void *user, const uint8_t *begin, const uint8_t *end, kz_error *error) {
    struct folding *folding = user;
    for (const uint8_t *item = begin; item < end && *folding->fits; item += KZ_ITEM_BYTES) {
        *folding->fits = kz_pipeline_fold_add(folding->fold, item);
    }
    return *folding->fits ? KZ_OK : kz_fail(error, KZ_ERR_MEMORY, "too many keys");
}

static kz_status finish_by_folding(struct writer *writer, const struct items *items, bool last, bool *fits,
                                   kz_error *error) {
    const kz_pipeline_run *run = writer->finish->run;
    kz_pipeline_bench *bench = writer->bench;
    struct folding folding = {.fold = kz_pipeline_fold_new(run, bench), .fits = fits};
    if (!folding.fold) {
        return kz_fail(error, KZ_ERR_MEMORY, "out of memory");
    }
    *fits = true;
    kz_shogi_pipeline_report counts = {.shards = 0};
    kz_status status;
    KZ_TRY_OR(end, each_benchful(writer, items, fold_items, &folding, error));
    size_t count = kz_pipeline_fold_end(folding.fold, bench, &counts);
    KZ_TRY_OR(end, kz_pipeline_sort(run, &items->range, bench, count, error));
    bench->repeated += counts.records.repeated;
    bench->referenced += counts.referenced;
    bench->in_both += counts.in_both;
    bench->only_references += counts.only_references;
    status = kz_pipeline_emit(writer, last, error);
end:
    kz_pipeline_fold_free(folding.fold);
    return *fits ? status : KZ_OK;
}

/* ---- A partition that is too large: cut into pieces by places ---------------------------------------------------- */

struct pieces {
    kz_pipeline_dealer dealer;
    const kz_pipeline_range *range; /* of what is cut */
    uint64_t number;                /* of its last record so far, plus 1 */
};

/* Appends an item to its piece. */
static inline kz_status cut_item(struct pieces *pieces, const uint8_t *item, kz_error *error) {
    const kz_pipeline_run *run = pieces->dealer.run;
    bool numbered = run->item_bytes > KZ_ITEM_BYTES;
    pieces->number += numbered ? kz_load_le16(item + KZ_ITEM_BYTES) : 0;
    if (kz_item_is_filler(item)) {
        return KZ_OK;
    }
    uint64_t place = numbered ? kz_item_place_of_number(pieces->number - 1, run->salt)
                              : kz_item_place(item, run->key_bytes, run->options->seed);
    for (int i = 0; i < pieces->range->depth; i++) {
        (void)kz_item_part(&place, pieces->range->cuts[i]);
    }
    uint32_t piece = kz_item_part(&place, pieces->dealer.count);
    return kz_pipeline_append(&pieces->dealer, piece, item, pieces->number, error);
}

static kz_status cut_items(void *user, const uint8_t *begin, const uint8_t *end, kz_error *error) {
    struct pieces *pieces = user;
    for (const uint8_t *item = begin; item < end; item += pieces->dealer.run->item_bytes) {
        KZ_TRY(cut_item(pieces, item, error));
    }
    return KZ_OK;
}

static kz_status finish_piece(struct writer *writer, const struct items *piece, bool heavy, bool last,
                              kz_error *error) {
    const kz_pipeline_run *run = writer->finish->run;
    bool fits = false;
    if (heavy && piece->bytes > writer->bench->items * run->item_bytes && run->item_bytes == KZ_ITEM_BYTES) {
        KZ_TRY(finish_by_folding(writer, piece, last, &fits, error));
    }
    return fits ? KZ_OK : finish_items(writer, piece, last, error);
}

static kz_status finish_pieces(struct writer *writer, const struct items *items, struct pieces *pieces, bool last,
                               kz_error *error) {
    kz_pipeline_dealer *dealer = &pieces->dealer;
    kz_status status = each_benchful(writer, items, cut_items, pieces, error);
    if (status == KZ_OK) {
        status = kz_pipeline_flush(dealer, error);
    }
    for (uint32_t i = 0; i < dealer->count; i++) {
        struct items piece = {.path = kz_pipeline_part_path(dealer->run, dealer->prefix, dealer->first + i),
                              .bytes = dealer->parts[i].bytes,
                              .range = items->range};
        piece.range.cuts[piece.range.depth++] = dealer->count;
        if (status == KZ_OK) {
            status = piece.path ? finish_piece(writer, &piece, piece.bytes > items->bytes / 2,
                                               last && i == dealer->count - 1, error)
                                : kz_fail(error, KZ_ERR_MEMORY, "out of memory");
        }
        (void)(piece.path && unlink(piece.path));
        free(piece.path);
    }
    return status;
}

static kz_status finish_items(struct writer *writer, const struct items *items, bool last, kz_error *error) {
    const kz_pipeline_run *run = writer->finish->run;
    kz_pipeline_bench *bench = writer->bench;
    uint64_t room = bench->items * run->item_bytes;
    if (items->bytes <= room) {
        return finish_in_memory(writer, items, last, error);
    }
    if (items->range.depth == sizeof items->range.cuts / sizeof *items->range.cuts) {
        return kz_fail(error, KZ_ERR_MEMORY, "too little memory: %" PRIu64 " bytes of records belong together",
                       items->bytes);
    }
    uint64_t buffers = bench->items * KZ_PIPELINE_BYTES_OF_ITEM;
    uint64_t count = least(least(items->bytes / room * 3 / 2 + 2, MOST_PIECES), buffers / LEAST_BUFFER);
    count = count > 2 ? count : 2;
    struct pieces pieces = {
        .dealer = {.run = run,
                   .prefix = "q",
                   .first = atomic_fetch_add(&writer->finish->piece_names, (unsigned)count),
                   .count = (uint32_t)count,
                   .buffer_bytes = (size_t)(buffers / count),
                   .buffers = bench->entries,
                   .fill = calloc(count, sizeof *pieces.dealer.fill),
                   .parts = calloc(count, sizeof *pieces.dealer.parts)},
        .range = &items->range,
        .number = items->range.first,
    };
    for (uint64_t i = 0; pieces.dealer.parts && i < count; i++) {
        pieces.dealer.parts[i].last = items->range.first;
    }
    kz_status status = pieces.dealer.fill && pieces.dealer.parts ? finish_pieces(writer, items, &pieces, last, error)
                                                                 : kz_fail(error, KZ_ERR_MEMORY, "out of memory");
    free(pieces.dealer.fill);
    free(pieces.dealer.parts);
    return status;
}

/* ---- In order ---------------------------------------------------------------------------------------------------- */

static kz_status sync_writer(struct writer *writer, kz_error *error) {
    const kz_pipeline_run *run = writer->finish->run;
    uint64_t each = run->pipeline->shard_records;
    for (int set = 0; set < KZ_PIPELINE_SETS; set++) {
        uint64_t records = writer->sets[set].records;
        if (records > 0) {
            KZ_TRY(kz_pipeline_sync(run, set, writer->first_shard[set], each != 0 ? (records - 1) / each : 0, error));
        }
    }
    return KZ_OK;
}

/* Notes down that the partition is finished, and removes it. */
static kz_status end_partition(struct writer *writer, char *path, kz_error *error) {
    struct finish *finish = writer->finish;
    kz_pipeline_run *run = finish->run;
    KZ_TRY(kz_pipeline_wait(writer, &finish->done, error));
    /* Nobody else writes the state now. */
    run->state.done = writer->partition + 1;
    memcpy(run->state.sets, writer->sets, sizeof run->state.sets);
    kz_shogi_pipeline_report *sum = &run->state.report;
    sum->records.repeated += writer->report.records.repeated;
    sum->records.lost |= writer->report.records.lost;
    sum->records.missing |= writer->report.records.missing;
    sum->referenced += writer->report.referenced;
    sum->only_inputs += writer->report.only_inputs;
    sum->only_references += writer->report.only_references;
    sum->in_both += writer->report.in_both;
    sum->held += writer->report.held;
    sum->beyond += writer->report.beyond;
    sum->records.written = run->state.sets[0].records + run->state.sets[1].records;
    KZ_TRY(kz_pipeline_save(run, &run->state, run->parts, error));
    unlink(path);
    pthread_mutex_lock(&finish->lock);
    finish->done++;
    pthread_cond_broadcast(&finish->changed);
    pthread_mutex_unlock(&finish->lock);
    atomic_fetch_add(&finish->items, run->parts[writer->partition].bytes / run->item_bytes);
    return KZ_OK;
}

static kz_status finish_partition(struct writer *writer, kz_error *error) {
    struct finish *finish = writer->finish;
    const kz_pipeline_run *run = finish->run;
    struct items items = {.path = kz_pipeline_part_path(run, "p", writer->partition),
                          .bytes = run->parts[writer->partition].bytes,
                          .range = {.cuts = {run->state.partitions}, .depth = 1}};
    if (!items.path) {
        return kz_fail(error, KZ_ERR_MEMORY, "out of memory");
    }
    writer->has_turn = writer->took_turn = false;
    writer->report = (kz_shogi_pipeline_report){.shards = 0};
    kz_status status;
    KZ_TRY_OR(end, finish_items(writer, &items, true, error));
    KZ_TRY_OR(end, sync_writer(writer, error));
    status = end_partition(writer, items.path, error);
end:
    free(items.path);
    return status;
}

static void fail(struct finish *finish, const kz_error *error) {
    pthread_mutex_lock(&finish->lock);
    if (!finish->failed) {
        finish->failed = true;
        finish->failure = *error;
    }
    atomic_store(&finish->stop, true);
    pthread_cond_broadcast(&finish->changed);
    pthread_mutex_unlock(&finish->lock);
}

static void run_worker(void *context, int worker, uint64_t begin, uint64_t end) {
    struct finish *finish = context;
    struct writer *writer = &finish->writers[worker];
    (void)begin;
    (void)end;
    for (;;) {
        pthread_mutex_lock(&finish->lock);
        writer->partition = finish->claimed;
        bool more = !atomic_load(&finish->stop) && finish->claimed < finish->run->state.partitions;
        finish->claimed += more;
        pthread_mutex_unlock(&finish->lock);
        if (!more) {
            return;
        }
        kz_error error;
        if (finish_partition(writer, &error) != KZ_OK) {
            fail(finish, &error);
            return;
        }
        (void)kz_pipeline_go_on(writer);
    }
}

/* ---- All of it --------------------------------------------------------------------------------------------------- */

static kz_status writer_new(struct finish *finish, int worker, size_t items, kz_error *error) {
    struct writer *writer = &finish->writers[worker];
    const kz_pipeline_run *run = finish->run;
    *writer = (struct writer){
        .finish = finish,
        .worker = worker,
        .bench = &finish->benches[worker],
        .codec = kz_shogi_codec_for(KZ_SHOGI_SSPFX, NULL),
        .positions = malloc(KZ_RECORDS_BATCH * sizeof *writer->positions),
        .notes = malloc(KZ_RECORDS_BATCH * sizeof *writer->notes),
        .defects = malloc(KZ_RECORDS_BATCH * sizeof *writer->defects),
        .output = {.bytes = malloc(kz_records_room(&run->encoder)), .worker = worker},
    };
    if (!writer->positions || !writer->notes || !writer->defects || !writer->output.bytes) {
        return kz_fail(error, KZ_ERR_MEMORY, "out of memory for %d threads", run->threads);
    }
    return kz_pipeline_bench_new(run, items, writer->bench, error);
}

static void writers_free(struct finish *finish, int workers) {
    for (int i = 0; i < workers && finish->writers; i++) {
        free(finish->writers[i].positions);
        free(finish->writers[i].notes);
        free(finish->writers[i].defects);
        free(finish->writers[i].output.bytes);
        if (finish->benches) {
            kz_pipeline_bench_free(finish->run, &finish->benches[i]);
        }
    }
    free(finish->writers);
    free(finish->benches);
}

/* Items of the largest partition, or as many as there is room for. */
static size_t bench_items(const kz_pipeline_run *run) {
    uint64_t largest = 1;
    for (uint32_t i = run->state.done; i < run->state.partitions; i++) {
        largest = run->parts[i].bytes > largest ? run->parts[i].bytes : largest;
    }
    return (size_t)(least(largest, kz_pipeline_part_room(run)) / run->item_bytes + 1);
}

static kz_status finish_on_threads(struct finish *finish, kz_pool *pool, kz_error *error) {
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&finish->lock, NULL);
    pthread_cond_init(&finish->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    kz_pool_for(pool, (uint64_t)kz_pool_threads(pool), 1, run_worker, finish, NULL, "writing", NULL);
    pthread_cond_destroy(&finish->changed);
    pthread_mutex_destroy(&finish->lock);
    if (finish->failed) {
        return kz_fail(error, finish->failure.status, "%s", finish->failure.message);
    }
    return atomic_load(&finish->stop) ? kz_pipeline_cancelled(error) : KZ_OK;
}

/* Each thread gets a bench and what it writes with. */
static kz_status finish_with_pool(struct finish *finish, kz_pool *pool, kz_error *error) {
    int workers = kz_pool_threads(pool);
    size_t items = bench_items(finish->run);
    finish->benches = calloc((size_t)workers, sizeof *finish->benches);
    finish->writers = calloc((size_t)workers, sizeof *finish->writers);
    kz_status status = KZ_OK;
    if (!finish->benches || !finish->writers) {
        status = kz_fail(error, KZ_ERR_MEMORY, "out of memory for %d threads", workers);
    }
    for (int i = 0; i < workers && status == KZ_OK; i++) {
        status = writer_new(finish, i, items, error);
    }
    status = status == KZ_OK ? finish_on_threads(finish, pool, error) : status;
    writers_free(finish, workers);
    return status;
}

kz_status kz_pipeline_finish(kz_pipeline_run *run, kz_error *error) {
    double begin = kz_seconds();
    struct finish finish = {
        .run = run, .claimed = run->state.done, .turn = run->state.done, .done = run->state.done, .all_items = 0};
    memcpy(finish.begin, run->state.sets, sizeof finish.begin);
    for (uint32_t i = 0; i < run->state.partitions; i++) {
        uint64_t items = run->parts[i].bytes / run->item_bytes;
        finish.all_items += items;
        if (i < run->state.done) {
            atomic_fetch_add(&finish.items, items);
        }
    }
    for (int set = 0; set < KZ_PIPELINE_SETS; set++) {
        KZ_TRY(kz_pipeline_cut(run, set, error));
    }
    kz_pool *pool;
    KZ_TRY(kz_records_pool(run->threads, &pool, error));
    kz_status status = finish_with_pool(&finish, pool, error);
    kz_pool_free(pool);
    run->state.report.writing_seconds += kz_seconds() - begin;
    KZ_TRY(status);
    run->state.phase = KZ_PIPELINE_PUBLISHING;
    return kz_pipeline_save(run, &run->state, run->parts, error);
}
