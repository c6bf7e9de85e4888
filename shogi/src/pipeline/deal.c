/* SPDX-License-Identifier: MIT
 *
 * The first pass: all records are read, in batches on all threads, and appended to their partitions in their order. A
 * partition is a file that is opened for each write and closed after it, so their number is not limited by open files.
 */
#include "base/random.h"
#include "shogi/src/pipeline/pipeline.h"
#include "shogi/src/records/decode.h"
#include "shogi/src/records/rawfile.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <kanzen/system.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LEAST_BUFFER = 4096, MOST_BUFFER = 1 << 20, NOBODY = -1 };

static const uint32_t NO_PARTITION = UINT32_MAX; /* of a record that is not dealt */
static const double CHECKPOINT_SECONDS = 30;

struct deal {
    kz_pipeline_run *run;
    const kz_shogi_codec *complete; /* sspf: positions with all pieces, which nearly all are */
    const kz_shogi_codec *any;      /* sspfx */
    const kz_shogi_source *source;
    bool reference;
    bool like_items; /* the source has the members of an item after the position, in another order */
    kz_pipeline_dealer dealer;

    /* Progress. */
    atomic_uint_least64_t read; /* records of all sources so far */
    bool consistent;            /* the state says where the partitions are; not in the middle of a game, for instance */

    /* One thread at a time saves a state while the others go on. */
    atomic_int saver;
    kz_pipeline_state to_save;
    kz_pipeline_part *parts_to_save;
    double interval;
    double next_save;
};

/* ---- A batch ----------------------------------------------------------------------------------------------------- */

/* What a thread makes of a batch: items, after them their partitions, and how many plies were cut. */
enum {
    PARTITIONS_AT = KZ_RECORDS_BATCH * KZ_ITEM_BYTES,
    CUT_PLIES_AT = PARTITIONS_AT + 4 * KZ_RECORDS_BATCH,
    OUTPUT_BYTES = CUT_PLIES_AT + 4
};

static bool target_holds(const struct deal *deal, kz_shogi_defect defect) {
    const kz_shogi_record_info *info = deal->run->encoder.info;
    if (deal->reference || info->format == KZ_SHOGI_FORMATS || info->format == KZ_SHOGI_SSPFX ||
        info->format == KZ_SHOGI_SSPFC) {
        return true;
    }
    return info->format != KZ_SHOGI_SSPF && defect != KZ_SHOGI_NO_KING;
}

/* Packs one position that is not complete. */
static void pack_odd(const struct deal *deal, const kz_records_batch *batch, size_t at, uint8_t *item) {
    kz_shogi_defect defect = deal->complete->pack(&batch->positions[at], item);
    if (defect != KZ_SHOGI_FINE && target_holds(deal, defect)) {
        defect = deal->any->pack(&batch->positions[at], item);
        /* A handicap may lack a king as well, which psfen and hcp can't hold. */
        if (defect == KZ_SHOGI_FINE && (kz_shogi_king(&batch->positions[at], KZ_SHOGI_BLACK) == KZ_SHOGI_NO_SQUARE ||
                                        kz_shogi_king(&batch->positions[at], KZ_SHOGI_WHITE) == KZ_SHOGI_NO_SQUARE)) {
            defect = target_holds(deal, KZ_SHOGI_NO_KING) ? KZ_SHOGI_FINE : KZ_SHOGI_NO_KING;
        }
    }
    batch->defects[at] = defect;
}

static void pack_items(const struct deal *deal, const kz_records_batch *batch, uint8_t *items) {
    for (size_t at = 0; at < batch->count;) {
        size_t end = at;
        while (end < batch->count && batch->defects[end] == KZ_SHOGI_FINE) {
            end++;
        }
        kz_shogi_defect defect = KZ_SHOGI_FINE;
        size_t done = deal->complete->pack_many(batch->positions + at, end - at, items + at * KZ_ITEM_BYTES,
                                                KZ_ITEM_BYTES, &defect);
        if (at + done < end) {
            pack_odd(deal, batch, at + done, items + (at + done) * KZ_ITEM_BYTES);
        }
        at += done + 1;
    }
}

static kz_status work(void *user, int worker, const kz_records_batch *batch, kz_records_output *output,
                      kz_error *error) {
    const struct deal *deal = user;
    const kz_pipeline_run *run = deal->run;
    (void)worker;
    (void)error;
    for (size_t i = 0; run->pipeline->record == KZ_SHOGI_RECORD_HCPE3 && !deal->reference && i < batch->count; i++) {
        bool moves = (batch->notes[i].has & KZ_SHOGI_HAS_MOVE) != 0 && batch->notes[i].move.special == KZ_SHOGI_MOVE;
        if (batch->defects[i] == KZ_SHOGI_FINE && !moves) { /* hcpe3 can't hold it */
            batch->defects[i] = KZ_SHOGI_BAD_MOVE;
        }
    }
    pack_items(deal, batch, output->bytes);
    uint32_t cut_plies = 0;
    size_t record_bytes = kz_shogi_record_at(deal->source->record)->bytes;
    for (size_t i = 0; i < batch->count; i++) {
        uint32_t partition = NO_PARTITION;
        if (batch->defects[i] == KZ_SHOGI_FINE) {
            uint8_t *item = output->bytes + i * KZ_ITEM_BYTES;
            if (deal->like_items) {
                kz_item_put_psv(item, batch->bytes + i * record_bytes);
            } else {
                kz_item_put_note(item, &batch->notes[i]);
                cut_plies += (batch->notes[i].has & KZ_SHOGI_PLY_CUT) != 0;
            }
            if (deal->reference) {
                item[KZ_ITEM_FLAGS_AT] = KZ_ITEM_REFERENCE;
            }
            partition = 0;
            if (run->pipeline->same != KZ_SHOGI_SAME_NOTHING) {
                uint64_t place = kz_item_place(item, run->key_bytes, run->options->seed);
                partition = kz_item_part(&place, run->state.partitions);
            }
        }
        kz_store_le32(output->bytes + PARTITIONS_AT + 4 * i, partition);
    }
    kz_store_le32(output->bytes + CUT_PLIES_AT, cut_plies);
    output->size = OUTPUT_BYTES;
    return KZ_OK;
}

/* ---- Partitions -------------------------------------------------------------------------------------------------- */

kz_status kz_pipeline_flush_one(kz_pipeline_dealer *dealer, uint32_t number, kz_error *error) {
    kz_pipeline_part *part = &dealer->parts[number];
    if (dealer->fill[number] == 0) {
        return KZ_OK;
    }
    char *path = kz_pipeline_part_path(dealer->run, dealer->prefix, dealer->first + number);
    if (!path) {
        return kz_fail(error, KZ_ERR_MEMORY, "out of memory");
    }
    kz_place place = {
        .descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666), .name = path, .offset = part->bytes};
    kz_status status = place.descriptor < 0 ? kz_fail_errno(error, KZ_ERR_IO, errno, "can't write %s", path)
                                            : kz_place_write(place, dealer->buffers + number * dealer->buffer_bytes,
                                                             dealer->fill[number], error);
    if (place.descriptor >= 0) {
        close(place.descriptor);
    }
    part->bytes += dealer->fill[number];
    dealer->fill[number] = 0;
    free(path);
    return status;
}

kz_status kz_pipeline_flush(kz_pipeline_dealer *dealer, kz_error *error) {
    for (uint32_t i = 0; i < dealer->count; i++) {
        KZ_TRY(kz_pipeline_flush_one(dealer, i, error));
    }
    return KZ_OK;
}

static kz_status sync_parts(const kz_pipeline_run *run, const kz_pipeline_part *parts, kz_error *error) {
    for (uint32_t i = 0; i < run->state.partitions; i++) {
        if (parts[i].bytes == 0) {
            continue;
        }
        kz_status status = KZ_OK;
        char *path = kz_pipeline_part_path(run, "p", i);
        int descriptor = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
        if (descriptor < 0 || fdatasync(descriptor) != 0) {
            status = kz_fail_errno(error, KZ_ERR_IO, errno, "can't write %s", path ? path : run->folder);
        }
        if (descriptor >= 0) {
            close(descriptor);
        }
        free(path);
        KZ_TRY(status);
    }
    return KZ_OK;
}

/* Cuts what was written after the state was saved. */
static kz_status cut_part(const char *path, uint64_t bytes, kz_error *error) {
    struct stat found;
    if (stat(path, &found) == 0 && (uint64_t)found.st_size < bytes) {
        return kz_fail(error, KZ_ERR_CORRUPT, "can't go on with %s: it is damaged", path);
    }
    return truncate(path, (off_t)bytes) == 0 || (errno == ENOENT && bytes == 0)
               ? KZ_OK
               : kz_fail_errno(error, KZ_ERR_CORRUPT, errno, "can't go on with %s", path);
}

static kz_status cut_parts(const kz_pipeline_run *run, kz_error *error) {
    for (uint32_t i = 0; i < run->state.partitions; i++) {
        char *path = kz_pipeline_part_path(run, "p", i);
        kz_status status =
            path ? cut_part(path, run->parts[i].bytes, error) : kz_fail(error, KZ_ERR_MEMORY, "out of memory");
        free(path);
        KZ_TRY(status);
    }
    return KZ_OK;
}

/* ---- In order ---------------------------------------------------------------------------------------------------- */

static kz_status note_place(struct deal *deal, const kz_records_batch *batch, int worker, kz_error *error) {
    kz_pipeline_run *run = deal->run;
    run->state.place = batch->end;
    deal->consistent = true;
    if (atomic_load(&deal->saver) != NOBODY || kz_seconds() < deal->next_save) {
        return KZ_OK;
    }
    KZ_TRY(kz_pipeline_flush(&deal->dealer, error));
    deal->to_save = run->state;
    memcpy(deal->parts_to_save, run->parts, run->state.partitions * sizeof *run->parts);
    atomic_store(&deal->saver, worker);
    return KZ_OK;
}

/* Where nothing counts as a duplicate, the number of the record decides about its place. */
static kz_status deal_numbered(struct deal *deal, const uint8_t *item, kz_error *error) {
    kz_pipeline_run *run = deal->run;
    uint64_t place = kz_item_place_of_number(run->state.numbered, run->salt);
    uint32_t partition = kz_item_part(&place, run->state.partitions);
    return kz_pipeline_append(&deal->dealer, partition, item, run->state.numbered + 1, error);
}

static kz_status take(void *user, const kz_records_batch *batch, const kz_records_output *output, kz_error *error) {
    struct deal *deal = user;
    kz_pipeline_run *run = deal->run;
    bool numbered = run->pipeline->same == KZ_SHOGI_SAME_NOTHING;
    deal->consistent = false;
    for (size_t i = 0; i < batch->count; i++) {
        uint32_t partition = kz_load_le32(output->bytes + PARTITIONS_AT + 4 * i);
        if (partition != NO_PARTITION) {
            const uint8_t *item = output->bytes + i * KZ_ITEM_BYTES;
            KZ_TRY(numbered ? deal_numbered(deal, item, error)
                            : kz_pipeline_append(&deal->dealer, partition, item, 0, error));
            run->state.numbered++;
        }
    }
    run->state.report.records.cut_plies += kz_load_le32(output->bytes + CUT_PLIES_AT);
    run->state.report.reference_records = run->state.report.references.read;
    atomic_fetch_add_explicit(&deal->read, batch->count, memory_order_relaxed);
    return batch->has_end ? note_place(deal, batch, output->worker, error) : KZ_OK;
}

static kz_status after(void *user, int worker, kz_error *error) {
    struct deal *deal = user;
    if (atomic_load(&deal->saver) != worker) {
        return KZ_OK;
    }
    kz_status status = sync_parts(deal->run, deal->parts_to_save, error);
    if (status == KZ_OK) {
        status = kz_pipeline_save(deal->run, &deal->to_save, deal->parts_to_save, error);
    }
    deal->next_save = kz_seconds() + deal->interval;
    atomic_store(&deal->saver, NOBODY);
    return status;
}

/* The stream counts in records or bytes of one source; people want records of all. */
static bool tell(void *user, const char *stage, uint64_t done, uint64_t total) {
    struct deal *deal = user;
    const kz_progress *progress = deal->run->progress;
    (void)done;
    (void)total;
    uint64_t read = atomic_load_explicit(&deal->read, memory_order_relaxed);
    uint64_t all = deal->run->estimate.records;
    return !progress || !progress->report || progress->report(progress->user, stage, read < all ? read : all, all);
}

/* Saves where the run is: everything so far is in the partitions. */
static kz_status save_now(struct deal *deal, kz_error *error) {
    kz_pipeline_run *run = deal->run;
    KZ_TRY(kz_pipeline_flush(&deal->dealer, error));
    KZ_TRY(sync_parts(run, run->parts, error));
    return kz_pipeline_save(run, &run->state, run->parts, error);
}

/* ---- Sources ----------------------------------------------------------------------------------------------------- */

static kz_status read_source(struct deal *deal, const kz_shogi_source *source, kz_error *error) {
    kz_pipeline_run *run = deal->run;
    kz_shogi_file_options options = *run->options;
    const kz_shogi_filter fold = {.fold = options.filter && options.filter->fold};
    deal->reference = run->state.phase == KZ_PIPELINE_READING_REFERENCES;
    if (deal->reference) {
        options.filter = &fold;
        options.legal = false;
    }
    /* A filter may change what a record has. */
    deal->source = source;
    deal->like_items = (source->record == KZ_SHOGI_RECORD_PSV || source->record == KZ_SHOGI_RECORD_SSPV) &&
                       kz_records_dialect(source->record, source->dialect) == KZ_SHOGI_YANEURAOU &&
                       !kz_records_filter_is_active(options.filter);
    const kz_records_place start = run->state.place;
    const kz_progress progress = {.report = tell, .user = deal};
    const kz_records_job job = {
        .source = source,
        .options = &options,
        .stage = deal->reference ? "reading references" : "reading",
        .start = start.offset > 0 || start.record > 0 ? &start : NULL,
        .output_bytes = OUTPUT_BYTES,
        .work = work,
        .take = take,
        .after = after,
        .user = deal,
    };
    kz_shogi_pipeline_report *report = &run->state.report;
    kz_status status =
        kz_records_each(&job, &progress, deal->reference ? &report->references : &report->records, error);
    report->reference_records = report->references.read; /* with a record that is cut short, which nobody takes */
    return status;
}

static kz_status read_sources(struct deal *deal, const kz_shogi_source *sources, size_t count, kz_error *error) {
    kz_pipeline_run *run = deal->run;
    while (run->state.source < count) {
        KZ_TRY(read_source(deal, &sources[run->state.source], error));
        run->state.source++;
        run->state.place = (kz_records_place){.offset = 0};
        deal->consistent = true;
    }
    run->state.source = 0;
    run->state.phase++;
    return KZ_OK;
}

static kz_status read_all(struct deal *deal, kz_error *error) {
    kz_pipeline_run *run = deal->run;
    const kz_shogi_pipeline *pipeline = run->pipeline;
    kz_status status = KZ_OK;
    if (run->state.phase == KZ_PIPELINE_READING_REFERENCES) {
        status = read_sources(deal, pipeline->references, pipeline->reference_count, error);
    }
    if (status == KZ_OK && run->state.phase == KZ_PIPELINE_READING) {
        status = read_sources(deal, pipeline->inputs, pipeline->input_count, error);
    }
    if (status == KZ_OK) {
        return save_now(deal, error);
    }
    if ((status == KZ_ERR_CANCELLED || status == KZ_ERR_IO) && deal->consistent) {
        /* What was taken is in order. If this fails, the state before it counts. */
        kz_error ignored;
        (void)save_now(deal, &ignored);
    }
    return status;
}

kz_status kz_pipeline_deal(kz_pipeline_run *run, kz_error *error) {
    uint32_t partitions = run->state.partitions;
    uint64_t buffer = run->memory / 2 / partitions;
    buffer = buffer < LEAST_BUFFER ? LEAST_BUFFER : buffer > MOST_BUFFER ? MOST_BUFFER : buffer;
    struct deal *deal = calloc(1, sizeof *deal);
    if (!deal) {
        return kz_fail(error, KZ_ERR_MEMORY, "out of memory");
    }
    *deal = (struct deal){
        .run = run,
        .complete = kz_shogi_codec_for(KZ_SHOGI_SSPF, NULL),
        .any = kz_shogi_codec_for(KZ_SHOGI_SSPFX, NULL),
        .dealer = {.run = run,
                   .prefix = "p",
                   .count = partitions,
                   .buffer_bytes = (size_t)buffer,
                   .buffers = malloc((size_t)buffer * partitions),
                   .fill = calloc(partitions, sizeof *deal->dealer.fill),
                   .parts = run->parts},
        .parts_to_save = malloc(partitions * sizeof *deal->parts_to_save),
        .consistent = true,
        .saver = NOBODY,
        .interval = run->options->checkpoint_seconds > 0 ? run->options->checkpoint_seconds : CHECKPOINT_SECONDS,
    };
    double begin = kz_seconds();
    deal->next_save = begin + deal->interval;
    atomic_store(&deal->read, run->state.report.records.read + run->state.report.reference_records);
    kz_status status = KZ_OK;
    if (!deal->dealer.buffers || !deal->dealer.fill || !deal->parts_to_save) {
        status = kz_fail(error, KZ_ERR_MEMORY, "out of memory for the buffers of %u partitions", partitions);
    }
    KZ_TRY_OR(end, status);
    KZ_TRY_OR(end, cut_parts(run, error));
    status = read_all(deal, error);
end:
    run->state.report.reading_seconds += kz_seconds() - begin;
    free(deal->dealer.buffers);
    free(deal->dealer.fill);
    free(deal->parts_to_save);
    free(deal);
    return status;
}
