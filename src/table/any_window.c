/* SPDX-License-Identifier: MIT */
#include "table/any_window.h"

#include "base/bigmem.h"
#include "base/error.h"
#include "game/defined.h"
#include "table/any_kind.h"

#include <stdlib.h>

enum { MOST_PIECES = 1 << 16 };

/* What a worker has. */
typedef struct kz_any_window_reader {
    uint16_t *entries;  /* of a block */
    uint64_t failed_at; /* the first block that could not be read */
    kz_error error;
} reader;

/* A tier that is being read. */
typedef struct reading {
    const kz_any_window *window;
    const kz_any_window_tier *tier;
    uint64_t first_block;
} reading;

static size_t bytes_of(const kz_any_window *window, const kz_any_window_tier *tier) {
    return (size_t)tier->count * (window->narrow ? sizeof(uint16_t) : sizeof(uint32_t));
}

/* ---- Opening ----------------------------------------------------------------------------------------------------- */

/* The table may say how far it goes, but does not have to be right: what it stores decides. */
static kz_code largest_code(const kz_table *table) {
    const kz_any_values *values = &kz_table_any(table)->values;
    kz_code largest = 0;
    for (unsigned i = 0; i < values->count; i++) {
        largest = values->codes[i] > largest ? values->codes[i] : largest;
    }
    return largest + 4; /* a win that is derived is one ply longer than a loss */
}

static const kz_definition *definition_of(const kz_any_window *window) {
    return kz_table_game(window->table)->definition;
}

static const void *context_of(const kz_any_window *window) {
    return kz_game_context(kz_table_game(window->table), kz_table_rules(window->table));
}

static bool open_memory(kz_any_window *window) {
    int workers = kz_pool_threads(window->pool);
    while (window->size >> window->piece_bits >= MOST_PIECES) {
        window->piece_bits++;
    }
    window->tier = calloc((size_t)window->tiers, sizeof *window->tier);
    window->tier_at = malloc(((window->size >> window->piece_bits) + 1) * sizeof *window->tier_at);
    window->readers = calloc((size_t)workers, sizeof *window->readers);
    bool complete = window->tier && window->tier_at && window->readers;
    for (int i = 0; complete && i < workers; i++) {
        window->readers[i].entries = malloc(KZ_ANY_BLOCK * sizeof(uint16_t));
        complete = window->readers[i].entries;
    }
    return complete;
}

kz_status kz_any_window_open(const kz_table *table, kz_pool *pool, uint64_t limit, kz_any_window *window,
                             kz_error *error) {
    *window = (kz_any_window){.table = table, .pool = pool, .limit = limit};
    const kz_definition *game = definition_of(window);
    const void *context = context_of(window);
    window->size = kz_table_shape(table)->places;
    window->narrow = largest_code(table) <= UINT16_MAX;
    window->tiers = kz_defined_tiers(game, context);
    if (!open_memory(window)) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for the values of a table");
    }
    for (int i = 0; i < window->tiers; i++) {
        kz_any_window_tier *tier = &window->tier[i];
        tier->begin = kz_defined_tier_begin(game, context, i);
        tier->count = kz_defined_tier_begin(game, context, i + 1) - tier->begin;
    }
    uint16_t at = 0;
    for (uint64_t piece = 0; piece << window->piece_bits < window->size; piece++) {
        while (window->tier[at].begin + window->tier[at].count <= piece << window->piece_bits) {
            at++;
        }
        window->tier_at[piece] = at;
    }
    return KZ_OK;
}

static void drop(kz_any_window *window, kz_any_window_tier *tier) {
    if (tier->codes) {
        kz_big_free(tier->codes, bytes_of(window, tier));
        window->bytes -= bytes_of(window, tier);
        tier->codes = NULL;
        tier->complete = false;
    }
}

void kz_any_window_close(kz_any_window *window) {
    for (int i = 0; window->tier && i < window->tiers; i++) {
        drop(window, &window->tier[i]);
    }
    for (int i = 0; window->readers && i < kz_pool_threads(window->pool); i++) {
        free(window->readers[i].entries);
    }
    free(window->tier);
    free(window->tier_at);
    free(window->readers);
}

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

/* Blocks know nothing of tiers: the first and the last may have numbers of others, too. */
static void read_blocks(void *context, int worker, uint64_t begin, uint64_t end) {
    const reading *r = context;
    const kz_any_window *window = r->window;
    const kz_any_window_tier *tier = r->tier;
    reader *own = &window->readers[worker];
    const kz_code *codes = kz_table_any(window->table)->values.codes;
    for (uint64_t block = r->first_block + begin; block < r->first_block + end; block++) {
        uint64_t first = block * KZ_ANY_BLOCK;
        uint64_t last = first + KZ_ANY_BLOCK;
        first = first > tier->begin ? first : tier->begin;
        last = last < tier->begin + tier->count ? last : tier->begin + tier->count;
        kz_error error;
        if (kz_table_read(window->table, first, last - first, own->entries, &error) != KZ_OK) {
            if (block < own->failed_at) {
                own->failed_at = block;
                own->error = error;
            }
            continue;
        }
        for (uint64_t index = first; index < last; index++) {
            kz_any_window_set(window, index, codes[own->entries[index - first]]);
        }
    }
}

static kz_status first_failure(const kz_any_window *window, kz_error *error) {
    const reader *first = NULL;
    for (int i = 0; i < kz_pool_threads(window->pool); i++) {
        const reader *r = &window->readers[i];
        if (r->failed_at != UINT64_MAX && (!first || r->failed_at < first->failed_at)) {
            first = r;
        }
    }
    return first ? kz_fail(error, first->error.status, "%s", first->error.message) : KZ_OK;
}

/* Drops what was not wanted for the longest time until there is room for `bytes` more, if that helps. */
static void make_room(kz_any_window *window, uint64_t bytes) {
    while (window->bytes + bytes > window->limit) {
        kz_any_window_tier *oldest = NULL;
        for (int i = 0; i < window->tiers; i++) {
            kz_any_window_tier *tier = &window->tier[i];
            if (tier->codes && !tier->wanted && (!oldest || tier->used < oldest->used)) {
                oldest = tier;
            }
        }
        if (!oldest) {
            return;
        }
        drop(window, oldest);
    }
}

static kz_status read_tier(kz_any_window *window, kz_any_window_tier *tier, const kz_progress *progress,
                           kz_error *error) {
    size_t bytes = bytes_of(window, tier);
    make_room(window, bytes);
    tier->codes = kz_big_alloc(bytes);
    if (!tier->codes) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory to verify the table: it takes %llu MiB",
                       (unsigned long long)((window->bytes + bytes) >> 20));
    }
    window->bytes += bytes;
    for (int i = 0; i < kz_pool_threads(window->pool); i++) {
        window->readers[i].failed_at = UINT64_MAX;
    }
    reading r = {.window = window, .tier = tier, .first_block = tier->begin / KZ_ANY_BLOCK};
    uint64_t blocks = (tier->begin + tier->count - 1) / KZ_ANY_BLOCK + 1 - r.first_block;
    KZ_TRY(kz_pool_for(window->pool, blocks, 0, read_blocks, &r, progress, "reading values", error));
    return first_failure(window, error);
}

void kz_any_window_want_none(kz_any_window *window) {
    for (int i = 0; i < window->tiers; i++) {
        window->tier[i].wanted = false;
    }
}

int kz_any_window_next(const kz_any_window *window, int tier, int *next) {
    return kz_defined_tier_next(definition_of(window), context_of(window), tier, next);
}

static void want(kz_any_window *window, int number) {
    window->tier[number].wanted = true;
    window->tier[number].used = ++window->wants;
}

kz_status kz_any_window_want(kz_any_window *window, int tier, const kz_progress *progress, kz_error *error) {
    int *numbers = malloc(((size_t)window->tiers + 1) * sizeof *numbers);
    if (!numbers) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for a list of tiers");
    }
    int count = kz_any_window_next(window, tier, numbers);
    numbers[count++] = tier;
    for (int i = 0; i < count; i++) {
        want(window, numbers[i]); /* all, before the first is read: what is wanted is not dropped */
    }
    kz_status status = KZ_OK;
    for (int i = 0; status == KZ_OK && i < count; i++) {
        kz_any_window_tier *wanted = &window->tier[numbers[i]];
        if (!wanted->codes && wanted->count > 0) {
            status = read_tier(window, wanted, progress, error);
        }
    }
    free(numbers);
    return status;
}
