/* SPDX-License-Identifier: MIT
 *
 * A board that moves are made and taken back on in place, with tables of what each piece reaches from each square. */
#ifndef KZ_VARIANT_LIGHT_H
#define KZ_VARIANT_LIGHT_H

#include "games/texts/index.h"

/* A ray from a square. Its squares come in the order of their numbers, upwards or downwards. */
typedef struct kz_path {
    uint64_t squares;
    bool up;
    bool moves;
    bool captures;
} kz_path;

/* What a piece reaches from a square: by single steps, as bits, and along paths. */
typedef struct kz_reach {
    uint64_t moves;
    uint64_t captures;
    uint32_t first; /* path */
    uint32_t paths;
} kz_reach;

typedef struct kz_reaches {
    kz_reach ahead[KZ_VARIANT_TYPES][2][KZ_VARIANT_SQUARES];
    kz_reach back[KZ_VARIANT_TYPES][2][KZ_VARIANT_SQUARES]; /* the squares from which it reaches this one */
    kz_path *path;
    uint32_t paths;
    uint32_t room;
    /* [from * KZ_VARIANT_SQUARES + to]: the squares between, where a piece that rides can reach `to`. NULL: it does not
     * ride. */
    uint64_t *between[KZ_VARIANT_TYPES][2];
    uint64_t allowed[KZ_PIECE_CODES]; /* where the piece may stand */
    int chief;                        /* the royal type, or the one whose capture wins; -1: none */
    bool twisted;                     /* some piece has two ways between two squares: `between` does not tell */
} kz_reaches;

/* The type whose capture alone ends the game, by a win of whoever captures it; -1: there is none. */
int kz_variant_prey(const kz_variant *variant);

/* False: no memory. Free it in any case. */
bool kz_reaches_make(const kz_variant *variant, kz_reaches *reaches);
void kz_reaches_free(kz_reaches *reaches);

typedef struct kz_light {
    uint64_t color[2];
    uint8_t at[KZ_VARIANT_SQUARES];
    uint8_t hand[2][KZ_VARIANT_HAND];
    uint8_t king[2]; /* where the piece of the type `chief` is, if the variant has one */
    uint8_t side;
} kz_light;

typedef struct kz_undo {
    uint8_t from;
    uint8_t to;
    uint8_t moved; /* piece, before the move */
    uint8_t captured;
} kz_undo;

static inline uint64_t kz_light_occupied(const kz_light *b) { return b->color[0] | b->color[1]; }

static inline void kz_light_put(kz_light *b, int square, int piece) {
    b->at[square] = (uint8_t)piece;
    b->color[kz_piece_color(piece)] |= UINT64_C(1) << square;
}

static inline void kz_light_take(kz_light *b, int square) {
    b->color[kz_piece_color(b->at[square])] &= ~(UINT64_C(1) << square);
    b->at[square] = 0;
}

/* The lowest square of a set, or the highest. */
static inline uint64_t kz_end_square(uint64_t squares, bool low) {
    return low ? squares & -squares : UINT64_C(1) << (63 - __builtin_clzll(squares));
}

/* The squares of a ray before the first piece on it; that piece, as a bit, goes to `end`, or 0. */
static inline uint64_t kz_path_free(const kz_path *path, uint64_t occupied, uint64_t *end) {
    uint64_t blockers = path->squares & occupied;
    *end = 0;
    if (!blockers) {
        return path->squares;
    }
    *end = kz_end_square(blockers, path->up);
    return path->squares & (path->up ? *end - 1 : ~(*end | (*end - 1)));
}

/* Whether the piece on `from` attacks a square. */
static inline bool kz_light_attacks(const kz_variant *v, const kz_reaches *r, const kz_light *b, int from, int square) {
    int type = kz_piece_type_of(b->at[from]);
    int color = kz_piece_color(b->at[from]);
    const uint64_t *between = r->between[type][color];
    return v->reach[type][color][from] >> square & 1 &&
           (!between || !(between[from * KZ_VARIANT_SQUARES + square] & kz_light_occupied(b)));
}

/* Whether a side attacks a square. */
static inline bool kz_light_attacked(const kz_variant *v, const kz_reaches *r, const kz_light *b, int square, int by) {
    for (uint64_t left = b->color[by]; left;) {
        if (kz_light_attacks(v, r, b, kz_next_square(&left), square)) {
            return true;
        }
    }
    return false;
}

/* Makes a move and passes the turn; takes it back. No en passant. */
static inline void kz_light_make(const kz_variant *v, const kz_reaches *r, kz_light *b, kz_move move, kz_undo *undo) {
    int side = b->side;
    int to = kz_move_to(move);
    int type = kz_move_type(move);
    *undo = (kz_undo){.from = (uint8_t)kz_move_from(move), .to = (uint8_t)to};
    if (move & KZ_DROP) {
        b->hand[side][v->type[type].hand]--;
    } else {
        undo->moved = b->at[undo->from];
        undo->captured = b->at[to];
        if (undo->captured) {
            int hand = v->type[kz_piece_type_of(undo->captured)].hand;
            kz_light_take(b, to);
            if (v->captures_to_hand && hand >= 0) {
                b->hand[side][hand]++;
            }
        }
        kz_light_take(b, undo->from);
    }
    kz_light_put(b, to, kz_piece(type, side));
    if (type == r->chief) {
        b->king[side] = (uint8_t)to;
    }
    b->side = (uint8_t)!side;
}

static inline void kz_light_unmake(const kz_variant *v, const kz_reaches *r, kz_light *b, kz_move move,
                                   const kz_undo *undo) {
    int side = !b->side;
    int type = kz_move_type(move);
    b->side = (uint8_t)side;
    kz_light_take(b, undo->to);
    if (move & KZ_DROP) {
        b->hand[side][v->type[type].hand]++;
        return;
    }
    kz_light_put(b, undo->from, undo->moved);
    if (undo->captured) {
        int hand = v->type[kz_piece_type_of(undo->captured)].hand;
        kz_light_put(b, undo->to, undo->captured);
        if (v->captures_to_hand && hand >= 0) {
            b->hand[side][hand]--;
        }
    }
    if (type == r->chief) {
        b->king[side] = undo->from;
    }
}

/* Where the piece on `from`, of the side to move, can go. */
uint64_t kz_light_targets(const kz_variant *variant, const kz_reaches *reaches, const kz_light *board, int from);
/* Moves of the side to move to some squares, which may leave the king in check; `from` is -1: drops. Returns how many.
 */
int kz_light_list(const kz_variant *variant, const kz_reaches *reaches, const kz_light *board, int from,
                  uint64_t squares, kz_move *moves);
/* Whether a piece of the side to move attacks one of the other side. */
bool kz_light_can_capture(const kz_variant *variant, const kz_reaches *reaches, const kz_light *board);
/* What a step of a piece may make of it: the moves that add_step of rules.c would add. Returns how many. */
int kz_light_steps(const kz_variant *variant, int color, int type, int from, int to, bool captures, kz_move *moves);

void kz_light_to_board(const kz_variant *variant, const kz_light *light, kz_board *board);

/* Moves as numbers, for the solver (numbers_after and numbers_before of kanzen/define.h): a position is taken apart
 * once, and each move changes one thing in it. What is rare (en passant, several kings) goes through the plain
 * functions. */

typedef struct kz_variant_numbers kz_variant_numbers;

/* Tables for a variant and an index, which must stay. NULL: no memory. */
kz_variant_numbers *kz_variant_numbers_new(const kz_variant *variant, const kz_variant_index *index);
void kz_variant_numbers_free(kz_variant_numbers *numbers);

int kz_variant_numbers_after(const kz_variant_numbers *numbers, uint64_t index, uint64_t *list, kz_sight *sight);
int kz_variant_numbers_before(const kz_variant_numbers *numbers, uint64_t index, uint64_t *list, int room);

#endif
