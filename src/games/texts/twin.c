/* SPDX-License-Identifier: MIT
 *
 * The rules of a variant a second time, for `selftest` and `verify`: slow, and written in another way. It shares the
 * parsed text and the form of a position with the rest, and nothing else: no table of what a piece reaches, no list of
 * moves. For each pair of squares it asks whether the rays of the piece lead from one to the other. */
#include "games/texts/variant.h"

#include <stdlib.h>
#include <string.h>

/* A square with nothing on it, and a piece: 1 + its type, negative for black. */
typedef struct grid {
    int at[KZ_VARIANT_RANKS][KZ_VARIANT_FILES];
    int hand[2][KZ_VARIANT_HAND];
    int side;        /* to move */
    int passed_file; /* of the square that a pawn passed; -1: none */
    int passed_rank;
} grid;

typedef struct place {
    int file;
    int rank;
} place;

/* What a move is, before anybody asks whether it is legal. */
typedef struct change {
    bool drop;
    place from;
    place to;
    int becomes; /* type */
} change;

static int type_at(const grid *g, place p) { return abs(g->at[p.rank][p.file]) - 1; }
static bool is_empty(const grid *g, place p) { return g->at[p.rank][p.file] == 0; }
static int color_at(const grid *g, place p) { return g->at[p.rank][p.file] < 0; }
static int ahead(int color) { return color == KZ_WHITE ? 1 : -1; }

static bool on_board(const kz_variant *v, place p) {
    return p.file >= 0 && p.file < v->files && p.rank >= 0 && p.rank < v->ranks;
}

static bool in_region(const kz_variant *v, uint64_t region, place p) {
    return region >> (p.rank * v->files + p.file) & 1;
}

/* The next place, rank by rank; false after the last. Begin with (place){-1, 0}. */
static bool next_place(const kz_variant *v, place *p) {
    if (++p->file == v->files) {
        p->file = 0;
        p->rank++;
    }
    return p->rank < v->ranks;
}

/* ---- Geometry ---------------------------------------------------------------------------------------------------- */

/* Whether a ray leads from one place to the other over empty squares. */
static bool leads(const grid *g, const kz_ray *ray, int color, place from, place to) {
    place p = from;
    for (int n = 1; ray->limit == 0 || n <= ray->limit; n++) {
        p.file += ray->file;
        p.rank += ray->rank * ahead(color);
        if (p.file < 0 || p.file >= KZ_VARIANT_FILES || p.rank < 0 || p.rank >= KZ_VARIANT_RANKS) {
            return false;
        }
        if (p.file == to.file && p.rank == to.rank) {
            return true;
        }
        if (!is_empty(g, p)) {
            return false;
        }
    }
    return false;
}

static bool goes(const kz_variant *v, const grid *g, place from, place to, bool captures) {
    const kz_piece_type *type = &v->type[type_at(g, from)];
    for (int i = 0; i < type->rays; i++) {
        if ((captures ? type->ray[i].captures : type->ray[i].moves) &&
            leads(g, &type->ray[i], color_at(g, from), from, to)) {
            return true;
        }
    }
    return false;
}

static bool is_attacked(const kz_variant *v, const grid *g, place target, int by) {
    for (place p = {-1, 0}; next_place(v, &p);) {
        if (!is_empty(g, p) && color_at(g, p) == by && goes(v, g, p, target, true)) {
            return true;
        }
    }
    return false;
}

static bool is_in_check(const kz_variant *v, const grid *g, int color) {
    for (place p = {-1, 0}; v->royal >= 0 && next_place(v, &p);) {
        if (!is_empty(g, p) && type_at(g, p) == v->royal && color_at(g, p) == color && is_attacked(v, g, p, !color)) {
            return true;
        }
    }
    return false;
}

/* Whether a piece could leave a place if nothing else were there. */
static bool can_leave(const kz_variant *v, int type, int color, place from) {
    for (int i = 0; i < v->type[type].rays; i++) {
        place p = {from.file + v->type[type].ray[i].file, from.rank + v->type[type].ray[i].rank * ahead(color)};
        if (on_board(v, p)) {
            return true;
        }
    }
    return false;
}

/* ---- One move ---------------------------------------------------------------------------------------------------- */

static bool is_passing_capture(const kz_variant *v, const grid *g, const change *c) {
    return !c->drop && v->pawn >= 0 && g->passed_file == c->to.file && g->passed_rank == c->to.rank &&
           is_empty(g, c->to) && c->from.file != c->to.file && v->en_passant_types >> type_at(g, c->from) & 1;
}

static bool is_capture(const kz_variant *v, const grid *g, const change *c) {
    return !c->drop && (!is_empty(g, c->to) || is_passing_capture(v, g, c));
}

static bool is_double_step(const kz_variant *v, const grid *g, const change *c) {
    place middle = {c->from.file, c->from.rank + ahead(g->side)};
    return type_at(g, c->from) == v->pawn && v->double_step && in_region(v, v->double_step_region[g->side], c->from) &&
           c->to.file == c->from.file && c->to.rank == c->from.rank + 2 * ahead(g->side) && is_empty(g, middle) &&
           is_empty(g, c->to);
}

static void remove_piece(const kz_variant *v, grid *g, place p) {
    int hand = is_empty(g, p) ? -1 : v->type[type_at(g, p)].hand;
    if (v->captures_to_hand && hand >= 0) {
        g->hand[g->side][hand]++;
    }
    g->at[p.rank][p.file] = 0;
}

/* Whether a piece of the side to move could capture on the square that was passed. */
static bool passing_counts(const kz_variant *v, const grid *g, place passed) {
    for (place p = {-1, 0}; next_place(v, &p);) {
        if (!is_empty(g, p) && color_at(g, p) == g->side && v->en_passant_types >> type_at(g, p) & 1 &&
            goes(v, g, p, passed, true)) {
            return true;
        }
    }
    return false;
}

static grid play(const kz_variant *v, const grid *before, const change *c) {
    grid g = *before;
    int mover = g.side;
    place passed = {-1, -1};
    if (c->drop) {
        g.hand[mover][v->type[c->becomes].hand]--;
    } else {
        place victim = c->to;
        if (is_passing_capture(v, before, c)) {
            victim.rank -= ahead(mover);
        }
        remove_piece(v, &g, victim);
        if (v->double_step && type_at(before, c->from) == v->pawn && c->from.file == c->to.file &&
            abs(c->to.rank - c->from.rank) == 2) {
            passed = (place){c->to.file, (c->from.rank + c->to.rank) / 2};
        }
        g.at[c->from.rank][c->from.file] = 0;
    }
    g.at[c->to.rank][c->to.file] = (c->becomes + 1) * ahead(mover);
    g.side = !mover;
    bool counts = passed.file >= 0 && passing_counts(v, &g, passed);
    g.passed_file = counts ? passed.file : -1;
    g.passed_rank = counts ? passed.rank : -1;
    return g;
}

/* Whether the piece may be what the move says after its step. */
static bool may_become(const kz_variant *v, const grid *g, const change *c) {
    int was = type_at(g, c->from);
    int side = g->side;
    bool to_zone = in_region(v, v->promotion_region[side], c->to);
    bool pawn_promotes = v->promotion_pawns >> was & 1 && to_zone && v->promotion_pieces;
    bool shogi_promotes = v->type[was].promotes_to >= 0 &&
                          (to_zone || in_region(v, v->promotion_region[side], c->from)) &&
                          (!v->promotion_on_capture || !is_empty(g, c->to));
    if (c->becomes != was) {
        return (pawn_promotes && v->promotion_pieces >> c->becomes & 1) ||
               (shogi_promotes && v->type[was].promotes_to == c->becomes);
    }
    return !(pawn_promotes && v->mandatory_pawn_promotion) && !(shogi_promotes && v->mandatory_piece_promotion) &&
           (!v->immobile_illegal || can_leave(v, was, side, c->to));
}

static bool may_drop(const kz_variant *v, const grid *g, const change *c) {
    int side = g->side;
    int hand = v->type[c->becomes].hand;
    int from_home = side == KZ_WHITE ? c->to.rank : v->ranks - 1 - c->to.rank;
    int on_file = 0;
    if (!v->drops || hand < 0 || v->hand_type[hand] != c->becomes || g->hand[side][hand] == 0 || !is_empty(g, c->to) ||
        !in_region(v, v->drop_region[side], c->to) || (v->immobile_illegal && !can_leave(v, c->becomes, side, c->to))) {
        return false;
    }
    if (c->becomes == v->pawn && ((from_home == 0 && !v->first_rank_pawn_drops) ||
                                  (in_region(v, v->promotion_region[side], c->to) && !v->promotion_zone_pawn_drops))) {
        return false;
    }
    for (int rank = 0; rank < v->ranks; rank++) {
        on_file += g->at[rank][c->to.file] == (c->becomes + 1) * ahead(side);
    }
    return c->becomes != v->no_doubled || on_file < v->no_doubled_count;
}

/* Whether a piece goes there, leaving aside checks and duties. */
static bool is_possible(const kz_variant *v, const grid *g, const change *c) {
    if (c->drop) {
        return may_drop(v, g, c);
    }
    if (is_empty(g, c->from) || color_at(g, c->from) != g->side || !may_become(v, g, c)) {
        return false;
    }
    if (!is_empty(g, c->to)) {
        return color_at(g, c->to) != g->side && goes(v, g, c->from, c->to, true);
    }
    return goes(v, g, c->from, c->to, false) || is_double_step(v, g, c) ||
           (is_passing_capture(v, g, c) && goes(v, g, c->from, c->to, true));
}

/* ---- All moves --------------------------------------------------------------------------------------------------- */

typedef bool see(void *user, const grid *before, const change *c, const grid *after); /* false: enough */

static bool each_legal(const kz_variant *v, const grid *g, bool drop_mates, see *visit, void *user);

static bool stop_at_first(void *user, const grid *before, const change *c, const grid *after) {
    (void)before;
    (void)c;
    (void)after;
    *(bool *)user = true;
    return false;
}

static bool is_drop_mate(const kz_variant *v, const change *c, const grid *after) {
    bool escapes = false;
    if (!c->drop || strcmp(v->type[c->becomes].name, "shogiPawn") != 0 || !is_in_check(v, after, after->side)) {
        return false;
    }
    each_legal(v, after, true, stop_at_first, &escapes);
    return !escapes;
}

/* Visits a move if it is legal but for a duty to capture. */
static bool try_change(const kz_variant *v, const grid *g, const change *c, bool drop_mates, see *visit, void *user) {
    if (!is_possible(v, g, c)) {
        return true;
    }
    grid after = play(v, g, c);
    bool safe = !is_in_check(v, &after, g->side) && (v->checking || !is_in_check(v, &after, after.side));
    if (!safe || (v->pawn_drop_mate_illegal && !drop_mates && is_drop_mate(v, c, &after))) {
        return true;
    }
    return visit(user, g, c, &after);
}

/* The changes that put something on `to`: steps from `from`, or drops if that is the same place. */
static bool each_change(const kz_variant *v, const grid *g, place from, place to, bool drop_mates, see *visit,
                        void *user) {
    bool drop = from.file == to.file && from.rank == to.rank;
    for (int type = 0; type < v->types; type++) {
        change c = {.drop = drop, .from = from, .to = to, .becomes = type};
        if (v->type[type].letter && !try_change(v, g, &c, drop_mates, visit, user)) {
            return false;
        }
    }
    return true;
}

static bool each_legal(const kz_variant *v, const grid *g, bool drop_mates, see *visit, void *user) {
    for (place from = {-1, 0}; next_place(v, &from);) {
        bool own = !is_empty(g, from) && color_at(g, from) == g->side;
        for (place to = {-1, 0}; own && next_place(v, &to);) {
            bool same = from.file == to.file && from.rank == to.rank;
            if (!same && !each_change(v, g, from, to, drop_mates, visit, user)) {
                return false;
            }
        }
        if (is_empty(g, from) && !each_change(v, g, from, from, drop_mates, visit, user)) {
            return false;
        }
    }
    return true;
}

/* ---- Results ----------------------------------------------------------------------------------------------------- */

static int count_of(const kz_variant *v, const grid *g, int color, int type) {
    int count = 0;
    for (place p = {-1, 0}; next_place(v, &p);) {
        count += !is_empty(g, p) && color_at(g, p) == color && (type < 0 || v->type[type_at(g, p)].base == type);
    }
    for (int i = 0; i < v->hand_types; i++) {
        count += type < 0 || v->hand_type[i] == type ? g->hand[color][i] : 0;
    }
    return count;
}

static bool is_out(const kz_variant *v, const grid *g, int color, int type) {
    const kz_extinction *e = &v->extinction;
    int needed = e->opponent_count + (e->claim && color == g->side ? 1 : 0);
    return count_of(v, g, color, type) <= e->count && count_of(v, g, !color, type) >= needed;
}

static bool is_any_out(const kz_variant *v, const grid *g, int color) {
    bool out = v->extinction.all && is_out(v, g, color, -1);
    for (int type = 0; type < v->types; type++) {
        out = out || (v->extinction.types >> type & 1 && is_out(v, g, color, type));
    }
    return out;
}

static bool has_flag(const kz_variant *v, const grid *g, int color) {
    for (place p = {-1, 0}; next_place(v, &p);) {
        if (!is_empty(g, p) && color_at(g, p) == color && in_region(v, v->flag_region[color], p) &&
            (v->flag_piece == KZ_VARIANT_TYPES || type_at(g, p) == v->flag_piece) &&
            (!v->flag_safe || !is_attacked(v, g, p, !color))) {
            return true;
        }
    }
    return false;
}

/* Looks for a move of the flag's piece to its region. */
typedef struct reaching {
    const kz_variant *variant;
    bool found;
} reaching;

static bool reaches_flag(void *user, const grid *before, const change *c, const grid *after) {
    reaching *r = user;
    (void)after;
    r->found = r->found || (!c->drop && c->becomes == r->variant->flag_piece &&
                            in_region(r->variant, r->variant->flag_region[before->side], c->to));
    return !r->found;
}

static kz_outcome flag_outcome(const kz_variant *v, const grid *g) {
    bool ours = has_flag(v, g, g->side);
    bool theirs = has_flag(v, g, !g->side);
    if (!v->flag_move) {
        return theirs ? KZ_LOSS : ours && v->flag_safe ? KZ_WIN : KZ_UNKNOWN;
    }
    if (ours) {
        return theirs && g->side == KZ_WHITE ? KZ_DRAW : KZ_WIN;
    }
    if (!theirs || v->flag_piece != v->royal) {
        return KZ_UNKNOWN;
    }
    reaching r = {v, false};
    if (g->side == KZ_BLACK) {
        each_legal(v, g, false, reaches_flag, &r);
    }
    return r.found ? KZ_UNKNOWN : KZ_LOSS;
}

static kz_outcome outcome(const kz_variant *v, const grid *g) {
    const kz_extinction *e = &v->extinction;
    if (e->on && is_any_out(v, g, !g->side)) {
        return e->value == KZ_LOSS ? KZ_WIN : e->value == KZ_WIN ? KZ_LOSS : e->value;
    }
    if (e->on && is_any_out(v, g, g->side)) {
        return e->value;
    }
    return v->flag_piece >= 0 ? flag_outcome(v, g) : KZ_UNKNOWN;
}

/* ---- The call ---------------------------------------------------------------------------------------------------- */

static grid read_position(const kz_variant *v, const kz_position *position) {
    kz_board b;
    grid g = {.passed_file = -1, .passed_rank = -1};
    kz_board_unpack(position, &b);
    for (place p = {-1, 0}; next_place(v, &p);) {
        int piece = b.at[p.rank * v->files + p.file];
        g.at[p.rank][p.file] = piece ? (kz_piece_type_of(piece) + 1) * ahead(kz_piece_color(piece)) : 0;
    }
    for (int i = 0; i < KZ_VARIANT_HAND; i++) {
        g.hand[0][i] = b.hand[0][i];
        g.hand[1][i] = b.hand[1][i];
    }
    g.side = b.side;
    if (b.en_passant != KZ_NO_SQUARE) {
        g.passed_file = b.en_passant % v->files;
        g.passed_rank = b.en_passant / v->files;
    }
    return g;
}

static void write_position(const kz_variant *v, const grid *g, kz_position *position) {
    kz_board b = {.side = (uint8_t)g->side, .en_passant = KZ_NO_SQUARE};
    for (place p = {-1, 0}; next_place(v, &p);) {
        if (!is_empty(g, p)) {
            kz_board_put(&b, p.rank * v->files + p.file, kz_piece(type_at(g, p), color_at(g, p)));
        }
    }
    for (int i = 0; i < KZ_VARIANT_HAND; i++) {
        b.hand[0][i] = (uint8_t)g->hand[0][i];
        b.hand[1][i] = (uint8_t)g->hand[1][i];
    }
    if (g->passed_file >= 0) {
        b.en_passant = (uint8_t)(g->passed_rank * v->files + g->passed_file);
    }
    kz_board_pack(&b, position);
}

/* The moves on their way to the caller. */
typedef struct report {
    const kz_variant *variant;
    bool only_captures;
    bool captures; /* some move is a capture */
    void (*visit)(void *user, const kz_position *next);
    void *user;
    kz_position next; /* with the bytes that are not the game's */
} report;

static bool note_captures(void *user, const grid *before, const change *c, const grid *after) {
    report *r = user;
    (void)after;
    r->captures = r->captures || is_capture(r->variant, before, c);
    return !r->captures;
}

static bool pass_on(void *user, const grid *before, const change *c, const grid *after) {
    report *r = user;
    if (!r->only_captures || is_capture(r->variant, before, c)) {
        write_position(r->variant, after, &r->next);
        r->visit(r->user, &r->next);
    }
    return true;
}

kz_outcome kz_variant_twin(const kz_variant *v, const kz_position *position,
                           void (*visit)(void *user, const kz_position *next), void *user) {
    grid g = read_position(v, position);
    kz_outcome result = outcome(v, &g);
    if (result != KZ_UNKNOWN) {
        return result;
    }
    report r = {.variant = v, .visit = visit, .user = user, .next = *position};
    if (v->must_capture) {
        each_legal(v, &g, false, note_captures, &r);
        r.only_captures = r.captures;
    }
    each_legal(v, &g, false, pass_on, &r);
    return KZ_UNKNOWN;
}
