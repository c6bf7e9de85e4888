/* SPDX-License-Identifier: MIT
 *
 * Dobutsu Shogi solved in both ways that there are: position by position (games/dobutsu/solve/retro.h) from the start,
 * and with sweeps over strips (games/dobutsu/solve/strips.h) for the small distances. Without the writing of the table.
 * On a machine with other work the processor time is the figure to look at. */
#include "base/cpu.h"
#include "base/pool.h"
#include "solve/retrograde.h"

#include <kanzen/system.h>
#include <stdio.h>
#include <sys/resource.h>

static double processor_seconds(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static bool solve(const kz_game *game, kz_pool *pool, const char *way) {
    kz_error error;
    void *solver = NULL;
    double wall = kz_seconds();
    double used = processor_seconds();
    if (kz_retrograde(game, 0, pool, NULL, &solver, &error) != KZ_OK) {
        fprintf(stderr, "bench_ways: %s\n", error.message);
        return false;
    }
    wall = kz_seconds() - wall;
    used = processor_seconds() - used;
    printf("dobutsu %-24s %7.2f s, %7.2f s of processor time (%s, %d threads)\n", way, wall, used,
           kz_cpu_name(kz_cpu_level()), kz_pool_threads(pool));
    fflush(stdout);
    game->solver->close(solver);
    return true;
}

int main(void) {
    const kz_game *game = kz_game_find("dobutsu");
    kz_pool *pool = kz_pool_new(0, NULL);
    if (!game || !pool) {
        return 1;
    }
    kz_solver_ops one_by_one = *game->solver;
    kz_game old = *game;
    one_by_one.open_sweeps = NULL;
    old.solver = &one_by_one;
    bool fine = solve(&old, pool, "position by position") && solve(game, pool, "with sweeps over strips");
    kz_pool_free(pool);
    return fine ? 0 : 1;
}
