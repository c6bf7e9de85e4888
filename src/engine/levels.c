/* SPDX-License-Identifier: MIT
 *
 * Players of several strengths. All of them know the value of every move; what makes the weaker ones weaker is what
 * they don't look at. A player sees wins and losses up to his sight. Between the moves that he can't see through he has
 * a feeling that is better than chance, and now and then he does not look at all. */
#include "base/error.h"
#include "base/list.h"
#include "base/random.h"

#include <kanzen/system.h>
#include <kanzen/values.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

typedef struct strength {
    const char *name;
    int sight;     /* the plies that he looks ahead */
    int oversight; /* of a hundred moves, how many he makes without looking */
    /* How much likelier he takes moves of one value than those of the next worse one, in percent, where he goes by his
     * feeling. */
    int feeling;
} strength;

static const strength levels[] = {
    {"beginner", 1, 35, 100}, {"easy", 3, 20, 120},   {"medium", 5, 10, 150},
    {"hard", 9, 4, 220},      {"expert", 21, 1, 400}, {"perfect", INT_MAX, 0, 100},
};

enum { LEVELS = sizeof levels / sizeof *levels };

const char *kz_level_name(int level) { return level >= 0 && level < LEVELS ? levels[level].name : NULL; }

int kz_level_find(const char *name) {
    for (int i = 0; i < LEVELS; i++) {
        if (strcmp(levels[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

/* ---- Chance ---------------------------------------------------------------------------------------------------- */

/* From 0 to `limit` - 1. */
static int random_below(uint64_t *state, int limit) { return (int)(kz_splitmix64(state) % (uint64_t)limit); }

/* Where chance begins for a position: a matter of the seed, of its index if it has one, and of its moves. Their order
 * does not count, because what a search finds out may depend on how fast the machine is. */
static uint64_t chance_for(const kz_values *values, const kz_position *position, uint64_t seed,
                           const kz_scored_move *moves, int count) {
    uint64_t state = seed;
    uint64_t mixed = kz_splitmix64(&state);
    uint64_t index;
    if (kz_rank(values->game, position, &index)) {
        mixed += kz_splitmix64(&index);
    }
    for (int i = 0; i < count; i++) {
        uint64_t move = moves[i].move;
        mixed += kz_splitmix64(&move);
    }
    return mixed;
}

/* ---- Groups of moves ------------------------------------------------------------------------------------------- */

/* Neighbours in the list of moves: `count` from `first` on. */
typedef struct range {
    int first;
    int count;
} range;

/* The moves from number `first` on, before `end`, that are worth as much as that one. */
static range equals(const kz_scored_move *moves, int first, int end) {
    range r = {first, 1};
    int worth = kz_value_worth(moves[first].value);
    while (first + r.count < end && kz_value_worth(moves[first + r.count].value) == worth) {
        r.count++;
    }
    return r;
}

static bool is_seen(kz_value value, int sight) {
    return (value.outcome == KZ_WIN || value.outcome == KZ_LOSS) && value.distance <= sight;
}

/* The moves that look best to one who sees so far: the nearest win in sight; or else all that he can't see through; or
 * else the farthest loss. The list has the best first, so losses in sight are at its end. */
static range best_seen(const kz_scored_move *moves, int count, int sight) {
    if (is_seen(moves[0].value, sight)) {
        return equals(moves, 0, count);
    }
    range r = {0, count};
    while (is_seen(moves[r.count - 1].value, sight)) {
        r.count--;
    }
    return r;
}

/* Draws one of the values that the moves of the range have, the better ones more often, and returns its moves. How many
 * moves have a value does not count: a good move is no harder to feel where there are many bad ones. */
static range feel(const kz_scored_move *moves, range among, int feeling, uint64_t *chance) {
    int end = among.first + among.count;
    double sum = 0;
    double weight = 1;
    for (int at = among.first; at < end; at += equals(moves, at, end).count) {
        sum += weight;
        weight *= 100.0 / feeling;
    }
    double drawn = sum * (double)(kz_splitmix64(chance) >> 11) / (double)(UINT64_C(1) << 53);
    weight = 1;
    range r = equals(moves, among.first, end);
    while (drawn >= weight && r.first + r.count < end) {
        drawn -= weight;
        weight *= 100.0 / feeling;
        r = equals(moves, r.first + r.count, end);
    }
    return r;
}

/* ---- Aggression ------------------------------------------------------------------------------------------------ */

/* Replies that are counted for one choice of an aggressive player, at most, give or take those to one move: some games
 * have positions with thousands of equal moves, each with thousands of replies. */
enum { MOST_REPLIES = 50000 };

/* The part of the time for a search that is kept for counting replies. */
static const double counting_share = 1.0 / 3;

/* The replies to a move. `good` ones are as good as the best one: they win if the opponent can win, and draw if he can
 * draw. If he is lost anyway, all of them are. */
typedef struct replies {
    int good;
    int all;
} replies;

static kz_status look_up_replies(const kz_values *values, const kz_position *position, replies *found,
                                 kz_error *error) {
    kz_list memory;
    kz_scored_move *moves = kz_list_open(&memory, kz_max_moves(values->game, values->rules), sizeof *moves);
    kz_value value;
    *found = (replies){0, 0};
    kz_status status = moves ? kz_values_moves(values, position, &value, moves, &found->all, error)
                             : kz_fail(error, KZ_ERR_MEMORY, "out of memory");
    for (int i = 0; status == KZ_OK && i < found->all; i++) {
        found->good += moves[i].value.outcome == moves[0].value.outcome;
    }
    kz_list_close(&memory);
    return status;
}

/* Without a table it goes by what the rules tell at once. `moves` is room for a list. False: it was not done at the
 * time `end`. */
static bool judge_replies(const kz_values *values, const kz_position *position, double end, kz_move *moves,
                          replies *found) {
    kz_value best = {KZ_UNKNOWN, 0};
    *found = (replies){0, kz_moves(values->game, values->rules, position, moves)};
    for (int i = 0; i < found->all; i++) {
        if (kz_seconds() >= end) {
            return false;
        }
        kz_position next = *position;
        kz_play(values->game, values->rules, &next, moves[i]);
        kz_value value = kz_value_before(kz_immediate(values->game, values->rules, &next));
        if (i == 0 || kz_value_worth(value) > kz_value_worth(best)) {
            found->good = value.outcome == best.outcome ? found->good : 0;
            best = value;
        }
        found->good += value.outcome == best.outcome;
    }
    return true;
}

/* The move of the range that leaves the fewest good replies; chance decides between equals. Moves that are left at the
 * time `end` are not looked at. With a table there is no such time, because the same seed has to give the same move.
 * `room` is room for a list. */
static kz_status find_fewest_replies(const kz_values *values, const kz_position *position, const kz_scored_move *moves,
                                     range among, double end, uint64_t *chance, kz_move *room, kz_move *move,
                                     kz_error *error) {
    kz_status missing = KZ_OK;
    int fewest = INT_MAX;
    int equal = 0;
    int budget = MOST_REPLIES;
    *move = moves[among.first].move;
    for (int i = among.first; i < among.first + among.count && budget > 0; i++) {
        if (!values->table && kz_seconds() >= end) {
            break;
        }
        kz_position after = *position;
        replies found = {0, 0};
        kz_status status = KZ_OK;
        kz_play(values->game, values->rules, &after, moves[i].move);
        if (moves[i].value.outcome == KZ_WIN) {
            found.good = found.all = kz_moves(values->game, values->rules, &after, room);
        } else if (values->table) {
            status = look_up_replies(values, &after, &found, error);
        } else if (!judge_replies(values, &after, end, room, &found)) {
            break;
        }
        budget -= found.all + 1;
        if (status == KZ_ERR_IO) {
            missing = status; /* the bytes for all moves are asked for before it ends (kanzen/table.h) */
            continue;
        }
        if (status != KZ_OK) {
            return status;
        }
        equal = found.good < fewest ? 1 : equal + (found.good == fewest);
        if (found.good < fewest || (found.good == fewest && random_below(chance, equal) == 0)) {
            fewest = found.good;
            *move = moves[i].move;
        }
    }
    return missing;
}

static kz_status fewest_replies(const kz_values *values, const kz_position *position, const kz_scored_move *moves,
                                range among, double end, uint64_t *chance, kz_move *move, kz_error *error) {
    kz_list memory;
    kz_move *room = kz_list_open(&memory, kz_max_moves(values->game, values->rules), sizeof *room);
    kz_status status = room ? find_fewest_replies(values, position, moves, among, end, chance, room, move, error)
                            : kz_fail(error, KZ_ERR_MEMORY, "out of memory");
    kz_list_close(&memory);
    return status;
}

/* ---- The choice ------------------------------------------------------------------------------------------------ */

static kz_status choose_from(const kz_values *values, const kz_position *position, kz_player player,
                             kz_scored_move *moves, kz_move *move, kz_error *error) {
    const strength *of_player = &levels[player.level];
    kz_value value;
    int count;
    kz_values for_search = *values;
    double counting_seconds = 0;
    if (player.aggressive) {
        counting_seconds = counting_share * (values->seconds + values->value_seconds);
        for_search.seconds -= counting_share * values->seconds;
        for_search.value_seconds -= counting_share * values->value_seconds;
    }
    kz_status status = kz_values_moves(&for_search, position, &value, moves, &count, error);
    if (status != KZ_OK || count == 0) {
        return status;
    }
    uint64_t chance = chance_for(values, position, player.seed, moves, count);
    bool looks = random_below(&chance, 100) >= of_player->oversight;
    range choice = looks ? best_seen(moves, count, of_player->sight) : (range){0, count};
    if (of_player->sight < INT_MAX) {
        choice = feel(moves, choice, of_player->feeling, &chance);
    } else {
        choice = equals(moves, 0, count);
    }
    if (player.aggressive && choice.count > 1) {
        return fewest_replies(values, position, moves, choice, kz_seconds() + counting_seconds, &chance, move, error);
    }
    *move = moves[choice.first + random_below(&chance, choice.count)].move;
    return KZ_OK;
}

kz_status kz_choose_move(const kz_values *values, const kz_position *position, kz_player player, kz_move *move,
                         kz_error *error) {
    *move = 0;
    if (player.level < 0 || player.level >= LEVELS) {
        return kz_fail(error, KZ_ERR_INPUT, "there is no level number %d", player.level);
    }
    kz_list memory;
    kz_scored_move *moves = kz_list_open(&memory, kz_max_moves(values->game, values->rules), sizeof *moves);
    kz_status status = moves ? choose_from(values, position, player, moves, move, error)
                             : kz_fail(error, KZ_ERR_MEMORY, "out of memory");
    kz_list_close(&memory);
    return status;
}
