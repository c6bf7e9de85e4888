/* SPDX-License-Identifier: MIT
 *
 * The state of a solve by sweeps, for the files that run it: sweep.c, and the runners (sweep_runner.h). */
#ifndef KZ_SOLVE_SWEEP_STATE_H
#define KZ_SOLVE_SWEEP_STATE_H

#include "games/pushfight/solve/phase_file.h"
#include "games/pushfight/solve/sweep.h"

#include <kanzen/paths.h>

enum { KZ_SWEEP_MOST_PHASES = KZ_MAX_DISTANCE };

/* A worker's memory. */
typedef struct kz_sweep_worker {
    uint64_t fresh;   /* positions that it decided in this phase and that were open before */
    uint64_t swept;   /* slices that it swept in this phase */
    uint8_t *marks;   /* room for the marks of a page */
    uint64_t *values; /* and for what all phases found there */
    uint64_t *won;    /* by group of a page; NULL if the solver has no open_runs */
    kz_error error;
} kz_sweep_worker;

struct kz_sweep {
    const kz_game *game;
    const kz_sweep_ops *ops;
    void *solver;
    kz_pool *pool;
    const kz_solve_options *options;
    const struct kz_sweep_runner *runner;
    struct kz_sweep_team *team;   /* what the team runner keeps; NULL: this process is alone */
    kz_phase_facts facts;         /* of the phase that is going on */
    double phase_begin;           /* when this run began with it, by kz_seconds */
    uint64_t microseconds_before; /* that earlier runs spent on it */
    char folder[KZ_PATH_BYTES];
    int lock;
    uint64_t slices;
    uint64_t pages;
    kz_sweep_worker *workers;
    uint32_t *decided[2]; /* [slices]: positions that are won; lost */
    uint8_t *changed;     /* [pages]: by the last phase */
    uint64_t first_slice; /* where the pool's work begins */
    kz_sweep_counts total;
    kz_sweep_counts open; /* undecided */
    kz_sweep_counts stuck;
    uint64_t won_at_once; /* of the index, by pushing a piece off */
    int phases;           /* that have a file: 1 to phases */
    kz_phase_file files[KZ_SWEEP_MOST_PHASES + 1];
    uint64_t found[KZ_SWEEP_MOST_PHASES + 1];
    bool complete;
};

#endif
