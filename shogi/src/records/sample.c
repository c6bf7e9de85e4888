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
    kz_rawcopy *raw;
    kz_random random;
    uint64_t wanted;  /* still */
    uint8_t *records; /* a block of them */
};

/* Picks records of the block that begins with record `first`. A block of which none is taken is not read. */
static kz_status sample_block(struct sample *sample, uint64_t first, size_t count, kz_error *error) {
    const kz_rawsource *source = &sample->raw->source;
    size_t bytes = source->record_bytes;
    uint16_t picked[BLOCK_RECORDS];
    size_t picks = 0;
    for (size_t i = 0; i < count && sample->wanted > 0; i++) {
        if (kz_random_below(&sample->random, source->count - first - i) < sample->wanted) {
            picked[picks++] = (uint16_t)i;
            sample->wanted--;
        }
    }
    if (picks == 0) {
        return KZ_OK;
    }
    KZ_TRY(kz_rawsource_read(source, first + picked[0], (size_t)picked[picks - 1] - picked[0] + 1, sample->records,
                             error));
    for (size_t i = 1; i < picks; i++) {
        memmove(sample->records + i * bytes, sample->records + (size_t)(picked[i] - picked[0]) * bytes, bytes);
    }
    return kz_outfile_write(&sample->raw->target, sample->records, picks * bytes, error);
}

static kz_status sample_all(struct sample *sample, kz_error *error) {
    uint64_t total = sample->raw->source.count;
    for (uint64_t first = 0; first < total && sample->wanted > 0; first += BLOCK_RECORDS) {
        size_t count = total - first < BLOCK_RECORDS ? (size_t)(total - first) : BLOCK_RECORDS;
        KZ_TRY(sample_block(sample, first, count, error));
        KZ_TRY(kz_tell(sample->raw->progress, "sampling", first + count, total, error));
    }
    return KZ_OK;
}

static kz_status sample(kz_rawcopy *raw, void *user, kz_error *error) {
    uint64_t count = *(const uint64_t *)user < raw->source.count ? *(const uint64_t *)user : raw->source.count;
    struct sample sample = {.raw = raw,
                            .random = {raw->options->seed},
                            .wanted = count,
                            .records = malloc(BLOCK_RECORDS * raw->source.record_bytes)};
    kz_status status = sample.records ? sample_all(&sample, error) : kz_fail(error, KZ_ERR_MEMORY, "out of memory");
    free(sample.records);
    *raw->report = kz_rawsource_report(&raw->source);
    raw->report->written = count;
    return status;
}

kz_status kz_shogi_sample(const kz_shogi_source *source, const kz_shogi_target *target, uint64_t count,
                          const kz_shogi_file_options *options, const kz_progress *progress,
                          kz_shogi_file_report *report, kz_error *error) {
    return kz_rawcopy_run(source, target, options, progress, sample, &count, report, error);
}
