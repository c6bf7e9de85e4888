/* SPDX-License-Identifier: MIT
 *
 * Sweeps by this process alone: on its threads, or on a graphics card that sweeps many slices at once. Both sweep a
 * phase in batches of slices. Between two batches a checkpoint can be written: a file of the phase that holds what the
 * slices so far have found. */
#include "base/bits.h"
#include "base/error.h"
#include "games/pushfight/solve/solve.h"

#include <kanzen/system.h>
#include <stdlib.h>
#include <string.h>

enum {
    GRAIN = 64,   /* slices that one worker takes at a time: neighbours write to the same pages */
    BATCHES = 64, /* of a phase on threads */
    CARD_BATCHES = 8,
    PACKED_PAGES = 1024, /* whose frames are in memory until they are written */
    CHECKPOINT_SECONDS = 600
};

static kz_status for_each(kz_pf_job *s, uint64_t grain, kz_pool_work *work, const char *stage, kz_error *error) {
    return kz_pool_for(s->pool, s->sets, grain, work, s, stage ? s->options->progress : NULL, stage, error);
}

/* ---- Phases -1 and 0 --------------------------------------------------------------------------------------------- */

static void start_slices(void *context, int worker, uint64_t begin, uint64_t end) {
    const kz_pf_job *s = context;
    for (uint64_t slice = begin; slice < end; slice++) {
        kz_pf_pages_start(s->pages, worker, slice);
    }
}

static void measure_pages(void *context, int worker, uint64_t begin, uint64_t end) {
    const kz_pf_job *s = context;
    (void)worker;
    for (uint64_t page = begin; page < end; page++) {
        kz_pf_pages_measure(s->pages, page);
    }
}

static void place_pages(void *context, int worker, uint64_t begin, uint64_t end) {
    const kz_pf_job *s = context;
    (void)worker;
    for (uint64_t page = begin; page < end; page++) {
        s->changed[page] = kz_pf_pages_place(s->pages, page);
    }
}

kz_status kz_pf_alone_start(kz_pf_job *s, kz_pf_amount *won, kz_error *error) {
    if (s->card) {
        KZ_TRY(kz_pf_card_start(s->card, s->changed, &s->stuck, won, error));
        s->total = s->card->total;
        return KZ_OK;
    }
    KZ_TRY(for_each(s, GRAIN, start_slices, "phase 0: wins at once", error));
    KZ_TRY(for_each(s, 4, measure_pages, "phase 0: counting runs", error));
    KZ_TRY(kz_pf_pages_lay_out(s->pages, &s->stuck, won, error));
    KZ_TRY(for_each(s, 0, place_pages, NULL, error));
    s->total = kz_pf_pages_total(s->pages);
    return KZ_OK;
}

/* ---- Ending a phase ---------------------------------------------------------------------------------------------- */

/* On a card, all marks are fetched first, and that ends the phase there. */
static uint64_t collect(kz_pf_job *s, uint64_t page, bool settle, uint8_t *marks) {
    return s->card ? kz_pf_card_collect(s->card, page, marks)
                   : kz_pf_pages_collect(s->pages, s->facts.phase, page, settle, marks);
}

static void pack_pages(void *context, int worker, uint64_t begin, uint64_t end) {
    kz_pf_job *s = context;
    kz_pf_job_worker *w = &s->workers[worker];
    for (uint64_t i = begin; i < end && w->error.status == KZ_OK; i++) {
        uint64_t page = s->first_frame + i;
        uint8_t *entry = s->entries + KZ_PHASE_ENTRY_BYTES * i;
        s->frames[i] = NULL;
        memset(entry, 0, KZ_PHASE_ENTRY_BYTES);
        if (collect(s, page, s->settles, w->marks)) {
            size_t runs = kz_pf_run_count(s->first_runs, page);
            s->frames[i] = kz_phase_pack(&w->packer, page, w->marks, runs, entry);
            if (!s->frames[i]) {
                kz_fail(&w->error, KZ_ERR_MEMORY, "no memory to save a phase");
            }
        }
    }
}

kz_status kz_pf_pack_pages(kz_pf_job *s, uint64_t first, uint64_t count, bool settle, uint8_t **frames,
                           uint8_t *entries, kz_error *error) {
    memset(frames, 0, count * sizeof *frames);
    s->first_frame = first;
    s->settles = settle;
    s->frames = frames;
    s->entries = entries;
    KZ_TRY(kz_pool_for(s->pool, count, 1, pack_pages, s, NULL, NULL, error));
    return kz_pf_worker_failure(s, error);
}

/* Packs some pages and writes them at `end`. */
static kz_status write_pages(kz_pf_job *s, kz_phase_out *out, uint64_t first, uint64_t count, bool settle,
                             uint64_t *end, kz_error *error) {
    uint8_t *frames[PACKED_PAGES];
    uint8_t *entries = out->entries + KZ_PHASE_ENTRY_BYTES * first;
    kz_status status = kz_pf_pack_pages(s, first, count, settle, frames, entries, error);
    for (uint64_t i = 0; i < count; i++) {
        uint32_t size = kz_phase_frame_bytes(entries + KZ_PHASE_ENTRY_BYTES * i);
        if (status == KZ_OK && size > 0) {
            status = kz_outfile_write_at(&out->file, frames[i], size, *end, error);
            *end += size;
        }
        free(frames[i]);
    }
    return status;
}

static kz_status write_phase(kz_pf_job *s, const char *path, bool settle, kz_error *error) {
    kz_phase_out out;
    KZ_TRY(kz_phase_out_open(&out, path, &s->facts, kz_pf_decided_now(s), error));
    uint64_t end = out.begin;
    kz_status status = KZ_OK;
    for (uint64_t first = 0; status == KZ_OK && first < s->sets; first += PACKED_PAGES) {
        uint64_t left = s->sets - first;
        status = write_pages(s, &out, first, left < PACKED_PAGES ? left : PACKED_PAGES, settle, &end, error);
    }
    for (uint64_t page = 0; settle && page < s->sets; page++) {
        s->changed[page] = kz_phase_frame_bytes(out.entries + KZ_PHASE_ENTRY_BYTES * page) != 0;
    }
    return kz_phase_out_close(&out, status, error);
}

static void settle_pages(void *context, int worker, uint64_t begin, uint64_t end) {
    kz_pf_job *s = context;
    for (uint64_t page = begin; page < end; page++) {
        s->changed[page] = collect(s, page, true, s->workers[worker].marks) != 0;
    }
}

kz_status kz_pf_alone_settle(kz_pf_job *s, const char *path, kz_error *error) {
    if (s->card) {
        KZ_TRY(kz_pf_card_fetch(s->card, s->facts.phase, true, error));
    }
    return path ? write_phase(s, path, true, error) : for_each(s, 0, settle_pages, NULL, error);
}

/* ---- Sweeps ------------------------------------------------------------------------------------------------------ */

static void sweep_slices(void *context, int worker, uint64_t begin, uint64_t end) {
    kz_pf_job *s = context;
    kz_pf_job_worker *w = &s->workers[worker];
    uint32_t *decided = kz_pf_decided_now(s);
    for (uint64_t slice = s->first_slice + begin; slice < s->first_slice + end; slice++) {
        if (kz_pf_slice_touched(s->tables, s->space->own_squares[slice], s->changed)) {
            decided[slice] = (uint32_t)kz_pf_pages_sweep(s->pages, worker, s->facts.phase, slice, &w->fresh);
            w->swept++;
        }
    }
}

/* A batch reports its progress as a part of the phase. */
typedef struct batch_progress {
    const kz_progress *whole;
    uint64_t first;
    uint64_t total;
} batch_progress;

static bool report_batch(void *user, const char *stage, uint64_t done, uint64_t total) {
    const batch_progress *batch = user;
    (void)total;
    return batch->whole->report(batch->whole->user, stage, batch->first + done, batch->total);
}

/* Sweeps `count` slices from s->facts.slices_done on. */
static kz_status sweep_batch(kz_pf_job *s, uint64_t count, const char *stage, kz_error *error) {
    const kz_progress *whole = s->options->progress;
    batch_progress part = {whole, s->facts.slices_done, s->sets};
    kz_progress progress = {whole && whole->report ? report_batch : NULL, &part};
    s->first_slice = s->facts.slices_done;
    if (!s->card) {
        kz_status status = kz_pool_for(s->pool, count, GRAIN, sweep_slices, s, &progress, stage, error);
        kz_pf_take_counts(s, &s->facts.found.kept, &s->facts.slices_swept);
        return status;
    }
    if (progress.report && !progress.report(progress.user, stage, 0, count)) {
        return kz_fail(error, KZ_ERR_CANCELLED, "stopped");
    }
    return kz_pf_card_sweep(s->card, s->facts.phase, s->first_slice, count, s->changed, kz_pf_decided_now(s),
                            &s->facts.found.kept, &s->facts.slices_swept, error);
}

static kz_status write_checkpoint(kz_pf_job *s, kz_error *error) {
    char path[KZ_PATH_BYTES];
    KZ_TRY(kz_phase_path(s->folder, s->facts.phase, path, sizeof path, error));
    s->facts.microseconds = s->microseconds_before + (uint64_t)((kz_seconds() - s->phase_begin) * 1e6);
    if (s->card) {
        KZ_TRY(kz_pf_card_fetch(s->card, s->facts.phase, false, error));
    }
    return write_phase(s, path, false, error);
}

/* Phase 0 has no file, so it has no checkpoints either and is one batch. */
static uint64_t slices_of_batch(const kz_pf_job *s) {
    return s->facts.phase == 0 ? s->sets
           : s->card           ? s->sets / CARD_BATCHES + 1
                               : (s->sets / BATCHES / GRAIN + 1) * GRAIN * (uint64_t)kz_pool_threads(s->pool);
}

kz_status kz_pf_alone_sweep(kz_pf_job *s, const char *stage, kz_error *error) {
    double interval = s->options->checkpoint_seconds > 0 ? s->options->checkpoint_seconds : CHECKPOINT_SECONDS;
    double saved = kz_seconds();
    uint64_t batch = slices_of_batch(s);
    while (s->facts.slices_done < s->sets) {
        uint64_t left = s->sets - s->facts.slices_done;
        uint64_t count = left < batch ? left : batch;
        KZ_TRY(sweep_batch(s, count, stage, error));
        s->facts.slices_done += count;
        if (s->facts.slices_done < s->sets && kz_seconds() - saved > interval) {
            KZ_TRY(write_checkpoint(s, error));
            saved = kz_seconds();
        }
    }
    return KZ_OK;
}

/* ---- Going on from a file ---------------------------------------------------------------------------------------- */

static void restore_pages(void *context, int worker, uint64_t begin, uint64_t end) {
    kz_pf_job *s = context;
    kz_pf_job_worker *w = &s->workers[worker];
    const kz_phase_file *file = kz_pf_file_now(s);
    int phase = s->facts.phase;
    bool whole = file->facts.whole;
    for (uint64_t page = begin; page < end && w->error.status == KZ_OK; page++) {
        bool has = kz_phase_has(file, page);
        size_t runs = kz_pf_run_count(s->first_runs, page);
        if (has && kz_phase_marks(file, page, runs, w->marks, &w->error) == KZ_OK) {
            if (s->card) {
                kz_pf_card_restore(s->card, phase, page, whole, w->marks);
            } else {
                kz_pf_pages_restore(s->pages, phase, page, whole, w->marks);
            }
        }
        if (whole) {
            s->changed[page] = has;
        }
    }
}

kz_status kz_pf_alone_restore(kz_pf_job *s, kz_error *error) {
    const kz_phase_file *file = kz_pf_file_now(s);
    if (s->card) {
        KZ_TRY(kz_pf_card_begin_restore(s->card, error));
    }
    KZ_TRY(for_each(s, 0, restore_pages, "reading what was found before", error));
    KZ_TRY(kz_pf_worker_failure(s, error));
    for (uint64_t slice = 0; slice < s->sets; slice++) {
        kz_pf_decided_now(s)[slice] = kz_load_le32(file->decided + 4 * slice);
    }
    return KZ_OK;
}
