/* SPDX-License-Identifier: MIT */
#include "base/random.h"
#include "games/texts/game.h"

/* All that a text can say about the rules goes in; names, titles and the start don't. */
static void mix_in(uint64_t *sum, uint64_t number) { *sum = kz_scramble(*sum ^ number); }

static void add_type(uint64_t *sum, const kz_piece_type *type) {
    mix_in(sum, (uint64_t)type->letter);
    mix_in(sum, (uint64_t)type->promotes_to);
    mix_in(sum, (uint64_t)type->base);
    mix_in(sum, type->promoted);
    mix_in(sum, (uint64_t)type->hand);
    mix_in(sum, type->is_shogi_pawn);
    for (int i = 0; i < type->rays; i++) {
        const kz_ray *ray = &type->ray[i];
        mix_in(sum, (uint64_t)ray->file);
        mix_in(sum, (uint64_t)ray->rank);
        mix_in(sum, ray->limit);
        mix_in(sum, ray->moves);
        mix_in(sum, ray->captures);
    }
}

static void add_promotion(uint64_t *sum, const kz_variant *v) {
    mix_in(sum, v->promotion_pawns);
    mix_in(sum, v->promotion_pieces);
    mix_in(sum, v->mandatory_pawn_promotion);
    mix_in(sum, v->mandatory_piece_promotion);
    mix_in(sum, v->promotion_on_capture);
    mix_in(sum, v->double_step);
    mix_in(sum, v->en_passant_types);
}

static void add_drops(uint64_t *sum, const kz_variant *v) {
    mix_in(sum, v->drops);
    mix_in(sum, v->captures_to_hand);
    mix_in(sum, (uint64_t)v->no_doubled);
    mix_in(sum, (uint64_t)v->no_doubled_count);
    mix_in(sum, v->immobile_illegal);
    mix_in(sum, v->pawn_drop_mate_illegal);
    mix_in(sum, v->first_rank_pawn_drops);
    mix_in(sum, v->promotion_zone_pawn_drops);
}

static void add_ends(uint64_t *sum, const kz_variant *v) {
    mix_in(sum, v->checking);
    mix_in(sum, v->must_capture);
    mix_in(sum, (uint64_t)v->stalemate);
    mix_in(sum, (uint64_t)v->checkmate);
    mix_in(sum, v->extinction.on);
    mix_in(sum, (uint64_t)v->extinction.value);
    mix_in(sum, v->extinction.types);
    mix_in(sum, v->extinction.all);
    mix_in(sum, (uint64_t)v->extinction.count);
    mix_in(sum, (uint64_t)v->extinction.opponent_count);
    mix_in(sum, v->extinction.claim);
    mix_in(sum, (uint64_t)v->flag_piece);
    mix_in(sum, v->flag_move);
    mix_in(sum, v->flag_safe);
}

uint32_t kz_variant_edition(const kz_variant *v) {
    uint64_t sum = 0;
    mix_in(&sum, (uint64_t)v->files);
    mix_in(&sum, (uint64_t)v->ranks);
    mix_in(&sum, (uint64_t)v->royal);
    mix_in(&sum, (uint64_t)v->pawn);
    for (int i = 0; i < v->types; i++) {
        add_type(&sum, &v->type[i]);
    }
    for (int color = 0; color < 2; color++) {
        mix_in(&sum, v->promotion_region[color]);
        mix_in(&sum, v->double_step_region[color]);
        mix_in(&sum, v->drop_region[color]);
        mix_in(&sum, v->flag_region[color]);
    }
    add_promotion(&sum, v);
    add_drops(&sum, v);
    add_ends(&sum, v);
    if (v->odd_start) { /* more positions have numbers */
        mix_in(&sum, 1);
    }
    return (uint32_t)(sum >> 32);
}
