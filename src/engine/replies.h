/* SPDX-License-Identifier: MIT
 *
 * What the opponent can answer to a move: how many of the replies are good, and how many are traps. Players choose
 * between equal moves by it, and it says how easily a refutation is overlooked. */
#ifndef KZ_ENGINE_REPLIES_H
#define KZ_ENGINE_REPLIES_H

#include <kanzen/values.h>

/* `good` replies are as good as the best one: they win if the opponent can win, and draw if he can draw. If he is lost
 * anyway, all of them are. */
typedef struct kz_replies {
    int good;
    int all;
    /* Replies that lose where a better one is there, each weighed by how deep the loss lies: a loss in 20 plies or more
     * counts as 1, one in 2 plies as a tenth, because everybody sees it. */
    double traps;
} kz_replies;

/* The replies in a position, from the table of `values`. */
kz_status kz_look_up_replies(const kz_values *values, const kz_position *position, kz_replies *found, kz_error *error);

/* Without a table: by what the rules tell at once. `moves` is room for a list. False: it was not done at the time
 * `end`.
 */
bool kz_judge_replies(const kz_values *values, const kz_position *position, double end, kz_move *moves,
                      kz_replies *found);

#endif
