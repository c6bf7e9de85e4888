/* SPDX-License-Identifier: MIT
 *
 * What the parts of the pipeline share: a run, its state on the disk, its partitions and its outputs. */
#ifndef KZ_PIPELINE_PIPELINE_H
#define KZ_PIPELINE_PIPELINE_H

#include "base/error.h"
#include "shogi/src/pipeline/item.h"
#include "shogi/src/records/encode.h"
#include "shogi/src/records/stream.h"

#include <stdatomic.h>
#include <string.h>

/* Where a run is. */
typedef enum kz_pipeline_phase {
    KZ_PIPELINE_READING_REFERENCES,
    KZ_PIPELINE_READING,
    KZ_PIPELINE_WRITING,
    KZ_PIPELINE_PUBLISHING /* every shard is complete */
} kz_pipeline_phase;

enum { KZ_PIPELINE_SETS = 2, KZ_PIPELINE_MAIN = 0, KZ_PIPELINE_HELD = 1 };

/* How far a set of shards is. */
typedef struct kz_pipeline_set_state {
    uint64_t records;
    uint64_t bytes;       /* of all shards */
    uint64_t shard_bytes; /* of the last one that has any; for texts, whose records have no fixed size */
} kz_pipeline_set_state;

/* All of it is on the disk. Numbers are as the machine has them: a state never leaves it. */
typedef struct kz_pipeline_state {
    uint64_t settings; /* a hash of everything that has to be the same when a run goes on */
    uint32_t partitions;
    uint32_t phase;         /* kz_pipeline_phase */
    uint64_t source;        /* reading: which of the references or inputs */
    kz_records_place place; /* reading: where in it */
    uint64_t numbered;      /* records that were dealt so far */
    uint32_t done;          /* writing: partitions that are finished */
    uint32_t reserved;
    kz_pipeline_set_state sets[KZ_PIPELINE_SETS];
    kz_shogi_pipeline_report report;
} kz_pipeline_state;

/* Of each partition, beside the state. */
typedef struct kz_pipeline_part {
    uint64_t bytes;
    uint64_t last; /* the number of its last record, plus 1; where nothing counts as a duplicate */
} kz_pipeline_part;

typedef struct kz_pipeline_run {
    const kz_shogi_pipeline *pipeline;
    const kz_shogi_file_options *options;
    const kz_progress *progress;
    int threads;
    uint64_t memory;
    size_t item_bytes; /* of partitions: with the gap if there is one */
    size_t key_bytes;
    uint64_t salt; /* of places, where nothing counts as a duplicate */
    uint64_t held_limit;
    kz_records_encoder encoder;
    char *folder; /* of the partitions and the state */
    int lock;     /* a descriptor that keeps other processes away; -1 */
    kz_shogi_pipeline_estimate estimate;
    kz_pipeline_state state;
    kz_pipeline_part *parts;
} kz_pipeline_run;

/* ---- estimate.c */

/* In memory, beside the item itself: a place and a copy; and the place once more, or when all are duplicates, their
 * order. */
enum { KZ_PIPELINE_BYTES_OF_ITEM = 48, KZ_PIPELINE_BYTES_OF_ORDER = 16 };

/* The least memory that a run takes. */
uint64_t kz_pipeline_least_memory(int threads);
/* Bytes of a partition that one thread can work on. */
uint64_t kz_pipeline_part_room(const kz_pipeline_run *run);
/* `measure`: also how long it will take, for which a sample is read and a small file written. */
kz_status kz_pipeline_estimate(kz_pipeline_run *run, bool measure, kz_error *error);

/* ---- state.c */

/* The path of a file of the run: "FOLDER/state", or partition `number`. To be freed; NULL when out of memory. */
char *kz_pipeline_path(const kz_pipeline_run *run, const char *name);
char *kz_pipeline_part_path(const kz_pipeline_run *run, const char *prefix, uint32_t number);
kz_status kz_pipeline_save(const kz_pipeline_run *run, const kz_pipeline_state *state, const kz_pipeline_part *parts,
                           kz_error *error);
/* `there` is false if the folder has no state. Refuses one of another run. */
kz_status kz_pipeline_load(kz_pipeline_run *run, bool *there, kz_error *error);
/* Makes the folder, locks it, and sees whether there is a run to go on with. */
kz_status kz_pipeline_open_folder(kz_pipeline_run *run, bool *resumed, kz_error *error);
/* Removes the folder and what the pipeline has put into it. */
void kz_pipeline_remove_folder(kz_pipeline_run *run);
void kz_pipeline_unlock(kz_pipeline_run *run);
/* A hash of the settings and the inputs. */
kz_status kz_pipeline_settings(const kz_pipeline_run *run, uint64_t *settings, kz_error *error);

/* ---- deal.c: the first pass */

/* Appends items to many files. Each is opened for each write and closed after it. */
typedef struct kz_pipeline_dealer {
    const kz_pipeline_run *run;
    const char *prefix; /* of the files' names, which are numbered from `first` on */
    uint32_t first;
    uint32_t count;
    size_t buffer_bytes; /* of each file */
    uint8_t *buffers;
    size_t *fill;
    kz_pipeline_part *parts;
} kz_pipeline_dealer;

kz_status kz_pipeline_flush_one(kz_pipeline_dealer *dealer, uint32_t number, kz_error *error);
kz_status kz_pipeline_flush(kz_pipeline_dealer *dealer, kz_error *error);

static inline kz_status kz_pipeline_append_item(kz_pipeline_dealer *dealer, uint32_t number, const uint8_t *item,
                                                unsigned gap, kz_error *error) {
    size_t bytes = dealer->run->item_bytes;
    uint8_t *to = dealer->buffers + number * dealer->buffer_bytes + dealer->fill[number];
    memcpy(to, item, KZ_ITEM_BYTES);
    if (bytes > KZ_ITEM_BYTES) {
        kz_store_le16(to + KZ_ITEM_BYTES, (uint16_t)gap);
    }
    dealer->fill[number] += bytes;
    return dealer->fill[number] + bytes > dealer->buffer_bytes ? kz_pipeline_flush_one(dealer, number, error) : KZ_OK;
}

static inline kz_status kz_pipeline_append_numbered(kz_pipeline_dealer *dealer, uint32_t number, const uint8_t *item,
                                                    uint64_t record, kz_error *error) {
    uint64_t gap = record - dealer->parts[number].last;
    dealer->parts[number].last = record;
    for (; gap > KZ_ITEM_MOST_GAP; gap -= KZ_ITEM_MOST_GAP) {
        const uint8_t filler[KZ_ITEM_BYTES] = {[KZ_ITEM_FLAGS_AT] = KZ_ITEM_FILLER};
        KZ_TRY(kz_pipeline_append_item(dealer, number, filler, KZ_ITEM_MOST_GAP, error));
    }
    return kz_pipeline_append_item(dealer, number, item, (unsigned)gap, error);
}

/* `record` is the number of the record, plus 1, if items have gaps. */
static inline kz_status kz_pipeline_append(kz_pipeline_dealer *dealer, uint32_t number, const uint8_t *item,
                                           uint64_t record, kz_error *error) {
    return dealer->run->item_bytes > KZ_ITEM_BYTES ? kz_pipeline_append_numbered(dealer, number, item, record, error)
                                                   : kz_pipeline_append_item(dealer, number, item, 0, error);
}

kz_status kz_pipeline_deal(kz_pipeline_run *run, kz_error *error);

/* ---- outputs.c: see below, too */

/* Refuses a run that would write one of the files that it reads. */
kz_status kz_pipeline_check_inputs(const kz_pipeline_run *run, kz_error *error);

/* ---- finish.c: the second pass */

kz_status kz_pipeline_finish(kz_pipeline_run *run, kz_error *error);

/* ---- part.c: one partition in memory */

/* The memory of a thread, for partitions of up to `items` items. */
typedef struct kz_pipeline_bench {
    size_t items;
    uint8_t *from;        /* first the items as they are in the file, then those that survive */
    uint8_t *entries;     /* each item with its place, dealt to buckets */
    uint32_t *ends;       /* where each bucket ends among the entries */
    void *order;          /* first the place of each item; then, bucket by bucket, the order of its entries */
    size_t order_room;    /* entries that `order` has room for */
    size_t main_count;    /* survivors, from the beginning of `from` */
    size_t held_count;    /* survivors that are held out, from its end, backwards */
    uint64_t only_inputs; /* keys, as in kz_shogi_pipeline_report */
    uint64_t only_references;
    uint64_t in_both;
    uint64_t repeated; /* items that were dropped */
    uint64_t referenced;
} kz_pipeline_bench;

kz_status kz_pipeline_bench_new(const kz_pipeline_run *run, size_t items, kz_pipeline_bench *bench, kz_error *error);
void kz_pipeline_bench_free(const kz_pipeline_run *run, kz_pipeline_bench *bench);

/* A part of all places: a partition, or a piece of one that is too large. */
typedef struct kz_pipeline_range {
    uint32_t cuts[12]; /* into how many parts the places were cut, one cut after the other */
    int depth;
    uint64_t first; /* the number that the gaps of the file count from */
} kz_pipeline_range;

/* Sorts the `count` items in bench->from by their places and drops duplicates. The survivors are in `from` then. */
kz_status kz_pipeline_sort(const kz_pipeline_run *run, const kz_pipeline_range *range, kz_pipeline_bench *bench,
                           size_t count, kz_error *error);
/* For a range with so many duplicates that it can't be cut into parts that fit: items are added one by one, and only
 * one for each key is kept. False when there are too many keys. Takes bench->entries; NULL when out of memory. */
typedef struct kz_pipeline_fold kz_pipeline_fold;
kz_pipeline_fold *kz_pipeline_fold_new(const kz_pipeline_run *run, kz_pipeline_bench *bench);
void kz_pipeline_fold_free(kz_pipeline_fold *fold);
bool kz_pipeline_fold_add(kz_pipeline_fold *fold, const uint8_t *item);
/* Writes the items that are kept to bench->from, for kz_pipeline_sort, and returns how many. */
size_t kz_pipeline_fold_end(kz_pipeline_fold *fold, kz_pipeline_bench *bench, kz_shogi_pipeline_report *counts);

/* The item of held-out survivor `index`. */
const uint8_t *kz_pipeline_held_item(const kz_pipeline_run *run, const kz_pipeline_bench *bench, size_t index);

/* ---- outputs.c */

/* The name of shard `number` of a set, without ".part"; to be freed. NULL when out of memory. */
char *kz_pipeline_shard_name(const kz_pipeline_run *run, int set, uint64_t number);
uint64_t kz_pipeline_shard_count(const kz_pipeline_run *run, int set);
uint64_t kz_pipeline_records_in_shard(const kz_pipeline_run *run, int set, uint64_t number);
/* Refuses files that are there, unless they are to be replaced. */
kz_status kz_pipeline_check_targets(const kz_pipeline_run *run, kz_error *error);
/* Writes bytes of one shard at an offset of it. */
kz_status kz_pipeline_write(const kz_pipeline_run *run, int set, uint64_t shard, uint64_t offset, const uint8_t *bytes,
                            size_t size, kz_error *error);
/* Makes shards `first` to `last` survive a crash. */
kz_status kz_pipeline_sync(const kz_pipeline_run *run, int set, uint64_t first, uint64_t last, kz_error *error);
/* Cuts the shards of a set to what the state says, and removes those after them. */
kz_status kz_pipeline_cut(const kz_pipeline_run *run, int set, kz_error *error);
/* Gives all shards their names; some may have them already. */
kz_status kz_pipeline_publish(const kz_pipeline_run *run, kz_error *error);
/* Removes the parts of shards of a run that failed. */
void kz_pipeline_remove_parts(const kz_pipeline_run *run);

/* ---- manifest.c */

kz_status kz_pipeline_write_manifest(kz_pipeline_run *run, kz_error *error);

#endif
