/* SPDX-License-Identifier: MIT
 *
 * Batches of positions through every format and path: the laws hold, and many at once are the same as one at a time.
 * Used with few positions and with many. */
#ifndef TESTS_SHOGI_ROUNDTRIP_H
#define TESTS_SHOGI_ROUNDTRIP_H

#include "shogi/tests/support/shogi_laws.h"
#include "shogi/tests/support/shogi_random.h"
#include "tests/support/testing.h"

enum { BATCH = 250, WIDEST = 40, UNTOUCHED = 0x5A };

/* Positions and what the plain path makes of them. */
typedef struct shogi_batch {
    size_t count;
    kz_shogi_position positions[BATCH];
    kz_shogi_defect defects[BATCH];
    uint8_t records[BATCH][RECORD]; /* of those without a defect */
} shogi_batch;

/* Complains if a law is broken. */
void shogi_keep(const char *broken);

/* The positions of the batch through every format and path. */
void shogi_check_batch(shogi_batch *batch, uint64_t *seed);

/* So many random positions of a kind. */
void shogi_check_wish(uint64_t *seed, shogi_random_wish wish, size_t count);

/* So many positions of games. */
void shogi_check_walk(shogi_walker *walker, size_t count);

#endif
