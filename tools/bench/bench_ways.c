/* SPDX-License-Identifier: MIT
 *
 * Dobutsu Shogi solved in both ways that there are: position by position (games/dobutsu/solve/retro.h) from the start,
 * and with sweeps over strips (games/dobutsu/solve/strips.h) for the small distances. Without the writing of the table.
 * On a machine with other work the processor time is the figure to look at. */
#include "base/cpu.h"
#include "base/pool.h"
#include "games/dobutsu/solve/solve.h"

#include <kanzen/system.h>
#include <stdio.h>
#include <sys/resource.h>

static double processor_seconds(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static bool solve(bool sweeps, kz_pool *pool, const char *way) {
    kz_error error;
    kz_dobutsu_retro *retro = NULL;
    double wall = kz_seconds();
    double used = processor_seconds();
    if (kz_dobutsu_solve_in_memory(0, sweeps, pool, NULL, &retro, &error) != KZ_OK) {
        fprintf(stderr, "bench_ways: %s\n", error.message);
        return false;
    }
    wall = kz_seconds() - wall;
    used = processor_seconds() - used;
    printf("dobutsu %-24s %7.2f s, %7.2f s of processor time (%s, %d threads)\n", way, wall, used,
           kz_cpu_name(kz_cpu_level()), kz_pool_threads(pool));
    fflush(stdout);
    kz_dobutsu_retro_free(retro);
    return true;
}

int main(void) {
    kz_pool *pool = kz_pool_new(0, NULL);
    if (!pool) {
        return 1;
    }
    bool fine = solve(false, pool, "position by position") && solve(true, pool, "with sweeps over strips");
    kz_pool_free(pool);
    return fine ? 0 : 1;
}
