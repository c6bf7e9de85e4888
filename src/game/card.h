/* SPDX-License-Identifier: MIT
 *
 * The steps of a retrograde analysis (kz_solver_ops in game/gamedef.h), and how a graphics card does them. */
#ifndef KZ_CORE_CARD_H
#define KZ_CORE_CARD_H

#include <kanzen/error.h>
#include <stdbool.h>
#include <stdint.h>

/* What the kernels do, so that `receive` knows what an update means: either they count the moves of open positions, or
 * they propagate the positions that are lost (or won) in n plies to their predecessors. */
typedef struct kz_step {
    bool counting;
    bool wins;
    int n;
} kz_step;

/* A card does a step for all positions at once. It takes the state of a solver after `start`, or `load`, of all
 * positions; from then on the solver's own state is out of date until `fetch`. */
typedef struct kz_card_ops {
    kz_status (*check)(kz_error *error); /* whether there is a card */
    void *(*open)(void *solver, kz_error *error);
    void (*close)(void *card);
    /* Counts or propagates, as the step says. `expanded`: what `count` and `propagate` return. */
    kz_status (*step)(void *card, kz_step step, uint64_t *expanded, kz_error *error);
    kz_status (*settle)(void *card, kz_error *error);
    kz_status (*clear)(void *card, int n, kz_error *error);
    /* Brings the state back to the solver. */
    kz_status (*fetch)(void *card, kz_error *error);
} kz_card_ops;

#endif
