/* SPDX-License-Identifier: MIT
 *
 * An engine for programs that show boards and run matches: it speaks USI (Universal Shogi Interface) or UCI, and plays
 * from a table. This is the protocol without its pipes: lines come in by a call, answers go out by a callback, and
 * files are opened by the caller. docs/usi.md describes the commands and options.
 *
 *     kz_usi *engine = kz_usi_new(kz_game_find("dobutsu"), KZ_PROTOCOL_USI, &host);
 *     while (read_line(&line, &length) && kz_usi_line(engine, line, length)) {
 *     }
 *     kz_usi_free(engine);
 */
#ifndef KANZEN_USI_H
#define KANZEN_USI_H

#include <kanzen/table.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { KZ_USI_LINE_BYTES = 1 << 20 }; /* longer lines are answered with a message, and nothing else comes of them */

typedef enum kz_protocol { KZ_PROTOCOL_USI, KZ_PROTOCOL_UCI } kz_protocol;

/* What the engine needs of its caller. */
typedef struct kz_usi_host {
    /* Takes a line of an answer, 0-terminated and without its end. There are no control characters in it. */
    void (*say)(void *user, const char *line);
    /* Opens a table for the rules: the file at `path`, or, if that is "", the one that is kept for them. It stays the
     * caller's and is used until the next call of this function or the end of the engine. May be NULL: no tables. */
    kz_status (*open_table)(void *user, const char *path, int rules, const kz_table **table, kz_error *error);
    /* A seed for a new game, where the user wants another one each time. May be NULL: always the same. */
    uint64_t (*new_seed)(void *user);
    void *user;
} kz_usi_host;

/* An engine between two lines. One thread at a time. */
typedef struct kz_usi kz_usi;

/* The game that programs of shogi expect: the first one whose moves they can read. */
const kz_game *kz_usi_game(void);

/* For one game, which need not be a kind of shogi; `host` is copied. A line "usi" or "uci" changes the protocol. NULL:
 * no memory. Free it in the end; NULL is fine there. */
kz_usi *kz_usi_new(const kz_game *game, kz_protocol protocol, const kz_usi_host *host);
void kz_usi_free(kz_usi *usi);

/* Sets an option as "setoption name NAME value VALUE" does. What is set before "usi" or "uci" comes is what the engine
 * calls its defaults. */
kz_status kz_usi_set(kz_usi *usi, const char *name, const char *value, kz_error *error);

/* Takes a line: any bytes, without the end of the line (a '\r' does no harm). Whatever is wrong with it is answered
 * with "info string ...". Returns false after "quit". */
bool kz_usi_line(kz_usi *usi, const char *line, size_t length);

#ifdef __cplusplus
}
#endif
#endif
