/* SPDX-License-Identifier: MIT
 *
 * A loop is published by offering seats: one for each worker that could find work in it. A worker that wakes up takes a
 * seat and draws pieces until there are none. The caller draws pieces too; when it finds none left it withdraws
 * the seats still free and waits for the taken ones only. So a short loop never waits for a worker to wake up. */
#include "base/pool.h"

#include "base/error.h"
#include "base/thread.h"

#include <kanzen/system.h>

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

enum { CACHE_LINE = 64, REPORT_INTERVAL_MS = 100, PIECES_PER_THREAD = 64 };

struct worker {
    kz_pool *pool;
    pthread_t thread;
    int number;
};

struct kz_pool {
    /* Each of these is written by all threads, so they keep apart from each other and from the rest. */
    _Alignas(CACHE_LINE) atomic_uint_least64_t next; /* the first item not handed out */
    _Alignas(CACHE_LINE) atomic_uint_least64_t done; /* how many items are finished */
    _Alignas(CACHE_LINE) atomic_bool cancelled;

    uint64_t count;
    uint64_t grain;
    kz_pool_work *work;
    void *context;

    pthread_mutex_t lock; /* guards the four below */
    pthread_cond_t wake;  /* seats are offered, or the pool closes */
    pthread_cond_t idle;  /* the last seat was left */
    int seats;
    int seated;
    bool closing;

    int threads;
    struct worker *workers; /* threads - 1 of them */
};

/* Handles one piece; false when there is none left. */
static bool draw(kz_pool *pool, int worker) {
    if (atomic_load_explicit(&pool->cancelled, memory_order_relaxed) ||
        atomic_load_explicit(&pool->next, memory_order_relaxed) >= pool->count) {
        return false;
    }
    uint64_t begin = atomic_fetch_add_explicit(&pool->next, pool->grain, memory_order_relaxed);
    if (begin >= pool->count) {
        return false;
    }
    uint64_t end = pool->count - begin < pool->grain ? pool->count : begin + pool->grain;
    pool->work(pool->context, worker, begin, end);
    atomic_fetch_add_explicit(&pool->done, end - begin, memory_order_relaxed);
    return true;
}

static void *worker_main(void *argument) {
    const struct worker *worker = argument;
    kz_pool *pool = worker->pool;
    pthread_mutex_lock(&pool->lock);
    for (;;) {
        while (pool->seats == 0 && !pool->closing) {
            pthread_cond_wait(&pool->wake, &pool->lock);
        }
        if (pool->closing) {
            break;
        }
        pool->seats--;
        pool->seated++;
        pthread_mutex_unlock(&pool->lock);
        while (draw(pool, worker->number)) {
        }
        pthread_mutex_lock(&pool->lock);
        pool->seated--;
        if (pool->seated == 0) {
            pthread_cond_signal(&pool->idle);
        }
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

static kz_status start_workers(kz_pool *pool, int threads, kz_error *error) {
    /* Signals are for the program's own threads. */
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int code = 0;
    while (pool->threads < threads && code == 0) {
        struct worker *worker = &pool->workers[pool->threads - 1];
        *worker = (struct worker){.pool = pool, .number = pool->threads};
        code = kz_thread_create(&worker->thread, worker_main, worker);
        pool->threads += code == 0;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return code == 0 ? KZ_OK : kz_fail_errno(error, KZ_ERR_MEMORY, code, "can't start thread %d", pool->threads + 1);
}

kz_pool *kz_pool_new(int threads, kz_error *error) {
    if (threads < 0 || threads > KZ_POOL_MAX_THREADS) {
        kz_fail(error, KZ_ERR_INPUT, "the number of threads must be from 0 to %d, not %d", KZ_POOL_MAX_THREADS,
                threads);
        return NULL;
    }
    if (threads == 0) {
        threads = kz_processor_count();
    }
    kz_pool *pool = aligned_alloc(CACHE_LINE, sizeof *pool);
    struct worker *workers = calloc((size_t)threads, sizeof *workers);
    if (pool == NULL || workers == NULL) {
        free(pool);
        free(workers);
        kz_fail(error, KZ_ERR_MEMORY, "out of memory for %d threads", threads);
        return NULL;
    }
    *pool = (kz_pool){.threads = 1, .workers = workers};
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->wake, NULL);
    pthread_cond_init(&pool->idle, &monotonic);
    pthread_condattr_destroy(&monotonic);
    if (start_workers(pool, threads, error) != KZ_OK) {
        kz_pool_free(pool);
        return NULL;
    }
    return pool;
}

kz_status kz_pool_open(int threads, kz_pool **pool, kz_error *error) {
    kz_error reason = {.status = KZ_ERR_MEMORY};
    *pool = kz_pool_new(threads, &reason);
    return *pool ? KZ_OK : kz_fail(error, reason.status, "%s", reason.message);
}

void kz_pool_free(kz_pool *pool) {
    if (pool == NULL) {
        return;
    }
    pthread_mutex_lock(&pool->lock);
    pool->closing = true;
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->lock);
    for (int i = 0; i < pool->threads - 1; i++) {
        pthread_join(pool->workers[i].thread, NULL);
    }
    pthread_cond_destroy(&pool->idle);
    pthread_cond_destroy(&pool->wake);
    pthread_mutex_destroy(&pool->lock);
    free(pool->workers);
    free(pool);
}

int kz_pool_threads(const kz_pool *pool) { return pool->threads; }

/* ---- The calling thread -------------------------------------------------------------------------------------- */

struct listener {
    const kz_progress *progress;
    const char *stage;
    double next_report;
};

static bool someone_listens(const struct listener *listener) {
    return listener->progress != NULL && listener->progress->report != NULL;
}

static void report(kz_pool *pool, const struct listener *listener) {
    uint64_t done = atomic_load_explicit(&pool->done, memory_order_relaxed);
    if (!listener->progress->report(listener->progress->user, listener->stage, done, pool->count)) {
        atomic_store_explicit(&pool->cancelled, true, memory_order_relaxed);
    }
}

static void report_if_due(kz_pool *pool, struct listener *listener) {
    if (!someone_listens(listener)) {
        return;
    }
    double now = kz_seconds();
    if (now >= listener->next_report) {
        report(pool, listener);
        listener->next_report = now + REPORT_INTERVAL_MS / 1e3;
    }
}

static void offer_seats(kz_pool *pool, int seats) {
    pthread_mutex_lock(&pool->lock);
    pool->seats = seats;
    if (seats == pool->threads - 1) {
        pthread_cond_broadcast(&pool->wake);
    } else {
        for (int i = 0; i < seats; i++) {
            pthread_cond_signal(&pool->wake);
        }
    }
    pthread_mutex_unlock(&pool->lock);
}

static void withdraw_seats_and_wait(kz_pool *pool, struct listener *listener) {
    pthread_mutex_lock(&pool->lock);
    pool->seats = 0;
    while (pool->seated > 0) {
        if (!someone_listens(listener)) {
            pthread_cond_wait(&pool->idle, &pool->lock);
            continue;
        }
        struct timespec until;
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_nsec += REPORT_INTERVAL_MS * 1000000L;
        if (until.tv_nsec >= 1000000000L) {
            until.tv_nsec -= 1000000000L;
            until.tv_sec++;
        }
        pthread_cond_timedwait(&pool->idle, &pool->lock, &until);
        /* The callback is not ours: it must not run under the lock. */
        pthread_mutex_unlock(&pool->lock);
        report_if_due(pool, listener);
        pthread_mutex_lock(&pool->lock);
    }
    pthread_mutex_unlock(&pool->lock);
}

kz_status kz_pool_for(kz_pool *pool, uint64_t count, uint64_t grain, kz_pool_work *work, void *context,
                      const kz_progress *progress, const char *stage, kz_error *error) {
    if (grain == 0) {
        grain = count / ((uint64_t)pool->threads * PIECES_PER_THREAD) + 1;
    }
    pool->count = count;
    pool->grain = grain;
    pool->work = work;
    pool->context = context;
    atomic_store_explicit(&pool->next, 0, memory_order_relaxed);
    atomic_store_explicit(&pool->done, 0, memory_order_relaxed);
    atomic_store_explicit(&pool->cancelled, false, memory_order_relaxed);

    struct listener listener = {.progress = progress, .stage = stage};
    if (someone_listens(&listener)) {
        listener.next_report = kz_seconds() + REPORT_INTERVAL_MS / 1e3;
    }
    uint64_t others = count == 0 ? 0 : (count - 1) / grain; /* pieces beside the caller's first */
    int seats = others < (uint64_t)pool->threads - 1 ? (int)others : pool->threads - 1;
    if (seats > 0) {
        offer_seats(pool, seats);
    }
    while (draw(pool, 0)) {
        report_if_due(pool, &listener);
    }
    if (seats > 0) {
        withdraw_seats_and_wait(pool, &listener);
    }
    if (someone_listens(&listener) && !atomic_load_explicit(&pool->cancelled, memory_order_relaxed)) {
        report(pool, &listener);
    }
    if (atomic_load_explicit(&pool->cancelled, memory_order_relaxed)) {
        return kz_fail(error, KZ_ERR_CANCELLED, "interrupted");
    }
    return KZ_OK;
}
