/* SPDX-License-Identifier: MIT
 *
 * The dense index: every position up to symmetry has one number, and every number below the size is a position.
 *
 * A position is the two lions and the states of the three pairs (pairs.h). They are ranked one after the other, each
 * among what still fits on the board: lions, elephants, giraffes, chicks. The view is always the mover's, so turns are
 * folded; mirror images are folded too. Where both lions stand in the middle column, the elephants decide which of
 * two mirror images is kept, then the giraffes, then the chicks: the smaller state wins.
 *
 * Pairs of lion squares come in three zones, and so the index has three parts:
 *   solved     lions apart and neither on its far row: all that a table has to hold
 *   decided    lions adjacent, or the enemy lion on the mover's home row: the rules alone tell the value
 *   finished   the mover's lion on its far row: won already
 * Together these are all 1,567,925,964 arrangements, mirror images folded. */
#ifndef KZ_DOBUTSU_INDEX_H
#define KZ_DOBUTSU_INDEX_H

#include "base/bits.h"
#include "games/dobutsu/index/pairs.h"

enum {
    KZ_DOBUTSU_INDEX_SIZE = 231641991,   /* the solved zone: what kz_rank numbers */
    KZ_DOBUTSU_DECIDED_END = 588021930,  /* with the decided zone */
    KZ_DOBUTSU_FINISHED_END = 784029240, /* with the finished zone: every arrangement */
    KZ_DOBUTSU_LION_CLASSES = 72,        /* pairs of lion squares, mirror images folded */
    KZ_DOBUTSU_LION_CLASSES_SOLVED = 21,
    KZ_DOBUTSU_LION_CLASSES_DECIDED = 54
};

/* A position in the terms of the index. */
typedef struct kz_dobutsu_arrangement {
    int own_lion;
    int enemy_lion;
    kz_dobutsu_pair elephants;
    kz_dobutsu_pair giraffes;
    kz_dobutsu_pair chicks;
} kz_dobutsu_arrangement;

/* Both lions must be on the board. */
void kz_dobutsu_arrangement_of(const kz_dobutsu *position, kz_dobutsu_arrangement *arrangement);
void kz_dobutsu_arrangement_to(const kz_dobutsu_arrangement *arrangement, kz_dobutsu *position);

/* The lion squares of a class, and the class of lion squares; `mirror` tells whether the class holds their mirror
 * image. */
void kz_dobutsu_lion_class_squares(int lion_class, int *own_lion, int *enemy_lion);
int kz_dobutsu_lion_class_of(int own_lion, int enemy_lion, bool *mirror);
/* Both lions in the middle column. */
KZ_DEVICE static inline bool kz_dobutsu_lions_central(int own_lion, int enemy_lion) {
    return own_lion % 3 == 1 && enemy_lion % 3 == 1;
}

/* How many positions a choice of lions has, and how many are left when mirror images are folded as well. */
enum { KZ_DOBUTSU_LIONS_POSITIONS = 11878227, KZ_DOBUTSU_LIONS_POSITIONS_FOLDED = 5944635 };

/* The plain way, straight from the definition: no tables, some microseconds. space.h has the fast one.
 * Any arrangement with both lions on the board has a rank; false if a lion is gone. */
bool kz_dobutsu_rank_all(const kz_dobutsu *position, uint64_t *index);
void kz_dobutsu_unrank(uint64_t index, kz_dobutsu *position);
/* Only the solved zone has numbers here. */
bool kz_dobutsu_rank(const kz_dobutsu *position, uint64_t *index);

#endif
