/* SPDX-License-Identifier: MIT */
#include "server/watch.h"

#include "base/error.h"

#include <kanzen/system.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>

struct kz_watched {
    kz_watched *before, *after;
    int socket;
    _Atomic int64_t until; /* milliseconds; 0: for ever */
};

struct kz_watch {
    pthread_mutex_t lock;
    pthread_cond_t closing;
    bool closed;
    kz_watched *first;
    pthread_t thread;
};

static int64_t milliseconds(void) { return (int64_t)(kz_seconds() * 1000) + 1; }

static void *watch_all(void *own) {
    kz_watch *watch = own;
    pthread_mutex_lock(&watch->lock);
    while (!watch->closed) {
        struct timespec next;
        clock_gettime(CLOCK_MONOTONIC, &next);
        next.tv_sec++;
        pthread_cond_timedwait(&watch->closing, &watch->lock, &next);
        int64_t now = milliseconds();
        for (kz_watched *watched = watch->first; watched; watched = watched->after) {
            int64_t until = atomic_load_explicit(&watched->until, memory_order_relaxed);
            if (until != 0 && now > until) {
                /* The library sees the end of the connection and does all the rest. */
                shutdown(watched->socket, SHUT_RDWR);
                atomic_store_explicit(&watched->until, 0, memory_order_relaxed);
            }
        }
    }
    pthread_mutex_unlock(&watch->lock);
    return NULL;
}

kz_status kz_watch_open(kz_watch **opened, kz_error *error) {
    kz_watch *watch = calloc(1, sizeof *watch);
    *opened = NULL;
    if (!watch) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory to watch connections");
    }
    pthread_mutex_init(&watch->lock, NULL);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&watch->closing, &attributes);
    pthread_condattr_destroy(&attributes);
    int code = pthread_create(&watch->thread, NULL, watch_all, watch);
    if (code != 0) {
        pthread_mutex_destroy(&watch->lock);
        pthread_cond_destroy(&watch->closing);
        free(watch);
        return kz_fail_errno(error, KZ_ERR_IO, code, "can't start a thread");
    }
    *opened = watch;
    return KZ_OK;
}

void kz_watch_close(kz_watch *watch) {
    if (!watch) {
        return;
    }
    pthread_mutex_lock(&watch->lock);
    watch->closed = true;
    pthread_cond_signal(&watch->closing);
    pthread_mutex_unlock(&watch->lock);
    pthread_join(watch->thread, NULL);
    pthread_mutex_destroy(&watch->lock);
    pthread_cond_destroy(&watch->closing);
    free(watch);
}

kz_watched *kz_watch_add(kz_watch *watch, int socket) {
    kz_watched *watched = calloc(1, sizeof *watched);
    if (!watched) {
        return NULL;
    }
    watched->socket = socket;
    pthread_mutex_lock(&watch->lock);
    watched->after = watch->first;
    if (watched->after) {
        watched->after->before = watched;
    }
    watch->first = watched;
    pthread_mutex_unlock(&watch->lock);
    return watched;
}

void kz_watch_forget(kz_watch *watch, kz_watched *watched) {
    if (!watched) {
        return;
    }
    pthread_mutex_lock(&watch->lock);
    *(watched->before ? &watched->before->after : &watch->first) = watched->after;
    if (watched->after) {
        watched->after->before = watched->before;
    }
    pthread_mutex_unlock(&watch->lock);
    free(watched);
}

void kz_watch_allow(kz_watched *watched, double seconds) {
    if (watched) {
        int64_t until = seconds > 0 ? milliseconds() + (int64_t)(seconds * 1000) : 0;
        atomic_store_explicit(&watched->until, until, memory_order_relaxed);
    }
}
