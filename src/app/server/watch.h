/* SPDX-License-Identifier: MIT
 *
 * Cuts connections whose client takes too long. The HTTP library closes connections on which nothing happens at all;
 * the watch is for clients that send or read a byte now and then and would keep their connection for ever. When most
 * connections are in use, or most of the memory for bodies and answers, clients get less time, and those that make no
 * progress are cut first, so that new clients find room. */
#ifndef KZ_SERVER_WATCH_H
#define KZ_SERVER_WATCH_H

#include "app/server/budget.h"

#include <kanzen/error.h>

typedef struct kz_watch kz_watch;
typedef struct kz_watched kz_watched;

typedef struct kz_watch_options {
    int places;           /* the limit of connections; 0: the server is never crowded */
    double crowd_seconds; /* in a crowd: the time to send a request, and the time a slow reader is kept */
    double full_seconds;  /* the same when hardly a place is left */
    double slowest;       /* in a crowd: a reader that takes fewer bytes a second is slow */
    kz_budget *budget;    /* the memory that clients hold; NULL: none */
} kz_watch_options;

/* What a connection waits for. */
typedef enum kz_waits {
    KZ_WAITS_ASKING,   /* for the client to send its request */
    KZ_WAITS_WORKING,  /* for the server to work out the answer: the client is not late */
    KZ_WAITS_ANSWERED, /* for the client to read its answer */
} kz_waits;

kz_status kz_watch_open(const kz_watch_options *options, kz_watch **opened, kz_error *error);
void kz_watch_close(kz_watch *watch);

/* Starts to watch a connection. NULL: out of memory, and the connection is not watched. Call kz_watch_forget before the
 * socket is closed. */
kz_watched *kz_watch_add(kz_watch *watch, int socket);
void kz_watch_forget(kz_watch *watch, kz_watched *watched);

/* Sets what the connection waits for and for how many seconds; for KZ_WAITS_WORKING there is no limit. `watched` may be
 * NULL, here and below. */
void kz_watch_allow(kz_watched *watched, kz_waits waits, double seconds);
/* Sets how many bytes of the budget the connection holds. */
void kz_watch_holds(kz_watched *watched, size_t bytes);

#endif
