/* SPDX-License-Identifier: MIT
 *
 * Which child a packet database has for a position, and what it says about it. */
#ifndef KZ_EXPORT_PACKET_CHILD_H
#define KZ_EXPORT_PACKET_CHILD_H

#include "games/dobutsu/compat/packet_keys.h"

/* What is needed to choose. Read-only once it is filled. */
typedef struct kz_packet_judge {
    const kz_packet_keys *keys;
    const kz_dobutsu_retro *retro; /* through, by the simplified rules */
    const kz_dobutsu_space *space;
    kz_dobutsu_forward forward; /* its lists in the order of the analyzer: piece by piece, squares ascending */
    int16_t scores[2][256];     /* [odd one][cell] */
    uint8_t enemy_holds[3][KZ_DOBUTSU_CHICK_STATES]; /* [chick, elephant, giraffe]: whether the enemy has one in hand */
} kz_packet_judge;

/* False if there is no memory. */
bool kz_packet_judge_fill(kz_packet_judge *judge, const kz_packet_keys *keys, const kz_dobutsu_retro *retro);

/* Whether the side to move has a move. */
bool kz_packet_can_move(const kz_packet_judge *judge, const kz_packet_position *position);

/* The 64-bit entry of a position that has a move. */
uint64_t kz_packet_entry(const kz_packet_judge *judge, const kz_packet_position *position);

#endif
