/* SPDX-License-Identifier: MIT */
#include "tests/support/usi_session.h"

/* ---- The engine's caller ---------------------------------------------------------------------------------------- */

static void usi_session_say(void *user, const char *line) {
    usi_session *session = user;
    size_t length = strlen(line);
    session->broken_line = session->broken_line || length == 0;
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)line[i];
        session->broken_line = session->broken_line || c < ' ' || c == 0x7f;
    }
    if (length + 2 > sizeof session->answer - session->length) {
        session->broken_line = true;
        return;
    }
    memcpy(session->answer + session->length, line, length);
    session->length += length;
    session->answer[session->length++] = '\n';
    session->answer[session->length] = '\0';
}

static kz_status usi_session_open(void *user, const char *path, int rules, const kz_table **table, kz_error *error) {
    usi_session *session = user;
    (void)rules;
    session->asked++;
    snprintf(session->asked_path, sizeof session->asked_path, "%s", path);
    if (!session->table) {
        error->status = KZ_ERR_IO;
        snprintf(error->message, sizeof error->message, "no table\nat '%s'", session->asked_path);
        return KZ_ERR_IO;
    }
    *table = session->table;
    return KZ_OK;
}

usi_session *usi_session_new(const char *game, kz_protocol protocol, const kz_table *table) {
    usi_session *session = calloc(1, sizeof *session);
    kz_usi_host host = {.say = usi_session_say, .open_table = usi_session_open, .user = session};
    if (session) {
        session->table = table;
        session->speaks_uci = protocol == KZ_PROTOCOL_UCI;
        session->usi = kz_usi_new(kz_game_find(game), protocol, &host);
    }
    return session;
}

void usi_session_free(usi_session *session) {
    kz_usi_free(session->usi);
    free(session);
}

/* ---- The protocol ----------------------------------------------------------------------------------------------- */

bool usi_starts(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

int usi_lines(const usi_session *session, const char *with) {
    int count = 0;
    for (const char *line = session->answer; *line; line = strchr(line, '\n') + 1) {
        count += usi_starts(line, with);
    }
    return count;
}

const char *usi_last_line(const usi_session *session) {
    const char *last = session->answer;
    for (const char *line = last; *line; line = strchr(line, '\n') + 1) {
        last = line;
    }
    return last;
}

bool usi_next_word(const char **at, const char *end, const char **word, size_t *length) {
    while (*at < end && strchr(" \t\r\n", **at) && **at) {
        ++*at;
    }
    *word = *at;
    while (*at < end && !(strchr(" \t\r\n", **at) && **at)) {
        ++*at;
    }
    *length = (size_t)(*at - *word);
    return *length > 0;
}

static bool usi_word_is(const char *word, size_t length, const char *text) {
    return length == strlen(text) && memcmp(word, text, length) == 0;
}

/* What a go wants: "infinite" (but for that of "mate infinite"), "ponder", "mate". */
static void usi_go_words(const char *at, const char *end, bool *infinite, bool *ponder, bool *mate) {
    const char *word;
    size_t length;
    bool after_mate = false;
    *infinite = *ponder = *mate = false;
    while (usi_next_word(&at, end, &word, &length)) {
        *infinite = *infinite || (usi_word_is(word, length, "infinite") && !after_mate);
        *ponder = *ponder || usi_word_is(word, length, "ponder");
        after_mate = usi_word_is(word, length, "mate");
        *mate = *mate || after_mate;
    }
}

#define USI_LAW(holds)                                                                                                 \
    do {                                                                                                               \
        if (!(holds)) {                                                                                                \
            return #holds;                                                                                             \
        }                                                                                                              \
    } while (0)

/* What is wrong with the answer to a line, or NULL. */
static const char *usi_broken_answer(usi_session *session, const char *line, size_t size) {
    const char *at = line;
    const char *end = line + size;
    const char *word;
    size_t length;
    bool some = usi_next_word(&at, end, &word, &length) && size <= KZ_USI_LINE_BYTES;
    int moves = usi_lines(session, "bestmove ");
    int mates = usi_lines(session, "checkmate ");
    int infos = usi_lines(session, "info ");
    int intro = usi_lines(session, "id ") + usi_lines(session, "option name ");
    int ok = usi_lines(session, "usiok\n") + usi_lines(session, "uciok\n");
    int ready = usi_lines(session, "readyok\n");
    bool held = session->infinite || session->ponder;
    const char *last = usi_last_line(session);

    USI_LAW(!session->broken_line);
    USI_LAW(moves + mates + infos + intro + ok + ready == usi_lines(session, ""));
    if (some && (usi_word_is(word, length, "usi") || usi_word_is(word, length, "uci"))) {
        session->speaks_uci = usi_word_is(word, length, "uci");
        USI_LAW(usi_lines(session, "id name ") == 1 && usi_lines(session, "id author ") == 1);
        USI_LAW(ok == 1 && usi_starts(last, session->speaks_uci ? "uciok" : "usiok"));
        USI_LAW(infos + ready == 0);
    } else {
        USI_LAW(intro + ok == 0);
    }
    if (some && usi_word_is(word, length, "isready")) {
        USI_LAW(ready == 1 && usi_starts(last, "readyok"));
    } else {
        USI_LAW(ready == 0);
    }
    if (some && usi_word_is(word, length, "go")) {
        bool mate;
        usi_go_words(at, end, &session->infinite, &session->ponder, &mate);
        if (mate && !session->speaks_uci) {
            session->infinite = session->ponder = false;
            USI_LAW(mates == 1 && usi_starts(last, "checkmate "));
            USI_LAW(moves == held);
        } else {
            bool at_once = !session->infinite && !session->ponder;
            USI_LAW(mates == 0 && moves == held + at_once);
            USI_LAW(!at_once || usi_starts(last, "bestmove "));
            USI_LAW(at_once || !usi_starts(last, "bestmove "));
        }
        return NULL;
    }
    USI_LAW(mates == 0);
    if (some && (usi_word_is(word, length, "stop") || usi_word_is(word, length, "gameover"))) {
        USI_LAW(moves == held && infos == 0);
        session->infinite = session->ponder = false;
    } else if (some && usi_word_is(word, length, "ponderhit")) {
        USI_LAW(moves == (session->ponder && !session->infinite));
        session->ponder = false;
    } else {
        USI_LAW(moves == 0);
    }
    return NULL;
}

const char *usi_send(usi_session *session, const char *line, size_t length, bool *goes_on) {
    session->length = 0;
    session->answer[0] = '\0';
    *goes_on = kz_usi_line(session->usi, line, length);
    return usi_broken_answer(session, line, length);
}
