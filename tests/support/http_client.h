/* SPDX-License-Identifier: MIT
 *
 * An HTTP client that does what tests need and no more: bytes out, an answer in, all with time limits. */
#ifndef TESTS_HTTP_CLIENT_H
#define TESTS_HTTP_CLIENT_H

#include "tests/support/testing.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

enum { ANSWER_BYTES = 4 << 20, CLIENT_SECONDS = 20 };

typedef struct answer {
    int status;  /* 0: the connection ended without an answer */
    bool closed; /* it ended after the answer */
    const char *head, *body;
    size_t length; /* of the body */
    char bytes[ANSWER_BYTES + 1];
    size_t count; /* of bytes that have come, with those of later answers */
    size_t used;  /* by the answers before */
} answer;

int port_of(const char *url);

int connect_to(int port);

/* False if the other side does not want it all. */
bool send_bytes(int descriptor, const char *bytes, size_t size);

bool send_text(int descriptor, const char *text);

/* The value of a header, or NULL; good until the next call. */
const char *header(const answer *a, const char *name);

/* Before the first answer on another connection. */
void forget_answers(answer *a);

void set_read_limit(int descriptor, double seconds);

/* The next answer on a connection; `a` was all zero before the first. `bodyless`: to HEAD. */
void read_answer(int descriptor, answer *a, bool bodyless);

/* An answer of its own, for one request on a connection of its own. */
const answer *ask_raw(int port, const char *request, size_t size, bool bodyless);

/* GET, with an answer of the caller's. Returns the status, 0 without an answer, -1 if nothing could be sent. */
int ask_once(int port, const char *path, answer *a);

/* METHOD PATH with more headers (whole lines) and perhaps a body. */
const answer *ask(int port, const char *method, const char *path, const char *headers, const char *body);

const answer *get(int port, const char *path);

#endif
