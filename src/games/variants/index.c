/* SPDX-License-Identifier: MIT
 *
 * Positions as numbers. Positions with the same pieces are a *piece set* of the index: for each kind of piece the
 * squares are a combination out of those that the kinds before it leave free. Which material can follow from which is a
 * graph; material that can't come back (captures without drops, promotions) makes tiers, which are the strongly
 * connected parts of that graph.
 *
 *     piece set   K Q v K, white to move        number = ((place of K) * C(63, 1) + place of Q) * C(62, 1) + place of k
 *
 * Where a king is captured on a small board (small.h), both kings are one part of the number, and pairs that decide the
 * game have none: positions that such a pair wins in one ply share number 0.
 *
 * The side to move is white in the index where the rules are the same for both: other positions are turned upside down
 * first. The first side's only king stands on one of the squares that the symmetries of the piece set leave: 10 of 64
 * on a chess board without pawns, 32 with. */
#include "games/variants/index.h"
#include "base/error.h"
#include "base/random.h"
#include "games/variants/small.h"

#include <stdlib.h>
#include <string.h>

enum { PIECE_CODES = KZ_PIECE_CODES, PIECE_SETS_MOST = 60000, IMAGES = KZ_IMAGES };

typedef kz_material material;
typedef kz_piece_group group;
typedef kz_piece_set piece_set;

/* ---- Material ---------------------------------------------------------------------------------------------------- */

/* Sums of random numbers, so that a key takes one addition a piece. */
static uint64_t key_of_board(const kz_variant_index *x, const kz_board *b) {
    uint64_t key = b->side * x->random[0];
    for (uint64_t left = b->occupied; left;) {
        key += x->random[b->at[kz_next_square(&left)]];
    }
    for (int color = 0; color < 2 && x->variant->drops; color++) {
        for (int i = 0; i < x->variant->hand_types; i++) {
            key += b->hand[color][i] * x->random[PIECE_CODES + color * KZ_VARIANT_HAND + i];
        }
    }
    return key;
}

static uint64_t key_of(const kz_variant_index *x, const material *m) {
    uint64_t key = m->side * x->random[0];
    for (int piece = 1; piece < PIECE_CODES; piece++) {
        key += m->board[piece] * x->random[piece];
    }
    for (int color = 0; color < 2; color++) {
        for (int i = 0; i < KZ_VARIANT_HAND; i++) {
            key += m->hand[color][i] * x->random[PIECE_CODES + color * KZ_VARIANT_HAND + i];
        }
    }
    return key;
}

int kz_variant_find_set(const kz_variant_index *x, uint64_t key) {
    uint64_t mask = (uint64_t)x->slot_count - 1; /* a power of two */
    for (uint64_t at = key & mask; x->slots[at]; at = (at + 1) & mask) {
        if (x->piece_sets[x->slots[at] - 1].key == key) {
            return x->slots[at] - 1;
        }
    }
    return -1;
}

static int turn_piece(int piece) { return piece ? ((piece - 1) ^ 1) + 1 : 0; }

/* The same with colours exchanged. */
static material turned(const material *m) {
    material t = {.side = 0};
    for (int piece = 1; piece < PIECE_CODES; piece++) {
        t.board[turn_piece(piece)] = m->board[piece];
    }
    memcpy(t.hand[0], m->hand[1], sizeof t.hand[0]);
    memcpy(t.hand[1], m->hand[0], sizeof t.hand[1]);
    return t;
}

static material passed_turn(const kz_variant *v, const material *m) {
    material next = *m;
    if (v->color_blind) {
        return turned(m);
    }
    next.side = !m->side;
    return next;
}

/* Whether the rules end the game by the material alone. */
static bool is_over(const kz_variant *v, const material *m) {
    if (v->royal >= 0 && (!m->board[kz_piece(v->royal, 0)] || !m->board[kz_piece(v->royal, 1)])) {
        return true; /* can't occur */
    }
    if (!v->extinction.on) {
        return false;
    }
    /* A board with this material: squares don't matter to extinction. */
    kz_board b = {.side = m->side, .en_passant = KZ_NO_SQUARE};
    int square = 0;
    for (int piece = 1; piece < PIECE_CODES; piece++) {
        for (int n = 0; n < m->board[piece] && square < v->squares; n++) {
            kz_board_put(&b, square++, piece);
        }
    }
    memcpy(b.hand, m->hand, sizeof b.hand);
    kz_variant bare = *v;
    bare.flag_piece = -1;
    return kz_variant_ended(&bare, &b) != KZ_UNKNOWN;
}

/* ---- Finding all material ---------------------------------------------------------------------------------------- */

/* Lists of what follows from what, while the index is made. */
typedef struct graph {
    kz_variant_index *index;
    int *edges; /* pairs: from, to */
    size_t count;
    size_t room;
    int set_room;
    bool failed;
    bool too_many;
} graph;

static void grow_slots(kz_variant_index *x, graph *g) {
    int count = x->slot_count * 4;
    int *slots = calloc((size_t)count, sizeof *slots);
    if (!slots) {
        g->failed = true;
        return;
    }
    free(x->slots);
    x->slots = slots;
    x->slot_count = count;
    for (int i = 0; i < x->count; i++) {
        uint64_t at = x->piece_sets[i].key & ((uint64_t)count - 1);
        while (slots[at]) {
            at = (at + 1) & ((uint64_t)count - 1);
        }
        slots[at] = i + 1;
    }
}

static int add_material(graph *g, const material *m) {
    kz_variant_index *x = g->index;
    uint64_t key = key_of(x, m);
    int found = kz_variant_find_set(x, key);
    if (found >= 0) {
        return found;
    }
    if (x->count == PIECE_SETS_MOST) {
        g->too_many = true;
        return -1;
    }
    if (x->count == g->set_room) {
        int room = g->set_room * 2 + 64;
        piece_set *piece_sets = realloc(x->piece_sets, (size_t)room * sizeof *piece_sets);
        if (!piece_sets) {
            g->failed = true;
            return -1;
        }
        x->piece_sets = piece_sets;
        g->set_room = room;
    }
    x->piece_sets[x->count] = (piece_set){.what = *m, .key = key};
    x->count++;
    if (x->count * 2 > x->slot_count) {
        grow_slots(x, g);
    } else {
        uint64_t at = key & ((uint64_t)x->slot_count - 1);
        while (x->slots[at]) {
            at = (at + 1) & ((uint64_t)x->slot_count - 1);
        }
        x->slots[at] = x->count;
    }
    return x->count - 1;
}

static void add_edge(graph *g, int from, const material *moved) {
    material next = passed_turn(g->index->variant, moved);
    if (is_over(g->index->variant, &next) || g->failed || g->too_many) {
        return;
    }
    int to = add_material(g, &next);
    if (to < 0) {
        return;
    }
    if (g->count == g->room) {
        size_t room = g->room * 2 + 1024;
        int *edges = realloc(g->edges, room * 2 * sizeof *edges);
        if (!edges) {
            g->failed = true;
            return;
        }
        g->edges = edges;
        g->room = room;
    }
    g->edges[2 * g->count] = from;
    g->edges[2 * g->count + 1] = to;
    g->count++;
}

/* What a piece of the side to move may become: itself, and what it promotes to. */
static void add_changes(graph *g, int from, const material *m, bool captured) {
    const kz_variant *v = g->index->variant;
    int side = v->color_blind ? 0 : m->side;
    add_edge(g, from, m);
    for (int type = 0; type < v->types; type++) {
        int piece = kz_piece(type, side);
        if (!m->board[piece]) {
            continue;
        }
        for (int to = 0; to < v->types; to++) {
            bool pawn = v->promotion_pawns >> type & 1 && v->promotion_pieces >> to & 1;
            bool shogi = v->type[type].promotes_to == to && (captured || !v->promotion_on_capture);
            if (pawn || shogi) {
                material changed = *m;
                changed.board[piece]--;
                changed.board[kz_piece(to, side)]++;
                add_edge(g, from, &changed);
            }
        }
    }
}

/* Whatever a move may do to the material. Geometry is not asked. */
static void expand(graph *g, int from) {
    const kz_variant *v = g->index->variant;
    material m = g->index->piece_sets[from].what;
    int side = v->color_blind ? 0 : m.side;
    add_changes(g, from, &m, false);
    for (int type = 0; type < v->types; type++) {
        int enemy = kz_piece(type, !side);
        if (m.board[enemy] && type != v->royal) {
            material taken = m;
            taken.board[enemy]--;
            if (v->captures_to_hand && v->type[type].hand >= 0) {
                taken.hand[side][v->type[type].hand]++;
            }
            add_changes(g, from, &taken, true);
        }
    }
    for (int i = 0; v->drops && i < v->hand_types; i++) {
        if (m.hand[side][i]) {
            material dropped = m;
            dropped.hand[side][i]--;
            dropped.board[kz_piece(v->hand_type[i], side)]++;
            add_edge(g, from, &dropped);
        }
    }
}

/* ---- Tiers: strongly connected parts ------------------------------------------------------------------------------
 */

/* Tarjan's algorithm without recursion. Parts come out in such an order that edges lead to earlier ones. */
static bool find_tiers(kz_variant_index *x, const graph *g) {
    size_t n = (size_t)x->count;
    int *first = calloc(n + 2, sizeof *first);
    int *to = malloc((g->count + 1) * sizeof *to);
    int *number = calloc(n + 1, sizeof *number);
    int *low = calloc(n + 1, sizeof *low);
    int *stack = malloc((n + 1) * sizeof *stack);
    int *path = malloc((n + 1) * sizeof *path);
    int *at = calloc(n + 1, sizeof *at);
    bool complete = first && to && number && low && stack && path && at;
    if (complete) {
        for (size_t i = 0; i < g->count; i++) {
            first[g->edges[2 * i] + 1]++;
        }
        for (size_t i = 0; i < n; i++) {
            first[i + 1] += first[i];
            at[i] = first[i];
        }
        for (size_t i = 0; i < g->count; i++) {
            to[at[g->edges[2 * i]]++] = g->edges[2 * i + 1];
        }
        for (size_t i = 0; i < n; i++) {
            at[i] = first[i];
            x->piece_sets[i].tier = -1;
        }
        int next = 1;
        int held = 0;
        for (int root = 0; root < x->count; root++) {
            int depth = 0;
            if (number[root]) {
                continue;
            }
            path[depth++] = root;
            number[root] = low[root] = next++;
            stack[held++] = root;
            while (depth) {
                int node = path[depth - 1];
                if (at[node] < first[node + 1]) {
                    int child = to[at[node]++];
                    if (!number[child]) {
                        number[child] = low[child] = next++;
                        stack[held++] = child;
                        path[depth++] = child;
                    } else if (x->piece_sets[child].tier < 0 && number[child] < low[node]) {
                        low[node] = number[child];
                    }
                    continue;
                }
                depth--;
                if (depth && low[node] < low[path[depth - 1]]) {
                    low[path[depth - 1]] = low[node];
                }
                if (low[node] == number[node]) {
                    int member;
                    do {
                        member = stack[--held];
                        x->piece_sets[member].tier = x->tiers;
                    } while (member != node);
                    x->tiers++;
                }
            }
        }
    }
    free(first);
    free(to);
    free(number);
    free(low);
    free(stack);
    free(path);
    free(at);
    return complete;
}

static int by_tier(const void *left, const void *right) {
    const piece_set *a = left;
    const piece_set *b = right;
    if (a->tier != b->tier) {
        return a->tier < b->tier ? -1 : 1;
    }
    return memcmp(&a->what, &b->what, sizeof a->what);
}

/* ---- Segments ---------------------------------------------------------------------------------------------------- */

/* Symmetry i of the board: mirror files (1), ranks (2), and exchange both (4). */
static int take_square(const kz_variant *v, int i, int square) {
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
static bool keeps_rules(const kz_variant_index *x, const piece_set *s, int i) {
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

static void fold_king(const kz_variant_index *x, piece_set *s) {
    const kz_variant *v = x->variant;
    memset(s->king_place, 255, sizeof s->king_place);
    for (int i = 0; i < s->groups && !s->king; i++) {
        if (s->group[i].count == 1 && kz_piece_type_of(s->group[i].piece) == v->royal) {
            s->king = s->group[i].piece;
            group kept = s->group[i];
            memmove(s->group + 1, s->group, (size_t)i * sizeof *s->group);
            s->group[0] = kept;
        }
    }
    for (int i = 0; i < s->groups && !s->king; i++) {
        if (s->group[i].count == 1) {
            s->king = s->group[i].piece;
            group kept = s->group[i];
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
static void make_shortcuts(const kz_variant_index *x, piece_set *s) {
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
static uint64_t ways_of(const kz_variant_index *x, const piece_set *s, int i, int free) {
    if (s->pairs && i < 2) {
        return i == 0 ? (uint64_t)s->pairs->count : 1;
    }
    if (i == 0 && s->king) {
        return (uint64_t)s->king_places;
    }
    return free >= s->group[i].count ? x->choose[free][s->group[i].count] : 0;
}

/* ---- Pairs of kings ---------------------------------------------------------------------------------------------- */

/* Whether the rules tell the value of any position with these kings. */
static bool is_decided(const kz_variant_index *x, int own, int enemy) {
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
        if (own == enemy || is_decided(x, own, enemy)) {
            p->pick[own][enemy] = 0;
        } else if (lowest == both) {
            p->own[p->count] = (uint8_t)own;
            p->enemy[p->count] = (uint8_t)enemy;
            p->number[own][enemy] = (uint8_t)p->count++;
        }
    }
    return p;
}

static bool has_two_kings(const kz_variant_index *x, const material *m) {
    return x->king >= 0 && m->board[kz_piece(x->king, 0)] == 1 && m->board[kz_piece(x->king, 1)] == 1;
}

/* Both kings to the front. */
static void pair_kings(const kz_variant_index *x, piece_set *s) {
    for (int to = 1; to >= 0; to--) {
        int piece = kz_piece(x->king, to);
        int at = 0;
        while (s->group[at].piece != piece) {
            at++;
        }
        group kept = s->group[at];
        memmove(s->group + 1, s->group, (size_t)at * sizeof *s->group);
        s->group[0] = kept;
    }
}

static bool lay_out(kz_variant_index *x, piece_set *s) {
    const kz_variant *v = x->variant;
    unsigned images = 0;
    s->images = 0;
    for (int i = 0; i < IMAGES; i++) {
        if (keeps_rules(x, s, i)) {
            s->image[s->images++] = (uint8_t)i;
            images |= 1U << i;
        }
    }
    for (int piece = 1; piece < PIECE_CODES; piece++) {
        if (s->what.board[piece]) {
            if (s->groups == (int)(sizeof s->group / sizeof s->group[0])) {
                return false;
            }
            s->group[s->groups++] = (group){(uint8_t)piece, s->what.board[piece]};
        }
    }
    s->pairs = x->shares && has_two_kings(x, &s->what) ? find_pairs(x, images) : NULL;
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

static void make_choose(kz_variant_index *x) {
    for (int n = 0; n <= KZ_VARIANT_SQUARES; n++) {
        for (int k = 0; k <= KZ_VARIANT_PIECES; k++) {
            x->choose[n][k] = k == 0 ? 1 : n == 0 ? 0 : x->choose[n - 1][k - 1] + x->choose[n - 1][k];
        }
    }
}

/* How many positions a piece set has, nearly: a double holds more than an index. */
static double positions_of(const kz_variant_index *x, const material *m) {
    double positions = 1;
    int free = x->variant->squares;
    for (int piece = 1; piece < PIECE_CODES; piece++) {
        for (int n = 0; n < m->board[piece]; n++, free--) {
            positions *= (double)free / (n + 1);
        }
    }
    return positions;
}

static double positions_of_all(const kz_variant_index *x) {
    double positions = 0;
    for (int i = 0; i < x->count; i++) {
        positions += positions_of(x, &x->piece_sets[i].what);
    }
    return positions;
}

static material material_of(const kz_variant *v, const kz_board *b) {
    material m = {.side = b->side};
    for (int square = 0; square < v->squares; square++) {
        if (b->at[square]) {
            m.board[b->at[square]]++;
        }
    }
    memcpy(m.hand, b->hand, sizeof m.hand);
    if (v->color_blind && b->side) {
        return turned(&m);
    }
    return m;
}

/* Looks for a position that a pair of kings wins in one ply, with these pieces, if there is room for them. */
static bool find_shared(kz_variant_index *x, const material *m) {
    const kz_variant *v = x->variant;
    int men = 0;
    for (int piece = 1; piece < PIECE_CODES; piece++) {
        men += m->board[piece];
    }
    if (men > v->squares) {
        return false;
    }
    for (int both = 0; both < v->squares * v->squares; both++) {
        int own = both / v->squares;
        int enemy = both % v->squares;
        kz_board b = {.en_passant = KZ_NO_SQUARE};
        if (own == enemy || !(v->reach[x->king][0][own] >> enemy & 1)) {
            continue;
        }
        memcpy(b.hand, m->hand, sizeof b.hand);
        kz_board_put(&b, own, kz_piece(x->king, 0));
        kz_board_put(&b, enemy, kz_piece(x->king, 1));
        int square = 0;
        for (int piece = 1; piece < PIECE_CODES; piece++) {
            for (int n = 0; n < m->board[piece] && kz_piece_type_of(piece) != x->king; n++) {
                while (b.at[square]) {
                    square++;
                }
                kz_board_put(&b, square, piece);
            }
        }
        if (kz_variant_can_occur(v, &b) && kz_variant_ended(v, &b) == KZ_UNKNOWN) {
            x->shared = b;
            return true;
        }
    }
    return false;
}

/* Tables by which the piece set of a number is found. */
static bool make_chunks(kz_variant_index *x) {
    enum { CHUNKS_MOST = 1 << 16 };
    while (x->size >> x->chunk_bits >= CHUNKS_MOST) {
        x->chunk_bits++;
    }
    size_t chunks = (size_t)(x->size >> x->chunk_bits) + 1;
    x->begins = malloc(((size_t)x->count + 1) * sizeof *x->begins);
    x->chunks = malloc(chunks * sizeof *x->chunks);
    if (!x->begins || !x->chunks) {
        return false;
    }
    for (int i = 0; i < x->count; i++) {
        x->begins[i] = x->piece_sets[i].begin;
    }
    x->begins[x->count] = UINT64_MAX;
    uint32_t set = 0;
    for (size_t chunk = 0; chunk < chunks; chunk++) {
        while (x->begins[set + 1] <= (uint64_t)chunk << x->chunk_bits) {
            set++;
        }
        x->chunks[chunk] = set;
    }
    return true;
}

static kz_status set_tiers(kz_variant_index *x, kz_error *error) {
    if (x->tiers > KZ_MAX_TIERS) {
        return kz_fail(error, KZ_ERR_UNSUPPORTED, "%s is too large to be solved: %d tiers, and %d are possible",
                       x->variant->name, x->tiers, KZ_MAX_TIERS);
    }
    qsort(x->piece_sets, (size_t)x->count, sizeof *x->piece_sets, by_tier);
    memset(x->slots, 0, (size_t)x->slot_count * sizeof *x->slots);
    x->tier_begin = calloc((size_t)x->tiers + 1, sizeof *x->tier_begin);
    x->tier_set = calloc((size_t)x->tiers + 1, sizeof *x->tier_set);
    if (!x->tier_begin || !x->tier_set) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for the index");
    }
    int tier = -1;
    x->king = kz_variant_small_king(x->variant);
    for (int i = 0; i < x->count && !x->shares; i++) {
        x->shares = has_two_kings(x, &x->piece_sets[i].what) && find_shared(x, &x->piece_sets[i].what);
    }
    x->size = x->shares;
    for (int i = 0; i < x->count; i++) {
        piece_set *s = &x->piece_sets[i];
        uint64_t at = s->key & ((uint64_t)x->slot_count - 1);
        while (x->slots[at]) {
            at = (at + 1) & ((uint64_t)x->slot_count - 1);
        }
        x->slots[at] = i + 1;
        if (!lay_out(x, s) || x->size > UINT64_C(1) << 60) {
            return kz_fail(error, KZ_ERR_UNSUPPORTED, "%s is too large to be solved: more than 2^60 positions",
                           x->variant->name);
        }
        for (; tier < s->tier; tier++) {
            x->tier_begin[tier + 1] = x->size;
            x->tier_set[tier + 1] = i;
        }
        s->begin = x->size;
        x->size += s->size;
    }
    x->tier_begin[0] = 0;
    x->tier_begin[x->tiers] = x->size;
    if (!make_chunks(x)) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for the index");
    }
    for (int i = 0; i < x->count; i++) {
        material quiet = passed_turn(x->variant, &x->piece_sets[i].what);
        x->piece_sets[i].quiet = kz_variant_find_set(x, key_of(x, &quiet));
    }
    return KZ_OK;
}

kz_status kz_variant_index_new(const kz_variant *variant, const kz_board *roots, size_t count, kz_variant_index **made,
                               kz_error *error) {
    kz_variant_index *x = calloc(1, sizeof *x);
    graph g = {.index = x};
    *made = NULL;
    if (!x) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for the index");
    }
    x->variant = variant;
    x->slot_count = 256;
    x->slots = calloc((size_t)x->slot_count, sizeof *x->slots);
    g.failed = !x->slots;
    uint64_t state = 1;
    for (size_t i = 0; i < sizeof x->random / sizeof x->random[0]; i++) {
        x->random[i] = kz_splitmix64(&state);
    }
    for (int i = 0; i < IMAGES; i++) {
        for (int square = 0; square < variant->squares && (!(i & 4) || variant->files == variant->ranks); square++) {
            x->square[i][square] = (uint8_t)take_square(variant, i, square);
        }
    }
    make_choose(x);
    for (size_t i = 0; i < count && !g.failed; i++) {
        material m = material_of(variant, &roots[i]);
        material other = passed_turn(variant, &m);
        if (!is_over(variant, &m)) { /* otherwise nobody asks for its number */
            add_material(&g, &m);
        }
        if (!is_over(variant, &other)) {
            add_material(&g, &other);
        }
    }
    for (int i = 0; i < x->count && !g.failed && !g.too_many; i++) {
        expand(&g, i);
    }
    kz_status status = KZ_OK;
    if (g.too_many) {
        status = kz_fail(error, KZ_ERR_UNSUPPORTED,
                         "%s is too large to be solved as a whole: it has more than %.1e positions; name an ending "
                         "(%s:KQvK, or solve %s --ending KQvK) or all endings with few men (%s:men3, --men 3)",
                         variant->name, positions_of_all(x), variant->name, variant->name, variant->name);
    } else if (g.failed || !find_tiers(x, &g)) {
        status = kz_fail(error, KZ_ERR_MEMORY, "no memory for the index");
    }
    free(g.edges);
    if (status == KZ_OK && x->count == 0) {
        status = kz_fail(error, KZ_ERR_INPUT, "%s: the game is over with these pieces, whoever moves", variant->name);
    }
    if (status == KZ_OK) {
        status = set_tiers(x, error);
    }
    if (status != KZ_OK) {
        kz_variant_index_free(x);
        return status;
    }
    *made = x;
    return KZ_OK;
}

void kz_variant_index_free(kz_variant_index *x) {
    if (x) {
        free(x->piece_sets);
        free(x->slots);
        free(x->tier_begin);
        free(x->tier_set);
        free(x->begins);
        free(x->chunks);
        for (size_t i = 0; i < sizeof x->pairs / sizeof x->pairs[0]; i++) {
            free(x->pairs[i]);
        }
        free(x);
    }
}

uint64_t kz_variant_index_size(const kz_variant_index *x) { return x->size; }
int kz_variant_tiers(const kz_variant_index *x) { return x->tiers; }
uint64_t kz_variant_tier_begin(const kz_variant_index *x, int tier) { return x->tier_begin[tier]; }

void kz_variant_tier_name(const kz_variant_index *x, int tier, char *text) {
    enum { ROOM = 64 };
    const kz_variant *v = x->variant;
    const material *m = &x->piece_sets[x->tier_set[tier]].what;
    size_t used = 0;
    for (int color = 0; color < 2; color++) {
        for (int type = 0; type < v->types; type++) {
            for (int n = 0; n < m->board[kz_piece(type, color)] && used + 4 < ROOM; n++) {
                if (v->type[type].promoted) {
                    text[used++] = '+';
                }
                text[used++] = (char)(v->type[type].letter - 'a' + 'A');
            }
        }
        if (color == 0 && used + 4 < ROOM) {
            text[used++] = 'v';
        }
    }
    text[used] = '\0';
}

/* ---- Rank and unrank --------------------------------------------------------------------------------------------- */

/* Upside down with colours exchanged, so that white is to move. */
static void turn_board(const kz_variant *v, kz_board *b) {
    kz_board t = {.side = !b->side, .en_passant = KZ_NO_SQUARE};
    for (uint64_t left = b->occupied; left;) {
        int square = kz_next_square(&left);
        kz_board_put(&t, take_square(v, 2, square), turn_piece(b->at[square]));
    }
    memcpy(t.hand[0], b->hand[1], sizeof t.hand[0]);
    memcpy(t.hand[1], b->hand[0], sizeof t.hand[1]);
    if (b->en_passant != KZ_NO_SQUARE) {
        t.en_passant = (uint8_t)take_square(v, 2, b->en_passant);
    }
    *b = t;
}

/* The number of one image of a board within its piece set. */
static uint64_t rank_image(const kz_variant_index *x, const piece_set *s, const uint8_t squares[], const uint8_t *first,
                           int passed, int image) {
    uint64_t used = 0;
    uint64_t number = 0;
    const uint8_t *map = x->square[image];
    if (s->passing) {
        number = passed == KZ_NO_SQUARE ? 0 : 1 + (uint64_t)(map[passed] % x->variant->files);
    }
    int free = x->variant->squares;
    for (int i = 0; i < s->groups; i++) {
        int count = s->group[i].count;
        uint8_t sorted[KZ_VARIANT_PIECES] = {0};
        for (int n = 0; n < count; n++) {
            uint8_t square = map[squares[first[s->group[i].piece] + n]];
            int at = n;
            for (; at > 0 && sorted[at - 1] > square; at--) {
                sorted[at] = sorted[at - 1];
            }
            sorted[at] = square;
        }
        if (s->pairs && i < 2) { /* both kings are one number, which `rank_in` has asked for */
            number = i == 0 ? s->pairs->number[sorted[0]][map[squares[first[s->group[1].piece]]]] : number;
        } else if (i == 0 && s->king) {
            number = number * (uint64_t)s->king_places + s->king_place[sorted[0]];
        } else {
            uint64_t way = 0;
            for (int n = 0; n < count; n++) {
                int below = __builtin_popcountll(used & ((UINT64_C(1) << sorted[n]) - 1));
                way += x->choose[sorted[n] - below][n + 1];
            }
            number = number * x->choose[free][count] + way;
        }
        for (int n = 0; n < count; n++) {
            used |= UINT64_C(1) << sorted[n];
        }
        free -= count;
    }
    return number;
}

/* The lowest number among the images; `lowest_image` of those that are tried. */
static uint64_t rank_in(const kz_variant_index *x, const piece_set *s, const kz_board *b) {
    uint8_t squares[KZ_VARIANT_SQUARES];
    uint8_t first[PIECE_CODES];
    uint8_t filled[PIECE_CODES];
    int next = 0;
    for (int i = 0; i < s->groups; i++) {
        first[s->group[i].piece] = filled[s->group[i].piece] = (uint8_t)next;
        next += s->group[i].count;
    }
    for (uint64_t left = b->occupied; left;) {
        int square = kz_next_square(&left);
        squares[filled[b->at[square]]++] = (uint8_t)square;
    }
    uint64_t lowest = UINT64_MAX;
    for (int i = 0; i < s->images; i++) {
        int image = s->image[i];
        if (s->pairs && !(s->pairs->pick[squares[0]][squares[1]] >> image & 1)) {
            continue;
        }
        if (s->king && s->king_place[x->square[image][squares[first[s->king]]]] == 255) {
            continue;
        }
        uint64_t number = rank_image(x, s, squares, first, b->en_passant, image);
        lowest = number < lowest ? number : lowest;
    }
    return lowest;
}

static bool is_decided_by_kings(const kz_variant_index *x, const kz_board *b) {
    int square[2] = {0, 0};
    for (uint64_t left = b->occupied; left;) {
        int at = kz_next_square(&left);
        if (kz_piece_type_of(b->at[at]) == x->king) {
            square[kz_piece_color(b->at[at])] = at;
        }
    }
    return is_decided(x, square[0], square[1]);
}

uint64_t kz_variant_rank(const kz_variant_index *x, const kz_board *board) {
    kz_board b = *board;
    if (x->variant->color_blind && b.side) {
        turn_board(x->variant, &b);
    }
    int found = kz_variant_find_set(x, key_of_board(x, &b));
    if (found >= 0 && x->piece_sets[found].pairs && is_decided_by_kings(x, &b)) {
        return kz_variant_ended(x->variant, &b) == KZ_UNKNOWN ? 0 : KZ_NO_NUMBER;
    }
    return found < 0 ? KZ_NO_NUMBER : x->piece_sets[found].begin + rank_in(x, &x->piece_sets[found], &b);
}

int kz_variant_set_of(const kz_variant_index *x, uint64_t number) {
    if (number >= x->size) {
        return x->count - 1;
    }
    uint32_t set = x->chunks[number >> x->chunk_bits];
    while (x->begins[set + 1] <= number) {
        set++;
    }
    return (int)set;
}

/* Puts the pieces of a group on the squares that a number stands for. */
static void place_group(const kz_variant_index *x, int free, group g, uint64_t way, uint64_t *used, kz_board *b) {
    uint64_t chosen = 0; /* among the free squares */
    for (int n = g.count, limit = free; n > 0; n--) {
        int at = limit - 1;
        while (x->choose[at][n] > way) {
            at--;
        }
        way -= x->choose[at][n];
        chosen |= UINT64_C(1) << at;
        limit = at;
    }
    uint64_t before = *used;
    int place = 0;
    for (int square = 0; square < x->variant->squares; square++) {
        if (before >> square & 1) {
            continue;
        }
        if (chosen >> place & 1) {
            kz_board_put(b, square, g.piece);
            *used |= UINT64_C(1) << square;
        }
        place++;
    }
}

/* Whether a pawn may just have passed that square. */
static bool may_have_passed(const kz_variant *v, const kz_board *b) {
    int side = b->side;
    int square = b->en_passant;
    int pawn = square + (side == KZ_WHITE ? -v->files : v->files);
    int start = square + (side == KZ_WHITE ? v->files : -v->files);
    if (b->at[square] || pawn < 0 || pawn >= v->squares || start < 0 || start >= v->squares || b->at[start] ||
        b->at[pawn] != kz_piece(v->pawn, !side) || !(v->double_step_region[!side] >> start & 1)) {
        return false;
    }
    for (int apart = -1; apart <= 1; apart += 2) {
        int file = square % v->files + apart;
        int from = pawn / v->files * v->files + file;
        if (file >= 0 && file < v->files && b->at[from] && kz_piece_color(b->at[from]) == side &&
            v->en_passant_types >> kz_piece_type_of(b->at[from]) & 1) {
            return true;
        }
    }
    return false;
}

/* Pieces never stand where play can't bring them: pawns on the last ranks, kings in check out of turn. */
bool kz_variant_can_occur(const kz_variant *v, const kz_board *b) {
    for (uint64_t left = b->occupied; left;) {
        int square = kz_next_square(&left);
        int piece = b->at[square];
        int type = kz_piece_type_of(piece);
        int color = kz_piece_color(piece);
        bool stuck = !(v->mobile[type][color] >> square & 1) && v->type[type].rays;
        bool promoted = v->promotion_pawns >> type & 1 && v->mandatory_pawn_promotion && v->promotion_pieces &&
                        v->promotion_region[color] >> square & 1 && !v->drops;
        int rank = color ? v->ranks - 1 - square / v->files : square / v->files;
        if ((v->immobile_illegal && stuck) || promoted || (type == v->pawn && rank == 0 && !v->drops)) {
            return false;
        }
    }
    if (b->en_passant != KZ_NO_SQUARE && !may_have_passed(v, b)) {
        return false;
    }
    return !kz_variant_in_check(v, b, !b->side) && (v->checking || !kz_variant_in_check(v, b, b->side));
}

bool kz_variant_unrank(const kz_variant_index *x, uint64_t number, kz_board *b) {
    const kz_variant *v = x->variant;
    const piece_set *s = &x->piece_sets[kz_variant_set_of(x, number)];
    if (x->shares && number == 0) {
        *b = x->shared;
        return true;
    }
    uint64_t rest = number - s->begin;
    uint64_t way[KZ_PIECE_GROUPS];
    int free[KZ_PIECE_GROUPS];
    int left = v->squares;
    for (int i = 0; i < s->groups; i++) {
        free[i] = left;
        left -= s->group[i].count;
    }
    for (int i = s->groups - 1; i >= 0; i--) {
        uint64_t ways = s->ways[i];
        way[i] = rest % ways;
        rest /= ways;
    }
    *b = (kz_board){.side = s->what.side, .en_passant = KZ_NO_SQUARE};
    memcpy(b->hand, s->what.hand, sizeof b->hand);
    uint64_t used = 0;
    for (int i = 0; i < s->groups; i++) {
        if (s->pairs && i < 2) {
            int square = i == 0 ? s->pairs->own[way[0]] : s->pairs->enemy[way[0]];
            kz_board_put(b, square, s->group[i].piece);
            used |= UINT64_C(1) << square;
        } else if (i == 0 && s->king) {
            kz_board_put(b, s->king_square[way[0]], s->group[0].piece);
            used |= UINT64_C(1) << s->king_square[way[0]];
        } else {
            place_group(x, free[i], s->group[i], way[i], &used, b);
        }
    }
    if (rest) { /* a pawn has passed: black's, since white is to move, or white's if the index keeps sides apart */
        int rank = b->side == KZ_WHITE ? v->ranks - 3 : 2;
        b->en_passant = (uint8_t)(rank * v->files + (int)rest - 1);
    }
    if (!kz_variant_can_occur(v, b)) {
        return false;
    }
    return s->images == 1 || rank_in(x, s, b) == number - s->begin;
}
