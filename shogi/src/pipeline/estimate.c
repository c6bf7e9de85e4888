/* SPDX-License-Identifier: MIT
 *
 * What a run will take: partitions, memory, disk and time. */
#include "shogi/src/pipeline/pipeline.h"
#include "shogi/src/records/rawfile.h"
#include "shogi/src/records/source.h"

#include <errno.h>
#include <fcntl.h>
#include <kanzen/system.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum {
    FIXED_MEMORY = 16 << 20, /* of a run, whatever it does */
    THREAD_MEMORY = 2 << 20, /* batches, and room to work */
    FEWEST_PARTITIONS = 4,
    USUAL_PARTITIONS = 64,
    MOST_PARTITIONS = 16384,
    FEW_RECORDS = 1 << 20,
    SAMPLE_RECORDS = 1 << 18,
    SPEED_BYTES = 32 << 20,
    PACKED_FACTOR = 2 /* about, for files that zstd or gzip have packed */
};

uint64_t kz_pipeline_least_memory(int threads) { return FIXED_MEMORY + (uint64_t)threads * THREAD_MEMORY; }

uint64_t kz_pipeline_part_room(const kz_pipeline_run *run) {
    uint64_t share = (run->memory - FIXED_MEMORY / 2) / (uint64_t)run->threads - THREAD_MEMORY / 2;
    uint64_t each = run->item_bytes + KZ_PIPELINE_BYTES_OF_ITEM + KZ_PIPELINE_BYTES_OF_ORDER;
    return share / each * run->item_bytes;
}

/* About how many bytes a record of a text or of a game has. */
static uint64_t usual_bytes(kz_shogi_record record) {
    switch ((int)record) {
    case KZ_SHOGI_RECORD_HCPE3:
        return 12;
    case KZ_SHOGI_RECORD_SFEN:
        return 70;
    case KZ_SHOGI_RECORD_PLAIN:
        return 130;
    case KZ_SHOGI_RECORD_CSA:
        return 12;
    case KZ_SHOGI_RECORD_USI:
        return 5;
    case KZ_SHOGI_RECORD_KIF:
        return 36;
    case KZ_SHOGI_RECORD_KI2:
        return 14;
    case KZ_SHOGI_RECORD_PACK:
        return 5;
    case KZ_SHOGI_RECORD_NSHOGI:
        return KZ_SHOGI_NSHOGI_BYTES;
    default:
        return kz_shogi_record_at(record)->bytes;
    }
}

static kz_status count_source(const kz_shogi_source *source, kz_shogi_pipeline_estimate *estimate, kz_error *error) {
    struct stat found;
    if (strcmp(source->path, "-") == 0) {
        estimate->exact = false;
        return KZ_OK;
    }
    if (stat(source->path, &found) != 0) {
        return kz_fail_errno(error, KZ_ERR_IO, errno, "can't read %s", source->path);
    }
    if (S_ISDIR(found.st_mode)) {
        return kz_fail(error, KZ_ERR_IO, "can't read %s: it is a folder", source->path);
    }
    const kz_shogi_record_info *info = kz_shogi_record_at(source->record);
    bool packed = kz_is_packed_name(source->path);
    uint64_t bytes = (uint64_t)found.st_size;
    uint64_t records = bytes * (packed ? PACKED_FACTOR : 1) / usual_bytes(source->record);
    records = records > source->first ? records - source->first : 0;
    records = source->count != 0 && source->count < records ? source->count : records;
    estimate->exact = estimate->exact && info->bytes != 0 && !packed && S_ISREG(found.st_mode);
    estimate->records += records;
    estimate->input += bytes;
    return KZ_OK;
}

static uint64_t larger(uint64_t a, uint64_t b) { return a > b ? a : b; }

static uint32_t count_partitions(const kz_pipeline_run *run, uint64_t records) {
    uint64_t room = kz_pipeline_part_room(run);
    uint64_t bytes = records * run->item_bytes;
    /* A quarter more than the average leaves room for chance. */
    uint64_t partitions = bytes / (room - room / 5) + 1;
    partitions = larger(partitions, records > FEW_RECORDS ? USUAL_PARTITIONS : FEWEST_PARTITIONS);
    partitions = larger(partitions, records > FEW_RECORDS ? 8 * (uint64_t)run->threads : 1);
    uint64_t most = run->memory / 2 / 4096;
    most = most < MOST_PARTITIONS ? most : MOST_PARTITIONS;
    return (uint32_t)(partitions < most ? partitions : most);
}

/* ---- Speed ------------------------------------------------------------------------------------------------------- */

static kz_status pack_keys(void *user, int worker, const kz_records_batch *batch, kz_records_output *output,
                           kz_error *error) {
    const kz_shogi_codec *codec = kz_shogi_codec_for(KZ_SHOGI_SSPFX, NULL);
    kz_shogi_defect defect;
    (void)worker;
    (void)error;
    size_t count = 0;
    while (count < batch->count && batch->defects[count] == KZ_SHOGI_FINE) {
        count++;
    }
    (void)codec->pack_many(batch->positions, count, output->bytes, KZ_ITEM_BYTES, &defect);
    atomic_fetch_add((atomic_uint_least64_t *)user, batch->count);
    return KZ_OK;
}

/* Seconds for a record in the first pass, on all threads and with whatever else the machine does. */
static double sample_speed(const kz_pipeline_run *run) {
    double best = 0;
    for (size_t i = 0; i < run->pipeline->input_count; i++) {
        kz_shogi_source source = run->pipeline->inputs[i];
        if (strcmp(source.path, "-") == 0) {
            continue;
        }
        source.count = source.count != 0 && source.count < SAMPLE_RECORDS ? source.count : SAMPLE_RECORDS;
        atomic_uint_least64_t records = 0;
        kz_shogi_file_options options = *run->options;
        options.threads = run->threads;
        options.skip_bad = true;
        const kz_records_job job = {.source = &source,
                                    .options = &options,
                                    .stage = "",
                                    .output_bytes = KZ_RECORDS_BATCH * KZ_ITEM_BYTES,
                                    .work = pack_keys,
                                    .user = &records};
        kz_shogi_file_report report = {0};
        kz_error ignored;
        double begin = kz_seconds();
        if (kz_records_each(&job, NULL, &report, &ignored) == KZ_OK && atomic_load(&records) > 0) {
            best = (kz_seconds() - begin) / (double)atomic_load(&records);
        }
        break;
    }
    return best;
}

/* Bytes a second that the disk takes, 0 if that could not be measured. */
static double disk_speed(const kz_pipeline_run *run) {
    char *path = kz_pipeline_path(run, "speed");
    uint8_t *bytes = malloc(SPEED_BYTES);
    double speed = 0;
    int descriptor = path && bytes ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;
    if (descriptor >= 0) {
        for (size_t i = 0; i < SPEED_BYTES; i += 8) { /* zeros may be cheaper than data */
            kz_store_le64(bytes + i, i * UINT64_C(0x9E3779B97F4A7C15));
        }
        const kz_place place = {.descriptor = descriptor, .name = path};
        kz_error ignored;
        double begin = kz_seconds();
        if (kz_place_write(place, bytes, SPEED_BYTES, &ignored) == KZ_OK && fdatasync(descriptor) == 0) {
            speed = SPEED_BYTES / (kz_seconds() - begin);
        }
        close(descriptor);
        unlink(path);
    }
    free(bytes);
    free(path);
    return speed;
}

static double longer(double a, double b) { return a > b ? a : b; }

/* Both passes are bound by the processors or by the disk, whichever takes longer. */
static void count_seconds(kz_pipeline_run *run, uint64_t part_bytes, uint64_t output_bytes) {
    static const double SECOND_PASS = 1.5; /* how much longer than reading a record it takes to sort and write it */
    kz_shogi_pipeline_estimate *estimate = &run->estimate;
    double record = sample_speed(run);
    double disk = disk_speed(run);
    double records = (double)estimate->records;
    double write = disk > 0 ? 1 / disk : 0;
    estimate->reading_seconds = longer(records * record, (double)part_bytes * write);
    estimate->writing_seconds = longer(records * record * SECOND_PASS, (double)output_bytes * write);
    estimate->hashing_seconds = (double)output_bytes / 1e9 / run->threads;
    estimate->seconds = estimate->reading_seconds + estimate->writing_seconds + estimate->hashing_seconds;
}

kz_status kz_pipeline_estimate(kz_pipeline_run *run, bool measure, kz_error *error) {
    const kz_shogi_pipeline *pipeline = run->pipeline;
    kz_shogi_pipeline_estimate *estimate = &run->estimate;
    *estimate = (kz_shogi_pipeline_estimate){.exact = true};
    for (size_t i = 0; i < pipeline->reference_count; i++) {
        KZ_TRY(count_source(&pipeline->references[i], estimate, error));
    }
    uint64_t reference_records = estimate->records;
    for (size_t i = 0; i < pipeline->input_count; i++) {
        KZ_TRY(count_source(&pipeline->inputs[i], estimate, error));
    }
    uint64_t inputs = estimate->records - reference_records;
    uint64_t part_bytes = estimate->records * run->item_bytes;
    uint64_t most = pipeline->most != 0 && pipeline->most < inputs ? pipeline->most : inputs;
    uint64_t output_bytes = pipeline->count_only ? 0 : most * usual_bytes(pipeline->record);
    estimate->partitions = count_partitions(run, estimate->records);
    /* A partition is removed when its records are written, so both never are there as a whole. */
    uint64_t threads = (uint64_t)run->threads;
    uint64_t overlap = larger(part_bytes, output_bytes) / estimate->partitions * (threads + 1);
    estimate->disk = larger(part_bytes, output_bytes) + overlap;
    uint64_t need = part_bytes / run->item_bytes *
                    (run->item_bytes + KZ_PIPELINE_BYTES_OF_ITEM + KZ_PIPELINE_BYTES_OF_ORDER) / estimate->partitions *
                    threads * 5 / 4;
    uint64_t buffers = estimate->partitions * (uint64_t)(1 << 20);
    need = larger(need, buffers < run->memory / 2 ? buffers : run->memory / 2) + kz_pipeline_least_memory(run->threads);
    estimate->memory = need < run->memory ? need : run->memory;
    struct statvfs disk;
    if (statvfs(run->folder, &disk) == 0) {
        estimate->disk_free = (uint64_t)disk.f_bavail * disk.f_frsize;
    }
    if (measure) {
        count_seconds(run, part_bytes, output_bytes);
    }
    return KZ_OK;
}
