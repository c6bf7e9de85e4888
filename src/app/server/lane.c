/* SPDX-License-Identifier: MIT */
#include "app/server/lane.h"

#include "base/error.h"
#include "base/thread.h"

#include <pthread.h>
#include <stdlib.h>

struct kz_lane {
    kz_job_calls calls;
    pthread_mutex_t lock; /* of everything below */
    pthread_cond_t more;  /* a job waits, or the lane is being stopped */
    kz_job *first, **last;
    int waiting, most_waiting;
    bool stopped;
    int count;
    pthread_t threads[];
};

static void *work(void *own) {
    kz_lane *lane = own;
    pthread_mutex_lock(&lane->lock);
    for (;;) {
        while (!lane->first && !lane->stopped) {
            pthread_cond_wait(&lane->more, &lane->lock);
        }
        kz_job *job = lane->first;
        if (!job) {
            break;
        }
        lane->first = job->next;
        if (!lane->first) {
            lane->last = &lane->first;
        }
        lane->waiting--;
        pthread_mutex_unlock(&lane->lock);
        if (lane->calls.work(job)) {
            lane->calls.end(job);
        }
        pthread_mutex_lock(&lane->lock);
    }
    pthread_mutex_unlock(&lane->lock);
    return NULL;
}

kz_status kz_lane_open(int threads, int most_waiting, kz_job_calls calls, kz_lane **opened, kz_error *error) {
    *opened = NULL;
    kz_lane *lane = calloc(1, sizeof *lane + (size_t)threads * sizeof lane->threads[0]);
    if (!lane) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for %d threads", threads);
    }
    lane->calls = calls;
    lane->last = &lane->first;
    lane->most_waiting = most_waiting;
    pthread_mutex_init(&lane->lock, NULL);
    pthread_cond_init(&lane->more, NULL);
    for (; lane->count < threads; lane->count++) {
        int code = kz_thread_create(&lane->threads[lane->count], work, lane);
        if (code != 0) {
            kz_lane_stop(lane);
            kz_lane_wait(lane);
            kz_lane_free(lane);
            return kz_fail_errno(error, KZ_ERR_IO, code, "can't start a thread");
        }
    }
    *opened = lane;
    return KZ_OK;
}

bool kz_lane_add(kz_lane *lane, kz_job *job) {
    job->next = NULL;
    job->given_up = false;
    pthread_mutex_lock(&lane->lock);
    bool taken = !lane->stopped && lane->waiting < lane->most_waiting;
    if (taken) {
        *lane->last = job;
        lane->last = &job->next;
        lane->waiting++;
        pthread_cond_signal(&lane->more);
    }
    pthread_mutex_unlock(&lane->lock);
    return taken;
}

void kz_lane_stop(kz_lane *lane) {
    if (!lane) {
        return;
    }
    pthread_mutex_lock(&lane->lock);
    lane->stopped = true;
    kz_job *waiting = lane->first;
    lane->first = NULL;
    pthread_cond_broadcast(&lane->more);
    pthread_mutex_unlock(&lane->lock);
    while (waiting) {
        kz_job *job = waiting;
        waiting = job->next;
        job->given_up = true;
        lane->calls.end(job);
    }
}

void kz_lane_wait(kz_lane *lane) {
    for (int i = 0; lane && i < lane->count; i++) {
        pthread_join(lane->threads[i], NULL);
    }
}

void kz_lane_free(kz_lane *lane) {
    if (lane) {
        pthread_mutex_destroy(&lane->lock);
        pthread_cond_destroy(&lane->more);
        free(lane);
    }
}
