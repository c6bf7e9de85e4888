/* SPDX-License-Identifier: MIT
 *
 * A lock that is held for a moment only; nothing at all where there are no threads. */
#ifndef KZ_BASE_LOCK_H
#define KZ_BASE_LOCK_H

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

#endif
#endif
