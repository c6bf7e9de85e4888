/* SPDX-License-Identifier: MIT
 *
 * Every record in turn is taken with the chance that is right for it: as many as are still wanted, of as many as still
 * come. So all sets of that size are equally likely, and the order stays. */
#include "base/random.h"
#include "shogi/src/records/rawfile.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK_RECORDS = 4096 };

struct sample {
    const kz_rawsource *source;
    kz_rawtarget *target;
    kz_random random;
    uint64_t wanted;  /* still */
    uint8_t *records; /* a block of them */
};

/* Picks records of the block that begins with record `first`. A block of which none is taken is not read. */
static kz_status sample_block(struct sample *sample, uint64_t first, size_t count, kz_error *error) {
    size_t bytes = sample->source->record_bytes;
    uint16_t picked[BLOCK_RECORDS];
    size_t picks = 0;
    for (size_t i = 0; i < count && sample->wanted > 0; i++) {
        if (kz_random_below(&sample->random, sample->source->count - first - i) < sample->wanted) {
            picked[picks++] = (uint16_t)i;
            sample->wanted--;
        }
    }
    if (picks == 0) {
        return KZ_OK;
    }
    kz_status status = kz_rawsource_read(sample->source, first + picked[0], (size_t)picked[picks - 1] - picked[0] + 1,
                                         sample->records, error);
    if (status != KZ_OK) {
        return status;
    }
    for (size_t i = 1; i < picks; i++) {
        memmove(sample->records + i * bytes, sample->records + (size_t)(picked[i] - picked[0]) * bytes, bytes);
    }
    return kz_rawtarget_write(sample->target, sample->records, picks * bytes, error);
}

static kz_status sample_all(struct sample *sample, const kz_progress *progress, kz_error *error) {
    uint64_t total = sample->source->count;
    kz_status status = KZ_OK;
    for (uint64_t first = 0; status == KZ_OK && first < total && sample->wanted > 0; first += BLOCK_RECORDS) {
        size_t count = total - first < BLOCK_RECORDS ? (size_t)(total - first) : BLOCK_RECORDS;
        status = sample_block(sample, first, count, error);
        if (status == KZ_OK) {
            status = kz_tell(progress, "sampling", first + count, total, error);
        }
    }
    return status;
}

static kz_status sample_to_target(const kz_rawsource *source, kz_rawtarget *target, uint64_t count, uint64_t seed,
                                  const kz_progress *progress, kz_error *error) {
    struct sample sample = {.source = source, .target = target, .random = {seed}, .wanted = count};
    sample.records = malloc(BLOCK_RECORDS * source->record_bytes);
    kz_status status =
        sample.records != NULL ? sample_all(&sample, progress, error) : kz_fail(error, KZ_ERR_MEMORY, "out of memory");
    free(sample.records);
    return status;
}

kz_status kz_shogi_sample(const kz_shogi_source *source, const kz_shogi_target *target, uint64_t count,
                          const kz_shogi_file_options *options, const kz_progress *progress,
                          kz_shogi_file_report *report, kz_error *error) {
    kz_rawsource raw;
    kz_rawtarget out;
    *report = (kz_shogi_file_report){0};
    kz_status status = kz_rawsource_open(&raw, source, options, error);
    if (status != KZ_OK) {
        return status;
    }
    count = count < raw.count ? count : raw.count;
    status = kz_rawtarget_open(&out, source, target, error);
    if (status == KZ_OK) {
        status = sample_to_target(&raw, &out, count, options->seed, progress, error);
        status = kz_rawtarget_finish(&out, status, error);
    }
    if (status == KZ_OK) {
        *report = kz_rawsource_report(&raw);
        report->written = count;
    }
    kz_rawsource_close(&raw);
    return status;
}
