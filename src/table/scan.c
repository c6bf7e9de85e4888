/* SPDX-License-Identifier: MIT */
#include "table/scan.h"

#include "base/error.h"
#include "base/random.h"
#include "table/reader.h"

#include <stdlib.h>
#include <string.h>

/* Places that are read at a time, about: whole blocks. */
enum { PIECE = 1 << 16 };

/* What one worker has found. */
typedef struct finder {
    uint8_t *numbers; /* of a piece */
    kz_scan_entry *places;
    size_t count;
    size_t room;
    kz_error error; /* of the first piece that could not be read, if any */
    uint64_t error_at;
} finder;

typedef struct scan_work {
    const kz_table *table;
    const kz_scan *scan;
    uint64_t piece;  /* places */
    finder *finders; /* one a worker */
} scan_work;

uint64_t kz_scan_part(uint64_t wanted, uint64_t count) {
    enum { PLENTY = 4, SPARE = 16 };
    uint64_t taken = PLENTY * wanted + SPARE;
    return taken >= count ? UINT64_MAX : UINT64_MAX / count * taken;
}

static bool keep(finder *own, kz_scan_entry place) {
    if (own->count == own->room) {
        size_t room = own->room ? 2 * own->room : 1024;
        kz_scan_entry *places = realloc(own->places, room * sizeof *places);
        if (!places) {
            return false;
        }
        own->places = places;
        own->room = room;
    }
    own->places[own->count++] = place;
    return true;
}

static kz_status scan_piece(const scan_work *j, finder *own, uint64_t first, uint64_t count, kz_error *error) {
    const uint64_t *parts = j->scan->parts;
    uint64_t seed = kz_scramble(j->scan->seed);
    kz_status status = kz_table_read(j->table, first, count, own->numbers, error);
    for (uint64_t i = 0; status == KZ_OK && i < count; i++) {
        uint8_t number = own->numbers[i];
        if (parts[number] == 0) {
            continue;
        }
        uint64_t order = kz_scramble((first + i) ^ seed);
        if (order <= parts[number] && !keep(own, (kz_scan_entry){first + i, order, number})) {
            status = kz_fail(error, KZ_ERR_MEMORY, "no memory for what was found in the table");
        }
    }
    return status;
}

static void scan_pieces(void *context, int worker, uint64_t begin, uint64_t end) {
    const scan_work *j = context;
    finder *own = &j->finders[worker];
    uint64_t places = kz_table_shape(j->table)->places;
    for (uint64_t piece = begin; piece < end; piece++) {
        uint64_t first = piece * j->piece;
        kz_error error;
        kz_status status = scan_piece(j, own, first, places - first < j->piece ? places - first : j->piece, &error);
        if (status != KZ_OK && (own->error.status == KZ_OK || piece < own->error_at)) {
            own->error = error;
            own->error_at = piece;
        }
    }
}

static int compare(const void *left, const void *right) {
    const kz_scan_entry *a = left;
    const kz_scan_entry *b = right;
    if (a->number != b->number) {
        return a->number < b->number ? -1 : 1;
    }
    return a->order < b->order ? -1 : a->order > b->order;
}

/* Puts what all workers have found into one list; or tells the first failure. */
static kz_status gather(const finder *finders, int workers, kz_scan_entry **places, size_t *count, kz_error *error) {
    const finder *failed = NULL;
    size_t sum = 0;
    for (int worker = 0; worker < workers; worker++) {
        const finder *one = &finders[worker];
        sum += one->count;
        if (one->error.status != KZ_OK && (!failed || one->error_at < failed->error_at)) {
            failed = one;
        }
    }
    if (failed) {
        return kz_fail(error, failed->error.status, "%s", failed->error.message);
    }
    kz_scan_entry *all = malloc((sum + 1) * sizeof *all);
    if (!all) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for what was found in the table");
    }
    *count = 0;
    for (int worker = 0; worker < workers; worker++) {
        if (finders[worker].count) {
            memcpy(all + *count, finders[worker].places, finders[worker].count * sizeof *all);
            *count += finders[worker].count;
        }
    }
    qsort(all, *count, sizeof *all, compare);
    *places = all;
    return KZ_OK;
}

kz_status kz_table_scan(const kz_table *table, const kz_scan *scan, kz_pool *pool, const kz_progress *progress,
                        kz_scan_entry **places, size_t *count, kz_error *error) {
    const kz_shape *shape = kz_table_shape(table);
    int workers = kz_pool_threads(pool);
    scan_work j = {.table = table, .scan = scan, .piece = ((PIECE - 1) / shape->block + 1) * (uint64_t)shape->block};
    j.finders = calloc((size_t)workers, sizeof *j.finders);
    bool complete = j.finders;
    for (int worker = 0; complete && worker < workers; worker++) {
        j.finders[worker].numbers = malloc((size_t)j.piece);
        complete = j.finders[worker].numbers;
    }
    kz_status status = complete ? KZ_OK : kz_fail(error, KZ_ERR_MEMORY, "no memory to read the table");
    if (status == KZ_OK) {
        uint64_t pieces = (shape->places + j.piece - 1) / j.piece;
        status = kz_pool_for(pool, pieces, 0, scan_pieces, &j, progress, scan->stage, error);
    }
    if (status == KZ_OK) {
        status = gather(j.finders, workers, places, count, error);
    }
    for (int worker = 0; j.finders && worker < workers; worker++) {
        free(j.finders[worker].numbers);
        free(j.finders[worker].places);
    }
    free(j.finders);
    return status;
}

void kz_table_histogram(const kz_table *table, kz_histogram *histogram) {
    kz_value value;
    uint64_t count;
    *histogram = (kz_histogram){.draws = 0};
    for (size_t number = 0; kz_table_count(table, number, &value, &count); number++) {
        if (value.outcome == KZ_DRAW) {
            histogram->draws += count;
        } else if (value.distance >= 0 && value.distance <= KZ_MAX_DISTANCE) {
            *(value.outcome == KZ_WIN ? &histogram->wins[value.distance] : &histogram->losses[value.distance]) += count;
        }
    }
}
