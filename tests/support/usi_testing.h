/* SPDX-License-Identifier: MIT
 *
 * A talk with the USI engine in a test: what it says has to keep to the protocol. */
#ifndef TESTS_USI_TESTING_H
#define TESTS_USI_TESTING_H

#include "tests/support/testing.h"
#include "tests/support/usi_session.h"

/* Sends a line; the answer keeps to the protocol, and the engine goes on. */
const char *sent(usi_session *session, const char *line);

#endif
