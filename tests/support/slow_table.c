/* SPDX-License-Identifier: MIT */
#include "tests/support/slow_table.h"

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
