/* SPDX-License-Identifier: MIT
 *
 * What survives of a partition goes to the output, at the place that its turn tells. */
#include "shogi/src/pipeline/finish.h"

#include <kanzen/system.h>
#include <string.h>
#include <time.h>

enum { REPORT_INTERVAL_MS = 100 };

/* ---- Progress and failure ---------------------------------------------------------------------------------------- */

bool kz_pipeline_go_on(struct writer *writer) {
    struct finish *finish = writer->finish;
    const kz_progress *progress = finish->run->progress;
    if (writer->worker == 0 && progress && progress->report) {
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

kz_status kz_pipeline_cancelled(kz_error *error) { return kz_fail(error, KZ_ERR_CANCELLED, "cancelled"); }

kz_status kz_pipeline_wait(struct writer *writer, const uint32_t *counter, kz_error *error) {
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
        (void)kz_pipeline_go_on(writer);
        pthread_mutex_lock(&finish->lock);
    }
    bool reached = *counter == writer->partition;
    pthread_mutex_unlock(&finish->lock);
    return reached ? KZ_OK : kz_pipeline_cancelled(error);
}

static kz_status take_turn(struct writer *writer, kz_error *error) {
    if (writer->has_turn) {
        return KZ_OK;
    }
    KZ_TRY(kz_pipeline_wait(writer, &writer->finish->turn, error));
    if (!writer->took_turn) {
        memcpy(writer->sets, writer->finish->begin, sizeof writer->sets);
        for (int set = 0; set < KZ_PIPELINE_SETS; set++) {
            uint64_t each = writer->finish->run->pipeline->shard_records;
            writer->first_shard[set] = each != 0 ? writer->sets[set].records / each : 0;
        }
    }
    writer->has_turn = writer->took_turn = true;
    return KZ_OK;
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
        KZ_TRY(encode(writer, set, done, now, error));
        at->shard_bytes = each != 0 && at->records % each == 0 ? 0 : at->shard_bytes;
        uint64_t offset = record_bytes != 0 ? (at->records - shard * each) * record_bytes : at->shard_bytes;
        KZ_TRY(kz_pipeline_write(run, set, shard, offset, writer->output.bytes, writer->output.size, error));
        at->shard_bytes += record_bytes != 0 ? 0 : writer->output.size;
        if (!kz_pipeline_go_on(writer)) {
            return kz_pipeline_cancelled(error);
        }
        at->records += now;
        at->bytes += writer->output.size;
        done += now;
    }
    return KZ_OK;
}

kz_status kz_pipeline_emit(struct writer *writer, bool last, kz_error *error) {
    const kz_pipeline_run *run = writer->finish->run;
    kz_pipeline_bench *bench = writer->bench;
    KZ_TRY(take_turn(writer, error));
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
    KZ_TRY(write_set(writer, KZ_PIPELINE_MAIN, wanted, error));
    KZ_TRY(write_set(writer, KZ_PIPELINE_HELD, bench->held_count, error));
    if (last && writer->has_turn) {
        pass_turn(writer, writer->sets);
    }
    return KZ_OK;
}
