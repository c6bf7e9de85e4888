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
    _Atomic int waits;
    _Atomic int64_t since, until; /* milliseconds; until 0: for ever */
    int64_t left_since;           /* the value of `since` when it was seen that the client has gone; 0: it was not */
};

struct kz_watch {
    kz_watch_options options;
    pthread_mutex_t lock;
    pthread_cond_t closing;
    bool closed;
    int count;
    kz_watched *newest, *oldest;
    pthread_t thread;
};

static int64_t milliseconds(void) { return (int64_t)(kz_seconds() * 1000) + 1; }

/* The library sees the end of the connection and does all the rest. */
static void cut(kz_watched *watched) {
    shutdown(watched->socket, SHUT_RDWR);
    /* Once is enough. */
    atomic_store_explicit(&watched->waits, KZ_WAITS_WORKING, memory_order_relaxed);
    atomic_store_explicit(&watched->until, 0, memory_order_relaxed);
}

/* A client that has not sent all of its request, and has closed its side: no more will come. The HTTP library misses
 * the end if it comes together with the last bytes. It may just be about to answer them, so this has to be seen twice,
 * a second apart. */
static bool has_left(kz_watched *watched) {
    char byte;
    int64_t since = atomic_load_explicit(&watched->since, memory_order_relaxed);
    if (atomic_load_explicit(&watched->waits, memory_order_relaxed) != KZ_WAITS_ASKING ||
        recv(watched->socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) != 0) {
        watched->left_since = 0;
        return false;
    }
    bool before = watched->left_since == since;
    watched->left_since = since;
    return before;
}

/* Those whose time is over, and those who have gone; returns how many. */
static int cut_late(const kz_watch *watch, int64_t now) {
    int cuts = 0;
    for (kz_watched *watched = watch->newest; watched; watched = watched->after) {
        int64_t until = atomic_load_explicit(&watched->until, memory_order_relaxed);
        if ((until != 0 && now > until) || has_left(watched)) {
            cut(watched);
            cuts++;
        }
    }
    return cuts;
}

/* In a crowd: those that have waited for this for longer than `seconds`, the oldest first, until it is no crowd.
 * Returns how many are left. */
static int thin_out(const kz_watch *watch, int left, kz_waits waits, double seconds, int64_t now) {
    int64_t latest = now - (int64_t)(seconds * 1000);
    for (kz_watched *watched = watch->oldest; watched && left > watch->options.crowd; watched = watched->before) {
        if (atomic_load_explicit(&watched->waits, memory_order_relaxed) == (int)waits &&
            atomic_load_explicit(&watched->since, memory_order_relaxed) < latest) {
            cut(watched);
            left--;
        }
    }
    return left;
}

static void *watch_all(void *own) {
    kz_watch *watch = own;
    pthread_mutex_lock(&watch->lock);
    while (!watch->closed) {
        struct timespec next;
        clock_gettime(CLOCK_MONOTONIC, &next);
        next.tv_sec++;
        pthread_cond_timedwait(&watch->closing, &watch->lock, &next);
        int64_t now = milliseconds();
        int left = watch->count - cut_late(watch, now);
        if (watch->options.crowd > 0) {
            left = thin_out(watch, left, KZ_WAITS_ASKING, watch->options.asking_time, now);
            (void)thin_out(watch, left, KZ_WAITS_ANSWERED, watch->options.answered_time, now);
        }
    }
    pthread_mutex_unlock(&watch->lock);
    return NULL;
}

kz_status kz_watch_open(const kz_watch_options *options, kz_watch **opened, kz_error *error) {
    kz_watch *watch = calloc(1, sizeof *watch);
    *opened = NULL;
    if (!watch) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory to watch connections");
    }
    watch->options = *options;
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
    watched->waits = KZ_WAITS_WORKING;
    pthread_mutex_lock(&watch->lock);
    watched->after = watch->newest;
    *(watched->after ? &watched->after->before : &watch->oldest) = watched;
    watch->newest = watched;
    watch->count++;
    pthread_mutex_unlock(&watch->lock);
    return watched;
}

void kz_watch_forget(kz_watch *watch, kz_watched *watched) {
    if (!watched) {
        return;
    }
    pthread_mutex_lock(&watch->lock);
    *(watched->before ? &watched->before->after : &watch->newest) = watched->after;
    *(watched->after ? &watched->after->before : &watch->oldest) = watched->before;
    watch->count--;
    pthread_mutex_unlock(&watch->lock);
    free(watched);
}

void kz_watch_allow(kz_watched *watched, kz_waits waits, double seconds) {
    if (watched) {
        int64_t now = milliseconds();
        int64_t until = waits == KZ_WAITS_WORKING ? 0 : now + (int64_t)(seconds * 1000);
        atomic_store_explicit(&watched->since, now, memory_order_relaxed);
        atomic_store_explicit(&watched->waits, (int)waits, memory_order_relaxed);
        atomic_store_explicit(&watched->until, until, memory_order_relaxed);
    }
}
