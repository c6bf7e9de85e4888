/* SPDX-License-Identifier: MIT
 *
 * Puzzles: won positions in which just one move wins, a few of every length. They are looked for in a random part of
 * the table. A table of losses has no wins, but what a loser's longest defence leads to is one. */
#include "base/error.h"
#include "base/list.h"
#include "table/reader.h"
#include "table/scan.h"

#include <kanzen/collect.h>
#include <stdlib.h>

enum {
    MOST_PER_LENGTH = 200,
    TRIES = 2000,     /* places that are looked at, at most, */
    TRIES_EACH = 100, /* and so many more for each puzzle */
    FEWEST_MOVES = 2  /* with a single legal move there is nothing to find */
};

/* The puzzles of one distance. */
typedef struct length {
    int distance;
    const kz_scan_entry *places; /* where to look */
    size_t place_count;
    kz_puzzle *puzzles; /* room for as many as are wanted */
    uint64_t *indices;  /* theirs */
    unsigned count;
} length;

typedef struct search {
    const kz_table *table;
    const kz_game *game;
    int rules;
    const kz_puzzle_wish *wish;
    bool all_values;
    length lengths[KZ_MAX_DISTANCE + 1];
    int length_count;
    kz_found *longest; /* wins that no loss comes before */
    size_t longest_count;
    kz_error *errors; /* one a worker */
} search;

static uint64_t tries(const search *s) { return TRIES + (uint64_t)TRIES_EACH * s->wish->per_length; }

/* ---- One position ------------------------------------------------------------------------------------------------ */

/* The one move that wins; 0 if there are more, or if it is the only legal one. */
static kz_status choose_only_move(const search *s, const kz_position *position, const kz_move *moves, int count,
                                  kz_move *only, kz_error *error) {
    *only = 0;
    for (int i = 0; count >= FEWEST_MOVES && i < count; i++) {
        kz_position after = *position;
        kz_value value;
        kz_play(s->game, s->rules, &after, moves[i]);
        KZ_TRY(kz_probe(s->table, &after, &value, error));
        if (value.outcome == KZ_LOSS && *only) {
            *only = 0;
            return KZ_OK;
        }
        *only = value.outcome == KZ_LOSS ? moves[i] : *only;
    }
    return KZ_OK;
}

static kz_status find_only_move(const search *s, const kz_position *position, kz_move *only, kz_error *error) {
    kz_list memory;
    kz_move *moves = kz_list_open(&memory, kz_max_moves(s->game, s->rules), sizeof *moves);
    kz_status status = moves ? KZ_OK : kz_fail(error, KZ_ERR_MEMORY, "no memory to list the moves of a position");
    if (status == KZ_OK) {
        int count = kz_moves(s->game, s->rules, position, moves);
        status = choose_only_move(s, position, moves, count, only, error);
    }
    kz_list_close(&memory);
    return status;
}

static bool has(const length *l, uint64_t index) {
    for (unsigned i = 0; i < l->count; i++) {
        if (l->indices[i] == index) {
            return true;
        }
    }
    return false;
}

/* Adds a position that is won in the length's distance if it is a puzzle. `added` says whether it was. */
static kz_status try_position(const search *s, length *l, uint64_t index, bool *added, kz_error *error) {
    kz_puzzle puzzle = {.value = {KZ_WIN, l->distance}};
    *added = false;
    if (has(l, index)) {
        return KZ_OK;
    }
    kz_unrank(s->game, s->rules, index, &puzzle.position);
    KZ_TRY(find_only_move(s, &puzzle.position, &puzzle.move, error));
    if (puzzle.move) {
        l->indices[l->count] = index;
        l->puzzles[l->count++] = puzzle;
        *added = true;
    }
    return KZ_OK;
}

/* The same for a lost position: one of the positions that its longest defences lead to. */
static kz_status try_defences(const search *s, length *l, const kz_scan_entry *loss, kz_error *error) {
    kz_position position;
    kz_list memory;
    kz_move *moves = kz_list_open(&memory, kz_max_moves(s->game, s->rules), sizeof *moves);
    kz_status status = moves ? KZ_OK : kz_fail(error, KZ_ERR_MEMORY, "no memory to list the moves of a position");
    kz_unrank(s->game, s->rules, loss->index, &position);
    int count = moves ? kz_moves(s->game, s->rules, &position, moves) : 0;
    bool added = false;
    for (int i = 0; status == KZ_OK && i < count && !added; i++) {
        kz_position after = position;
        kz_value value;
        uint64_t index;
        /* Not always the first move of the list: it is the same piece's. */
        kz_play(s->game, s->rules, &after, moves[(loss->order % (unsigned)count + (unsigned)i) % (unsigned)count]);
        status = kz_probe(s->table, &after, &value, error);
        if (status == KZ_OK && value.outcome == KZ_WIN && value.distance == l->distance &&
            kz_rank(s->game, &after, &index)) {
            status = try_position(s, l, index, &added, error);
        }
    }
    kz_list_close(&memory);
    return status;
}

/* ---- One length -------------------------------------------------------------------------------------------------- */

static kz_status fill_length(const search *s, length *l, kz_error *error) {
    bool added;
    for (size_t i = 0; i < l->place_count && i < tries(s) && l->count < s->wish->per_length; i++) {
        KZ_TRY(s->all_values ? try_position(s, l, l->places[i].index, &added, error)
                             : try_defences(s, l, &l->places[i], error));
    }
    for (size_t i = 0; i < s->longest_count && l->count < s->wish->per_length; i++) {
        uint64_t index;
        if (s->longest[i].value.distance == l->distance && kz_rank(s->game, &s->longest[i].position, &index)) {
            KZ_TRY(try_position(s, l, index, &added, error));
        }
    }
    return KZ_OK;
}

static void fill_lengths(void *context, int worker, uint64_t begin, uint64_t end) {
    search *s = context;
    for (uint64_t i = begin; i < end && s->errors[worker].status == KZ_OK; i++) {
        (void)fill_length(s, &s->lengths[i], &s->errors[worker]);
    }
}

/* ---- All --------------------------------------------------------------------------------------------------------- */

/* The number that the table stores where puzzles of this distance are looked for: wins themselves, or losses one ply
 * longer. */
static int stored_for(const search *s, int distance) { return s->all_values ? distance + 1 : distance + 2; }

/* Sets up the lengths and what the scan is to take for them. */
static kz_status open_lengths(search *s, const kz_histogram *counts, kz_scan *scan, kz_error *error) {
    unsigned wanted = s->wish->per_length;
    for (int distance = 1; distance + 2 < KZ_NO_POSITION && distance < KZ_MAX_DISTANCE; distance++) {
        uint64_t places = s->all_values ? counts->wins[distance] : counts->losses[distance + 1];
        if (counts->wins[distance] == 0) {
            continue;
        }
        length *l = &s->lengths[s->length_count++];
        *l = (length){.distance = distance,
                      .puzzles = malloc(wanted * sizeof *l->puzzles),
                      .indices = malloc(wanted * sizeof *l->indices)};
        if (!l->puzzles || !l->indices) {
            return kz_fail(error, KZ_ERR_MEMORY, "no memory for puzzles");
        }
        scan->parts[stored_for(s, distance)] = places ? kz_scan_part(tries(s), places) : 0;
    }
    return KZ_OK;
}

/* Each length gets its part of the places; both are sorted. */
static void hand_out(search *s, const kz_scan_entry *places, size_t count) {
    size_t at = 0;
    for (int i = 0; i < s->length_count; i++) {
        length *l = &s->lengths[i];
        int number = stored_for(s, l->distance);
        while (at < count && places[at].number < number) {
            at++;
        }
        l->places = places + at;
        while (at < count && places[at].number == number) {
            at++;
        }
        l->place_count = (size_t)(places + at - l->places);
    }
}

/* No loss is longer than the longest win, so there is none to find it from. */
static kz_status find_longest(search *s, const kz_histogram *counts, const kz_progress *progress, kz_error *error) {
    if (s->all_values || s->length_count == 0) {
        return KZ_OK;
    }
    uint64_t most = counts->wins[s->lengths[s->length_count - 1].distance];
    most = most < tries(s) ? most : tries(s);
    most = most < KZ_COLLECT_MOST ? most : KZ_COLLECT_MOST;
    s->longest = malloc((size_t)most * sizeof *s->longest);
    if (!s->longest) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for puzzles");
    }
    return kz_collect_longest(s->table, (size_t)most, s->wish->threads, progress, s->longest, &s->longest_count, error);
}

static kz_status fill_all(search *s, kz_pool *pool, const kz_progress *progress, kz_error *error) {
    int workers = kz_pool_threads(pool);
    s->errors = calloc((size_t)workers, sizeof *s->errors);
    if (!s->errors) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for puzzles");
    }
    kz_status status =
        kz_pool_for(pool, (uint64_t)s->length_count, 1, fill_lengths, s, progress, "looking for puzzles", error);
    status = status == KZ_OK ? kz_fail_first(error, s->errors, workers) : status;
    free(s->errors);
    return status;
}

static kz_status gather(const search *s, kz_puzzle **puzzles, size_t *count, kz_error *error) {
    size_t sum = 0;
    for (int i = 0; i < s->length_count; i++) {
        sum += s->lengths[i].count;
    }
    kz_puzzle *all = malloc((sum + 1) * sizeof *all);
    if (!all) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for puzzles");
    }
    *count = 0;
    for (int i = 0; i < s->length_count; i++) {
        for (unsigned k = 0; k < s->lengths[i].count; k++) {
            all[(*count)++] = s->lengths[i].puzzles[k];
        }
    }
    *puzzles = all;
    return KZ_OK;
}

static kz_status collect(search *s, kz_pool *pool, const kz_progress *progress, kz_error *error) {
    kz_histogram counts;
    kz_scan scan = {.seed = s->wish->seed, .stage = "reading values"};
    kz_scan_entry *places = NULL;
    size_t count = 0;
    kz_table_histogram(s->table, &counts);
    kz_status status;
    KZ_TRY_OR(done, open_lengths(s, &counts, &scan, error));
    KZ_TRY_OR(done, kz_table_scan(s->table, &scan, pool, progress, &places, &count, error));
    hand_out(s, places, count);
    KZ_TRY_OR(done, find_longest(s, &counts, progress, error));
    KZ_TRY_OR(done, fill_all(s, pool, progress, error));
done:
    free(places);
    return status;
}

kz_status kz_collect_puzzle_entries(const kz_table *table, const kz_puzzle_wish *wish, const kz_progress *progress,
                                    kz_puzzle **puzzles, size_t *count, kz_error *error) {
    kz_error reason = {.status = KZ_ERR_MEMORY};
    kz_pool *pool = kz_pool_new(wish->threads, &reason);
    if (!pool) {
        return kz_fail(error, reason.status, "%s", reason.message);
    }
    search s = {.table = table,
                .game = kz_table_game(table),
                .rules = kz_table_rules(table),
                .wish = wish,
                .all_values = !kz_table_kind_of(table)->losses_only};
    kz_status status = collect(&s, pool, progress, error);
    if (status == KZ_OK) {
        status = gather(&s, puzzles, count, error);
    }
    for (int i = 0; i < s.length_count; i++) {
        free(s.lengths[i].puzzles);
        free(s.lengths[i].indices);
    }
    free(s.longest);
    kz_pool_free(pool);
    return status;
}

kz_status kz_collect_puzzles(const kz_table *table, const kz_puzzle_wish *wish, const kz_progress *progress,
                             kz_puzzle **puzzles, size_t *count, kz_error *error) {
    const kz_table_kind *kind = kz_table_kind_of(table);
    if (wish->per_length < 1 || wish->per_length > MOST_PER_LENGTH) {
        return kz_fail(error, KZ_ERR_INPUT, "%u puzzles of each length: 1 to %d are possible", wish->per_length,
                       MOST_PER_LENGTH);
    }
    KZ_TRY(kz_table_check_whole(table, error));
    return kind->puzzles
               ? kind->puzzles(table, wish, progress, puzzles, count, error)
               : kz_fail(error, KZ_ERR_UNSUPPORTED, "%s: there is no table to find puzzles in", kz_table_name(table));
}
