/* SPDX-License-Identifier: MIT */
#include "games/pushfight/published/sweeps.h"

#include "base/error.h"

#include <stdatomic.h>
#include <stdlib.h>

/* What a worker has. */
typedef struct worker_memory {
    kz_pf_value_sweep *sweep;
    kz_error error; /* of its first sweep that failed */
} worker_memory;

typedef struct sweep_run {
    const kz_pf_sweeps *sweeps;
    worker_memory *workers;
    atomic_bool failed;
} sweep_run;

static void sweep_part(void *context, int number, uint64_t begin, uint64_t end) {
    sweep_run *run = context;
    const kz_pf_sweeps *sweeps = run->sweeps;
    worker_memory *own = &run->workers[number];
    for (uint64_t i = begin; i < end && !atomic_load(&run->failed); i++) {
        kz_status status = kz_pf_value_sweep_run(own->sweep, sweeps->pages, sweeps->enemies[i], &own->error);
        if (status == KZ_OK) {
            sweeps->swept(sweeps->context, own->sweep, (uint32_t)i);
        } else {
            own->error.status = status;
            atomic_store(&run->failed, true);
        }
    }
}

static kz_status open_workers(const sweep_run *run, int count, kz_error *error) {
    kz_status status = KZ_OK;
    for (int i = 0; status == KZ_OK && i < count; i++) {
        status = kz_pf_value_sweep_open(run->sweeps->space, run->sweeps->lanes, &run->workers[i].sweep, error);
    }
    return status;
}

kz_status kz_pf_sweeps_run(const kz_pf_sweeps *sweeps, kz_pool *pool, const kz_progress *progress, const char *stage,
                           kz_error *error) {
    int threads = kz_pool_threads(pool);
    sweep_run run = {.sweeps = sweeps, .workers = calloc((size_t)threads, sizeof *run.workers)};
    if (!run.workers) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for %d threads", threads);
    }
    kz_status status = open_workers(&run, threads, error);
    if (status == KZ_OK) {
        status = kz_pool_for(pool, sweeps->count, 1, sweep_part, &run, progress, stage, error);
    }
    for (int i = 0; i < threads; i++) {
        const kz_error *failure = &run.workers[i].error;
        if (status == KZ_OK && failure->status != KZ_OK) {
            status = kz_fail(error, failure->status, "%s", failure->message);
        }
        kz_pf_value_sweep_close(run.workers[i].sweep);
    }
    free(run.workers);
    return status;
}
