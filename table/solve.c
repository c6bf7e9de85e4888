/* SPDX-License-Identifier: MIT
 *
 * kz_solve: rules in, table out. */
#include "base/error.h"
#include "solve/retrograde.h"
#include "solve/sweep.h"
#include "table/writer.h"

#include <kanzen/paths.h>
#include <kanzen/system.h>
#include <stdio.h>
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

static kz_status take_tally(const kz_game *game, int rules, const void *solver, kz_pool *pool, kz_histogram *histogram,
                            kz_error *error) {
    int workers = kz_pool_threads(pool);
    *histogram = (kz_histogram){.draws = 0};
    tally t = {game, solver, calloc((size_t)workers, sizeof *t.by_worker)};
    if (!t.by_worker) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory to count the values");
    }
    kz_status status = kz_pool_for(pool, kz_index_size(game, rules), 0, do_tally, &t, NULL, NULL, error);
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

/* A solve with what it needs and what it leaves. */
typedef struct job {
    const kz_game *game;
    int rules;
    const char *path;
    const kz_solve_options *options;
    kz_pool *pool;
    double begin;
    kz_summary *summary;
} job;

static kz_status write_table(const job *j, const kz_source *source, const kz_histogram *histogram, kz_error *error) {
    double solved = kz_seconds();
    j->summary->solve_seconds = solved - j->begin;
    summarize(histogram, j->summary);
    kz_status status = kz_table_write(j->game, j->rules, source, histogram, j->pool, j->path, j->options->replace,
                                      j->options->progress, &j->summary->table_bytes, error);
    j->summary->write_seconds = kz_seconds() - solved;
    return status;
}

static kz_status go_back(const job *j, kz_error *error) {
    void *solver = NULL;
    kz_histogram histogram;
    kz_status status = kz_retrograde(j->game, j->rules, j->pool, j->options->progress, &solver, error);
    if (status == KZ_OK) {
        status = take_tally(j->game, j->rules, solver, j->pool, &histogram, error);
    }
    if (status == KZ_OK) {
        kz_source source = j->game->solver->source(solver);
        status = write_table(j, &source, &histogram, error);
    }
    if (solver) {
        j->game->solver->close(solver);
    }
    return status;
}

static kz_status sweep(const job *j, kz_error *error) {
    char folder[KZ_PATH_BYTES];
    if (snprintf(folder, sizeof folder, "%s.work", j->path) >= (int)sizeof folder) {
        return kz_fail(error, KZ_ERR_INPUT, "the path of the table is too long");
    }
    kz_sweep *finished = NULL;
    kz_status status = kz_sweep_run(j->game, j->rules, folder, j->pool, j->options, &finished, error);
    if (status != KZ_OK) {
        return status;
    }
    bool complete = kz_sweep_complete(finished);
    if (complete) {
        kz_histogram histogram;
        kz_sweep_histogram(finished, &histogram);
        kz_source source = kz_sweep_source(finished);
        status = write_table(j, &source, &histogram, error);
    }
    kz_sweep_close(finished);
    if (status == KZ_OK && complete && !j->options->keep_work) {
        kz_sweep_clean(folder);
    }
    return status;
}

kz_status kz_solve(const kz_game *game, int rules, const char *path, const kz_solve_options *options,
                   kz_summary *summary, kz_error *error) {
    static const kz_solve_options none;
    job j = {.game = game,
             .rules = rules,
             .path = path,
             .options = options ? options : &none,
             .begin = kz_seconds(),
             .summary = summary};
    *summary = (kz_summary){.positions = 0};
    kz_status status = kz_prepare_output(path, j.options->replace, error); /* better now than when all is done */
    if (status != KZ_OK) {
        return status;
    }
    j.pool = kz_pool_new(j.options->threads, error);
    if (!j.pool) {
        return KZ_ERR_MEMORY;
    }
    status = game->sweep ? sweep(&j, error) : go_back(&j, error);
    kz_pool_free(j.pool);
    return status;
}
