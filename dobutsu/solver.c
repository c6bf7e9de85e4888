/* SPDX-License-Identifier: MIT
 *
 * The kernels of retro.h as the solver layer calls them (kz_solver_ops). */
#include "base/error.h"
#include "dobutsu/retro.h"

static void *solver_open(int rules, kz_error *error) {
    kz_retro *retro = kz_retro_new(rules);
    if (!retro) {
        kz_fail(error, KZ_ERR_MEMORY, "no memory to solve Dobutsu Shogi: it takes about 400 MB");
    }
    return retro;
}

static void solver_close(void *solver) { kz_retro_free(solver); }

static uint64_t solver_units(const void *solver) { return ((const kz_retro *)solver)->space->solved_groups; }

static void solver_start(void *solver, uint64_t begin, uint64_t end) { kz_retro_start(solver, begin, end); }

static void solver_count(void *solver, uint64_t begin, uint64_t end) { kz_retro_count(solver, begin, end); }

static void solver_settle(void *solver, uint64_t begin, uint64_t end) { kz_retro_settle(solver, begin, end); }

static uint64_t solver_spread(void *solver, bool wins, int n, uint64_t begin, uint64_t end) {
    return kz_retro_spread(solver, wins, n, begin, end);
}

static void solver_clear(void *solver, int n) { kz_retro_clear(solver, n); }

static kz_value solver_value(const void *solver, uint64_t index) { return kz_retro_value(solver, index); }

static void solver_tally(const void *solver, uint64_t begin, uint64_t end, uint64_t losses[KZ_MAX_DISTANCE + 1],
                         uint64_t wins[KZ_MAX_DISTANCE + 1], uint64_t *draws) {
    kz_retro_tally(solver, begin, end, losses, wins, draws);
}

static void solver_losses(const void *solver, uint64_t begin, uint64_t end, uint8_t *out) {
    kz_retro_losses(solver, begin, end, out);
}

extern const kz_solver_ops kz_dobutsu_solver;
const kz_solver_ops kz_dobutsu_solver = {
    .open = solver_open,
    .close = solver_close,
    .units = solver_units,
    .start = solver_start,
    .count = solver_count,
    .settle = solver_settle,
    .spread = solver_spread,
    .clear = solver_clear,
    .value = solver_value,
    .tally = solver_tally,
    .losses = solver_losses,
};
