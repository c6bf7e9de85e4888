/* SPDX-License-Identifier: MIT
 *
 * The second pass. Every thread takes the next partition, sorts it, waits for its turn to learn where in the output its
 * records begin, and writes them there. When they have reached the disk, and all partitions before it are finished, the
 * state says so and the partition's file is removed. */
#include "base/pool.h"
#include "shogi/src/pipeline/pipeline.h"
#include "shogi/src/records/rawfile.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <kanzen/system.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST_PIECES = 1024, LEAST_BUFFER = 4096, REPORT_INTERVAL_MS = 100, PIECE_NAMES = 100000 };

struct finish {
    kz_pipeline_run *run;
    pthread_mutex_t lock; /* guards all that follows, but what says otherwise */
    pthread_cond_t changed;
    uint32_t claimed;                              /* partitions that threads have taken */
    uint32_t turn;                                 /* the partition that may learn where its records begin */
    uint32_t done;                                 /* partitions that are finished */
    kz_pipeline_set_state begin[KZ_PIPELINE_SETS]; /* where the next records go; for whose turn it is */
    bool failed;
    kz_error failure;
    atomic_bool stop;
    atomic_uint piece_names;
    atomic_uint_least64_t items; /* finished */
    uint64_t all_items;
    double next_report; /* for the calling thread */
    kz_pipeline_bench *benches;
    struct writer *writers;
};

/* What a thread writes with. */
struct writer {
    struct finish *finish;
    int worker;
    uint32_t partition;
    bool has_turn;
    bool took_turn; /* had it, or has it */
    kz_pipeline_bench *bench;
    const kz_shogi_codec *codec;
    kz_shogi_position *positions;
    kz_shogi_note *notes;
    kz_shogi_defect *defects;
    kz_records_output output;
    kz_pipeline_set_state sets[KZ_PIPELINE_SETS]; /* where its records begin, and then where they end */
    uint64_t first_shard[KZ_PIPELINE_SETS];
    kz_shogi_pipeline_report report; /* what this partition adds */
};

/* ---- Progress and failure ---------------------------------------------------------------------------------------- */

/* Returns false when the work is to stop. */
static bool go_on(struct writer *writer) {
    struct finish *finish = writer->finish;
    const kz_progress *progress = finish->run->progress;
    if (writer->worker == 0 && progress != NULL && progress->report != NULL) {
        double now = kz_seconds();
        if (now >= finish->next_report) {
            finish->next_report = now + REPORT_INTERVAL_MS / 1e3;
            if (!progress->report(progress->user, "writing", atomic_load(&finish->items), finish->all_items)) {
                atomic_store(&finish->stop, true);
            }
        }
    }
    return !atomic_load_explicit(&finish->stop, memory_order_relaxed);
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

static kz_status cancelled(kz_error *error) { return kz_fail(error, KZ_ERR_CANCELLED, "cancelled"); }

/* Waits until `counter` reaches the partition. */
static kz_status wait_for(struct writer *writer, const uint32_t *counter, kz_error *error) {
    struct finish *finish = writer->finish;
    pthread_mutex_lock(&finish->lock);
    while (*counter != writer->partition && !atomic_load(&finish->stop)) {
        struct timespec until;
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_nsec += REPORT_INTERVAL_MS * 1000000L;
        until.tv_sec += until.tv_nsec / 1000000000L;
        until.tv_nsec %= 1000000000L;
        pthread_cond_timedwait(&finish->changed, &finish->lock, &until);
        pthread_mutex_unlock(&finish->lock); /* the callback is not ours: it must not run under the lock */
        (void)go_on(writer);
        pthread_mutex_lock(&finish->lock);
    }
    bool reached = *counter == writer->partition;
    pthread_mutex_unlock(&finish->lock);
    return reached ? KZ_OK : cancelled(error);
}

static kz_status take_turn(struct writer *writer, kz_error *error) {
    if (writer->has_turn) {
        return KZ_OK;
    }
    kz_status status = wait_for(writer, &writer->finish->turn, error);
    if (status == KZ_OK) {
        writer->has_turn = true;
        if (!writer->took_turn) {
            memcpy(writer->sets, writer->finish->begin, sizeof writer->sets);
            for (int set = 0; set < KZ_PIPELINE_SETS; set++) {
                uint64_t each = writer->finish->run->pipeline->shard_records;
                writer->first_shard[set] = each != 0 ? writer->sets[set].records / each : 0;
            }
        }
        writer->took_turn = true;
    }
    return status;
}

static void pass_turn(struct writer *writer, const kz_pipeline_set_state end[KZ_PIPELINE_SETS]) {
    struct finish *finish = writer->finish;
    pthread_mutex_lock(&finish->lock);
    memcpy(finish->begin, end, sizeof finish->begin);
    finish->turn++;
    pthread_cond_broadcast(&finish->changed);
    pthread_mutex_unlock(&finish->lock);
    writer->has_turn = false;
}

/* ---- Writing survivors ------------------------------------------------------------------------------------------- */

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

static const uint8_t *survivor(const struct writer *writer, int set, size_t index) {
    return set == KZ_PIPELINE_MAIN ? writer->bench->from + index * KZ_ITEM_BYTES
                                   : kz_pipeline_held_item(writer->finish->run, writer->bench, index);
}

/* Whether a record of the output has the members of an item after the position, in another order. */
static bool is_like_items(const kz_records_encoder *encoder) {
    return (encoder->record == KZ_SHOGI_RECORD_PSV || encoder->record == KZ_SHOGI_RECORD_SSPV) &&
           encoder->dialect == KZ_SHOGI_YANEURAOU;
}

/* The same as kz_records_encode for such an output; positions are unpacked. Returns how many were written. */
static size_t encode_like_items(struct writer *writer, int set, size_t first, size_t count) {
    const kz_records_encoder *encoder = &writer->finish->run->encoder;
    size_t bytes = encoder->info->bytes;
    kz_shogi_defect defect;
    size_t done = encoder->codec->pack_many(writer->positions, count, writer->output.bytes, bytes, &defect);
    unsigned all = ~0U; /* flags that all of them have */
    unsigned ending = 0;
    for (size_t i = 0; i < done; i++) {
        const uint8_t *item = survivor(writer, set, first + i);
        kz_item_write_psv(item, writer->output.bytes + i * bytes);
        unsigned flags = item[KZ_ITEM_FLAGS_AT];
        unsigned result = flags >> KZ_ITEM_RESULT_SHIFT & 3;
        all &= result != 0 ? flags | KZ_ITEM_RESULT : flags & ~(unsigned)KZ_ITEM_RESULT;
        ending |= result != 0 ? flags >> KZ_ITEM_ENDING_SHIFT : 0;
    }
    writer->output.size = done * bytes;
    unsigned missing =
        ((all & KZ_ITEM_SCORED) != 0 ? 0 : KZ_SHOGI_HAS_SCORE) | ((all & KZ_ITEM_MOVED) != 0 ? 0 : KZ_SHOGI_HAS_MOVE) |
        ((all & KZ_ITEM_PLIED) != 0 ? 0 : KZ_SHOGI_HAS_PLY) | ((all & KZ_ITEM_RESULT) != 0 ? 0 : KZ_SHOGI_HAS_RESULT);
    writer->report.records.missing |= missing;
    writer->report.records.lost |= ending != 0 ? KZ_SHOGI_HAS_ENDING : 0;
    return done;
}

static size_t encode_any(struct writer *writer, int set, size_t first, size_t count) {
    for (size_t i = 0; i < count; i++) {
        writer->notes[i] = kz_item_note(survivor(writer, set, first + i));
        writer->defects[i] = KZ_SHOGI_FINE;
    }
    const kz_records_batch batch = {
        .count = count, .positions = writer->positions, .notes = writer->notes, .defects = writer->defects};
    kz_records_tally tally;
    writer->output.size = 0;
    kz_records_encode(&writer->finish->run->encoder, &batch, &writer->output, &tally);
    writer->report.records.lost |= tally.lost;
    writer->report.records.missing |= tally.missing;
    return tally.written;
}

/* Makes records of survivors, `count` of them from `first` on. */
static kz_status encode(struct writer *writer, int set, size_t first, size_t count, kz_error *error) {
    const kz_pipeline_run *run = writer->finish->run;
    kz_shogi_defect defect = KZ_SHOGI_FINE;
    size_t done = 0;
    if (set == KZ_PIPELINE_MAIN) {
        done =
            writer->codec->unpack_many(survivor(writer, set, first), KZ_ITEM_BYTES, count, writer->positions, &defect);
    } else {
        while (done < count && (defect = writer->codec->unpack(survivor(writer, set, first + done),
                                                               &writer->positions[done])) == KZ_SHOGI_FINE) {
            done++;
        }
    }
    done = is_like_items(&run->encoder) ? encode_like_items(writer, set, first, done)
                                        : encode_any(writer, set, first, done);
    return done == count
               ? KZ_OK
               : kz_fail(error, KZ_ERR_CORRUPT, "partition %u of %s is damaged", writer->partition, run->folder);
}

/* Writes `count` survivors of a set; all of them are wanted. */
static kz_status write_set(struct writer *writer, int set, size_t count, kz_error *error) {
    const kz_pipeline_run *run = writer->finish->run;
    uint64_t each = run->pipeline->shard_records;
    size_t record_bytes = run->encoder.info->bytes;
    kz_pipeline_set_state *at = &writer->sets[set];
    for (size_t done = 0; done < count;) {
        uint64_t shard = each != 0 ? at->records / each : 0;
        uint64_t room = each != 0 ? each - at->records % each : UINT64_MAX;
        size_t now = (size_t)least(least(count - done, KZ_RECORDS_BATCH), room);
        kz_status status = encode(writer, set, done, now, error);
        if (status == KZ_OK && record_bytes != 0) {
            status = kz_pipeline_write_fixed(run, set, at->records, writer->output.bytes, now, error);
        } else if (status == KZ_OK) {
            at->shard_bytes = each != 0 && at->records % each == 0 ? 0 : at->shard_bytes;
            status = kz_pipeline_write_text(run, set, shard, at->shard_bytes, writer->output.bytes, writer->output.size,
                                            error);
            at->shard_bytes += writer->output.size;
        }
        if (status == KZ_OK && !go_on(writer)) {
            status = cancelled(error);
        }
        if (status != KZ_OK) {
            return status;
        }
        at->records += now;
        at->bytes += writer->output.size;
        done += now;
    }
    return KZ_OK;
}

/* Writes the survivors on the bench; `last` if the partition has no more. */
static kz_status emit(struct writer *writer, bool last, kz_error *error) {
    const kz_pipeline_run *run = writer->finish->run;
    kz_pipeline_bench *bench = writer->bench;
    kz_status status = take_turn(writer, error);
    if (status != KZ_OK) {
        return status;
    }
    if (run->pipeline->count_only) {
        bench->main_count = bench->held_count = 0;
    }
    uint64_t most = run->pipeline->most;
    uint64_t room = most == 0 ? UINT64_MAX : most - least(most, writer->sets[KZ_PIPELINE_MAIN].records);
    size_t wanted = (size_t)least(bench->main_count, room);
    writer->report.beyond += bench->main_count - wanted;
    writer->report.held += bench->held_count;
    writer->report.records.repeated += bench->repeated;
    writer->report.referenced += bench->referenced;
    writer->report.only_inputs += bench->only_inputs;
    writer->report.only_references += bench->only_references;
    writer->report.in_both += bench->in_both;
    bool fixed = run->encoder.info->bytes != 0;
    if (fixed && last) {
        /* Where everything goes is known, so the next partition need not wait. */
        kz_pipeline_set_state end[KZ_PIPELINE_SETS];
        memcpy(end, writer->sets, sizeof end);
        end[KZ_PIPELINE_MAIN].records += wanted;
        end[KZ_PIPELINE_HELD].records += bench->held_count;
        end[KZ_PIPELINE_MAIN].bytes += wanted * run->encoder.info->bytes;
        end[KZ_PIPELINE_HELD].bytes += bench->held_count * run->encoder.info->bytes;
        pass_turn(writer, end);
    }
    status = write_set(writer, KZ_PIPELINE_MAIN, wanted, error);
    if (status == KZ_OK) {
        status = write_set(writer, KZ_PIPELINE_HELD, bench->held_count, error);
    }
    if (status == KZ_OK && last && writer->has_turn) {
        pass_turn(writer, writer->sets);
    }
    return status;
}

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
    kz_place place;
    kz_status status = items->bytes > 0 ? open_items(items, &place, error) : KZ_OK;
    if (status == KZ_OK && items->bytes > 0) {
        (void)posix_fadvise(place.descriptor, 0, 0, POSIX_FADV_SEQUENTIAL);
        status = kz_place_read(place, writer->bench->from, (size_t)items->bytes, error);
        close(place.descriptor);
    }
    if (status == KZ_OK) {
        status = kz_pipeline_sort(run, &items->range, writer->bench, (size_t)items->bytes / run->item_bytes, error);
    }
    return status == KZ_OK ? emit(writer, last, error) : status;
}

/* Keeps one item for each key while it reads. `fits` is whether there was room for all keys. */
static kz_status finish_by_folding(struct writer *writer, const struct items *items, bool last, bool *fits,
                                   kz_error *error) {
    const kz_pipeline_run *run = writer->finish->run;
    kz_pipeline_bench *bench = writer->bench;
    kz_pipeline_fold *fold = kz_pipeline_fold_new(run, bench);
    if (fold == NULL) {
        return kz_fail(error, KZ_ERR_MEMORY, "out of memory");
    }
    kz_place place;
    kz_status status = open_items(items, &place, error);
    kz_shogi_pipeline_report counts = {.shards = 0};
    *fits = true;
    for (uint64_t at = 0; status == KZ_OK && at < items->bytes && *fits;) {
        size_t now = (size_t)least(items->bytes - at, bench->items * run->item_bytes);
        status = kz_place_read(kz_place_after(place, at), bench->from, now, error);
        for (size_t i = 0; status == KZ_OK && i < now && *fits; i += run->item_bytes) {
            *fits = kz_pipeline_fold_add(fold, bench->from + i);
        }
        at += now;
        if (status == KZ_OK && !go_on(writer)) {
            status = cancelled(error);
        }
    }
    if (place.descriptor >= 0) {
        close(place.descriptor);
    }
    if (status == KZ_OK && *fits) {
        size_t count = kz_pipeline_fold_end(fold, bench, &counts);
        status = kz_pipeline_sort(run, &items->range, bench, count, error);
        bench->repeated += counts.records.repeated;
        bench->referenced += counts.referenced;
        bench->in_both += counts.in_both;
        bench->only_references += counts.only_references;
        status = status == KZ_OK ? emit(writer, last, error) : status;
    }
    kz_pipeline_fold_free(fold);
    return status;
}

/* ---- A partition that is too large: cut into pieces by places ---------------------------------------------------- */

struct pieces {
    struct items *items;
    uint32_t count;
    size_t buffer_bytes;
    uint8_t *buffers; /* the bench's entries */
    size_t *fill;
    uint64_t *last; /* numbers, as in kz_pipeline_part */
};

static kz_status flush_piece(struct pieces *pieces, uint32_t piece, kz_error *error) {
    struct items *items = &pieces->items[piece];
    if (pieces->fill[piece] == 0) {
        return KZ_OK;
    }
    kz_place place = {.descriptor = open(items->path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666),
                      .name = items->path,
                      .offset = items->bytes};
    if (place.descriptor < 0) {
        return kz_fail_errno(error, KZ_ERR_IO, errno, "can't write %s", items->path);
    }
    kz_status status =
        kz_place_write(place, pieces->buffers + piece * pieces->buffer_bytes, pieces->fill[piece], error);
    close(place.descriptor);
    items->bytes += pieces->fill[piece];
    pieces->fill[piece] = 0;
    return status;
}

static kz_status add_to_piece(const kz_pipeline_run *run, struct pieces *pieces, uint32_t piece, const uint8_t *item,
                              unsigned gap, kz_error *error) {
    uint8_t *to = pieces->buffers + piece * pieces->buffer_bytes + pieces->fill[piece];
    memcpy(to, item, KZ_ITEM_BYTES);
    if (run->item_bytes > KZ_ITEM_BYTES) {
        kz_store_le16(to + KZ_ITEM_BYTES, (uint16_t)gap);
    }
    pieces->fill[piece] += run->item_bytes;
    return pieces->fill[piece] + run->item_bytes > pieces->buffer_bytes ? flush_piece(pieces, piece, error) : KZ_OK;
}

/* Appends an item to its piece. `number` is that of the last record, plus 1. */
static kz_status cut_item(const kz_pipeline_run *run, struct pieces *pieces, const kz_pipeline_range *range,
                          const uint8_t *item, uint64_t *number, kz_error *error) {
    bool numbered = run->item_bytes > KZ_ITEM_BYTES;
    *number += numbered ? kz_load_le16(item + KZ_ITEM_BYTES) : 0;
    if (kz_item_is_filler(item)) {
        return KZ_OK;
    }
    uint64_t place = numbered ? kz_item_place_of_number(*number - 1, run->salt)
                              : kz_item_place(item, run->key_bytes, run->options->seed);
    for (int i = 0; i < range->depth; i++) {
        (void)kz_item_part(&place, range->cuts[i]);
    }
    uint32_t piece = kz_item_part(&place, pieces->count);
    uint64_t gap = *number - pieces->last[piece];
    pieces->last[piece] = *number;
    kz_status status = KZ_OK;
    for (; status == KZ_OK && numbered && gap > KZ_ITEM_MOST_GAP; gap -= KZ_ITEM_MOST_GAP) {
        const uint8_t filler[KZ_ITEM_BYTES] = {[KZ_ITEM_FLAGS_AT] = KZ_ITEM_FILLER};
        status = add_to_piece(run, pieces, piece, filler, KZ_ITEM_MOST_GAP, error);
    }
    return status == KZ_OK ? add_to_piece(run, pieces, piece, item, (unsigned)gap, error) : status;
}

static kz_status cut_items(struct writer *writer, const struct items *items, struct pieces *pieces, kz_error *error) {
    const kz_pipeline_run *run = writer->finish->run;
    kz_pipeline_bench *bench = writer->bench;
    kz_place place;
    kz_status status = open_items(items, &place, error);
    uint64_t number = items->range.first;
    for (uint64_t at = 0; status == KZ_OK && at < items->bytes;) {
        size_t now = (size_t)least(items->bytes - at, bench->items * run->item_bytes);
        status = kz_place_read(kz_place_after(place, at), bench->from, now, error);
        for (size_t i = 0; status == KZ_OK && i < now; i += run->item_bytes) {
            status = cut_item(run, pieces, &items->range, bench->from + i, &number, error);
        }
        at += now;
        if (status == KZ_OK && !go_on(writer)) {
            status = cancelled(error);
        }
    }
    for (uint32_t i = 0; status == KZ_OK && i < pieces->count; i++) {
        status = flush_piece(pieces, i, error);
    }
    if (place.descriptor >= 0) {
        close(place.descriptor);
    }
    return status;
}

static kz_status name_pieces(struct finish *finish, const struct items *items, struct pieces *pieces, kz_error *error) {
    for (uint32_t i = 0; i < pieces->count; i++) {
        struct items *piece = &pieces->items[i];
        piece->range = items->range;
        piece->range.cuts[piece->range.depth++] = pieces->count;
        piece->path = kz_pipeline_part_path(finish->run, "q", atomic_fetch_add(&finish->piece_names, 1) % PIECE_NAMES);
        pieces->last[i] = items->range.first;
        if (piece->path == NULL) {
            return kz_fail(error, KZ_ERR_MEMORY, "out of memory");
        }
        unlink(piece->path); /* of a run before this one */
    }
    return KZ_OK;
}

static kz_status finish_pieces(struct writer *writer, const struct items *items, struct pieces *pieces, bool last,
                               kz_error *error) {
    kz_status status = name_pieces(writer->finish, items, pieces, error);
    if (status == KZ_OK) {
        status = cut_items(writer, items, pieces, error);
    }
    for (uint32_t i = 0; i < pieces->count && pieces->items[i].path != NULL; i++) {
        bool last_piece = last && i == pieces->count - 1;
        bool heavy = pieces->items[i].bytes > items->bytes / 2;
        bool fits = false;
        uint64_t room = writer->bench->items * writer->finish->run->item_bytes;
        if (status == KZ_OK && heavy && pieces->items[i].bytes > room &&
            writer->finish->run->item_bytes == KZ_ITEM_BYTES) {
            status = finish_by_folding(writer, &pieces->items[i], last_piece, &fits, error);
        }
        if (status == KZ_OK && !fits) {
            status = finish_items(writer, &pieces->items[i], last_piece, error);
        }
        unlink(pieces->items[i].path);
        free(pieces->items[i].path);
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
    struct pieces pieces = {.count = (uint32_t)(count > 2 ? count : 2), .buffers = bench->entries};
    pieces.buffer_bytes = (size_t)(buffers / pieces.count);
    pieces.items = calloc(pieces.count, sizeof *pieces.items);
    pieces.fill = calloc(pieces.count, sizeof *pieces.fill);
    pieces.last = calloc(pieces.count, sizeof *pieces.last);
    kz_status status = KZ_OK;
    if (pieces.items == NULL || pieces.fill == NULL || pieces.last == NULL) {
        status = kz_fail(error, KZ_ERR_MEMORY, "out of memory");
    }
    if (status == KZ_OK) {
        status = finish_pieces(writer, items, &pieces, last, error);
    }
    free(pieces.items);
    free(pieces.fill);
    free(pieces.last);
    return status;
}

/* ---- In order ---------------------------------------------------------------------------------------------------- */

static kz_status sync_writer(struct writer *writer, kz_error *error) {
    const kz_pipeline_run *run = writer->finish->run;
    kz_status status = KZ_OK;
    for (int set = 0; set < KZ_PIPELINE_SETS && status == KZ_OK; set++) {
        uint64_t each = run->pipeline->shard_records;
        uint64_t records = writer->sets[set].records;
        if (records > 0) {
            status = kz_pipeline_sync(run, set, writer->first_shard[set], each != 0 ? (records - 1) / each : 0, error);
        }
    }
    return status;
}

/* Notes down that the partition is finished, and removes it. */
static kz_status end_partition(struct writer *writer, char *path, kz_error *error) {
    struct finish *finish = writer->finish;
    kz_pipeline_run *run = finish->run;
    kz_status status = wait_for(writer, &finish->done, error);
    if (status != KZ_OK) {
        return status;
    }
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
    status = kz_pipeline_save(run, &run->state, run->parts, error);
    if (status == KZ_OK) {
        unlink(path);
        pthread_mutex_lock(&finish->lock);
        finish->done++;
        pthread_cond_broadcast(&finish->changed);
        pthread_mutex_unlock(&finish->lock);
        atomic_fetch_add(&finish->items, run->parts[writer->partition].bytes / run->item_bytes);
    }
    return status;
}

static kz_status finish_partition(struct writer *writer, kz_error *error) {
    struct finish *finish = writer->finish;
    const kz_pipeline_run *run = finish->run;
    struct items items = {.path = kz_pipeline_part_path(run, "p", writer->partition),
                          .bytes = run->parts[writer->partition].bytes,
                          .range = {.cuts = {run->state.partitions}, .depth = 1}};
    if (items.path == NULL) {
        return kz_fail(error, KZ_ERR_MEMORY, "out of memory");
    }
    writer->has_turn = writer->took_turn = false;
    writer->report = (kz_shogi_pipeline_report){.shards = 0};
    kz_status status = finish_items(writer, &items, true, error);
    if (status == KZ_OK) {
        status = sync_writer(writer, error);
    }
    if (status == KZ_OK) {
        status = end_partition(writer, items.path, error);
    }
    free(items.path);
    return status;
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
        (void)go_on(writer);
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
    if (writer->positions == NULL || writer->notes == NULL || writer->defects == NULL || writer->output.bytes == NULL) {
        return kz_fail(error, KZ_ERR_MEMORY, "out of memory for %d threads", run->threads);
    }
    return kz_pipeline_bench_new(run, items, writer->bench, error);
}

static void writers_free(struct finish *finish, int workers) {
    for (int i = 0; i < workers && finish->writers != NULL; i++) {
        free(finish->writers[i].positions);
        free(finish->writers[i].notes);
        free(finish->writers[i].defects);
        free(finish->writers[i].output.bytes);
        if (finish->benches != NULL) {
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

static void finish_on_threads(struct finish *finish, kz_pool *pool) {
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&finish->lock, NULL);
    pthread_cond_init(&finish->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    kz_pool_for(pool, (uint64_t)kz_pool_threads(pool), 1, run_worker, finish, NULL, "writing", NULL);
    pthread_cond_destroy(&finish->changed);
    pthread_mutex_destroy(&finish->lock);
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
    kz_status status = KZ_OK;
    for (int set = 0; set < KZ_PIPELINE_SETS && status == KZ_OK; set++) {
        status = kz_pipeline_cut(run, set, error);
    }
    kz_error no_pool;
    kz_pool *pool = status == KZ_OK ? kz_pool_new(run->threads, &no_pool) : NULL;
    if (status == KZ_OK && pool == NULL) {
        status = kz_fail(error, no_pool.status, "%s", no_pool.message);
    }
    int workers = pool != NULL ? kz_pool_threads(pool) : 0;
    if (workers > 0) {
        finish.benches = calloc((size_t)workers, sizeof *finish.benches);
        finish.writers = calloc((size_t)workers, sizeof *finish.writers);
        if (finish.benches == NULL || finish.writers == NULL) {
            status = kz_fail(error, KZ_ERR_MEMORY, "out of memory for %d threads", workers);
        }
    }
    size_t items = bench_items(run);
    for (int i = 0; i < workers && status == KZ_OK; i++) {
        status = writer_new(&finish, i, items, error);
    }
    if (status == KZ_OK) {
        finish_on_threads(&finish, pool);
        if (finish.failed) {
            status = kz_fail(error, finish.failure.status, "%s", finish.failure.message);
        } else if (atomic_load(&finish.stop)) {
            status = cancelled(error);
        }
    }
    writers_free(&finish, workers);
    kz_pool_free(pool);
    run->state.report.writing_seconds += kz_seconds() - begin;
    if (status == KZ_OK) {
        run->state.phase = KZ_PIPELINE_PUBLISHING;
        status = kz_pipeline_save(run, &run->state, run->parts, error);
    }
    return status;
}
