/* SPDX-License-Identifier: MIT */
#include "app/engine/players.h"

#include "base/error.h"
#include "base/list.h"

#include <limits.h>
#include <stdlib.h>

/* One of the opponent's moves. */
typedef struct reply {
    kz_value value;
    int depth; /* of a loss: how deep it seems to lie */
} reply;

/* The part of the times that the player does not see that this move loses. */
static double unseen(const kz_strength *who, reply r) {
    if (r.value.outcome != KZ_LOSS) {
        return 1;
    }
    int times = 0;
    for (int step = -1; step <= 1; step++) {
        times += r.depth > who->sight + step * KZ_SIGHT_STEP;
    }
    return times / 3.0;
}

/* How likely it is that the player makes a move that loses. The moves come best first. Of each value, as many moves are
 * left on average as he does not see through; the better values come more often (levels.c). */
static double losing_part(const kz_strength *who, const reply *replies, int count, bool looks) {
    double sum = 0, losing = 0, weight = 1;
    for (int i = 0; i < count;) {
        int worth = kz_value_worth(replies[i].value);
        bool loses = replies[i].value.outcome == KZ_LOSS;
        double left = 0;
        int first = i;
        for (; i < count && kz_value_worth(replies[i].value) == worth; i++) {
            left += looks ? unseen(who, replies[i]) : 1;
        }
        double seen = left / (i - first);
        double part = weight * kz_move_weight(i - first) * seen;
        sum += part;
        losing += loses ? part : 0;
        weight *= seen > 0 ? 100.0 / who->feeling : 1;
    }
    return sum > 0 ? losing / sum : 0;
}

static double chance_of(const kz_strength *who, const reply *replies, int count) {
    double lapse = who->oversight / 100.0;
    return lapse * losing_part(who, replies, count, false) + (1 - lapse) * losing_part(who, replies, count, true);
}

static int farthest_sight(void) {
    int farthest = 0;
    for (int level = 0; kz_strength_of(level); level++) {
        int sight = kz_strength_of(level)->sight;
        farthest = sight < INT_MAX && sight > farthest ? sight : farthest;
    }
    return farthest + KZ_SIGHT_STEP;
}

/* How deep a loss seems to lie: a narrow refutation is harder to see. */
static kz_status seeming_depth(const kz_values *values, const kz_choice *move, int farthest, int *budget, int *depth,
                               kz_error *error) {
    *depth = move->value.distance;
    if (move->value.distance <= 2 || move->value.distance > farthest || *budget <= 0) {
        return KZ_OK;
    }
    kz_replies found;
    kz_status status = kz_look_up_replies(values, &move->after, &found, error);
    *budget -= found.all + 1;
    *depth += status == KZ_OK ? kz_hidden_plies(found) : 0;
    return status;
}

static kz_status look_up(const kz_values *values, const kz_choice *moves, int count, int *budget, reply *replies,
                         kz_error *error) {
    int farthest = farthest_sight();
    kz_status missing = KZ_OK;
    for (int i = 0; i < count; i++) {
        replies[i] = (reply){.value = moves[i].value};
        if (moves[i].value.outcome == KZ_LOSS) {
            kz_status status = seeming_depth(values, &moves[i], farthest, budget, &replies[i].depth, error);
            if (status == KZ_ERR_IO) {
                missing = status; /* the others may need bytes, too */
            } else if (status != KZ_OK) {
                return status;
            }
        }
    }
    return missing;
}

kz_status kz_chance_of_losing(const kz_values *values, const kz_position *position, int *budget, double *chance,
                              kz_error *error) {
    kz_choice *moves;
    kz_list memory = {.heap = NULL};
    kz_value value;
    int count;
    kz_status status;
    *chance = 0;
    *budget -= 1;
    KZ_TRY_OR(done, kz_values_choices(values, position, &value, &moves, &count, error));
    *budget -= count;
    reply *replies = kz_list_open(&memory, count, sizeof *replies);
    KZ_TRY_OR(done, replies ? look_up(values, moves, count, budget, replies, error)
                            : kz_fail(error, KZ_ERR_MEMORY, "out of memory"));
    int levels = 0;
    for (int level = 0; kz_strength_of(level); level++) {
        if (kz_strength_of(level)->sight < INT_MAX) {
            *chance += chance_of(kz_strength_of(level), replies, count);
            levels++;
        }
    }
    *chance = levels > 0 ? *chance / levels : 0;
done:
    kz_list_close(&memory);
    free(moves);
    return status;
}
