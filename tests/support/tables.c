/* SPDX-License-Identifier: MIT */
#include "tests/support/tables.h"

download *solve_for_download(const char *board, const char *path) {
    const kz_game *game = kz_game_find("pushfight");
    kz_summary summary;
    kz_solve_options options = {.replace = true};
    download *d = calloc(1, sizeof *d);
    if (!d || kz_solve(game, kz_rules_find(game, board), path, &options, &summary, NULL) != KZ_OK) {
        free(d);
        return NULL;
    }
    d->size = (size_t)summary.table_bytes;
    d->file = malloc(d->size);
    FILE *file = fopen(path, "rb");
    bool complete = file && d->file && fread(d->file, 1, d->size, file) == d->size;
    if (file) {
        fclose(file);
    }
    if (!complete || d->size > (size_t)PAGE * PAGES_MOST) {
        free(d->file);
        free(d);
        return NULL;
    }
    return d;
}

void free_download(download *d) {
    free(d->last);
    free(d->file);
    free(d);
}

static const uint8_t *get(void *user, uint64_t offset, size_t size) {
    download *d = user;
    assert_true(size > 0 && offset + size <= d->size);
    d->gets++;
    bool all_here = true;
    for (size_t page = (size_t)offset / PAGE; page <= (offset + size - 1) / PAGE; page++) {
        all_here = all_here && d->here[page];
        if (!d->here[page] && !d->wanted[page]) {
            d->wanted[page] = true;
            d->wanted_pages++;
        }
    }
    free(d->last);
    d->last = NULL;
    if (all_here) {
        d->last = malloc(size);
        assert_non_null(d->last);
        memcpy(d->last, d->file + offset, size);
    }
    return d->last;
}

static void count_close(void *user) { ((download *)user)->closed++; }

void arrive(download *d) {
    for (int page = 0; page < PAGES_MOST; page++) {
        d->here[page] = d->here[page] || d->wanted[page];
        d->wanted[page] = false;
    }
    d->wanted_pages = 0;
}

kz_byte_source begin(download *d, bool all_here) {
    for (int page = 0; page < PAGES_MOST; page++) {
        d->here[page] = all_here;
        d->wanted[page] = false;
    }
    d->wanted_pages = d->gets = d->closed = 0;
    return (kz_byte_source){.size = d->size, .get = get, .close = count_close, .user = d};
}

/* ---- Made-up values ---------------------------------------------------------------------------------------------- */

kz_status __wrap_kz_dobutsu_state_values_write(const kz_table *table, const kz_export_options *options,
                                               const kz_dobutsu_state_values *target, uint64_t *written,
                                               kz_error *error);

kz_status __wrap_kz_dobutsu_state_values_write(const kz_table *table, const kz_export_options *options,
                                               const kz_dobutsu_state_values *target, uint64_t *written,
                                               kz_error *error) {
    enum { PIECE = 500 };
    uint64_t rows[PIECE];
    kz_status status = KZ_OK;
    (void)table;
    (void)options;
    *written = 0;
    for (uint64_t i = 0; i < MADE_UP_ROWS && status == KZ_OK; i += PIECE) {
        for (uint64_t k = 0; k < PIECE; k++) {
            rows[k] = (i + k) * 12345678 << 8 | k % 170;
        }
        status = target->take(target->context, rows, PIECE, error);
        *written += PIECE;
    }
    return status;
}

unsigned __wrap_kz_packet_source_size(const kz_packet_source *source, uint64_t packet);

unsigned __wrap_kz_packet_source_size(const kz_packet_source *source, uint64_t packet) {
    (void)source;
    (void)packet;
    return MADE_UP_PACKET_BYTES;
}

kz_status __wrap_kz_packet_source_fill(kz_packet_source *source, uint64_t first, uint64_t count, uint64_t done,
                                       uint64_t total, uint8_t *bytes, kz_error *error);

kz_status __wrap_kz_packet_source_fill(kz_packet_source *source, uint64_t first, uint64_t count, uint64_t done,
                                       uint64_t total, uint8_t *bytes, kz_error *error) {
    (void)source;
    (void)done;
    (void)total;
    (void)error;
    for (uint64_t i = 0; i < count; i++) {
        memset(bytes + i * MADE_UP_PACKET_BYTES, (int)(first + i), MADE_UP_PACKET_BYTES);
    }
    return KZ_OK;
}

kz_status write_made_up_packets(const char *path, uint64_t first, uint64_t count, bool tar, kz_error *error) {
    static uint8_t maximums[1000];
    kz_error reason = {.status = KZ_ERR_MEMORY};
    kz_pool *pool = kz_pool_new(1, &reason);
    if (!pool) {
        *error = reason;
        return reason.status;
    }
    kz_packet_source source = {.pool = pool, .maximums = maximums, .maximums_size = sizeof maximums};
    kz_dobutsu_packets_options options = {.first = first, .count = count, .tar = tar};
    kz_status status = kz_packet_write_with(&source, path, &options, NULL, error);
    kz_pool_free(pool);
    return status;
}

/* ---- Small boards ------------------------------------------------------------------------------------------------ */

kz_table *solved_board(const char *board) {
    const kz_game *game = kz_game_find("pushfight");
    kz_solve_options options = {.threads = 1, .replace = true};
    kz_summary summary;
    kz_error error = {0};
    kz_table *table = NULL;
    char path[64];
    snprintf(path, sizeof path, "solved-%s.kzt", board);
    if (kz_solve(game, kz_rules_find(game, board), path, &options, &summary, &error) != KZ_OK ||
        kz_table_open(path, &table, &error) != KZ_OK) {
        fail_msg("%s: %s", board, error.message);
    }
    remove(path);
    return table;
}
