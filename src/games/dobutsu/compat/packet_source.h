/* SPDX-License-Identifier: MIT
 *
 * Where the bytes of a packet database come from: the solved game, the set of reachable positions, and how many of them
 * come before each part of keys, so that any packet can be made without those before it. */
#ifndef KZ_EXPORT_PACKET_SOURCE_H
#define KZ_EXPORT_PACKET_SOURCE_H

#include "games/dobutsu/compat/packet_keys.h"

#include <kanzen/dobutsu_files.h>

/* ---- Which child a packet has for a position, and what it says about it (packet_child.c) ------------------------- */

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

/* ---- The source -------------------------------------------------------------------------------------------------- */

typedef struct kz_packet_source {
    kz_pool *pool;
    const kz_progress *progress;
    kz_dobutsu_retro *retro;
    kz_dobutsu_reach *reach;
    kz_packet_keys keys;
    kz_packet_judge judge;
    uint32_t *before; /* [KZ_PACKET_PARTS + 1] positions before each part, and in all */
    uint8_t *lists;   /* while packets are counted: by part and giraffes, how many positions have a move */
    uint8_t *maximums;
    uint64_t packets;
    uint64_t maximums_size;
    bool fix; /* write ten entries as they ought to be, not as the analyzer has them */
} kz_packet_source;

/* Solves the game and counts. NULL on failure. The pool is the caller's. */
kz_packet_source *kz_packet_source_open(kz_pool *pool, const kz_progress *progress, kz_error *error);
void kz_packet_source_close(kz_packet_source *source);

/* The size of a packet in bytes. */
unsigned kz_packet_source_size(const kz_packet_source *source, uint64_t packet);

/* The packets that `fix` makes a difference to, ascending; returns how many there are. */
enum { KZ_PACKET_DISPUTED = 10 };
int kz_packet_source_disputed(const kz_packet_source *source, uint64_t packets[KZ_PACKET_DISPUTED]);

/* Makes `count` packets from `first` on, one after the other in `bytes`. Progress is told as if [0, done) of `total`
 * packets had been made before. */
kz_status kz_packet_source_fill(kz_packet_source *source, uint64_t first, uint64_t count, uint64_t done, uint64_t total,
                                uint8_t *bytes, kz_error *error);

/* kz_dobutsu_packets_write with a source that is there already, and its pool; NULL: one is made. */
kz_status kz_packet_write_with(kz_packet_source *source, const char *path, const kz_dobutsu_packets_options *options,
                               kz_dobutsu_packets_summary *summary, kz_error *error);

#endif
