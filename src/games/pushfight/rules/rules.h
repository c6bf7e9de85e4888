/* SPDX-License-Identifier: MIT
 *
 * What a move and a push do to a position. A turn is up to two moves and one push, then the sides change; turns.h lists
 * the turns of a position. */
#ifndef KZ_PUSHFIGHT_RULES_H
#define KZ_PUSHFIGHT_RULES_H

#include "games/pushfight/rules/board.h"

#include <kanzen/define.h>
#include <string.h>

/* The words of a kz_position may not be read through a pointer to another type: aliasing. The copies cost nothing. */
static inline kz_pf_position kz_pf_from_position(const kz_position *position) {
    kz_pf_position pf;
    memcpy(&pf, position, sizeof pf);
    return pf;
}

static inline void kz_pf_to_position(const kz_pf_position *pf, kz_position *position) {
    *position = (kz_position){{0}};
    memcpy(position, pf, sizeof *pf);
}

static inline uint32_t kz_pf_own(const kz_pf_position *position) {
    return position->own_movers | position->own_pushers;
}

static inline uint32_t kz_pf_enemy(const kz_pf_position *position) {
    return position->enemy_movers | position->enemy_pushers;
}

/* The square with the anchor as a set: empty before turn 1. */
static inline uint32_t kz_pf_anchor_square(const kz_pf_position *position) {
    return position->anchor == KZ_PF_NO_ANCHOR ? 0 : UINT32_C(1) << position->anchor;
}

static inline const kz_pf_board *kz_pf_board_of(const kz_pf_position *position) {
    return kz_pf_board_at(position->board);
}

/* The squares of `free` that a piece on one of the squares of `from` gets to by steps over free squares. */
static inline uint32_t kz_pf_reach(uint32_t from, uint32_t free) {
    uint32_t reached = 0;
    uint32_t edge = kz_pf_neighbours(from) & free;
    while (edge) {
        reached |= edge;
        edge = kz_pf_neighbours(edge) & free & ~reached;
    }
    return reached;
}

/* What a push would do, or why it can't be made. */
typedef enum kz_pf_push_result {
    KZ_PF_PUSH_MOVES, /* all pieces stay on the board */
    KZ_PF_PUSH_WINS,  /* an enemy piece falls off the board */
    KZ_PF_PUSH_NOTHING,
    KZ_PF_PUSH_ANCHORED,
    KZ_PF_PUSH_RAILED,
    KZ_PF_PUSH_OWN_OFF /* an own piece would fall */
} kz_pf_push_result;

static inline bool kz_pf_push_legal(kz_pf_push_result result) { return result <= KZ_PF_PUSH_WINS; }

/* What happens if a piece on the square `pusher` (a set of one) pushes. `line` becomes the pieces that are pushed. */
static inline kz_pf_push_result kz_pf_try_push(const kz_pf_board *board, uint32_t own, uint32_t enemy, uint32_t anchor,
                                               uint32_t pusher, kz_pf_direction direction, uint32_t *line) {
    uint32_t taken = own | enemy;
    uint32_t last = pusher;
    uint32_t next = kz_pf_step(pusher, direction);
    uint32_t pushed = 0;
    while (next & taken) {
        pushed |= next;
        last = next;
        next = kz_pf_step(next, direction);
    }
    *line = pushed;
    if (!pushed) {
        return KZ_PF_PUSH_NOTHING;
    }
    if (pushed & anchor) {
        return KZ_PF_PUSH_ANCHORED;
    }
    if (next & board->squares) {
        return KZ_PF_PUSH_MOVES;
    }
    if (last & board->rail[direction]) {
        return KZ_PF_PUSH_RAILED;
    }
    return last & own ? KZ_PF_PUSH_OWN_OFF : KZ_PF_PUSH_WINS;
}

/* `pieces` after those on `line` took a step; a piece that left the board is gone. */
static inline uint32_t kz_pf_shifted(const kz_pf_board *board, uint32_t pieces, uint32_t line,
                                     kz_pf_direction direction) {
    return (pieces & ~line) | (kz_pf_step(pieces & line, direction) & board->squares);
}

/* Pushes with the own pusher on square `from` (a bit number) and changes sides: the other side moves, and the piece
 * that pushed has the anchor. Leaves the position alone if the push is not legal. */
kz_pf_push_result kz_pf_push(kz_pf_position *position, int from, kz_pf_direction direction);

/* The position seen from the other side, who becomes the one to move. The anchor is lifted: there is none on the pieces
 * of the side to move. */
void kz_pf_change_sides(kz_pf_position *position);

/* The position after a rotation of the board. Only for symmetric boards. */
void kz_pf_rotate_position(kz_pf_position *position);

/* Whether the side to move has lost a piece, which ended the game. */
bool kz_pf_finished(const kz_pf_position *position);

/* Whether the position is one that the published indices number: all pieces and an anchor. */
bool kz_pf_in_progress(const kz_pf_position *position);

/* Whether it is a position of that board: every piece on a square of its own, at most one of them off the board, and
 * the anchor, if there is one, on an enemy pusher. KZ_ERR_INPUT with the reason otherwise. */
kz_status kz_pf_validate(int board, const kz_pf_position *position, kz_error *error);

/* Whether two positions are the same, with the same side to move. */
bool kz_pf_same(const kz_pf_position *a, const kz_pf_position *b);

/* A position for the first turn, without an anchor: the first player's pieces stand on home squares next to the other
 * half, the second player's where the rotation takes them. */
void kz_pf_start(int board, kz_pf_position *position);

/* The game as a definition, and its contexts, one for each board. */
extern const kz_definition kz_pushfight_definition;
extern void *const kz_pushfight_contexts[];

#endif
