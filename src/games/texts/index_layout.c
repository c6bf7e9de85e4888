/* SPDX-License-Identifier: MIT
 *
 * How the positions of a piece set are numbered: the symmetries that it keeps, the square that is folded, pairs of
 * kings.
 */
#include "games/texts/index_parts.h"

#include <stdlib.h>
#include <string.h>

/* ---- Symmetries -------------------------------------------------------------------------------------------------- */

int kz_index_take_square(const kz_variant *v, int i, int square) {
    int file = square % v->files;
    int rank = square / v->files;
    if (i & 1) {
        file = v->files - 1 - file;
    }
    if (i & 2) {
        rank = v->ranks - 1 - rank;
    }
    if (i & 4) {
        int kept = file;
        file = rank;
        rank = kept;
    }
    return rank * v->files + file;
}

static bool has_ray(const kz_piece_type *type, const kz_ray *ray) {
    for (int i = 0; i < type->rays; i++) {
        const kz_ray *r = &type->ray[i];
        if (r->file == ray->file && r->rank == ray->rank && r->limit == ray->limit && r->moves == ray->moves &&
            r->captures == ray->captures) {
            return true;
        }
    }
    return false;
}

static bool keeps_type(const kz_piece_type *type, int i) {
    for (int n = 0; n < type->rays; n++) {
        kz_ray ray = type->ray[n];
        ray.file = (int8_t)(i & 1 ? -ray.file : ray.file);
        ray.rank = (int8_t)(i & 2 ? -ray.rank : ray.rank);
        if (i & 4) {
            int8_t kept = ray.file;
            ray.file = ray.rank;
            ray.rank = kept;
        }
        if (!has_ray(type, &ray)) {
            return false;
        }
    }
    return true;
}

static bool keeps_region(const kz_variant_index *x, uint64_t region, int i) {
    uint64_t image = 0;
    for (int square = 0; square < x->variant->squares; square++) {
        if (region >> square & 1) {
            image |= UINT64_C(1) << x->square[i][square];
        }
    }
    return image == region;
}

/* Whether a symmetry keeps all rules that matter to a piece set. */
static bool keeps_rules(const kz_variant_index *x, const kz_piece_set *s, int i) {
    const kz_variant *v = x->variant;
    if (i & 4 && v->files != v->ranks) {
        return false;
    }
    bool hands = false;
    for (int color = 0; color < 2; color++) {
        for (int h = 0; h < v->hand_types; h++) {
            hands = hands || s->what.hand[color][h] || v->captures_to_hand;
        }
        if (v->flag_piece >= 0 && !keeps_region(x, v->flag_region[color], i)) {
            return false;
        }
        if (v->drops && !keeps_region(x, v->drop_region[color], i)) {
            return false;
        }
    }
    for (int type = 0; type < v->types; type++) {
        bool there =
            s->what.board[kz_piece(type, 0)] || s->what.board[kz_piece(type, 1)] || (hands && v->type[type].hand >= 0);
        if (!there || !v->type[type].letter) {
            continue;
        }
        bool promotes = v->promotion_pawns >> type & 1 || v->type[type].promotes_to >= 0;
        if (!keeps_type(&v->type[type], i) ||
            (promotes && !(keeps_region(x, v->promotion_region[0], i) && keeps_region(x, v->promotion_region[1], i))) ||
            (type == v->pawn && v->double_step && !keeps_region(x, v->double_step_region[0], i))) {
            return false;
        }
        if (type == v->no_doubled && i & 4) {
            return false;
        }
    }
    return true;
}

static void fold_king(const kz_variant_index *x, kz_piece_set *s) {
    const kz_variant *v = x->variant;
    memset(s->king_place, 255, sizeof s->king_place);
    for (int i = 0; i < s->groups && !s->king; i++) {
        if (s->group[i].count == 1 && kz_piece_type_of(s->group[i].piece) == v->royal) {
            s->king = s->group[i].piece;
            kz_piece_group kept = s->group[i];
            memmove(s->group + 1, s->group, (size_t)i * sizeof *s->group);
            s->group[0] = kept;
        }
    }
    for (int i = 0; i < s->groups && !s->king; i++) {
        if (s->group[i].count == 1) {
            s->king = s->group[i].piece;
            kz_piece_group kept = s->group[i];
            memmove(s->group + 1, s->group, (size_t)i * sizeof *s->group);
            s->group[0] = kept;
        }
    }
    for (int square = 0; square < v->squares; square++) {
        bool lowest = true;
        for (int i = 0; i < s->images && s->king; i++) {
            lowest = lowest && x->square[s->image[i]][square] >= square;
        }
        if (lowest) {
            s->king_place[square] = (uint8_t)s->king_places;
            s->king_square[s->king_places++] = (uint8_t)square;
        }
    }
}

/* What makes ranks fast: where the squares of each piece go in a list, and which images bring the folded king to one of
 * its places. */
static void make_shortcuts(const kz_variant_index *x, kz_piece_set *s) {
    int next = 0;
    for (int i = 0; i < s->groups; i++) {
        s->first[s->group[i].piece] = (uint8_t)next;
        next += s->group[i].count;
    }
    s->men = next;
    for (int square = 0; square < x->variant->squares; square++) {
        for (int i = 0; i < s->images; i++) {
            bool there = !s->king || s->king_place[x->square[s->image[i]][square]] != 255;
            s->pick[square] |= (uint8_t)(there << s->image[i]);
        }
    }
}

/* In how many ways a group can stand on so many free squares. */
static uint64_t ways_of(const kz_variant_index *x, const kz_piece_set *s, int i, int free) {
    if (s->pairs && i < 2) {
        return i == 0 ? (uint64_t)s->pairs->count : 1;
    }
    if (i == 0 && s->king) {
        return (uint64_t)s->king_places;
    }
    return free >= s->group[i].count ? x->choose[free][s->group[i].count] : 0;
}

/* ---- Pairs of kings ---------------------------------------------------------------------------------------------- */

bool kz_index_is_decided(const kz_variant_index *x, int own, int enemy) {
    const kz_variant *v = x->variant;
    return v->reach[x->king][0][own] >> enemy & 1 ||
           (v->flag_piece == x->king && v->flag_region[KZ_BLACK] >> enemy & 1);
}

/* NULL: no memory. */
static const kz_king_pairs *find_pairs(kz_variant_index *x, unsigned images) {
    enum { ROOM = sizeof x->pairs / sizeof x->pairs[0] };
    int slot = 0;
    for (; slot < ROOM && x->pairs[slot]; slot++) {
        if (x->pairs[slot]->images == images) {
            return x->pairs[slot];
        }
    }
    kz_king_pairs *p = slot < ROOM ? calloc(1, sizeof *p) : NULL;
    if (!p) {
        return NULL;
    }
    x->pairs[slot] = p;
    p->images = (uint8_t)images;
    int squares = x->variant->squares;
    for (int both = 0; both < squares * squares; both++) {
        int own = both / squares;
        int enemy = both % squares;
        int lowest = both;
        for (unsigned left = images; left; left &= left - 1) {
            const uint8_t *map = x->square[__builtin_ctz(left)];
            int image = map[own] * squares + map[enemy];
            if (image < lowest) {
                lowest = image;
                p->pick[own][enemy] = 0;
            }
            if (image == lowest) {
                p->pick[own][enemy] |= (uint8_t)(left & -left);
            }
        }
        if (own == enemy || kz_index_is_decided(x, own, enemy)) {
            p->pick[own][enemy] = 0;
        } else if (lowest == both) {
            p->own[p->count] = (uint8_t)own;
            p->enemy[p->count] = (uint8_t)enemy;
            p->number[own][enemy] = (uint8_t)p->count++;
        }
    }
    return p;
}

bool kz_index_has_two_kings(const kz_variant *v, int king, const kz_material *m) {
    if (king < 0 || m->board[kz_piece(king, 0)] != 1 || m->board[kz_piece(king, 1)] != 1) {
        return false;
    }
    int hand = v->type[king].hand;
    return hand < 0 || (!m->hand[0][hand] && !m->hand[1][hand]);
}

/* Both kings to the front. */
static void pair_kings(const kz_variant_index *x, kz_piece_set *s) {
    for (int to = 1; to >= 0; to--) {
        int piece = kz_piece(x->king, to);
        int at = 0;
        while (s->group[at].piece != piece) {
            at++;
        }
        kz_piece_group kept = s->group[at];
        memmove(s->group + 1, s->group, (size_t)at * sizeof *s->group);
        s->group[0] = kept;
    }
}

bool kz_index_lay_out(kz_variant_index *x, kz_piece_set *s) {
    const kz_variant *v = x->variant;
    unsigned images = 0;
    s->images = 0;
    for (int i = 0; i < KZ_IMAGES; i++) {
        if (keeps_rules(x, s, i)) {
            s->image[s->images++] = (uint8_t)i;
            images |= 1U << i;
        }
    }
    for (int piece = 1; piece < KZ_PIECE_CODES; piece++) {
        if (s->what.board[piece]) {
            if (s->groups == (int)(sizeof s->group / sizeof s->group[0])) {
                return false;
            }
            s->group[s->groups++] = (kz_piece_group){(uint8_t)piece, s->what.board[piece]};
        }
    }
    s->pairs = x->shares && kz_index_has_two_kings(x->variant, x->king, &s->what) ? find_pairs(x, images) : NULL;
    if (s->pairs) {
        pair_kings(x, s);
    } else {
        fold_king(x, s);
    }
    s->passing = v->pawn >= 0 && v->double_step && v->en_passant_types && s->what.board[kz_piece(v->pawn, 0)] &&
                 s->what.board[kz_piece(v->pawn, 1)];
    s->size = s->passing ? (uint64_t)v->files + 1 : 1;
    int free = v->squares;
    for (int i = 0; i < s->groups; i++) {
        int count = s->group[i].count;
        uint64_t ways = ways_of(x, s, i, free);
        if (ways && s->size > (UINT64_C(1) << 60) / ways) {
            return false;
        }
        s->size *= ways;
        s->ways[i] = ways;
        s->inverse[i] = ways > 1 && ways <= UINT32_MAX ? UINT64_MAX / ways + 1 : 0;
        free -= count;
    }
    make_shortcuts(x, s);
    return true;
}
