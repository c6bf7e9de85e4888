/* SPDX-License-Identifier: MIT
 *
 * What the Push Fight solver costs: phase 0 and the sweeps of later phases, a position, on boards of growing size, and
 * what that makes for the whole standard board. Later phases are measured on a sample of the blocks, after a complete
 * phase 0. An argument names boards to leave out. */
#include "base/pool.h"
#include "games/pushfight/solve/pages.h"

#include <inttypes.h>
#include <kanzen/game.h>
#include <kanzen/system.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLED_BLOCKS = 2048, REPEATS = 3, STANDARD_PHASES = 97 };

typedef struct job {
    kz_pf_pages *pages;
    int phase;
    uint64_t stride;
} job;

static void start_blocks(void *context, int worker, uint64_t begin, uint64_t end) {
    const job *j = context;
    for (uint64_t block = begin; block < end; block++) {
        kz_pf_pages_start(j->pages, worker, block);
    }
}

static void place_pages(void *context, int worker, uint64_t begin, uint64_t end) {
    const job *j = context;
    (void)worker;
    for (uint64_t page = begin; page < end; page++) {
        if (j->phase < 0) {
            kz_pf_pages_measure(j->pages, page);
        } else {
            kz_pf_pages_place(j->pages, page);
        }
    }
}

static void sweep_blocks(void *context, int worker, uint64_t begin, uint64_t end) {
    const job *j = context;
    uint64_t fresh = 0;
    for (uint64_t i = begin; i < end; i++) {
        kz_pf_pages_sweep(j->pages, worker, j->phase, i * j->stride, &fresh);
    }
}

static double timed(kz_pool *pool, uint64_t count, uint64_t grain, kz_pool_work *work, job *j) {
    double begin = kz_seconds();
    kz_pool_for(pool, count, grain, work, j, NULL, NULL, NULL);
    return kz_seconds() - begin;
}

/* Seconds for all blocks, from the fastest of several runs over a sample. */
static double sweep_seconds(kz_pool *pool, job *j, int phase, uint64_t blocks) {
    uint64_t sample = blocks < SAMPLED_BLOCKS ? blocks : SAMPLED_BLOCKS;
    double best = 1e9;
    j->phase = phase;
    j->stride = blocks / sample;
    for (int i = 0; i < REPEATS; i++) {
        double seconds = timed(pool, sample, 16, sweep_blocks, j) * (double)blocks / (double)sample;
        best = seconds < best ? seconds : best;
    }
    return best;
}

static bool measure(kz_pool *pool, int rules, const char *name) {
    kz_error error;
    job j = {.phase = -1};
    if (kz_pf_pages_open(rules, kz_pool_threads(pool), &j.pages, &error) != KZ_OK) {
        fprintf(stderr, "bench_pushfight: %s\n", error.message);
        return false;
    }
    uint64_t blocks = j.pages->space->own_sets;
    kz_pf_amount lost;
    kz_pf_amount won;
    double start = timed(pool, blocks, 64, start_blocks, &j);
    double all = (double)kz_pf_pages_total(j.pages).all;
    double layout = timed(pool, blocks, 4, place_pages, &j);
    kz_status status = kz_pf_pages_lay_out(j.pages, &lost, &won, &error);
    if (status == KZ_OK) {
        j.phase = 0;
        layout += timed(pool, blocks, 4, place_pages, &j);
        double losses = sweep_seconds(pool, &j, 1, blocks);
        double wins = sweep_seconds(pool, &j, 2, blocks);
        printf("%-12s %17.0f positions: phase 0 %8.2f s (%7.0f M/s), runs %6.2f s, sweep for losses %7.2f s, for wins "
               "%7.2f s (%5.2f ns a position); wins at once %" PRIu64 "\n",
               name, all, start, all / start / 1e6, layout, losses, wins, (losses + wins) / 2 / all * 1e9, won.all);
        if (rules == 0) {
            printf("estimate for the whole standard board, every block in each of %d phases: %.0f minutes\n",
                   STANDARD_PHASES, (start + layout + (losses + wins) / 2 * STANDARD_PHASES) / 60);
        }
        fflush(stdout);
    } else {
        fprintf(stderr, "bench_pushfight: %s\n", error.message);
    }
    kz_pf_pages_close(j.pages);
    return status == KZ_OK;
}

int main(int count, char **items) {
    static const char *const boards[] = {"mini", "twocolumn", "onecolumn", "standard"};
    const kz_game *game = kz_game_find("pushfight");
    kz_pool *pool = kz_pool_new(0, NULL);
    bool fine = game && pool;
    for (size_t i = 0; fine && i < sizeof boards / sizeof *boards; i++) {
        bool left_out = false;
        for (int k = 1; k < count; k++) {
            left_out = left_out || strcmp(items[k], boards[i]) == 0;
        }
        fine = left_out || measure(pool, kz_rules_find(game, boards[i]), boards[i]);
    }
    kz_pool_free(pool);
    return fine ? 0 : 1;
}
