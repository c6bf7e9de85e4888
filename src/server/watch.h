/* SPDX-License-Identifier: MIT
 *
 * Cuts connections whose other side takes too long. The HTTP library ends those on which nothing happens at all; this
 * is for those who send or take a byte now and then, and would keep their place for ever. When most of the places are
 * taken, or most of the memory for bodies and answers, clients get less time: who makes no progress goes first, so that
 * there is room for those who come next. */
#ifndef KZ_SERVER_WATCH_H
#define KZ_SERVER_WATCH_H

#include "server/budget.h"

#include <kanzen/error.h>

typedef struct kz_watch kz_watch;
typedef struct kz_watched kz_watched;

typedef struct kz_watch_options {
    int places;              /* connections that there can be; 0: it is never crowded */
    double crowd_seconds;    /* that a client in a crowd has for its request, or without taking some of its answer */
    double full_seconds;     /* the same when there is hardly a place left */
    double slowest;          /* bytes a second that a client in a crowd has to take */
    const kz_budget *budget; /* of the memory that clients hold; NULL: none */
} kz_watch_options;

/* What a connection waits for. */
typedef enum kz_waits {
    KZ_WAITS_ASKING,   /* the client has not sent all of its request, or nothing of it */
    KZ_WAITS_WORKING,  /* the server works on the answer: nothing that a client could be blamed for */
    KZ_WAITS_ANSWERED, /* the client has not taken all of its answer */
} kz_waits;

kz_status kz_watch_open(const kz_watch_options *options, kz_watch **opened, kz_error *error);
void kz_watch_close(kz_watch *watch);

/* A connection begins; NULL: no memory, and it is not watched. It has to be forgotten before the socket is closed. */
kz_watched *kz_watch_add(kz_watch *watch, int socket);
void kz_watch_forget(kz_watch *watch, kz_watched *watched);

/* From now on it waits for this, for so many seconds, or for any number while the server works. `watched` may be NULL,
 * here and below. */
void kz_watch_allow(kz_watched *watched, kz_waits waits, double seconds);
/* How many bytes of the budget the connection holds. */
void kz_watch_holds(kz_watched *watched, size_t bytes);

#endif
