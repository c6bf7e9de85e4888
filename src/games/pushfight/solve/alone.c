/* SPDX-License-Identifier: MIT
 *
 * Sweeps by this process alone: on its threads, or on a device that sweeps many slices at once. Both sweep a phase in
 * batches of slices. Between two batches a checkpoint can be written: a file of the phase that holds what the slices so
 * far have found. */
#include "base/bits.h"
#include "base/error.h"
#include "games/pushfight/solve/sweep_runner.h"

#include <kanzen/system.h>

enum {
    GRAIN = 64,   /* slices that one worker takes at a time: neighbours write to the same pages */
    BATCHES = 64, /* of a phase on threads */
    DEVICE_BATCHES = 8,
    CHECKPOINT_SECONDS = 600
};

static kz_status for_each(kz_sweep *s, uint64_t count, uint64_t grain, kz_pool_work *work, const char *stage,
                          kz_error *error) {
    return kz_pool_for(s->pool, count, grain, work, s, stage ? s->options->progress : NULL, stage, error);
}

/* ---- Phases -1 and 0 -----------------------------------------------------------------------------------------------
 */

static void start_slices(void *context, int worker, uint64_t begin, uint64_t end) {
    kz_sweep *s = context;
    for (uint64_t slice = begin; slice < end; slice++) {
        s->ops->start(s->solver, worker, slice);
    }
}

static void measure_pages(void *context, int worker, uint64_t begin, uint64_t end) {
    kz_sweep *s = context;
    (void)worker;
    for (uint64_t page = begin; page < end; page++) {
        s->ops->measure(s->solver, page);
    }
}

static void place_pages(void *context, int worker, uint64_t begin, uint64_t end) {
    kz_sweep *s = context;
    (void)worker;
    for (uint64_t page = begin; page < end; page++) {
        s->changed[page] = s->ops->place(s->solver, page);
    }
}

static kz_status start(kz_sweep *s, kz_sweep_counts *won, kz_error *error) {
    kz_status status = for_each(s, s->slices, GRAIN, start_slices, "phase 0: wins at once", error);
    if (status == KZ_OK) {
        status = for_each(s, s->pages, 4, measure_pages, "phase 0: counting rows", error);
    }
    if (status == KZ_OK) {
        status = s->ops->lay_out(s->solver, &s->stuck, won, error);
    }
    if (status == KZ_OK) {
        status = for_each(s, s->pages, 0, place_pages, NULL, error);
    }
    s->total = s->ops->total(s->solver);
    return status;
}

static kz_status start_on_device(kz_sweep *s, kz_sweep_counts *won, kz_error *error) {
    kz_status status = s->ops->start_all(s->solver, s->changed, &s->stuck, won, error);
    s->total = s->ops->total(s->solver);
    return status;
}

/* ---- Sweeps --------------------------------------------------------------------------------------------------------
 */

/* Sweeps `count` slices from s->first_slice on. */
typedef kz_status batch_work(kz_sweep *s, uint64_t count, const kz_progress *progress, const char *stage,
                             kz_error *error);

static void sweep_slices(void *context, int worker, uint64_t begin, uint64_t end) {
    kz_sweep *s = context;
    kz_sweep_worker *w = &s->workers[worker];
    uint32_t *decided = s->decided[s->facts.phase & 1];
    for (uint64_t i = begin; i < end; i++) {
        uint64_t slice = s->first_slice + i;
        if (s->ops->touched(s->solver, slice, s->changed)) {
            decided[slice] = (uint32_t)s->ops->sweep(s->solver, worker, s->facts.phase, slice, &w->fresh);
            w->swept++;
        }
    }
}

static kz_status sweep_batch(kz_sweep *s, uint64_t count, const kz_progress *progress, const char *stage,
                             kz_error *error) {
    kz_status status = kz_pool_for(s->pool, count, GRAIN, sweep_slices, s, progress, stage, error);
    for (int i = 0; i < kz_pool_threads(s->pool); i++) {
        s->facts.found.kept += s->workers[i].fresh;
        s->facts.slices_swept += s->workers[i].swept;
        s->workers[i].fresh = s->workers[i].swept = 0;
    }
    return status;
}

static kz_status sweep_batch_on_device(kz_sweep *s, uint64_t count, const kz_progress *progress, const char *stage,
                                       kz_error *error) {
    if (progress->report && !progress->report(progress->user, stage, 0, count)) {
        return kz_fail(error, KZ_ERR_CANCELLED, "stopped");
    }
    return s->ops->sweep_range(s->solver, s->facts.phase, s->first_slice, count, s->changed,
                               s->decided[s->facts.phase & 1], &s->facts.found.kept, &s->facts.slices_swept, error);
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

/* Brings the marks of all pages from the device, and ends the phase there if `settle` is set. */
static kz_status fetch(kz_sweep *s, bool settle, kz_error *error) {
    return s->ops->fetch ? s->ops->fetch(s->solver, s->facts.phase, settle, error) : KZ_OK;
}

static kz_status write_phase(kz_sweep *s, const char *path, bool settle, kz_error *error) {
    kz_status status = fetch(s, settle, error);
    return status == KZ_OK ? kz_phase_write(path, &s->facts, s->decided[s->facts.phase & 1], s->ops, s->solver, settle,
                                            s->pool, settle ? s->changed : NULL, error)
                           : status;
}

static kz_status write_checkpoint(kz_sweep *s, kz_error *error) {
    char path[KZ_PATH_BYTES];
    kz_status status = kz_phase_path(s->folder, s->facts.phase, path, sizeof path, error);
    s->facts.microseconds = s->microseconds_before + (uint64_t)((kz_seconds() - s->phase_begin) * 1e6);
    return status == KZ_OK ? write_phase(s, path, false, error) : status;
}

/* Sweeps the slices that are left, `batch` of them at a time. Phase 0 has no file, so it has no checkpoints either and
 * is one batch. */
static kz_status sweep_in_batches(kz_sweep *s, uint64_t batch, batch_work *work, const char *stage, kz_error *error) {
    const kz_progress *whole = s->options->progress;
    double interval = s->options->checkpoint_seconds > 0 ? s->options->checkpoint_seconds : CHECKPOINT_SECONDS;
    double saved = kz_seconds();
    kz_status status = KZ_OK;
    batch = s->facts.phase == 0 ? s->slices : batch;
    while (status == KZ_OK && s->facts.slices_done < s->slices) {
        uint64_t left = s->slices - s->facts.slices_done;
        uint64_t count = left < batch ? left : batch;
        batch_progress part = {whole, s->facts.slices_done, s->slices};
        kz_progress progress = {whole && whole->report ? report_batch : NULL, &part};
        s->first_slice = s->facts.slices_done;
        status = work(s, count, &progress, stage, error);
        if (status == KZ_OK) {
            s->facts.slices_done += count;
        }
        if (status == KZ_OK && s->facts.slices_done < s->slices && kz_seconds() - saved > interval) {
            status = write_checkpoint(s, error);
            saved = kz_seconds();
        }
    }
    return status;
}

static kz_status sweep(kz_sweep *s, const char *stage, kz_error *error) {
    uint64_t batch = (s->slices / BATCHES / GRAIN + 1) * GRAIN * (uint64_t)kz_pool_threads(s->pool);
    return sweep_in_batches(s, batch, sweep_batch, stage, error);
}

static kz_status sweep_on_device(kz_sweep *s, const char *stage, kz_error *error) {
    return sweep_in_batches(s, s->slices / DEVICE_BATCHES + 1, sweep_batch_on_device, stage, error);
}

/* ---- Ending a phase, and going on from a file ----------------------------------------------------------------------
 */

static void settle_pages(void *context, int worker, uint64_t begin, uint64_t end) {
    kz_sweep *s = context;
    for (uint64_t page = begin; page < end; page++) {
        s->changed[page] = s->ops->collect(s->solver, s->facts.phase, page, true, s->workers[worker].marks) != 0;
    }
}

static kz_status settle(kz_sweep *s, const char *path, kz_error *error) {
    if (path) {
        return write_phase(s, path, true, error);
    }
    kz_status status = fetch(s, true, error);
    return status == KZ_OK ? for_each(s, s->pages, 0, settle_pages, NULL, error) : status;
}

static void restore_pages(void *context, int worker, uint64_t begin, uint64_t end) {
    kz_sweep *s = context;
    kz_sweep_worker *w = &s->workers[worker];
    const kz_phase_file *file = &s->files[s->facts.phase];
    for (uint64_t page = begin; page < end && w->error.status == KZ_OK; page++) {
        bool has = kz_phase_has(file, page);
        if (has && kz_phase_marks(file, page, s->ops->page_runs(s->solver, page), w->marks, &w->error) == KZ_OK) {
            s->ops->restore(s->solver, s->facts.phase, page, file->facts.whole, w->marks);
        }
        if (file->facts.whole) {
            s->changed[page] = has;
        }
    }
}

static kz_status restore(kz_sweep *s, kz_error *error) {
    const kz_phase_file *file = &s->files[s->facts.phase];
    kz_status status = for_each(s, s->pages, 0, restore_pages, "reading what was found before", error);
    for (int i = 0; status == KZ_OK && i < kz_pool_threads(s->pool); i++) {
        if (s->workers[i].error.status != KZ_OK) {
            status = kz_fail(error, s->workers[i].error.status, "%s", s->workers[i].error.message);
        }
    }
    for (uint64_t slice = 0; slice < s->slices; slice++) {
        s->decided[s->facts.phase & 1][slice] = kz_load_le32(file->decided + 4 * slice);
    }
    return status;
}

/* ---- One process needs no agreement --------------------------------------------------------------------------------
 */

static kz_status nothing(kz_sweep *s, kz_error *error) {
    (void)s;
    (void)error;
    return KZ_OK;
}

static void nothing_to_close(kz_sweep *s) { (void)s; }

static bool has_files(const kz_sweep *s) {
    (void)s;
    return true;
}

static kz_status agree(const kz_sweep *s, kz_status mine, kz_error *error) {
    (void)s;
    (void)error;
    return mine;
}

/* NOLINTNEXTLINE(readability-non-const-parameter): other strategies change it */
static kz_status tell_all(const kz_sweep *s, bool *fact, kz_error *error) {
    (void)s;
    (void)fact;
    (void)error;
    return KZ_OK;
}

static kz_status numbers_of_page(kz_sweep *s, int worker, uint64_t page, const uint64_t *values, uint8_t *numbers,
                                 kz_error *error) {
    (void)worker;
    return s->ops->numbers(s->solver, page, values, numbers, error);
}

const kz_sweep_runner kz_sweep_local_runner = {
    .open = nothing,
    .close = nothing_to_close,
    .has_files = has_files,
    .has_all_pages = true,
    .start = start,
    .sweep = sweep,
    .settle = settle,
    .restore = restore,
    .agree = agree,
    .tell_all = tell_all,
    .numbers = numbers_of_page,
    .serve = nothing,
    .dismiss = nothing,
};

const kz_sweep_runner kz_sweep_device_runner = {
    .open = nothing,
    .close = nothing_to_close,
    .has_files = has_files,
    .has_all_pages = true,
    .start = start_on_device,
    .sweep = sweep_on_device,
    .settle = settle,
    .restore = restore,
    .agree = agree,
    .tell_all = tell_all,
    .numbers = numbers_of_page,
    .serve = nothing,
    .dismiss = nothing,
};
