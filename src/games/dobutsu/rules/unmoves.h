/* SPDX-License-Identifier: MIT
 *
 * Moves taken back, as changes of pair states.
 *
 * Everything is seen by the side that made the move: its pieces are the own ones. A pair that moved has, for each way
 * to take the move back, the state before it. A move that captured gives the captured piece back as well: that is a
 * change of the captured piece's pair, looked up separately. */
#ifndef KZ_DOBUTSU_UNMOVES_H
#define KZ_DOBUTSU_UNMOVES_H

#include "games/dobutsu/index/space.h"

enum {
    KZ_DOBUTSU_FROM_HAND = 15,
    KZ_DOBUTSU_MAX_UNMOVES = 14 /* two hens that may each have come from seven squares or ways */
};

typedef struct kz_dobutsu_unmove {
    uint16_t state; /* of the pair before the move */
    uint8_t from;   /* the square that the piece came from, or KZ_DOBUTSU_FROM_HAND */
    uint8_t to;     /* the square that it left when the move was taken back */
} kz_dobutsu_unmove;

typedef struct kz_dobutsu_unmove_list {
    unsigned count;
    kz_dobutsu_unmove unmoves[KZ_DOBUTSU_MAX_UNMOVES];
} kz_dobutsu_unmove_list;

typedef struct kz_dobutsu_unmoves {
    kz_dobutsu_unmove_list elephant[KZ_DOBUTSU_PLAIN_STATES];
    kz_dobutsu_unmove_list giraffe[KZ_DOBUTSU_PLAIN_STATES];
    kz_dobutsu_unmove_list chick[KZ_DOBUTSU_CHICK_STATES];
    kz_dobutsu_unmove_list chick_took_chick[KZ_DOBUTSU_CHICK_STATES]; /* the captured chick is given back as well */
    uint16_t lion[KZ_DOBUTSU_SQUARES];                                /* the squares that the lion may have come from */
    /* The state with a piece from the own hand given back to the enemy on a square, or KZ_DOBUTSU_NO_STATE. */
    uint16_t plain_returned[KZ_DOBUTSU_PLAIN_STATES][KZ_DOBUTSU_SQUARES];
    bool chick_held[KZ_DOBUTSU_CHICK_STATES]; /* whether the own hand has a chick to give back */
    uint16_t chick_returned[KZ_DOBUTSU_CHICK_STATES][KZ_DOBUTSU_SQUARES][2]; /* as a chick, as a hen */
} kz_dobutsu_unmoves;

void kz_dobutsu_unmoves_fill(kz_dobutsu_unmoves *unmoves);

#endif
