/* SPDX-License-Identifier: MIT
 *
 * What makes a player of some level weaker than another (docs/levels.md). */
#ifndef KZ_ENGINE_STRENGTH_H
#define KZ_ENGINE_STRENGTH_H

#include "app/engine/replies.h"

typedef struct kz_strength {
    const char *name;
    int sight;     /* the plies that he looks ahead, on average; INT_MAX: everything */
    int oversight; /* of a hundred moves, how many he makes without looking */
    /* How much likelier he takes moves of one value than those of the next worse one, in percent, where he goes by his
     * feeling. */
    int feeling;
} kz_strength;

/* By the number of the level; NULL past the last. */
const kz_strength *kz_strength_of(int level);

/* Sight is up to so much more or less than on average, in steps of this size: less, the same, more. */
enum { KZ_SIGHT_STEP = 2 };

/* How much deeper a loss seems to lie when few of the replies bring it about: a ply for each halving. One refutation
 * among 16 replies is as hard to see as a loss 4 plies farther away. */
int kz_hidden_plies(kz_replies replies);

/* How much a number of moves weighs: 1 for one move, and one more for each doubling. */
int kz_move_weight(int count);

#endif
