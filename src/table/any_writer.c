/* SPDX-License-Identifier: MIT
 *
 * First the strides are chosen from a few blocks, then probabilities are counted over some, then all blocks are coded,
 * batch by batch, and go into the file one after the other; last comes what lies before them. */
#include "table/any_kind.h"

#include "base/error.h"
#include "base/packing.h"
#include "table/format.h"
#include "table/frame.h"

#include <stdlib.h>
#include <string.h>

enum {
    STRIDE_BLOCKS = 128, /* that the strides are chosen from */
    COUNTED_ALL = 4096,  /* up to so many blocks, probabilities are counted over all */
    COUNTED_OF = 4,      /* else over one of so many */
    BATCH = 2048,        /* blocks that are coded before they are written */
    PACK_LEVEL = 19,
    HINTS = 8
};

/* Memory of one worker. */
typedef struct worker {
    uint16_t *entries;
    uint32_t *steps;
    kz_any_counts *counts;
} worker;

typedef struct writer {
    const kz_any_source *source;
    kz_pool *pool;
    const kz_progress *progress;
    kz_any_model *model;
    uint64_t blocks;
    uint64_t counted_of;
    int workers;
    worker *worker;
    kz_frame frame;
    uint8_t *coded; /* [BATCH][KZ_ANY_BYTES_MOST], of the current batch */
    uint32_t size[BATCH];
    uint64_t first; /* block of the current batch */
    uint64_t file_bytes;
} writer;

static kz_status no_memory(kz_error *error) { return kz_fail(error, KZ_ERR_MEMORY, "no memory to write the table"); }

/* What is stored for a value. */
static kz_code stored(const writer *w, kz_code code) {
    return w->source->losses_only && code > KZ_CODE_DRAW && code % 2 ? KZ_CODE_DRAW : code;
}

static unsigned read_block(const writer *w, uint64_t block, uint16_t *entries) {
    uint64_t begin = block * KZ_ANY_BLOCK;
    uint64_t left = w->source->entries - begin;
    unsigned count = left < KZ_ANY_BLOCK ? (unsigned)left : KZ_ANY_BLOCK;
    for (unsigned i = 0; i < count; i++) {
        entries[i] = w->model->values.number[stored(w, w->source->value(w->source->context, begin + i))];
    }
    return count;
}

/* ---- Opening and closing ----------------------------------------------------------------------------------------- */

static kz_status make_model(writer *w, kz_error *error) {
    kz_any_values values;
    uint64_t *histogram = calloc((size_t)w->source->limit + 2, sizeof *histogram);
    if (!histogram) {
        return no_memory(error);
    }
    for (kz_code code = 0; code < w->source->limit; code++) {
        histogram[stored(w, code)] += w->source->histogram[code];
    }
    kz_code limit = w->source->limit > KZ_CODE_DRAW + 1 ? w->source->limit : KZ_CODE_DRAW + 1;
    kz_status status = kz_any_values_make(&values, histogram, limit, error);
    free(histogram);
    if (status != KZ_OK) {
        kz_any_values_free(&values);
        return status;
    }
    w->model = kz_any_model_new(&values);
    if (!w->model) {
        return no_memory(error);
    }
    w->model->losses_only = w->source->losses_only;
    return KZ_OK;
}

static kz_status open_writer(writer *w, kz_error *error) {
    w->blocks = (w->source->entries + KZ_ANY_BLOCK - 1) / KZ_ANY_BLOCK;
    w->counted_of = w->blocks > COUNTED_ALL ? COUNTED_OF : 1;
    w->workers = kz_pool_threads(w->pool);
    w->worker = calloc((size_t)w->workers, sizeof *w->worker);
    w->coded = malloc((size_t)BATCH * KZ_ANY_BYTES_MOST);
    w->frame = (kz_frame){.version = KZ_TABLE_VERSION_ANY,
                          .block = KZ_ANY_BLOCK,
                          .game = w->source->game,
                          .rules = w->source->rules,
                          .entries = w->source->entries,
                          .fingerprint = w->source->fingerprint};
    if (w->blocks > UINT32_MAX / KZ_INDEX_BYTES) {
        return kz_fail(error, KZ_ERR_UNSUPPORTED, "%llu positions are too many for one table",
                       (unsigned long long)w->source->entries);
    }
    w->frame.sections[KZ_SECTION_INDEX].size = (size_t)w->blocks * KZ_INDEX_BYTES;
    w->frame.sections[KZ_SECTION_INDEX].bytes = malloc((size_t)w->blocks * KZ_INDEX_BYTES + 1);
    bool complete = w->worker && w->coded && w->frame.sections[KZ_SECTION_INDEX].bytes;
    for (int i = 0; complete && i < w->workers; i++) {
        worker *own = &w->worker[i];
        own->entries = malloc(KZ_ANY_BLOCK * sizeof *own->entries);
        own->steps = malloc((size_t)KZ_ANY_STEPS_MOST * KZ_ANY_BLOCK * sizeof *own->steps);
        own->counts = calloc(1, sizeof *own->counts);
        complete = own->entries && own->steps && own->counts;
    }
    return complete ? make_model(w, error) : no_memory(error);
}

static void close_writer(writer *w) {
    for (int i = 0; w->worker && i < w->workers; i++) {
        free(w->worker[i].entries);
        free(w->worker[i].steps);
        free(w->worker[i].counts);
    }
    free(w->worker);
    free(w->coded);
    kz_any_model_free(w->model);
    kz_frame_free(&w->frame);
}

/* ---- The model --------------------------------------------------------------------------------------------------- */

static kz_status choose_strides(const writer *w, kz_error *error) {
    uint64_t count = w->blocks < STRIDE_BLOCKS ? w->blocks : STRIDE_BLOCKS;
    uint16_t *sample = calloc((size_t)(count + 1) * KZ_ANY_BLOCK, sizeof *sample);
    if (!sample) {
        return no_memory(error);
    }
    for (uint64_t i = 0; i < count; i++) {
        read_block(w, i * w->blocks / count, sample + i * KZ_ANY_BLOCK);
    }
    bool found = kz_any_find_strides(w->model, sample, (size_t)count, w->source->strides, HINTS);
    free(sample);
    return found ? KZ_OK : no_memory(error);
}

static void count_blocks(void *context, int number, uint64_t begin, uint64_t end) {
    const writer *w = context;
    const worker *own = &w->worker[number];
    for (uint64_t i = begin; i < end; i++) {
        unsigned count = read_block(w, i * w->counted_of, own->entries);
        kz_any_count(w->model, own->entries, count, own->counts);
    }
}

static void add_counts(kz_any_counts *sum, const kz_any_counts *more) {
    for (size_t i = 0; i < sizeof sum->question / sizeof sum->question[0]; i++) {
        sum->question[i][0] += more->question[i][0];
        sum->question[i][1] += more->question[i][1];
    }
    for (size_t i = 0; i < KZ_ANY_CONTEXTS; i++) {
        for (size_t symbol = 0; symbol < KZ_SYMBOLS; symbol++) {
            sum->self[i][symbol] += more->self[i][symbol];
        }
    }
}

static kz_status learn(writer *w, kz_error *error) {
    uint64_t counted = (w->blocks + w->counted_of - 1) / w->counted_of;
    KZ_TRY(choose_strides(w, error));
    KZ_TRY(kz_pool_for(w->pool, counted, 0, count_blocks, w, w->progress, "measuring the table", error));
    for (int i = 1; i < w->workers; i++) {
        add_counts(w->worker[0].counts, w->worker[i].counts);
    }
    size_t size = 0;
    uint8_t *bytes = kz_any_learn(w->model, w->worker[0].counts) ? kz_any_model_pack(w->model, &size) : NULL;
    kz_section *section = &w->frame.sections[KZ_SECTION_MODEL];
    section->bytes = bytes ? kz_pack(bytes, size, PACK_LEVEL, &section->size) : NULL;
    free(bytes);
    return section->bytes ? KZ_OK : no_memory(error);
}

/* ---- Counts and blocks ------------------------------------------------------------------------------------------- */

static kz_status make_counts(writer *w, kz_error *error) {
    const kz_any_source *source = w->source;
    kz_section *section = &w->frame.sections[KZ_SECTION_COUNTS];
    size_t values = 0;
    for (kz_code code = 0; code < source->limit; code++) {
        values += source->histogram[code] != 0;
    }
    section->bytes = malloc((values + 1) * KZ_COUNT_BYTES);
    if (!section->bytes) {
        return no_memory(error);
    }
    uint8_t *at = section->bytes;
    for (kz_code code = kz_code_loss(0); code < source->limit; code += 2) {
        at = kz_frame_put_count(at, KZ_LOSS, (int)(code - 2) / 2, source->histogram[code]);
    }
    at = kz_frame_put_count(at, KZ_DRAW, 0, source->limit > KZ_CODE_DRAW ? source->histogram[KZ_CODE_DRAW] : 0);
    for (kz_code code = kz_code_win(0); code < source->limit; code += 2) {
        at = kz_frame_put_count(at, KZ_WIN, (int)(code - 2) / 2, source->histogram[code]);
    }
    section->size = (size_t)(at - section->bytes);
    return KZ_OK;
}

static void code_blocks(void *context, int number, uint64_t begin, uint64_t end) {
    writer *w = context;
    const worker *own = &w->worker[number];
    for (uint64_t i = begin; i < end; i++) {
        uint64_t block = w->first + i;
        uint8_t *bytes = w->coded + i * KZ_ANY_BYTES_MOST;
        unsigned count = read_block(w, block, own->entries);
        size_t size = kz_any_encode(w->model, own->entries, count, own->steps, bytes);
        w->size[i] = (uint32_t)size;
        kz_directory_put(w->frame.sections[KZ_SECTION_INDEX].bytes, KZ_INDEX_BYTES, block, bytes, size);
    }
}

/* The progress of one batch as that of all blocks. */
static bool report_batch(void *user, const char *stage, uint64_t done, uint64_t total) {
    const writer *w = user;
    (void)total;
    return w->progress->report(w->progress->user, stage, w->first + done, w->blocks);
}

static kz_status write_blocks(void *context, kz_outfile *file, uint64_t *file_bytes, kz_error *error) {
    writer *w = context;
    kz_progress listener = {.report = w->progress && w->progress->report ? report_batch : NULL, .user = w};
    w->file_bytes = kz_frame_blocks_at(&w->frame);
    for (w->first = 0; w->first < w->blocks; w->first += BATCH) {
        uint64_t count = w->blocks - w->first < BATCH ? w->blocks - w->first : BATCH;
        KZ_TRY(kz_pool_for(w->pool, count, 0, code_blocks, w, &listener, "compressing the table", error));
        for (uint64_t i = 0; i < count; i++) {
            KZ_TRY(kz_outfile_write_at(file, w->coded + i * KZ_ANY_BYTES_MOST, w->size[i], w->file_bytes, error));
            w->file_bytes += w->size[i];
        }
    }
    *file_bytes = w->file_bytes;
    return KZ_OK;
}

kz_status kz_any_table_write(const kz_any_source *source, kz_pool *pool, const char *path, bool replace,
                             const kz_progress *progress, uint64_t *file_bytes, kz_error *error) {
    writer w = {.source = source, .pool = pool, .progress = progress};
    kz_status status;
    KZ_TRY_OR(done, open_writer(&w, error));
    KZ_TRY_OR(done, make_counts(&w, error));
    KZ_TRY_OR(done, learn(&w, error));
    KZ_TRY_OR(done, kz_frame_write_file(&w.frame, path, replace, write_blocks, &w, progress, error));
done:
    *file_bytes = w.file_bytes;
    close_writer(&w);
    return status;
}
