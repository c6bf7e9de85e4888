/* SPDX-License-Identifier: MIT */
#include "games/dobutsu/rules/definition.h"

#include "games/dobutsu/rules/rules.h"

/* The positions found so far. */
typedef struct findings {
    kz_position *before;
    int count;
} findings;

static void add_position(findings *f, const kz_dobutsu *position) {
    if (kz_dobutsu_validate(position, NULL) == KZ_OK) {
        kz_dobutsu_to_position(position, &f->before[f->count++]);
    }
}

/* The piece has gone back from `to`, which is empty now. It may have captured something there: each kind of piece that
 * is in the own hand, chicks also as hens. */
static void add_with_captures(findings *f, const kz_dobutsu *gone, int to) {
    add_position(f, gone);
    for (int kind = KZ_DOBUTSU_CHICK; kind <= KZ_DOBUTSU_LION; kind++) {
        if (gone->hand[0][kind] == 0) {
            continue;
        }
        kz_dobutsu before = *gone;
        before.hand[0][kind]--;
        before.board[to] = (uint8_t)(1 + kind + KZ_DOBUTSU_ENEMY);
        add_position(f, &before);
        if (kind == KZ_DOBUTSU_CHICK) {
            before.board[to] = 1 + KZ_DOBUTSU_HEN + KZ_DOBUTSU_ENEMY;
            add_position(f, &before);
        }
    }
}

static void add_step(findings *f, const kz_dobutsu *after, int kind, int from, int to) {
    kz_dobutsu gone = *after;
    gone.board[to] = KZ_DOBUTSU_EMPTY;
    gone.board[from] = (uint8_t)(1 + kind);
    add_with_captures(f, &gone, to);
}

/* All ways in which the piece on `to` may have come there. */
static void take_back(findings *f, const kz_dobutsu *after, int to) {
    int kind = after->board[to] - 1;
    bool far_row = KZ_DOBUTSU_FAR_ROW_SET >> to & 1;
    for (int from = 0; from < KZ_DOBUTSU_SQUARES; from++) {
        if (after->board[from] != KZ_DOBUTSU_EMPTY) {
            continue;
        }
        /* A chick on the far row was dropped there: by a move it would have become a hen. */
        if (!(kind == KZ_DOBUTSU_CHICK && far_row) && (kz_dobutsu_steps(kind, from) >> to & 1)) {
            add_step(f, after, kind, from, to);
        }
        if (kind == KZ_DOBUTSU_HEN && far_row && (kz_dobutsu_steps(KZ_DOBUTSU_CHICK, from) >> to & 1)) {
            add_step(f, after, KZ_DOBUTSU_CHICK, from, to);
        }
    }
    if (kind <= KZ_DOBUTSU_GIRAFFE) {
        kz_dobutsu before = *after;
        before.board[to] = KZ_DOBUTSU_EMPTY;
        before.hand[0][kind]++;
        add_position(f, &before);
    }
}

int kz_dobutsu_predecessors(const kz_position *position, kz_position before[KZ_MAX_PREDECESSORS]) {
    findings f = {.before = before};
    kz_dobutsu after;
    kz_dobutsu_from_position(position, &after);
    kz_dobutsu_flip(&after); /* as the side that has moved sees it */
    after.turn ^= 1;
    after.move_number = 0;
    for (int to = 0; to < KZ_DOBUTSU_SQUARES; to++) {
        if (after.board[to] != KZ_DOBUTSU_EMPTY && after.board[to] < KZ_DOBUTSU_ENEMY) {
            take_back(&f, &after, to);
        }
    }
    return f.count;
}
