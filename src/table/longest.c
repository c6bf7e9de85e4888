/* SPDX-License-Identifier: MIT
 *
 * The longest wins of a table. A table of all values has them; in a table of losses they are one move before the
 * longest losses, so these are looked for, and moves are taken back. */
#include "base/error.h"
#include "table/reader.h"
#include "table/scan.h"

#include <inttypes.h>
#include <kanzen/collect.h>
#include <stdlib.h>

/* A won position, or one that may be. */
typedef struct candidate {
    uint64_t index;
    kz_value value; /* KZ_UNKNOWN: not looked up yet */
} candidate;

typedef struct search {
    const kz_table *table;
    kz_pool *pool;
    const kz_progress *progress;
    kz_histogram counts;
    int shortest; /* distance that is asked for */
    candidate *candidates;
    size_t count;
    kz_error *errors; /* one a worker */
} search;

static kz_status no_memory(kz_error *error) {
    return kz_fail(error, KZ_ERR_MEMORY, "no memory for what was found in the table");
}

/* The distance down to which there are `most` wins or more. What is won at once can't be found by taking moves back
 * from positions of the table, but nobody calls it long. */
static int find_shortest(const search *s, size_t most) {
    int least = kz_table_kind_of(s->table)->losses_only ? 3 : 1;
    int distance = KZ_MAX_DISTANCE;
    uint64_t sum = s->counts.wins[distance];
    while (sum < most && distance > least) {
        sum += s->counts.wins[--distance];
    }
    return distance;
}

/* ---- Tables of all values ---------------------------------------------------------------------------------------- */

/* There may be billions of the shortest wins that are asked for. Then a random part of them is taken. */
static void ask_for_wins(const search *s, size_t most, kz_scan *scan) {
    enum { MANY = 1 << 20 };
    uint64_t longer = 0;
    for (int distance = KZ_MAX_DISTANCE; distance > s->shortest; distance--) {
        scan->parts[distance + 1] = s->counts.wins[distance] ? UINT64_MAX : 0;
        longer += s->counts.wins[distance];
    }
    uint64_t count = s->counts.wins[s->shortest];
    scan->parts[s->shortest + 1] = count > MANY && most > longer ? kz_scan_part(most - longer, count) : UINT64_MAX;
}

static kz_status take_wins(search *s, const kz_scan_entry *places, size_t count, kz_error *error) {
    s->candidates = malloc((count + 1) * sizeof *s->candidates);
    if (!s->candidates) {
        return no_memory(error);
    }
    for (size_t i = 0; i < count; i++) {
        s->candidates[i] = (candidate){places[i].index, {KZ_WIN, places[i].number - 1}};
    }
    s->count = count;
    return KZ_OK;
}

/* ---- Tables of losses -------------------------------------------------------------------------------------------- */

/* Lost in n is stored as n + 1, and the wins before it are wins in n + 1. */
static void ask_for_losses(const search *s, kz_scan *scan) {
    for (int distance = s->shortest; distance <= KZ_MAX_DISTANCE; distance++) {
        scan->parts[distance] = UINT64_MAX;
    }
}

static int by_index(const void *left, const void *right) {
    const candidate *a = left;
    const candidate *b = right;
    return a->index < b->index ? -1 : a->index > b->index;
}

static kz_status take_back(search *s, const kz_scan_entry *places, size_t count, kz_error *error) {
    const kz_game *game = kz_table_game(s->table);
    size_t room = 0;
    for (size_t i = 0; i < count; i++) {
        kz_position loss;
        kz_position before[KZ_MAX_PREDECESSORS];
        kz_unrank(game, kz_table_rules(s->table), places[i].index, &loss);
        int found = game->doors->predecessors(&loss, before);
        if (s->count + (size_t)found > room) {
            room = 2 * room + KZ_MAX_PREDECESSORS;
            candidate *more = realloc(s->candidates, room * sizeof *more);
            if (!more) {
                return no_memory(error);
            }
            s->candidates = more;
        }
        for (int k = 0; k < found; k++) {
            candidate *next = &s->candidates[s->count];
            *next = (candidate){0};
            s->count += kz_rank(game, &before[k], &next->index) ? 1 : 0;
        }
    }
    qsort(s->candidates, s->count, sizeof *s->candidates, by_index);
    size_t kept = 0;
    for (size_t i = 0; i < s->count; i++) {
        if (kept == 0 || s->candidates[kept - 1].index != s->candidates[i].index) {
            s->candidates[kept++] = s->candidates[i];
        }
    }
    s->count = kept;
    return KZ_OK;
}

static void probe_candidates(void *context, int worker, uint64_t begin, uint64_t end) {
    const search *s = context;
    for (uint64_t i = begin; i < end && s->errors[worker].status == KZ_OK; i++) {
        kz_position position;
        kz_unrank(kz_table_game(s->table), kz_table_rules(s->table), s->candidates[i].index, &position);
        (void)kz_probe(s->table, &position, &s->candidates[i].value, &s->errors[worker]);
    }
}

static kz_status probe_all(search *s, kz_error *error) {
    int workers = kz_pool_threads(s->pool);
    s->errors = calloc((size_t)workers, sizeof *s->errors);
    if (!s->errors) {
        return no_memory(error);
    }
    kz_status status =
        kz_pool_for(s->pool, s->count, 64, probe_candidates, s, s->progress, "looking up positions before", error);
    status = status == KZ_OK ? kz_fail_first(error, s->errors, workers) : status;
    free(s->errors);
    return status;
}

/* Leaves the long wins among the candidates, and compares how many there are with what the header says. */
static kz_status keep_wins(search *s, kz_error *error) {
    uint64_t found[KZ_MAX_DISTANCE + 1] = {0};
    size_t kept = 0;
    for (size_t i = 0; i < s->count; i++) {
        kz_value value = s->candidates[i].value;
        if (value.outcome == KZ_WIN && value.distance >= s->shortest && value.distance <= KZ_MAX_DISTANCE) {
            found[value.distance]++;
            s->candidates[kept++] = s->candidates[i];
        }
    }
    s->count = kept;
    for (int distance = s->shortest; distance <= KZ_MAX_DISTANCE; distance++) {
        if (found[distance] != s->counts.wins[distance]) {
            return kz_fail(error, KZ_ERR_CORRUPT,
                           "%s: the header counts %" PRIu64 " positions won in %d plies, but the table has %" PRIu64,
                           kz_table_name(s->table), s->counts.wins[distance], distance, found[distance]);
        }
    }
    return KZ_OK;
}

/* ---- Both -------------------------------------------------------------------------------------------------------- */

static kz_status find_candidates(search *s, size_t most, kz_error *error) {
    bool all_values = !kz_table_kind_of(s->table)->losses_only;
    if (!all_values && !kz_table_game(s->table)->doors->predecessors) {
        return kz_fail(error, KZ_ERR_UNSUPPORTED, "%s: long wins can't be found in a table of this game's losses",
                       kz_table_name(s->table));
    }
    kz_scan scan = {.seed = 0, .stage = "looking for the longest wins"};
    kz_scan_entry *places;
    size_t count;
    if (all_values) {
        ask_for_wins(s, most, &scan);
    } else {
        ask_for_losses(s, &scan);
    }
    KZ_TRY(kz_table_scan(s->table, &scan, s->pool, s->progress, &places, &count, error));
    kz_status status = all_values ? take_wins(s, places, count, error) : take_back(s, places, count, error);
    free(places);
    if (status != KZ_OK || all_values) {
        return status;
    }
    KZ_TRY(probe_all(s, error));
    return keep_wins(s, error);
}

static int longest_first(const void *left, const void *right) {
    const candidate *a = left;
    const candidate *b = right;
    return a->value.distance != b->value.distance ? b->value.distance - a->value.distance : by_index(a, b);
}

kz_status kz_collect_longest_entries(const kz_table *table, size_t most, int threads, const kz_progress *progress,
                                     kz_found *found, size_t *count, kz_error *error) {
    search s = {.table = table, .progress = progress};
    kz_table_histogram(table, &s.counts);
    s.shortest = find_shortest(&s, most);
    kz_error reason = {.status = KZ_ERR_MEMORY};
    s.pool = kz_pool_new(threads, &reason);
    if (!s.pool) {
        return kz_fail(error, reason.status, "%s", reason.message);
    }
    kz_status status = find_candidates(&s, most, error);
    if (status == KZ_OK) {
        qsort(s.candidates, s.count, sizeof *s.candidates, longest_first);
        *count = s.count < most ? s.count : most;
        for (size_t i = 0; i < *count; i++) {
            kz_unrank(kz_table_game(table), kz_table_rules(table), s.candidates[i].index, &found[i].position);
            found[i].value = s.candidates[i].value;
        }
    }
    free(s.candidates);
    kz_pool_free(s.pool);
    return status;
}

kz_status kz_collect_longest(const kz_table *table, size_t most, int threads, const kz_progress *progress,
                             kz_found *found, size_t *count, kz_error *error) {
    const kz_table_kind *kind = kz_table_kind_of(table);
    *count = 0;
    if (most > KZ_COLLECT_MOST) {
        return kz_fail(error, KZ_ERR_INPUT, "%d positions are the most that can be listed", KZ_COLLECT_MOST);
    }
    KZ_TRY(kz_table_check_whole(table, error));
    return kind->longest
               ? kind->longest(table, most, threads, progress, found, count, error)
               : kz_fail(error, KZ_ERR_UNSUPPORTED, "%s: long wins can't be found in a table of this game's losses",
                         kz_table_name(table));
}
