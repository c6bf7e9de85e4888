/* SPDX-License-Identifier: MIT
 *
 * The worker pool: every item once, progress from the calling thread, and cancellation. */
#include "base/pool.h"
#include "tests/support/testing.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ITEMS = 100003, TICKET_LIMIT = 64 };

struct visits {
    atomic_uchar *seen;
    atomic_int inside[TICKET_LIMIT]; /* how many calls each worker number is in */
    uint64_t grain;
    int threads;
    atomic_int mistakes;
};

static void visit(void *context, int worker, uint64_t begin, uint64_t end) {
    struct visits *visits = context;
    if (worker < 0 || worker >= visits->threads || begin >= end || end > ITEMS) {
        atomic_fetch_add(&visits->mistakes, 1);
        return;
    }
    if (visits->grain != 0 && end - begin > visits->grain) {
        atomic_fetch_add(&visits->mistakes, 1);
    }
    if (atomic_fetch_add(&visits->inside[worker], 1) != 0) {
        atomic_fetch_add(&visits->mistakes, 1);
    }
    for (uint64_t i = begin; i < end; i++) {
        atomic_fetch_add(&visits->seen[i], 1);
    }
    atomic_fetch_sub(&visits->inside[worker], 1);
}

TEST(test_every_item_once) {
    static const int thread_counts[] = {1, 2, 7};
    static const uint64_t grains[] = {0, 1, 1000, ITEMS - 1, ITEMS, ITEMS + 1};
    static const uint64_t counts[] = {0, 1, 2, 1001, ITEMS};
    for (size_t t = 0; t < 3; t++) {
        kz_pool *pool = kz_pool_new(thread_counts[t], NULL);
        assert_non_null(pool);
        assert_int_equal(kz_pool_threads(pool), thread_counts[t]);
        for (size_t g = 0; g < 6; g++) {
            for (size_t c = 0; c < 5; c++) {
                struct visits visits = {.grain = grains[g], .threads = thread_counts[t]};
                visits.seen = calloc(ITEMS, sizeof *visits.seen);
                assert_non_null(visits.seen);
                assert_int_equal(kz_pool_for(pool, counts[c], grains[g], visit, &visits, NULL, NULL, NULL), KZ_OK);
                assert_int_equal(visits.mistakes, 0);
                for (uint64_t i = 0; i < ITEMS; i++) {
                    if (visits.seen[i] != (i < counts[c])) {
                        fail_msg("item %d was visited %d times", (int)i, visits.seen[i]);
                    }
                }
                free(visits.seen);
            }
        }
        kz_pool_free(pool);
    }
}

static void add(void *context, int worker, uint64_t begin, uint64_t end) {
    (void)worker;
    atomic_fetch_add((atomic_uint_least64_t *)context, end - begin);
}

/* Many loops in a row, so that workers of one wake up in the next. */
TEST(test_many_short_loops) {
    kz_pool *pool = kz_pool_new(4, NULL);
    assert_non_null(pool);
    uint64_t expected = 0;
    atomic_uint_least64_t sum = 0;
    for (uint64_t i = 0; i < 5000; i++) {
        assert_int_equal(kz_pool_for(pool, i % 9, 1, add, &sum, NULL, NULL, NULL), KZ_OK);
        expected += i % 9;
        assert_true(sum == expected);
    }
    kz_pool_free(pool);
}

struct reports {
    pthread_t caller;
    int count;
    int stop_at;
    uint64_t last_done;
    bool wrong;
};

static bool listen(void *user, const char *stage, uint64_t done, uint64_t total) {
    struct reports *reports = user;
    reports->wrong = reports->wrong || !pthread_equal(reports->caller, pthread_self()) || strcmp(stage, "stage") != 0 ||
                     done > total || done < reports->last_done;
    reports->last_done = done;
    reports->count++;
    return reports->count != reports->stop_at;
}

static void nap(void *context, int worker, uint64_t begin, uint64_t end) {
    (void)worker;
    usleep(2000);
    atomic_fetch_add((atomic_uint_least64_t *)context, end - begin);
}

TEST(test_progress) {
    for (int threads = 1; threads <= 3; threads++) {
        kz_pool *pool = kz_pool_new(threads, NULL);
        assert_non_null(pool);
        struct reports reports = {.caller = pthread_self()};
        kz_progress progress = {.report = listen, .user = &reports};
        atomic_uint_least64_t sum = 0;
        uint64_t count = 150 * (uint64_t)threads;
        assert_int_equal(kz_pool_for(pool, count, 1, nap, &sum, &progress, "stage", NULL), KZ_OK);
        assert_false(reports.wrong);
        assert_true(reports.count >= 2);
        assert_true(reports.last_done == count);
        assert_true(sum == count);
        kz_pool_free(pool);
    }
}

TEST(test_cancel) {
    for (int threads = 1; threads <= 3; threads++) {
        kz_pool *pool = kz_pool_new(threads, NULL);
        assert_non_null(pool);
        struct reports reports = {.caller = pthread_self(), .stop_at = 1};
        kz_progress progress = {.report = listen, .user = &reports};
        atomic_uint_least64_t sum = 0;
        kz_error error;
        assert_int_equal(kz_pool_for(pool, 1000000, 1, nap, &sum, &progress, "stage", &error), KZ_ERR_CANCELLED);
        assert_int_equal(error.status, KZ_ERR_CANCELLED);
        assert_int_equal(reports.count, 1);
        assert_true(sum < 1000);
        /* The pool is as good as new. */
        sum = 0;
        assert_int_equal(kz_pool_for(pool, 100, 1, add, &sum, NULL, NULL, NULL), KZ_OK);
        assert_true(sum == 100);
        kz_pool_free(pool);
    }
}

TEST(test_thread_count) {
    kz_error error;
    assert_null(kz_pool_new(-1, &error));
    assert_int_equal(error.status, KZ_ERR_INPUT);
    assert_null(kz_pool_new(KZ_POOL_MAX_THREADS + 1, &error));
    kz_pool *pool = kz_pool_new(0, &error);
    assert_non_null(pool);
    assert_true(kz_pool_threads(pool) >= 1);
    kz_pool_free(pool);
    kz_pool_free(NULL);
}

TESTS(NULL, NULL)
