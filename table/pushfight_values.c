/* SPDX-License-Identifier: MIT
 *
 * Values of Push Fight that a table has, and those that follow from them, in the forms of the published solution. */
#include "base/bigmem.h"
#include "base/error.h"
#include "base/file.h"
#include "pushfight/chunks.h"
#include "pushfight/openings.h"
#include "table/reader.h"

#include <kanzen/pushfight.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Values that are found before they are written to a file. Every such part needs sweeps of most enemy sets, so it is
 * large. */
#define PART_BYTES (UINT64_C(4) << 30)

/* A table at work. */
typedef struct source {
    const kz_table *table;
    kz_pf_space *space;
    kz_pf_value_pages *pages;
    kz_pool *pool;
} source;

static kz_status read_own_set(void *user, uint32_t own_set, uint8_t *bytes, kz_error *error) {
    const source *s = user;
    uint64_t places = kz_pf_own_set_places(s->space);
    return kz_table_read(s->table, own_set * places, places, bytes, error);
}

/* Pages may take half of the memory: all of the standard board's would be 18 GB. */
static uint64_t page_limit(void) {
    long pages = sysconf(_SC_PHYS_PAGES);
    long size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size / 2 : PART_BYTES;
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
    kz_error pool_error = {.status = KZ_ERR_MEMORY};
    s->pool = kz_pool_new(threads, &pool_error);
    if (!s->pool) {
        return kz_fail(error, pool_error.status, "%s", pool_error.message);
    }
    kz_status status = kz_pf_space_open(kz_pf_board_at(kz_table_rules(table)), &s->space, error);
    if (status == KZ_OK) {
        status = kz_pf_value_pages_open(s->space, read_own_set, s, page_limit(), &s->pages, error);
    }
    return status;
}

/* ---- Files --------------------------------------------------------------------------------------------------------
 */

/* Which positions to write. */
typedef struct stretch {
    bool minimized;
    uint64_t first;
    uint64_t count; /* 0: all */
} stretch;

static void count_values(const uint8_t *bytes, uint64_t count, uint64_t *counts) {
    for (uint64_t i = 0; counts && i < count; i++) {
        counts[bytes[i]]++;
    }
}

static kz_status write_parts(const source *s, const kz_pf_order *order, stretch of, kz_outfile *file, uint8_t *bytes,
                             uint64_t most, const kz_progress *progress, uint64_t *counts, kz_error *error) {
    kz_status status = KZ_OK;
    for (uint64_t done = 0; status == KZ_OK && done < of.count; done += most) {
        uint64_t count = of.count - done < most ? of.count - done : most;
        status = kz_pf_chunk_values(s->space, order, s->pages, s->pool, of.first + done, count, bytes, progress, error);
        if (status == KZ_OK) {
            count_values(bytes, count, counts);
            status = kz_outfile_write(file, bytes, count, error);
        }
    }
    return status;
}

static kz_status write_stretch(const source *s, stretch of, kz_outfile *file, const kz_progress *progress,
                               uint64_t *counts, kz_error *error) {
    kz_pf_order *order;
    kz_status status = kz_pf_order_open(s->space, of.minimized, &order, error);
    if (status != KZ_OK) {
        return status;
    }
    of.count = of.count ? of.count : kz_pf_order_size(order);
    uint64_t most = of.count < PART_BYTES ? of.count : PART_BYTES;
    uint8_t *bytes = kz_big_alloc(most);
    if (bytes) {
        status = write_parts(s, order, of, file, bytes, most, progress, counts, error);
    } else {
        status = kz_fail(error, KZ_ERR_MEMORY, "no memory for %" PRIu64 " values", most);
    }
    kz_big_free(bytes, most);
    kz_pf_order_close(order);
    return status;
}

static kz_status write_file(const kz_table *table, int threads, stretch of, const char *path, bool replace,
                            const kz_progress *progress, uint64_t *counts, kz_error *error) {
    kz_outfile file;
    kz_status status = kz_outfile_open(&file, path, replace, error);
    if (status != KZ_OK) {
        return status;
    }
    source s;
    status = open_source(&s, table, threads, error);
    if (status == KZ_OK) {
        status = write_stretch(&s, of, &file, progress, counts, error);
    }
    close_source(&s);
    if (status != KZ_OK) {
        kz_outfile_discard(&file);
        return status;
    }
    return kz_outfile_commit(&file, error);
}

kz_status kz_pushfight_merged_chunk(const kz_table *table, int threads, uint64_t chunk, const char *path, bool replace,
                                    const kz_progress *progress, kz_error *error) {
    if (kz_table_rules(table) != KZ_PUSHFIGHT_STANDARD) {
        return kz_fail(error, KZ_ERR_UNSUPPORTED, "chunks are defined for the standard board only");
    }
    if (chunk >= KZ_PUSHFIGHT_CHUNKS) {
        return kz_fail(error, KZ_ERR_INPUT, "chunk %" PRIu64 " is past the last, %d", chunk, KZ_PUSHFIGHT_CHUNKS - 1);
    }
    stretch of = {.first = chunk * KZ_PUSHFIGHT_CHUNK, .count = KZ_PUSHFIGHT_CHUNK};
    return write_file(table, threads, of, path, replace, progress, NULL, error);
}

kz_status kz_pushfight_values(const kz_table *table, int threads, bool minimized, const char *path, bool replace,
                              const kz_progress *progress, uint64_t counts[KZ_PUSHFIGHT_VALUES], kz_error *error) {
    memset(counts, 0, KZ_PUSHFIGHT_VALUES * sizeof *counts);
    return write_file(table, threads, (stretch){.minimized = minimized}, path, replace, progress, counts, error);
}

/* ---- Openings -----------------------------------------------------------------------------------------------------
 */

kz_status kz_pushfight_openings(const kz_table *table, int threads, const kz_progress *progress,
                                kz_pushfight_openings_report *report, kz_error *error) {
    *report = (kz_pushfight_openings_report){0};
    source s;
    kz_status status = open_source(&s, table, threads, error);
    if (status != KZ_OK) {
        close_source(&s);
        return status;
    }
    const kz_pf_board *board = kz_pf_board_at(kz_table_rules(table));
    report->firsts = kz_pf_placements(board, KZ_PUSHFIGHT_FIRST);
    report->seconds = kz_pf_placements(board, KZ_PUSHFIGHT_SECOND);
    uint64_t size = (uint64_t)report->firsts * report->seconds;
    report->values = malloc(size);
    if (!report->values) {
        close_source(&s);
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for the values of %" PRIu64 " openings", size);
    }
    status = kz_pf_opening_values(s.space, s.pages, s.pool, report->values, progress, error);
    close_source(&s);
    if (status != KZ_OK) {
        kz_pushfight_openings_free(report);
        return status;
    }
    count_values(report->values, size, report->counts);
    return KZ_OK;
}

void kz_pushfight_openings_free(kz_pushfight_openings_report *report) {
    free(report->values);
    *report = (kz_pushfight_openings_report){0};
}
