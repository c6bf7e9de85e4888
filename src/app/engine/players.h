/* SPDX-License-Identifier: MIT
 *
 * What players choose by, beyond kanzen/values.h: where moves lead, the game so far, what a player overlooks. */
#ifndef KZ_ENGINE_PLAYERS_H
#define KZ_ENGINE_PLAYERS_H

#include "game/gamedef.h"
#include <kanzen/values.h>

/* For kz_progress: goes on until the time that `user` points to. */
bool kz_has_time(void *user, const char *stage, uint64_t done, uint64_t total);

/* kz_values_moves with where each move leads. Free the list in any case. */
kz_status kz_values_choices(const kz_values *values, const kz_position *position, kz_value *value, kz_choice **moves,
                            int *count, kz_error *error);

/* ---- The game so far: levels.c --------------------------------------------------------------------------------- */

/* The `count` positions that were on the board before, in any order. */
typedef struct kz_past {
    const kz_position *positions;
    int count;
} kz_past;

bool kz_was_there(const kz_game *game, kz_past past, const kz_position *position);

/* As kz_choose_move. In a drawn position the perfect player does not come back to an earlier one as long as another
 * move draws as well: a repetition ends the game without a winner. */
kz_status kz_choose_move_after(const kz_values *values, kz_past past, const kz_position *position, kz_player player,
                               kz_move *move, kz_error *error);

/* ---- Replies: replies.c ---------------------------------------------------------------------------------------- */

/* What the opponent can answer to a move. Players choose between equal moves by it, and it says how easily a refutation
 * is overlooked. `good` replies are as good as the best one: they win if the opponent can win, and draw if he can draw.
 * If he is lost anyway, all of them are. */
typedef struct kz_replies {
    int good;
    int all;
} kz_replies;

/* The replies in a position, from the table of `values`. */
kz_status kz_look_up_replies(const kz_values *values, const kz_position *position, kz_replies *found, kz_error *error);

/* Without a table: by what the rules tell at once. `moves` is room for a list. False: it was not done at the time
 * `end`. */
bool kz_judge_replies(const kz_values *values, const kz_position *position, double end, kz_move *moves,
                      kz_replies *found);

/* ---- Strength: levels.c ---------------------------------------------------------------------------------------- */

/* What makes a player of some level weaker than another (docs/levels.md). */
typedef struct kz_strength {
    const char *name;
    int sight;     /* the plies that he looks ahead, on average; INT_MAX: everything */
    int oversight; /* of a hundred moves, how many he makes without looking */
    /* How much likelier he takes moves of one value than those of the next worse one, in percent, where he goes by his
     * feeling. */
    int feeling;
} kz_strength;

/* By the number of the level; NULL past the last. */
const kz_strength *kz_strength_of(int level);

/* Sight is up to so much more or less than on average, in steps of this size: less, the same, more. */
enum { KZ_SIGHT_STEP = 2 };

/* How much deeper a loss seems to lie when few of the replies bring it about: a ply for each halving. One refutation
 * among 16 replies is as hard to see as a loss 4 plies farther away. */
int kz_hidden_plies(kz_replies replies);

/* How much a number of moves weighs: 1 for one move, and one more for each doubling. */
int kz_move_weight(int count);

/* ---- Traps: traps.c -------------------------------------------------------------------------------------------- */

/* How likely it is that the opponent loses a drawn position with his next move: the chance, 0 to 1, that a player of
 * one of the weaker levels makes a move that loses in this position, on average over these levels: they overlook what
 * players of these levels overlook. Needs a table. `budget` is how many more moves may be looked up; refutations are
 * counted only while there is some left. KZ_ERR_IO: bytes are missing (kanzen/table.h). */
kz_status kz_chance_of_losing(const kz_values *values, const kz_position *position, int *budget, double *chance,
                              kz_error *error);

#endif
