/* SPDX-License-Identifier: MIT
 *
 * The retrograde analysis of Dobutsu Shogi (games/dobutsu/solve/retro.h) on a graphics card: an optional backend.
 * Nothing else depends on CUDA. */
#ifndef KZ_CUDA_DOBUTSU_H
#define KZ_CUDA_DOBUTSU_H

#include "game/card.h"
#include "games/dobutsu/rules/unmoves.h"

/* CUDA is in a module (base/module.h). NULL with a reason if it can't be loaded. Whether there is a card shows when a
 * solver is taken there. */
const kz_card_ops *kz_dobutsu_cuda_solver(kz_error *error);

/* What a card takes from a solver and brings back. No thread of the processors uses it meanwhile, so here it is plain
 * memory. */
typedef struct kz_dobutsu_card_state {
    const kz_dobutsu_space *space; /* a whole one */
    const kz_dobutsu_unmoves *unmoves;
    uint8_t *cells;
    uint64_t *odd_ones; /* NULL: there are none by these rules */
    const uint8_t *frontier[2];
} kz_dobutsu_card_state;

void kz_dobutsu_card_state_of(void *solver, kz_dobutsu_card_state *state);

/* What the module has. */
typedef const kz_card_ops *kz_dobutsu_cuda_function(void);
const kz_card_ops *kz_module_dobutsu_solver(void);

#endif
