/* SPDX-License-Identifier: MIT
 *
 * A talk with the USI engine, and a second idea of the protocol that checks every answer: what may be said after which
 * command, and that each go has exactly one move for an answer, neither too early nor too late. */
#ifndef TESTS_USI_SESSION_H
#define TESTS_USI_SESSION_H

#include "tests/support/testing.h"

#include <kanzen/usi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { USI_TALK_BYTES = 1 << 20 };

typedef struct usi_session {
    kz_usi *usi;
    const kz_table *table;       /* what open_table finds; NULL: nothing */
    char asked_path[64];         /* and what it was asked for */
    int asked;                   /* how often */
    char answer[USI_TALK_BYTES]; /* to the last line, with line ends */
    size_t length;
    bool broken_line; /* an answer was no proper line */
    bool speaks_uci;
    bool infinite, ponder; /* a move is held back, and why */
} usi_session;

usi_session *usi_session_new(const char *game, kz_protocol protocol, const kz_table *table);

void usi_session_free(usi_session *session);

bool usi_starts(const char *text, const char *with);

/* How many lines of the answer begin so. */
int usi_lines(const usi_session *session, const char *with);

const char *usi_last_line(const usi_session *session);

/* Words of a line: calls `word` whole, so that a NUL or another odd byte in it is no end. */
bool usi_next_word(const char **at, const char *end, const char **word, size_t *length);

/* Sends a line and checks the answer: what is wrong with it, or NULL. `goes_on` is what the engine says. */
const char *usi_send(usi_session *session, const char *line, size_t length, bool *goes_on);

/* A talk with the USI engine in a test: what it says has to keep to the protocol. */

/* Sends a line; the answer keeps to the protocol, and the engine goes on. */
static inline const char *sent(usi_session *session, const char *line) {
    bool goes_on;
    const char *broken = usi_send(session, line, strlen(line), &goes_on);
    if (broken) {
        fail_msg("'%s': not so: %s\n%s", line, broken, session->answer);
    }
    assert_true(goes_on);
    return session->answer;
}

static inline void assert_has(const char *answer, const char *part) {
    if (!strstr(answer, part)) {
        fail_msg("'%s' is not in:\n%s", part, answer);
    }
}

#endif
