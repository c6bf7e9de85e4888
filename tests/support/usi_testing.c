/* SPDX-License-Identifier: MIT */
#include "tests/support/usi_testing.h"

const char *sent(usi_session *session, const char *line) {
    bool goes_on;
    const char *broken = usi_send(session, line, strlen(line), &goes_on);
    if (broken) {
        fail_msg("'%s': not so: %s\n%s", line, broken, session->answer);
    }
    assert_true(goes_on);
    return session->answer;
}
