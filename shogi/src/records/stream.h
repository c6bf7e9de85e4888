/* SPDX-License-Identifier: MIT
 *
 * Going through the records of a file, decoded, in batches, on all processors.
 *
 * Batches are worked on by several threads at once and taken one at a time in the order of the file. Memory is bounded:
 * one batch for each thread. */
#ifndef KZ_RECORDS_STREAM_H
#define KZ_RECORDS_STREAM_H

#include "base/pool.h"

#include <kanzen/shogi_files.h>

/* Records in a batch at most. Few enough that a batch stays in the second-level cache from the first step to the last,
 * enough that threads rarely meet. */
enum { KZ_RECORDS_BATCH = 2048 };

/* Between two records: what comes before it in the file. */
typedef struct kz_records_place {
    uint64_t offset; /* bytes */
    uint64_t record; /* records */
    uint64_t line;   /* lines of a text */
} kz_records_place;

typedef struct kz_records_batch {
    uint64_t first; /* the index of its first record in the file; of texts and games known to `take` only */
    size_t count;
    const uint8_t *bytes; /* records of fixed size as they are in the file, one after the other; NULL for others */
    kz_shogi_position *positions;
    kz_shogi_note *notes;
    const uint8_t *const *entries; /* hcpe3: the bytes of each move, with its candidates; NULL for others */
    /* Of each record. One that has a defect has no position, unless it is KZ_SHOGI_BAD_MOVE or one of legality. `work`
     * may find more; with options->skip_bad false the first one ends the run, and is the last of its batch if it was
     * found by the stream. */
    kz_shogi_defect *defects;
    /* Where the next batch begins, if one could start there (`take` only). Within a game one can't. */
    bool has_end;
    kz_records_place end;
    /* With has_end: the bytes of the file that the batch and those before it came from, since the last such end; NULL
     * if the file is packed. */
    const uint8_t *piece;
    size_t piece_size;
} kz_records_batch;

/* What a thread makes of a batch, for `take`. The memory is the stream's and used again. */
typedef struct kz_records_output {
    uint8_t *bytes; /* room for output_bytes of the job */
    size_t size;
    int worker; /* whose it is */
} kz_records_output;

typedef struct kz_records_job {
    const kz_shogi_source *source;
    const kz_shogi_file_options *options;
    const char *stage;             /* for progress: "converting" */
    const kz_records_place *start; /* NULL: at the beginning. A run that is resumed begins at the `end` of a batch */
    bool raw;                      /* don't decode (fixed size only): positions, notes and defects are NULL */
    size_t output_bytes;           /* room that a batch's output needs at most */
    /* Called by many threads at once, each with a worker number of its own below kz_records_workers. */
    kz_status (*work)(void *user, int worker, const kz_records_batch *batch, kz_records_output *output,
                      kz_error *error);
    /* Called in the order of the file, one batch at a time, after its `work` and after its bad records have been
     * counted. May be NULL. */
    kz_status (*take)(void *user, const kz_records_batch *batch, const kz_records_output *output, kz_error *error);
    /* Called after `take` by the same thread, while others take theirs: for what is slow and needs no order. May be
     * NULL. */
    kz_status (*after)(void *user, int worker, kz_error *error);
    void *user;
} kz_records_job;

/* How many threads will work. */
int kz_records_workers(const kz_shogi_file_options *options);
/* Those threads, to be freed; NULL on failure. */
kz_status kz_records_pool(int threads, kz_pool **pool, kz_error *error);

/* Goes through all records of the source. Adds to what the report says about reading (read, bad, defects, offenders,
 * trailing), so begin with one that is all 0. With options->skip_bad false, a bad record ends it with KZ_ERR_CORRUPT
 * that names it, after its batch has been taken up to it; otherwise bad records are counted, and none ends it. When
 * `progress` asks to stop, what has been begun is taken, and the result is KZ_ERR_CANCELLED. */
kz_status kz_records_each(const kz_records_job *job, const kz_progress *progress, kz_shogi_file_report *report,
                          kz_error *error);

#endif
