/* SPDX-License-Identifier: MIT
 *
 * Cuts connections whose other side takes too long. The HTTP library ends those on which nothing happens at all; this
 * is for those who send or take a byte now and then, and would keep their place for ever. */
#ifndef KZ_SERVER_WATCH_H
#define KZ_SERVER_WATCH_H

#include <kanzen/error.h>

typedef struct kz_watch kz_watch;
typedef struct kz_watched kz_watched;

kz_status kz_watch_open(kz_watch **opened, kz_error *error);
void kz_watch_close(kz_watch *watch);

/* A connection begins; NULL: no memory, and it is not watched. It has to be forgotten before the socket is closed. */
kz_watched *kz_watch_add(kz_watch *watch, int socket);
void kz_watch_forget(kz_watch *watch, kz_watched *watched);

/* From now on there are so many seconds; 0: any number. `watched` may be NULL. */
void kz_watch_allow(kz_watched *watched, double seconds);

#endif
