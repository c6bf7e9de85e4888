/* SPDX-License-Identifier: MIT
 *
 * What verifying a table of Push Fight costs besides reading it: a value sweep of the standard board, by the kind of
 * processor (base/cpu.h), with one thread. The values are made up, because those of the game are 1.8 GB; a sweep takes
 * no notice of what they are, only of how many positions are not won at once: here every eighth (alpha, rho). */
#include "base/cpu.h"
#include "base/random.h"
#include "games/pushfight/check/value_sweep.h"

#include <kanzen/system.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENEMY_SETS = 4, REPEATS = 5 };

static kz_status make_up(void *user, uint32_t own_set, uint8_t *bytes, kz_error *error) {
    const kz_pf_space *space = user;
    (void)error;
    uint64_t seed = own_set + 1;
    size_t width = (size_t)space->anchored_splits;
    for (size_t run = 0; run < kz_pf_own_set_size(space); run += width) {
        uint64_t made_up = kz_splitmix64(&seed);
        for (size_t sigma = 0; sigma < width; sigma++) {
            uint64_t other = made_up >> (8 + 5 * sigma) & 31;
            bytes[run + sigma] = (uint8_t)(made_up % 8 ? KZ_PF_BYTE_WIN : other);
        }
    }
    return KZ_OK;
}

/* Seconds for a sweep, from the fastest of several. */
static kz_status measure(const kz_pf_space *space, kz_pf_value_pages *pages, double *seconds, kz_error *error) {
    kz_pf_value_sweep *sweep = NULL;
    kz_status status = kz_pf_value_sweep_open(space, KZ_PF_WITH_ANCHOR, &sweep, error);
    *seconds = 0;
    for (uint32_t i = 0; status == KZ_OK && i < ENEMY_SETS; i++) {
        uint32_t enemy = space->own_squares[(uint64_t)i * space->own_sets / ENEMY_SETS];
        double best = 1e9;
        for (int k = 0; status == KZ_OK && k <= REPEATS; k++) { /* the first one makes the pages */
            double begin = kz_seconds();
            status = kz_pf_value_sweep_run(sweep, pages, enemy, error);
            double taken = kz_seconds() - begin;
            best = k > 0 && taken < best ? taken : best;
        }
        *seconds += best / ENEMY_SETS;
    }
    kz_pf_value_sweep_close(sweep);
    return status;
}

int main(void) {
    kz_error error = {0};
    kz_pf_space *space = NULL;
    kz_pf_value_pages *pages = NULL;
    kz_status status = kz_pf_space_open(kz_pf_board_at(0), &space, &error);
    if (status == KZ_OK) {
        status = kz_pf_value_pages_open(space, make_up, space, 0, &pages, &error);
    }
    static const kz_cpu levels[] = {KZ_CPU_PLAIN, KZ_CPU_AVX2, KZ_CPU_VBMI2};
    for (size_t i = 0; status == KZ_OK && i < sizeof levels / sizeof *levels; i++) {
        double seconds;
        if (levels[i] > kz_cpu_available()) {
            continue;
        }
        setenv("KANZEN_CPU", kz_cpu_name(levels[i]), 1);
        status = measure(space, pages, &seconds, &error);
        printf("%-6s value sweep %6.2f ms; all %u of the standard board %4.0f s of one processor\n",
               kz_cpu_name(levels[i]), seconds * 1e3, space->own_sets, seconds * space->own_sets);
    }
    if (status != KZ_OK) {
        fprintf(stderr, "bench_values: %s\n", error.message);
    }
    kz_pf_value_pages_close(pages);
    kz_pf_space_close(space);
    return status == KZ_OK ? 0 : 1;
}
