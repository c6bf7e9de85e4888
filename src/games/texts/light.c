/* SPDX-License-Identifier: MIT */
#include "games/texts/light.h"

#include <stdlib.h>
#include <string.h>

/* ---- Tables ------------------------------------------------------------------------------------------------------ */

static int step(const kz_variant *v, int square, int file_step, int rank_step) {
    int file = square % v->files + file_step;
    int rank = square / v->files + rank_step;
    return file >= 0 && file < v->files && rank >= 0 && rank < v->ranks ? rank * v->files + file : -1;
}

static bool add_path(const kz_variant *v, kz_reaches *r, kz_reach *reach, const kz_ray *ray, int square, int file_step,
                     int rank_step) {
    kz_path path = {.moves = ray->moves, .captures = ray->captures};
    int at = step(v, square, file_step, rank_step);
    path.up = at > square;
    int count = 0;
    for (; at >= 0 && (!ray->limit || count < ray->limit); count++) {
        path.squares |= UINT64_C(1) << at;
        at = step(v, at, file_step, rank_step);
    }
    if (count <= 1) {
        reach->moves |= ray->moves ? path.squares : 0;
        reach->captures |= ray->captures ? path.squares : 0;
        return true;
    }
    if (r->paths == r->room) {
        uint32_t room = r->room * 2 + 256;
        kz_path *paths = realloc(r->path, room * sizeof *paths);
        if (!paths) {
            return false;
        }
        r->path = paths;
        r->room = room;
    }
    r->path[r->paths++] = path;
    reach->paths++;
    return true;
}

static bool add_reach(const kz_variant *v, kz_reaches *r, int type, int color, int square) {
    const kz_piece_type *t = &v->type[type];
    for (int way = 0; way < 2; way++) {
        kz_reach *reach = way ? &r->back[type][color][square] : &r->ahead[type][color][square];
        reach->first = r->paths;
        for (int i = 0; i < t->rays; i++) {
            int sign = way ? -1 : 1;
            int file = sign * t->ray[i].file;
            int rank = sign * (color ? -t->ray[i].rank : t->ray[i].rank);
            if (!add_path(v, r, reach, &t->ray[i], square, file, rank)) {
                return false;
            }
        }
    }
    return true;
}

/* The squares between the ends of each ride that captures. */
static bool add_between(kz_reaches *r, int type, int color, int from) {
    const kz_reach *reach = &r->ahead[type][color][from];
    uint64_t **between = &r->between[type][color];
    for (uint32_t i = 0; i < reach->paths; i++) {
        const kz_path *path = &r->path[reach->first + i];
        uint64_t before = 0;
        if (!*between) {
            *between = calloc((size_t)KZ_VARIANT_SQUARES * KZ_VARIANT_SQUARES, sizeof **between);
            if (!*between) {
                return false;
            }
        }
        for (uint64_t left = path->captures ? path->squares : 0; left;) {
            uint64_t bit = kz_end_square(left, path->up);
            uint64_t *here = &(*between)[from * KZ_VARIANT_SQUARES + __builtin_ctzll(bit)];
            r->twisted = r->twisted || (*here && *here != before) || (reach->captures & bit && before);
            *here = before;
            before |= bit;
            left &= ~bit;
        }
    }
    return true;
}

static uint64_t allowed_squares(const kz_variant *v, int type, int color) {
    uint64_t allowed = 0;
    for (int square = 0; square < v->squares; square++) {
        allowed |= (uint64_t)kz_variant_may_stand(v, type, color, square) << square;
    }
    return allowed;
}

/* Whether a piece can attack a square that it must not go to, because it could not leave it again. */
static bool attacks_in_vain(const kz_variant *v) {
    for (int type = 0; type < v->types && v->immobile_illegal; type++) {
        bool promotes = v->type[type].promotes_to >= 0 || (v->promotion_pawns >> type & 1 && v->promotion_pieces);
        for (int color = 0; color < 2 && v->type[type].letter; color++) {
            uint64_t good = v->mobile[type][color] | (promotes ? v->promotion_region[color] : 0);
            for (int from = 0; from < v->squares; from++) {
                if (v->reach[type][color][from] & ~good) {
                    return true;
                }
            }
        }
    }
    return false;
}

int kz_variant_prey(const kz_variant *v) {
    const kz_extinction *e = &v->extinction;
    bool one = e->types && !(e->types & (e->types - 1));
    bool simple = e->on && !e->all && one && e->value == KZ_LOSS && e->count == 0 && e->opponent_count == 0 &&
                  !e->claim && v->royal < 0 && !v->must_capture && !attacks_in_vain(v);
    int type = simple ? __builtin_ctz(e->types) : -1;
    bool changes = false; /* another piece may become one, or it something else */
    for (int i = 0; i < v->types && type >= 0; i++) {
        changes = changes || (v->type[i].letter && (v->type[i].promotes_to == type || i == type) &&
                              (i != type || v->type[i].promotes_to >= 0 || v->type[i].promoted));
    }
    return type >= 0 && !changes && !((v->promotion_pawns | v->promotion_pieces) >> type & 1) ? type : -1;
}

bool kz_reaches_make(const kz_variant *v, kz_reaches *r) {
    memset(r, 0, sizeof *r);
    r->chief = v->royal >= 0 ? v->royal : kz_variant_prey(v);
    bool complete = true;
    for (int type = 0; type < v->types; type++) {
        for (int color = 0; color < 2 && v->type[type].letter; color++) {
            r->allowed[kz_piece(type, color)] = allowed_squares(v, type, color);
            for (int square = 0; square < v->squares && complete; square++) {
                complete = add_reach(v, r, type, color, square);
            }
            for (int square = 0; square < v->squares && complete; square++) {
                complete = add_between(r, type, color, square);
            }
        }
    }
    return complete;
}

void kz_reaches_free(kz_reaches *r) {
    free(r->path);
    for (int type = 0; type < KZ_VARIANT_TYPES; type++) {
        free(r->between[type][0]);
        free(r->between[type][1]);
    }
}

/* ---- Moves ------------------------------------------------------------------------------------------------------- */

static bool has(uint64_t region, int square) { return region >> square & 1; }

int kz_light_steps(const kz_variant *v, int color, int type, int from, int to, bool captures, kz_move *moves) {
    int count = 0;
    if (v->promotion_pawns >> type & 1 && has(v->promotion_region[color], to)) {
        for (uint32_t left = v->promotion_pieces; left; left &= left - 1) {
            moves[count++] = kz_step_move(from, to, __builtin_ctz(left)) | KZ_PROMOTES;
        }
        if (v->mandatory_pawn_promotion && v->promotion_pieces) {
            return count;
        }
    }
    int promoted = v->type[type].promotes_to;
    bool zone = promoted >= 0 && (has(v->promotion_region[color], from) || has(v->promotion_region[color], to)) &&
                (!v->promotion_on_capture || captures);
    if (zone) {
        moves[count++] = kz_step_move(from, to, promoted) | KZ_PROMOTES;
    }
    if ((!zone || !v->mandatory_piece_promotion) && (!v->immobile_illegal || has(v->mobile[type][color], to))) {
        moves[count++] = kz_step_move(from, to, type);
    }
    return count;
}

static int list_drops(const kz_variant *v, const kz_light *b, uint64_t squares, kz_move *moves) {
    int count = 0;
    uint64_t board = v->squares == 64 ? UINT64_MAX : (UINT64_C(1) << v->squares) - 1;
    for (int i = 0; v->drops && i < v->hand_types; i++) {
        if (!b->hand[b->side][i]) {
            continue;
        }
        for (uint64_t left = board & squares & ~kz_light_occupied(b); left;) {
            int to = kz_next_square(&left);
            if (kz_variant_may_drop(v, b->at, b->side, v->hand_type[i], to)) {
                moves[count++] = kz_step_move(to, to, v->hand_type[i]) | KZ_DROP;
            }
        }
    }
    return count;
}

uint64_t kz_light_targets(const kz_variant *v, const kz_reaches *r, const kz_light *b, int from) {
    int color = b->side;
    int type = kz_piece_type_of(b->at[from]);
    const kz_reach *reach = &r->ahead[type][color][from];
    uint64_t occupied = kz_light_occupied(b);
    uint64_t targets = (reach->moves & ~occupied) | (reach->captures & b->color[!color]);
    for (uint32_t i = 0; i < reach->paths; i++) {
        const kz_path *path = &r->path[reach->first + i];
        uint64_t end;
        uint64_t free = kz_path_free(path, occupied, &end);
        targets |= path->moves ? free : 0;
        targets |= path->captures ? end & b->color[!color] : 0;
    }
    if (type == v->pawn && v->double_step && has(v->double_step_region[color], from)) {
        int ahead = color ? -v->files : v->files;
        int to = from + 2 * ahead;
        if (to >= 0 && to < v->squares && !b->at[from + ahead] && !b->at[to]) {
            targets |= UINT64_C(1) << to;
        }
    }
    return targets;
}

int kz_light_list(const kz_variant *v, const kz_reaches *r, const kz_light *b, int from, uint64_t squares,
                  kz_move *moves) {
    if (from < 0) {
        return list_drops(v, b, squares, moves);
    }
    int color = b->side;
    int type = kz_piece_type_of(b->at[from]);
    uint64_t targets = kz_light_targets(v, r, b, from) & squares;
    int count = 0;
    bool changes = v->promotion_pawns >> type & 1 || v->type[type].promotes_to >= 0 || v->immobile_illegal;
    while (targets) {
        int to = kz_next_square(&targets);
        if (changes) {
            count += kz_light_steps(v, color, type, from, to, b->at[to] != 0, moves + count);
        } else {
            moves[count++] = kz_step_move(from, to, type);
        }
    }
    return count;
}

bool kz_light_can_capture(const kz_variant *v, const kz_reaches *r, const kz_light *b) {
    int color = b->side;
    for (uint64_t left = b->color[color]; left;) {
        int from = kz_next_square(&left);
        for (uint64_t to = v->reach[kz_piece_type_of(b->at[from])][color][from] & b->color[!color]; to;) {
            if (kz_light_attacks(v, r, b, from, kz_next_square(&to))) {
                return true;
            }
        }
    }
    return false;
}

void kz_light_to_board(const kz_variant *v, const kz_light *light, kz_board *board) {
    *board = (kz_board){.side = light->side, .en_passant = KZ_NO_SQUARE, .occupied = kz_light_occupied(light)};
    memcpy(board->at, light->at, (size_t)v->squares);
    memcpy(board->hand, light->hand, sizeof board->hand);
}
