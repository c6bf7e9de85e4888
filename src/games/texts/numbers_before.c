/* SPDX-License-Identifier: MIT
 *
 * The numbers of predecessors. */
#include "games/texts/numbers_parts.h"

/* A position whose predecessors are listed: the board is changed to each of them in turn. */
typedef struct past {
    const kz_variant_numbers *numbers;
    kz_light board; /* with the side to move of the predecessors */
    const kz_piece_set *quiet;
    kz_number_list list;
} past;

/* The board is a predecessor now. Without captures to hand, only a quiet move leads back into the same tier. */
static void keep(past *p, bool changed) {
    const kz_variant_numbers *n = p->numbers;
    const kz_piece_set *s = changed ? kz_numbers_find_set(n, &p->board) : p->quiet;
    if (s && !kz_number_list_is_full(&p->list)) {
        kz_number_list_add(&p->list, kz_numbers_rank(n, s, &p->board, KZ_NO_SQUARE));
    }
}

/* The same where a pawn of the other side had just passed, and was not captured. A capture would have been forced where
 * captures are. */
static void keep_passing(past *p, int to, int was) {
    const kz_variant *v = p->numbers->variant;
    int side = p->board.side;
    for (uint64_t left = v->must_capture ? 0 : p->board.color[!side]; left;) {
        int square = kz_next_square(&left) + (side ? -v->files : v->files); /* behind that pawn */
        if (square >= 0 && square < v->squares && kz_numbers_may_have_passed(v, &p->board, square, !side) &&
            kz_numbers_is_passing_met(v, &p->board, square, side) && !(was == v->pawn && to == square) &&
            !kz_number_list_is_full(&p->list)) {
            kz_number_list_add(&p->list, kz_numbers_rank(p->numbers, p->quiet, &p->board, square));
        }
    }
}

/* Whether a step can make `is` of `was`. */
static bool can_become(const kz_variant *v, int color, int was, int is, int from, int to, bool captures) {
    kz_move moves[KZ_VARIANT_TYPES + 2];
    kz_move wanted = kz_step_move(from, to, is) | (was != is ? (kz_move)KZ_PROMOTES : 0);
    int count = kz_light_steps(v, color, was, from, to, captures, moves);
    for (int i = 0; i < count; i++) {
        if (moves[i] == wanted) {
            return true;
        }
    }
    return false;
}

/* The board has nothing on `to`; the piece came from `from`, where it was a `was`. */
static void take_back_quiet(past *p, int from, int to, int was, int is) {
    const kz_variant *v = p->numbers->variant;
    int side = p->board.side;
    if (!can_become(v, side, was, is, from, to, false)) {
        return;
    }
    kz_light_put(&p->board, from, kz_piece(was, side));
    if (!v->must_capture || !kz_light_can_capture(v, &p->numbers->reaches, &p->board)) {
        keep(p, was != is);
        if (p->quiet->passing && was == is) {
            keep_passing(p, to, was);
        }
    }
    kz_light_take(&p->board, from);
}

static void take_back_capture(past *p, int from, int to, int was, int is) {
    const kz_variant *v = p->numbers->variant;
    kz_light *b = &p->board;
    int side = b->side;
    if (!can_become(v, side, was, is, from, to, true)) {
        return;
    }
    kz_light_put(b, from, kz_piece(was, side));
    for (int i = 0; i < v->hand_types; i++) {
        if (!b->hand[side][i]) {
            continue;
        }
        b->hand[side][i]--;
        for (int type = 0; type < v->types; type++) {
            if (v->type[type].letter && v->type[type].hand == i) {
                kz_light_put(b, to, kz_piece(type, !side));
                keep(p, true);
                kz_light_take(b, to);
            }
        }
        b->hand[side][i]++;
    }
    kz_light_take(b, from);
}

static void take_back(past *p, int to, int was, int is) {
    const kz_variant *v = p->numbers->variant;
    const kz_reaches *r = &p->numbers->reaches;
    int side = p->board.side;
    const kz_reach *reach = &r->back[was][side][to];
    uint64_t occupied = kz_light_occupied(&p->board);
    uint64_t moves = reach->moves & ~occupied;
    uint64_t captures = reach->captures & ~occupied;
    for (uint32_t i = 0; i < reach->paths; i++) {
        const kz_path *path = &r->path[reach->first + i];
        uint64_t end;
        uint64_t free = kz_path_free(path, occupied, &end);
        moves |= path->moves ? free : 0;
        captures |= path->captures ? free : 0;
    }
    if (was == v->pawn && v->double_step) {
        int ahead = side ? -v->files : v->files;
        int from = to - 2 * ahead;
        if (from >= 0 && from < v->squares && v->double_step_region[side] >> from & 1 && !(occupied >> from & 1) &&
            !(occupied >> (from + ahead) & 1) &&
            !(p->quiet->passing && kz_numbers_is_passing_met(v, &p->board, from + ahead, !side))) {
            moves |= UINT64_C(1) << from;
        }
    }
    while (moves) {
        take_back_quiet(p, kz_next_square(&moves), to, was, is);
    }
    while (v->captures_to_hand && captures) {
        take_back_capture(p, kz_next_square(&captures), to, was, is);
    }
}

/* The piece of that type was dropped on `to`, which is empty now. */
static void take_back_drop(past *p, int to, int type, bool mates) {
    const kz_variant *v = p->numbers->variant;
    kz_light *b = &p->board;
    int side = b->side;
    if (mates || !kz_variant_may_drop(v, b->at, side, type, to)) {
        return;
    }
    b->hand[side][v->type[type].hand]++;
    keep(p, true);
    b->hand[side][v->type[type].hand]--;
}

int kz_variant_numbers_before(const kz_variant_numbers *n, uint64_t index, uint64_t *list, int room) {
    const kz_variant *v = n->variant;
    const kz_piece_set *s = &n->index->piece_sets[kz_variant_set_of(n->index, index)];
    past p = {.numbers = n, .list = {list, 0, room}};
    if (n->index->shares && index == 0) {
        return 0;
    }
    if (s->pairs) {
        return kz_variant_small_before(n->small, s, index, list, room);
    }
    kz_route by = kz_numbers_route(n, s, index);
    if (by == KZ_ROUTE_PLAIN) {
        return kz_numbers_before_plainly(n, index, list, room);
    }
    if (by == KZ_ROUTE_HOLE || !kz_numbers_unrank(n, s, index, &p.board)) {
        return 0;
    }
    kz_light after = p.board;
    int side = !after.side;
    p.board.side = (uint8_t)side;
    p.quiet = &n->index->piece_sets[s->quiet];
    for (uint64_t left = after.color[side]; left;) {
        int to = kz_next_square(&left);
        int type = kz_piece_type_of(after.at[to]);
        bool drops = v->drops && v->type[type].hand >= 0 && !v->type[type].promoted;
        bool mates = drops && kz_numbers_is_drop_mate(n, &after, kz_step_move(to, to, type) | KZ_DROP);
        kz_light_take(&p.board, to);
        take_back(&p, to, type, type);
        if (v->type[type].promoted) {
            take_back(&p, to, v->type[type].base, type);
        }
        if (drops) {
            take_back_drop(&p, to, type, mates);
        }
        kz_light_put(&p.board, to, after.at[to]);
    }
    return s->images > 1 ? kz_number_list_distinct(&p.list) : p.list.count;
}
