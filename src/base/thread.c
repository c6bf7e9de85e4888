/* SPDX-License-Identifier: MIT */
#include "base/thread.h"

#include <kanzen/system.h>
#include <stddef.h>
#include <time.h>

enum { STACK_BYTES = 4 << 20 };

int kz_thread_create(pthread_t *thread, void *(*run)(void *), void *argument) {
    pthread_attr_t attributes;
    size_t size = 0;
    int code = pthread_attr_init(&attributes);
    if (code != 0) {
        return code;
    }
    code = pthread_attr_getstacksize(&attributes, &size);
    if (code == 0 && size < STACK_BYTES) {
        code = pthread_attr_setstacksize(&attributes, STACK_BYTES);
    }
    if (code == 0) {
        code = pthread_create(thread, &attributes, run, argument);
    }
    pthread_attr_destroy(&attributes);
    return code;
}

double kz_thread_seconds(void) {
    struct timespec now;
    return clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) == 0 ? (double)now.tv_sec + 1e-9 * (double)now.tv_nsec
                                                             : kz_seconds();
}
