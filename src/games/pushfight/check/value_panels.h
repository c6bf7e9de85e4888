/* SPDX-License-Identifier: MIT
 *
 * A value sweep (value_sweep.h) for processors with AVX-512 VBMI2, in panels.
 *
 * A *panel* is 64 bytes: the worths of (O, alpha), that of (rho, sigma) in byte rho * anchored_splits + sigma; the last
 * few are not used. So it is one vector, and what a panel learns from another one is the vector with its bytes in
 * another order:
 *
 *     a push       the runs of the successors follow each other in a page, by rho and sigma of the opponent; put in
 *                  their places they are a panel, too. Its bytes are needed in the order in which rho and sigma of the
 *                  own side choose among them.
 *     a move       the piece that moves may overtake others, so the numbers of rho change
 *
 * All panels of one alpha lie together, because moves don't change alpha: on the standard board 1.3 MB, which a core's
 * own cache holds. */
#ifndef KZ_PUSHFIGHT_VALUE_PANELS_H
#define KZ_PUSHFIGHT_VALUE_PANELS_H

#include "games/pushfight/check/value_moves.h"
#include "games/pushfight/check/value_push.h"

enum {
    KZ_PF_PANEL = 64,
    KZ_PF_MOST_ORDERS = 24, /* of the four own pieces that don't push */
    KZ_PF_ORDER_BITS = 2    /* of a place among them */
};

/* Where each byte of a panel comes from. */
typedef struct kz_pf_byte_order {
    _Alignas(KZ_PF_PANEL) uint8_t from[KZ_PF_PANEL];
} kz_pf_byte_order;

/* A successor set, and by alpha the part of the order that E decides: where the run of a byte begins. */
typedef struct kz_pf_panel_set {
    kz_pf_byte_order runs[KZ_PF_MOST_PIECES];
    kz_pf_successor_set common;
} kz_pf_panel_set;

typedef struct kz_pf_panels {
    /* By the number of the piece that moves: to an order of rho that depends on the others only, and back. */
    kz_pf_byte_order in[KZ_PF_MOST_PIECES];
    kz_pf_byte_order out[KZ_PF_MOST_PIECES];
    /* The byte in the run for each byte of a panel: the successors' sigma. By the order that a push leaves the other
     * pieces in, whether the page has the rotation, and the number of the piece that pushes. */
    kz_pf_byte_order sigmas[KZ_PF_MOST_ORDERS][2][KZ_PF_MOST_PIECES];
    kz_pf_panel_set memory[KZ_PF_SUCCESSOR_SETS];
    const kz_pf_space *space;
    uint64_t pushers[KZ_PF_MOST_PIECES]; /* the bytes in which a piece is no mover */
    /* By the places that the others have afterwards, KZ_PF_ORDER_BITS each. */
    uint8_t order_number[1 << KZ_PF_ORDER_BITS * (KZ_PF_MOST_PIECES - 1)];
    uint32_t same_order;                               /* those places if nothing changes */
    kz_pf_panel_set *successors[KZ_PF_SUCCESSOR_SETS]; /* of the sweep that is going on; NULL if not met yet */
    int met;
} kz_pf_panels;

/* Whether this processor can do it. */
bool kz_pf_panels_fit(void);
kz_status kz_pf_panels_open(const kz_pf_value_moves *moves, kz_pf_panels **opened, kz_error *error);
void kz_pf_panels_close(kz_pf_panels *panels);

/* The sweep for an enemy set, whose regions `moves` has. `cells` and `spare` are arrays of [pieces][enemy_sets] panels,
 * at a multiple of KZ_PF_PANEL; the result is in `cells`. */
kz_status kz_pf_panels_run(kz_pf_panels *panels, const kz_pf_value_moves *moves, kz_pf_value_pages *pages,
                           uint32_t enemy, uint8_t *cells, uint8_t *spare, kz_error *error);

#endif
