/* SPDX-License-Identifier: MIT
 *
 * A queue of jobs with threads of its own. Requests that take long go through a lane, so the network threads never wait
 * for them. Each thread works on one job at a time; a limited number of jobs waits, and more are refused. */
#ifndef KZ_SERVER_LANE_H
#define KZ_SERVER_LANE_H

#include <kanzen/error.h>
#include <stdbool.h>

typedef struct kz_lane kz_lane;

/* The caller embeds this in a struct of its own. */
typedef struct kz_job {
    struct kz_job *next; /* the next one in the queue */
    bool given_up;       /* set when the lane was stopped before the job's turn came */
} kz_job;

typedef struct kz_job_calls {
    /* Does the work, in a thread of the lane. False: it has added the job to another lane, and this one forgets it. */
    bool (*work)(kz_job *job);
    /* Called once for each job that the lane accepted, when its work is done or given up. After this call the lane does
     * not use the job any more. */
    void (*end)(kz_job *job);
} kz_job_calls;

kz_status kz_lane_open(int threads, int most_waiting, kz_job_calls calls, kz_lane **opened, kz_error *error);

/* Adds a job to the queue. Returns false if the queue is full or the lane is being stopped. */
bool kz_lane_add(kz_lane *lane, kz_job *job);

/* Stops the lane: it accepts no more jobs and gives up those that wait. `lane` may be NULL, here and below. */
void kz_lane_stop(kz_lane *lane);
/* Call this after kz_lane_stop. Returns when all jobs have ended. */
void kz_lane_wait(kz_lane *lane);
/* Call this after kz_lane_wait. */
void kz_lane_free(kz_lane *lane);

#endif
