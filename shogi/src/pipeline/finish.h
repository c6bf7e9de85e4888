/* SPDX-License-Identifier: MIT
 *
 * The second pass: what its threads share, and what each of them writes with. */
#ifndef KZ_PIPELINE_FINISH_H
#define KZ_PIPELINE_FINISH_H

#include "shogi/src/pipeline/pipeline.h"

#include <pthread.h>

struct finish {
    kz_pipeline_run *run;
    pthread_mutex_t lock; /* guards all that follows, but what says otherwise */
    pthread_cond_t changed;
    uint32_t claimed;                              /* partitions that threads have taken */
    uint32_t turn;                                 /* the partition that may learn where its records begin */
    uint32_t done;                                 /* partitions that are finished */
    kz_pipeline_set_state begin[KZ_PIPELINE_SETS]; /* where the next records go; for whose turn it is */
    bool failed;
    kz_error failure;
    atomic_bool stop;
    atomic_uint piece_names;
    atomic_uint_least64_t items; /* finished */
    uint64_t all_items;
    double next_report; /* for the calling thread */
    kz_pipeline_bench *benches;
    struct writer *writers;
};

/* What a thread writes with. */
struct writer {
    struct finish *finish;
    int worker;
    uint32_t partition;
    bool has_turn;
    bool took_turn; /* had it, or has it */
    kz_pipeline_bench *bench;
    const kz_shogi_codec *codec;
    kz_shogi_position *positions;
    kz_shogi_note *notes;
    kz_shogi_defect *defects;
    kz_records_output output;
    kz_pipeline_set_state sets[KZ_PIPELINE_SETS]; /* where its records begin, and then where they end */
    uint64_t first_shard[KZ_PIPELINE_SETS];
    kz_shogi_pipeline_report report; /* what this partition adds */
};

/* Tells the caller how far the work is. False when it is to stop. */
bool kz_pipeline_go_on(struct writer *writer);
kz_status kz_pipeline_cancelled(kz_error *error);
/* Waits until `counter`, of the struct finish, reaches the writer's partition. */
kz_status kz_pipeline_wait(struct writer *writer, const uint32_t *counter, kz_error *error);
/* Writes the survivors on the bench; `last` if the partition has no more. */
kz_status kz_pipeline_emit(struct writer *writer, bool last, kz_error *error);

static inline uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

#endif
