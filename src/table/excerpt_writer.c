/* SPDX-License-Identifier: MIT
 *
 * Writes what was selected as a file. If that is larger than it may be, the positions that were found last are left
 * out, expansion by expansion, until it fits. */
#include "base/bits.h"
#include "base/error.h"
#include "base/list.h"
#include "base/packing.h"
#include "table/excerpt.h"
#include "table/excerpt_select.h"
#include "table/format.h"
#include "table/frame.h"
#include "table/reader.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { PACK_LEVEL = 19, LEAST_BITS = 5 };

typedef struct block {
    uint8_t *bytes;
    size_t size;
} block;

typedef struct writer {
    const kz_table *table;
    uint64_t *entries; /* ascending */
    size_t count;
    block *blocks;
    size_t block_count;
    uint8_t (*raws)[KZ_EXCERPT_RAW_MOST]; /* one a worker */
    kz_frame frame;
    uint64_t file_bytes;
} writer;

static kz_status no_memory(kz_error *error) { return kz_fail(error, KZ_ERR_MEMORY, "no memory for the excerpt"); }

static void pack_blocks(void *context, int worker, uint64_t begin, uint64_t end) {
    writer *w = context;
    for (uint64_t i = begin; i < end; i++) {
        size_t count = kz_excerpt_entries_in(w->count, i);
        size_t size = kz_excerpt_encode(w->entries + i * KZ_EXCERPT_BLOCK, count, w->raws[worker]);
        w->blocks[i].bytes = kz_pack(w->raws[worker], size, PACK_LEVEL, &w->blocks[i].size);
    }
}

static void free_blocks(writer *w) {
    for (size_t i = 0; w->blocks && i < w->block_count; i++) {
        free(w->blocks[i].bytes);
    }
    free(w->blocks);
    w->blocks = NULL;
    kz_frame_free(&w->frame);
}

/* ---- Sections ---------------------------------------------------------------------------------------------------- */

static kz_status make_counts(writer *w, kz_error *error) {
    kz_histogram histogram = {.draws = 0};
    for (size_t i = 0; i < w->count; i++) {
        kz_value value = kz_value_of_entry(kz_excerpt_number(w->entries[i]));
        uint64_t *count = value.outcome == KZ_DRAW  ? &histogram.draws
                          : value.outcome == KZ_WIN ? &histogram.wins[value.distance]
                                                    : &histogram.losses[value.distance];
        ++*count;
    }
    return kz_frame_put_histogram(&w->frame, &histogram, error);
}

/* The parent's digest and the first index of each block. */
static kz_status make_firsts(writer *w, kz_error *error) {
    size_t size = KZ_SHA256_BYTES + w->block_count * sizeof(uint64_t);
    uint8_t *raw = malloc(size);
    if (!raw) {
        return no_memory(error);
    }
    memcpy(raw, kz_table_stated_digest(w->table), KZ_SHA256_BYTES);
    for (size_t i = 0; i < w->block_count; i++) {
        kz_store_le64(raw + KZ_SHA256_BYTES + i * sizeof(uint64_t), kz_excerpt_index(w->entries[i * KZ_EXCERPT_BLOCK]));
    }
    kz_section *s = &w->frame.sections[KZ_SECTION_MODEL];
    s->bytes = kz_pack(raw, size, PACK_LEVEL, &s->size);
    free(raw);
    return s->bytes ? KZ_OK : no_memory(error);
}

static kz_status make_directory(writer *w, kz_error *error) {
    kz_section *s = &w->frame.sections[KZ_SECTION_INDEX];
    s->size = w->block_count * KZ_INDEX_BYTES;
    s->bytes = malloc(s->size + 1);
    if (!s->bytes) {
        return no_memory(error);
    }
    for (size_t i = 0; i < w->block_count; i++) {
        kz_directory_put(s->bytes, KZ_INDEX_BYTES, i, w->blocks[i].bytes, w->blocks[i].size);
    }
    return KZ_OK;
}

/* Everything that the file will have, in memory. */
static kz_status encode(writer *w, kz_pool *pool, const kz_progress *progress, kz_error *error) {
    const kz_game *game = kz_table_game(w->table);
    free_blocks(w);
    w->block_count = kz_excerpt_blocks(w->count);
    w->blocks = calloc(w->block_count + 1, sizeof *w->blocks);
    if (!w->blocks) {
        return no_memory(error);
    }
    KZ_TRY(kz_pool_for(pool, w->block_count, 1, pack_blocks, w, progress, "compressing the excerpt", error));
    for (size_t i = 0; i < w->block_count; i++) {
        if (!w->blocks[i].bytes || w->blocks[i].size > KZ_EXCERPT_BLOCK_MOST) {
            return no_memory(error);
        }
    }
    w->frame.version = KZ_TABLE_VERSION_PART;
    w->frame.block = KZ_EXCERPT_BLOCK;
    w->frame.game = kz_game_name(game);
    w->frame.rules = kz_rules_name(game, kz_table_rules(w->table));
    w->frame.entries = kz_table_shape(w->table)->places;
    KZ_TRY(make_counts(w, error));
    KZ_TRY(make_firsts(w, error));
    KZ_TRY(make_directory(w, error));
    w->file_bytes = kz_frame_blocks_at(&w->frame);
    for (size_t i = 0; i < w->block_count; i++) {
        w->file_bytes += w->blocks[i].size;
    }
    return KZ_OK;
}

static kz_status write_blocks(void *context, kz_outfile *file, uint64_t *file_bytes, kz_error *error) {
    const writer *w = context;
    uint64_t at = kz_frame_blocks_at(&w->frame);
    for (size_t i = 0; i < w->block_count; i++) {
        KZ_TRY(kz_outfile_write_at(file, w->blocks[i].bytes, w->blocks[i].size, at, error));
        at += w->blocks[i].size;
    }
    *file_bytes = at;
    return KZ_OK;
}

/* ---- What fits --------------------------------------------------------------------------------------------------- */

/* How many expansions there is room for if there is room for `most` entries. */
static size_t expansions_within(const kz_selection *s, size_t most) {
    size_t kept = s->expansion_count;
    while (kept > 0 && (kept == s->expansion_count ? s->count : s->expansions[kept].entries) > most) {
        kept--;
    }
    return kept;
}

/* Encodes as much of the selection as fits. */
static kz_status encode_fitting(writer *w, const kz_selection *s, uint64_t most_bytes, kz_pool *pool,
                                const kz_progress *progress, kz_excerpt_report *report, kz_error *error) {
    size_t most = s->count;
    for (;;) {
        size_t kept = expansions_within(s, most);
        bool all = kept == s->expansion_count;
        w->count = all ? s->count : s->expansions[kept].entries;
        if (s->count == 0) {
            return kz_fail(error, KZ_ERR_INPUT, "the rules alone tell what these positions are worth: choose others");
        }
        if (kept == 0) {
            return kz_fail(error, KZ_ERR_INPUT, "%llu bytes are not enough for the moves of one position",
                           (unsigned long long)most_bytes);
        }
        memcpy(w->entries, s->entries, w->count * sizeof *w->entries);
        KZ_TRY(kz_sort64(w->entries, w->count) ? encode(w, pool, progress, error) : no_memory(error));
        if (w->file_bytes <= most_bytes) {
            int next = all ? s->next_distance : s->expansions[kept].distance;
            *report = (kz_excerpt_report){.positions = w->count,
                                          .expanded = kept,
                                          .distance = next == INT_MAX ? INT_MAX : next - 1,
                                          .bytes = w->file_bytes};
            return KZ_OK;
        }
        most = (size_t)(0.998 * (double)most_bytes / (double)w->file_bytes * (double)w->count);
    }
}

static kz_status make_excerpt(writer *w, const kz_excerpt_wish *wish, kz_pool *pool, const kz_progress *progress,
                              const char *path, kz_excerpt_report *report, kz_error *error) {
    kz_selection selection;
    size_t most = (size_t)(wish->most_bytes * 8 / LEAST_BITS);
    kz_status status = kz_excerpt_select(w->table, wish, most, pool, progress, &selection, error);
    if (status == KZ_OK) {
        w->entries = malloc((selection.count + 1) * sizeof *w->entries);
        w->raws = malloc((size_t)kz_pool_threads(pool) * sizeof *w->raws);
        status = w->entries && w->raws ? encode_fitting(w, &selection, wish->most_bytes, pool, progress, report, error)
                                       : no_memory(error);
    }
    kz_selection_free(&selection);
    return status == KZ_OK ? kz_frame_write_file(&w->frame, path, wish->replace, write_blocks, w, progress, error)
                           : status;
}

kz_status kz_excerpt_write(const kz_table *table, const kz_excerpt_wish *wish, const char *path,
                           const kz_progress *progress, kz_excerpt_report *report, kz_error *error) {
    *report = (kz_excerpt_report){0};
    KZ_TRY(kz_table_check_whole(table, error));
    if (!kz_table_kind_of(table)->excerpts) {
        return kz_fail(error, KZ_ERR_UNSUPPORTED, "%s: an excerpt is made of a table of all values (version 2)",
                       kz_table_name(table));
    }
    kz_error reason = {.status = KZ_ERR_MEMORY};
    kz_pool *pool = kz_pool_new(wish->threads, &reason);
    if (!pool) {
        return kz_fail(error, reason.status, "%s", reason.message);
    }
    writer w = {.table = table};
    kz_status status = make_excerpt(&w, wish, pool, progress, path, report, error);
    free_blocks(&w);
    free(w.entries);
    free(w.raws);
    kz_pool_free(pool);
    return status;
}
