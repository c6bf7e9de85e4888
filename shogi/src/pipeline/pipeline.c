/* SPDX-License-Identifier: MIT */
#include "shogi/src/pipeline/pipeline.h"

#include "shogi/src/records/decode.h"
#include "shogi/src/records/rawfile.h"
#include "shogi/src/records/source.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Settings ---------------------------------------------------------------------------------------------------- */

static kz_status check_settings(const kz_shogi_pipeline *pipeline, const kz_shogi_file_options *options,
                                kz_error *error) {
    if (pipeline->input_count == 0) {
        return kz_fail(error, KZ_ERR_INPUT, "there is no input");
    }
    if (pipeline->reference_count > 0 && pipeline->same == KZ_SHOGI_SAME_NOTHING) {
        return kz_fail(error, KZ_ERR_INPUT, "references tell duplicates, and nothing counts as a duplicate");
    }
    if (pipeline->held_path && !(pipeline->held_share > 0 && pipeline->held_share < 1)) {
        return kz_fail(error, KZ_ERR_INPUT, "the share that is held out has to be above 0 and below 1");
    }
    if (strcmp(pipeline->path, "-") == 0) {
        return kz_fail(error, KZ_ERR_UNSUPPORTED, "the pipeline writes files, not a stream");
    }
    KZ_TRY(kz_refuse_packed_name(pipeline->path, error));
    KZ_TRY(pipeline->held_path ? kz_refuse_packed_name(pipeline->held_path, error) : KZ_OK);
    size_t streams = 0;
    for (size_t i = 0; i < pipeline->input_count; i++) {
        streams += strcmp(pipeline->inputs[i].path, "-") == 0;
    }
    for (size_t i = 0; i < pipeline->reference_count; i++) {
        streams += strcmp(pipeline->references[i].path, "-") == 0;
    }
    if (streams > 1) {
        return kz_fail(error, KZ_ERR_INPUT, "the standard input can be read only once");
    }
    if (streams > 0 && options->resume) {
        return kz_fail(error, KZ_ERR_UNSUPPORTED, "a run that reads the standard input can't be resumed");
    }
    return KZ_OK;
}

static kz_status begin(kz_pipeline_run *run, const kz_shogi_pipeline *pipeline, const kz_shogi_file_options *options,
                       kz_error *error) {
    KZ_TRY(check_settings(pipeline, options, error));
    int threads = kz_records_workers(options);
    uint64_t least = kz_pipeline_least_memory(threads);
    *run = (kz_pipeline_run){.pipeline = pipeline, .options = options, .threads = threads, .lock = -1};
    if (options->memory != 0 && options->memory < least) {
        return kz_fail(error, KZ_ERR_INPUT, "%d thread%s take at least %" PRIu64 " MiB of memory", threads,
                       threads == 1 ? "" : "s", (least + (1 << 20) - 1) >> 20);
    }
    run->memory = kz_memory_of(options, least);
    bool numbered = pipeline->same == KZ_SHOGI_SAME_NOTHING;
    run->item_bytes = KZ_ITEM_BYTES + (numbered ? (size_t)KZ_ITEM_GAP_BYTES : 0);
    run->key_bytes = kz_item_key_bytes(pipeline->same);
    run->salt = kz_item_salt(options->seed);
    run->held_limit = pipeline->held_path ? (uint64_t)(pipeline->held_share * 0x1p64) : 0;
    const kz_shogi_source items = {.record = KZ_SHOGI_RECORD_SSPFX, .dialect = KZ_SHOGI_DIALECTS};
    const kz_shogi_target target = {
        .path = pipeline->path, .record = pipeline->record, .dialect = pipeline->dialect, .replace = pipeline->replace};
    KZ_TRY(kz_records_encoder_for(&run->encoder, &items, &target, options, error));
    KZ_TRY(pipeline->count_only ? KZ_OK : kz_pipeline_check_inputs(run, error));
    const char *slash = strrchr(pipeline->path, '/');
    const char *name = slash ? slash + 1 : pipeline->path;
    int length = options->scratch ? asprintf(&run->folder, "%s/%s.pipeline", options->scratch, name)
                                  : asprintf(&run->folder, "%s.pipeline", pipeline->path);
    if (length < 0) {
        run->folder = NULL;
        return kz_fail(error, KZ_ERR_MEMORY, "out of memory");
    }
    return KZ_OK;
}

static void end(kz_pipeline_run *run) {
    kz_pipeline_unlock(run);
    free(run->folder);
    free(run->parts);
}

/* Moves in another dialect would be found after hours, one by one. */
static kz_status check_dialects(const kz_shogi_pipeline *pipeline, kz_error *error) {
    for (size_t i = 0; i < pipeline->input_count; i++) {
        KZ_TRY(kz_records_check_dialect(&pipeline->inputs[i], error));
    }
    for (size_t i = 0; i < pipeline->reference_count; i++) {
        KZ_TRY(kz_records_check_dialect(&pipeline->references[i], error));
    }
    return KZ_OK;
}

/* ---- The estimate ------------------------------------------------------------------------------------------------ */

enum { TRIAL_PART = 32, TRIAL_MOST = 1 << 22, TRIAL_FROM = 1 << 24 };

/* Runs the pipeline on a part of the first input, and takes its time for the estimate. Where that is not possible, the
 * estimate stays what it was. */
static void try_out(kz_pipeline_run *run) {
    kz_shogi_pipeline_estimate *estimate = &run->estimate;
    kz_shogi_source source = run->pipeline->inputs[0];
    char *path = NULL;
    if (estimate->records < TRIAL_FROM || strcmp(source.path, "-") == 0 || run->pipeline->count_only ||
        asprintf(&path, "%s/trial", run->folder) < 0) {
        return;
    }
    uint64_t part = estimate->records / TRIAL_PART < TRIAL_MOST ? estimate->records / TRIAL_PART : TRIAL_MOST;
    source.count = source.count != 0 && source.count < part ? source.count : part;
    kz_shogi_pipeline trial = {.inputs = &source,
                               .input_count = 1,
                               .path = path,
                               .record = run->pipeline->record,
                               .dialect = run->pipeline->dialect,
                               .same = run->pipeline->same,
                               .keep = run->pipeline->keep,
                               .replace = true};
    kz_shogi_file_options options = *run->options;
    options.scratch = NULL;
    options.resume = false;
    options.skip_bad = true;
    kz_shogi_pipeline_report report;
    kz_error ignored;
    if (kz_shogi_pipeline_run(&trial, &options, NULL, &report, &ignored) == KZ_OK && report.records.read > 0) {
        /* Its files stay in memory, so what the disk takes is the least. */
        double times = (double)estimate->records / (double)report.records.read;
        double reading = report.reading_seconds * times;
        double writing = report.writing_seconds * times;
        bool disk_bound = estimate->reading_seconds > reading;
        estimate->reading_seconds = disk_bound ? estimate->reading_seconds : reading;
        estimate->writing_seconds =
            estimate->writing_seconds > writing && disk_bound ? estimate->writing_seconds : writing;
        estimate->hashing_seconds = report.hashing_seconds * times;
        estimate->seconds = estimate->reading_seconds + estimate->writing_seconds + estimate->hashing_seconds;
    }
    char *manifest = NULL;
    unlink(path);
    if (asprintf(&manifest, "%s.manifest.json", path) >= 0) {
        unlink(manifest);
        free(manifest);
    }
    free(path);
}

/* ---- Running ----------------------------------------------------------------------------------------------------- */

kz_status kz_shogi_pipeline_plan(const kz_shogi_pipeline *pipeline, const kz_shogi_file_options *options,
                                 kz_shogi_pipeline_estimate *estimate, kz_error *error) {
    kz_pipeline_run run = {.lock = -1};
    *estimate = (kz_shogi_pipeline_estimate){.records = 0};
    kz_status status;
    KZ_TRY_OR(end, begin(&run, pipeline, options, error));
    bool made = mkdir(run.folder, 0777) == 0;
    status = kz_pipeline_estimate(&run, true, error);
    if (status == KZ_OK) {
        try_out(&run);
    }
    *estimate = run.estimate;
    if (made) {
        rmdir(run.folder);
    }
end:
    end(&run);
    return status;
}

static kz_status start_afresh(kz_pipeline_run *run, kz_error *error) {
    if (run->estimate.exact && run->estimate.disk > run->estimate.disk_free) {
        return kz_fail(error, KZ_ERR_IO, "the run takes %" PRIu64 " MiB of disk in %s, and %" PRIu64 " MiB are free",
                       run->estimate.disk >> 20, run->folder, run->estimate.disk_free >> 20);
    }
    kz_pipeline_remove_parts(run);
    run->state = (kz_pipeline_state){.settings = run->state.settings, .partitions = run->estimate.partitions};
    run->parts = calloc(run->state.partitions, sizeof *run->parts);
    return run->parts ? KZ_OK : kz_fail(error, KZ_ERR_MEMORY, "out of memory");
}

static kz_status go_through_phases(kz_pipeline_run *run, kz_error *error) {
    if (run->state.phase < KZ_PIPELINE_WRITING) {
        KZ_TRY(kz_pipeline_deal(run, error));
    }
    if (run->state.phase == KZ_PIPELINE_WRITING) {
        KZ_TRY(kz_pipeline_finish(run, error));
    }
    if (run->pipeline->count_only) {
        return KZ_OK;
    }
    KZ_TRY(kz_pipeline_publish(run, error));
    return kz_pipeline_write_manifest(run, error);
}

static kz_status begin_or_go_on(kz_pipeline_run *run, bool resumed, kz_error *error) {
    if (!resumed && !run->pipeline->count_only) {
        KZ_TRY(kz_pipeline_check_targets(run, error));
    }
    KZ_TRY(kz_pipeline_estimate(run, false, error));
    if (!resumed) {
        KZ_TRY(start_afresh(run, error));
    }
    run->state.report.resumed = resumed;
    return go_through_phases(run, error);
}

static kz_status run_in_folder(kz_pipeline_run *run, const kz_progress *progress, kz_error *error) {
    bool resumed = false;
    KZ_TRY(kz_pipeline_settings(run, &run->state.settings, error));
    KZ_TRY(kz_pipeline_open_folder(run, &resumed, error));
    run->progress = progress;
    kz_status status = begin_or_go_on(run, resumed, error);
    bool keep = status == KZ_ERR_CANCELLED || status == KZ_ERR_IO || (resumed && status != KZ_OK);
    if (!keep && status != KZ_OK) {
        kz_pipeline_remove_parts(run);
    }
    if (!keep) {
        kz_pipeline_remove_folder(run);
    } else {
        kz_pipeline_unlock(run);
        char *state = kz_pipeline_path(run, "state");
        if (!state || access(state, F_OK) != 0) { /* there is nothing to go on with */
            kz_pipeline_remove_folder(run);
        }
        free(state);
    }
    return status;
}

kz_status kz_shogi_pipeline_run(const kz_shogi_pipeline *pipeline, const kz_shogi_file_options *options,
                                const kz_progress *progress, kz_shogi_pipeline_report *report, kz_error *error) {
    kz_pipeline_run run = {.lock = -1};
    memset(report, 0, sizeof *report);
    kz_status status;
    KZ_TRY_OR(end, begin(&run, pipeline, options, error));
    KZ_TRY_OR(end, check_dialects(pipeline, error));
    status = run_in_folder(&run, progress, error);
    *report = run.state.report;
end:
    end(&run);
    return status;
}
