/* SPDX-License-Identifier: MIT
 *
 * What the fuzz targets of shogi records share. */
#ifndef FUZZ_FUZZ_H
#define FUZZ_FUZZ_H

#include "shogi/tests/support/shogi_laws.h"
#include "tests/fuzz/laws.h"

#include <kanzen/shogi_records.h>

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
