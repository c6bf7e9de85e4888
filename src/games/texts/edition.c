/* SPDX-License-Identifier: MIT */
#include "base/random.h"
#include "games/texts/game.h"

/* All that a text can say about the rules goes in; names, titles and the start don't. */
static void add(uint64_t *sum, uint64_t number) { *sum = kz_scramble(*sum ^ number); }

static void add_type(uint64_t *sum, const kz_piece_type *type) {
    add(sum, (uint64_t)type->letter);
    add(sum, (uint64_t)type->promotes_to);
    add(sum, (uint64_t)type->base);
    add(sum, type->promoted);
    add(sum, (uint64_t)type->hand);
    add(sum, type->is_shogi_pawn);
    for (int i = 0; i < type->rays; i++) {
        const kz_ray *ray = &type->ray[i];
        add(sum, (uint64_t)ray->file);
        add(sum, (uint64_t)ray->rank);
        add(sum, ray->limit);
        add(sum, ray->moves);
        add(sum, ray->captures);
    }
}

static void add_promotion(uint64_t *sum, const kz_variant *v) {
    add(sum, v->promotion_pawns);
    add(sum, v->promotion_pieces);
    add(sum, v->mandatory_pawn_promotion);
    add(sum, v->mandatory_piece_promotion);
    add(sum, v->promotion_on_capture);
    add(sum, v->double_step);
    add(sum, v->en_passant_types);
}

static void add_drops(uint64_t *sum, const kz_variant *v) {
    add(sum, v->drops);
    add(sum, v->captures_to_hand);
    add(sum, (uint64_t)v->no_doubled);
    add(sum, (uint64_t)v->no_doubled_count);
    add(sum, v->immobile_illegal);
    add(sum, v->pawn_drop_mate_illegal);
    add(sum, v->first_rank_pawn_drops);
    add(sum, v->promotion_zone_pawn_drops);
}

static void add_ends(uint64_t *sum, const kz_variant *v) {
    add(sum, v->checking);
    add(sum, v->must_capture);
    add(sum, (uint64_t)v->stalemate);
    add(sum, (uint64_t)v->checkmate);
    add(sum, v->extinction.on);
    add(sum, (uint64_t)v->extinction.value);
    add(sum, v->extinction.types);
    add(sum, v->extinction.all);
    add(sum, (uint64_t)v->extinction.count);
    add(sum, (uint64_t)v->extinction.opponent_count);
    add(sum, v->extinction.claim);
    add(sum, (uint64_t)v->flag_piece);
    add(sum, v->flag_move);
    add(sum, v->flag_safe);
}

uint32_t kz_variant_edition(const kz_variant *v) {
    uint64_t sum = 0;
    add(&sum, (uint64_t)v->files);
    add(&sum, (uint64_t)v->ranks);
    add(&sum, (uint64_t)v->royal);
    add(&sum, (uint64_t)v->pawn);
    for (int i = 0; i < v->types; i++) {
        add_type(&sum, &v->type[i]);
    }
    for (int color = 0; color < 2; color++) {
        add(&sum, v->promotion_region[color]);
        add(&sum, v->double_step_region[color]);
        add(&sum, v->drop_region[color]);
        add(&sum, v->flag_region[color]);
    }
    add_promotion(&sum, v);
    add_drops(&sum, v);
    add_ends(&sum, v);
    if (v->odd_start) { /* more positions have numbers */
        add(&sum, 1);
    }
    return (uint32_t)(sum >> 32);
}
