/* SPDX-License-Identifier: MIT
 * labels: server slow serial
 *
 * A server under load: cheap requests stay fast beside expensive ones, and a server that is stopped answers everybody
 * whose request has come. */
#include "tests/support/server_testing.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

enum { EXPENSIVE = 48, CHEAP = 4, SAMPLES = 20000 };

static atomic_bool stop;
static int port;

/* ---- Cheap beside expensive ------------------------------------------------------------------------------------- */

static atomic_int searched, refused, others;

static void *ask_for_searches(void *own) {
    (void)own;
    answer *a = malloc(sizeof *a);
    while (!atomic_load(&stop)) {
        int status = ask_once(port, "/api/v1/pushfight/position", a);
        atomic_fetch_add(status == 200 ? &searched : status == 503 ? &refused : &others, 1);
        if (status == 503) {
            usleep(20000);
        }
    }
    free(a);
    return NULL;
}

typedef struct cheap {
    pthread_t thread;
    int count, failed;
    double seconds[SAMPLES];
} cheap;

static void *ask_cheaply(void *own) {
    cheap *c = own;
    answer *a = malloc(sizeof *a);
    while (!atomic_load(&stop) && c->count < SAMPLES) {
        double begin = kz_seconds();
        int status = ask_once(port, c->count % 2 ? "/healthz" : "/api/v1/dobutsu/legal", a);
        c->seconds[c->count++] = kz_seconds() - begin;
        c->failed += status != 200;
        usleep(1000);
    }
    free(a);
    return NULL;
}

static int by_size(const void *a, const void *b) {
    double difference = *(const double *)a - *(const double *)b;
    return (difference > 0) - (difference < 0);
}

/* The slowest but for one of a hundred. */
static double ask_for_a_while(int expensive) {
    static cheap clients[CHEAP];
    static double all[CHEAP * SAMPLES];
    pthread_t threads[EXPENSIVE];
    atomic_store(&stop, false);
    for (int i = 0; i < expensive; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, ask_for_searches, NULL), 0);
    }
    for (int i = 0; i < CHEAP; i++) {
        clients[i].count = clients[i].failed = 0;
        assert_int_equal(pthread_create(&clients[i].thread, NULL, ask_cheaply, &clients[i]), 0);
    }
    sleep(3);
    atomic_store(&stop, true);
    size_t count = 0;
    for (int i = 0; i < CHEAP; i++) {
        pthread_join(clients[i].thread, NULL);
        assert_int_equal(clients[i].failed, 0);
        memcpy(all + count, clients[i].seconds, (size_t)clients[i].count * sizeof *all);
        count += (size_t)clients[i].count;
    }
    for (int i = 0; i < expensive; i++) {
        pthread_join(threads[i], NULL);
    }
    assert_true(count > 100);
    qsort(all, count, sizeof *all, by_size);
    print_message("%d expensive clients: %zu cheap requests, median %.1f ms, p99 %.1f ms, slowest %.1f ms\n", expensive,
                  count, all[count / 2] * 1e3, all[count - count / 100 - 1] * 1e3, all[count - 1] * 1e3);
    return all[count - count / 100 - 1];
}

TEST(cheap_requests_stay_fast) {
    kz_server *server;
    port = start_at((kz_server_options){.threads = 2}, &server);
    double alone = ask_for_a_while(0);
    double beside = ask_for_a_while(EXPENSIVE);
    print_message("%d searches, %d refused\n", atomic_load(&searched), atomic_load(&refused));
    assert_true(atomic_load(&searched) > 0);
    assert_int_equal(atomic_load(&others), 0);
    /* A search takes 0.7 s. Whoever waited for one would see that; how much slower a shared processor is, is not told
     * here. */
    assert_true(beside < 0.35 + alone);
    kz_server_close(server);
}

/* ---- The end under load ----------------------------------------------------------------------------------------- */

enum { LOADERS = 24 };

typedef struct loader {
    pthread_t thread;
    const char *path;
    int answered, unanswered;
} loader;

static atomic_bool closing;

/* Requests one after the other, each on a connection of its own, until none can be opened any more. */
static void *load(void *own) {
    loader *l = own;
    answer *a = malloc(sizeof *a);
    for (;;) {
        int descriptor = connect_to(port);
        if (descriptor < 0) {
            break;
        }
        char request[256];
        int size = snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: x\r\n\r\n", l->path);
        forget_answers(a);
        bool sent = send_bytes(descriptor, request, (size_t)size);
        /* Only what was sent before the server was told to stop has to be answered. */
        bool in_time = sent && !atomic_load(&closing);
        a->status = 0;
        if (sent) {
            read_answer(descriptor, a, false);
        }
        close(descriptor);
        bool whole = a->status == 200 || a->status == 503;
        l->answered += whole;
        l->unanswered += in_time && !whole;
        if (!whole && atomic_load(&closing)) {
            break;
        }
    }
    free(a);
    return NULL;
}

TEST(everybody_is_answered_at_the_end) {
    static const char *const paths[] = {"/healthz", "/api/v1/dobutsu/line", "/api/v1/pushfight/legal",
                                        "/api/v1/pushfight/position"};
    for (int round = 0; round < 6; round++) {
        static loader loaders[LOADERS];
        kz_server *server;
        port = start_at((kz_server_options){.threads = 2}, &server);
        atomic_store(&closing, false);
        for (int i = 0; i < LOADERS; i++) {
            loaders[i] = (loader){.path = paths[i % 4]};
            assert_int_equal(pthread_create(&loaders[i].thread, NULL, load, &loaders[i]), 0);
        }
        usleep(300000 + 37000 * (useconds_t)round);
        atomic_store(&closing, true);
        double begin = kz_seconds();
        kz_server_close(server);
        double seconds = kz_seconds() - begin;
        int answered = 0, unanswered = 0;
        for (int i = 0; i < LOADERS; i++) {
            pthread_join(loaders[i].thread, NULL);
            answered += loaders[i].answered;
            unanswered += loaders[i].unanswered;
        }
        print_message("%d answered, %d not; it took %.2f s to end\n", answered, unanswered, seconds);
        assert_true(answered > 0);
        assert_int_equal(unanswered, 0);
        assert_true(seconds < 4);
    }
}

TESTS(NULL, NULL)
