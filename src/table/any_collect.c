/* SPDX-License-Identifier: MIT */
#include "base/error.h"
#include "base/pool.h"
#include "base/random.h"
#include "game/defined.h"
#include "table/any_kind.h"

#include <stdlib.h>
#include <string.h>

/* A place of the index that was found. Lists keep those that come first by `key`, then by index. */
typedef struct pick {
    uint64_t key;
    uint64_t index;
    int distance;
    kz_move move;
} pick;

/* The best picks that one worker has seen, up to `most`; it has room for twice as many. */
typedef struct list {
    pick *picks;
    size_t count;
} list;

/* ---- Lists ------------------------------------------------------------------------------------------------------- */

static int compare(const void *left, const void *right) {
    const pick *a = left;
    const pick *b = right;
    if (a->key != b->key) {
        return a->key < b->key ? -1 : 1;
    }
    return a->index < b->index ? -1 : a->index > b->index;
}

static void cut(list *l, size_t most) {
    if (l->count > most) {
        qsort(l->picks, l->count, sizeof *l->picks, compare);
        l->count = most;
    }
}

static bool add_pick(list *l, size_t most, const pick *new) {
    if (!l->picks) {
        l->picks = malloc((2 * most + 1) * sizeof *l->picks);
        if (!l->picks) {
            return false;
        }
    }
    l->picks[l->count++] = *new;
    if (l->count > 2 * most) {
        cut(l, most);
    }
    return true;
}

/* All lists as one: the first `most` of what they have. */
static bool join(list *all, const list *lists, int count, size_t stride, size_t most) {
    for (int i = 0; i < count; i++) {
        const list *l = &lists[(size_t)i * stride];
        for (size_t k = 0; k < l->count; k++) {
            if (!add_pick(all, most, &l->picks[k])) {
                return false;
            }
        }
    }
    if (all->picks) {
        qsort(all->picks, all->count, sizeof *all->picks, compare);
    }
    all->count = all->count < most ? all->count : most;
    return true;
}

/* ---- Going over the table ---------------------------------------------------------------------------------------- */

typedef struct search {
    const kz_table *table;
    const kz_game *game;
    int rules;
    uint64_t places;
    uint64_t draws; /* places that are looked at: all, or random ones */
    uint64_t seed;
    size_t most;
    int shortest;   /* of the longest wins: the distance that is asked for */
    int *distances; /* of puzzles: of all wins, ascending */
    size_t lengths;
    list *lists; /* [workers * lengths] */
    kz_error *errors;
} search;

static kz_status no_memory(kz_error *error) {
    return kz_fail(error, KZ_ERR_MEMORY, "no memory for what was found in the table");
}

static uint64_t place_of(const search *s, uint64_t draw) {
    return s->draws == s->places ? draw : kz_scramble(kz_scramble(s->seed) ^ kz_scramble(draw)) % s->places;
}

/* Whether the place is a won position; its value then. */
static bool is_win(const search *s, uint64_t index, kz_position *position, kz_value *value, kz_error *error) {
    return kz_unrank(s->game, s->rules, index, position) && kz_probe(s->table, position, value, error) == KZ_OK &&
           value->outcome == KZ_WIN;
}

static void look_for_longest(void *context, int worker, uint64_t begin, uint64_t end) {
    search *s = context;
    kz_error *error = &s->errors[worker];
    for (uint64_t i = begin; i < end && error->status == KZ_OK; i++) {
        kz_position position;
        kz_value value;
        if (is_win(s, i, &position, &value, error) && value.distance >= s->shortest) {
            pick found = {(uint64_t)(KZ_MAX_PLIES - value.distance), i, value.distance, 0};
            if (!add_pick(&s->lists[worker], s->most, &found)) {
                no_memory(error);
            }
        }
    }
}

/* The one move that wins; 0 if there are more, or if it is the only legal one. */
static kz_move only_move(const search *s, const kz_position *position, kz_error *error) {
    kz_move moves[KZ_DEFINE_MAX_MOVES];
    kz_move only = 0;
    int count = kz_moves(s->game, s->rules, position, moves);
    for (int i = 0; count > 1 && i < count; i++) {
        kz_position after = *position;
        kz_value value;
        kz_play(s->game, s->rules, &after, moves[i]);
        if (kz_probe(s->table, &after, &value, error) != KZ_OK || (value.outcome == KZ_LOSS && only)) {
            return 0;
        }
        only = value.outcome == KZ_LOSS ? moves[i] : only;
    }
    return only;
}

static size_t length_of(const search *s, int distance) {
    size_t low = 0;
    size_t high = s->lengths;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        *(s->distances[middle] <= distance ? &low : &high) = middle;
    }
    return low;
}

static void look_for_puzzles(void *context, int worker, uint64_t begin, uint64_t end) {
    search *s = context;
    kz_error *error = &s->errors[worker];
    for (uint64_t draw = begin; draw < end && error->status == KZ_OK; draw++) {
        kz_position position;
        kz_value value;
        uint64_t index = place_of(s, draw);
        if (!is_win(s, index, &position, &value, error)) {
            continue;
        }
        list *l = &s->lists[(size_t)worker * s->lengths + length_of(s, value.distance)];
        pick found = {kz_scramble(kz_scramble(s->seed + 1) ^ kz_scramble(index)), index, value.distance, 0};
        /* After a cut, the last of the list shows what is too late anyway. */
        if (l->count >= s->most && l->count == s->most && compare(&found, &l->picks[s->most - 1]) >= 0) {
            continue;
        }
        for (size_t k = 0; k < l->count; k++) { /* random draws may come twice */
            if (l->picks[k].index == index) {
                found.index = UINT64_MAX;
            }
        }
        found.move = found.index == UINT64_MAX ? 0 : only_move(s, &position, error);
        if (error->status == KZ_OK && found.move) {
            if (!add_pick(l, s->most, &found)) {
                no_memory(error);
            } else if (l->count >= s->most) {
                cut(l, s->most);
            }
        }
    }
}

static kz_status search_all(search *s, kz_pool *pool, kz_pool_work *work, const char *stage,
                            const kz_progress *progress, list *found, kz_error *error) {
    int workers = kz_pool_threads(pool);
    s->lists = calloc((size_t)workers * s->lengths + 1, sizeof *s->lists);
    s->errors = calloc((size_t)workers, sizeof *s->errors);
    if (!s->lists || !s->errors) {
        return no_memory(error);
    }
    KZ_TRY(kz_pool_for(pool, s->draws, 256, work, s, progress, stage, error));
    KZ_TRY(kz_fail_first(error, s->errors, workers));
    for (size_t i = 0; i < s->lengths; i++) {
        if (!join(&found[i], s->lists + i, workers, s->lengths, s->most)) {
            return no_memory(error);
        }
    }
    return KZ_OK;
}

/* Has `work` look at all draws, and puts what it finds into one list for each length. */
static kz_status search_by(search *s, int threads, kz_pool_work *work, const char *stage, const kz_progress *progress,
                           list *found, kz_error *error) {
    kz_error reason = {.status = KZ_ERR_MEMORY};
    kz_pool *pool = kz_pool_new(threads, &reason);
    if (!pool) {
        return kz_fail(error, reason.status, "%s", reason.message);
    }
    kz_status status = search_all(s, pool, work, stage, progress, found, error);
    for (size_t i = 0; s->lists && i < (size_t)kz_pool_threads(pool) * s->lengths; i++) {
        free(s->lists[i].picks);
    }
    free(s->lists);
    free(s->errors);
    kz_pool_free(pool);
    return status;
}

/* ---- The longest wins -------------------------------------------------------------------------------------------- */

/* The distance from which on there are `most` wins or more. */
static int find_shortest(const kz_table *table, size_t most) {
    kz_value value;
    uint64_t count;
    size_t entries = 0;
    while (kz_table_count(table, entries, &value, &count)) {
        entries++;
    }
    uint64_t sum = 0;
    int shortest = 0;
    for (size_t i = entries; i-- > 0 && sum < most;) { /* wins come last, the longest at the end */
        (void)kz_table_count(table, i, &value, &count);
        if (value.outcome == KZ_WIN) {
            sum += count;
            shortest = value.distance;
        }
    }
    return shortest;
}

kz_status kz_any_longest(const kz_table *table, size_t most, int threads, const kz_progress *progress, kz_found *found,
                         size_t *count, kz_error *error) {
    search s = {.table = table,
                .game = kz_table_game(table),
                .rules = kz_table_rules(table),
                .places = kz_table_shape(table)->places,
                .draws = kz_table_shape(table)->places,
                .most = most ? most : 1,
                .shortest = find_shortest(table, most),
                .lengths = 1};
    list all = {NULL, 0};
    kz_status status = search_by(&s, threads, look_for_longest, "looking for the longest wins", progress, &all, error);
    *count = 0;
    for (size_t i = 0; status == KZ_OK && i < all.count && i < most; i++) {
        (void)kz_unrank(s.game, s.rules, all.picks[i].index, &found[i].position);
        found[i].value = (kz_value){KZ_WIN, all.picks[i].distance};
        *count = i + 1;
    }
    free(all.picks);
    return status;
}

/* ---- Puzzles ----------------------------------------------------------------------------------------------------- */

static bool list_distances(search *s) {
    kz_value value;
    uint64_t count;
    size_t entries = 0;
    while (kz_table_count(s->table, entries, &value, &count)) {
        entries++;
    }
    s->distances = malloc((entries + 1) * sizeof *s->distances);
    for (size_t i = 0; s->distances && i < entries; i++) {
        (void)kz_table_count(s->table, i, &value, &count);
        if (value.outcome == KZ_WIN && value.distance > 0) {
            s->distances[s->lengths++] = value.distance;
        }
    }
    return s->distances != NULL;
}

kz_status kz_any_puzzles(const kz_table *table, const kz_puzzle_wish *wish, const kz_progress *progress,
                         kz_puzzle **puzzles, size_t *count, kz_error *error) {
    enum { MOST_DRAWS = 1 << 20 };
    uint64_t places = kz_table_shape(table)->places;
    search s = {.table = table,
                .game = kz_table_game(table),
                .rules = kz_table_rules(table),
                .places = places,
                .draws = places < MOST_DRAWS ? places : MOST_DRAWS,
                .seed = wish->seed,
                .most = wish->per_length};
    list *all = NULL;
    kz_status status = KZ_OK;
    if (list_distances(&s)) {
        all = calloc(s.lengths + 1, sizeof *all);
        *puzzles = malloc((s.lengths * wish->per_length + 1) * sizeof **puzzles);
    }
    if (!all || !*puzzles) {
        status = no_memory(error);
    } else if (s.lengths > 0) {
        status = search_by(&s, wish->threads, look_for_puzzles, "looking for puzzles", progress, all, error);
    }
    *count = 0;
    for (size_t i = 0; status == KZ_OK && i < s.lengths; i++) {
        for (size_t k = 0; k < all[i].count; k++) {
            const pick *found = &all[i].picks[k];
            if (k > 0 && found->index == all[i].picks[k - 1].index) {
                continue; /* two workers drew it */
            }
            kz_puzzle *puzzle = &(*puzzles)[(*count)++];
            (void)kz_unrank(s.game, s.rules, found->index, &puzzle->position);
            puzzle->value = (kz_value){KZ_WIN, found->distance};
            puzzle->move = found->move;
        }
    }
    for (size_t i = 0; all && i < s.lengths; i++) {
        free(all[i].picks);
    }
    free(all);
    free(s.distances);
    if (status != KZ_OK) {
        free(*puzzles);
        *puzzles = NULL;
    }
    return status;
}
