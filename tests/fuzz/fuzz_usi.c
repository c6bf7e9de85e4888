/* SPDX-License-Identifier: MIT
 *
 * Lines for the USI engine, which has no table. Whatever they are, the answers keep to the protocol. */
#include "tests/support/usi_session.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* In a buffer of its own, so that the sanitizer watches its ends. */
static const char *send_copy(usi_session *session, const char *line, size_t length, bool *goes_on) {
    char *copy = malloc(length + (length == 0));
    if (!copy) {
        abort();
    }
    if (length > 0) {
        memcpy(copy, line, length);
    }
    const char *broken = usi_send(session, copy, length, goes_on);
    free(copy);
    return broken;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    usi_session *session = usi_session_new("dobutsu", KZ_PROTOCOL_USI, NULL);
    if (!session || !session->usi) {
        abort();
    }
    bool goes_on = true;
    int moves = 0; /* each takes milliseconds, and no input needs many */
    for (size_t at = 0; at < size && goes_on && moves < 6;) {
        const char *line = (const char *)data + at;
        const char *end = memchr(line, '\n', size - at);
        size_t length = end ? (size_t)(end - line) : size - at;
        const char *broken = send_copy(session, line, length, &goes_on);
        if (broken) {
            fprintf(stderr, "broken: %s\n%s", broken, session->answer);
            abort();
        }
        moves += usi_lines(session, "info depth ") > 0;
        at += length + 1;
    }
    usi_session_free(session);
    return 0;
}
