/* SPDX-License-Identifier: MIT */
#include "solve/retrograde.h"

#include "base/error.h"

#include <stdatomic.h>

typedef struct phase {
    const kz_solver_ops *ops;
    void *solver;
    kz_pool *pool;
    const kz_progress *progress;
    uint64_t units;
    bool wins;
    int n;
    _Atomic uint64_t open;    /* positions that the rules don't decide */
    _Atomic uint64_t sources; /* those of them that have been gone out from */
} phase;

static void do_start(void *context, int worker, uint64_t begin, uint64_t end) {
    (void)worker;
    phase *p = context;
    p->ops->start(p->solver, begin, end);
}

static void do_count(void *context, int worker, uint64_t begin, uint64_t end) {
    (void)worker;
    phase *p = context;
    uint64_t open = p->ops->count(p->solver, begin, end);
    atomic_fetch_add_explicit(&p->open, open, memory_order_relaxed);
}

static void do_settle(void *context, int worker, uint64_t begin, uint64_t end) {
    (void)worker;
    phase *p = context;
    p->ops->settle(p->solver, begin, end);
}

static void do_spread(void *context, int worker, uint64_t begin, uint64_t end) {
    (void)worker;
    phase *p = context;
    uint64_t sources = p->ops->spread(p->solver, p->wins, p->n, begin, end);
    atomic_fetch_add_explicit(&p->sources, sources, memory_order_relaxed);
}

static kz_status run(phase *p, kz_pool_work *work, const char *stage, kz_error *error) {
    return kz_pool_for(p->pool, p->units, 0, work, p, stage ? p->progress : NULL, stage, error);
}

static kz_status spread(phase *p, bool wins, int n, kz_error *error) {
    p->wins = wins;
    p->n = n;
    return run(p, do_spread, NULL, error);
}

/* Many positions are decided early and few late, so what counts is the positions and not the distance. Draws are never
 * gone out from, so it ends a little short. */
static kz_status report(const phase *p, uint64_t done, uint64_t total, kz_error *error) {
    const kz_progress *progress = p->progress;
    if (progress && progress->report && !progress->report(progress->user, "going back", done, total)) {
        return kz_fail(error, KZ_ERR_CANCELLED, "stopped");
    }
    return KZ_OK;
}

static kz_status run_phases(phase *p, kz_error *error) {
    enum { IDLE_DISTANCES = 2 };
    kz_status status = KZ_OK;
    int idle = 0;
    for (int n = 2; status == KZ_OK && idle < IDLE_DISTANCES && n < KZ_MAX_DISTANCE; n++) {
        uint64_t before = p->sources;
        status = spread(p, false, n, error);
        if (status == KZ_OK) {
            status = spread(p, true, n, error);
        }
        p->ops->clear(p->solver, n);
        idle = p->sources == before ? idle + 1 : 0;
        if (status == KZ_OK) {
            status = report(p, p->sources, p->open, error);
        }
    }
    if (status == KZ_OK && idle < IDLE_DISTANCES) {
        status = kz_fail(error, KZ_ERR_UNSUPPORTED, "the game has wins of more than %d plies", KZ_MAX_DISTANCE);
    }
    return status;
}

kz_status kz_retrograde(const kz_game *game, int rules, kz_pool *pool, const kz_progress *progress, void **solver,
                        kz_error *error) {
    phase p = {.ops = game->solver, .pool = pool, .progress = progress};
    if (!p.ops) {
        return kz_fail(error, KZ_ERR_UNSUPPORTED, "there is no solver for %s", game->name);
    }
    p.solver = p.ops->open(rules, error);
    if (!p.solver) {
        return KZ_ERR_MEMORY;
    }
    p.units = p.ops->units(p.solver);
    kz_status status = run(&p, do_start, "finding what the rules decide", error);
    if (status == KZ_OK) {
        status = spread(&p, false, 0, error);
    }
    if (status == KZ_OK) {
        status = run(&p, do_count, "counting moves", error);
    }
    if (status == KZ_OK) {
        status = run(&p, do_settle, NULL, error);
    }
    if (status == KZ_OK) {
        status = run_phases(&p, error);
    }
    if (status != KZ_OK) {
        p.ops->close(p.solver);
        return status;
    }
    *solver = p.solver;
    return KZ_OK;
}
