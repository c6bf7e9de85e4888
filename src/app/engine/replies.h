/* SPDX-License-Identifier: MIT
 *
 * What the opponent can answer to a move: how many of the replies are good. Players choose between equal moves by it,
 * and it says how easily a refutation is overlooked. */
#ifndef KZ_ENGINE_REPLIES_H
#define KZ_ENGINE_REPLIES_H

#include <kanzen/values.h>

/* `good` replies are as good as the best one: they win if the opponent can win, and draw if he can draw. If he is lost
 * anyway, all of them are. */
typedef struct kz_replies {
    int good;
    int all;
} kz_replies;

/* The replies in a position, from the table of `values`. */
kz_status kz_look_up_replies(const kz_values *values, const kz_position *position, kz_replies *found, kz_error *error);

/* Without a table: by what the rules tell at once. `moves` is room for a list. False: it was not done at the time
 * `end`.
 */
bool kz_judge_replies(const kz_values *values, const kz_position *position, double end, kz_move *moves,
                      kz_replies *found);

#endif
