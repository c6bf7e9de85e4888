/* SPDX-License-Identifier: MIT
 *
 * A server with a probe at its side: while clients do their worst, a thread of its own keeps asking, and every one of
 * its questions has to be answered, with the right bytes, and soon. */
#ifndef TESTS_SERVER_PROBE_H
#define TESTS_SERVER_PROBE_H

#include "tests/support/server_testing.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

/* Far more than any answer takes, even with sanitizers on a busy machine; far less than a client is waited for. */
static const double soon = 8;

extern kz_server *server;

extern int port;

#define POST_TO "POST /api/v1/dobutsu/positions HTTP/1.1\r\nHost: x\r\n"

#define EMPTY_BODY "{\"positions\":[]}" /* 16 bytes */

#define CHUNKED "Transfer-Encoding: chunked\r\n"

#define SECOND "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"

enum { BIG_BYTES = 6 << 20 };

static const char *const probe_paths[] = {
    "/healthz",                                      /* answered at once */
    "/api/v1/pushfight/position?rules=hook&moves=3", /* by a lane */
    "/assets/index-a1b2.js",                         /* a file */
};

enum { PROBES = sizeof probe_paths / sizeof probe_paths[0] };

typedef struct probe {
    pthread_t thread;
    atomic_bool stop;
    int to;
    int asked, wrong;
    double slowest;
    char *right[PROBES];
} probe;

void begin_probe(probe *p, int to);

void end_probe(probe *p);

/* Every test has the probe at its side. */
int with_probe(void **state);

int without_probe(void **state);

int set_up(void **state);

int tear_down(void **state);

#define FAULT(test_) cmocka_unit_test_setup_teardown(test_, with_probe, without_probe)

#endif
