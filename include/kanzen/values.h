/* SPDX-License-Identifier: MIT
 *
 * The values of positions and moves: from a table, or from a search where there is no table and the game has one. And
 * players of several strengths. */
#ifndef KANZEN_VALUES_H
#define KANZEN_VALUES_H

#include <kanzen/table.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where values come from. The calls below only read it, so any number of threads may share one. */
typedef struct kz_values {
    const kz_game *game;
    int rules;
    /* Of this game and these rules. NULL: a search if the game has one, and values may be unknown. */
    const kz_table *table;
    double seconds; /* for the search of all moves of a position */
    /* For the search of the value of the position itself. 0: until it ends by itself, after a few seconds at most. */
    double value_seconds;
    /* The search of the value goes on deeper as long as there is time (value_seconds), with one thread for each
     * processor. */
    bool deepens;
} kz_values;

/* The value of a position. */
kz_status kz_values_value(const kz_values *values, const kz_position *position, kz_value *value, kz_error *error);

/* The same, and how deep a search has looked: if the value is KZ_UNKNOWN, the side to move has no win within so many
 * turns, as kz_prove_to counts them. 0: not searched, or not even that deep. `best` as below. */
kz_status kz_values_search(const kz_values *values, const kz_position *position, kz_value *value, kz_move *best,
                           int *depth, kz_error *error);

/* The value of a position and a best move (0: there is none, or none is known). A search finds a move only when the
 * position is won or lost. */
kz_status kz_values_best(const kz_values *values, const kz_position *position, kz_value *value, kz_move *best,
                         kz_error *error);

/* The value of a position and of every move, best first, as kz_probe_moves has them. What a search does not find out in
 * time is unknown, and stands where a draw would. `moves` has room for kz_max_moves. */
kz_status kz_values_moves(const kz_values *values, const kz_position *position, kz_value *value, kz_scored_move *moves,
                          int *count, kz_error *error);

/* ---- Playing ---------------------------------------------------------------------------------------------------- */

/* The names of the levels of strength, the weakest first: "beginner", "easy", "medium", "hard", "expert", "perfect";
 * NULL past the last. */
const char *kz_level_name(int level);
/* The number of the level called `name`, or -1. */
int kz_level_find(const char *name);

typedef struct kz_player {
    int level;
    /* Of equally good moves, choose the one that leaves the opponent the fewest good replies. */
    bool aggressive;
    uint64_t seed; /* the same seed in the same position: the same move */
} kz_player;

/* The move that the player makes. `move` is 0 if there is none. "perfect" plays a best move always (the winner hurries,
 * the loser delays); weaker levels see only wins and losses that are near, and err now and then. */
kz_status kz_choose_move(const kz_values *values, const kz_position *position, kz_player player, kz_move *move,
                         kz_error *error);

#ifdef __cplusplus
}
#endif
#endif
