/* SPDX-License-Identifier: MIT
 *
 * Threads for requests that take long, so that those which answer the others never wait. As many are worked on at a
 * time as there are threads, a few more may wait, and the rest is refused. */
#ifndef KZ_SERVER_LANE_H
#define KZ_SERVER_LANE_H

#include <kanzen/error.h>
#include <stdbool.h>

typedef struct kz_lane kz_lane;

/* A part of the caller's own struct. */
typedef struct kz_job {
    struct kz_job *next; /* of those that wait */
    bool given_up;       /* told when the job ends: the lane was stopped before its turn came */
} kz_job;

typedef struct kz_job_calls {
    /* Does the work, in a thread of the lane. False: it has added the job to another lane, and this one forgets it. */
    bool (*work)(kz_job *job);
    /* Called once for each job that was taken: its work is done, or given up. The lane does not touch it any more. */
    void (*end)(kz_job *job);
} kz_job_calls;

kz_status kz_lane_open(int threads, int most_waiting, kz_job_calls calls, kz_lane **opened, kz_error *error);

/* False: there are enough already, or the lane is being stopped. */
bool kz_lane_add(kz_lane *lane, kz_job *job);

/* Takes no more jobs, and gives up those that wait. NULL is fine, here and below. */
void kz_lane_stop(kz_lane *lane);
/* After that: returns when all jobs have ended. */
void kz_lane_wait(kz_lane *lane);
/* After that. */
void kz_lane_free(kz_lane *lane);

#endif
