/* SPDX-License-Identifier: MIT
 *
 * Threads, and a lock that is held for a moment only: nothing at all where there are no threads. */
#ifndef KZ_BASE_THREAD_H
#define KZ_BASE_THREAD_H

#ifdef KANZEN_READ_ONLY

typedef struct kz_lock {
    char nothing; /* C has no empty structs */
} kz_lock;

static inline void kz_lock_open(kz_lock *lock) { (void)lock; }
static inline void kz_lock_close(kz_lock *lock) { (void)lock; }
static inline void kz_lock_take(kz_lock *lock) { (void)lock; }
static inline void kz_lock_release(kz_lock *lock) { (void)lock; }

#else

#include <pthread.h>

typedef struct kz_lock {
    pthread_mutex_t mutex;
} kz_lock;

static inline void kz_lock_open(kz_lock *lock) { pthread_mutex_init(&lock->mutex, NULL); }
static inline void kz_lock_close(kz_lock *lock) { pthread_mutex_destroy(&lock->mutex); }
static inline void kz_lock_take(kz_lock *lock) { pthread_mutex_lock(&lock->mutex); }
static inline void kz_lock_release(kz_lock *lock) { pthread_mutex_unlock(&lock->mutex); }

/* pthread_create with a stack that lists of moves fit into: some C libraries give a thread 128 KiB, if nobody asks for
 * more. Returns 0 or an error number. */
int kz_thread_create(pthread_t *thread, void *(*run)(void *), void *argument);

/* The time that this thread has used: what other programs do at the same time does not count. */
double kz_thread_seconds(void);

#endif
#endif
