/* SPDX-License-Identifier: MIT
 *
 * `numbers_after` and `numbers_before` of a definition say what its other functions say. */
#include "game/defined.h"
#include "table/selftest.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What moves lead to, from the functions for single positions. */
typedef struct expected {
    kz_sight sight;
    uint64_t *numbers; /* classes of positions that are not settled, in order; a class may come more than once */
    int count;
} expected;

typedef struct lists {
    uint64_t *after;
    uint64_t *other; /* of another position */
    uint64_t *expected;
    uint64_t *before;
} lists;

static int by_number(const void *left, const void *right) {
    uint64_t a = *(const uint64_t *)left;
    uint64_t b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

static int times(const uint64_t *list, int count, uint64_t number) {
    int found = 0;
    for (int i = 0; i < count; i++) {
        found += list[i] == number;
    }
    return found;
}

static bool is_settled(const kz_sight *sight) { return sight->over != KZ_UNKNOWN || sight->win == 1; }

static void add_outcome(kz_sight *sight, kz_outcome outcome, int plies) {
    if (outcome == KZ_DRAW) {
        sight->draws = true;
    } else if (outcome == KZ_WIN) {
        sight->worst = plies > sight->worst ? plies : sight->worst;
    } else if (!sight->win || plies + 1 < sight->win) {
        sight->win = plies + 1;
    }
}

/* One call of numbers_after with its promises about the list. */
static bool look(kz_tester *tester, const kz_definition *d, const void *context, uint64_t index, uint64_t *list,
                 kz_sight *sight, int *count) {
    *sight = (kz_sight){KZ_UNKNOWN, 0, 0, false};
    *count = d->numbers_after(context, index, list, sight);
    if (*count > d->max_moves) {
        return kz_tester_fail(tester, KZ_SELFTEST_MOVE, "numbers_after lists %d numbers, and max_moves is %d", *count,
                              d->max_moves);
    }
    return true;
}

/* What numbers_after should say, where a position is settled if numbers_after says so of it. */
static bool expect(kz_tester *tester, const kz_definition *d, const void *context, const lists *l, int listed,
                   expected *e) {
    e->numbers = l->expected;
    for (int i = 0; i < tester->move_count; i++) {
        kz_position child = tester->position;
        kz_sight sight;
        int count;
        d->play(context, &child, tester->moves[i]);
        kz_outcome result = d->result(context, &child);
        if (result != KZ_UNKNOWN) {
            add_outcome(&e->sight, result, 0);
            continue;
        }
        uint64_t number = kz_defined_rank(d, context, &child, NULL);
        if (!look(tester, d, context, number, l->other, &sight, &count)) {
            return false;
        }
        bool lost = sight.over == KZ_LOSS || (!is_settled(&sight) && count == 0 && !sight.win && !sight.draws);
        if (lost && times(l->after, listed, number) == 0) {
            add_outcome(&e->sight, KZ_LOSS, sight.over == KZ_LOSS ? 0 : sight.worst + 1);
        } else if (lost || !is_settled(&sight)) {
            e->numbers[e->count++] = number;
        } else if (sight.over != KZ_UNKNOWN) {
            add_outcome(&e->sight, sight.over, 0);
        } else {
            add_outcome(&e->sight, KZ_WIN, 1);
        }
    }
    qsort(e->numbers, (size_t)e->count, sizeof *e->numbers, by_number);
    return true;
}

/* Each number that should be listed is listed, at least once; and at most as often as there are moves to it, if moves
 * are counted. */
static bool same_numbers(const expected *e, const uint64_t *list, int count, bool counted) {
    for (int i = 0; i < e->count; i++) {
        int listed = times(list, count, e->numbers[i]);
        if (listed == 0 || (counted && listed > times(e->numbers, e->count, e->numbers[i]))) {
            return false;
        }
    }
    for (int i = 0; i < count; i++) {
        if (times(e->numbers, e->count, list[i]) == 0) {
            return false;
        }
    }
    return true;
}

static bool test_after(kz_tester *tester, const kz_definition *d, const void *context, uint64_t index, const lists *l,
                       int count, const kz_sight *sight) {
    expected e = {.count = 0};
    tester->counts[KZ_SELFTEST_MOVE]++;
    kz_outcome over = d->result(context, &tester->position);
    if (over == KZ_UNKNOWN && tester->move_count == 0) {
        over = kz_defined_stuck(d, context, &tester->position);
    }
    if (sight->over != over) {
        return kz_tester_fail(tester, KZ_SELFTEST_MOVE, "its result is %s, and by numbers_after %s",
                              kz_outcome_name(over), kz_outcome_name(sight->over));
    }
    if (over != KZ_UNKNOWN) {
        return true;
    }
    if (!expect(tester, d, context, l, count, &e)) {
        return false;
    }
    if (sight->win == 1 && e.sight.win == 1) {
        return true;
    }
    if (sight->win != e.sight.win || sight->worst != e.sight.worst || sight->draws != e.sight.draws) {
        return kz_tester_fail(
            tester, KZ_SELFTEST_MOVE,
            "numbers_after says win %d, worst %d, draws %d of moves that it does not list; by moves it "
            "is win %d, worst %d, draws %d",
            sight->win, sight->worst, sight->draws, e.sight.win, e.sight.worst, e.sight.draws);
    }
    if (!same_numbers(&e, l->after, count, d->numbers_before != NULL)) {
        return kz_tester_fail(tester, KZ_SELFTEST_MOVE,
                              "number %" PRIu64 ": numbers_after lists %d numbers, and moves lead to %d that are not "
                              "settled; they are not the same ones",
                              index, count, e.count);
    }
    return true;
}

static bool list_before(kz_tester *tester, const kz_definition *d, const void *context, uint64_t index,
                        uint64_t *before, int *count) {
    *count = d->numbers_before(context, index, before);
    tester->counts[KZ_SELFTEST_PREDECESSOR]++;
    if (*count < 0 || *count > d->max_predecessors) {
        return kz_tester_fail(tester, KZ_SELFTEST_PREDECESSOR,
                              "numbers_before of number %" PRIu64 " lists %d numbers; max_predecessors is %d", index,
                              *count, d->max_predecessors);
    }
    return true;
}

/* Who is listed, lists in return, and as often: from this position on, and back from it. */
static bool test_before(kz_tester *tester, const kz_definition *d, const void *context, uint64_t index, const lists *l,
                        int count) {
    int tier = kz_defined_tier_of(d, context, index);
    int listed;
    for (int i = 0; i < count; i++) {
        if (kz_defined_tier_of(d, context, l->after[i]) != tier) {
            continue;
        }
        if (!list_before(tester, d, context, l->after[i], l->before, &listed)) {
            return false;
        }
        int back = times(l->before, listed, index);
        int there = times(l->after, count, l->after[i]);
        if (back != there) {
            return kz_tester_fail(tester, KZ_SELFTEST_PREDECESSOR,
                                  "numbers_after lists number %" PRIu64
                                  " %d times, and numbers_before of that one lists "
                                  "this position %d times",
                                  l->after[i], there, back);
        }
    }
    if (!list_before(tester, d, context, index, l->before, &listed)) {
        return false;
    }
    for (int i = 0; i < listed; i++) {
        kz_sight sight;
        int moves;
        if (l->before[i] >= d->index_size(context) || kz_defined_tier_of(d, context, l->before[i]) != tier) {
            continue; /* not asked for */
        }
        if (!look(tester, d, context, l->before[i], l->other, &sight, &moves)) {
            return false;
        }
        if (moves < 0 || is_settled(&sight)) {
            continue; /* does not matter */
        }
        int there = times(l->other, moves, index);
        int back = times(l->before, listed, l->before[i]);
        if (back != there) {
            return kz_tester_fail(tester, KZ_SELFTEST_PREDECESSOR,
                                  "numbers_before lists number %" PRIu64
                                  " %d times, and numbers_after of that one lists "
                                  "this position %d times",
                                  l->before[i], back, there);
        }
    }
    return true;
}

static bool test_lists(kz_tester *tester, const kz_definition *d, const void *context, uint64_t index, const lists *l) {
    kz_sight sight;
    int count;
    if (!look(tester, d, context, index, l->after, &sight, &count)) {
        return false;
    }
    if (count < 0) {
        return kz_tester_fail(tester, KZ_SELFTEST_MOVE,
                              "its number is %" PRIu64 ", and numbers_after calls that a hole", index);
    }
    if (!test_after(tester, d, context, index, l, count, &sight)) {
        return false;
    }
    return !d->numbers_before || is_settled(&sight) || test_before(tester, d, context, index, l, count);
}

bool kz_test_numbers(kz_tester *tester, uint64_t index) {
    const kz_definition *d = tester->game->definition;
    const void *context = kz_game_context(tester->game, tester->rules);
    if (!d->numbers_after || index == KZ_NO_NUMBER) {
        return true;
    }
    lists l = {.after = tester->numbers_after[0],
               .other = tester->numbers_after[1],
               .expected = tester->numbers_after[2],
               .before = tester->numbers_before};
    return test_lists(tester, d, context, index, &l);
}
