/* SPDX-License-Identifier: MIT */
#include "app/server/watch.h"

#include "base/error.h"
#include "base/thread.h"

#include <kanzen/system.h>
#include <linux/sockios.h>
#include <linux/tcp.h>
#include <malloc.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>

/* Shares of all places. Above the first it is crowded. When hardly a place is left, the watch makes room down to the
 * second. */
static const double crowd_share = 0.75, room_share = 0.875;
/* The share of the budget above which clients that hold some of it get as little time as in a crowd. */
static const double held_share = 0.5;

enum {
    PAUSE = 1000,         /* milliseconds between two looks at all connections */
    CROWD_PAUSE = 200,    /* the same in a crowd */
    TRIM_BYTES = 8 << 20, /* give memory back to the system when clients hold so much less than they did */
    BYTES_OF_PLACE = 33 << 10,
};

struct kz_watched {
    kz_watched *before, *after;
    int socket;
    _Atomic int waits;
    _Atomic int64_t since, until; /* milliseconds; `until` 0: no limit */
    atomic_size_t held;           /* bytes of the budget */
    int64_t left_since;           /* the value of `since` when the client was first seen to have closed; else 0 */
    /* How the answer is taken: */
    int64_t taking_since; /* the value of `since` that the rest belongs to */
    int64_t moved;        /* when the client had last taken enough */
    uint64_t taken;       /* bytes that the client had acknowledged then */
};

struct kz_watch {
    kz_watch_options options;
    pthread_mutex_t lock;
    pthread_cond_t wake; /* it is being closed, or has become crowded */
    bool closed;
    int count;
    size_t most_memory; /* that clients held since memory was last given back */
    bool trim_again;    /* the last look gave memory back */
    kz_watched *newest, *oldest;
    pthread_t thread;
};

static int64_t milliseconds(void) { return (int64_t)(kz_seconds() * 1000) + 1; }

static bool is_crowd(const kz_watch *watch, int count) {
    return watch->options.places > 0 && count > (int)(watch->options.places * crowd_share);
}

static bool is_full(const kz_watch *watch, int count) {
    return watch->options.places > 0 && watch->options.places - count <= watch->options.places / 64;
}

static bool holds_much(const kz_watch *watch) {
    const kz_budget *budget = watch->options.budget;
    return budget && (double)kz_budget_used(budget) > (double)budget->most * held_share;
}

/* Ends the connection. The library notices and releases everything. */
static void cut(kz_watched *watched) {
    shutdown(watched->socket, SHUT_RDWR);
    /* Once is enough. */
    atomic_store_explicit(&watched->waits, KZ_WAITS_WORKING, memory_order_relaxed);
    atomic_store_explicit(&watched->until, 0, memory_order_relaxed);
}

/* Whether the client has closed its side before its request was complete. The HTTP library misses this if the end comes
 * together with the last bytes. The library may be about to answer these bytes, so it counts only when it is seen
 * twice, a second apart. */
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

/* Cuts connections whose time is over or whose client has gone. Returns how many. */
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

/* ---- Progress --------------------------------------------------------------------------------------------------- */

/* How many bytes the client has acknowledged since the connection began. False: the system does not say. */
static bool read_taken(int socket, uint64_t *taken) {
    struct tcp_info info;
    socklen_t length = sizeof info;
    memset(&info, 0, sizeof info);
    if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &length) != 0 ||
        length < offsetof(struct tcp_info, tcpi_bytes_acked) + sizeof info.tcpi_bytes_acked) {
        return false;
    }
    *taken = info.tcpi_bytes_acked;
    return true;
}

/* Since when the client has read less of its answer than the slowest rate that is allowed. */
static int64_t slow_since(const kz_watch *watch, kz_watched *watched, int64_t since, int64_t now) {
    uint64_t taken;
    int waiting = 1;
    if (!read_taken(watched->socket, &taken)) {
        return since;
    }
    /* Nothing to take: the server itself has not sent more. */
    bool idle = ioctl(watched->socket, SIOCOUTQ, &waiting) == 0 && waiting == 0;
    bool first = watched->taking_since != since;
    double needed = watch->options.slowest * (double)(now - watched->moved) / 1000;
    if (first || idle || (double)(taken - watched->taken) > needed) {
        watched->taking_since = since;
        watched->moved = now;
        watched->taken = taken;
    }
    return watched->moved;
}

/* Since when the client is late; `now` if it is not. */
static int64_t blamed_since(const kz_watch *watch, kz_watched *watched, int64_t now) {
    int64_t since = atomic_load_explicit(&watched->since, memory_order_relaxed);
    switch (atomic_load_explicit(&watched->waits, memory_order_relaxed)) {
    case KZ_WAITS_ASKING:
        return since;
    case KZ_WAITS_ANSWERED:
        return slow_since(watch, watched, since, now);
    default:
        return now;
    }
}

/* Cuts clients that have been late for more than `seconds`, until only `enough` connections are left: first those that
 * have not sent their request, then those that read slowly, the oldest first. Returns how many are left. */
static int thin_out(const kz_watch *watch, int left, int enough, double seconds, int64_t now) {
    static const kz_waits order[] = {KZ_WAITS_ASKING, KZ_WAITS_ANSWERED};
    int64_t latest = now - (int64_t)(seconds * 1000);
    for (int i = 0; i < 2; i++) {
        for (kz_watched *watched = watch->oldest; watched && left > enough; watched = watched->before) {
            if (atomic_load_explicit(&watched->waits, memory_order_relaxed) == (int)order[i] &&
                blamed_since(watch, watched, now) < latest) {
                cut(watched);
                left--;
            }
        }
    }
    return left;
}

/* Does the same with clients that hold memory, until three quarters of the budget are free. */
static void free_memory(const kz_watch *watch, int64_t now) {
    int64_t latest = now - (int64_t)(watch->options.crowd_seconds * 1000);
    size_t freed = 0;
    size_t wanted = kz_budget_used(watch->options.budget) - watch->options.budget->most / 4;
    for (kz_watched *watched = watch->oldest; watched && freed < wanted; watched = watched->before) {
        size_t held = atomic_load_explicit(&watched->held, memory_order_relaxed);
        if (held > 0 && blamed_since(watch, watched, now) < latest) {
            cut(watched);
            freed += held;
        }
    }
}

/* The C library keeps freed memory for later use. After an attack it would keep gigabytes, so give it back. A client
 * that ends is not counted any more shortly before its memory is free, so the next look gives back once more. */
static void give_memory_back(kz_watch *watch) {
    size_t places = (size_t)watch->count * BYTES_OF_PLACE, now = places, peak = places;
    if (watch->options.budget) {
        now += kz_budget_used(watch->options.budget);
        peak += kz_budget_take_peak(watch->options.budget);
    }
    watch->most_memory = peak > watch->most_memory ? peak : watch->most_memory;
    bool less = watch->most_memory > now && watch->most_memory - now > TRIM_BYTES;
    if (!less && !watch->trim_again) {
        return;
    }
    watch->trim_again = less;
    watch->most_memory = now;
#ifdef __GLIBC__
    /* Without the lock: it takes a while, and connections that begin and end wait for the lock. */
    pthread_mutex_unlock(&watch->lock);
    malloc_trim(0);
    pthread_mutex_lock(&watch->lock);
#endif
}

static void sleep_for(kz_watch *watch, int pause) {
    struct timespec next;
    clock_gettime(CLOCK_MONOTONIC, &next);
    next.tv_nsec += (long)(pause % 1000) * 1000000;
    next.tv_sec += pause / 1000 + next.tv_nsec / 1000000000;
    next.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&watch->wake, &watch->lock, &next);
}

static void *watch_all(void *own) {
    kz_watch *watch = own;
    const kz_watch_options *options = &watch->options;
    int64_t looked = 0; /* when all connections were last looked at */
    pthread_mutex_lock(&watch->lock);
    while (!watch->closed) {
        bool pressed = is_crowd(watch, watch->count) || holds_much(watch);
        sleep_for(watch, pressed ? CROWD_PAUSE : PAUSE);
        int64_t now = milliseconds();
        int left = watch->count;
        if (now - looked >= PAUSE) {
            looked = now;
            left -= cut_late(watch, now);
        }
        if (is_crowd(watch, left)) {
            left = thin_out(watch, left, (int)(options->places * crowd_share), options->crowd_seconds, now);
        }
        if (is_full(watch, left)) {
            (void)thin_out(watch, left, (int)(options->places * room_share), options->full_seconds, now);
        }
        if (holds_much(watch)) {
            free_memory(watch, now);
        }
        give_memory_back(watch);
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
    pthread_cond_init(&watch->wake, &attributes);
    pthread_condattr_destroy(&attributes);
    int code = kz_thread_create(&watch->thread, watch_all, watch);
    if (code != 0) {
        pthread_mutex_destroy(&watch->lock);
        pthread_cond_destroy(&watch->wake);
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
    pthread_cond_signal(&watch->wake);
    pthread_mutex_unlock(&watch->lock);
    pthread_join(watch->thread, NULL);
    pthread_mutex_destroy(&watch->lock);
    pthread_cond_destroy(&watch->wake);
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
    if (is_crowd(watch, watch->count) != is_crowd(watch, watch->count - 1) ||
        is_full(watch, watch->count) != is_full(watch, watch->count - 1)) {
        pthread_cond_signal(&watch->wake);
    }
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

void kz_watch_holds(kz_watched *watched, size_t bytes) {
    if (watched) {
        atomic_store_explicit(&watched->held, bytes, memory_order_relaxed);
    }
}
