/* SPDX-License-Identifier: MIT
 *
 * A table is written in one go but for what is known only at the end: first probabilities are counted over part of the
 * extents; then all extents are coded, several at a time, and go into the file one after the other; then comes what
 * lies before the blocks, and last the digest of it all. */
#include "table/writer.h"

#include "base/bits.h"
#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/lock.h"
#include "table/codec.h"
#include "table/format.h"
#include "table/frame.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* A worker's own memory. */
typedef struct writer_worker {
    kz_codec_memory *memory[2]; /* of blocks that are coded together, if their open runs are read */
    uint8_t *numbers;           /* of an extent, or of two, */
    kz_open_runs open;          /* or what is left of its open runs */
    uint8_t *coded;             /* the extents of a piece, as far as they are coded */
    size_t used;
    size_t room;
    kz_error error; /* of the first extent that could not be read or written, if any */
    uint64_t error_at;
} writer_worker;

/* Coded extents that wait until those before them are written. */
typedef struct piece {
    uint8_t *bytes; /* NULL: not coded yet, or written already */
    size_t size;
} piece;

enum { EXTENTS_AT_ONCE = 2 }; /* of tables of losses */

/* A tally takes 64 to 70 MiB, so there is one for each worker only up to here. */
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
    uint64_t grain;   /* extents that a worker takes at a time: a piece */
    int workers;
    writer_worker *by_worker;
    int tally_count;
    kz_tally tallies[TALLIES_MOST];
    kz_frame frame;
    kz_outfile file;
    atomic_uint_least64_t failed_at; /* the first extent that is known to have failed */
    kz_lock lock;                    /* of all below */
    piece *pieces;                   /* [extents / grain, rounded up] */
    uint64_t written;                /* pieces that are in the file, or about to be */
    bool packed;                     /* the probabilities are, so that it is known where blocks begin */
    uint64_t file_bytes;
} table_write;

static kz_status no_memory(kz_error *error) { return kz_fail(error, KZ_ERR_MEMORY, "no memory to write the table"); }

/* ---- Opening and closing -------------------------------------------------------------------------------------------
 */

enum {
    SAMPLED_OF_LOSSES = 4,
    SAMPLED_MOST = 16,     /* of all values: enough to know the probabilities, in a small part of the time */
    SAMPLED_EXTENTS = 512, /* but so many extents, if there are as many */
    GRAIN_PLACES = 1 << 16 /* that a worker takes at a time, if an extent is not larger */
};

static uint64_t sampling(const table_write *w) {
    if (w->codec.shape.run == 0) {
        return SAMPLED_OF_LOSSES;
    }
    uint64_t most = w->extents / SAMPLED_EXTENTS;
    return most < 1 ? 1 : most > SAMPLED_MOST ? SAMPLED_MOST : most;
}

static uint64_t piece_count(const table_write *w) { return (w->extents + w->grain - 1) / w->grain; }

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
    w->pieces = calloc(piece_count(w), sizeof *w->pieces);
    size_t entry = shape->run ? KZ_INDEX2_BYTES : KZ_INDEX_BYTES;
    w->frame.sections[KZ_SECTION_INDEX] = (kz_section){malloc(w->codec.blocks * entry), w->codec.blocks * entry};
    w->by_worker = calloc((size_t)w->workers, sizeof *w->by_worker);
    bool complete = w->pieces && w->frame.sections[KZ_SECTION_INDEX].bytes && w->by_worker;
    for (int i = 0; complete && i < w->workers; i++) {
        writer_worker *s = &w->by_worker[i];
        s->memory[0] = kz_codec_memory_new(&w->codec, true);
        s->memory[1] = w->source->read_open ? kz_codec_memory_new(&w->codec, true) : NULL;
        s->numbers = malloc((shape->run ? 1 : EXTENTS_AT_ONCE) * (size_t)shape->extent);
        complete = s->memory[0] && (s->memory[1] || !w->source->read_open) && s->numbers;
    }
    int tallies = shape->run ? TALLIES_MOST : TALLIES_OF_LOSSES;
    while (complete && w->tally_count < w->workers && w->tally_count < tallies) {
        complete = kz_tally_open(&w->tallies[w->tally_count++], &w->codec);
    }
    return complete ? KZ_OK : no_memory(error);
}

static void close_tallies(table_write *w) {
    while (w->tally_count > 0) {
        kz_tally_close(&w->tallies[--w->tally_count]);
    }
}

static void close_write(table_write *w) {
    close_tallies(w);
    for (int i = 0; w->by_worker && i < w->workers; i++) {
        writer_worker *s = &w->by_worker[i];
        kz_codec_memory_free(s->memory[0]);
        kz_codec_memory_free(s->memory[1]);
        free(s->numbers);
        free(s->coded);
    }
    kz_frame_free(&w->frame);
    free(w->by_worker);
    for (uint64_t i = 0; w->pieces && i < piece_count(w); i++) {
        free(w->pieces[i].bytes);
    }
    free(w->pieces);
    kz_codec_close(&w->codec);
}

/* ---- Extents -------------------------------------------------------------------------------------------------------
 */

static void remember(table_write *w, int worker, uint64_t extent, const kz_error *error) {
    writer_worker *s = &w->by_worker[worker];
    if (s->error.status == KZ_OK || extent < s->error_at) {
        s->error = *error;
        s->error_at = extent;
    }
    uint64_t first = atomic_load(&w->failed_at);
    while (extent < first && !atomic_compare_exchange_weak(&w->failed_at, &first, extent)) {
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

/* Reads an extent. What comes after one that failed is not read any more. */
static bool read_extent(table_write *w, int worker, uint64_t extent, uint8_t *numbers) {
    writer_worker *s = &w->by_worker[worker];
    kz_error error = {.status = KZ_OK};
    if (extent > atomic_load_explicit(&w->failed_at, memory_order_relaxed)) {
        return false;
    }
    const kz_source *source = w->source;
    kz_status status = source->read_open ? source->read_open(source->context, worker, extent, &s->open, &error)
                                         : source->read(source->context, worker, extent, numbers, &error);
    if (status != KZ_OK) {
        error.status = status;
        remember(w, worker, extent, &error);
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

static void refuse(table_write *w, int worker, uint64_t extent, uint64_t block, const char *why) {
    kz_error error;
    kz_fail(&error, KZ_ERR_MISMATCH, "the values of block %llu %s", (unsigned long long)block, why);
    remember(w, worker, extent, &error);
}

static const char not_allowed[] = "are not such as the rules allow";

static void count_extents(void *context, int worker, uint64_t begin, uint64_t end) {
    table_write *w = context;
    writer_worker *s = &w->by_worker[worker];
    kz_tally *tally = &w->tallies[worker % w->tally_count];
    for (uint64_t sample = begin; sample < end; sample++) {
        uint64_t extent = sample * w->sampled;
        if (!read_extent(w, worker, extent, s->numbers)) {
            return;
        }
        range blocks = blocks_of(w, extent);
        const uint8_t *numbers = s->numbers;
        for (uint64_t block = blocks.begin; block < blocks.end; block++, numbers += w->codec.shape.block) {
            if (!w->source->read_open) {
                kz_codec_count(&w->codec, s->memory[0], block, numbers, tally);
            } else if (!kz_codec_count_open(&w->codec, s->memory[0], block, &s->open, tally)) {
                refuse(w, worker, extent, block, not_allowed);
                return;
            }
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
        kz_tally_add(&w->tallies[0], &w->tallies[i]);
    }
    bool learned = kz_codec_learn(&w->codec, &w->tallies[0]);
    close_tallies(w);
    return learned ? KZ_OK : no_memory(error);
}

/* ---- Pieces --------------------------------------------------------------------------------------------------------
 */

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

static void fail_for_memory(table_write *w, int worker, uint64_t extent) {
    kz_error error;
    no_memory(&error);
    remember(w, worker, extent, &error);
}

/* Codes one block, or two if there is another one and only open runs are given. Returns how many, with the size of
 * each: 0 if the values are not allowed. */
static unsigned code_blocks(const table_write *w, writer_worker *s, range blocks, const uint8_t *numbers,
                            size_t sizes[2]) {
    uint8_t *bytes = s->coded + s->used;
    sizes[0] = 0;
    if (!w->source->read_open) {
        sizes[0] = kz_codec_encode(&w->codec, s->memory[0], blocks.begin, numbers, bytes);
        return 1;
    }
    if (blocks.end - blocks.begin > 1) {
        kz_codec_encode_open_two(&w->codec, s->memory, blocks.begin, &s->open, bytes, sizes);
        return 2;
    }
    sizes[0] = kz_codec_encode_open(&w->codec, s->memory[0], blocks.begin, &s->open, bytes);
    return 1;
}

/* Adds an extent to what the worker has coded. */
static bool code_extent(table_write *w, int worker, uint64_t extent) {
    writer_worker *s = &w->by_worker[worker];
    if (!read_extent(w, worker, extent, s->numbers)) {
        return false;
    }
    range blocks = blocks_of(w, extent);
    const uint8_t *numbers = s->numbers;
    while (blocks.begin < blocks.end) {
        if (!make_room(s, 2 * kz_codec_bytes_most(&w->codec))) {
            fail_for_memory(w, worker, extent);
            return false;
        }
        size_t sizes[2];
        unsigned count = code_blocks(w, s, blocks, numbers, sizes);
        for (unsigned i = 0; i < count; i++, blocks.begin++, numbers += w->codec.shape.block) {
            if (sizes[i] == 0 || sizes[i] > w->block_bytes_most) {
                refuse(w, worker, extent, blocks.begin, sizes[i] ? "take too much room" : not_allowed);
                return false;
            }
            put_index(w, blocks.begin, s->coded + s->used, sizes[i]);
            s->used += sizes[i];
        }
    }
    if (w->source->read_open && s->open.count) {
        refuse(w, worker, extent, blocks.end - 1, not_allowed);
        return false;
    }
    return true;
}

/* Extents of a table of losses are blocks; all but the last one are of the same size. */
static bool code_two_extents(table_write *w, int worker, uint64_t extent) {
    writer_worker *s = &w->by_worker[worker];
    size_t most = kz_codec_bytes_most(&w->codec);
    if (!read_extent(w, worker, extent, s->numbers) ||
        !read_extent(w, worker, extent + 1, s->numbers + w->codec.shape.extent)) {
        return false;
    }
    if (!make_room(s, 2 * most)) {
        fail_for_memory(w, worker, extent);
        return false;
    }
    uint8_t *const bytes[2] = {s->coded + s->used, s->coded + s->used + most};
    size_t sizes[2];
    kz_codec_encode_two(&w->codec, s->memory[0], extent, s->numbers, bytes, sizes);
    for (unsigned i = 0; i < 2; i++) {
        if (sizes[i] > w->block_bytes_most) {
            refuse(w, worker, extent + i, extent + i, "take too much room");
            return false;
        }
        put_index(w, extent + i, bytes[i], sizes[i]);
        memmove(s->coded + s->used, bytes[i], sizes[i]);
        s->used += sizes[i];
    }
    return true;
}

/* Writes the pieces whose turn it is. Several workers may be at it, each with pieces of its own: then no worker goes on
 * to code while pieces could be written, and few of them are in memory however slow the disk is. */
static void write_pieces(table_write *w, int worker) {
    uint64_t pieces = piece_count(w);
    kz_lock_take(&w->lock);
    while (w->packed && w->written < pieces && w->pieces[w->written].bytes) {
        uint64_t number = w->written++;
        piece next = w->pieces[number];
        uint64_t at = w->file_bytes;
        w->pieces[number].bytes = NULL;
        w->file_bytes += next.size;
        kz_lock_release(&w->lock);
        kz_error error;
        kz_status status = kz_outfile_write_at(&w->file, next.bytes, next.size, at, &error);
        free(next.bytes);
        if (status != KZ_OK) {
            error.status = status;
            remember(w, worker, number * w->grain, &error);
        }
        kz_lock_take(&w->lock);
    }
    kz_lock_release(&w->lock);
}

static void code_piece(table_write *w, int worker, uint64_t number) {
    writer_worker *s = &w->by_worker[worker];
    uint64_t begin = number * w->grain;
    uint64_t end = w->extents - begin < w->grain ? w->extents : begin + w->grain;
    s->used = 0;
    bool losses = w->codec.shape.run == 0;
    for (uint64_t extent = begin; extent < end;) {
        bool two = losses && end - extent >= EXTENTS_AT_ONCE;
        if (!(two ? code_two_extents(w, worker, extent) : code_extent(w, worker, extent))) {
            return;
        }
        extent += two ? EXTENTS_AT_ONCE : 1;
    }
    uint8_t *bytes = malloc(s->used); /* NOLINT(clang-analyzer-optin.portability.UnixAPI): extents are not empty */
    if (!bytes) {
        fail_for_memory(w, worker, begin);
        return;
    }
    memcpy(bytes, s->coded, s->used);
    kz_lock_take(&w->lock);
    w->pieces[number] = (piece){bytes, s->used};
    kz_lock_release(&w->lock);
}

/* Packing the probabilities takes a second or two of one worker; the others begin to code meanwhile. */
static void pack_model(table_write *w, int worker) {
    kz_section *model = &w->frame.sections[KZ_SECTION_MODEL];
    kz_error error;
    kz_status status = kz_codec_pack(&w->codec, &model->bytes, &model->size, &error);
    if (status != KZ_OK) {
        error.status = status;
        remember(w, worker, 0, &error);
        return;
    }
    kz_lock_take(&w->lock);
    w->file_bytes = kz_frame_blocks_at(&w->frame);
    w->packed = true;
    kz_lock_release(&w->lock);
}

/* Task 0 is the probabilities, each of the others a piece. */
static void do_tasks(void *context, int worker, uint64_t begin, uint64_t end) {
    table_write *w = context;
    for (uint64_t task = begin; task < end; task++) {
        if (task == 0) {
            pack_model(w, worker);
        } else {
            code_piece(w, worker, task - 1);
        }
        write_pieces(w, worker);
    }
}

static kz_status write_blocks(table_write *w, kz_error *error) {
    kz_status status =
        kz_pool_for(w->pool, piece_count(w) + 1, 1, do_tasks, w, w->progress, "compressing the table", error);
    return status == KZ_OK ? first_failure(w, error) : status;
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
    atomic_init(&w.failed_at, UINT64_MAX);
    kz_lock_open(&w.lock);
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
    kz_lock_close(&w.lock);
    return status;
}
