/* SPDX-License-Identifier: MIT */
#include "games/dobutsu/compat/entries.h"

#include "base/error.h"
#include "games/dobutsu/index/index.h"
#include "games/dobutsu/table/lookup.h"

#include <stdlib.h>
#include <string.h>

enum { PIECE = 8 * KZ_BLOCK_POSITIONS }; /* so that no block is decoded twice */

typedef struct reading {
    const kz_table *table;
    _Atomic uint8_t *entries;
    kz_error *errors; /* one a worker */
} reading;

kz_status kz_dobutsu_entries_check(const kz_table *table, kz_error *error) {
    const kz_game *game = kz_table_game(table);
    if (strcmp(kz_game_name(game), "dobutsu") != 0 || kz_table_rules(table) != KZ_DOBUTSU_OFFICIAL) {
        return kz_fail(error, KZ_ERR_UNSUPPORTED,
                       "this format has values of Dobutsu Shogi by the official rules; the "
                       "table is of %s, %s rules",
                       kz_game_name(game), kz_rules_name(game, kz_table_rules(table)));
    }
    return KZ_OK;
}

static void read_pieces(void *context, int worker, uint64_t begin, uint64_t end) {
    const reading *r = context;
    kz_error *error = &r->errors[worker];
    uint8_t entries[PIECE];
    for (uint64_t piece = begin; piece < end && error->status == KZ_OK; piece++) {
        uint64_t first = piece * PIECE;
        uint64_t count = KZ_DOBUTSU_INDEX_SIZE - first < PIECE ? KZ_DOBUTSU_INDEX_SIZE - first : PIECE;
        if (kz_table_read(r->table, first, count, entries, error) != KZ_OK) {
            return;
        }
        for (uint64_t i = 0; i < count; i++) {
            atomic_store_explicit(&r->entries[first + i], entries[i], memory_order_relaxed);
        }
    }
}

kz_status kz_dobutsu_entries_read(const kz_table *table, kz_pool *pool, const kz_progress *progress,
                                  _Atomic uint8_t **entries, kz_error *error) {
    int workers = kz_pool_threads(pool);
    kz_error *errors = calloc((size_t)workers, sizeof *errors);
    reading r = {.table = table, .entries = malloc(KZ_DOBUTSU_INDEX_SIZE), .errors = errors};
    *entries = r.entries;
    if (!r.entries || !errors) {
        free(errors);
        free((void *)r.entries);
        *entries = NULL;
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for the values of all positions");
    }
    kz_status status = kz_pool_for(pool, (KZ_DOBUTSU_INDEX_SIZE - 1) / PIECE + 1, 1, read_pieces, &r, progress,
                                   "reading values", error);
    status = status == KZ_OK ? kz_fail_first(error, errors, workers) : status;
    free(errors);
    if (status != KZ_OK) {
        free((void *)r.entries);
        *entries = NULL;
    }
    return status;
}

unsigned kz_dobutsu_entry_of_win(const kz_table *table, const _Atomic uint8_t *entries, const kz_dobutsu *position) {
    const kz_losses *self = kz_table_self(table);
    uint64_t successors[KZ_DOBUTSU_MAX_MOVES];
    kz_position general;
    kz_value best;
    kz_dobutsu_to_position(position, &general);
    int count = kz_dobutsu_successors(self->lookup, &general, successors, &best);
    /* As if it were the loss of a successor: a win in n plies has the entry n + 1. */
    unsigned soonest = best.outcome == KZ_WIN ? (unsigned)best.distance : 256;
    for (int i = 0; i < count; i++) {
        unsigned number = kz_dobutsu_entry_at(entries, successors[i]);
        if (number % 2 == 1 && number < soonest) {
            soonest = number;
        }
    }
    return soonest < 255 ? soonest + 1 : 0;
}
