/* SPDX-License-Identifier: MIT */
#include "games/pushfight/solve/phase_file.h"

#include "base/bits.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/packing.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#define MAGIC "\x89KZP\r\n\x1a\n"

enum {
    VERSION = 1,
    NAME_BYTES = 16,
    AT_VERSION = 8,
    AT_PHASE = 12,
    AT_GAME = 16,
    AT_RULES = 32,
    AT_SLICES = 48,
    AT_SLICES_DONE = 56,
    AT_SLICES_SWEPT = 64,
    AT_PAGES = 72,
    AT_FOUND_ALL = 80,
    AT_FOUND_KEPT = 88,
    AT_MICROSECONDS = 96,
    AT_FILE_BYTES = 104,
    AT_TABLES_HASH = 112, /* of the two tables after the header */
    AT_HEADER_HASH = 120, /* of all before it */
    HEADER_BYTES = 128,
    ENTRY_BYTES = KZ_PHASE_ENTRY_BYTES, /* of a page: bytes of its frame, and lower half of the frame's hash */
    LEVEL = 1,
    BATCH = 1024 /* pages that are in memory until they are written */
};

kz_status kz_phase_path(const char *folder, int phase, char *path, size_t size, kz_error *error) {
    int length = snprintf(path, size, "%s/phase-%03d.kzp", folder, phase);
    return length < 0 || (size_t)length >= size ? kz_fail(error, KZ_ERR_INPUT, "the path %s is too long", folder)
                                                : KZ_OK;
}

/* A u32 a slice, and an entry a page. */
static uint64_t tables_bytes(const kz_phase_facts *facts) { return 4 * facts->slices + ENTRY_BYTES * facts->pages; }

/* The same frame has another check in another page. */
static uint32_t check_of(const uint8_t *frame, size_t size, uint64_t page) {
    return (uint32_t)kz_hash64_seeded(frame, size, page);
}

/* ---- Writing -------------------------------------------------------------------------------------------------------
 */

typedef struct phase_worker {
    ZSTD_CCtx *context;
    uint8_t *marks;
    uint64_t found;
} phase_worker;

typedef struct writing {
    const kz_sweep_ops *ops;
    void *solver;
    int phase;
    bool settle;
    uint64_t first;
    phase_worker *workers;
    uint8_t *frames[BATCH];
    size_t sizes[BATCH];
    _Atomic bool failed;
} writing;

static void pack_pages(void *context, int worker, uint64_t begin, uint64_t end) {
    writing *w = context;
    phase_worker *s = &w->workers[worker];
    for (uint64_t i = begin; i < end; i++) {
        size_t runs = w->ops->page_runs(w->solver, w->first + i);
        uint64_t found = w->ops->collect(w->solver, w->phase, w->first + i, w->settle, s->marks);
        s->found += found;
        w->sizes[i] = 0;
        if (found) {
            size_t room = ZSTD_compressBound(runs);
            w->frames[i] = malloc(room);
            size_t size = w->frames[i] ? ZSTD_compress2(s->context, w->frames[i], room, s->marks, runs) : 0;
            if (!w->frames[i] || ZSTD_isError(size)) {
                w->failed = true;
                return;
            }
            w->sizes[i] = size;
        }
    }
}

static bool open_workers(writing *w, int workers, size_t most_runs) {
    w->workers = calloc((size_t)workers, sizeof *w->workers);
    for (int i = 0; w->workers && i < workers; i++) {
        phase_worker *s = &w->workers[i];
        s->context = ZSTD_createCCtx();
        s->marks = malloc(most_runs + 1);
        if (!s->context || !s->marks ||
            ZSTD_isError(ZSTD_CCtx_setParameter(s->context, ZSTD_c_compressionLevel, LEVEL))) {
            return false;
        }
    }
    return w->workers;
}

static void close_workers(writing *w, int workers) {
    for (int i = 0; w->workers && i < workers; i++) {
        ZSTD_freeCCtx(w->workers[i].context);
        free(w->workers[i].marks);
    }
    free(w->workers);
}

size_t kz_phase_most_runs(const kz_sweep_ops *ops, const void *solver) {
    size_t most = 0;
    for (uint64_t page = 0; page < ops->pages(solver); page++) {
        size_t runs = ops->page_runs(solver, page);
        most = runs > most ? runs : most;
    }
    return most;
}

/* Packs the pages of the batch that begins at page w->first. */
static kz_status pack_batch(writing *w, uint64_t count, kz_pool *pool, uint8_t *entries, kz_error *error) {
    memset(w->frames, 0, sizeof w->frames);
    kz_status status = kz_pool_for(pool, count, 1, pack_pages, w, NULL, NULL, error);
    if (status == KZ_OK && w->failed) {
        status = kz_fail(error, KZ_ERR_MEMORY, "no memory to save a phase");
    }
    for (uint64_t i = 0; status == KZ_OK && i < count; i++) {
        kz_store_le32(entries + ENTRY_BYTES * i, (uint32_t)w->sizes[i]);
        kz_store_le32(entries + ENTRY_BYTES * i + 4,
                      w->sizes[i] ? check_of(w->frames[i], w->sizes[i], w->first + i) : 0);
    }
    return status;
}

/* Packs and writes them. */
static kz_status write_batch(writing *w, uint64_t count, kz_pool *pool, kz_outfile *out, uint64_t *end,
                             uint8_t *entries, kz_error *error) {
    kz_status status = pack_batch(w, count, pool, entries, error);
    for (uint64_t i = 0; i < count; i++) {
        if (status == KZ_OK && w->sizes[i]) {
            status = kz_outfile_write_at(out, w->frames[i], w->sizes[i], *end, error);
            *end += w->sizes[i];
        }
        free(w->frames[i]);
    }
    return status;
}

static void make_header(const kz_phase_facts *facts, const uint8_t *tables, uint64_t file_bytes, uint8_t *header) {
    memcpy(header, MAGIC, 8);
    kz_store_le32(header + AT_VERSION, VERSION);
    kz_store_le32(header + AT_PHASE, (uint32_t)facts->phase);
    strncpy((char *)header + AT_GAME, facts->game, NAME_BYTES - 1);
    strncpy((char *)header + AT_RULES, facts->rules, NAME_BYTES - 1);
    kz_store_le64(header + AT_SLICES, facts->slices);
    kz_store_le64(header + AT_SLICES_DONE, facts->slices_done);
    kz_store_le64(header + AT_SLICES_SWEPT, facts->slices_swept);
    kz_store_le64(header + AT_PAGES, facts->pages);
    kz_store_le64(header + AT_FOUND_ALL, facts->found.all);
    kz_store_le64(header + AT_FOUND_KEPT, facts->found.kept);
    kz_store_le64(header + AT_MICROSECONDS, facts->microseconds);
    kz_store_le64(header + AT_FILE_BYTES, file_bytes);
    kz_store_le64(header + AT_TABLES_HASH, kz_hash64(tables, tables_bytes(facts)));
    kz_store_le64(header + AT_HEADER_HASH, kz_hash64(header, AT_HEADER_HASH));
}

/* What goes before the frames, for which `end` is where the file ends. */
static kz_status write_head(kz_outfile *out, const kz_phase_facts *facts, const uint8_t *tables, uint64_t end,
                            kz_error *error) {
    uint8_t header[HEADER_BYTES] = {0};
    make_header(facts, tables, end, header);
    kz_status status = kz_outfile_write_at(out, header, sizeof header, 0, error);
    return status == KZ_OK ? kz_outfile_write_at(out, tables, tables_bytes(facts), HEADER_BYTES, error) : status;
}

static kz_status end_file(kz_outfile *out, kz_status status, kz_error *error) {
    if (status == KZ_OK) {
        return kz_outfile_commit(out, error);
    }
    kz_outfile_discard(out);
    return status;
}

/* With room for the entries. */
static uint8_t *make_tables(const kz_phase_facts *facts, const uint32_t *decided) {
    uint8_t *tables = malloc(tables_bytes(facts));
    for (uint64_t slice = 0; tables && slice < facts->slices; slice++) {
        kz_store_le32(tables + 4 * slice, decided[slice]);
    }
    return tables;
}

kz_status kz_phase_write(const char *path, const kz_phase_facts *facts, const uint32_t *decided,
                         const kz_sweep_ops *ops, void *solver, bool settle, kz_pool *pool, uint8_t *changed,
                         kz_error *error) {
    writing w = {.ops = ops, .solver = solver, .phase = facts->phase, .settle = settle};
    uint8_t *tables = make_tables(facts, decided);
    int workers = kz_pool_threads(pool);
    if (!open_workers(&w, workers, kz_phase_most_runs(ops, solver)) || !tables) {
        close_workers(&w, workers);
        free(tables);
        return kz_fail(error, KZ_ERR_MEMORY, "no memory to save a phase");
    }
    uint8_t *entries = tables + 4 * facts->slices;
    kz_outfile out;
    kz_status status = kz_outfile_open(&out, path, true, error);
    if (status == KZ_OK) {
        uint64_t end = HEADER_BYTES + tables_bytes(facts);
        for (; status == KZ_OK && w.first < facts->pages; w.first += BATCH) {
            uint64_t left = facts->pages - w.first;
            status =
                write_batch(&w, left < BATCH ? left : BATCH, pool, &out, &end, entries + ENTRY_BYTES * w.first, error);
        }
        if (status == KZ_OK) {
            status = write_head(&out, facts, tables, end, error);
        }
        status = end_file(&out, status, error);
    }
    for (uint64_t page = 0; status == KZ_OK && changed && page < facts->pages; page++) {
        changed[page] = kz_phase_frame_bytes(entries + ENTRY_BYTES * page) != 0;
    }
    close_workers(&w, workers);
    free(tables);
    return status;
}

uint32_t kz_phase_frame_bytes(const uint8_t *entry) { return kz_load_le32(entry); }

kz_status kz_phase_pack(const kz_sweep_ops *ops, void *solver, int phase, bool settle, uint64_t first, uint64_t count,
                        kz_pool *pool, uint8_t **frames, uint8_t *entries, kz_error *error) {
    writing w = {.ops = ops, .solver = solver, .phase = phase, .settle = settle};
    int workers = kz_pool_threads(pool);
    kz_status status = KZ_OK;
    if (!open_workers(&w, workers, kz_phase_most_runs(ops, solver))) {
        status = kz_fail(error, KZ_ERR_MEMORY, "no memory to save a phase");
    }
    for (uint64_t done = 0; status == KZ_OK && done < count; done += BATCH) {
        uint64_t some = count - done < BATCH ? count - done : BATCH;
        w.first = first + done;
        status = pack_batch(&w, some, pool, entries + ENTRY_BYTES * done, error);
        memcpy(frames + done, w.frames, some * sizeof *frames);
        /* Until now they had room for the worst. */
        for (uint64_t i = 0; status == KZ_OK && i < some; i++) {
            uint8_t *shorter = frames[done + i] ? realloc(frames[done + i], w.sizes[i]) : NULL;
            frames[done + i] = shorter ? shorter : frames[done + i];
        }
    }
    close_workers(&w, workers);
    return status;
}

kz_status kz_phase_out_open(kz_phase_out *out, const char *path, const kz_phase_facts *facts, const uint32_t *decided,
                            const uint8_t *entries, kz_error *error) {
    *out = (kz_phase_out){.tables = make_tables(facts, decided),
                          .offsets = malloc((facts->pages + 1) * sizeof *out->offsets)};
    if (!out->tables || !out->offsets) {
        free(out->tables);
        free(out->offsets);
        return kz_fail(error, KZ_ERR_MEMORY, "no memory to save a phase");
    }
    kz_status status = kz_outfile_open(&out->file, path, true, error);
    if (status != KZ_OK) {
        free(out->tables);
        free(out->offsets);
        return status;
    }
    memcpy(out->tables + 4 * facts->slices, entries, ENTRY_BYTES * facts->pages);
    out->offsets[0] = HEADER_BYTES + tables_bytes(facts);
    for (uint64_t page = 0; page < facts->pages; page++) {
        out->offsets[page + 1] = out->offsets[page] + kz_phase_frame_bytes(entries + ENTRY_BYTES * page);
    }
    return KZ_OK;
}

kz_status kz_phase_out_frame(kz_phase_out *out, uint64_t page, const uint8_t *frame, kz_error *error) {
    return kz_outfile_write_at(&out->file, frame, out->offsets[page + 1] - out->offsets[page], out->offsets[page],
                               error);
}

kz_status kz_phase_out_close(kz_phase_out *out, const kz_phase_facts *facts, kz_status status, kz_error *error) {
    if (status == KZ_OK) {
        status = write_head(&out->file, facts, out->tables, out->offsets[facts->pages], error);
    }
    status = end_file(&out->file, status, error);
    free(out->tables);
    free(out->offsets);
    return status;
}

/* ---- Reading -------------------------------------------------------------------------------------------------------
 */

static kz_status read_header(kz_phase_file *file, const char *path, const kz_phase_facts *expected, kz_error *error) {
    const uint8_t *header = file->file.data;
    if (file->file.size < HEADER_BYTES || memcmp(header, MAGIC, 8) != 0) {
        return kz_fail(error, KZ_ERR_CORRUPT, "%s: not the file of a phase", path);
    }
    if (kz_load_le64(header + AT_HEADER_HASH) != kz_hash64(header, AT_HEADER_HASH)) {
        return kz_fail(error, KZ_ERR_CORRUPT, "%s: the header is damaged", path);
    }
    if (kz_load_le32(header + AT_VERSION) != VERSION) {
        return kz_fail(error, KZ_ERR_CORRUPT, "%s: version %" PRIu32 ", but this program knows version %d only", path,
                       kz_load_le32(header + AT_VERSION), VERSION);
    }
    kz_phase_facts *facts = &file->facts;
    *facts = *expected;
    facts->phase = (int)kz_load_le32(header + AT_PHASE);
    facts->slices_done = kz_load_le64(header + AT_SLICES_DONE);
    facts->slices_swept = kz_load_le64(header + AT_SLICES_SWEPT);
    facts->found = (kz_sweep_counts){kz_load_le64(header + AT_FOUND_ALL), kz_load_le64(header + AT_FOUND_KEPT)};
    facts->microseconds = kz_load_le64(header + AT_MICROSECONDS);
    facts->whole = facts->slices_done == facts->slices;
    if (strncmp((const char *)header + AT_GAME, facts->game, NAME_BYTES) != 0 ||
        strncmp((const char *)header + AT_RULES, facts->rules, NAME_BYTES) != 0 || facts->phase != expected->phase ||
        kz_load_le64(header + AT_SLICES) != facts->slices || kz_load_le64(header + AT_PAGES) != facts->pages) {
        return kz_fail(error, KZ_ERR_CORRUPT, "%s: not phase %d of %s, %s", path, expected->phase, expected->game,
                       expected->rules);
    }
    if (kz_load_le64(header + AT_FILE_BYTES) != file->file.size || facts->slices_done > facts->slices) {
        return kz_fail(error, KZ_ERR_CORRUPT, "%s: cut off, or too long", path);
    }
    return KZ_OK;
}

static kz_status read_tables(kz_phase_file *file, const char *path, kz_error *error) {
    const kz_phase_facts *facts = &file->facts;
    const uint8_t *tables = file->file.data + HEADER_BYTES;
    if (file->file.size - HEADER_BYTES < tables_bytes(facts) ||
        kz_load_le64(file->file.data + AT_TABLES_HASH) != kz_hash64(tables, tables_bytes(facts))) {
        return kz_fail(error, KZ_ERR_CORRUPT, "%s: the tables are damaged", path);
    }
    file->decided = tables;
    file->entries = tables + 4 * facts->slices;
    file->offsets = malloc((facts->pages + 1) * sizeof *file->offsets);
    if (!file->offsets) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory to open %s", path);
    }
    file->offsets[0] = HEADER_BYTES + tables_bytes(facts);
    for (uint64_t page = 0; page < facts->pages; page++) {
        file->offsets[page + 1] = file->offsets[page] + kz_load_le32(file->entries + ENTRY_BYTES * page);
    }
    if (file->offsets[facts->pages] != file->file.size) {
        return kz_fail(error, KZ_ERR_CORRUPT, "%s: cut off, or too long", path);
    }
    return KZ_OK;
}

kz_status kz_phase_open(kz_phase_file *file, const char *path, const kz_phase_facts *expected, kz_error *error) {
    *file = (kz_phase_file){.offsets = NULL};
    kz_status status = kz_mapping_open(&file->file, path, error);
    if (status == KZ_OK) {
        status = read_header(file, path, expected, error);
    }
    if (status == KZ_OK) {
        status = read_tables(file, path, error);
    }
    if (status != KZ_OK) {
        kz_phase_close(file);
    }
    return status;
}

void kz_phase_close(kz_phase_file *file) {
    kz_mapping_close(&file->file);
    free(file->offsets);
    *file = (kz_phase_file){.offsets = NULL};
}

bool kz_phase_has(const kz_phase_file *file, uint64_t page) {
    return kz_load_le32(file->entries + ENTRY_BYTES * page) != 0;
}

kz_status kz_phase_marks(const kz_phase_file *file, uint64_t page, size_t count, uint8_t *marks, kz_error *error) {
    if (!kz_phase_has(file, page)) {
        memset(marks, 0, count);
        return KZ_OK;
    }
    return kz_phase_unpack(file->facts.phase, page, file->entries + ENTRY_BYTES * page,
                           file->file.data + file->offsets[page], count, marks, error);
}

kz_status kz_phase_unpack(int phase, uint64_t page, const uint8_t *entry, const uint8_t *frame, size_t count,
                          uint8_t *marks, kz_error *error) {
    size_t size = kz_phase_frame_bytes(entry);
    bool whole = check_of(frame, size, page) == kz_load_le32(entry + 4);
    kz_status status = whole ? kz_unpack(frame, size, marks, count) : KZ_ERR_CORRUPT;
    return status == KZ_OK ? KZ_OK
           : status == KZ_ERR_MEMORY
               ? kz_fail(error, status, "no memory to read phase %d", phase)
               : kz_fail(error, status, "phase-%03d.kzp: page %" PRIu64 " is damaged", phase, page);
}
