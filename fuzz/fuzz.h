/* SPDX-License-Identifier: MIT
 *
 * What the fuzz targets share. Each is a program for libFuzzer: any bytes may come in; nothing may crash, and whatever
 * is read must keep the laws. */
#ifndef FUZZ_FUZZ_H
#define FUZZ_FUZZ_H

#include "tests/shogi_laws.h"
#include <kanzen/shogi_records.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Stops the fuzzer if a law is broken. */
static inline void fuzz_keep(const char *broken) {
    if (broken) {
        fprintf(stderr, "broken: %s\n", broken);
        abort();
    }
}

/* The laws of reading: a call that fails says so, with a message. */
static inline const char *fuzz_broken_by_failure(kz_status status, const kz_error *error) {
    LAW(error->status == status);
    LAW(error->message[0] != '\0');
    return NULL;
}

static inline void fuzz_keep_failure(kz_status status, const kz_error *error) {
    if (status != KZ_OK) {
        fuzz_keep(fuzz_broken_by_failure(status, error));
    }
}

/* A position with what is said about it: members that it has not are 0. */
static inline const char *fuzz_broken_by_note(const kz_shogi_note *note) {
    LAW(note->result >= -1 && note->result <= 1);
    LAW(note->move.special <= KZ_SHOGI_DECLARES);
    LAW(note->move.promotes <= 1);
    LAW(note->move.to < KZ_SHOGI_SQUARES);
    LAW(note->move.from < KZ_SHOGI_SQUARES + KZ_SHOGI_HAND_KINDS);
    return note->has & KZ_SHOGI_HAS_MOVE ? shogi_broken_by_move(note->move) : NULL;
}

/* For readers of games: looks at each position. */
static inline bool fuzz_visit(void *user, const kz_shogi_position *position, const kz_shogi_note *note) {
    size_t *visits = user;
    ++*visits;
    /* Games are long, and their positions alike: all laws for the first ones. */
    fuzz_keep(*visits <= 4 ? shogi_broken_by_any(position) : NULL);
    fuzz_keep(kz_shogi_check(position) == KZ_SHOGI_FINE ? NULL : "a position that is not well-formed is told");
    fuzz_keep(fuzz_broken_by_note(note));
    return *visits < 1000;
}

#endif
