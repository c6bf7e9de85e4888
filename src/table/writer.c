/* SPDX-License-Identifier: MIT
 *
 * A table is written in one go but for what is known only at the end: first probabilities are counted over part of the
 * extents; then all extents are coded, batch by batch, and go into the file one after the other; then comes what lies
 * before the blocks, and last the digest of it all. */
#include "table/writer.h"

#include "base/bits.h"
#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "table/codec.h"
#include "table/format.h"
#include "table/frame.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Counts that a few workers share: one for each would take much memory where there are many. */
typedef struct locked_tally {
    pthread_mutex_t lock;
    kz_tally tally;
} locked_tally;

/* A worker's own memory. */
typedef struct writer_worker {
    kz_codec_memory *memory;
    uint8_t *numbers; /* of a extent */
    uint8_t *coded;   /* the extents of a batch that it has coded */
    size_t used;
    size_t room;
    kz_error error; /* of the first extent that could not be read, if any */
    uint64_t error_at;
} writer_worker;

/* Where a coded extent is until it is written. */
typedef struct piece {
    int worker;
    size_t offset;
    size_t size;
} piece;

/* A tally takes 64 to 70 MiB, so there is one for each worker only up to here. Counting losses takes a tenth of the
 * time of coding them, and their tables are made in little memory. */
enum { TALLIES_MOST = 8, TALLIES_OF_LOSSES = 3 };

typedef struct table_write {
    const kz_game *game;
    int rules;
    const kz_source *source;
    kz_pool *pool;
    const kz_progress *progress;
    kz_codec codec;
    size_t block_bytes_most; /* that the index can say */
    uint64_t extents;
    uint64_t sampled; /* probabilities are counted over one extent of so many */
    uint64_t grain;   /* extents that a worker takes at a time */
    int workers;
    writer_worker *by_worker;
    int tally_count;
    locked_tally tallies[TALLIES_MOST];
    uint64_t batch;       /* extents that are coded before they are written */
    uint64_t batch_begin; /* the first extent of the current one */
    piece *pieces;        /* [batch] */
    kz_frame frame;
    kz_outfile file;
    uint64_t file_bytes;
} table_write;

static kz_status no_memory(kz_error *error) { return kz_fail(error, KZ_ERR_MEMORY, "no memory to write the table"); }

/* ---- Opening and closing -------------------------------------------------------------------------------------------
 */

enum {
    SAMPLED_OF_LOSSES = 4,
    SAMPLED_MOST = 16,     /* of all values: enough to know the probabilities, in a small part of the time */
    SAMPLED_EXTENTS = 512, /* but so many extents, if there are as many */
    BATCH_PLACES = 1 << 26,
    BATCH_EXTENTS_A_WORKER = 16,
    GRAIN_PLACES = 1 << 16 /* that a worker takes at a time, if a extent is not larger */
};

static uint64_t sampling(const table_write *w) {
    if (w->codec.shape.run == 0) {
        return SAMPLED_OF_LOSSES;
    }
    uint64_t most = w->extents / SAMPLED_EXTENTS;
    return most < 1 ? 1 : most > SAMPLED_MOST ? SAMPLED_MOST : most;
}

static kz_status open_write(table_write *w, kz_error *error) {
    kz_status status = kz_codec_open(&w->codec, w->game, w->rules, error);
    if (status != KZ_OK) {
        return status;
    }
    const kz_shape *shape = &w->codec.shape;
    w->frame = (kz_frame){.version = shape->run ? KZ_TABLE_VERSION_VALUES : KZ_TABLE_VERSION_LOSSES,
                          .block = shape->block,
                          .game = w->game->name,
                          .rules = w->game->rules[w->rules],
                          .entries = shape->places};
    w->extents = (shape->places + shape->extent - 1) / shape->extent;
    w->sampled = sampling(w);
    w->grain = (GRAIN_PLACES + shape->extent - 1) / shape->extent;
    w->block_bytes_most = shape->run ? 2 * UINT16_MAX : UINT16_MAX;
    w->workers = kz_pool_threads(w->pool);
    w->batch = BATCH_PLACES / shape->extent + (uint64_t)w->workers * BATCH_EXTENTS_A_WORKER;
    w->batch = w->batch < w->extents ? w->batch : w->extents;
    w->pieces = calloc(w->batch, sizeof *w->pieces);
    size_t entry = shape->run ? KZ_INDEX2_BYTES : KZ_INDEX_BYTES;
    w->frame.sections[KZ_SECTION_INDEX] = (kz_section){malloc(w->codec.blocks * entry), w->codec.blocks * entry};
    w->by_worker = calloc((size_t)w->workers, sizeof *w->by_worker);
    bool complete = w->pieces && w->frame.sections[KZ_SECTION_INDEX].bytes && w->by_worker;
    for (int i = 0; complete && i < w->workers; i++) {
        writer_worker *s = &w->by_worker[i];
        s->memory = kz_codec_memory_new(&w->codec, true);
        s->numbers = malloc(shape->extent);
        complete = s->memory && s->numbers;
    }
    int tallies = shape->run ? TALLIES_MOST : TALLIES_OF_LOSSES;
    while (complete && w->tally_count < w->workers && w->tally_count < tallies) {
        locked_tally *l = &w->tallies[w->tally_count++];
        pthread_mutex_init(&l->lock, NULL);
        complete = kz_tally_open(&l->tally, &w->codec);
    }
    return complete ? KZ_OK : no_memory(error);
}

static void close_tallies(table_write *w) {
    while (w->tally_count > 0) {
        locked_tally *l = &w->tallies[--w->tally_count];
        kz_tally_close(&l->tally);
        pthread_mutex_destroy(&l->lock);
    }
}

static void close_write(table_write *w) {
    close_tallies(w);
    for (int i = 0; w->by_worker && i < w->workers; i++) {
        writer_worker *s = &w->by_worker[i];
        kz_codec_memory_free(s->memory);
        free(s->numbers);
        free(s->coded);
    }
    kz_frame_free(&w->frame);
    free(w->by_worker);
    free(w->pieces);
    kz_codec_close(&w->codec);
}

/* ---- Units ---------------------------------------------------------------------------------------------------------
 */

static void remember(writer_worker *s, uint64_t extent, const kz_error *error) {
    if (s->error.status == KZ_OK || extent < s->error_at) {
        s->error = *error;
        s->error_at = extent;
    }
}

/* The failure of the first extent that failed. */
static kz_status first_failure(const table_write *w, kz_error *error) {
    const writer_worker *first = NULL;
    for (int i = 0; i < w->workers; i++) {
        const writer_worker *s = &w->by_worker[i];
        if (s->error.status != KZ_OK && (!first || s->error_at < first->error_at)) {
            first = s;
        }
    }
    return first ? kz_fail(error, first->error.status, "%s", first->error.message) : KZ_OK;
}

/* Reads a extent. Once a worker has failed it reads no more. */
static bool read_extent(const table_write *w, int worker, uint64_t extent) {
    writer_worker *s = &w->by_worker[worker];
    kz_error error = {.status = KZ_OK};
    if (s->error.status != KZ_OK) {
        return false;
    }
    kz_status status = w->source->read(w->source->context, worker, extent, s->numbers, &error);
    if (status != KZ_OK) {
        error.status = status;
        remember(s, extent, &error);
    }
    return status == KZ_OK;
}

typedef struct range {
    uint64_t begin;
    uint64_t end;
} range;

static range blocks_of(const table_write *w, uint64_t extent) {
    uint64_t blocks = w->codec.shape.extent / w->codec.shape.block;
    uint64_t end = (extent + 1) * blocks;
    return (range){extent * blocks, end < w->codec.blocks ? end : w->codec.blocks};
}

static void count_extents(void *context, int worker, uint64_t begin, uint64_t end) {
    table_write *w = context;
    writer_worker *s = &w->by_worker[worker];
    locked_tally *l = &w->tallies[worker % w->tally_count];
    for (uint64_t sample = begin; sample < end; sample++) {
        uint64_t extent = sample * w->sampled;
        if (!read_extent(w, worker, extent)) {
            return;
        }
        range blocks = blocks_of(w, extent);
        const uint8_t *numbers = s->numbers;
        for (uint64_t block = blocks.begin; block < blocks.end; block++, numbers += w->codec.shape.block) {
            pthread_mutex_lock(&l->lock);
            kz_codec_count(&w->codec, s->memory, block, numbers, &l->tally);
            pthread_mutex_unlock(&l->lock);
        }
    }
}

static kz_status measure(table_write *w, kz_error *error) {
    uint64_t samples = (w->extents + w->sampled - 1) / w->sampled;
    kz_status status =
        kz_pool_for(w->pool, samples, w->grain, count_extents, w, w->progress, "measuring the table", error);
    if (status == KZ_OK) {
        status = first_failure(w, error);
    }
    if (status != KZ_OK) {
        return status;
    }
    /* Adding up what was counted gives the same sums however the extents were dealt out. */
    for (int i = 1; i < w->tally_count; i++) {
        kz_tally_add(&w->tallies[0].tally, &w->tallies[i].tally);
    }
    if (!kz_codec_learn(&w->codec, &w->tallies[0].tally)) {
        return no_memory(error);
    }
    close_tallies(w);
    return kz_codec_pack(&w->codec, &w->frame.sections[KZ_SECTION_MODEL].bytes,
                         &w->frame.sections[KZ_SECTION_MODEL].size, error);
}

static void put_index(const table_write *w, uint64_t block, const uint8_t *bytes, size_t size) {
    uint64_t hash = kz_hash64_seeded(bytes, size, block);
    if (w->codec.shape.run) {
        uint8_t *entry = w->frame.sections[KZ_SECTION_INDEX].bytes + block * KZ_INDEX2_BYTES;
        kz_store_le16(entry + KZ_INDEX2_SIZE, (uint16_t)(size / 2));
        kz_store_le16(entry + KZ_INDEX2_CHECK, (uint16_t)hash);
    } else {
        uint8_t *entry = w->frame.sections[KZ_SECTION_INDEX].bytes + block * KZ_INDEX_BYTES;
        kz_store_le16(entry + KZ_INDEX_SIZE, (uint16_t)size);
        kz_store_le32(entry + KZ_INDEX_CHECK, (uint32_t)hash);
    }
}

static bool make_room(writer_worker *s, size_t wanted) {
    if (s->room - s->used >= wanted) {
        return true;
    }
    size_t room = s->room * 2 + wanted;
    uint8_t *coded = realloc(s->coded, room);
    if (coded) {
        s->coded = coded;
        s->room = room;
    }
    return coded;
}

static void code_extents(void *context, int worker, uint64_t begin, uint64_t end) {
    table_write *w = context;
    writer_worker *s = &w->by_worker[worker];
    for (uint64_t slot = begin; slot < end; slot++) {
        uint64_t extent = w->batch_begin + slot;
        if (!read_extent(w, worker, extent)) {
            return;
        }
        range blocks = blocks_of(w, extent);
        piece coded = {.worker = worker, .offset = s->used};
        const uint8_t *numbers = s->numbers;
        for (uint64_t block = blocks.begin; block < blocks.end; block++, numbers += w->codec.shape.block) {
            if (!make_room(s, kz_codec_bytes_most(&w->codec))) {
                kz_error error;
                no_memory(&error);
                remember(s, extent, &error);
                return;
            }
            size_t size = kz_codec_encode(&w->codec, s->memory, block, numbers, s->coded + s->used);
            if (size == 0 || size > w->block_bytes_most) {
                kz_error error;
                kz_fail(&error, KZ_ERR_MISMATCH, "the values of block %llu %s", (unsigned long long)block,
                        size ? "take too much room" : "are not such as the rules allow");
                remember(s, extent, &error);
                return;
            }
            put_index(w, block, s->coded + s->used, size);
            s->used += size;
        }
        coded.size = s->used - coded.offset;
        w->pieces[slot] = coded;
    }
}

/* The progress of one batch as that of all extents. */
static bool report_batch(void *user, const char *stage, uint64_t done, uint64_t total) {
    const table_write *w = user;
    (void)total;
    return w->progress->report(w->progress->user, stage, w->batch_begin + done, w->extents);
}

static kz_status write_blocks(table_write *w, kz_error *error) {
    kz_progress listener = {.report = w->progress && w->progress->report ? report_batch : NULL, .user = w};
    kz_status status = KZ_OK;
    for (w->batch_begin = 0; status == KZ_OK && w->batch_begin < w->extents; w->batch_begin += w->batch) {
        uint64_t left = w->extents - w->batch_begin;
        uint64_t count = left < w->batch ? left : w->batch;
        for (int i = 0; i < w->workers; i++) {
            w->by_worker[i].used = 0;
        }
        status = kz_pool_for(w->pool, count, w->grain, code_extents, w, &listener, "compressing the table", error);
        if (status == KZ_OK) {
            status = first_failure(w, error);
        }
        for (uint64_t slot = 0; status == KZ_OK && slot < count; slot++) {
            const piece *p = &w->pieces[slot];
            status =
                kz_outfile_write_at(&w->file, w->by_worker[p->worker].coded + p->offset, p->size, w->file_bytes, error);
            w->file_bytes += p->size;
        }
    }
    return status;
}

/* ---- What lies before the blocks -----------------------------------------------------------------------------------
 */

static kz_status make_counts(table_write *w, const kz_histogram *histogram, kz_error *error) {
    kz_section *s = &w->frame.sections[KZ_SECTION_COUNTS];
    s->bytes = malloc((size_t)(2 * (KZ_MAX_DISTANCE + 1) + 1) * KZ_COUNT_BYTES);
    if (!s->bytes) {
        return no_memory(error);
    }
    uint8_t *at = s->bytes;
    for (int n = 0; n <= KZ_MAX_DISTANCE; n++) {
        at = kz_frame_put_count(at, KZ_LOSS, n, histogram->losses[n]);
    }
    at = kz_frame_put_count(at, KZ_DRAW, 0, histogram->draws);
    for (int n = 0; n <= KZ_MAX_DISTANCE; n++) {
        at = kz_frame_put_count(at, KZ_WIN, n, histogram->wins[n]);
    }
    s->size = (size_t)(at - s->bytes);
    return KZ_OK;
}

static kz_status write_file(table_write *w, const char *path, bool replace, kz_error *error) {
    kz_status status = kz_outfile_open(&w->file, path, replace, error);
    if (status != KZ_OK) {
        return status;
    }
    w->file_bytes = kz_frame_blocks_at(&w->frame);
    status = write_blocks(w, error);
    if (status == KZ_OK) {
        status = kz_frame_write(&w->frame, &w->file, w->file_bytes, w->progress, error);
    }
    if (status != KZ_OK) {
        kz_outfile_discard(&w->file);
        return status;
    }
    return kz_outfile_commit(&w->file, error);
}

kz_status kz_table_write(const kz_game *game, int rules, const kz_source *source, const kz_histogram *histogram,
                         kz_pool *pool, const char *path, bool replace, const kz_progress *progress,
                         uint64_t *file_bytes, kz_error *error) {
    table_write w = {.game = game, .rules = rules, .source = source, .pool = pool, .progress = progress};
    kz_status status = open_write(&w, error);
    if (status == KZ_OK) {
        status = make_counts(&w, histogram, error);
    }
    if (status == KZ_OK) {
        status = measure(&w, error);
    }
    if (status == KZ_OK) {
        status = write_file(&w, path, replace, error);
    }
    *file_bytes = w.file_bytes;
    close_write(&w);
    return status;
}
