/* SPDX-License-Identifier: MIT
 *
 * A team whose members are threads of one process, so that sanitizers see what a team does: nothing is sent, members
 * look into each other's memory between two barriers. Everything else is as solve/team/team.h promises. */
#ifndef TESTS_THREAD_TEAM_H
#define TESTS_THREAD_TEAM_H

#include "base/error.h"
#include "solve/team/team_link.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { THREAD_TEAM_MOST = 8 };

/* What a member shows to the others. */
typedef struct thread_desk {
    void *bytes;
    kz_status status;
    kz_error *error;
    const kz_buffer *out;
    /* A question to it, and the answer. */
    enum { DESK_IDLE, DESK_ASKED, DESK_ANSWERED, DESK_DISMISSED } state;
    uint64_t question;
    kz_buffer answer;
    kz_error reason;
} thread_desk;

typedef struct thread_room {
    int members;
    pthread_barrier_t barrier;
    pthread_mutex_t lock; /* of the questions */
    pthread_cond_t changed;
    thread_desk desks[THREAD_TEAM_MOST];
    uint64_t questions; /* that were asked */
} thread_room;

typedef void thread_member(kz_team *team, void *context);

typedef struct thread_team {
    kz_team base;
    thread_room *room;
    kz_buffer *in; /* of the exchange under way */
    thread_member *run;
    void *context;
} thread_team;

/* Calls `run` once for each member, all at the same time, and returns when all have returned: how many questions member
 * 0 has asked. cmocka's assertions are
 * for the thread of the test alone: members note what they find. */
uint64_t run_as_threads(int members, thread_member *run, void *context);

#endif
