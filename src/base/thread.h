/* SPDX-License-Identifier: MIT */
#ifndef KZ_BASE_THREAD_H
#define KZ_BASE_THREAD_H

#include <pthread.h>

/* pthread_create with a stack that lists of moves fit into: some C libraries give a thread 128 KiB, if nobody asks for
 * more. Returns 0 or an error number. */
int kz_thread_create(pthread_t *thread, void *(*run)(void *), void *argument);

/* The time that this thread has used: what other programs do at the same time does not count. */
double kz_thread_seconds(void);

#endif
