/* SPDX-License-Identifier: MIT
 *
 * What positions and moves are worth: from a table, or from a search. */
#include "app/engine/players.h"

#include "base/error.h"
#include "base/list.h"
#include "table/reader.h"

#include <kanzen/system.h>
#include <stdlib.h>

/* How long a single move is searched in each round: a short proof should not have to wait for long searches that prove
 * nothing. In the first round a search ends when it reports for the first time, in the last one when all time is up. */
static const double ROUND_SECONDS[] = {0, 0.1, 1e9};
enum { ROUNDS = sizeof ROUND_SECONDS / sizeof *ROUND_SECONDS };

/* ---- Search ---------------------------------------------------------------------------------------------------- */

bool kz_has_time(void *user, const char *stage, uint64_t done, uint64_t total) {
    const double *end = user;
    (void)stage;
    (void)done;
    (void)total;
    return kz_seconds() < *end;
}

/* The value as far as it can be told before the time `end`. `depth` gets how deep was looked, 0 if it took too long. */
static kz_status prove_until(const kz_values *values, const kz_position *position, int threads, double end,
                             kz_value *value, kz_move *best, int *depth, kz_error *error) {
    kz_progress progress = {.report = kz_has_time, .user = &end};
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
    *depth = 0;
    for (int wanted = kz_prove_depth(values->game); wanted <= most; wanted++) {
        int looked = wanted;
        KZ_TRY(prove_until(values, position, 0, end, value, best, &looked, error));
        if (looked > 0) {
            *depth = looked;
        }
        if (value->outcome != KZ_UNKNOWN || looked == 0) {
            break;
        }
    }
    return KZ_OK;
}

/* The value of the position that moves are looked for in; perhaps a move that is worth it; and how deep was looked. */
static kz_status prove(const kz_values *values, const kz_position *position, kz_value *value, kz_move *best, int *depth,
                       kz_error *error) {
    *value = (kz_value){KZ_UNKNOWN, 0};
    *best = 0;
    *depth = 0;
    KZ_TRY(kz_validate(values->game, values->rules, position, error));
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

/* All moves, with the values that the rules tell. */
static kz_status list_moves(const kz_values *values, const kz_position *position, kz_choice **moves, int *count,
                            kz_error *error) {
    KZ_TRY(kz_list_choices(values->game, values->rules, position, moves, count, error));
    for (int i = 0; i < *count; i++) {
        (*moves)[i].value = kz_value_before(kz_immediate(values->game, values->rules, &(*moves)[i].after));
    }
    return KZ_OK;
}

/* The number of the first move that is worth `value`, or `count`. */
static int find_value(const kz_choice *moves, int count, kz_value value) {
    int i = 0;
    while (i < count && !equal(moves[i].value, value)) {
        i++;
    }
    return i;
}

/* One round of search for the values of moves that have none yet, until the time `end`, or, if `wanted` is not NULL,
 * until a move has that value. */
static kz_status search_round(const kz_values *values, int round, double end, const kz_value *wanted, kz_choice *moves,
                              int count, kz_error *error) {
    for (int i = 0; i < count; i++) {
        kz_choice *move = &moves[i];
        double now = kz_seconds();
        if (move->value.outcome != KZ_UNKNOWN || now >= end) {
            continue;
        }
        double move_end = now + ROUND_SECONDS[round];
        int depth = kz_prove_depth(values->game);
        KZ_TRY(
            prove_until(values, &move->after, 1, move_end < end ? move_end : end, &move->value, NULL, &depth, error));
        move->value = kz_value_before(move->value);
        if (wanted && equal(move->value, *wanted)) {
            return KZ_OK;
        }
    }
    return KZ_OK;
}

enum { MANY_ANSWERS = 24 }; /* as good as more */

/* How many answers to a move do not lose at once, MANY_ANSWERS at most. `position` is the one after it. */
static int count_answers(const kz_values *values, const kz_position *position) {
    kz_list memory;
    kz_move *moves = kz_list_open(&memory, kz_max_moves(values->game, values->rules), sizeof *moves);
    int count = moves ? kz_moves(values->game, values->rules, position, moves) : 0;
    int answers = 0;
    for (int i = 0; i < count && answers < MANY_ANSWERS; i++) {
        kz_position after = *position;
        kz_play(values->game, values->rules, &after, moves[i]);
        answers += kz_immediate(values->game, values->rules, &after).outcome != KZ_WIN;
    }
    kz_list_close(&memory);
    return answers;
}

static int compare_numbers(const void *left, const void *right) {
    const kz_choice *a = left;
    const kz_choice *b = right;
    return a->number - b->number;
}

/* The winner's best move is mostly one that leaves few answers, so those get the lowest numbers. Counting takes time:
 * the first round goes without, and moves that are left at the time `end` count as having many. */
static void sort_by_answers(const kz_values *values, double end, kz_choice *moves, int count) {
    for (int i = 0; i < count; i++) {
        int answers = 0;
        if (moves[i].value.outcome == KZ_UNKNOWN) {
            answers = kz_seconds() < end ? count_answers(values, &moves[i].after) : MANY_ANSWERS;
        }
        moves[i].number += answers * KZ_MAX_MOVES;
    }
    qsort(moves, (size_t)count, sizeof *moves, compare_numbers);
}

/* Looks for a move that is worth `value`, a win or a loss; if none is found in time, 0 for a win, and any move for a
 * loss. */
static kz_status find_move(const kz_values *values, kz_value value, kz_choice *moves, int count, kz_move *best,
                           kz_error *error) {
    double end = kz_seconds() + values->seconds;
    int rounds = kz_can_prove(values->game) ? ROUNDS : 0;
    int found = find_value(moves, count, value);
    for (int round = 0; round < rounds && found == count; round++) {
        if (round == 1 && value.outcome == KZ_WIN) {
            sort_by_answers(values, end, moves, count);
        }
        KZ_TRY(search_round(values, round, end, &value, moves, count, error));
        found = find_value(moves, count, value);
    }
    if (found < count) {
        *best = moves[found].move;
    } else if (count > 0 && value.outcome == KZ_LOSS) {
        *best = moves[0].move;
    }
    return KZ_OK;
}

/* Looks for the values of the moves of a list that have none, and puts the best first. */
static kz_status search_moves(const kz_values *values, kz_choice *moves, int count, kz_error *error) {
    double end = kz_seconds() + values->seconds;
    int rounds = kz_can_prove(values->game) ? ROUNDS : 0;
    for (int round = 0; round < rounds; round++) {
        KZ_TRY(search_round(values, round, end, NULL, moves, count, error));
    }
    kz_sort_choices(moves, count);
    return KZ_OK;
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

static bool some_unknown(const kz_choice *moves, int count) {
    bool unknown = false;
    for (int i = 0; i < count; i++) {
        unknown = unknown || moves[i].value.outcome == KZ_UNKNOWN;
    }
    return unknown;
}

/* With a table the value of the best move is the value of the position, and need not be looked up once more. What an
 * excerpt does not know of its moves is looked for. */
static kz_status probe_choices(const kz_values *values, const kz_position *position, kz_value *value, kz_choice **moves,
                               int *count, kz_error *error) {
    KZ_TRY(kz_probe_choices(values->table, position, moves, count, error));
    if (*count > 0 && !some_unknown(*moves, *count)) {
        *value = (*moves)[0].value;
        return KZ_OK;
    }
    KZ_TRY(kz_values_value(values, position, value, error));
    for (int i = 0; i < *count; i++) {
        (*moves)[i].number = i;
    }
    return search_moves(values, *moves, *count, error);
}

kz_status kz_values_search(const kz_values *values, const kz_position *position, kz_value *value, kz_move *best,
                           int *depth, kz_error *error) {
    kz_choice *moves = NULL;
    int count = 0;
    kz_status status;
    *best = 0;
    *depth = 0;
    if (values->table) {
        KZ_TRY_OR(done, probe_choices(values, position, value, &moves, &count, error));
        *best = count > 0 ? moves[0].move : 0;
    } else {
        KZ_TRY_OR(done, prove(values, position, value, best, depth, error));
        if (value->outcome != KZ_UNKNOWN && value->outcome != KZ_DRAW && *best == 0) {
            KZ_TRY_OR(done, list_moves(values, position, &moves, &count, error));
            KZ_TRY_OR(done, find_move(values, *value, moves, count, best, error));
        }
    }
done:
    free(moves);
    return status;
}

kz_status kz_values_best(const kz_values *values, const kz_position *position, kz_value *value, kz_move *best,
                         kz_error *error) {
    int depth;
    return kz_values_search(values, position, value, best, &depth, error);
}

kz_status kz_values_choices(const kz_values *values, const kz_position *position, kz_value *value, kz_choice **moves,
                            int *count, kz_error *error) {
    *moves = NULL;
    *count = 0;
    if (values->table) {
        return probe_choices(values, position, value, moves, count, error);
    }
    /* The moves are what is asked for, so most of the time is theirs. */
    kz_values limited = *values;
    double end = kz_seconds() + values->seconds;
    if (values->deepens) {
        limited.value_seconds = values->seconds / 4;
    }
    kz_move best;
    int depth;
    KZ_TRY(prove(&limited, position, value, &best, &depth, error));
    if (values->deepens) {
        limited.seconds = end - kz_seconds();
    }
    KZ_TRY(list_moves(&limited, position, moves, count, error));
    return search_moves(&limited, *moves, *count, error);
}

kz_status kz_values_moves(const kz_values *values, const kz_position *position, kz_value *value, kz_scored_move *moves,
                          int *count, kz_error *error) {
    kz_choice *choices;
    kz_status status = kz_values_choices(values, position, value, &choices, count, error);
    for (int i = 0; i < *count; i++) {
        moves[i] = (kz_scored_move){choices[i].move, choices[i].value};
    }
    free(choices);
    return status;
}
