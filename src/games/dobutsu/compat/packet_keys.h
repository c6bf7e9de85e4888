/* SPDX-License-Identifier: MIT
 *
 * The positions of a packet database in the order of their keys.
 *
 * A key (kz_dobutsu_to_state40) has the chicks in its highest bits, then elephants, giraffes and lions: the same parts
 * that the index is made of (games/dobutsu/index/pairs.h), only ranked in another order. So the keys are enumerated in
 * ascending order by taking the states of each pair in the order of their bits, and whether a position can be reached
 * is one bit at its index. */
#ifndef KZ_EXPORT_PACKET_KEYS_H
#define KZ_EXPORT_PACKET_KEYS_H

#include "games/dobutsu/solve/reach.h"

enum {
    KZ_PACKET_PARTS =
        KZ_DOBUTSU_CHICK_STATES * KZ_DOBUTSU_PLAIN_STATES, /* what is enumerated at once: chicks and elephants */
    KZ_PACKET_OWN_LIONS = 9                                /* the mover's lion is not on the far row: else it has won */
};

/* A position as lions and states, small enough to keep many. */
typedef struct kz_packet_position {
    uint16_t elephants;
    uint16_t giraffes;
    uint16_t chicks;
    uint8_t own_lion;
    uint8_t enemy_lion;
} kz_packet_position;

typedef struct kz_packet_keys {
    /* The states in the order of their bits. */
    uint16_t chicks[KZ_DOBUTSU_CHICK_STATES];
    uint16_t plain[KZ_DOBUTSU_PLAIN_STATES];
    /* The bits of a state, where they are in a key; and those that it has for the other side. */
    uint64_t chick_bits[KZ_DOBUTSU_CHICK_STATES], chick_seen[KZ_DOBUTSU_CHICK_STATES];
    uint64_t elephant_bits[KZ_DOBUTSU_PLAIN_STATES], elephant_seen[KZ_DOBUTSU_PLAIN_STATES];
    uint64_t giraffe_bits[KZ_DOBUTSU_PLAIN_STATES], giraffe_seen[KZ_DOBUTSU_PLAIN_STATES];
} kz_packet_keys;

enum { KZ_DOBUTSU_LION_IN_HAND = 15 };

/* Row and column of a square, two bits each. */
static inline uint64_t kz_packet_coords(unsigned square) { return (uint64_t)(square / 3 << 2 | square % 3); }

void kz_packet_keys_fill(kz_packet_keys *keys, const kz_dobutsu_space *space);

/* The key of a position. */
static inline uint64_t kz_packet_key(const kz_packet_keys *keys, const kz_packet_position *position) {
    return keys->chick_bits[position->chicks] | keys->elephant_bits[position->elephants] |
           keys->giraffe_bits[position->giraffes] | kz_packet_coords(position->own_lion) << 4 |
           kz_packet_coords(position->enemy_lion);
}

/* The positions of one part with the same giraffes. */
enum { KZ_PACKET_MOST_LIONS = KZ_PACKET_OWN_LIONS * (KZ_DOBUTSU_SQUARES - 1) };

/* Goes through a part, giraffes by giraffes. */
typedef struct kz_packet_walk {
    const kz_packet_keys *keys;
    const kz_dobutsu_reach *reach;
    kz_packet_position position; /* all but the lions */
    bool fits;                   /* elephants and chicks do */
    unsigned next;               /* giraffes, by the order of their bits */
    unsigned taken;              /* by chicks and elephants */
    bool known[KZ_PACKET_OWN_LIONS][KZ_DOBUTSU_SQUARES];
    kz_dobutsu_slice_base slices[KZ_PACKET_OWN_LIONS][KZ_DOBUTSU_SQUARES];
} kz_packet_walk;

void kz_packet_walk_start(kz_packet_walk *walk, const kz_packet_keys *keys, const kz_dobutsu_reach *reach,
                          uint64_t part);
/* The reachable positions with the next giraffes, in key order: their number, or -1 past the last ones. All of them
 * have both lions on the board and the mover's not on the far row; whether there is a move is not asked. */
int kz_packet_walk_next(kz_packet_walk *walk, kz_packet_position list[KZ_PACKET_MOST_LIONS]);

#endif
