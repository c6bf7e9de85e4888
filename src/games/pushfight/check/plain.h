/* SPDX-License-Identifier: MIT
 *
 * Push Fight a second time, written down as the rules say it, to check the fast code against. It knows a board's
 * definition and nothing else of what the fast code uses.
 *
 * A position is an array of piece codes, one for each square, row by row from the top, as the side to move sees it. The
 * board does not turn when the sides change. A position's index is the lexicographic rank of that array among all its
 * permutations, as the published solution has it. */
#ifndef KZ_PUSHFIGHT_PLAIN_H
#define KZ_PUSHFIGHT_PLAIN_H

#include "base/pool.h"
#include "game/gamedef.h"
#include "games/pushfight/rules/board.h"

#include <kanzen/error.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    KZ_PF_PLAIN_EMPTY,
    KZ_PF_PLAIN_OWN_MOVER,
    KZ_PF_PLAIN_OWN_PUSHER,
    KZ_PF_PLAIN_ENEMY_MOVER,
    KZ_PF_PLAIN_ENEMY_PUSHER,
    KZ_PF_PLAIN_ANCHORED, /* the enemy pusher that pushed last */
    KZ_PF_PLAIN_CODES
};

/* The codes as published, by number. */
#define KZ_PF_PLAIN_LETTERS ".oOxXY"

/* What is beside a square, where it is no square. */
enum { KZ_PF_PLAIN_FALL = -1, KZ_PF_PLAIN_RAIL = -2 };

/* The number of arrangements of the same pieces that begin with a smaller code. */
typedef struct kz_pf_plain_smaller {
    uint64_t than[KZ_PF_PLAIN_CODES];
} kz_pf_plain_smaller;

/* A board as this code sees it. Read-only after open, so any number of threads may use it. */
typedef struct kz_pf_plain {
    int squares;
    int beside[KZ_PF_MOST_SQUARES][KZ_PF_DIRECTIONS]; /* a square, or one of the above */
    int pieces[KZ_PF_PLAIN_CODES];                    /* how many there are of each code, with an anchor on the board */
    uint64_t permutations;
    /* How often each code occurs among the last squares is a number in mixed radix; one more of a code adds `radix`. */
    uint32_t radix[KZ_PF_PLAIN_CODES];
    kz_pf_plain_smaller *smaller;
} kz_pf_plain;

kz_status kz_pf_plain_open(const kz_pf_board *board, kz_pf_plain **opened, kz_error *error);
void kz_pf_plain_close(kz_pf_plain *plain);

/* The index of a position that has all its pieces and an anchor, and back; index < permutations. */
uint64_t kz_pf_plain_rank(const kz_pf_plain *plain, const uint8_t *codes);
void kz_pf_plain_unrank(const kz_pf_plain *plain, uint64_t index, uint8_t *codes);

/* Whether the anchored piece can have made the last push: on some line both squares beside it are on the board, and
 * just one of them is empty. */
bool kz_pf_plain_anchor_fits(const kz_pf_plain *plain, const uint8_t *codes);

/* The rotation. Only for symmetric boards. */
void kz_pf_plain_turn_board(const kz_pf_plain *plain, const uint8_t *codes, uint8_t *rotated);

/* A turn: up to two moves, then a push, each from a square to another. A push's `to` is the square beside `from`. */
typedef struct kz_pf_plain_turn {
    int moves;
    int8_t from[3]; /* the moves', then the push's */
    int8_t to[3];
} kz_pf_plain_turn;

/* Gets each turn and the position after it as the next side to move sees it, NULL if the turn pushes an enemy piece off
 * the board. Returns whether to go on. */
typedef bool kz_pf_plain_visit(void *context, const kz_pf_plain_turn *turn, const uint8_t *next);

/* Visits all legal turns, of a position without an anchor, too. The same position may come up several times. Returns
 * false if a visit asked to stop. */
bool kz_pf_plain_turns(const kz_pf_plain *plain, const uint8_t *codes, kz_pf_plain_visit *visit, void *context);

/* Solves the board. values[permutations] gets what the published table has: 0 tie, 1 loss because there is no legal
 * turn, 2k win in k turns, 2k + 1 loss in k. `folded`, on symmetric boards only: of a position and its rotation only
 * one is worked out, and both get its value, which takes half the time. */
kz_status kz_pf_plain_solve(const kz_pf_plain *plain, bool folded, kz_pool *pool, uint8_t *values, kz_error *error);

/* The value of any position, with or without an anchor, that follows from the values of its successors. */
uint8_t kz_pf_plain_value(const kz_pf_plain *plain, const uint8_t *values, const uint8_t *codes);

/* These rules for the self-test (plain_twin.c). */
extern const kz_twin_ops kz_pushfight_twin;

#endif
