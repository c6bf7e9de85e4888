/* SPDX-License-Identifier: MIT
 *
 * Players who know the game so far (kanzen/values.h has those who see the position only). */
#ifndef KZ_ENGINE_PLAYERS_H
#define KZ_ENGINE_PLAYERS_H

#include <kanzen/values.h>

/* The `count` positions that were on the board before, in any order. */
typedef struct kz_past {
    const kz_position *positions;
    int count;
} kz_past;

/* As kz_choose_move. In a drawn position the perfect player does not come back to an earlier one as long as another
 * move draws as well: a repetition ends the game without a winner. */
kz_status kz_choose_move_after(const kz_values *values, kz_past past, const kz_position *position, kz_player player,
                               kz_move *move, kz_error *error);

#endif
