/* SPDX-License-Identifier: MIT
 *
 * What positions and moves are worth: from a table, or from a search. */
#include <kanzen/values.h>

#include "base/error.h"
#include "base/list.h"

#include <kanzen/system.h>
#include <stdlib.h>

/* How long a single move is searched in each round: a short proof should not have to wait for long searches that prove
 * nothing. In the first round a search ends when it reports for the first time, in the last one when all time is up. */
static const double ROUND_SECONDS[] = {0, 0.1, 1e9};
enum { ROUNDS = sizeof ROUND_SECONDS / sizeof *ROUND_SECONDS };

/* ---- Search ---------------------------------------------------------------------------------------------------- */

/* Stops a search when its time is up: `user` is the time. */
static bool goes_on(void *user, const char *stage, uint64_t done, uint64_t total) {
    const double *end = user;
    (void)stage;
    (void)done;
    (void)total;
    return kz_seconds() < *end;
}

/* The value as far as it can be told before the time `end`. `depth` gets how deep was looked, 0 if it took too long. */
static kz_status prove_until(const kz_values *values, const kz_position *position, int threads, double end,
                             kz_value *value, kz_move *best, int *depth, kz_error *error) {
    kz_progress progress = {.report = goes_on, .user = &end};
    int wanted = *depth;
    kz_status status =
        kz_prove_to(values->game, values->rules, position, wanted, threads, &progress, value, best, error);
    if (status == KZ_ERR_CANCELLED) {
        *value = (kz_value){KZ_UNKNOWN, 0};
        *depth = 0;
        return KZ_OK;
    }
    return status;
}

/* Looks deeper and deeper until the value is found or the time is up. */
static kz_status deepen(const kz_values *values, const kz_position *position, kz_value *value, kz_move *best,
                        int *depth, kz_error *error) {
    double end = kz_seconds() + values->value_seconds;
    int most = kz_prove_most_depth(values->game);
    kz_status status = KZ_OK;
    *depth = 0;
    for (int wanted = kz_prove_depth(values->game); wanted <= most && status == KZ_OK; wanted++) {
        int looked = wanted;
        status = prove_until(values, position, 0, end, value, best, &looked, error);
        if (looked > 0) {
            *depth = looked;
        }
        if (value->outcome != KZ_UNKNOWN || looked == 0) {
            break;
        }
    }
    return status;
}

/* The value of the position that moves are looked for in; perhaps a move that is worth it; and how deep was looked. */
static kz_status prove(const kz_values *values, const kz_position *position, kz_value *value, kz_move *best, int *depth,
                       kz_error *error) {
    *value = (kz_value){KZ_UNKNOWN, 0};
    *best = 0;
    *depth = 0;
    kz_status status = kz_validate(values->game, values->rules, position, error);
    if (status != KZ_OK) {
        return status;
    }
    *value = kz_immediate(values->game, values->rules, position);
    if (value->outcome != KZ_UNKNOWN || !kz_can_prove(values->game)) {
        return KZ_OK;
    }
    if (values->deepens && values->value_seconds > 0) {
        return deepen(values, position, value, best, depth, error);
    }
    *depth = kz_prove_depth(values->game);
    double end = values->value_seconds > 0 ? kz_seconds() + values->value_seconds : 1e300;
    return prove_until(values, position, 1, end, value, NULL, depth, error);
}

static bool equal(kz_value a, kz_value b) { return a.outcome == b.outcome && a.distance == b.distance; }

/* A move whose value is looked for. */
struct listed {
    kz_scored_move scored;
    int number;  /* in the order of kz_moves */
    int answers; /* that do not lose at once, for moves of unknown value */
};

/* All moves, with the values that the rules tell. */
static struct listed *list_moves(const kz_values *values, const kz_position *position, int *count, kz_error *error) {
    kz_list memory;
    kz_move *moves = kz_list_open(&memory, kz_max_moves(values->game, values->rules), sizeof *moves);
    *count = moves ? kz_moves(values->game, values->rules, position, moves) : 0;
    struct listed *list = moves ? malloc((size_t)(*count + 1) * sizeof *list) : NULL;
    if (!list) {
        kz_list_close(&memory);
        kz_fail(error, KZ_ERR_MEMORY, "out of memory");
        return NULL;
    }
    for (int i = 0; i < *count; i++) {
        kz_position next = *position;
        kz_play(values->game, values->rules, &next, moves[i]);
        kz_value value = kz_value_before(kz_immediate(values->game, values->rules, &next));
        list[i] = (struct listed){.scored = {.move = moves[i], .value = value}, .number = i};
    }
    kz_list_close(&memory);
    return list;
}

/* The number of the first move that is worth `value`, or `count`. */
static int find_value(const struct listed *list, int count, kz_value value) {
    int i = 0;
    while (i < count && !equal(list[i].scored.value, value)) {
        i++;
    }
    return i;
}

/* One round of search for the values of moves that have none yet, until the time `end`, or, if `wanted` is not NULL,
 * until a move has that value. */
static kz_status search_round(const kz_values *values, const kz_position *position, int round, double end,
                              const kz_value *wanted, struct listed *list, int count, kz_error *error) {
    for (int i = 0; i < count; i++) {
        kz_scored_move *scored = &list[i].scored;
        double now = kz_seconds();
        if (scored->value.outcome != KZ_UNKNOWN || now >= end) {
            continue;
        }
        double move_end = now + ROUND_SECONDS[round];
        kz_position next = *position;
        kz_play(values->game, values->rules, &next, scored->move);
        int depth = kz_prove_depth(values->game);
        kz_status status =
            prove_until(values, &next, 1, move_end < end ? move_end : end, &scored->value, NULL, &depth, error);
        if (status != KZ_OK) {
            return status;
        }
        scored->value = kz_value_before(scored->value);
        if (wanted && equal(scored->value, *wanted)) {
            return KZ_OK;
        }
    }
    return KZ_OK;
}

enum { MANY_ANSWERS = 24 }; /* as good as more */

/* How many answers to a move do not lose at once, MANY_ANSWERS at most. */
static int count_answers(const kz_values *values, const kz_position *position, kz_move move) {
    kz_list memory;
    kz_move *moves = kz_list_open(&memory, kz_max_moves(values->game, values->rules), sizeof *moves);
    kz_position next = *position;
    kz_play(values->game, values->rules, &next, move);
    int count = moves ? kz_moves(values->game, values->rules, &next, moves) : 0;
    int answers = 0;
    for (int i = 0; i < count && answers < MANY_ANSWERS; i++) {
        kz_position after = next;
        kz_play(values->game, values->rules, &after, moves[i]);
        answers += kz_immediate(values->game, values->rules, &after).outcome != KZ_WIN;
    }
    kz_list_close(&memory);
    return answers;
}

static int compare_answers(const void *left, const void *right) {
    const struct listed *a = left;
    const struct listed *b = right;
    return a->answers != b->answers ? a->answers - b->answers : a->number - b->number;
}

/* The winner's best move is mostly one that leaves few answers. Counting takes time, so the first round goes without,
 * and moves that are left at the time `end` count as having many. */
static void sort_by_answers(const kz_values *values, const kz_position *position, double end, struct listed *list,
                            int count) {
    for (int i = 0; i < count; i++) {
        if (list[i].scored.value.outcome == KZ_UNKNOWN) {
            list[i].answers = kz_seconds() < end ? count_answers(values, position, list[i].scored.move) : MANY_ANSWERS;
        }
    }
    qsort(list, (size_t)count, sizeof *list, compare_answers);
}

/* A move that is worth `value`, a win or a loss; if none is found in time, 0 for a win, and any move for a loss. */
static kz_status find_move(const kz_values *values, const kz_position *position, kz_value value, kz_move *best,
                           kz_error *error) {
    int count;
    struct listed *list = list_moves(values, position, &count, error);
    if (!list) {
        return KZ_ERR_MEMORY;
    }
    kz_status status = KZ_OK;
    double end = kz_seconds() + values->seconds;
    int rounds = kz_can_prove(values->game) ? ROUNDS : 0;
    int found = find_value(list, count, value);
    for (int round = 0; round < rounds && found == count && status == KZ_OK; round++) {
        if (round == 1 && value.outcome == KZ_WIN) {
            sort_by_answers(values, position, end, list, count);
        }
        status = search_round(values, position, round, end, &value, list, count, error);
        found = find_value(list, count, value);
    }
    if (found < count) {
        *best = list[found].scored.move;
    } else if (count > 0 && value.outcome == KZ_LOSS) {
        *best = list[0].scored.move;
    }
    free(list);
    return status;
}

static int compare_listed(const void *left, const void *right) {
    const struct listed *a = left;
    const struct listed *b = right;
    int difference = kz_value_worth(b->scored.value) - kz_value_worth(a->scored.value);
    return difference != 0 ? difference : a->number - b->number;
}

/* Looks for the values of the moves of a list that have none, frees it, and writes its moves, best first. */
static kz_status search_list(const kz_values *values, const kz_position *position, struct listed *list,
                             kz_scored_move *moves, int count, kz_error *error) {
    kz_status status = KZ_OK;
    double end = kz_seconds() + values->seconds;
    int rounds = kz_can_prove(values->game) ? ROUNDS : 0;
    for (int round = 0; round < rounds && status == KZ_OK; round++) {
        status = search_round(values, position, round, end, NULL, list, count, error);
    }
    qsort(list, (size_t)count, sizeof *list, compare_listed);
    for (int i = 0; i < count; i++) {
        moves[i] = list[i].scored;
    }
    free(list);
    return status;
}

static kz_status search_moves(const kz_values *values, const kz_position *position, kz_scored_move *moves, int *count,
                              kz_error *error) {
    struct listed *list = list_moves(values, position, count, error);
    return list ? search_list(values, position, list, moves, *count, error) : KZ_ERR_MEMORY;
}

/* What an excerpt does not know of its moves is looked for. */
static kz_status search_unknown(const kz_values *values, const kz_position *position, kz_scored_move *moves, int count,
                                kz_error *error) {
    struct listed *list = malloc((size_t)(count + 1) * sizeof *list);
    if (!list) {
        return kz_fail(error, KZ_ERR_MEMORY, "out of memory");
    }
    for (int i = 0; i < count; i++) {
        list[i] = (struct listed){.scored = moves[i], .number = i};
    }
    return search_list(values, position, list, moves, count, error);
}

/* ---- Either ---------------------------------------------------------------------------------------------------- */

kz_status kz_values_value(const kz_values *values, const kz_position *position, kz_value *value, kz_error *error) {
    kz_move best;
    int depth;
    if (values->table) {
        kz_status status = kz_probe(values->table, position, value, error);
        if (status != KZ_OK || value->outcome != KZ_UNKNOWN) {
            return status;
        }
    }
    return prove(values, position, value, &best, &depth, error);
}

static bool some_unknown(const kz_scored_move *moves, int count) {
    bool unknown = false;
    for (int i = 0; i < count; i++) {
        unknown = unknown || moves[i].value.outcome == KZ_UNKNOWN;
    }
    return unknown;
}

/* With a table the value of the best move is the value of the position, and need not be looked up once more. */
static kz_status probe_moves(const kz_values *values, const kz_position *position, kz_value *value,
                             kz_scored_move *moves, int *count, kz_error *error) {
    kz_status status = kz_probe_moves(values->table, position, moves, count, error);
    if (status == KZ_OK && (*count == 0 || some_unknown(moves, *count))) {
        status = kz_values_value(values, position, value, error);
        return status == KZ_OK ? search_unknown(values, position, moves, *count, error) : status;
    }
    if (status == KZ_OK) {
        *value = moves[0].value;
    }
    return status;
}

kz_status kz_values_search(const kz_values *values, const kz_position *position, kz_value *value, kz_move *best,
                           int *depth, kz_error *error) {
    *best = 0;
    *depth = 0;
    if (!values->table) {
        kz_status status = prove(values, position, value, best, depth, error);
        bool decided = status == KZ_OK && value->outcome != KZ_UNKNOWN && value->outcome != KZ_DRAW;
        return decided && *best == 0 ? find_move(values, position, *value, best, error) : status;
    }
    kz_list memory;
    kz_scored_move *moves = kz_list_open(&memory, kz_max_moves(values->game, values->rules), sizeof *moves);
    int count = 0;
    kz_status status = moves ? probe_moves(values, position, value, moves, &count, error)
                             : kz_fail(error, KZ_ERR_MEMORY, "out of memory");
    if (status == KZ_OK && count > 0) {
        *best = moves[0].move;
    }
    kz_list_close(&memory);
    return status;
}

kz_status kz_values_best(const kz_values *values, const kz_position *position, kz_value *value, kz_move *best,
                         kz_error *error) {
    int depth;
    return kz_values_search(values, position, value, best, &depth, error);
}

kz_status kz_values_moves(const kz_values *values, const kz_position *position, kz_value *value, kz_scored_move *moves,
                          int *count, kz_error *error) {
    if (values->table) {
        return probe_moves(values, position, value, moves, count, error);
    }
    /* The moves are what is asked for, so most of the time is theirs. */
    kz_values limited = *values;
    double end = kz_seconds() + values->seconds;
    if (values->deepens) {
        limited.value_seconds = values->seconds / 4;
    }
    kz_move best;
    int depth;
    kz_status status = prove(&limited, position, value, &best, &depth, error);
    if (values->deepens) {
        limited.seconds = end - kz_seconds();
    }
    return status == KZ_OK ? search_moves(&limited, position, moves, count, error) : status;
}
