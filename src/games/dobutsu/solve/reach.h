/* SPDX-License-Identifier: MIT
 *
 * Which positions of Dobutsu Shogi a game can lead to: moves played forward from the start, run by run.
 *
 * A set of positions has one bit for each index of the solved and decided zones (index.h). The finished zone is not
 * needed: there the mover has won already. Nor are positions without a lion. */
#ifndef KZ_DOBUTSU_REACH_H
#define KZ_DOBUTSU_REACH_H

#include "base/pool.h"
#include "games/dobutsu/rules/forward.h"
#include "games/dobutsu/solve/retro.h"

#include <stdatomic.h>

/* What a position offers, as the side to move sees it: any of these. */
enum {
    KZ_DOBUTSU_CAN_CAPTURE = 1, /* the enemy's lion can be taken */
    KZ_DOBUTSU_TRIED = 2,       /* the enemy's lion is on the mover's home row */
    KZ_DOBUTSU_CAN_TRY = 4,     /* the mover's lion can step onto the far row where nothing takes it */
    KZ_DOBUTSU_FEATURE_SETS = 8
};

/* How many positions have exactly these features. */
typedef struct kz_dobutsu_reach_tally {
    _Atomic uint64_t folded[KZ_DOBUTSU_FEATURE_SETS];             /* mirror images are one position */
    _Atomic uint64_t unfolded[KZ_DOBUTSU_FEATURE_SETS];           /* mirror images are two positions */
    _Atomic uint64_t values[KZ_DOBUTSU_FEATURE_SETS][KZ_WIN + 1]; /* folded, by kz_outcome */
} kz_dobutsu_reach_tally;

typedef struct kz_dobutsu_reach {
    kz_dobutsu_space *space;
    kz_dobutsu_forward *forward;
    _Atomic uint64_t *reached;
    _Atomic uint64_t *expanded; /* those whose moves have been played */
    _Atomic uint64_t expansions;
    /* [mirror the chicks or not]: the chicks as the other side sees them when nothing or when a piece has stepped onto
     * a square: an enemy chick there is taken; an own one is in the way, KZ_DOBUTSU_NO_STATE. */
    uint16_t seen[2][KZ_DOBUTSU_CHICK_STATES];
    uint16_t landed[2][KZ_DOBUTSU_SQUARES][KZ_DOBUTSU_CHICK_STATES];
} kz_dobutsu_reach;

/* NULL if there is no memory. The set is empty. */
kz_dobutsu_reach *kz_dobutsu_reach_new(void);
void kz_dobutsu_reach_free(kz_dobutsu_reach *reach);
void kz_dobutsu_reach_clear(kz_dobutsu_reach *reach);

void kz_dobutsu_reach_add(kz_dobutsu_reach *reach, uint64_t index);
bool kz_dobutsu_reach_has(const kz_dobutsu_reach *reach, uint64_t index);

/* Plays all moves of the positions in runs [begin, end) that were added since they were last asked, and adds what
 * they lead to. A position with one of the features `stop` is the end of a game. Taking the lion, and letting a Try
 * stand, lead out of the set and are not played. Several threads may be at it at once. */
void kz_dobutsu_reach_expand(kz_dobutsu_reach *reach, unsigned stop, uint64_t begin, uint64_t end);

/* Clears the set and fills it with what can be reached from the start. */
kz_status kz_dobutsu_reach_run(kz_dobutsu_reach *reach, unsigned stop, kz_pool *pool, const kz_progress *progress,
                               const char *stage, kz_error *error);

/* Adds the set's positions in runs [begin, end) to a tally; with the values of those in the solved zone if `retro`,
 * which is through, is not NULL. */
void kz_dobutsu_reach_count(const kz_dobutsu_reach *reach, const kz_dobutsu_retro *retro, uint64_t begin, uint64_t end,
                            kz_dobutsu_reach_tally *tally);
/* The same without values for all positions of runs [begin, end), in the set or not. */
void kz_dobutsu_reach_count_all(const kz_dobutsu_reach *reach, uint64_t begin, uint64_t end,
                                kz_dobutsu_reach_tally *tally);

#endif
