/* SPDX-License-Identifier: MIT */
#include "table/writer.h"

#include "base/bigmem.h"
#include "base/bits.h"
#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "table/coder.h"
#include "table/format.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum { MODEL_LEVEL = 12 };

/* A worker's own memory: what it counted, the block at hand and the coded blocks that it made so far. */
typedef struct scribe {
    kz_model_counts *counts;
    kz_plan *plan;
    uint8_t *stored;
    uint8_t *coded;
    size_t used;
    size_t room;
} scribe;

/* Where a coded block is until it is written. */
typedef struct piece {
    int worker;
    size_t offset;
    size_t size;
} piece;

typedef struct job {
    const kz_game *game;
    const void *solver;
    void *reader;
    kz_pool *pool;
    const kz_progress *progress;
    uint64_t positions;
    uint64_t blocks;
    int workers;
    scribe *scribes;
    piece *pieces;
    kz_model *model;
    _Atomic bool no_memory;
} job;

static unsigned block_positions(const job *j, uint64_t block) {
    uint64_t left = j->positions - block * KZ_BLOCK_POSITIONS;
    return left < KZ_BLOCK_POSITIONS ? (unsigned)left : KZ_BLOCK_POSITIONS;
}

/* Fetches a block's plan and losses. A lost position is never one that the rules decide, so skipped ones hold 0. */
static unsigned fetch(const job *j, scribe *s, uint64_t block) {
    uint64_t first = block * KZ_BLOCK_POSITIONS;
    unsigned positions = block_positions(j, block);
    j->game->reader->plan(j->reader, first, positions, s->plan);
    j->game->solver->losses(j->solver, first, first + positions, s->stored);
    return positions;
}

/* Probabilities are counted over one block of so many: enough to know them, and four times as fast. */
enum { SAMPLED = 4 };

static void count_blocks(void *context, int worker, uint64_t begin, uint64_t end) {
    job *j = context;
    scribe *s = &j->scribes[worker];
    for (uint64_t sample = begin; sample < end; sample++) {
        unsigned positions = fetch(j, s, sample * SAMPLED);
        kz_coder_count(s->plan, s->stored, positions, s->counts);
    }
}

static bool make_room(scribe *s) {
    if (s->room - s->used >= KZ_BLOCK_BYTES_MOST) {
        return true;
    }
    size_t room = s->room * 2 + (1 << 20);
    uint8_t *coded = realloc(s->coded, room);
    if (coded) {
        s->coded = coded;
        s->room = room;
    }
    return coded;
}

static void code_blocks(void *context, int worker, uint64_t begin, uint64_t end) {
    job *j = context;
    scribe *s = &j->scribes[worker];
    for (uint64_t block = begin; block < end; block++) {
        if (!make_room(s)) {
            j->no_memory = true;
            return;
        }
        unsigned positions = fetch(j, s, block);
        size_t size = kz_coder_encode(j->model, s->plan, s->stored, positions, s->coded + s->used);
        j->pieces[block] = (piece){worker, s->used, size};
        s->used += size;
    }
}

static kz_status open_job(job *j, int rules, kz_error *error) {
    j->reader = j->game->reader->open(rules, error);
    if (!j->reader) {
        return KZ_ERR_MEMORY;
    }
    j->workers = kz_pool_threads(j->pool);
    j->scribes = calloc((size_t)j->workers, sizeof *j->scribes);
    j->pieces = calloc(j->blocks ? j->blocks : 1, sizeof *j->pieces);
    bool complete = j->scribes && j->pieces;
    for (int i = 0; complete && i < j->workers; i++) {
        scribe *s = &j->scribes[i];
        s->counts = kz_big_alloc(sizeof *s->counts);
        s->plan = malloc(sizeof *s->plan);
        s->stored = malloc(KZ_BLOCK_POSITIONS);
        complete = s->counts && s->plan && s->stored;
    }
    return complete ? KZ_OK : kz_fail(error, KZ_ERR_MEMORY, "no memory to write the table");
}

static void close_job(job *j) {
    for (int i = 0; j->scribes && i < j->workers; i++) {
        kz_big_free(j->scribes[i].counts, sizeof *j->scribes[i].counts);
        free(j->scribes[i].plan);
        free(j->scribes[i].stored);
        free(j->scribes[i].coded);
    }
    free(j->scribes);
    free(j->pieces);
    kz_model_free(j->model);
    if (j->reader) {
        j->game->reader->close(j->reader);
    }
}

/* Adds up what the workers counted, which gives the same sums however the blocks were dealt out. */
static void add_counts(kz_model_counts *sum, const kz_model_counts *more) {
    uint32_t *to = (uint32_t *)sum;
    const uint32_t *from = (const uint32_t *)more;
    for (size_t i = 0; i < sizeof *sum / sizeof *to; i++) {
        to[i] += from[i];
    }
}

static kz_status make_blocks(job *j, kz_error *error) {
    kz_status status = kz_pool_for(j->pool, (j->blocks + SAMPLED - 1) / SAMPLED, 16, count_blocks, j, j->progress,
                                   "measuring the table", error);
    if (status != KZ_OK) {
        return status;
    }
    for (int i = 1; i < j->workers; i++) {
        add_counts(j->scribes[0].counts, j->scribes[i].counts);
    }
    j->model = kz_model_new(j->scribes[0].counts);
    if (!j->model) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory to write the table");
    }
    status = kz_pool_for(j->pool, j->blocks, 16, code_blocks, j, j->progress, "compressing the table", error);
    if (status == KZ_OK && j->no_memory) {
        status = kz_fail(error, KZ_ERR_MEMORY, "no memory to write the table");
    }
    return status;
}

/* ---- Sections ------------------------------------------------------------------------------------------------------
 */

/* A part of the file in memory. */
typedef struct section {
    uint8_t *bytes;
    size_t size;
} section;

static uint8_t *put_count(uint8_t *at, kz_outcome outcome, int distance, uint64_t number) {
    if (number) {
        memset(at, 0, KZ_COUNT_BYTES);
        at[KZ_COUNT_OUTCOME] = (uint8_t)outcome;
        kz_store_le16(at + KZ_COUNT_DISTANCE, (uint16_t)distance);
        kz_store_le64(at + KZ_COUNT_NUMBER, number);
        at += KZ_COUNT_BYTES;
    }
    return at;
}

static section counts_section(const kz_histogram *histogram) {
    section s = {.bytes = malloc((size_t)(2 * (KZ_MAX_DISTANCE + 1) + 1) * KZ_COUNT_BYTES)};
    if (s.bytes) {
        uint8_t *at = s.bytes;
        for (int n = 0; n <= KZ_MAX_DISTANCE; n++) {
            at = put_count(at, KZ_LOSS, n, histogram->losses[n]);
        }
        at = put_count(at, KZ_DRAW, 0, histogram->draws);
        for (int n = 0; n <= KZ_MAX_DISTANCE; n++) {
            at = put_count(at, KZ_WIN, n, histogram->wins[n]);
        }
        s.size = (size_t)(at - s.bytes);
    }
    return s;
}

static section model_section(const kz_model *model) {
    section s = {0};
    size_t raw_size = 0;
    uint8_t *raw = kz_model_pack(model, &raw_size);
    if (raw) {
        size_t room = ZSTD_compressBound(raw_size);
        s.bytes = malloc(room);
        s.size = s.bytes ? ZSTD_compress(s.bytes, room, raw, raw_size, MODEL_LEVEL) : 0;
        if (ZSTD_isError(s.size)) {
            free(s.bytes);
            s = (section){0};
        }
        free(raw);
    }
    return s;
}

static section index_section(const job *j) {
    section s = {.bytes = malloc(j->blocks * KZ_INDEX_BYTES + 1), .size = j->blocks * KZ_INDEX_BYTES};
    for (uint64_t block = 0; s.bytes && block < j->blocks; block++) {
        const piece *p = &j->pieces[block];
        uint64_t hash = kz_hash64_seeded(j->scribes[p->worker].coded + p->offset, p->size, block);
        kz_store_le16(s.bytes + block * KZ_INDEX_BYTES + KZ_INDEX_SIZE, (uint16_t)p->size);
        kz_store_le32(s.bytes + block * KZ_INDEX_BYTES + KZ_INDEX_CHECK, (uint32_t)hash);
    }
    return s;
}

/* The coded blocks one after the other. */
static section blocks_section(const job *j) {
    section s = {0};
    for (uint64_t block = 0; block < j->blocks; block++) {
        s.size += j->pieces[block].size;
    }
    s.bytes = malloc(s.size + 1);
    for (size_t block = 0, at = 0; s.bytes && block < j->blocks; at += j->pieces[block++].size) {
        const piece *p = &j->pieces[block];
        memcpy(s.bytes + at, j->scribes[p->worker].coded + p->offset, p->size);
    }
    return s;
}

static void put_section(uint8_t *header, int bytes_at, int hash_at, const section *s) {
    kz_store_le32(header + bytes_at, (uint32_t)s->size);
    kz_store_le64(header + hash_at, kz_hash64(s->bytes, s->size));
}

enum { COUNTS, MODEL, INDEX, BLOCKS, SECTIONS };

static kz_status write_file(const job *j, int rules, const section sections[SECTIONS], const char *path, bool replace,
                            uint64_t *file_bytes, kz_error *error) {
    kz_sha256 sha;
    kz_status status = kz_sha256_begin(&sha, error);
    if (status != KZ_OK) {
        return status;
    }
    uint64_t total = KZ_TABLE_HEADER_BYTES;
    for (int i = 0; i < SECTIONS; i++) {
        kz_sha256_update(&sha, sections[i].bytes, sections[i].size);
        total += sections[i].size;
    }
    uint8_t header[KZ_TABLE_HEADER_BYTES] = {0};
    memcpy(header + KZ_AT_MAGIC, KZ_TABLE_MAGIC, KZ_TABLE_MAGIC_BYTES);
    kz_store_le32(header + KZ_AT_VERSION, KZ_TABLE_VERSION);
    kz_store_le32(header + KZ_AT_BLOCK_SIZE, KZ_BLOCK_POSITIONS);
    strncpy((char *)header + KZ_AT_GAME, j->game->name, KZ_TABLE_NAME_BYTES - 1);
    strncpy((char *)header + KZ_AT_RULES, j->game->rules[rules], KZ_TABLE_NAME_BYTES - 1);
    kz_store_le64(header + KZ_AT_POSITIONS, j->positions);
    kz_store_le64(header + KZ_AT_FILE_BYTES, total);
    put_section(header, KZ_AT_COUNTS_BYTES, KZ_AT_COUNTS_HASH, &sections[COUNTS]);
    put_section(header, KZ_AT_MODEL_BYTES, KZ_AT_MODEL_HASH, &sections[MODEL]);
    put_section(header, KZ_AT_INDEX_BYTES, KZ_AT_INDEX_HASH, &sections[INDEX]);
    status = kz_sha256_finish(&sha, header + KZ_AT_DIGEST, error);
    if (status != KZ_OK) {
        return status;
    }
    kz_store_le64(header + KZ_AT_HEADER_HASH, kz_hash64(header, KZ_AT_HEADER_HASH));

    kz_outfile file;
    status = kz_outfile_open(&file, path, replace, error);
    if (status != KZ_OK) {
        return status;
    }
    status = kz_outfile_write(&file, header, sizeof header, error);
    for (int i = 0; status == KZ_OK && i < SECTIONS; i++) {
        status = kz_outfile_write(&file, sections[i].bytes, sections[i].size, error);
    }
    *file_bytes = total;
    if (status != KZ_OK) {
        kz_outfile_discard(&file);
        return status;
    }
    return kz_outfile_commit(&file, error);
}

kz_status kz_table_write(const kz_game *game, int rules, const void *solver, const kz_histogram *histogram,
                         kz_pool *pool, const char *path, bool replace, const kz_progress *progress,
                         uint64_t *file_bytes, kz_error *error) {
    job j = {.game = game,
             .solver = solver,
             .pool = pool,
             .progress = progress,
             .positions = game->index_size,
             .blocks = (game->index_size + KZ_BLOCK_POSITIONS - 1) / KZ_BLOCK_POSITIONS};
    kz_status status = open_job(&j, rules, error);
    if (status == KZ_OK) {
        status = make_blocks(&j, error);
    }
    if (status == KZ_OK) {
        section sections[SECTIONS] = {counts_section(histogram), model_section(j.model), index_section(&j),
                                      blocks_section(&j)};
        bool complete = true;
        for (int i = 0; i < SECTIONS; i++) {
            complete = complete && sections[i].bytes;
        }
        status = complete ? write_file(&j, rules, sections, path, replace, file_bytes, error)
                          : kz_fail(error, KZ_ERR_MEMORY, "no memory to write the table");
        for (int i = 0; i < SECTIONS; i++) {
            free(sections[i].bytes);
        }
    }
    close_job(&j);
    return status;
}
