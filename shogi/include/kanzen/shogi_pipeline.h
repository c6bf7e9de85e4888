/* SPDX-License-Identifier: MIT
 *
 * From many files of shogi positions to one shuffled set without duplicates, in two passes over the data.
 *
 * The first pass reads every record once, checks and filters it, and writes it once to one of many partitions, which a
 * hash of its position chooses. The second pass reads one partition at a time into memory, drops duplicates, puts the
 * rest in the order of their hashes and writes it. As the hash depends on the seed and on the position alone, so does
 * the order: the output is the same to the last byte at any number of threads and with any amount of memory. */
#ifndef KANZEN_SHOGI_PIPELINE_H
#define KANZEN_SHOGI_PIPELINE_H

#include <kanzen/shogi_files.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Which records are duplicates of each other. */
typedef enum kz_shogi_same {
    KZ_SHOGI_SAME_POSITION, /* the same position, however it was written */
    KZ_SHOGI_SAME_MOVE,     /* the same position and the same move */
    KZ_SHOGI_SAME_NOTHING   /* there are no duplicates: everything is kept */
} kz_shogi_same;

/* Which one of them is kept. "First" and "last" are meant in the order of the inputs. */
typedef enum kz_shogi_keep {
    KZ_SHOGI_KEEP_FIRST,
    KZ_SHOGI_KEEP_LAST,
    KZ_SHOGI_KEEP_BEST, /* the first of those with the highest score */
    KZ_SHOGI_KEEP_MEAN  /* the first, with the mean of all scores, rounded (halves away from 0) */
} kz_shogi_keep;

/* What is to be done. All zero but the inputs, `path` and `record` asks for the usual thing. Files whose names end in
 * ".zst" or ".gz" are unpacked as they are read. */
typedef struct kz_shogi_pipeline {
    const kz_shogi_source *inputs; /* in this order; "-" is the standard input */
    size_t input_count;
    const kz_shogi_source *references; /* records whose position is in one of these are dropped */
    size_t reference_count;
    const char *path; /* "train.psv"; the shards of it are "train-00000.psv", ... */
    kz_shogi_record record;
    kz_shogi_dialect dialect;
    uint64_t shard_records; /* in each shard but the last; 0: there is one file, `path` */
    uint64_t most;          /* records of `path` at most, every choice equally likely; 0: all */
    const char *held_path;  /* where held-out records go (for validation), cut into shards, too; NULL: nowhere */
    double held_share;      /* about this share of the positions is held out, 0 to 1; no position is in both sets */
    kz_shogi_same same;
    kz_shogi_keep keep;
    bool replace; /* files that are there */
    /* Write nothing: only count, for comparing the inputs with the references. `path` names the folder of the run. */
    bool count_only;
} kz_shogi_pipeline;

/* What a run will take. */
typedef struct kz_shogi_pipeline_estimate {
    uint64_t records;   /* of all inputs and references */
    bool exact;         /* all of them are records of fixed size in plain files, so they could be counted */
    uint64_t input;     /* bytes of the files */
    uint64_t disk;      /* bytes beside the inputs that the run takes at its largest: partitions and output */
    uint64_t disk_free; /* where the partitions go */
    uint64_t memory;    /* bytes */
    double seconds;     /* from the speed of a sample and of the disk, as busy as they are now */
    uint32_t partitions;
    double reading_seconds; /* parts of `seconds` */
    double writing_seconds;
    double hashing_seconds;
} kz_shogi_pipeline_estimate;

typedef struct kz_shogi_pipeline_report {
    kz_shogi_file_report records; /* about reading; `repeated` and `written` are of the whole run, and of both sets */
    uint64_t reference_records;
    uint64_t referenced; /* records that were dropped because a reference has them */
    uint64_t held;       /* records that were held out */
    uint64_t beyond;     /* records that were not written because `most` had been reached */
    /* Different positions (or positions with moves) of the inputs alone, of the references alone, and of both. Where
     * nothing counts as a duplicate, every record of the inputs is one. */
    uint64_t only_inputs;
    uint64_t only_references;
    uint64_t in_both;
    uint64_t shards; /* of both sets */
    uint64_t bytes;  /* of them */
    bool resumed;
    double reading_seconds; /* of this process; a resumed run counts what it did itself */
    double writing_seconds;
    double hashing_seconds;
    kz_shogi_file_report references; /* about reading the references: read, bad, defects, offenders, trailing */
} kz_shogi_pipeline_report;

/* Looks at the inputs and at the disk, and says what a run will take. Writes and removes a small file to learn how fast
 * the disk is. If there are more than 16 million records, it runs the pipeline on a thirty-second part of the first
 * input, 4 million records at most, to see how long that takes. */
kz_status kz_shogi_pipeline_plan(const kz_shogi_pipeline *pipeline, const kz_shogi_file_options *options,
                                 kz_shogi_pipeline_estimate *estimate, kz_error *error);

/* Runs it. Of the options these count: threads, memory (at least 16 MiB and 2 MiB for each thread), seed, skip_bad,
 * legal, without_box, unsearched, filter, scratch, resume, checkpoint_seconds (0: 30).
 *
 * Partitions and what resuming takes are in the folder `path`.pipeline, or in a folder of that name in `scratch`. A run
 * that is cancelled or killed, or for which the disk is too small, leaves it; with options->resume the same run goes on
 * from there, and nothing is lost or written twice. It is gone at the end. Shards have ".part" at the end of their
 * names until all are complete. Last of all `path`.manifest.json is written, which lists inputs, settings, counts and
 * the SHA-256 of every shard. Its bytes don't depend on threads, memory or interruptions either. */
kz_status kz_shogi_pipeline_run(const kz_shogi_pipeline *pipeline, const kz_shogi_file_options *options,
                                const kz_progress *progress, kz_shogi_pipeline_report *report, kz_error *error);

#ifdef __cplusplus
}
#endif
#endif
