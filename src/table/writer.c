/* SPDX-License-Identifier: MIT
 *
 * A table is written in one go but for what is known only at the end: first probabilities are counted over part of the
 * extents; then all extents are coded, several at a time, and go into the file one after the other; then comes what
 * lies before the blocks, and last the digest of it all. */
#include "table/writer.h"

#include "base/bigmem.h"
#include "base/error.h"
#include "base/file.h"
#include "base/packing.h"
#include "table/format.h"
#include "table/frame.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* A worker's own memory. */
typedef struct writer_worker {
    void *memory;   /* the encoder's */
    uint8_t *coded; /* the extents of a piece, as far as they are coded */
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

enum { TALLIES_MOST = 8 }; /* there is one for each worker, up to here */

typedef struct table_write {
    const kz_game *game;
    int rules;
    const kz_source *source;
    kz_pool *pool;
    const kz_progress *progress;
    const kz_encoder *encoder;
    void *self; /* of the kind */
    kz_shape shape;
    size_t index_bytes;
    uint64_t extents;
    uint64_t sampled; /* probabilities are counted over one extent of so many */
    uint64_t grain;   /* extents that a worker takes at a time: a piece */
    int workers;
    writer_worker *by_worker;
    int tally_count;
    kz_tally tallies[TALLIES_MOST];
    kz_frame frame;
    kz_outfile *file;
    atomic_uint_least64_t failed_at; /* the first extent that is known to have failed */
    kz_lock lock;                    /* of all below */
    piece *pieces;                   /* [extents / grain, rounded up] */
    uint64_t written;                /* pieces that are in the file, or about to be */
    bool packed;                     /* the probabilities are, so that it is known where blocks begin */
    uint64_t file_bytes;
} table_write;

static kz_status no_memory(kz_error *error) { return kz_fail(error, KZ_ERR_MEMORY, "no memory to write the table"); }

/* ---- Opening and closing ----------------------------------------------------------------------------------------- */

enum { GRAIN_PLACES = 1 << 16 }; /* that a worker takes at a time, if an extent is not larger */

static uint64_t sampling(const table_write *w) {
    const kz_encoder *e = w->encoder;
    uint64_t most = e->sampled_from ? w->extents / e->sampled_from : e->sampled_of;
    return most < 1 ? 1 : most > e->sampled_of ? e->sampled_of : most;
}

static uint64_t piece_count(const table_write *w) { return (w->extents + w->grain - 1) / w->grain; }

static bool open_tally(kz_tally *tally, size_t size) {
    kz_lock_open(&tally->lock);
    tally->size = size;
    tally->counts = kz_big_alloc(size);
    return tally->counts;
}

static kz_status open_write(table_write *w, kz_error *error) {
    const kz_table_kind *kind = kz_own_kind(w->game);
    const kz_shape *shape = &w->shape;
    KZ_TRY(kind->open(w->game, w->rules, 0, 0, &w->self, &w->shape, error));
    w->encoder = kind->encoder;
    w->index_bytes = kind->index_bytes;
    w->frame = (kz_frame){.version = kind->version,
                          .block = shape->block,
                          .game = kz_game_name(w->game),
                          .rules = kz_rules_name(w->game, w->rules),
                          .entries = shape->places};
    w->extents = (shape->places + shape->extent - 1) / shape->extent;
    w->sampled = sampling(w);
    w->grain = (GRAIN_PLACES + shape->extent - 1) / shape->extent;
    w->workers = kz_pool_threads(w->pool);
    w->pieces = calloc(piece_count(w), sizeof *w->pieces);
    size_t index = kz_shape_blocks(shape) * w->index_bytes;
    w->frame.sections[KZ_SECTION_INDEX] = (kz_section){malloc(index), index};
    w->by_worker = calloc((size_t)w->workers, sizeof *w->by_worker);
    bool complete = w->pieces && w->frame.sections[KZ_SECTION_INDEX].bytes && w->by_worker;
    for (int i = 0; complete && i < w->workers; i++) {
        w->by_worker[i].memory = w->encoder->new_memory(w->self);
        complete = w->by_worker[i].memory;
    }
    while (complete && w->tally_count < w->workers && w->tally_count < w->encoder->most_tallies) {
        complete = open_tally(&w->tallies[w->tally_count++], w->encoder->counts_bytes);
    }
    return complete ? KZ_OK : no_memory(error);
}

static void close_tallies(table_write *w) {
    while (w->tally_count > 0) {
        kz_tally *tally = &w->tallies[--w->tally_count];
        kz_big_free(tally->counts, tally->size);
        kz_lock_close(&tally->lock);
    }
}

static void close_write(table_write *w) {
    close_tallies(w);
    for (int i = 0; w->by_worker && i < w->workers; i++) {
        w->encoder->free_memory(w->by_worker[i].memory);
        free(w->by_worker[i].coded);
    }
    kz_frame_free(&w->frame);
    free(w->by_worker);
    for (uint64_t i = 0; w->pieces && i < piece_count(w); i++) {
        free(w->pieces[i].bytes);
    }
    free(w->pieces);
    if (w->self) {
        kz_own_kind(w->game)->close(w->self);
    }
}

/* ---- Extents ----------------------------------------------------------------------------------------------------- */

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
static bool read_extent(table_write *w, int worker, uint64_t extent, unsigned number) {
    writer_worker *s = &w->by_worker[worker];
    kz_error error = {.status = KZ_OK};
    if (extent > atomic_load_explicit(&w->failed_at, memory_order_relaxed)) {
        return false;
    }
    kz_status status = w->encoder->read(s->memory, w->source, worker, extent, number, &error);
    if (status != KZ_OK) {
        error.status = status;
        remember(w, worker, extent, &error);
    }
    return status == KZ_OK;
}

static kz_extent blocks_of(const table_write *w, uint64_t extent, uint64_t extents) {
    uint64_t blocks = w->shape.extent / w->shape.block;
    uint64_t all = kz_shape_blocks(&w->shape);
    uint64_t end = (extent + extents) * blocks;
    return (kz_extent){extent * blocks, end < all ? end : all};
}

static void refuse(table_write *w, int worker, uint64_t block, const char *why) {
    uint64_t extent = block / (w->shape.extent / w->shape.block);
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
        uint64_t wrong;
        if (!read_extent(w, worker, extent, 0)) {
            return;
        }
        if (!w->encoder->count(w->self, s->memory, blocks_of(w, extent, 1), tally, &wrong)) {
            refuse(w, worker, wrong, not_allowed);
            return;
        }
    }
}

static kz_status measure(table_write *w, kz_error *error) {
    uint64_t samples = (w->extents + w->sampled - 1) / w->sampled;
    KZ_TRY(kz_pool_for(w->pool, samples, w->grain, count_extents, w, w->progress, "measuring the table", error));
    KZ_TRY(first_failure(w, error));
    /* Adding up what was counted gives the same sums however the extents were dealt out. */
    for (int i = 1; i < w->tally_count; i++) {
        for (size_t k = 0; k < w->encoder->counts_bytes / sizeof(uint32_t); k++) {
            w->tallies[0].counts[k] += w->tallies[i].counts[k];
        }
    }
    bool learned = w->encoder->learn(w->self, w->tallies[0].counts);
    close_tallies(w);
    return learned ? KZ_OK : no_memory(error);
}

/* ---- Pieces ------------------------------------------------------------------------------------------------------ */

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

/* Adds extents that are coded together to what the worker has coded. */
static bool code_extents(table_write *w, int worker, uint64_t extent, unsigned extents) {
    writer_worker *s = &w->by_worker[worker];
    uint8_t *directory = w->frame.sections[KZ_SECTION_INDEX].bytes;
    for (unsigned i = 0; i < extents; i++) {
        if (!read_extent(w, worker, extent + i, i)) {
            return false;
        }
    }
    kz_extent blocks = blocks_of(w, extent, extents);
    while (blocks.begin < blocks.end) {
        if (!make_room(s, 2 * w->encoder->most_bytes(w->self))) {
            fail_for_memory(w, worker, extent);
            return false;
        }
        size_t sizes[2];
        unsigned count = w->encoder->encode(w->self, s->memory, blocks, s->coded + s->used, sizes);
        for (unsigned i = 0; i < count; i++, blocks.begin++) {
            if (sizes[i] == 0 || sizes[i] > kz_directory_most(w->index_bytes)) {
                refuse(w, worker, blocks.begin, sizes[i] ? "take too much room" : not_allowed);
                return false;
            }
            kz_directory_put(directory, w->index_bytes, blocks.begin, s->coded + s->used, sizes[i]);
            s->used += sizes[i];
        }
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
        kz_status status = kz_outfile_write_at(w->file, next.bytes, next.size, at, &error);
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
    for (uint64_t extent = begin; extent < end;) {
        unsigned together = w->encoder->extents_together;
        together = end - extent < together ? (unsigned)(end - extent) : together;
        if (!code_extents(w, worker, extent, together)) {
            return;
        }
        extent += together;
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
    enum { MODEL_LEVEL = 12 };
    kz_section *model = &w->frame.sections[KZ_SECTION_MODEL];
    size_t size = 0;
    uint8_t *raw = w->encoder->pack(w->self, &size);
    model->bytes = raw ? kz_pack(raw, size, MODEL_LEVEL, &model->size) : NULL;
    free(raw);
    if (!model->bytes) {
        kz_error error;
        kz_fail(&error, KZ_ERR_MEMORY, "no memory for the table's probabilities");
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

static kz_status write_blocks(void *context, kz_outfile *file, uint64_t *file_bytes, kz_error *error) {
    table_write *w = context;
    w->file = file;
    KZ_TRY(kz_pool_for(w->pool, piece_count(w) + 1, 1, do_tasks, w, w->progress, "compressing the table", error));
    *file_bytes = w->file_bytes;
    return first_failure(w, error);
}

kz_status kz_table_write(const kz_game *game, int rules, const kz_source *source, const kz_histogram *histogram,
                         kz_pool *pool, const char *path, bool replace, const kz_progress *progress,
                         uint64_t *file_bytes, kz_error *error) {
    table_write w = {.game = game, .rules = rules, .source = source, .pool = pool, .progress = progress};
    kz_status status = KZ_OK;
    atomic_init(&w.failed_at, UINT64_MAX);
    kz_lock_open(&w.lock);
    KZ_TRY_OR(done, open_write(&w, error));
    KZ_TRY_OR(done, kz_frame_put_histogram(&w.frame, histogram, error));
    KZ_TRY_OR(done, measure(&w, error));
    KZ_TRY_OR(done, kz_frame_write_file(&w.frame, path, replace, write_blocks, &w, progress, error));
done:
    *file_bytes = w.file_bytes;
    close_write(&w);
    kz_lock_close(&w.lock);
    return status;
}
