/* SPDX-License-Identifier: MIT
 *
 * The values of all positions that have the same enemy set E, from the values of their successors.
 *
 * Nothing is assumed about the anchor: positions that can't occur have values like all others, and so have those that
 * a game begins with, which have no anchor yet.
 *
 * A turn is up to two moves and a push. Moves depend on which squares are taken only, and they can be taken back. So a
 * sweep finds the best of the pushes alone for each (O, rho), and then twice the best of all (O, rho) that are one move
 * away. Positions that differ in what the enemy pieces are lie side by side, in *lanes*, and are worked on together.
 *
 * Tables are verified with this code, so it shares no rules with the solver: of the board it knows the definition
 * (board.h), of the index the numbering (space.h). */
#ifndef KZ_PUSHFIGHT_VALUE_SWEEP_H
#define KZ_PUSHFIGHT_VALUE_SWEEP_H

#include "games/pushfight/check/value_pages.h"

/* The memory that one thread needs for sweeps; 13 MB for the standard board. */
typedef struct kz_pf_value_sweep kz_pf_value_sweep;

/* What lanes mean: number alpha * anchored_splits + sigma if the positions have an anchor; the number of the subset of
 * enemy movers (numbered like rho) if they have none. */
typedef enum kz_pf_lanes { KZ_PF_WITH_ANCHOR, KZ_PF_WITHOUT_ANCHOR } kz_pf_lanes;

kz_status kz_pf_value_sweep_open(const kz_pf_space *space, kz_pf_lanes lanes, kz_pf_value_sweep **opened,
                                 kz_error *error);
void kz_pf_value_sweep_close(kz_pf_value_sweep *sweep);

/* Finds the values for the enemy set `enemy` (grid squares). Fails only if a page can't be read. */
kz_status kz_pf_value_sweep_run(kz_pf_value_sweep *sweep, kz_pf_value_pages *pages, uint32_t enemy, kz_error *error);

/* What the last run found. `at` tells where the worth (kz_pf_worth_byte) of a lane of rho is among those of an own set;
 * the lanes of one alpha follow each other. */
typedef struct kz_pf_worths {
    const uint8_t *cells;
    size_t step;        /* from one own set to the next */
    const uint32_t *at; /* [splits][lanes] */
    unsigned lanes;
} kz_pf_worths;

kz_pf_worths kz_pf_value_sweep_worths(const kz_pf_value_sweep *sweep);

/* `own_rank` is the rank of O among the sets of the squares that E leaves free (space->others). */
static inline const uint8_t *kz_pf_worth(const kz_pf_worths *worths, uint32_t own_rank, unsigned rho, unsigned lane) {
    return &worths->cells[own_rank * worths->step + worths->at[rho * worths->lanes + lane]];
}

#endif
