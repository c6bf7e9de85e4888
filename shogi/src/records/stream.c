/* SPDX-License-Identifier: MIT
 *
 * Every thread of the pool runs the same loop: get a piece of the source and a ticket, decode it, work on it, wait
 * until all earlier tickets have had their turn, take it, pass the turn on. Tickets are given out in the order of the
 * pieces, so the thread with the lowest one never waits for anybody.
 *
 * A piece is a batch, as a rule. If it has more records (a long game), the thread works on the next ones while it is
 * still its turn. */
#include "shogi/src/records/stream.h"

#include "base/error.h"
#include "base/pool.h"
#include "shogi/src/records/decode.h"
#include "shogi/src/records/source.h"

#include <inttypes.h>
#include <kanzen/system.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { REPORT_INTERVAL_MS = 100 };

struct stream;

/* What a thread works with. */
struct slot {
    struct stream *stream;
    int worker;
    uint64_t ticket;
    bool its_turn;
    kz_records_piece piece;
    kz_records_sheet sheet;
    kz_records_output output;
    kz_status status; /* of the piece, until it is its turn */
    kz_error error;
};

struct stream {
    const kz_records_job *job;
    kz_records_decoder decoder;
    kz_records_input input;
    const kz_shogi_filter *filter; /* NULL: there is none */
    bool in_order; /* decode only when it is one's turn: which records are wanted depends on all before them */

    pthread_mutex_t lock;     /* guards the next four */
    pthread_cond_t claimable; /* nobody is getting a piece */
    bool claiming;            /* somebody is */
    uint64_t tickets;         /* given out */
    uint64_t turn;            /* the ticket whose turn it is */
    pthread_cond_t *turns;    /* by ticket modulo workers: no two that are out have the same */
    int workers;
    struct slot *slots;

    /* For whose turn it is. */
    kz_records_place place; /* what has been taken */
    bool over;              /* nothing more will be taken */
    kz_shogi_file_report *report;

    atomic_bool stop; /* get no more pieces */
    atomic_bool cancelled;
    kz_status status; /* the first failure; guarded by the lock */
    kz_error *error;

    /* For the calling thread; others write `done`. */
    const kz_progress *progress;
    atomic_uint_least64_t done;
    uint64_t total;
    uint64_t begin; /* what a run before this one has done */
    double next_report;
};

int kz_records_workers(const kz_shogi_file_options *options) {
    return options->threads > 0 ? options->threads : kz_processor_count();
}

/* ---- Progress ---------------------------------------------------------------------------------------------------- */

static void report_progress(struct stream *stream) {
    uint64_t done = atomic_load_explicit(&stream->done, memory_order_relaxed);
    if (!stream->progress->report(stream->progress->user, stream->job->stage, done, stream->total)) {
        atomic_store(&stream->cancelled, true);
        atomic_store(&stream->stop, true);
    }
}

static bool listens(const struct stream *stream, int worker) {
    return worker == 0 && stream->progress && stream->progress->report;
}

static void report_if_due(struct stream *stream, int worker) {
    if (!listens(stream, worker)) {
        return;
    }
    double now = kz_seconds();
    if (now >= stream->next_report) {
        report_progress(stream);
        stream->next_report = now + REPORT_INTERVAL_MS / 1e3;
    }
}

static bool patience(void *user, int worker) {
    struct stream *stream = user;
    report_if_due(stream, worker);
    return !atomic_load_explicit(&stream->stop, memory_order_relaxed);
}

/* Waits for a condition under the lock; the calling thread goes on reporting. */
static void wait_for(struct stream *stream, int worker, pthread_cond_t *condition) {
    if (!listens(stream, worker)) {
        pthread_cond_wait(condition, &stream->lock);
        return;
    }
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += REPORT_INTERVAL_MS * 1000000L;
    if (until.tv_nsec >= 1000000000L) {
        until.tv_nsec -= 1000000000L;
        until.tv_sec++;
    }
    pthread_cond_timedwait(condition, &stream->lock, &until);
    /* The callback is not ours: it must not run under the lock. */
    pthread_mutex_unlock(&stream->lock);
    report_if_due(stream, worker);
    pthread_mutex_lock(&stream->lock);
}

/* ---- Turns ------------------------------------------------------------------------------------------------------- */

static void await_turn(struct slot *slot) {
    struct stream *stream = slot->stream;
    if (slot->its_turn) {
        return;
    }
    pthread_mutex_lock(&stream->lock);
    while (stream->turn != slot->ticket) {
        wait_for(stream, slot->worker, &stream->turns[slot->ticket % (uint64_t)stream->workers]);
    }
    pthread_mutex_unlock(&stream->lock);
    slot->its_turn = true;
}

static void pass_turn(struct slot *slot) {
    struct stream *stream = slot->stream;
    slot->its_turn = false;
    pthread_mutex_lock(&stream->lock);
    stream->turn++;
    pthread_cond_signal(&stream->turns[stream->turn % (uint64_t)stream->workers]);
    pthread_mutex_unlock(&stream->lock);
}

/* Ends everything; the first failure is the one that is told. */
static void fail(struct stream *stream, kz_status status, const kz_error *error) {
    pthread_mutex_lock(&stream->lock);
    if (stream->status == KZ_OK) {
        stream->status = status;
        if (stream->error) {
            *stream->error = *error;
        }
    }
    pthread_mutex_unlock(&stream->lock);
    atomic_store(&stream->stop, true);
}

/* Gets the next piece and a ticket for it; false when there is none. */
static bool claim(struct slot *slot) {
    struct stream *stream = slot->stream;
    pthread_mutex_lock(&stream->lock);
    while (stream->claiming) {
        wait_for(stream, slot->worker, &stream->claimable);
    }
    stream->claiming = true;
    pthread_mutex_unlock(&stream->lock);

    bool stopped = atomic_load(&stream->stop);
    slot->status = KZ_OK;
    slot->piece.size = 0;
    if (!stopped) {
        slot->status = kz_records_next(&stream->input, slot->worker, &slot->piece, &slot->error);
    }
    bool found = slot->piece.size > 0 || slot->status != KZ_OK;
    pthread_mutex_lock(&stream->lock);
    stream->claiming = false;
    pthread_cond_signal(&stream->claimable);
    if (found) {
        slot->ticket = stream->tickets++;
    }
    pthread_mutex_unlock(&stream->lock);
    return found;
}

/* ---- Bad records ------------------------------------------------------------------------------------------------- */

static bool counts_lines(const struct stream *stream) {
    return stream->decoder.record == KZ_SHOGI_RECORD_SFEN || stream->decoder.record == KZ_SHOGI_RECORD_USI ||
           stream->decoder.record == KZ_SHOGI_RECORD_PLAIN;
}

/* Counts a bad record. The failure that it is, if it is one, is written into `error`. */
static void count_bad(struct stream *stream, uint64_t index, kz_shogi_defect defect, const char *reason,
                      kz_error *error) {
    kz_shogi_file_report *report = stream->report;
    report->bad++;
    report->defects[defect]++;
    if (report->offender_count < KZ_SHOGI_OFFENDERS) {
        kz_shogi_offender *offender = &report->offenders[report->offender_count++];
        memset(offender, 0, sizeof *offender);
        offender->index = index;
        offender->defect = defect;
        snprintf(offender->reason, sizeof offender->reason, "%s", reason);
    }
    if (error->status == KZ_OK) {
        const char *why = reason[0] != '\0' ? reason : kz_shogi_defect_text(defect);
        bool lines = counts_lines(stream);
        kz_fail(error, KZ_ERR_CORRUPT, "%s %" PRIu64 " of %s: %s", lines ? "line" : "record", index + !lines,
                stream->input.name, why);
    }
}

static const char *reason_for(const kz_records_sheet *sheet, size_t at) {
    for (size_t i = 0; i < sheet->reason_count; i++) {
        if (sheet->reasons[i].at == at) {
            return sheet->reasons[i].text;
        }
    }
    return "";
}

/* Adds a batch to the report. `error` gets the first bad record. */
static void count_batch(struct slot *slot, kz_error *error) {
    struct stream *stream = slot->stream;
    const kz_records_sheet *sheet = &slot->sheet;
    stream->report->read += sheet->count;
    if (stream->job->raw) {
        return;
    }
    for (size_t i = 0; i < sheet->count; i++) {
        if (sheet->defects[i] == KZ_SHOGI_LEFT_OUT) {
            stream->report->left_out++;
        } else if (sheet->defects[i] != KZ_SHOGI_FINE) {
            uint64_t index = counts_lines(stream) ? stream->place.line + sheet->lines[i] + 1 : stream->place.record + i;
            count_bad(stream, index, sheet->defects[i], reason_for(sheet, i), error);
        }
    }
}

/* Adds the positions of games that became no records. */
static void count_positions(struct slot *slot) {
    kz_shogi_file_report *report = slot->stream->report;
    report->unsearched += slot->sheet.unsearched;
    report->lost_positions += slot->sheet.lost_positions;
    slot->sheet.unsearched = 0;
    slot->sheet.lost_positions = 0;
}

/* A record that is cut off at the end of the source is a bad one. */
static void count_trailing(struct stream *stream) {
    kz_error error = {.status = KZ_OK};
    char reason[sizeof((kz_shogi_offender *)NULL)->reason];
    size_t trailing = stream->input.trailing;
    snprintf(reason, sizeof reason, "the file is cut short: it ends after %zu byte%s of this record", trailing,
             trailing == 1 ? "" : "s");
    stream->report->read++;
    stream->report->trailing = trailing;
    count_bad(stream, stream->place.record, KZ_SHOGI_TRUNCATED, reason, &error);
    if (!stream->job->options->skip_bad) {
        fail(stream, KZ_ERR_CORRUPT, &error);
    }
}

/* ---- Batches ----------------------------------------------------------------------------------------------------- */

/* Works on what the sheet has, and takes it when it is its turn. `last` if the piece ends with it. False to stop. */
static bool handle_batch(struct slot *slot, bool last) {
    struct stream *stream = slot->stream;
    const kz_records_job *job = stream->job;
    kz_records_sheet *sheet = &slot->sheet;
    bool fixed = stream->decoder.info->bytes != 0;
    kz_records_batch batch = {
        .first = slot->piece.first,
        .count = sheet->count,
        .bytes = fixed ? slot->piece.bytes : NULL,
        .positions = job->raw ? NULL : sheet->positions,
        .notes = job->raw ? NULL : sheet->notes,
        .defects = job->raw ? NULL : sheet->defects,
        .entries = stream->decoder.record == KZ_SHOGI_RECORD_HCPE3 ? sheet->entries : NULL,
    };
    slot->output.size = 0;
    kz_status status = KZ_OK;
    /* When somebody has failed, nobody will take this; but what was begun before a cancellation is taken. */
    bool wanted = !atomic_load(&stream->stop) || atomic_load(&stream->cancelled);
    if (wanted && stream->filter) {
        kz_records_filter(stream->filter, sheet->count, sheet->positions, sheet->notes, sheet->defects);
    }
    if (wanted) {
        status = job->work(job->user, slot->worker, &batch, &slot->output, &slot->error);
    }
    await_turn(slot);
    stream->over = stream->over || !wanted;
    if (stream->over) {
        return false;
    }
    kz_error bad = {.status = KZ_OK};
    if (status == KZ_OK) {
        stream->place.record += sheet->passed;
        sheet->passed = 0;
        count_positions(slot);
        count_batch(slot, &bad);
        batch.first = stream->place.record;
        stream->place.record += sheet->count;
        batch.has_end = last && stream->input.repeatable && !sheet->ended;
        batch.piece = batch.has_end && stream->input.seekable && !stream->input.unpacker ? slot->piece.bytes : NULL;
        batch.piece_size = slot->piece.size;
        batch.end = (kz_records_place){.offset = slot->piece.offset + slot->piece.size,
                                       .record = stream->place.record,
                                       .line = stream->place.line + sheet->line};
        if (job->take) {
            status = job->take(job->user, &batch, &slot->output, &slot->error);
        }
    }
    if (status == KZ_OK && bad.status != KZ_OK && !job->options->skip_bad) {
        status = bad.status;
        slot->error = bad;
    }
    if (status != KZ_OK) {
        stream->over = true;
        fail(stream, status, &slot->error);
    }
    kz_records_clear(sheet);
    return status == KZ_OK;
}

static bool handle_full_sheet(void *user) { return handle_batch(user, false); }

/* Which of the records that follow are wanted, where that was left to the decoder. */
static void set_wants(struct slot *slot) {
    const struct stream *stream = slot->stream;
    const kz_shogi_source *source = stream->job->source;
    uint64_t at = stream->place.record;
    slot->sheet.pass = at < source->first ? source->first - at : 0;
    if (source->count != 0) {
        uint64_t taken = at > source->first ? at - source->first : 0;
        slot->sheet.left = source->count - taken;
    }
}

static void handle_records(struct slot *slot) {
    struct stream *stream = slot->stream;
    kz_records_sheet *sheet = &slot->sheet;
    sheet->ended = false;
    sheet->line = 0;
    sheet->unsearched = 0;
    sheet->lost_positions = 0;
    kz_records_clear(sheet);
    if (stream->in_order) {
        await_turn(slot);
        if (stream->over) {
            return;
        }
        set_wants(slot);
    }
    if (stream->job->raw) {
        sheet->count = slot->piece.size / stream->decoder.info->bytes;
    } else {
        kz_records_decode(&stream->decoder, &slot->piece, sheet);
        sheet->ended = sheet->ended || (stream->in_order && sheet->left == 0);
    }
    if (sheet->count > 0) {
        handle_batch(slot, true);
    }
}

/* How far it is: records, or bytes of a file whose number of records is not known. */
static uint64_t progress_of(const struct stream *stream) {
    bool by_bytes = stream->input.seekable && stream->decoder.info->bytes == 0;
    return by_bytes ? stream->place.offset : stream->place.record;
}

/* What comes after a piece's records, when it is its turn. */
static void end_piece(struct slot *slot) {
    struct stream *stream = slot->stream;
    await_turn(slot);
    if (slot->status != KZ_OK && !stream->over) {
        stream->over = true;
        fail(stream, slot->status, &slot->error);
    }
    if (slot->sheet.ended && !stream->over) {
        stream->over = true; /* what was wanted is there */
        atomic_store(&stream->stop, true);
    }
    if (!stream->over) {
        stream->place.record += slot->sheet.passed;
        slot->sheet.passed = 0;
        count_positions(slot);
        stream->place.offset = slot->piece.offset + slot->piece.size;
        stream->place.line += slot->sheet.line;
    }
    atomic_store_explicit(&stream->done, progress_of(stream) - stream->begin, memory_order_relaxed);
    pass_turn(slot);
}

static void run_worker(void *context, int worker, uint64_t begin, uint64_t end) {
    (void)begin;
    (void)end;
    struct stream *stream = context;
    struct slot *slot = &stream->slots[worker];
    while (claim(slot)) {
        if (slot->status == KZ_OK) {
            slot->status = kz_records_fetch(&stream->input, &slot->piece, &slot->error);
        }
        if (slot->status == KZ_OK) {
            handle_records(slot);
        }
        end_piece(slot);
        if (stream->job->after) {
            kz_error error;
            kz_status status = stream->job->after(stream->job->user, worker, &error);
            if (status != KZ_OK) {
                fail(stream, status, &error);
            }
        }
        report_if_due(stream, worker);
    }
}

/* ---- The whole --------------------------------------------------------------------------------------------------- */

static void free_slots(struct stream *stream) {
    for (int i = 0; stream->slots && i < stream->workers; i++) {
        kz_records_free_piece(&stream->slots[i].piece);
        kz_records_free_sheet(&stream->slots[i].sheet);
        free(stream->slots[i].output.bytes);
    }
    free(stream->slots);
    free(stream->turns);
}

static kz_status make_slots(struct stream *stream, kz_error *error) {
    stream->slots = calloc((size_t)stream->workers, sizeof *stream->slots);
    stream->turns = calloc((size_t)stream->workers, sizeof *stream->turns);
    if (!stream->slots || !stream->turns) {
        return kz_fail(error, KZ_ERR_MEMORY, "out of memory for %d threads", stream->workers);
    }
    for (int i = 0; i < stream->workers; i++) {
        struct slot *slot = &stream->slots[i];
        slot->stream = stream;
        slot->worker = i;
        slot->output.worker = i;
        KZ_TRY(kz_records_new_sheet(&slot->sheet, error));
        slot->sheet.full = handle_full_sheet;
        slot->sheet.user = slot;
        if (stream->job->output_bytes != 0) {
            slot->output.bytes = malloc(stream->job->output_bytes);
            if (!slot->output.bytes) {
                return kz_fail(error, KZ_ERR_MEMORY, "out of memory for the output of a batch");
            }
        }
    }
    return KZ_OK;
}

static void run_workers(struct stream *stream, kz_pool *pool) {
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&stream->lock, NULL);
    pthread_cond_init(&stream->claimable, &monotonic);
    for (int i = 0; i < stream->workers; i++) {
        pthread_cond_init(&stream->turns[i], &monotonic);
    }
    pthread_condattr_destroy(&monotonic);

    /* One item for each thread. A thread that comes late finds nothing left to do. */
    kz_pool_for(pool, (uint64_t)stream->workers, 1, run_worker, stream, NULL, stream->job->stage, NULL);
    if (!stream->over && !atomic_load(&stream->cancelled) && stream->input.trailing > 0) {
        count_trailing(stream);
    }
    if (atomic_load(&stream->cancelled)) {
        kz_error error;
        kz_fail(&error, KZ_ERR_CANCELLED, "interrupted");
        fail(stream, KZ_ERR_CANCELLED, &error);
    } else if (listens(stream, 0)) {
        report_progress(stream); /* all is done, so whether it asks to stop no longer matters */
    }

    for (int i = 0; i < stream->workers; i++) {
        pthread_cond_destroy(&stream->turns[i]);
    }
    pthread_cond_destroy(&stream->claimable);
    pthread_mutex_destroy(&stream->lock);
}

kz_status kz_records_pool(int threads, kz_pool **pool, kz_error *error) {
    kz_error why;
    *pool = kz_pool_new(threads, &why);
    return *pool ? KZ_OK : kz_fail(error, why.status, "%s", why.message);
}

kz_status kz_records_each(const kz_records_job *job, const kz_progress *progress, kz_shogi_file_report *report,
                          kz_error *error) {
    struct stream stream = {
        .job = job,
        .report = report,
        .error = error,
        .progress = progress,
        .filter = !job->raw && kz_records_filter_is_active(job->options->filter) ? job->options->filter : NULL,
        .place = job->start ? *job->start : (kz_records_place){.offset = 0},
    };
    kz_status status;
    KZ_TRY(kz_records_decoder_for(&stream.decoder, job->source, job->options, error));
    bool fixed = stream.decoder.info->bytes != 0;
    if (job->raw && !fixed) {
        return kz_fail(error, KZ_ERR_UNSUPPORTED, "records of %s have no fixed size", stream.decoder.info->name);
    }
    KZ_TRY(kz_records_open(&stream.input, job->source, job->start, error));
    stream.input.patience = patience;
    stream.input.user = &stream;
    stream.in_order = !fixed && (job->source->first != 0 || job->source->count != 0);
    stream.place.record = fixed ? stream.input.next : stream.place.record;
    stream.place.offset = stream.input.offset;
    stream.begin = progress_of(&stream);
    stream.total = kz_records_total(&stream.input);

    kz_pool *pool;
    KZ_TRY_OR(end, kz_records_pool(job->options->threads, &pool, error));
    stream.workers = kz_pool_threads(pool);
    KZ_TRY_OR(end, make_slots(&stream, error));
    run_workers(&stream, pool);
    status = stream.status;
end:
    kz_pool_free(pool);
    free_slots(&stream);
    kz_records_close(&stream.input);
    return status;
}
