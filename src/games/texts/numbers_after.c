/* SPDX-License-Identifier: MIT
 *
 * The numbers that moves lead to. */
#include "games/texts/numbers_parts.h"

static bool in_check(const kz_variant_numbers *n, const kz_light *b, int color) {
    return n->variant->royal >= 0 && kz_light_attacked(n->variant, &n->reaches, b, b->king[color], !color);
}

/* After a move: whether it was legal as far as kings are concerned. */
static bool is_safe(const kz_variant_numbers *n, const kz_light *b) {
    return !in_check(n, b, !b->side) && (n->variant->checking || !in_check(n, b, b->side));
}

static kz_outcome ended_plainly(const kz_variant_numbers *n, const kz_light *b) {
    kz_board board;
    kz_light_to_board(n->variant, b, &board);
    return kz_variant_ended(n->variant, &board);
}

static bool has_flag(const kz_variant_numbers *n, const kz_light *b, int color) {
    const kz_variant *v = n->variant;
    for (uint64_t left = b->color[color] & v->flag_region[color]; left;) {
        int square = kz_next_square(&left);
        int type = kz_piece_type_of(b->at[square]);
        if ((v->flag_piece == KZ_VARIANT_TYPES || type == v->flag_piece) &&
            !(v->flag_safe && kz_light_attacked(v, &n->reaches, b, square, !color))) {
            return true;
        }
    }
    return false;
}

/* What the flags say, as flag_result of rules.c does. */
static kz_outcome flag_result(const kz_variant_numbers *n, const kz_light *b) {
    const kz_variant *v = n->variant;
    if (v->flag_piece < 0) {
        return KZ_UNKNOWN;
    }
    bool theirs = has_flag(n, b, !b->side);
    if (!v->flag_move) {
        return theirs ? KZ_LOSS : v->flag_safe && has_flag(n, b, b->side) ? KZ_WIN : KZ_UNKNOWN;
    }
    return theirs || has_flag(n, b, b->side) ? ended_plainly(n, b) : KZ_UNKNOWN;
}

/* Whether a move changes the material; such moves alone can lead to another piece set than the quiet one. */
static bool changes(const kz_light *b, kz_move move) {
    return (move & (KZ_DROP | KZ_PROMOTES)) != 0 || b->at[kz_move_to(move)];
}

/* After a move: what it leads to. `set` gets the piece set, if the game goes on. */
static kz_outcome result_after(const kz_variant_numbers *n, const kz_light *b, bool changed, const kz_piece_set *quiet,
                               const kz_piece_set **set) {
    *set = changed ? kz_numbers_find_set(n, b) : quiet;
    return *set ? flag_result(n, b) : ended_plainly(n, b);
}

/* Whether a piece stands on its flag region. With flag_safe it wins there as soon as nothing attacks it. Without, no
 * game comes to such a position; but it has a number, and any move that leaves the piece there wins. */
static bool awaits_flag(const kz_variant_numbers *n, const kz_light *b) {
    return n->variant->flag_piece >= 0 && n->variant->flag_region[b->side] & b->color[b->side];
}

/* Whether a move might end the game with a win for the side that makes it. */
static bool may_end(const kz_variant_numbers *n, const kz_light *b, kz_move move) {
    const kz_variant *v = n->variant;
    bool flag = v->flag_piece >= 0 && v->flag_region[b->side] >> kz_move_to(move) & 1;
    return flag || awaits_flag(n, b) || (v->extinction.on && n->prey < 0 && changes(b, move));
}

/* Drops come after the pieces: square -1. */
static int next_source(uint64_t *left, bool *drops) {
    if (*left) {
        return kz_next_square(left);
    }
    *drops = false;
    return -1;
}

static bool wins_at_once(const kz_variant_numbers *n, kz_light *b, const kz_piece_set *s) {
    const kz_variant *v = n->variant;
    kz_move moves[KZ_VARIANT_MOVES];
    uint64_t left = b->color[b->side];
    bool drops = v->drops;
    if (n->prey >= 0) {
        if (kz_light_attacked(v, &n->reaches, b, b->king[!b->side], b->side)) {
            return true;
        }
        if (v->flag_piece < 0 ||
            (v->flag_piece == n->prey && !awaits_flag(n, b))) { /* no other piece can end the game, nor a drop */
            left = v->flag_piece < 0 ? 0 : UINT64_C(1) << b->king[b->side];
            drops = false;
        }
    }
    while (n->can_win && (left || drops)) {
        int count = kz_light_list(v, &n->reaches, b, next_source(&left, &drops), UINT64_MAX, moves);
        for (int i = 0; i < count; i++) {
            if (!may_end(n, b, moves[i])) {
                continue;
            }
            kz_undo undo;
            const kz_piece_set *set;
            bool changed = changes(b, moves[i]);
            kz_light_make(v, &n->reaches, b, moves[i], &undo);
            bool wins = is_safe(n, b) && result_after(n, b, changed, &n->index->piece_sets[s->quiet], &set) == KZ_LOSS;
            kz_light_unmake(v, &n->reaches, b, moves[i], &undo);
            if (wins) {
                return true;
            }
        }
    }
    return false;
}

static bool has_move(const kz_variant_numbers *n, kz_light *b) {
    const kz_variant *v = n->variant;
    kz_move moves[KZ_VARIANT_MOVES];
    uint64_t left = b->color[b->side];
    bool drops = v->drops;
    while (left || drops) {
        int from = next_source(&left, &drops);
        if (from >= 0 && v->royal < 0 && !v->immobile_illegal) {
            if (kz_light_targets(v, &n->reaches, b, from)) {
                return true;
            }
            continue;
        }
        int count = kz_light_list(v, &n->reaches, b, from, UINT64_MAX, moves);
        for (int i = 0; i < count; i++) {
            kz_undo undo;
            kz_light_make(v, &n->reaches, b, moves[i], &undo);
            bool safe = is_safe(n, b);
            kz_light_unmake(v, &n->reaches, b, moves[i], &undo);
            if (safe) {
                return true;
            }
        }
    }
    return false;
}

bool kz_numbers_is_drop_mate(const kz_variant_numbers *n, kz_light *b, kz_move move) {
    const kz_variant *v = n->variant;
    return v->pawn_drop_mate_illegal && move & KZ_DROP && v->type[kz_move_type(move)].is_shogi_pawn &&
           in_check(n, b, b->side) && !has_move(n, b);
}

/* After a legal move to a position of piece set `s` where the game goes on: its number, or KZ_NO_NUMBER if it is
 * settled, which `sight` is told. */
static uint64_t number_after(const kz_variant_numbers *n, kz_light *b, const kz_piece_set *s, kz_sight *sight) {
    const kz_variant *v = n->variant;
    if (n->stuck_counts && !has_move(n, b)) {
        kz_outcome over = in_check(n, b, b->side) ? v->checkmate : v->stalemate;
        if (over != KZ_LOSS) {
            kz_numbers_add_outcome(sight, over, 0);
            return KZ_NO_NUMBER;
        }
    } else if (n->can_win && wins_at_once(n, b, s)) {
        kz_numbers_add_outcome(sight, KZ_WIN, 1);
        return KZ_NO_NUMBER;
    }
    return kz_numbers_rank(n, s, b, KZ_NO_SQUARE);
}

/* After a move: the square that a pawn has just passed, if another one can capture it there; else KZ_NO_SQUARE. */
static int passed_by(const kz_variant *v, const kz_light *b, kz_move move) {
    int from = kz_move_from(move);
    int to = kz_move_to(move);
    bool far = from - to == 2 * v->files || to - from == 2 * v->files;
    int middle = (from + to) / 2;
    return far && b->at[to] == kz_piece(v->pawn, !b->side) && kz_numbers_is_passing_met(v, b, middle, b->side)
               ? middle
               : KZ_NO_SQUARE;
}

/* The same where a pawn has just passed a square, or where the game ends with any quiet move. */
static uint64_t number_after_plainly(const kz_variant_numbers *n, const kz_light *b, int passed, kz_sight *sight) {
    kz_board board;
    kz_light_to_board(n->variant, b, &board);
    board.en_passant = (uint8_t)passed;
    return kz_numbers_number_plainly(n, &board, sight);
}

int kz_variant_numbers_after(const kz_variant_numbers *n, uint64_t index, uint64_t *list, kz_sight *sight) {
    const kz_variant *v = n->variant;
    const kz_piece_set *s = &n->index->piece_sets[kz_variant_set_of(n->index, index)];
    kz_light b;
    kz_move moves[KZ_VARIANT_MOVES];
    if (n->index->shares && index == 0) {
        sight->win = 1;
        return 0;
    }
    if (s->pairs) {
        return kz_variant_small_after(n->small, s, index, list, sight);
    }
    kz_route by = kz_numbers_route(n, s, index);
    if (by == KZ_ROUTE_PLAIN) {
        return kz_numbers_after_plainly(n, index, list, sight);
    }
    if (by == KZ_ROUTE_HOLE || !kz_numbers_unrank(n, s, index, &b)) {
        return -1;
    }
    sight->over = flag_result(n, &b);
    if (sight->over != KZ_UNKNOWN) {
        return 0;
    }
    if (wins_at_once(n, &b, s)) {
        sight->win = 1;
        return 0;
    }
    int count = 0;
    uint64_t left = b.color[b.side];
    bool captures = v->must_capture && kz_light_can_capture(v, &n->reaches, &b);
    for (bool drops = v->drops && !captures; left || drops;) {
        count += kz_light_list(v, &n->reaches, &b, next_source(&left, &drops), captures ? b.color[!b.side] : UINT64_MAX,
                               moves + count);
    }
    const kz_piece_set *quiet = &n->index->piece_sets[s->quiet];
    bool any = false;
    kz_number_list listed = {list, 0, KZ_VARIANT_MOVES};
    for (int i = 0; i < count; i++) {
        kz_undo undo;
        const kz_piece_set *set;
        bool changed = changes(&b, moves[i]);
        kz_light_make(v, &n->reaches, &b, moves[i], &undo);
        if (is_safe(n, &b) && !kz_numbers_is_drop_mate(n, &b, moves[i])) {
            kz_outcome over = result_after(n, &b, changed, quiet, &set);
            any = true;
            if (over != KZ_UNKNOWN) {
                kz_numbers_add_outcome(sight, over, 0);
            } else {
                int passed = set->passing ? passed_by(v, &b, moves[i]) : KZ_NO_SQUARE;
                bool quick = passed == KZ_NO_SQUARE && set->quiet >= 0;
                uint64_t number = quick ? number_after(n, &b, set, sight) : number_after_plainly(n, &b, passed, sight);
                kz_number_list_add(&listed, number);
            }
        }
        kz_light_unmake(v, &n->reaches, &b, moves[i], &undo);
    }
    if (!any) {
        sight->over = in_check(n, &b, b.side) ? v->checkmate : v->stalemate;
        return 0;
    }
    return s->images > 1 ? kz_number_list_distinct(&listed) : listed.count;
}
