/* SPDX-License-Identifier: MIT
 *
 * Records without those whose position was there before, in three passes:
 *
 * 1. Read all positions. The sspfx record of a position is the same whatever it was read from: that is its key. Keys
 * with the numbers of their records are dealt to many lists by a hash, so that equal keys meet in the same list.
 * 2. Go through each list in order with the set of the keys so far. A key that is there already belongs to a record to
 * be dropped. If a list has more different keys than fit in memory, the rest of it goes another round.
 * 3. Copy the source without the records to be dropped. Their numbers are in lists too, by ranges of the source, and
 * come in no order; a bit for each record of a range brings them into order.
 *
 * All lists are kz_lists: in memory as far as it goes, in temporary files beyond that. */
#include "base/bits.h"
#include "base/hash.h"
#include "base/pool.h"
#include "shogi/src/records/rawfile.h"
#include "shogi/src/records/stream.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEY_BYTES = KZ_SHOGI_RECORD_BYTES,
    ENTRY_BYTES = KEY_BYTES + 8, /* a key and the number of its record */
    SET_BYTES_OF_KEY = KEY_BYTES + 16,
    LIST_ENTRIES = 16384, /* whose set is small enough for a processor's cache */
    USUAL_LISTS = 1024,
    LEAST_CHUNK_BYTES = 4096,
    MOST_COPY_BYTES = 1 << 20,
    LEAST_MEMORY = 1 << 18
};

struct dedupe {
    kz_rawcopy *raw;
    const kz_shogi_source *source;
    const kz_shogi_codec *codec; /* of the keys */
    int threads;
    uint64_t memory;
    uint32_t lists;
    kz_lists *keys; /* entries, by hash */
    uint64_t range;
    kz_lists *drops; /* numbers of records, by number / range */
    uint64_t repeated;

    /* Pass 2 */
    pthread_mutex_t lock; /* guards drops, repeated, failed and failure there */
    bool failed;
    kz_error failure;
    struct seen *seen; /* for each worker */
};

/* ---- Pass 1: keys ------------------------------------------------------------------------------------------------ */

/* What a thread makes of a batch: entries, and after them the lists that they belong to. */
enum { LISTS_AT = KZ_RECORDS_BATCH * ENTRY_BYTES };
static const uint32_t NO_LIST = UINT32_MAX; /* of a bad record */

static uint32_t list_of(const struct dedupe *dedupe, const uint8_t *key) {
    return (uint32_t)((kz_hash64(key, KEY_BYTES) >> 32) * dedupe->lists >> 32);
}

/* Packs the keys of records `begin` to `end` - 1, which are fine. */
static kz_status pack_keys(const struct dedupe *dedupe, const kz_records_batch *batch, size_t begin, size_t end,
                           uint8_t *entries, kz_error *error) {
    kz_shogi_defect defect = KZ_SHOGI_FINE;
    size_t done = dedupe->codec->pack_many(batch->positions + begin, end - begin, entries + begin * ENTRY_BYTES,
                                           ENTRY_BYTES, &defect);
    if (done < end - begin) {
        return kz_fail(error, KZ_ERR_CORRUPT, "record %" PRIu64 " of %s: %s", batch->first + begin + done + 1,
                       dedupe->source->path, kz_shogi_defect_text(defect));
    }
    return KZ_OK;
}

static kz_status make_keys(void *user, int worker, const kz_records_batch *batch, kz_records_output *output,
                           kz_error *error) {
    const struct dedupe *dedupe = user;
    (void)worker;
    for (size_t i = 0; i < batch->count;) {
        /* Moves are copied as they are, so it does not matter whether they can be read. */
        size_t end = i;
        while (end < batch->count &&
               (batch->defects[end] == KZ_SHOGI_FINE || batch->defects[end] == KZ_SHOGI_BAD_MOVE)) {
            batch->defects[end++] = KZ_SHOGI_FINE;
        }
        KZ_TRY(end > i ? pack_keys(dedupe, batch, i, end, output->bytes, error) : KZ_OK);
        i = end + 1;
    }
    for (size_t i = 0; i < batch->count; i++) {
        uint8_t *entry = output->bytes + i * ENTRY_BYTES;
        kz_store_le64(entry + KEY_BYTES, batch->first - dedupe->source->first + i);
        kz_store_le32(output->bytes + LISTS_AT + 4 * i,
                      batch->defects[i] == KZ_SHOGI_FINE ? list_of(dedupe, entry) : NO_LIST);
    }
    output->size = LISTS_AT + 4 * batch->count;
    return KZ_OK;
}

static kz_status drop(struct dedupe *dedupe, uint64_t number, kz_error *error) {
    uint8_t item[8];
    kz_store_le64(item, number);
    return kz_lists_append(dedupe->drops, (size_t)(number / dedupe->range), item, error);
}

static kz_status take_keys(void *user, const kz_records_batch *batch, const kz_records_output *output,
                           kz_error *error) {
    struct dedupe *dedupe = user;
    kz_status status = KZ_OK;
    for (size_t i = 0; i < batch->count && status == KZ_OK; i++) {
        const uint8_t *entry = output->bytes + i * ENTRY_BYTES;
        uint32_t list = kz_load_le32(output->bytes + LISTS_AT + 4 * i);
        if (list != NO_LIST) {
            status = kz_lists_append(dedupe->keys, list, entry, error);
        } else if (dedupe->raw->options->skip_bad) {
            status = drop(dedupe, kz_load_le64(entry + KEY_BYTES), error);
        } else {
            status = kz_fail(error, KZ_ERR_CORRUPT, "record %" PRIu64 " of %s: %s", batch->first + i + 1,
                             dedupe->source->path, kz_shogi_defect_text(batch->defects[i]));
        }
    }
    return status;
}

/* ---- Pass 2: sets ------------------------------------------------------------------------------------------------ */

/* A set of keys: open addressing, slots have the number of a key plus 1. */
struct seen {
    uint8_t *keys;
    uint32_t *slots;
    size_t capacity; /* keys; there are 2 to 4 slots for each */
    size_t count;
    size_t mask;
    uint8_t *room; /* for a part of a list */
};

static size_t slots_for(uint64_t keys) {
    size_t slots = 16;
    while (slots < 2 * keys) {
        slots *= 2;
    }
    return slots;
}

static kz_status seen_new(struct seen *seen, uint64_t memory, size_t part_bytes, kz_error *error) {
    uint64_t capacity = memory / SET_BYTES_OF_KEY;
    capacity = capacity < UINT32_MAX / 4 ? capacity : UINT32_MAX / 4;
    *seen = (struct seen){.capacity = (size_t)capacity};
    seen->keys = malloc(seen->capacity * KEY_BYTES);
    seen->slots = malloc(slots_for(capacity) * sizeof *seen->slots);
    seen->room = malloc(part_bytes);
    if (!seen->keys || !seen->slots || !seen->room) {
        return kz_fail(error, KZ_ERR_MEMORY, "out of memory for sets of %zu positions", seen->capacity);
    }
    return KZ_OK;
}

static void seen_free(struct seen *seen) {
    free(seen->keys);
    free(seen->slots);
    free(seen->room);
}

/* Empties the set and makes it large enough for so many keys, or as large as it can be. */
static void seen_clear(struct seen *seen, uint64_t keys) {
    size_t slots = slots_for(keys < seen->capacity ? keys : seen->capacity);
    memset(seen->slots, 0, slots * sizeof *seen->slots);
    seen->mask = slots - 1;
    seen->count = 0;
}

enum presence { NEW, THERE, NO_ROOM };

static enum presence seen_add(struct seen *seen, const uint8_t *key) {
    size_t slot = (size_t)kz_hash64(key, KEY_BYTES) & seen->mask;
    for (; seen->slots[slot] != 0; slot = (slot + 1) & seen->mask) {
        if (memcmp(seen->keys + (size_t)(seen->slots[slot] - 1) * KEY_BYTES, key, KEY_BYTES) == 0) {
            return THERE;
        }
    }
    if (seen->count == seen->capacity) {
        return NO_ROOM;
    }
    memcpy(seen->keys + seen->count * KEY_BYTES, key, KEY_BYTES);
    seen->count++;
    seen->slots[slot] = (uint32_t)seen->count;
    return NEW;
}

/* Numbers of records to drop, on their way to the list that all threads share. */
struct found {
    struct dedupe *dedupe;
    size_t count;
    uint64_t numbers[512];
};

static kz_status hand_over(struct found *found, kz_error *error) {
    struct dedupe *dedupe = found->dedupe;
    kz_status status = KZ_OK;
    pthread_mutex_lock(&dedupe->lock);
    for (size_t i = 0; i < found->count && status == KZ_OK; i++) {
        status = drop(dedupe, found->numbers[i], error);
    }
    dedupe->repeated += found->count;
    pthread_mutex_unlock(&dedupe->lock);
    found->count = 0;
    return status;
}

/* One round through a list. Entries whose key has no room go to `rest`, which is made when it is needed. */
static kz_status compare_round(struct found *found, struct seen *seen, const kz_lists *lists, size_t list,
                               kz_lists **rest, kz_error *error) {
    struct dedupe *dedupe = found->dedupe;
    const uint8_t *entries;
    size_t count;
    seen_clear(seen, kz_lists_count(lists, list));
    for (size_t part = 0;; part++) {
        kz_status status = kz_lists_read(lists, list, part, seen->room, &entries, &count, error);
        if (status != KZ_OK || count == 0) {
            return status;
        }
        for (size_t i = 0; i < count && status == KZ_OK; i++) {
            const uint8_t *entry = entries + i * ENTRY_BYTES;
            enum presence presence = seen_add(seen, entry);
            if (presence == THERE) {
                found->numbers[found->count++] = kz_load_le64(entry + KEY_BYTES);
                if (found->count == sizeof found->numbers / sizeof *found->numbers) {
                    status = hand_over(found, error);
                }
            } else if (presence == NO_ROOM) {
                if (!*rest) {
                    /* One list of chunks like those of the others, so that the room for reading does for it, too. */
                    *rest = kz_lists_new(1, ENTRY_BYTES, 2 * kz_lists_part_items(dedupe->keys) * ENTRY_BYTES,
                                         dedupe->raw->scratch, error);
                }
                status = *rest ? kz_lists_append(*rest, 0, entry, error) : KZ_ERR_MEMORY;
            }
        }
        if (status != KZ_OK) {
            return status;
        }
    }
}

static kz_status compare_list(struct dedupe *dedupe, struct seen *seen, size_t list, kz_error *error) {
    struct found found = {.dedupe = dedupe};
    kz_lists *rest = NULL;
    kz_status status = compare_round(&found, seen, dedupe->keys, list, &rest, error);
    while (status == KZ_OK && rest) {
        kz_lists *now = rest;
        rest = NULL;
        status = compare_round(&found, seen, now, 0, &rest, error);
        kz_lists_free(now);
    }
    kz_lists_free(rest);
    return status == KZ_OK ? hand_over(&found, error) : status;
}

static void compare_lists(void *context, int worker, uint64_t begin, uint64_t end) {
    struct dedupe *dedupe = context;
    for (uint64_t list = begin; list < end; list++) {
        pthread_mutex_lock(&dedupe->lock);
        bool failed = dedupe->failed;
        pthread_mutex_unlock(&dedupe->lock);
        kz_error error;
        if (failed || compare_list(dedupe, &dedupe->seen[worker], (size_t)list, &error) == KZ_OK) {
            continue;
        }
        pthread_mutex_lock(&dedupe->lock);
        if (!dedupe->failed) {
            dedupe->failed = true;
            dedupe->failure = error;
        }
        pthread_mutex_unlock(&dedupe->lock);
    }
}

static kz_status compare_on_threads(struct dedupe *dedupe, kz_pool *pool, const kz_progress *progress,
                                    kz_error *error) {
    int threads = kz_pool_threads(pool);
    size_t part_bytes = kz_lists_part_items(dedupe->keys) * ENTRY_BYTES;
    dedupe->seen = calloc((size_t)threads, sizeof *dedupe->seen);
    if (!dedupe->seen) {
        return kz_fail(error, KZ_ERR_MEMORY, "out of memory");
    }
    kz_status status = KZ_OK;
    for (int i = 0; i < threads && status == KZ_OK; i++) {
        status = seen_new(&dedupe->seen[i], dedupe->memory / 4 / (unsigned)threads, part_bytes, error);
    }
    if (status == KZ_OK) {
        pthread_mutex_init(&dedupe->lock, NULL);
        status = kz_pool_for(pool, dedupe->lists, 1, compare_lists, dedupe, progress, "comparing", error);
        pthread_mutex_destroy(&dedupe->lock);
    }
    for (int i = 0; i < threads; i++) {
        seen_free(&dedupe->seen[i]);
    }
    free(dedupe->seen);
    if (status == KZ_OK && dedupe->failed) {
        status = kz_fail(error, dedupe->failure.status, "%s", dedupe->failure.message);
    }
    return status;
}

static kz_status compare_all(struct dedupe *dedupe, kz_error *error) {
    kz_pool *pool;
    KZ_TRY(kz_records_pool(dedupe->threads, &pool, error));
    kz_status status = compare_on_threads(dedupe, pool, dedupe->raw->progress, error);
    kz_pool_free(pool);
    return status;
}

/* ---- Pass 3: the copy -------------------------------------------------------------------------------------------- */

struct copy {
    struct dedupe *dedupe;
    size_t block;      /* records that are read at once */
    uint8_t *records;  /* a block of them */
    uint64_t *dropped; /* a bit for each record of a range */
    uint8_t *room;     /* for a part of a list */
    uint64_t written;
};

static kz_status mark_dropped(struct copy *copy, size_t range, kz_error *error) {
    const struct dedupe *dedupe = copy->dedupe;
    memset(copy->dropped, 0, (size_t)(dedupe->range / 64 + 1) * sizeof *copy->dropped);
    for (size_t part = 0;; part++) {
        const uint8_t *items;
        size_t count;
        kz_status status = kz_lists_read(dedupe->drops, range, part, copy->room, &items, &count, error);
        if (status != KZ_OK || count == 0) {
            return status;
        }
        for (size_t i = 0; i < count; i++) {
            uint64_t number = kz_load_le64(items + 8 * i) % dedupe->range;
            copy->dropped[number / 64] |= UINT64_C(1) << number % 64;
        }
    }
}

/* Copies what is to be kept of `count` records, of which the first has bit `bit`. */
static kz_status copy_block(struct copy *copy, uint64_t first, uint64_t bit, size_t count, kz_error *error) {
    kz_rawcopy *raw = copy->dedupe->raw;
    size_t bytes = raw->source.record_bytes;
    KZ_TRY(kz_rawsource_read(&raw->source, first, count, copy->records, error));
    size_t kept = 0;
    for (size_t i = 0; i < count; i++, bit++) {
        if ((copy->dropped[bit / 64] >> bit % 64 & 1) == 0) {
            memmove(copy->records + kept * bytes, copy->records + i * bytes, bytes);
            kept++;
        }
    }
    copy->written += kept;
    return kz_outfile_write(&raw->target, copy->records, kept * bytes, error);
}

/* Range by range, and a block of records after the other in it. */
static kz_status copy_ranges(struct copy *copy, kz_error *error) {
    kz_rawcopy *raw = copy->dedupe->raw;
    uint64_t total = raw->source.count;
    uint64_t range = copy->dedupe->range;
    for (uint64_t at = 0; at < total;) {
        if (at % range == 0) {
            KZ_TRY(mark_dropped(copy, (size_t)(at / range), error));
        }
        uint64_t left = at - at % range + range < total ? range - at % range : total - at;
        size_t count = left < copy->block ? (size_t)left : copy->block;
        KZ_TRY(copy_block(copy, at, at % range, count, error));
        at += count;
        KZ_TRY(kz_tell(raw->progress, "writing", at, total, error));
    }
    return KZ_OK;
}

static kz_status copy_all(struct dedupe *dedupe, kz_error *error) {
    size_t bytes = dedupe->raw->source.record_bytes;
    size_t most = dedupe->memory / 16 < MOST_COPY_BYTES ? (size_t)dedupe->memory / 16 : MOST_COPY_BYTES;
    struct copy copy = {.dedupe = dedupe,
                        .block = most / bytes,
                        .records = malloc(most / bytes * bytes),
                        .dropped = malloc((size_t)(dedupe->range / 64 + 1) * sizeof *copy.dropped),
                        .room = malloc(kz_lists_part_items(dedupe->drops) * 8)};
    kz_status status = copy.records && copy.dropped && copy.room
                           ? copy_ranges(&copy, error)
                           : kz_fail(error, KZ_ERR_MEMORY, "out of memory for copying");
    free(copy.records);
    free(copy.dropped);
    free(copy.room);
    dedupe->raw->report->written = copy.written;
    return status;
}

/* ---- All of it --------------------------------------------------------------------------------------------------- */

/* Half of the memory is for the keys, a quarter for the sets, an eighth for the numbers of dropped records, a sixteenth
 * for a range of bits, and as much for copying. */
static kz_status divide_memory(struct dedupe *dedupe, kz_error *error) {
    uint64_t count = dedupe->raw->source.count;
    uint64_t set_keys = dedupe->memory / 4 / (unsigned)dedupe->threads / SET_BYTES_OF_KEY + 1;
    uint64_t lists = count / LIST_ENTRIES < USUAL_LISTS ? count / LIST_ENTRIES : USUAL_LISTS;
    lists = lists > count / set_keys ? lists : count / set_keys;
    /* Keys are written a chunk at a time; smaller chunks cost more than a second round through a list. */
    uint64_t most = dedupe->memory / 4 / LEAST_CHUNK_BYTES;
    dedupe->lists = (uint32_t)(lists < most ? lists + 1 : most);
    dedupe->range = dedupe->memory / 16 * 8 < count ? dedupe->memory / 16 * 8 : count + 1;
    dedupe->keys = kz_lists_new(dedupe->lists, ENTRY_BYTES, dedupe->memory / 2, dedupe->raw->scratch, error);
    if (dedupe->keys) {
        dedupe->drops =
            kz_lists_new((size_t)(count / dedupe->range + 1), 8, dedupe->memory / 8, dedupe->raw->scratch, error);
    }
    return dedupe->drops ? KZ_OK : KZ_ERR_MEMORY;
}

static kz_status dedupe(kz_rawcopy *raw, void *user, kz_error *error) {
    struct dedupe dedupe = {.raw = raw,
                            .source = user,
                            .codec = kz_shogi_codec_for(KZ_SHOGI_SSPFX, NULL),
                            .threads = kz_records_workers(raw->options),
                            .memory = kz_memory_of(raw->options, LEAST_MEMORY)};
    /* Bad records are found by the stream and dealt with here: it would stop at moves that can't be read, too. */
    kz_shogi_file_options lenient = *raw->options;
    lenient.skip_bad = true;
    kz_records_job job = {.source = dedupe.source,
                          .options = &lenient,
                          .stage = "reading",
                          .output_bytes = LISTS_AT + 4 * KZ_RECORDS_BATCH,
                          .work = make_keys,
                          .take = take_keys,
                          .user = &dedupe};
    kz_status status;
    KZ_TRY_OR(end, divide_memory(&dedupe, error));
    KZ_TRY_OR(end, kz_records_each(&job, raw->progress, raw->report, error));
    KZ_TRY_OR(end, compare_all(&dedupe, error));
    kz_lists_free(dedupe.keys);
    dedupe.keys = NULL;
    status = copy_all(&dedupe, error);
end:
    kz_lists_free(dedupe.keys);
    kz_lists_free(dedupe.drops);
    raw->report->repeated = dedupe.repeated;
    return status;
}

kz_status kz_shogi_dedupe(const kz_shogi_source *source, const kz_shogi_target *target,
                          const kz_shogi_file_options *options, const kz_progress *progress,
                          kz_shogi_file_report *report, kz_error *error) {
    return kz_rawcopy_run(source, target, options, progress, dedupe, (void *)source, report, error);
}
