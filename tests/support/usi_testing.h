/* SPDX-License-Identifier: MIT
 *
 * A talk with the USI engine in a test: what it says has to keep to the protocol. */
#ifndef TESTS_USI_TESTING_H
#define TESTS_USI_TESTING_H

#include "tests/support/testing.h"
#include "tests/support/usi_session.h"

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
