/* SPDX-License-Identifier: MIT
 *
 * The turns of a position: no, one or two moves, then a push. Many turns lead to the same position; only one of them is
 * listed, one with the fewest moves.
 *
 * A kz_move holds a turn: from and to of the first move, of the second move (equal if it is not made), where the piece
 * that pushes stands, and the direction. Squares are bit numbers. */
#ifndef KZ_PUSHFIGHT_TURNS_H
#define KZ_PUSHFIGHT_TURNS_H

#include "games/pushfight/rules/rules.h"

#include <kanzen/game.h>

enum {
    KZ_PF_SQUARE_BITS = 5,
    KZ_PF_MOVE_BITS = 2 * KZ_PF_SQUARE_BITS,
    KZ_PF_PUSH_SHIFT = 2 * KZ_PF_MOVE_BITS,
    KZ_PF_DIRECTION_SHIFT = KZ_PF_PUSH_SHIFT + KZ_PF_SQUARE_BITS
};

#define KZ_PF_TURN_BIT (UINT32_C(1) << 31) /* so that no turn is 0 */

typedef struct kz_pf_turn {
    int moves; /* 0 to 2 */
    int from[2];
    int to[2];
    int pusher;
    kz_pf_direction direction;
} kz_pf_turn;

kz_move kz_pf_turn_pack(const kz_pf_turn *turn);
kz_pf_turn kz_pf_turn_unpack(kz_move move);

/* Lists one turn for each position that a turn leads to, those with fewer moves first, and returns how many there are:
 * at most KZ_MAX_MOVES, and none if the game is over. */
int kz_pf_turns(const kz_pf_position *position, kz_move *turns);

/* Plays a turn that was listed, or any other that is legal. */
void kz_pf_play(kz_pf_position *position, kz_move move);

/* Whether some turn pushes a piece of the enemy off the board; whether there is a turn at all. Not for finished
 * games. */
bool kz_pf_can_win(const kz_pf_position *position);
bool kz_pf_can_push(const kz_pf_position *position);

#endif
