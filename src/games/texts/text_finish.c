/* SPDX-License-Identifier: MIT
 *
 * What follows from the keys of a variant's text: promoted types, hands, which squares pieces reach. */
#include "base/error.h"
#include "games/texts/text_parts.h"

#include <string.h>

/* Promoted types are types of their own, behind the others. */
static kz_status add_promoted(kz_variant *v, const char *file, kz_error *error) {
    int plain = v->types;
    for (int i = 0; i < plain; i++) {
        v->type[i].base = i;
        v->type[i].promoted = false;
        int to = v->type[i].promotes_to;
        if (!v->type[i].letter || to < 0) {
            v->type[i].promotes_to = -1;
            continue;
        }
        if (v->types == KZ_VARIANT_TYPES) {
            return kz_fail(error, KZ_ERR_INPUT, "%s: too many kinds of pieces", file);
        }
        kz_piece_type *promoted = &v->type[v->types];
        *promoted = v->type[to];
        promoted->letter = v->type[i].letter;
        promoted->promoted = true;
        promoted->base = i;
        promoted->promotes_to = -1;
        v->type[i].promotes_to = v->types++;
    }
    return KZ_OK;
}

static uint64_t flip(const kz_variant *v, uint64_t region) {
    uint64_t flipped = 0;
    for (int square = 0; square < v->squares; square++) {
        if (region >> square & 1) {
            flipped |= UINT64_C(1) << ((v->ranks - 1 - square / v->files) * v->files + square % v->files);
        }
    }
    return flipped;
}

static void find_reach(kz_variant *v, int type, int color, int square) {
    for (int i = 0; i < v->type[type].rays; i++) {
        const kz_ray *ray = &v->type[type].ray[i];
        int file = square % v->files + ray->file;
        int rank = square / v->files + (color ? -ray->rank : ray->rank);
        for (int n = 1; ray->captures && file >= 0 && file < v->files && rank >= 0 && rank < v->ranks; n++) {
            v->reach[type][color][square] |= UINT64_C(1) << (rank * v->files + file);
            if (n == ray->limit) {
                break;
            }
            file += ray->file;
            rank += color ? -ray->rank : ray->rank;
        }
    }
}

static void find_mobility(kz_variant *v) {
    for (int type = 0; type < v->types; type++) {
        v->type[type].is_shogi_pawn = strcmp(v->type[type].name, "shogiPawn") == 0;
        for (int color = 0; color < 2; color++) {
            for (int square = 0; square < v->squares; square++) {
                find_reach(v, type, color, square);
                for (int i = 0; i < v->type[type].rays; i++) {
                    const kz_ray *ray = &v->type[type].ray[i];
                    int file = square % v->files + ray->file;
                    int rank = square / v->files + (color ? -ray->rank : ray->rank);
                    if (file >= 0 && file < v->files && rank >= 0 && rank < v->ranks) {
                        v->mobile[type][color] |= UINT64_C(1) << square;
                    }
                }
            }
        }
    }
}

/* Whether a promotion makes a king, or makes something else of one. */
static bool promotes_kings(const kz_variant *v) {
    bool found = v->royal >= 0 && ((v->promotion_pawns && v->promotion_pieces >> v->royal & 1) ||
                                   (v->promotion_pieces && v->promotion_pawns >> v->royal & 1));
    for (int i = 0; i < v->types && v->royal >= 0; i++) {
        int to = v->type[i].promotes_to;
        found = found || (v->type[i].letter && to >= 0 && (i == v->royal || to == v->royal));
    }
    return found;
}

static kz_status check_whole(kz_variant *v, const char *file, kz_error *error) {
    int letters = 0;
    for (int i = 0; i < v->types; i++) {
        letters += v->type[i].letter != '\0';
    }
    if (!letters) {
        return kz_fail(error, KZ_ERR_INPUT, "%s: the variant '%s' has no pieces", file, v->name);
    }
    if (promotes_kings(v)) {
        return kz_fail(error, KZ_ERR_INPUT, "%s: a king that promotes, or a promotion to a king, is not supported",
                       file);
    }
    for (int i = 0; i < v->types && v->promotion_pieces; i++) {
        if (v->promotion_pawns >> i & 1 && v->type[i].promotes_to >= 0) {
            return kz_fail(error, KZ_ERR_INPUT,
                           "%s: a piece in both promotionPawnTypes and promotedPieceType is not supported", file);
        }
    }
    if (v->promotion_pawns & v->promotion_pieces) {
        return kz_fail(error, KZ_ERR_INPUT,
                       "%s: promotionPieceTypes: a piece that promotes to its own kind is not supported", file);
    }
    uint64_t row = (UINT64_C(1) << v->files) - 1;
    if (v->pawn >= 0 && v->double_step && v->en_passant_types &&
        (v->double_step_region[KZ_WHITE] & ~(row << v->files) ||
         v->double_step_region[KZ_BLACK] & ~(row << (v->ranks - 2) * v->files))) {
        return kz_fail(error, KZ_ERR_INPUT,
                       "%s: doubleStepRegionWhite/Black: double steps from another rank than the second, with en "
                       "passant, are not supported",
                       file);
    }
    if (v->captures_to_hand && v->drops && v->promotion_pawns && v->promotion_pieces) {
        for (int i = 0; i < v->types; i++) {
            if (v->promotion_pawns >> i & 1 && v->type[i].letter) {
                return kz_fail(
                    error, KZ_ERR_INPUT,
                    "%s: pawns that promote to pieces of choice, with captured pieces in hand, are not supported",
                    file);
            }
        }
    }
    return KZ_OK;
}

/* Promotions to pieces that a text has removed. */
static void forget_removed(kz_variant *v) {
    for (int i = 0; i < v->types; i++) {
        if (!v->type[i].letter) {
            v->promotion_pawns &= ~(UINT32_C(1) << i);
            v->promotion_pieces &= ~(UINT32_C(1) << i);
            v->en_passant_types &= ~(UINT32_C(1) << i);
        }
    }
}

/* A text may begin with a pawn on its first rank, where no move brings one. */
static void look_at_start(kz_variant *v) {
    kz_board b;
    if (kz_variant_read_fen(v, v->start, strlen(v->start), &b, NULL) != KZ_OK) {
        return; /* endings need no start */
    }
    bool odd = false;
    for (uint64_t left = b.occupied; left;) {
        int square = kz_next_square(&left);
        odd = odd || !kz_variant_may_stand(v, kz_piece_type_of(b.at[square]), kz_piece_color(b.at[square]), square);
    }
    v->odd_start = odd;
}

kz_status kz_variant_finish(kz_variant *v, const char *file, kz_error *error) {
    v->royal = kz_variant_find_type(v, "king");
    v->royal = v->royal >= 0 && v->type[v->royal].letter ? v->royal : -1;
    v->pawn = kz_variant_find_type(v, "pawn");
    v->pawn = v->pawn >= 0 && v->type[v->pawn].letter ? v->pawn : -1;
    forget_removed(v);
    KZ_TRY(check_whole(v, file, error));
    kz_status status = add_promoted(v, file, error);
    for (int i = 0; i < v->types; i++) {
        v->type[i].hand = -1;
    }
    for (int i = 0; status == KZ_OK && v->drops && i < v->types; i++) {
        if (!v->type[i].letter || v->type[i].promoted || i == v->royal) {
            continue;
        }
        if (v->hand_types == KZ_VARIANT_HAND) {
            return kz_fail(error, KZ_ERR_INPUT, "%s: more than %d kinds of pieces can be in a hand", file,
                           KZ_VARIANT_HAND);
        }
        v->type[i].hand = v->hand_types;
        v->hand_type[v->hand_types++] = i;
    }
    for (int i = 0; i < v->types; i++) {
        if (v->type[i].promoted && v->type[i].base >= 0) {
            v->type[i].hand = v->type[v->type[i].base].hand;
        }
    }
    if (status != KZ_OK) {
        return status;
    }
    find_mobility(v);
    v->color_blind =
        flip(v, v->promotion_region[0]) == v->promotion_region[1] && flip(v, v->drop_region[0]) == v->drop_region[1] &&
        flip(v, v->flag_region[0]) == v->flag_region[1] &&
        (!v->double_step || v->pawn < 0 || flip(v, v->double_step_region[0]) == v->double_step_region[1]) &&
        !v->flag_move;
    look_at_start(v);
    return KZ_OK;
}
