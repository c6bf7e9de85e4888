/* SPDX-License-Identifier: MIT */
#include "games/texts/numbers_parts.h"

#include <stdlib.h>

/* Whether a move can end the game as a win for who makes it. Where a side wins by having no pieces, only the opponent's
 * moves take them. */
static bool may_win_by_move(const kz_variant *v) {
    const kz_extinction *e = &v->extinction;
    bool by_loss = e->on && e->value == KZ_WIN && e->all && !e->types && !e->claim;
    return v->flag_piece >= 0 || (e->on && !by_loss);
}

/* Whether en passant is more than what a pawn does to a pawn by a single step, or comes with drops. */
static bool has_odd_passing(const kz_variant *v, const kz_reaches *r) {
    bool passing = v->pawn >= 0 && v->double_step && v->en_passant_types;
    return passing && (v->drops || v->captures_to_hand || v->en_passant_types != UINT32_C(1) << v->pawn ||
                       r->between[v->pawn][0] || r->between[v->pawn][1]);
}

static bool has_rides(const kz_variant *v) {
    for (int type = 0; type < v->types; type++) {
        for (int i = 0; v->type[type].letter && i < v->type[type].rays; i++) {
            if (v->type[type].ray[i].limit != 1) {
                return true;
            }
        }
    }
    return false;
}

int kz_variant_small_king(const kz_variant *v) {
    int king = kz_variant_prey(v);
    if (king < 0 || v->squares > KZ_VARIANT_SMALL || !v->color_blind || v->royal >= 0 || v->promotion_pawns ||
        v->must_capture || v->flag_move || (v->flag_piece >= 0 && v->flag_piece != king) ||
        (v->pawn >= 0 && v->double_step) || v->stalemate != KZ_LOSS || has_rides(v)) {
        return -1;
    }
    uint64_t board = (UINT64_C(1) << v->squares) - 1;
    bool stuck = v->immobile_illegal && (v->mobile[king][0] & v->mobile[king][1] & board) != board;
    return stuck ? -1 : king;
}

kz_variant_numbers *kz_variant_numbers_new(const kz_variant *v, const kz_variant_index *index) {
    kz_variant_numbers *n = malloc(sizeof *n);
    if (!n) {
        return NULL;
    }
    *n = (kz_variant_numbers){.variant = v, .index = index};
    n->small = index->shares ? kz_variant_small_new(v, index) : NULL;
    if (!kz_reaches_make(v, &n->reaches) || (index->shares && !n->small)) {
        kz_variant_numbers_free(n);
        return NULL;
    }
    n->prey = kz_variant_prey(v);
    n->can_win = may_win_by_move(v);
    n->stuck_counts = v->stalemate != KZ_LOSS || (v->royal >= 0 && v->checkmate != KZ_LOSS);
    n->plain = n->reaches.twisted || has_odd_passing(v, &n->reaches) ||
               (v->must_capture && (v->royal >= 0 || v->flag_piece >= 0 || v->immobile_illegal)) ||
               (v->pawn_drop_mate_illegal && n->stuck_counts);
    return n;
}

void kz_variant_numbers_free(kz_variant_numbers *n) {
    if (n) {
        kz_reaches_free(&n->reaches);
        kz_variant_small_free(n->small);
        free(n);
    }
}

void kz_numbers_add_outcome(kz_sight *sight, kz_outcome outcome, int plies) {
    if (outcome == KZ_DRAW) {
        sight->draws = true;
    } else if (outcome == KZ_WIN) {
        sight->worst = plies > sight->worst ? plies : sight->worst;
    }
}

/* ---- Pawns that pass --------------------------------------------------------------------------------------------- */

/* The first square of a pawn that has passed `square`, and the one where it stands now; -1: off the board. */
typedef struct passage {
    int start;
    int end;
} passage;

static passage passage_of(const kz_variant *v, int square, int color) {
    int ahead = color ? -v->files : v->files;
    int start = square - ahead;
    int end = square + ahead;
    bool inside = start >= 0 && start < v->squares && end >= 0 && end < v->squares;
    return inside ? (passage){start, end} : (passage){-1, -1};
}

bool kz_numbers_may_have_passed(const kz_variant *v, const kz_light *b, int square, int color) {
    passage way = passage_of(v, square, color);
    return way.start >= 0 && b->at[way.end] == kz_piece(v->pawn, color) && !b->at[square] && !b->at[way.start] &&
           v->double_step_region[color] >> way.start & 1;
}

bool kz_numbers_is_passing_met(const kz_variant *v, const kz_light *b, int square, int by) {
    for (uint64_t left = b->color[by]; left;) {
        int from = kz_next_square(&left);
        if (b->at[from] == kz_piece(v->pawn, by) && v->reach[v->pawn][by][from] >> square & 1) {
            return true;
        }
    }
    return false;
}

/* ---- Who takes care of a number ---------------------------------------------------------------------------------- */

/* A number with a pawn that has just passed: nearly all are holes, because no pawn stands there. */
static kz_route route_of_passing(const kz_variant_numbers *n, const kz_piece_set *s, uint64_t number) {
    const kz_variant *v = n->variant;
    uint64_t size = kz_numbers_passing_size(n->index, s);
    int file = (int)((number - s->begin) / size) - 1;
    int square = (s->what.side == KZ_WHITE ? v->ranks - 3 : 2) * v->files + file;
    kz_light b;
    uint8_t list[KZ_VARIANT_PIECES];
    bool possible = kz_numbers_set_up(n, s, (number - s->begin) % size, &b, list) &&
                    kz_numbers_may_have_passed(v, &b, square, !b.side);
    return possible && kz_numbers_is_passing_met(v, &b, square, b.side) ? KZ_ROUTE_PLAIN : KZ_ROUTE_HOLE;
}

/* The plain functions do what is rare: a pawn that has just passed, and more than one king. */
kz_route kz_numbers_route(const kz_variant_numbers *n, const kz_piece_set *s, uint64_t number) {
    int chief = n->reaches.chief;
    bool odd = n->plain || s->quiet < 0 || (chief >= 0 && !kz_index_has_two_kings(n->variant, chief, &s->what));
    if (odd) {
        return KZ_ROUTE_PLAIN;
    }
    return s->passing && number - s->begin >= kz_numbers_passing_size(n->index, s) ? route_of_passing(n, s, number)
                                                                                   : KZ_ROUTE_FAST;
}
