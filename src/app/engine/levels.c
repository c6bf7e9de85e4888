/* SPDX-License-Identifier: MIT
 *
 * Players of several strengths (docs/levels.md). All of them could know the value of every move; what makes the weaker
 * ones weaker is what they overlook. A player sees wins and losses up to his sight, give or take two plies. What only
 * one reply of many brings about is overlooked like something that lies deeper. Between the moves that he can't see
 * through he has a feeling that is better than chance, and now and then he does not look at all. In a drawn position
 * the perfect player sets traps, and does not come back to a position that was there before. */
#include "app/engine/players.h"
#include "base/error.h"
#include "base/list.h"
#include "base/random.h"

#include <kanzen/system.h>
#include <kanzen/values.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const kz_strength levels[] = {
    {"beginner", 2, 20, 110}, {"easy", 4, 12, 130},   {"medium", 7, 7, 160},
    {"hard", 11, 4, 210},     {"expert", 17, 2, 280}, {"perfect", INT_MAX, 0, 100},
};

enum { LEVELS = sizeof levels / sizeof *levels };

const kz_strength *kz_strength_of(int level) { return level >= 0 && level < LEVELS ? &levels[level] : NULL; }

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
static uint64_t chance_for(const kz_values *values, const kz_position *position, uint64_t seed, const kz_choice *moves,
                           int count) {
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
static range equals(const kz_choice *moves, int first, int end) {
    range r = {first, 1};
    int worth = kz_value_worth(moves[first].value);
    while (first + r.count < end && kz_value_worth(moves[first + r.count].value) == worth) {
        r.count++;
    }
    return r;
}

int kz_move_weight(int count) {
    int weight = 1;
    while (count >> weight > 0) {
        weight++;
    }
    return weight;
}

/* Draws one of the values that the moves of the range have, and returns its moves. The better values come more often,
 * and those that many moves have: where most moves are bad, a good one is harder to find. */
static range feel(const kz_choice *moves, range among, int feeling, uint64_t *chance) {
    int end = among.first + among.count;
    double sum = 0;
    double weight = 1;
    for (range r = {among.first, 0}; r.first < end; r.first += r.count) {
        r = equals(moves, r.first, end);
        sum += weight * kz_move_weight(r.count);
        weight *= 100.0 / feeling;
    }
    double drawn = sum * (double)(kz_splitmix64(chance) >> 11) / (double)(UINT64_C(1) << 53);
    weight = 1;
    range r = equals(moves, among.first, end);
    while (drawn >= weight * kz_move_weight(r.count) && r.first + r.count < end) {
        drawn -= weight * kz_move_weight(r.count);
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

/* Whether replies are looked up for many moves, and how many more may be. */
typedef struct reply_budget {
    int left;
    kz_status missing; /* the bytes for all moves are asked for before a choice ends (kanzen/table.h) */
} reply_budget;

/* The replies to one move, from the table. False: not known, because the budget is spent or bytes are missing. */
static bool replies_to(const kz_values *values, const kz_choice *move, reply_budget *budget, kz_replies *found,
                       kz_status *status, kz_error *error) {
    *status = KZ_OK;
    if (!values->table || budget->left <= 0) {
        return false;
    }
    *status = kz_look_up_replies(values, &move->after, found, error);
    budget->left -= found->all + 1;
    if (*status == KZ_ERR_IO) {
        budget->missing = *status;
        *status = KZ_OK;
        return false;
    }
    return *status == KZ_OK;
}

/* The move of the range that leaves the fewest good replies; chance decides between equals. Moves that are left at the
 * time `end` are not looked at. With a table there is no such time, because the same seed has to give the same move.
 * `room` is room for a list. */
static kz_status find_fewest_replies(const kz_values *values, const kz_choice *moves, range among, double end,
                                     uint64_t *chance, kz_move *room, kz_move *move, kz_error *error) {
    kz_status missing = KZ_OK;
    int fewest = INT_MAX;
    int equal = 0;
    int budget = MOST_REPLIES;
    *move = moves[among.first].move;
    for (int i = among.first; i < among.first + among.count && budget > 0; i++) {
        if (!values->table && kz_seconds() >= end) {
            break;
        }
        const kz_position *after = &moves[i].after;
        kz_replies found = {0};
        kz_status status = KZ_OK;
        if (moves[i].value.outcome == KZ_WIN) {
            found.good = found.all = kz_moves(values->game, values->rules, after, room);
        } else if (values->table) {
            status = kz_look_up_replies(values, after, &found, error);
        } else if (!kz_judge_replies(values, after, end, room, &found)) {
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

static kz_status fewest_replies(const kz_values *values, const kz_choice *moves, range among, double end,
                                uint64_t *chance, kz_move *move, kz_error *error) {
    kz_list memory;
    kz_move *room = kz_list_open(&memory, kz_max_moves(values->game, values->rules), sizeof *room);
    kz_status status = room ? find_fewest_replies(values, moves, among, end, chance, room, move, error)
                            : kz_fail(error, KZ_ERR_MEMORY, "out of memory");
    kz_list_close(&memory);
    return status;
}

/* ---- Traps ----------------------------------------------------------------------------------------------------- */

/* What is known of a move's trap where it is no chance. */
enum { NOT_KNOWN = -1, REPEATS = -2 };

bool kz_was_there(const kz_game *game, kz_past past, const kz_position *position) {
    for (int i = 0; i < past.count; i++) {
        if (kz_same(game, &past.positions[i], position)) {
            return true;
        }
    }
    return false;
}

/* For each move of the range, how likely the opponent is to lose with his reply, or one of the above. Finds the most.
 */
static kz_status count_traps(const kz_values *values, kz_past past, const kz_choice *moves, range among, double *traps,
                             double *most, kz_error *error) {
    int budget = MOST_REPLIES;
    kz_status missing = KZ_OK;
    *most = 0;
    for (int i = 0; i < among.count; i++) {
        const kz_position *after = &moves[among.first + i].after;
        traps[i] = NOT_KNOWN;
        if (kz_was_there(values->game, past, after)) {
            traps[i] = REPEATS;
            continue;
        }
        if (budget <= 0) {
            continue;
        }
        double chance;
        kz_status status = kz_chance_of_losing(values, after, &budget, &chance, error);
        if (status == KZ_OK) {
            traps[i] = chance;
            *most = chance > *most ? chance : *most;
        } else if (status == KZ_ERR_IO) {
            missing = status; /* the bytes for all moves are asked for before it ends (kanzen/table.h) */
        } else {
            return status;
        }
    }
    return missing;
}

/* Draws one of the moves, the better its trap the likelier: a trap that is half as good is taken an eighth as often.
 * Chance has to decide, because one who always sets the same trap repeats positions, and then the game is a draw. */
static int draw_trap(const double *traps, int count, double most, uint64_t *chance) {
    const double least = 1.0 / 64; /* a move without any trap, or whose traps are not known */
    const double last = 1e-9;      /* a move that repeats a position: only if all do */
    double sum = 0;
    for (int pass = 0; pass < 2; pass++) {
        double drawn = pass == 0 ? 0 : sum * (double)(kz_splitmix64(chance) >> 11) / (double)(UINT64_C(1) << 53);
        for (int i = 0; i < count; i++) {
            double part = most > 0 && traps[i] > 0 ? traps[i] / most : 0;
            double weight = traps[i] == REPEATS ? last : part * part * part + least;
            if (pass == 0) {
                sum += weight;
            } else if ((drawn -= weight) < 0) {
                return i;
            }
        }
    }
    return count - 1;
}

/* Of moves that all draw, one that sets a good trap. */
static kz_status set_traps(const kz_values *values, kz_past past, const kz_choice *moves, range among, uint64_t *chance,
                           kz_move *move, kz_error *error) {
    kz_list memory;
    double *traps = kz_list_open(&memory, among.count, sizeof *traps);
    double most = 0;
    kz_status status = traps ? count_traps(values, past, moves, among, traps, &most, error)
                             : kz_fail(error, KZ_ERR_MEMORY, "out of memory");
    if (status == KZ_OK) {
        *move = moves[among.first + draw_trap(traps, among.count, most, chance)].move;
    }
    kz_list_close(&memory);
    return status;
}

/* ---- Overlooking ----------------------------------------------------------------------------------------------- */

int kz_hidden_plies(kz_replies replies) {
    int plies = 0;
    while (replies.good > 0 && replies.good << (plies + 1) <= replies.all) {
        plies++;
    }
    return plies;
}

/* Leaves of the moves, in their order, those that look best to the player: the nearest win that he sees; or else all
 * that he does not see through; or else the farthest loss. */
static kz_status look(const kz_values *values, const kz_strength *who, uint64_t *chance, kz_choice *moves, int *count,
                      kz_error *error) {
    reply_budget budget = {.left = MOST_REPLIES, .missing = KZ_OK};
    int kept = 0;
    for (int i = 0; i < *count; i++) {
        kz_value value = moves[i].value;
        int sight = who->sight + KZ_SIGHT_STEP * (random_below(chance, 3) - 1);
        if (value.outcome == KZ_WIN && value.distance <= sight) {
            moves[0] = moves[i];
            *count = 1;
            return KZ_OK;
        }
        bool seen = value.outcome == KZ_LOSS && value.distance <= sight;
        if (seen && value.distance > 2) {
            kz_replies found;
            kz_status status;
            if (replies_to(values, &moves[i], &budget, &found, &status, error)) {
                seen = value.distance + kz_hidden_plies(found) <= sight;
            } else if (status != KZ_OK) {
                return status;
            }
        }
        if (!seen) {
            moves[kept++] = moves[i];
        }
    }
    *count = kept > 0 ? kept : equals(moves, 0, *count).count;
    return budget.missing;
}

/* ---- The choice ------------------------------------------------------------------------------------------------ */

/* Free the list of moves in any case. */
static kz_status choose_from(const kz_values *values, kz_past past, const kz_position *position, kz_player player,
                             kz_choice **list, kz_move *move, kz_error *error) {
    const kz_strength *of_player = &levels[player.level];
    kz_value value;
    int count;
    kz_values for_search = *values;
    double counting_seconds = 0;
    if (player.aggressive) {
        counting_seconds = counting_share * (values->seconds + values->value_seconds);
        for_search.seconds -= counting_share * values->seconds;
        for_search.value_seconds -= counting_share * values->value_seconds;
    }
    KZ_TRY(kz_values_choices(&for_search, position, &value, list, &count, error));
    if (count == 0) {
        return KZ_OK;
    }
    kz_choice *moves = *list;
    uint64_t chance = chance_for(values, position, player.seed, moves, count);
    range choice;
    if (of_player->sight < INT_MAX) {
        if (random_below(&chance, 100) >= of_player->oversight) {
            KZ_TRY(look(values, of_player, &chance, moves, &count, error));
        }
        choice = feel(moves, (range){0, count}, of_player->feeling, &chance);
    } else {
        choice = equals(moves, 0, count);
        if (moves[0].value.outcome == KZ_DRAW && values->table && choice.count > 1) {
            return set_traps(values, past, moves, choice, &chance, move, error);
        }
    }
    if (player.aggressive && choice.count > 1) {
        return fewest_replies(values, moves, choice, kz_seconds() + counting_seconds, &chance, move, error);
    }
    *move = moves[choice.first + random_below(&chance, choice.count)].move;
    return KZ_OK;
}

kz_status kz_choose_move_after(const kz_values *values, kz_past past, const kz_position *position, kz_player player,
                               kz_move *move, kz_error *error) {
    *move = 0;
    if (player.level < 0 || player.level >= LEVELS) {
        return kz_fail(error, KZ_ERR_INPUT, "there is no level number %d", player.level);
    }
    kz_choice *moves;
    kz_status status = choose_from(values, past, position, player, &moves, move, error);
    free(moves);
    return status;
}

kz_status kz_choose_move(const kz_values *values, const kz_position *position, kz_player player, kz_move *move,
                         kz_error *error) {
    return kz_choose_move_after(values, (kz_past){.count = 0}, position, player, move, error);
}
