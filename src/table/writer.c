/* SPDX-License-Identifier: MIT
 *
 * A table is written in one go but for what is known only at the end: first probabilities are counted over part of the
 * units; then all units are coded, batch by batch, and go into the file one after the other; then comes what lies
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
typedef struct ledger {
    pthread_mutex_t lock;
    kz_tally tally;
} ledger;

/* A worker's own memory. */
typedef struct scribe {
    kz_desk *desk;
    uint8_t *numbers; /* of a unit */
    uint8_t *coded;   /* the units of a batch that it has coded */
    size_t used;
    size_t room;
    kz_error error; /* of the first unit that could not be read, if any */
    uint64_t error_at;
} scribe;

/* Where a coded unit is until it is written. */
typedef struct piece {
    int worker;
    size_t offset;
    size_t size;
} piece;

enum { LEDGERS_MOST = 8 };

typedef struct job {
    const kz_game *game;
    int rules;
    const kz_source *source;
    kz_pool *pool;
    const kz_progress *progress;
    kz_codec codec;
    size_t block_bytes_most; /* that the index can say */
    uint64_t units;
    uint64_t sampled; /* probabilities are counted over one unit of so many */
    uint64_t grain;   /* units that a worker takes at a time */
    int workers;
    scribe *scribes;
    int ledger_count;
    ledger ledgers[LEDGERS_MOST];
    uint64_t batch;       /* units that are coded before they are written */
    uint64_t batch_begin; /* the first unit of the current one */
    piece *pieces;        /* [batch] */
    kz_frame frame;
    kz_outfile file;
    uint64_t file_bytes;
} job;

static kz_status no_memory(kz_error *error) { return kz_fail(error, KZ_ERR_MEMORY, "no memory to write the table"); }

/* ---- Opening and closing -------------------------------------------------------------------------------------------
 */

enum {
    SAMPLED_OF_LOSSES = 4,
    SAMPLED_MOST = 16,   /* of all values: enough to know the probabilities, in a small part of the time */
    SAMPLED_UNITS = 512, /* but so many units, if there are as many */
    BATCH_PLACES = 1 << 26,
    BATCH_UNITS_A_WORKER = 16,
    GRAIN_PLACES = 1 << 16 /* that a worker takes at a time, if a unit is not larger */
};

static uint64_t sampling(const job *j) {
    if (j->codec.shape.row == 0) {
        return SAMPLED_OF_LOSSES;
    }
    uint64_t most = j->units / SAMPLED_UNITS;
    return most < 1 ? 1 : most > SAMPLED_MOST ? SAMPLED_MOST : most;
}

static kz_status open_job(job *j, kz_error *error) {
    kz_status status = kz_codec_open(&j->codec, j->game, j->rules, error);
    if (status != KZ_OK) {
        return status;
    }
    const kz_shape *shape = &j->codec.shape;
    j->frame = (kz_frame){.version = shape->row ? KZ_TABLE_VERSION_VALUES : KZ_TABLE_VERSION_LOSSES,
                          .block = shape->block,
                          .game = j->game->name,
                          .rules = j->game->rules[j->rules],
                          .entries = shape->places};
    j->units = (shape->places + shape->unit - 1) / shape->unit;
    j->sampled = sampling(j);
    j->grain = (GRAIN_PLACES + shape->unit - 1) / shape->unit;
    j->block_bytes_most = shape->row ? 2 * UINT16_MAX : UINT16_MAX;
    j->workers = kz_pool_threads(j->pool);
    j->batch = BATCH_PLACES / shape->unit + (uint64_t)j->workers * BATCH_UNITS_A_WORKER;
    j->batch = j->batch < j->units ? j->batch : j->units;
    j->pieces = calloc(j->batch, sizeof *j->pieces);
    size_t entry = shape->row ? KZ_INDEX2_BYTES : KZ_INDEX_BYTES;
    j->frame.sections[KZ_SECTION_INDEX] = (kz_section){malloc(j->codec.blocks * entry), j->codec.blocks * entry};
    j->scribes = calloc((size_t)j->workers, sizeof *j->scribes);
    bool complete = j->pieces && j->frame.sections[KZ_SECTION_INDEX].bytes && j->scribes;
    for (int i = 0; complete && i < j->workers; i++) {
        scribe *s = &j->scribes[i];
        s->desk = kz_desk_new(&j->codec, true);
        s->numbers = malloc(shape->unit);
        complete = s->desk && s->numbers;
    }
    while (complete && j->ledger_count < j->workers && j->ledger_count < LEDGERS_MOST) {
        ledger *l = &j->ledgers[j->ledger_count++];
        pthread_mutex_init(&l->lock, NULL);
        complete = kz_tally_open(&l->tally, &j->codec);
    }
    return complete ? KZ_OK : no_memory(error);
}

static void close_ledgers(job *j) {
    while (j->ledger_count > 0) {
        ledger *l = &j->ledgers[--j->ledger_count];
        kz_tally_close(&l->tally);
        pthread_mutex_destroy(&l->lock);
    }
}

static void close_job(job *j) {
    close_ledgers(j);
    for (int i = 0; j->scribes && i < j->workers; i++) {
        scribe *s = &j->scribes[i];
        kz_desk_free(s->desk);
        free(s->numbers);
        free(s->coded);
    }
    kz_frame_free(&j->frame);
    free(j->scribes);
    free(j->pieces);
    kz_codec_close(&j->codec);
}

/* ---- Units ---------------------------------------------------------------------------------------------------------
 */

static void remember(scribe *s, uint64_t unit, const kz_error *error) {
    if (s->error.status == KZ_OK || unit < s->error_at) {
        s->error = *error;
        s->error_at = unit;
    }
}

/* The failure of the first unit that failed. */
static kz_status first_failure(const job *j, kz_error *error) {
    const scribe *first = NULL;
    for (int i = 0; i < j->workers; i++) {
        const scribe *s = &j->scribes[i];
        if (s->error.status != KZ_OK && (!first || s->error_at < first->error_at)) {
            first = s;
        }
    }
    return first ? kz_fail(error, first->error.status, "%s", first->error.message) : KZ_OK;
}

/* Reads a unit. Once a worker has failed it reads no more. */
static bool read_unit(const job *j, int worker, uint64_t unit) {
    scribe *s = &j->scribes[worker];
    kz_error error = {.status = KZ_OK};
    if (s->error.status != KZ_OK) {
        return false;
    }
    kz_status status = j->source->read(j->source->context, worker, unit, s->numbers, &error);
    if (status != KZ_OK) {
        error.status = status;
        remember(s, unit, &error);
    }
    return status == KZ_OK;
}

typedef struct range {
    uint64_t begin;
    uint64_t end;
} range;

static range blocks_of(const job *j, uint64_t unit) {
    uint64_t blocks = j->codec.shape.unit / j->codec.shape.block;
    uint64_t end = (unit + 1) * blocks;
    return (range){unit * blocks, end < j->codec.blocks ? end : j->codec.blocks};
}

static void count_units(void *context, int worker, uint64_t begin, uint64_t end) {
    job *j = context;
    scribe *s = &j->scribes[worker];
    ledger *l = &j->ledgers[worker % j->ledger_count];
    for (uint64_t sample = begin; sample < end; sample++) {
        uint64_t unit = sample * j->sampled;
        if (!read_unit(j, worker, unit)) {
            return;
        }
        range blocks = blocks_of(j, unit);
        const uint8_t *numbers = s->numbers;
        for (uint64_t block = blocks.begin; block < blocks.end; block++, numbers += j->codec.shape.block) {
            pthread_mutex_lock(&l->lock);
            kz_codec_count(&j->codec, s->desk, block, numbers, &l->tally);
            pthread_mutex_unlock(&l->lock);
        }
    }
}

static kz_status measure(job *j, kz_error *error) {
    uint64_t samples = (j->units + j->sampled - 1) / j->sampled;
    kz_status status =
        kz_pool_for(j->pool, samples, j->grain, count_units, j, j->progress, "measuring the table", error);
    if (status == KZ_OK) {
        status = first_failure(j, error);
    }
    if (status != KZ_OK) {
        return status;
    }
    /* Adding up what was counted gives the same sums however the units were dealt out. */
    for (int i = 1; i < j->ledger_count; i++) {
        kz_tally_add(&j->ledgers[0].tally, &j->ledgers[i].tally);
    }
    if (!kz_codec_learn(&j->codec, &j->ledgers[0].tally)) {
        return no_memory(error);
    }
    close_ledgers(j);
    return kz_codec_pack(&j->codec, &j->frame.sections[KZ_SECTION_MODEL].bytes,
                         &j->frame.sections[KZ_SECTION_MODEL].size, error);
}

static void put_index(const job *j, uint64_t block, const uint8_t *bytes, size_t size) {
    uint64_t hash = kz_hash64_seeded(bytes, size, block);
    if (j->codec.shape.row) {
        uint8_t *entry = j->frame.sections[KZ_SECTION_INDEX].bytes + block * KZ_INDEX2_BYTES;
        kz_store_le16(entry + KZ_INDEX2_SIZE, (uint16_t)(size / 2));
        kz_store_le16(entry + KZ_INDEX2_CHECK, (uint16_t)hash);
    } else {
        uint8_t *entry = j->frame.sections[KZ_SECTION_INDEX].bytes + block * KZ_INDEX_BYTES;
        kz_store_le16(entry + KZ_INDEX_SIZE, (uint16_t)size);
        kz_store_le32(entry + KZ_INDEX_CHECK, (uint32_t)hash);
    }
}

static bool make_room(scribe *s, size_t wanted) {
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

static void code_units(void *context, int worker, uint64_t begin, uint64_t end) {
    job *j = context;
    scribe *s = &j->scribes[worker];
    for (uint64_t slot = begin; slot < end; slot++) {
        uint64_t unit = j->batch_begin + slot;
        if (!read_unit(j, worker, unit)) {
            return;
        }
        range blocks = blocks_of(j, unit);
        piece coded = {.worker = worker, .offset = s->used};
        const uint8_t *numbers = s->numbers;
        for (uint64_t block = blocks.begin; block < blocks.end; block++, numbers += j->codec.shape.block) {
            if (!make_room(s, kz_codec_bytes_most(&j->codec))) {
                kz_error error;
                no_memory(&error);
                remember(s, unit, &error);
                return;
            }
            size_t size = kz_codec_encode(&j->codec, s->desk, block, numbers, s->coded + s->used);
            if (size == 0 || size > j->block_bytes_most) {
                kz_error error;
                kz_fail(&error, KZ_ERR_MISMATCH, "the values of block %llu %s", (unsigned long long)block,
                        size ? "take too much room" : "are not such as the rules allow");
                remember(s, unit, &error);
                return;
            }
            put_index(j, block, s->coded + s->used, size);
            s->used += size;
        }
        coded.size = s->used - coded.offset;
        j->pieces[slot] = coded;
    }
}

/* The progress of one batch as that of all units. */
static bool report_batch(void *user, const char *stage, uint64_t done, uint64_t total) {
    const job *j = user;
    (void)total;
    return j->progress->report(j->progress->user, stage, j->batch_begin + done, j->units);
}

static kz_status write_blocks(job *j, kz_error *error) {
    kz_progress listener = {.report = j->progress && j->progress->report ? report_batch : NULL, .user = j};
    kz_status status = KZ_OK;
    for (j->batch_begin = 0; status == KZ_OK && j->batch_begin < j->units; j->batch_begin += j->batch) {
        uint64_t left = j->units - j->batch_begin;
        uint64_t count = left < j->batch ? left : j->batch;
        for (int i = 0; i < j->workers; i++) {
            j->scribes[i].used = 0;
        }
        status = kz_pool_for(j->pool, count, j->grain, code_units, j, &listener, "compressing the table", error);
        if (status == KZ_OK) {
            status = first_failure(j, error);
        }
        for (uint64_t slot = 0; status == KZ_OK && slot < count; slot++) {
            const piece *p = &j->pieces[slot];
            status =
                kz_outfile_write_at(&j->file, j->scribes[p->worker].coded + p->offset, p->size, j->file_bytes, error);
            j->file_bytes += p->size;
        }
    }
    return status;
}

/* ---- What lies before the blocks -----------------------------------------------------------------------------------
 */

static kz_status make_counts(job *j, const kz_histogram *histogram, kz_error *error) {
    kz_section *s = &j->frame.sections[KZ_SECTION_COUNTS];
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

static kz_status write_file(job *j, const char *path, bool replace, kz_error *error) {
    kz_status status = kz_outfile_open(&j->file, path, replace, error);
    if (status != KZ_OK) {
        return status;
    }
    j->file_bytes = kz_frame_blocks_at(&j->frame);
    status = write_blocks(j, error);
    if (status == KZ_OK) {
        status = kz_frame_write(&j->frame, &j->file, j->file_bytes, j->progress, error);
    }
    if (status != KZ_OK) {
        kz_outfile_discard(&j->file);
        return status;
    }
    return kz_outfile_commit(&j->file, error);
}

kz_status kz_table_write(const kz_game *game, int rules, const kz_source *source, const kz_histogram *histogram,
                         kz_pool *pool, const char *path, bool replace, const kz_progress *progress,
                         uint64_t *file_bytes, kz_error *error) {
    job j = {.game = game, .rules = rules, .source = source, .pool = pool, .progress = progress};
    kz_status status = open_job(&j, error);
    if (status == KZ_OK) {
        status = make_counts(&j, histogram, error);
    }
    if (status == KZ_OK) {
        status = measure(&j, error);
    }
    if (status == KZ_OK) {
        status = write_file(&j, path, replace, error);
    }
    *file_bytes = j.file_bytes;
    close_job(&j);
    return status;
}
