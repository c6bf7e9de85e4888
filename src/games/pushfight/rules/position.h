/* SPDX-License-Identifier: MIT
 *
 * A Push Fight position, as the side to move sees it: its pieces are the own ones, and the anchor is on an enemy
 * pusher. The board does not turn when the sides change. */
#ifndef KZ_PUSHFIGHT_POSITION_H
#define KZ_PUSHFIGHT_POSITION_H

#include "games/pushfight/rules/board.h"

enum { KZ_PF_NO_ANCHOR = -1 };

/* What kz_position holds for this game. Sets of squares are bits of the board's grid. */
typedef struct kz_pf_position {
    uint32_t own_movers;
    uint32_t own_pushers;
    uint32_t enemy_movers;
    uint32_t enemy_pushers; /* with the anchored one */
    int8_t anchor;          /* the square (bit number) of the anchored enemy pusher, or KZ_PF_NO_ANCHOR before turn 1 */
    uint8_t board;          /* the number of the board */
    uint8_t side;           /* who moves, for people: 0 red, who moves first; 1 blue */
    uint8_t spare[5];       /* 0 */
} kz_pf_position;

#endif
