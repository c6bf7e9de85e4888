/* SPDX-License-Identifier: MIT
 *
 * The retrograde analysis of Dobutsu Shogi (games/dobutsu/solve/retro.h) on a graphics card: an optional backend in a
 * module (base/module.h). Nothing else depends on CUDA. */
#ifndef KZ_CUDA_DOBUTSU_H
#define KZ_CUDA_DOBUTSU_H

#include "games/dobutsu/rules/unmoves.h"

#include <kanzen/error.h>
#include <stdbool.h>

struct kz_dobutsu_retro;
typedef struct kz_dobutsu_card kz_dobutsu_card;

/* What the module has: the kernels of retro.h, each for all positions at once. A card takes the state of a solver after
 * `start`, or from a checkpoint; from then on the solver's own state is out of date until `fetch`. */
typedef struct kz_dobutsu_card_calls {
    kz_status (*check)(kz_error *error); /* whether there is a card */
    kz_dobutsu_card *(*open)(struct kz_dobutsu_retro *retro, kz_error *error);
    void (*close)(kz_dobutsu_card *card);
    kz_status (*count)(kz_dobutsu_card *card, uint64_t *open, kz_error *error);
    kz_status (*propagate)(kz_dobutsu_card *card, bool wins, int n, uint64_t *expanded, kz_error *error);
    kz_status (*settle)(kz_dobutsu_card *card, kz_error *error);
    kz_status (*clear)(kz_dobutsu_card *card, int n, kz_error *error);
    kz_status (*fetch)(kz_dobutsu_card *card, kz_error *error);
} kz_dobutsu_card_calls;

/* What a card takes from a solver and brings back. No thread of the processors uses it meanwhile, so here it is plain
 * memory. */
typedef struct kz_dobutsu_card_state {
    const kz_dobutsu_space *space; /* a whole one */
    const kz_dobutsu_unmoves *unmoves;
    uint8_t *cells;
    uint64_t *odd_ones; /* NULL: there are none by these rules */
    const uint8_t *frontier[2];
} kz_dobutsu_card_state;

void kz_dobutsu_card_state_of(struct kz_dobutsu_retro *retro, kz_dobutsu_card_state *state);

/* The function of the module. */
typedef const kz_dobutsu_card_calls *kz_dobutsu_cuda_function(void);
const kz_dobutsu_card_calls *kz_module_dobutsu_solver(void);

#endif
