/* SPDX-License-Identifier: MIT
 *
 * Moves as changes of pair states: the unmoves of unmoves.h, turned round.
 *
 * Everything is seen by the side that moves. A pair that moves has, for each of its moves, the state after it. What it
 * takes from another pair is a change of that pair, looked up separately. */
#ifndef KZ_DOBUTSU_FORWARD_H
#define KZ_DOBUTSU_FORWARD_H

#include "games/dobutsu/rules/unmoves.h"

enum { KZ_DOBUTSU_MAX_PAIR_MOVES = 17 }; /* the six steps of a hen and eleven drops */

typedef struct kz_dobutsu_pair_move {
    uint16_t state; /* of the pair after the move */
    uint8_t from;   /* the square that the piece leaves, or KZ_DOBUTSU_FROM_HAND */
    uint8_t to;
} kz_dobutsu_pair_move;

/* A step may take the other piece of the pair. Whether other pairs or lions are in the way is not known here. */
typedef struct kz_dobutsu_pair_moves {
    unsigned count;
    kz_dobutsu_pair_move moves[KZ_DOBUTSU_MAX_PAIR_MOVES];
} kz_dobutsu_pair_moves;

typedef struct kz_dobutsu_forward {
    kz_dobutsu_pair_moves elephant[KZ_DOBUTSU_PLAIN_STATES];
    kz_dobutsu_pair_moves giraffe[KZ_DOBUTSU_PLAIN_STATES];
    kz_dobutsu_pair_moves chick[KZ_DOBUTSU_CHICK_STATES];
    /* The state with the enemy's piece on a square taken into the own hand; KZ_DOBUTSU_NO_STATE: none stands there. */
    uint16_t plain_taken[KZ_DOBUTSU_PLAIN_STATES][KZ_DOBUTSU_SQUARES];
    uint16_t chick_taken[KZ_DOBUTSU_CHICK_STATES][KZ_DOBUTSU_SQUARES];
} kz_dobutsu_forward;

/* Takes the enemy's piece that stands on a square, if there is one: for a step of a piece of another pair. */
static inline void kz_dobutsu_take(const kz_dobutsu_forward *forward, kz_dobutsu_states *states, unsigned square) {
    if (forward->plain_taken[states->elephants][square] != KZ_DOBUTSU_NO_STATE) {
        states->elephants = forward->plain_taken[states->elephants][square];
    } else if (forward->plain_taken[states->giraffes][square] != KZ_DOBUTSU_NO_STATE) {
        states->giraffes = forward->plain_taken[states->giraffes][square];
    } else if (forward->chick_taken[states->chicks][square] != KZ_DOBUTSU_NO_STATE) {
        states->chicks = forward->chick_taken[states->chicks][square];
    }
}

/* False if there is no memory for what it needs meanwhile. */
bool kz_dobutsu_forward_fill(kz_dobutsu_forward *forward);

#endif
