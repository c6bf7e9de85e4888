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
#include "games/texts/index_parts.h"

#include "base/error.h"
#include "base/random.h"
#include "games/texts/numbers_parts.h"

#include <stdlib.h>
#include <string.h>

static int by_tier(const void *left, const void *right) {
    const kz_piece_set *a = left;
    const kz_piece_set *b = right;
    if (a->tier != b->tier) {
        return a->tier < b->tier ? -1 : 1;
    }
    return memcmp(&a->what, &b->what, sizeof a->what);
}

static void make_choose(kz_variant_index *x) {
    for (int n = 0; n <= KZ_VARIANT_SQUARES; n++) {
        for (int k = 0; k <= KZ_VARIANT_PIECES; k++) {
            x->choose[n][k] = k == 0 ? 1 : n == 0 ? 0 : x->choose[n - 1][k - 1] + x->choose[n - 1][k];
        }
    }
}

/* How many positions a piece set has, nearly: a double holds more than an index. */
static double positions_of(const kz_variant_index *x, const kz_material *m) {
    double positions = 1;
    int free = x->variant->squares;
    for (int piece = 1; piece < KZ_PIECE_CODES; piece++) {
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

static kz_material material_of(const kz_variant *v, const kz_board *b) {
    kz_material m = {.side = b->side};
    for (int square = 0; square < v->squares; square++) {
        if (b->at[square]) {
            m.board[b->at[square]]++;
        }
    }
    memcpy(m.hand, b->hand, sizeof m.hand);
    if (v->color_blind && b->side) {
        return kz_material_turned(&m);
    }
    return m;
}

/* Looks for a position that a pair of kings wins in one ply, with these pieces, if there is room for them. */
static bool find_shared(kz_variant_index *x, const kz_material *m) {
    const kz_variant *v = x->variant;
    int men = 0;
    for (int piece = 1; piece < KZ_PIECE_CODES; piece++) {
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
        for (int piece = 1; piece < KZ_PIECE_CODES; piece++) {
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
        /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): the last one is never passed */
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
    bool paired = x->tiers == 1; /* number 0 is in one tier, and stands for positions of all of them */
    for (int i = 0; i < x->count; i++) {
        paired = paired && kz_index_has_two_kings(x->variant, x->king, &x->piece_sets[i].what);
    }
    x->king = paired ? x->king : -1;
    for (int i = 0; i < x->count && !x->shares; i++) {
        x->shares = kz_index_has_two_kings(x->variant, x->king, &x->piece_sets[i].what) &&
                    find_shared(x, &x->piece_sets[i].what);
    }
    x->size = x->shares;
    for (int i = 0; i < x->count; i++) {
        kz_piece_set *s = &x->piece_sets[i];
        uint64_t at = s->key & ((uint64_t)x->slot_count - 1);
        while (x->slots[at]) {
            at = (at + 1) & ((uint64_t)x->slot_count - 1);
        }
        x->slots[at] = i + 1;
        if (!kz_index_lay_out(x, s) || x->size > UINT64_C(1) << 60) {
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
        kz_material quiet = kz_material_passed_turn(x->variant, &x->piece_sets[i].what);
        x->piece_sets[i].quiet = kz_variant_find_set(x, kz_index_key(x, &quiet));
    }
    return KZ_OK;
}

kz_status kz_variant_index_new(const kz_variant *variant, const kz_board *roots, size_t count, kz_variant_index **made,
                               kz_error *error) {
    kz_variant_index *x = calloc(1, sizeof *x);
    kz_material_graph g = {.index = x};
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
    for (int i = 0; i < KZ_IMAGES; i++) {
        for (int square = 0; square < variant->squares && (!(i & 4) || variant->files == variant->ranks); square++) {
            x->square[i][square] = (uint8_t)kz_index_take_square(variant, i, square);
        }
    }
    make_choose(x);
    for (size_t i = 0; i < count && !g.failed; i++) {
        kz_material m = material_of(variant, &roots[i]);
        kz_material other = kz_material_passed_turn(variant, &m);
        if (!kz_material_is_over(variant, &m)) { /* otherwise nobody asks for its number */
            kz_graph_add(&g, &m);
        }
        if (!kz_material_is_over(variant, &other)) {
            kz_graph_add(&g, &other);
        }
    }
    for (int i = 0; i < x->count && !g.failed && !g.too_many; i++) {
        kz_graph_expand(&g, i);
    }
    kz_status status = KZ_OK;
    if (g.too_many) {
        status = kz_fail(error, KZ_ERR_UNSUPPORTED,
                         "%s is too large to be solved as a whole: it has more than %.1e positions", variant->name,
                         positions_of_all(x));
    } else if (g.failed || !kz_graph_find_tiers(x, &g)) {
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
    const kz_material *m = &x->piece_sets[x->tier_set[tier]].what;
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
