/* SPDX-License-Identifier: MIT
 *
 * Values of Push Fight that a table has, and those that follow from them, in the forms of the published solution. */
#include "base/bigmem.h"
#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "games/pushfight/published/published.h"
#include "table/reader.h"

#include <kanzen/pushfight.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The least that is found at a time. Every such part needs sweeps of most enemy sets, so it is as large as can be. */
#define LEAST_PART (UINT64_C(1) << 30)

/* A table at work. */
typedef struct source {
    const kz_table *table;
    kz_pf_space *space;
    kz_pf_value_pages *pages;
    kz_pool *pool;
} source;

static kz_status read_own_set(void *user, uint32_t own_set, uint8_t *bytes, kz_error *error) {
    const source *s = user;
    uint64_t places = kz_pf_own_set_size(s->space);
    return kz_table_read(s->table, own_set * places, places, bytes, error);
}

static uint64_t physical_memory(void) {
    long pages = sysconf(_SC_PHYS_PAGES);
    long size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : 4 * LEAST_PART;
}

/* Pages may take half of the memory; all of the standard board's are 18 GB, a tenth of the places that they stand for.
 */
static uint64_t page_limit(const kz_pf_space *space) {
    uint64_t all = space->positions / 10;
    return all < physical_memory() / 2 ? all : physical_memory() / 2;
}

/* Values that are found at a time: what an eighth of the memory and the pages leave. */
static uint64_t part_limit(const kz_pf_space *space) {
    uint64_t left = physical_memory() / 8 * 7 - page_limit(space);
    return left > LEAST_PART ? left : LEAST_PART;
}

static void close_source(source *s) {
    kz_pf_value_pages_close(s->pages);
    kz_pf_space_close(s->space);
    if (s->pool) {
        kz_pool_free(s->pool);
    }
}

/* To be closed after a failure, too. */
static kz_status open_source(source *s, const kz_table *table, int threads, kz_error *error) {
    *s = (source){.table = table};
    const kz_game *game = kz_table_game(table);
    if (strcmp(kz_game_name(game), "pushfight") != 0) {
        return kz_fail(error, KZ_ERR_INPUT, "this is a table of %s, and not of Push Fight", kz_game_name(game));
    }
    s->pool = kz_pool_new(threads, error);
    if (!s->pool) {
        return KZ_ERR_MEMORY;
    }
    KZ_TRY(kz_pf_space_open(kz_pf_board_at(kz_table_rules(table)), &s->space, error));
    return kz_pf_value_pages_open(s->space, read_own_set, s, page_limit(s->space), &s->pages, error);
}

/* ---- Files ------------------------------------------------------------------------------------------------------- */

/* Which positions to write. */
typedef struct stretch {
    bool minimized;
    uint64_t first;
    uint64_t count; /* 0: all */
} stretch;

/* Where they go. */
typedef struct output {
    kz_outfile *file; /* NULL: nowhere, only the report is wanted */
    kz_sha256 hash;
    uint64_t counts[KZ_PUSHFIGHT_VALUES];
} output;

typedef struct counting {
    const uint8_t *bytes;
    _Atomic uint64_t counts[KZ_PUSHFIGHT_VALUES];
} counting;

static void count_part(void *context, int worker, uint64_t begin, uint64_t end) {
    counting *c = context;
    uint64_t counts[KZ_PUSHFIGHT_VALUES] = {0};
    (void)worker;
    for (uint64_t i = begin; i < end; i++) {
        counts[c->bytes[i]]++;
    }
    for (int value = 0; value < KZ_PUSHFIGHT_VALUES; value++) {
        c->counts[value] += counts[value];
    }
}

static kz_status count_values(kz_pool *pool, const uint8_t *bytes, uint64_t count, uint64_t *counts, kz_error *error) {
    counting c = {.bytes = bytes};
    kz_status status = kz_pool_for(pool, count, 0, count_part, &c, NULL, NULL, error);
    for (int value = 0; value < KZ_PUSHFIGHT_VALUES; value++) {
        counts[value] += c.counts[value];
    }
    return status;
}

static kz_status write_parts(const source *s, const kz_pf_order *order, stretch of, output *out, uint8_t *bytes,
                             uint64_t most, const kz_progress *progress, kz_error *error) {
    for (uint64_t done = 0; done < of.count; done += most) {
        uint64_t count = of.count - done < most ? of.count - done : most;
        uint64_t first = of.first + done;
        KZ_TRY(of.minimized
                   ? kz_pf_minimized_values(s->space, order, read_own_set, (void *)s, s->pool, first, count, bytes,
                                            progress, error)
                   : kz_pf_chunk_values(s->space, order, s->pages, s->pool, first, count, bytes, progress, error));
        KZ_TRY(count_values(s->pool, bytes, count, out->counts, error));
        kz_sha256_update(&out->hash, bytes, count);
        if (out->file) {
            KZ_TRY(kz_outfile_write(out->file, bytes, count, error));
        }
    }
    return KZ_OK;
}

static kz_status write_stretch(const source *s, stretch of, output *out, const kz_progress *progress, kz_error *error) {
    kz_pf_order *order;
    KZ_TRY(kz_pf_order_open(s->space, of.minimized, &order, error));
    of.count = of.count ? of.count : kz_pf_order_size(order);
    uint64_t most = of.count < part_limit(s->space) ? of.count : part_limit(s->space);
    uint8_t *bytes = kz_big_alloc(most);
    kz_status status = bytes ? write_parts(s, order, of, out, bytes, most, progress, error)
                             : kz_fail(error, KZ_ERR_MEMORY, "no memory for %" PRIu64 " values", most);
    kz_big_free(bytes, most);
    kz_pf_order_close(order);
    return status;
}

static kz_status find_values(const kz_table *table, int threads, stretch of, output *out, const kz_progress *progress,
                             kz_pushfight_values_report *report, kz_error *error) {
    KZ_TRY(kz_sha256_begin(&out->hash, error));
    source s;
    kz_status status = open_source(&s, table, threads, error);
    if (status == KZ_OK) {
        status = write_stretch(&s, of, out, progress, error);
    }
    close_source(&s);
    if (status != KZ_OK) {
        kz_sha256_discard(&out->hash);
        return status;
    }
    uint8_t digest[KZ_SHA256_BYTES];
    status = kz_sha256_finish(&out->hash, digest, error);
    kz_hex(digest, sizeof digest, report->sha256);
    memcpy(report->counts, out->counts, sizeof report->counts);
    return status;
}

static kz_status write_file(const kz_table *table, int threads, stretch of, const char *path, bool replace,
                            const kz_progress *progress, kz_pushfight_values_report *report, kz_error *error) {
    output out = {.file = NULL};
    kz_outfile file;
    if (!path) {
        return find_values(table, threads, of, &out, progress, report, error);
    }
    KZ_TRY(kz_outfile_open(&file, path, replace, error));
    out.file = &file;
    kz_status status = find_values(table, threads, of, &out, progress, report, error);
    if (status != KZ_OK) {
        kz_outfile_discard(&file);
        return status;
    }
    return kz_outfile_commit(&file, error);
}

kz_status kz_pushfight_merged_chunk(const kz_table *table, int threads, uint64_t chunk, const char *path, bool replace,
                                    const kz_progress *progress, kz_pushfight_values_report *report, kz_error *error) {
    if (kz_table_rules(table) != KZ_PUSHFIGHT_STANDARD) {
        return kz_fail(error, KZ_ERR_UNSUPPORTED, "chunks are defined for the standard board only");
    }
    if (chunk >= KZ_PUSHFIGHT_CHUNKS) {
        return kz_fail(error, KZ_ERR_INPUT, "chunk %" PRIu64 " is past the last, %d", chunk, KZ_PUSHFIGHT_CHUNKS - 1);
    }
    stretch of = {.first = chunk * KZ_PUSHFIGHT_CHUNK, .count = KZ_PUSHFIGHT_CHUNK};
    return write_file(table, threads, of, path, replace, progress, report, error);
}

kz_status kz_pushfight_values(const kz_table *table, int threads, bool minimized, const char *path, bool replace,
                              const kz_progress *progress, kz_pushfight_values_report *report, kz_error *error) {
    return write_file(table, threads, (stretch){.minimized = minimized}, path, replace, progress, report, error);
}

/* ---- Openings ---------------------------------------------------------------------------------------------------- */

kz_status kz_pushfight_openings(const kz_table *table, int threads, const kz_progress *progress,
                                kz_pushfight_openings_report *report, kz_error *error) {
    *report = (kz_pushfight_openings_report){0};
    source s;
    kz_status status;
    KZ_TRY_OR(done, open_source(&s, table, threads, error));
    report->firsts = kz_pf_placements(s.space->board, KZ_PUSHFIGHT_FIRST);
    report->seconds = kz_pf_placements(s.space->board, KZ_PUSHFIGHT_SECOND);
    uint64_t size = (uint64_t)report->firsts * report->seconds;
    report->values = malloc(size);
    KZ_TRY_OR(done, report->values
                        ? KZ_OK
                        : kz_fail(error, KZ_ERR_MEMORY, "no memory for the values of %" PRIu64 " openings", size));
    KZ_TRY_OR(done, kz_pf_opening_values(s.space, s.pages, s.pool, report->values, progress, error));
    status = count_values(s.pool, report->values, size, report->counts, error);
done:
    close_source(&s);
    if (status != KZ_OK) {
        kz_pushfight_openings_free(report);
    }
    return status;
}

void kz_pushfight_openings_free(kz_pushfight_openings_report *report) {
    free(report->values);
    *report = (kz_pushfight_openings_report){0};
}
