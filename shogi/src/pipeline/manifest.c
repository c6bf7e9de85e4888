/* SPDX-License-Identifier: MIT
 *
 * What a set was made of, beside it: PATH.manifest.json. Every shard is read once more for its digest, on all threads,
 * so the digest is that of what is on the disk. */
#include "base/file.h"
#include "base/pool.h"
#include "shogi/src/pipeline/pipeline.h"
#include "shogi/src/records/decode.h"
#include "shogi/src/records/rawfile.h"

#include "base/json.h"
#include <errno.h>
#include <fcntl.h>
#include <kanzen/system.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 1 << 20 };

struct shard {
    int set;
    uint64_t number;
    uint64_t bytes;
    char digest[KZ_SHA256_HEX_BYTES];
    kz_status status;
    kz_error error;
};

struct digests {
    const kz_pipeline_run *run;
    struct shard *shards;
    size_t count;
    atomic_bool stop;
};

/* ---- Digests ----------------------------------------------------------------------------------------------------- */

static kz_status hash_file(struct digests *digests, const char *name, struct shard *shard, kz_error *error) {
    kz_sha256 hash;
    uint8_t *piece = malloc(PIECE);
    kz_status status = piece ? kz_sha256_begin(&hash, error) : kz_fail(error, KZ_ERR_MEMORY, "out of memory");
    if (status != KZ_OK) {
        free(piece);
        return status;
    }
    int descriptor = open(name, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        status = kz_fail_errno(error, KZ_ERR_IO, errno, "can't read %s", name);
    }
    ssize_t got = 1;
    while (status == KZ_OK && got > 0) {
        got = read(descriptor, piece, PIECE);
        if (got < 0 && errno == EINTR) {
            got = 1;
            continue;
        }
        if (got < 0) {
            status = kz_fail_errno(error, KZ_ERR_IO, errno, "can't read %s", name);
        } else if (atomic_load_explicit(&digests->stop, memory_order_relaxed)) {
            status = kz_fail(error, KZ_ERR_CANCELLED, "cancelled");
        } else {
            kz_sha256_update(&hash, piece, (size_t)got);
            shard->bytes += (uint64_t)got;
        }
    }
    uint8_t digest[KZ_SHA256_BYTES];
    if (status == KZ_OK) {
        status = kz_sha256_finish(&hash, digest, error);
        kz_hex(digest, sizeof digest, shard->digest);
    } else {
        kz_sha256_discard(&hash);
    }
    if (descriptor >= 0) {
        close(descriptor);
    }
    free(piece);
    return status;
}

static void hash_shards(void *context, int worker, uint64_t begin, uint64_t end) {
    struct digests *digests = context;
    (void)worker;
    for (uint64_t i = begin; i < end; i++) {
        struct shard *shard = &digests->shards[i];
        char *name = kz_pipeline_shard_name(digests->run, shard->set, shard->number);
        shard->status = name ? hash_file(digests, name, shard, &shard->error)
                             : kz_fail(&shard->error, KZ_ERR_MEMORY, "out of memory");
        free(name);
    }
}

/* The pool asks between shards; one shard may be large. */
static bool relay(void *user, const char *stage, uint64_t done, uint64_t total) {
    struct digests *digests = user;
    const kz_progress *progress = digests->run->progress;
    bool more = !progress || !progress->report || progress->report(progress->user, stage, done, total);
    if (!more) {
        atomic_store(&digests->stop, true);
    }
    return more;
}

static kz_status compute(struct digests *digests, kz_error *error) {
    kz_pool *pool;
    KZ_TRY(kz_records_pool(digests->run->threads, &pool, error));
    const kz_progress progress = {.report = relay, .user = digests};
    kz_status status = kz_pool_for(pool, digests->count, 1, hash_shards, digests, &progress, "hashing", error);
    kz_pool_free(pool);
    KZ_TRY(status);
    for (size_t i = 0; i < digests->count; i++) {
        if (digests->shards[i].status != KZ_OK) {
            return kz_fail(error, digests->shards[i].status, "%s", digests->shards[i].error.message);
        }
    }
    return KZ_OK;
}

/* ---- The text ---------------------------------------------------------------------------------------------------- */

static const char *name_in_path(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void write_sources(kz_json *json, const char *key, const kz_shogi_source *sources, size_t count) {
    kz_json_array(json, key);
    for (size_t i = 0; i < count; i++) {
        struct stat found = {.st_size = 0};
        const kz_shogi_record_info *info = kz_shogi_record_at(sources[i].record);
        bool standard = strcmp(sources[i].path, "-") == 0;
        kz_json_object(json, NULL);
        kz_json_text(json, "file", sources[i].path);
        kz_json_text(json, "record", info->name);
        if (!standard && stat(sources[i].path, &found) == 0) {
            kz_json_unsigned(json, "bytes", (uint64_t)found.st_size);
        }
        if (info->bytes != 0 && (info->holds & KZ_SHOGI_HAS_MOVE) != 0) {
            kz_json_text(json, "dialect",
                         kz_shogi_dialect_name(kz_records_dialect(sources[i].record, sources[i].dialect)));
        }
        kz_json_end_object(json);
    }
    kz_json_end_array(json);
}

static void write_filter(kz_json *json, const kz_shogi_filter *filter) {
    kz_json_object(json, "filter");
    if (filter) {
        kz_json_unsigned(json, "require", filter->require);
        kz_json_unsigned(json, "drop", filter->drop);
        kz_json_unsigned(json, "results", filter->results);
        kz_json_unsigned(json, "least_ply", filter->least_ply);
        kz_json_unsigned(json, "most_ply", filter->most_ply);
        if (filter->has_scores) {
            kz_json_integer(json, "least_score", filter->least_score);
            kz_json_integer(json, "most_score", filter->most_score);
        }
        kz_json_unsigned(json, "clip", filter->clip);
        kz_json_double(json, "scale", filter->scale);
        kz_json_boolean(json, "fold", filter->fold);
    }
    kz_json_end_object(json);
}

static void write_settings(kz_json *json, const kz_pipeline_run *run) {
    static const char *const same[] = {"position", "move", "nothing"};
    static const char *const keep[] = {"first", "last", "best", "mean"};
    const kz_shogi_pipeline *pipeline = run->pipeline;
    kz_json_object(json, "settings");
    kz_json_unsigned(json, "seed", run->options->seed);
    kz_json_text(json, "record", run->encoder.info->name);
    if (run->encoder.info->bytes != 0 && (run->encoder.info->holds & KZ_SHOGI_HAS_MOVE) != 0) {
        kz_json_text(json, "dialect", kz_shogi_dialect_name(run->encoder.dialect));
    }
    kz_json_text(json, "same", same[pipeline->same]);
    kz_json_text(json, "keep", keep[pipeline->keep]);
    kz_json_unsigned(json, "shard_records", pipeline->shard_records);
    kz_json_unsigned(json, "most", pipeline->most);
    kz_json_double(json, "held_share", pipeline->held_path ? pipeline->held_share : 0);
    kz_json_boolean(json, "skip_bad", run->options->skip_bad);
    kz_json_boolean(json, "legal", run->options->legal);
    kz_json_boolean(json, "no_box", run->options->without_box);
    kz_json_boolean(json, "unsearched", run->options->unsearched);
    write_filter(json, run->options->filter);
    kz_json_end_object(json);
}

static void write_counts(kz_json *json, const kz_pipeline_run *run) {
    const kz_shogi_pipeline_report *report = &run->state.report;
    kz_json_object(json, "counts");
    kz_json_unsigned(json, "read", report->records.read);
    kz_json_unsigned(json, "bad", report->records.bad);
    kz_json_unsigned(json, "left_out", report->records.left_out);
    kz_json_unsigned(json, "unsearched", report->records.unsearched);
    kz_json_unsigned(json, "lost_positions", report->records.lost_positions);
    kz_json_unsigned(json, "references_read", report->reference_records);
    kz_json_unsigned(json, "references_bad", report->references.bad);
    kz_json_unsigned(json, "repeated", report->records.repeated);
    kz_json_unsigned(json, "referenced", report->referenced);
    kz_json_unsigned(json, "beyond", report->beyond);
    kz_json_unsigned(json, "held", report->held);
    kz_json_unsigned(json, "written", report->records.written);
    kz_json_end_object(json);
}

static void write_shards(kz_json *json, const struct digests *digests, int set, const char *key) {
    kz_json_array(json, key);
    for (size_t i = 0; i < digests->count; i++) {
        const struct shard *shard = &digests->shards[i];
        if (shard->set != set) {
            continue;
        }
        char *name = kz_pipeline_shard_name(digests->run, set, shard->number);
        kz_json_object(json, NULL);
        kz_json_text(json, "file", name ? name_in_path(name) : NULL);
        kz_json_unsigned(json, "records", kz_pipeline_records_in_shard(digests->run, set, shard->number));
        kz_json_unsigned(json, "bytes", shard->bytes);
        kz_json_text(json, "sha256", shard->digest);
        kz_json_end_object(json);
        json->failed = json->failed || !name;
        free(name);
    }
    kz_json_end_array(json);
}

static kz_status write_text(const kz_pipeline_run *run, const struct digests *digests, kz_error *error) {
    kz_json json = {0};
    kz_json_object(&json, NULL);
    kz_json_text(&json, "program", "kanzen");
    kz_json_text(&json, "version", kz_version());
    kz_json_unsigned(&json, "manifest", 1);
    write_sources(&json, "inputs", run->pipeline->inputs, run->pipeline->input_count);
    write_sources(&json, "references", run->pipeline->references, run->pipeline->reference_count);
    write_settings(&json, run);
    write_counts(&json, run);
    write_shards(&json, digests, KZ_PIPELINE_MAIN, "shards");
    write_shards(&json, digests, KZ_PIPELINE_HELD, "held_shards");
    kz_json_end_object(&json);
    size_t length = 0;
    char *text = kz_json_take(&json, &length);
    char *path = NULL;
    kz_status status;
    kz_outfile file;
    if (!text || asprintf(&path, "%s.manifest.json", run->pipeline->path) < 0) {
        path = NULL;
        KZ_TRY_OR(end, kz_fail(error, KZ_ERR_MEMORY, "out of memory"));
    }
    text[length++] = '\n'; /* in place of the end */
    /* A run that was killed right after this may have written it already. */
    KZ_TRY_OR(end, kz_outfile_open(&file, path, true, error));
    status = kz_outfile_write(&file, text, length, error);
    if (status == KZ_OK) {
        status = kz_outfile_commit(&file, error);
    } else {
        kz_outfile_discard(&file);
    }
end:
    free(text);
    free(path);
    return status;
}

kz_status kz_pipeline_write_manifest(kz_pipeline_run *run, kz_error *error) {
    double begin = kz_seconds();
    struct digests digests = {.run = run};
    uint64_t counts[KZ_PIPELINE_SETS];
    for (int set = 0; set < KZ_PIPELINE_SETS; set++) {
        counts[set] = kz_pipeline_shard_count(run, set);
        digests.count += (size_t)counts[set];
    }
    digests.shards = calloc(digests.count + 1, sizeof *digests.shards);
    if (!digests.shards) {
        return kz_fail(error, KZ_ERR_MEMORY, "out of memory for %zu shards", digests.count);
    }
    size_t at = 0;
    for (int set = 0; set < KZ_PIPELINE_SETS; set++) {
        for (uint64_t number = 0; number < counts[set]; number++, at++) {
            digests.shards[at].set = set;
            digests.shards[at].number = number;
        }
    }
    kz_status status = compute(&digests, error);
    run->state.report.shards = digests.count;
    run->state.report.bytes = 0;
    for (size_t i = 0; i < digests.count; i++) {
        run->state.report.bytes += digests.shards[i].bytes;
    }
    if (status == KZ_OK) {
        status = write_text(run, &digests, error);
    }
    free(digests.shards);
    run->state.report.hashing_seconds += kz_seconds() - begin;
    return status;
}
