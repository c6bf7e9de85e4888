/* SPDX-License-Identifier: MIT
 *
 * kz_solve: rules in, table out. */
#include "base/error.h"
#include "solve/retrograde.h"
#include "table/writer.h"

#include <kanzen/paths.h>
#include <kanzen/system.h>
#include <stdlib.h>

typedef struct tally {
    const kz_game *game;
    const void *solver;
    kz_histogram *by_worker;
} tally;

static void do_tally(void *context, int worker, uint64_t begin, uint64_t end) {
    tally *t = context;
    kz_histogram *h = &t->by_worker[worker];
    t->game->solver->tally(t->solver, begin, end, h->losses, h->wins, &h->draws);
}

static kz_status take_tally(const kz_game *game, const void *solver, kz_pool *pool, kz_histogram *histogram,
                            kz_error *error) {
    int workers = kz_pool_threads(pool);
    *histogram = (kz_histogram){.draws = 0};
    tally t = {game, solver, calloc((size_t)workers, sizeof *t.by_worker)};
    if (!t.by_worker) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory to count the values");
    }
    kz_status status = kz_pool_for(pool, game->index_size, 0, do_tally, &t, NULL, NULL, error);
    for (int worker = 0; worker < workers; worker++) {
        const kz_histogram *h = &t.by_worker[worker];
        histogram->draws += h->draws;
        for (int n = 0; n <= KZ_MAX_DISTANCE; n++) {
            histogram->losses[n] += h->losses[n];
            histogram->wins[n] += h->wins[n];
        }
    }
    free(t.by_worker);
    return status;
}

static void summarize(const kz_histogram *histogram, kz_summary *summary) {
    summary->draws = histogram->draws;
    for (int n = 0; n <= KZ_MAX_DISTANCE; n++) {
        summary->losses += histogram->losses[n];
        summary->wins += histogram->wins[n];
        if (histogram->wins[n]) {
            summary->longest_win = n;
            summary->longest_wins = histogram->wins[n];
        }
    }
    summary->positions = summary->wins + summary->losses + summary->draws;
}

kz_status kz_solve(const kz_game *game, int rules, int threads, const char *path, bool replace,
                   const kz_progress *progress, kz_summary *summary, kz_error *error) {
    double begin = kz_seconds();
    void *solver = NULL;
    kz_histogram histogram;
    kz_status status = kz_prepare_output(path, replace, error); /* better now than when all is done */
    if (status != KZ_OK) {
        return status;
    }
    kz_pool *pool = kz_pool_new(threads, error);
    if (!pool) {
        return KZ_ERR_MEMORY;
    }
    *summary = (kz_summary){.positions = 0};
    status = kz_retrograde(game, rules, pool, progress, &solver, error);
    if (status == KZ_OK) {
        status = take_tally(game, solver, pool, &histogram, error);
    }
    double solved = kz_seconds();
    if (status == KZ_OK) {
        summarize(&histogram, summary);
        status = kz_table_write(game, rules, solver, &histogram, pool, path, replace, progress, &summary->table_bytes,
                                error);
    }
    summary->solve_seconds = solved - begin;
    summary->write_seconds = kz_seconds() - solved;
    if (solver) {
        game->solver->close(solver);
    }
    kz_pool_free(pool);
    return status;
}
