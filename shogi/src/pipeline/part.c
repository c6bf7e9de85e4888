/* SPDX-License-Identifier: MIT
 *
 * A partition in memory. Its items are dealt to buckets by their places, so that a bucket fits in the processor's
 * cache; each bucket is sorted, duplicates meet as neighbours, and one of them survives. */
#include "base/bigmem.h"
#include "shogi/src/pipeline/pipeline.h"

#include <stdlib.h>
#include <string.h>

enum {
    ENTRY_BYTES = 8 + KZ_ITEM_BYTES, /* a place, and the item without its gap */
    BUCKET_ITEMS = 1024,             /* on average */
    FINE_BITS = 10,                  /* of a place within a bucket, when that is sorted */
    FINE_BUCKETS = 1 << FINE_BITS
};
_Static_assert((int)ENTRY_BYTES == (int)KZ_PIPELINE_BYTES_OF_ITEM, "the plan counts on this");

/* An entry of a bucket on its way to its place. */
struct order {
    uint64_t place;
    uint32_t entry;
};

static size_t bucket_count(size_t items) { return items / BUCKET_ITEMS + 1; }

kz_status kz_pipeline_bench_new(const kz_pipeline_run *run, size_t items, kz_pipeline_bench *bench, kz_error *error) {
    *bench = (kz_pipeline_bench){.items = items > 0 ? items : 1};
    bench->from = kz_big_alloc(bench->items * run->item_bytes);
    bench->entries = kz_big_alloc(bench->items * ENTRY_BYTES);
    bench->ends = malloc((bucket_count(bench->items) + 1) * sizeof *bench->ends);
    if (!bench->from || !bench->entries || !bench->ends) {
        kz_pipeline_bench_free(run, bench);
        return kz_fail(error, KZ_ERR_MEMORY, "out of memory for %zu records of a partition", items);
    }
    return KZ_OK;
}

void kz_pipeline_bench_free(const kz_pipeline_run *run, kz_pipeline_bench *bench) {
    kz_big_free(bench->from, bench->items * run->item_bytes);
    kz_big_free(bench->entries, bench->items * ENTRY_BYTES);
    free(bench->ends);
    free(bench->order);
    *bench = (kz_pipeline_bench){0};
}

/* ---- Places ------------------------------------------------------------------------------------------------------ */

/* Goes through the items of a file in order. */
struct walk {
    const kz_pipeline_run *run;
    const kz_pipeline_range *range;
    uint64_t number; /* of the last record, plus 1 */
};

/* The place of an item in what is left of all places after the cuts of the range. */
static inline uint64_t place_of(struct walk *walk, const uint8_t *item) {
    uint64_t place;
    if (walk->run->item_bytes > KZ_ITEM_BYTES) {
        walk->number += kz_load_le16(item + KZ_ITEM_BYTES);
        place = kz_item_place_of_number(walk->number - 1, walk->run->salt);
    } else {
        place = kz_item_place(item, walk->run->key_bytes, walk->run->options->seed);
    }
    for (int i = 0; i < walk->range->depth; i++) {
        (void)kz_item_part(&place, walk->range->cuts[i]);
    }
    return place;
}

/* ---- Dealing to buckets ------------------------------------------------------------------------------------------ */

/* The place of each item, in what is room for their order later. */
static uint64_t *places_of(kz_pipeline_bench *bench) { return (uint64_t *)(void *)bench->order; }

/* Deals the items to `buckets` buckets of entries; bench->ends are their ends then. Items of a bucket stay in order. */
static void deal_to_buckets(const kz_pipeline_run *run, const kz_pipeline_range *range, kz_pipeline_bench *bench,
                            size_t count, size_t buckets) {
    uint32_t *ends = bench->ends;
    uint64_t *places = places_of(bench);
    memset(ends, 0, (buckets + 1) * sizeof *ends);
    struct walk walk = {.run = run, .range = range, .number = range->first};
    for (size_t i = 0; i < count; i++) {
        const uint8_t *item = bench->from + i * run->item_bytes;
        uint64_t place = place_of(&walk, item);
        places[i] = place;
        ends[kz_item_part(&place, (uint32_t)buckets) + 1] += !kz_item_is_filler(item);
    }
    for (size_t i = 1; i <= buckets; i++) {
        ends[i] += ends[i - 1];
    }
    for (size_t i = 0; i < count; i++) {
        const uint8_t *item = bench->from + i * run->item_bytes;
        uint64_t within = places[i];
        uint32_t bucket = kz_item_part(&within, (uint32_t)buckets);
        if (!kz_item_is_filler(item)) {
            uint8_t *entry = bench->entries + (size_t)ends[bucket]++ * ENTRY_BYTES;
            kz_store_le64(entry, within);
            memcpy(entry + 8, item, KZ_ITEM_BYTES);
        }
    }
}

/* ---- Sorting a bucket -------------------------------------------------------------------------------------------- */

static bool comes_before(const struct order *a, const struct order *b) {
    return a->place != b->place ? a->place < b->place : a->entry < b->entry;
}

static void insertion_sort(struct order *order, size_t count) {
    for (size_t i = 1; i < count; i++) {
        struct order moved = order[i];
        size_t at = i;
        for (; at > 0 && comes_before(&moved, &order[at - 1]); at--) {
            order[at] = order[at - 1];
        }
        order[at] = moved;
    }
}

static unsigned fine_bucket(const uint8_t *entry) { return kz_load_le16(entry + 6) >> (16 - FINE_BITS); }

/* Sorts by place, and equal places by their order in the file. After the highest bits have been looked at, most are in
 * order. Many equal places, as many duplicates have, are in order already, so they cost nothing. */
static void sort_bucket(const uint8_t *entries, size_t count, struct order *order) {
    uint32_t ends[FINE_BUCKETS + 1] = {0};
    for (size_t i = 0; i < count; i++) {
        ends[fine_bucket(entries + i * ENTRY_BYTES) + 1]++;
    }
    for (size_t i = 1; i <= FINE_BUCKETS; i++) {
        ends[i] += ends[i - 1];
    }
    for (size_t i = 0; i < count; i++) {
        const uint8_t *entry = entries + i * ENTRY_BYTES;
        struct order *to = &order[ends[fine_bucket(entry)]++];
        to->place = kz_load_le64(entry);
        to->entry = (uint32_t)i;
    }
    insertion_sort(order, count);
}

/* ---- Duplicates -------------------------------------------------------------------------------------------------- */

static int score_of(const uint8_t *item) {
    return (item[KZ_ITEM_FLAGS_AT] & KZ_ITEM_SCORED) != 0 ? (int16_t)kz_load_le16(item + KZ_ITEM_SCORE_AT)
                                                          : INT16_MIN - 1;
}

/* Duplicates, as they come. */
struct group {
    const uint8_t *kept;
    uint64_t count;
    int64_t sum; /* of scores */
    int64_t scored;
    bool referenced;
};

static void add_to_group(struct group *group, const uint8_t *item, kz_shogi_keep keep) {
    if (kz_item_is_reference(item)) {
        group->referenced = true;
        return;
    }
    group->count++;
    if ((item[KZ_ITEM_FLAGS_AT] & KZ_ITEM_SCORED) != 0) {
        group->sum += (int16_t)kz_load_le16(item + KZ_ITEM_SCORE_AT);
        group->scored++;
    }
    if (!group->kept || keep == KZ_SHOGI_KEEP_LAST ||
        (keep == KZ_SHOGI_KEEP_BEST && score_of(item) > score_of(group->kept))) {
        group->kept = item;
    }
}

static int16_t mean_of(const struct group *group) {
    int64_t twice = 2 * group->sum;
    int64_t mean = (twice < 0 ? twice - group->scored : twice + group->scored) / (2 * group->scored);
    return (int16_t)mean;
}

static void end_group(const kz_pipeline_run *run, kz_pipeline_bench *bench, const struct group *group) {
    if (group->referenced) {
        bench->referenced += group->count;
        bench->in_both += group->count > 0;
        bench->only_references += group->count == 0;
        return;
    }
    if (group->count == 0) {
        return;
    }
    bench->only_inputs++;
    bench->repeated += group->count - 1;
    bool held = kz_item_is_held(group->kept, run->options->seed, run->held_limit);
    uint8_t *to = held ? bench->from + bench->items * run->item_bytes - (bench->held_count + 1) * KZ_ITEM_BYTES
                       : bench->from + bench->main_count * KZ_ITEM_BYTES;
    bench->held_count += held;
    bench->main_count += !held;
    memcpy(to, group->kept, KZ_ITEM_BYTES);
    if (run->pipeline->keep == KZ_SHOGI_KEEP_MEAN && group->scored > 0) {
        kz_store_le16(to + KZ_ITEM_SCORE_AT, (uint16_t)mean_of(group));
        to[KZ_ITEM_FLAGS_AT] |= KZ_ITEM_SCORED;
    }
}

const uint8_t *kz_pipeline_held_item(const kz_pipeline_run *run, const kz_pipeline_bench *bench, size_t index) {
    return bench->from + bench->items * run->item_bytes - (index + 1) * KZ_ITEM_BYTES;
}

/* All entries of the order have the same place. Nearly always they have the same key, too; if two keys meet in one
 * place, the lower one comes first, so that the order does not depend on anything else. (Where nothing counts as a
 * duplicate, every record has a place of its own.) */
static void end_place(const kz_pipeline_run *run, kz_pipeline_bench *bench, const uint8_t *entries,
                      const struct order *order, size_t count) {
    const uint8_t *last = NULL;
    if (count == 1) {
        const uint8_t *item = entries + (size_t)order->entry * ENTRY_BYTES + 8;
        if (run->held_limit == 0 && !kz_item_is_reference(item)) { /* as nearly always */
            memcpy(bench->from + bench->main_count * KZ_ITEM_BYTES, item, KZ_ITEM_BYTES);
            bench->main_count++;
            bench->only_inputs++;
            return;
        }
        struct group group = {.kept = NULL};
        add_to_group(&group, item, run->pipeline->keep);
        end_group(run, bench, &group);
        return;
    }
    for (;;) {
        /* The lowest key above the last one. */
        const uint8_t *lowest = NULL;
        for (size_t i = 0; i < count; i++) {
            const uint8_t *item = entries + (size_t)order[i].entry * ENTRY_BYTES + 8;
            if ((!last || memcmp(item, last, run->key_bytes) > 0) &&
                (!lowest || memcmp(item, lowest, run->key_bytes) < 0)) {
                lowest = item;
            }
        }
        if (!lowest) {
            return;
        }
        struct group group = {.kept = NULL};
        for (size_t i = 0; i < count; i++) {
            const uint8_t *item = entries + (size_t)order[i].entry * ENTRY_BYTES + 8;
            if (memcmp(item, lowest, run->key_bytes) == 0) {
                add_to_group(&group, item, run->pipeline->keep);
            }
        }
        end_group(run, bench, &group);
        last = lowest;
    }
}

/* Room for the order of so many entries. What was there is gone. */
static kz_status make_room(kz_pipeline_bench *bench, size_t count, kz_error *error) {
    if (count > bench->order_room) {
        free(bench->order);
        bench->order_room = count > 4 * BUCKET_ITEMS ? count : 4 * BUCKET_ITEMS;
        bench->order = malloc(bench->order_room * sizeof(struct order));
    }
    if (!bench->order) {
        bench->order_room = 0;
        return kz_fail(error, KZ_ERR_MEMORY, "out of memory for %zu records of a partition", count);
    }
    return KZ_OK;
}

kz_status kz_pipeline_sort(const kz_pipeline_run *run, const kz_pipeline_range *range, kz_pipeline_bench *bench,
                           size_t count, kz_error *error) {
    size_t buckets = bucket_count(count);
    KZ_TRY(make_room(bench, count * sizeof(uint64_t) / sizeof(struct order) + 1, error));
    deal_to_buckets(run, range, bench, count, buckets);
    bench->main_count = bench->held_count = 0;
    bench->repeated = bench->referenced = 0;
    bench->only_inputs = bench->only_references = bench->in_both = 0;
    for (size_t bucket = 0; bucket < buckets; bucket++) {
        size_t begin = bucket > 0 ? bench->ends[bucket - 1] : 0;
        size_t size = bench->ends[bucket] - begin;
        const uint8_t *entries = bench->entries + begin * ENTRY_BYTES;
        if (size == 0) {
            continue;
        }
        KZ_TRY(make_room(bench, size, error));
        struct order *order = bench->order;
        sort_bucket(entries, size, order);
        for (size_t at = 0; at < size;) {
            size_t end = at + 1;
            while (end < size && order[end].place == order[at].place) {
                end++;
            }
            end_place(run, bench, entries, order + at, end - at);
            at = end;
        }
    }
    return KZ_OK;
}

/* ---- Many duplicates --------------------------------------------------------------------------------------------- */

/* What has been seen of a key. `group.kept` points to `item`, or to nothing. */
struct folded {
    uint8_t item[KZ_ITEM_BYTES];
    struct group group;
};

struct kz_pipeline_fold {
    const kz_pipeline_run *run;
    struct folded *found;
    size_t count;
    size_t most;
    uint32_t *slots; /* number of a key plus 1 */
    size_t mask;
};

kz_pipeline_fold *kz_pipeline_fold_new(const kz_pipeline_run *run, kz_pipeline_bench *bench) {
    free(bench->order); /* its room is for the slots */
    bench->order = NULL;
    bench->order_room = 0;
    size_t most = bench->items * ENTRY_BYTES / sizeof(struct folded);
    size_t slots = 16;
    while (slots < 2 * most && slots * sizeof(uint32_t) * 2 <= bench->items * sizeof(struct order)) {
        slots *= 2;
    }
    kz_pipeline_fold *fold = calloc(1, sizeof *fold);
    uint32_t *table = calloc(slots, sizeof *table);
    if (!fold || !table) {
        free(fold);
        free(table);
        return NULL;
    }
    *fold = (kz_pipeline_fold){.run = run,
                               .found = (struct folded *)(void *)bench->entries,
                               .most = most < slots / 2 ? most : slots / 2,
                               .slots = table,
                               .mask = slots - 1};
    return fold;
}

void kz_pipeline_fold_free(kz_pipeline_fold *fold) {
    if (fold) {
        free(fold->slots);
        free(fold);
    }
}

bool kz_pipeline_fold_add(kz_pipeline_fold *fold, const uint8_t *item) {
    const kz_pipeline_run *run = fold->run;
    size_t slot = (size_t)kz_hash64(item, run->key_bytes) & fold->mask;
    while (fold->slots[slot] != 0 && memcmp(fold->found[fold->slots[slot] - 1].item, item, run->key_bytes) != 0) {
        slot = (slot + 1) & fold->mask;
    }
    if (fold->slots[slot] == 0) {
        if (fold->count == fold->most) {
            return false;
        }
        struct folded *added = &fold->found[fold->count++];
        fold->slots[slot] = (uint32_t)fold->count;
        added->group = (struct group){.kept = NULL};
        memcpy(added->item, item, KZ_ITEM_BYTES);
    }
    struct folded *folded = &fold->found[fold->slots[slot] - 1];
    const uint8_t *kept = folded->group.kept;
    add_to_group(&folded->group, item, run->pipeline->keep);
    if (folded->group.kept != kept) {
        memcpy(folded->item, item, KZ_ITEM_BYTES);
        folded->group.kept = folded->item;
    }
    return true;
}

size_t kz_pipeline_fold_end(kz_pipeline_fold *fold, kz_pipeline_bench *bench, kz_shogi_pipeline_report *counts) {
    size_t count = 0;
    for (size_t i = 0; i < fold->count; i++) {
        struct folded *folded = &fold->found[i];
        const struct group *group = &folded->group;
        if (group->referenced || group->count == 0) {
            counts->referenced += group->count;
            counts->in_both += group->count > 0;
            counts->only_references += group->count == 0;
            continue;
        }
        counts->records.repeated += group->count - 1;
        uint8_t *to = bench->from + count++ * fold->run->item_bytes;
        memcpy(to, folded->item, KZ_ITEM_BYTES);
        if (fold->run->pipeline->keep == KZ_SHOGI_KEEP_MEAN && group->scored > 0) {
            kz_store_le16(to + KZ_ITEM_SCORE_AT, (uint16_t)mean_of(group));
            to[KZ_ITEM_FLAGS_AT] |= KZ_ITEM_SCORED;
        }
    }
    return count;
}
