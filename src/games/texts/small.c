/* SPDX-License-Identifier: MIT */
#include "games/texts/numbers_parts.h"

#include "games/texts/light.h"
#include "games/texts/number_list.h"

#include <stdlib.h>
#include <string.h>

enum { SQUARES = KZ_VARIANT_SMALL, CODES = KZ_PIECE_CODES, SETS = 1 << KZ_VARIANT_SMALL, OWN = 0, ENEMY = 1 };

typedef uint16_t squares; /* a set of them */

struct kz_variant_small {
    const kz_variant *variant;
    const kz_variant_index *index;
    int king;
    squares board;
    squares flag[2];              /* where a king wins; none if there is no such rule */
    squares step[CODES][SQUARES]; /* by piece: where it goes without a capture */
    squares capture[CODES][SQUARES];
    squares back_step[CODES][SQUARES]; /* where it came from */
    squares back_capture[CODES][SQUARES];
    squares allowed[CODES];              /* where it may stand */
    uint8_t turned[KZ_IMAGES][SQUARES];  /* where a symmetry takes a square of the board upside down */
    bool fixed[SQUARES];                 /* a symmetry leaves a king on this square */
    int codes;                           /* of pieces that there are */
    uint8_t pair_end[SQUARES * SQUARES]; /* the higher place of two, by the number of the pair */
    uint8_t size_of[SETS];               /* how many squares a set has */
    uint8_t free_square[];               /* [set * SQUARES + n]: the n-th square that is not in a set */
};

/* A position as the side to move sees it, who is white in the index. */
typedef struct place {
    squares of[CODES]; /* by piece */
    squares side[2];
    uint8_t at[SQUARES];
    uint8_t king[2];
    uint8_t hand[2][KZ_VARIANT_HAND];
} place;

static int turn_piece(int piece) { return ((piece - 1) ^ 1) + 1; }
static squares bit(int square) { return (squares)(1U << square); }
static bool has(uint64_t region, int square) { return region >> square & 1; }

static int next(squares *left) {
    int square = __builtin_ctz(*left);
    *left &= (squares)(*left - 1);
    return square;
}

/* ---- Tables ------------------------------------------------------------------------------------------------------ */

static int step(const kz_variant *v, int square, int files, int ranks) {
    int file = square % v->files + files;
    int rank = square / v->files + ranks;
    return file >= 0 && file < v->files && rank >= 0 && rank < v->ranks ? rank * v->files + file : -1;
}

static void add_piece(kz_variant_small *m, int type, int color) {
    const kz_variant *v = m->variant;
    int piece = kz_piece(type, color);
    for (int from = 0; from < v->squares; from++) {
        for (int i = 0; i < v->type[type].rays; i++) {
            const kz_ray *ray = &v->type[type].ray[i];
            int to = step(v, from, ray->file, color ? -ray->rank : ray->rank);
            if (to >= 0 && ray->moves) {
                m->step[piece][from] |= bit(to);
                m->back_step[piece][to] |= bit(from);
            }
            if (to >= 0 && ray->captures) {
                m->capture[piece][from] |= bit(to);
                m->back_capture[piece][to] |= bit(from);
            }
        }
        kz_board alone = {.side = KZ_WHITE, .en_passant = KZ_NO_SQUARE};
        kz_board_put(&alone, from, piece);
        m->allowed[piece] |= kz_variant_can_occur(v, &alone) ? bit(from) : 0;
    }
}

kz_variant_small *kz_variant_small_new(const kz_variant *v, const kz_variant_index *x) {
    kz_variant_small *m = calloc(1, sizeof *m + ((size_t)SQUARES << v->squares));
    if (!m) {
        return NULL;
    }
    m->variant = v;
    m->index = x;
    m->king = x->king;
    m->board = (squares)((1U << v->squares) - 1);
    for (int color = 0; color < 2; color++) {
        m->flag[color] = v->flag_piece >= 0 ? (squares)(v->flag_region[color] & m->board) : 0;
        for (int type = 0; type < v->types; type++) {
            if (v->type[type].letter) {
                add_piece(m, type, color);
            }
        }
    }
    for (int image = 0; image < KZ_IMAGES; image++) {
        for (int square = 0; square < v->squares && (!(image & 4) || v->files == v->ranks); square++) {
            m->turned[image][square] = x->square[image][x->square[2][square]];
            m->fixed[square] = m->fixed[square] || (image > 0 && x->square[image][square] == square);
        }
    }
    m->codes = kz_piece(v->types, 0);
    for (int high = 1, pair = 0; high < v->squares; high++) {
        for (int low = 0; low < high; low++) {
            m->pair_end[pair++] = (uint8_t)high;
        }
    }
    for (int set = 0; set < SETS; set++) {
        m->size_of[set] = (uint8_t)__builtin_popcount((unsigned)set);
    }
    for (int set = 0; set <= m->board; set++) {
        int count = 0;
        for (int square = 0; square < v->squares; square++) {
            if (!has((uint64_t)set, square)) {
                m->free_square[set * SQUARES + count++] = (uint8_t)square;
            }
        }
    }
    return m;
}

void kz_variant_small_free(kz_variant_small *m) { free(m); }

/* ---- Rank and unrank --------------------------------------------------------------------------------------------- */

/* The place of a square among those that are not used. */
static inline unsigned place_of(const kz_variant_small *m, int square, squares used) {
    return (unsigned)square - m->size_of[used & (bit(square) - 1)];
}

/* The number of one image within its piece set; `map` takes the squares there, `turn` is 1 if colours are exchanged. */
static inline uint64_t rank_image(const kz_variant_small *m, const kz_piece_set *s, const place *p, const uint8_t *map,
                                  int turn) {
    int own = map[p->king[turn]];
    int enemy = map[p->king[!turn]];
    uint64_t number = s->pairs->number[own][enemy];
    squares used = bit(own) | bit(enemy);
    for (int i = 2; i < s->groups; i++) {
        int piece = s->group[i].piece;
        squares left = p->of[turn ? turn_piece(piece) : piece];
        if (s->group[i].count == 1) {
            int square = map[__builtin_ctz(left)];
            number = number * s->ways[i] + place_of(m, square, used);
            used |= bit(square);
            continue;
        }
        squares there = 0;
        while (left) {
            there |= bit(map[next(&left)]);
        }
        uint64_t way = 0;
        left = there;
        for (int n = 1; left; n++) {
            way += m->index->choose[place_of(m, next(&left), used)][n];
        }
        number = number * s->ways[i] + way;
        used |= there;
    }
    return number;
}

/* The number of the position with the other side to move. KZ_NO_NUMBER: the kings decide it. */
static uint64_t rank_turned(const kz_variant_small *m, const kz_piece_set *s, const place *p) {
    const uint8_t *turned = m->turned[0];
    uint64_t lowest = KZ_NO_NUMBER;
    for (unsigned left = s->pairs->pick[turned[p->king[ENEMY]]][turned[p->king[OWN]]]; left; left &= left - 1) {
        uint64_t number = rank_image(m, s, p, m->turned[__builtin_ctz(left)], 1) + s->begin;
        lowest = number < lowest ? number : lowest;
    }
    return lowest;
}

static inline void put(place *p, int square, int piece) {
    p->at[square] = (uint8_t)piece;
    p->of[piece] |= bit(square);
    p->side[kz_piece_color(piece)] |= bit(square);
}

static inline void take(place *p, int square) {
    int piece = p->at[square];
    p->at[square] = 0;
    p->of[piece] &= (squares)~bit(square);
    p->side[kz_piece_color(piece)] &= (squares)~bit(square);
}

/* The pieces of a position, in the order of the groups. */
typedef struct men {
    int count;
    uint8_t piece[SQUARES];
    uint8_t square[SQUARES];
} men;

/* The free square that has so many free ones below. */
static inline unsigned free_square(const kz_variant_small *m, unsigned wanted, squares used) {
    return m->free_square[(unsigned)used * SQUARES + wanted];
}

/* Takes a number apart; false: a hole, unless images have to be looked at. */
static inline bool list_men(const kz_variant_small *m, const kz_piece_set *s, uint64_t index, men *list) {
    const kz_variant_index *x = m->index;
    uint64_t ways[KZ_PIECE_GROUPS]; /* from the third group on */
    uint64_t rest = index - s->begin;
    for (int i = s->groups - 1; i > 1; i--) {
        ways[i] = kz_variant_split(s, i, &rest);
    }
    list->square[0] = s->pairs->own[rest];
    list->square[1] = s->pairs->enemy[rest];
    list->piece[0] = s->group[0].piece;
    list->piece[1] = s->group[1].piece;
    squares used = bit(list->square[0]) | bit(list->square[1]);
    int free = m->variant->squares - 2;
    int count = 2;
    for (int i = 2; i < s->groups; i++) {
        kz_piece_group g = s->group[i];
        uint64_t way = ways[i];
        squares there = 0;
        for (int n = g.count, limit = free; n > 0; n--, count++) {
            unsigned wanted = n == 1 ? (unsigned)way : n == 2 ? m->pair_end[way] : (unsigned)limit - 1;
            while (n > 2 && x->choose[wanted][n] > way) {
                wanted--;
            }
            way -= n > 1 ? x->choose[wanted][n] : 0;
            limit = (int)wanted;
            unsigned square = free_square(m, wanted, used);
            there |= bit((int)square);
            list->piece[count] = g.piece;
            list->square[count] = (uint8_t)square;
        }
        if (there & ~m->allowed[g.piece]) {
            return false;
        }
        used |= there;
        free -= g.count;
    }
    list->count = count;
    return true;
}

static void set_up(const kz_variant_small *m, const kz_piece_set *s, const men *list, place *p) {
    memset(p->of, 0, (size_t)m->codes * sizeof p->of[0]);
    memset(p->at, 0, sizeof p->at);
    memcpy(p->hand, s->what.hand, sizeof p->hand);
    p->side[0] = p->side[1] = 0;
    p->king[OWN] = list->square[0];
    p->king[ENEMY] = list->square[1];
    for (int i = 0; i < list->count; i++) {
        put(p, list->square[i], list->piece[i]);
    }
}

/* Whether an image of the position has a lower number. */
static bool is_higher_image(const kz_variant_small *m, const kz_piece_set *s, uint64_t index, const men *list) {
    unsigned left = s->pairs->pick[list->square[0]][list->square[1]] & ~1U;
    place p;
    if (left) {
        set_up(m, s, list, &p);
    }
    for (; left; left &= left - 1) {
        if (rank_image(m, s, &p, m->index->square[__builtin_ctz(left)], 0) < index - s->begin) {
            return true;
        }
    }
    return false;
}

/* Takes a number apart; false: a hole, or a position that another one stands for. */
static inline bool is_position(const kz_variant_small *m, const kz_piece_set *s, uint64_t index, men *list) {
    return list_men(m, s, index, list) && !is_higher_image(m, s, index, list);
}

/* The piece set of a position, by the sum of its pieces. */
static const kz_piece_set *find_set(const kz_variant_small *m, const kz_piece_set *quiet, uint64_t key) {
    if (key == quiet->key) {
        return quiet;
    }
    int found = kz_variant_find_set(m->index, key);
    return found >= 0 ? &m->index->piece_sets[found] : NULL;
}

/* What a piece, and one in a hand, add to the key of a position that is turned. */
static inline uint64_t piece_key(const kz_variant_small *m, int piece) { return m->index->random[turn_piece(piece)]; }
static inline uint64_t hand_key(const kz_variant_small *m, int color, int slot) {
    return m->index->random[KZ_PIECE_CODES + !color * KZ_VARIANT_HAND + slot];
}

/* ---- Forwards ---------------------------------------------------------------------------------------------------- */

/* What the pieces of a side attack, without those on some squares. */
static inline squares attacks(const kz_variant_small *m, const place *p, int color, squares without) {
    squares attacked = 0;
    for (squares left = p->side[color] & (squares)~without; left;) {
        int square = next(&left);
        attacked |= m->capture[p->at[square]][square];
    }
    return attacked;
}

/* A position whose moves are listed. */
typedef struct future {
    const kz_variant_small *small;
    place at;
    const kz_piece_set *quiet;
    squares attacks[2];
    squares goals; /* the squares on which the enemy king might win with its next step */
    kz_number_list list;
    bool won;
    bool refuted;
} future;

static bool is_safe_flag(const kz_variant_small *m, int color, int king, squares attacked) {
    return m->flag[color] & bit(king) && !(m->variant->flag_safe && attacked & bit(king));
}

/* After a move: what it leads to. `own` and `enemy` are what the sides attack now. */
static inline void judge(future *f, uint64_t key, squares own, squares enemy) {
    const kz_variant_small *m = f->small;
    const place *p = &f->at;
    if (is_safe_flag(m, OWN, p->king[OWN], enemy)) {
        f->won = true;
        return;
    }
    squares goals = f->goals;
    if (goals) {
        int king = p->king[ENEMY];
        int piece = kz_piece(m->king, ENEMY);
        squares free = (squares) ~(p->side[0] | p->side[1]);
        goals &= (m->step[piece][king] & free) | (m->capture[piece][king] & p->side[OWN]);
        goals &= m->variant->flag_safe ? (squares)~own : m->board;
    }
    if (goals || enemy & bit(p->king[OWN])) {
        f->refuted = true;
        return;
    }
    const kz_piece_set *set = find_set(m, f->quiet, key);
    kz_number_list_add(&f->list, set ? rank_turned(m, set, p) : KZ_NO_NUMBER);
}

/* Whether a step makes `is` of `was`. */
static bool may_become(const kz_variant *v, int color, int was, int is, int from, int to, bool captures) {
    int promoted = v->type[was].promotes_to;
    bool zone = promoted >= 0 && (has(v->promotion_region[color], from) || has(v->promotion_region[color], to)) &&
                (!v->promotion_on_capture || captures);
    if (is != was) {
        return is == promoted && zone;
    }
    return (!zone || !v->mandatory_piece_promotion) && (!v->immobile_illegal || has(v->mobile[was][color], to));
}

/* The steps of one piece. */
static void add_steps(future *f, int from) {
    const kz_variant_small *m = f->small;
    const kz_variant *v = m->variant;
    place *p = &f->at;
    int piece = p->at[from];
    int type = kz_piece_type_of(piece);
    bool is_king = type == m->king;
    bool plain = v->type[type].promotes_to < 0 && !v->immobile_illegal;
    squares free = (squares)(m->board & ~(p->side[0] | p->side[1]));
    squares targets = (m->step[piece][from] & free) | (m->capture[piece][from] & p->side[ENEMY]);
    squares rest = attacks(m, p, OWN, bit(from));
    take(p, from);
    while (targets && !f->won) {
        int to = next(&targets);
        int captured = p->at[to];
        squares enemy = f->attacks[ENEMY];
        uint64_t key = f->quiet->key;
        int slot = captured && v->captures_to_hand ? v->type[kz_piece_type_of(captured)].hand : -1;
        if (captured) {
            take(p, to);
            enemy = attacks(m, p, ENEMY, 0);
            key -= piece_key(m, captured);
            key += slot >= 0 ? hand_key(m, OWN, slot) : 0;
        }
        for (int way = 0; way < 2; way++) {
            int becomes = way ? v->type[type].promotes_to : type;
            if (becomes < 0 || !(plain || may_become(v, OWN, type, becomes, from, to, captured != 0))) {
                continue;
            }
            int made = kz_piece(becomes, OWN);
            put(p, to, made);
            p->king[OWN] = is_king ? (uint8_t)to : p->king[OWN];
            judge(f, key + piece_key(m, made) - piece_key(m, piece), rest | m->capture[made][to], enemy);
            take(p, to);
        }
        if (captured) {
            put(p, to, captured);
        }
    }
    p->king[OWN] = is_king ? (uint8_t)from : p->king[OWN];
    put(p, from, piece);
}

/* Returns whether anything can be dropped. */
static bool add_drops(future *f) {
    const kz_variant_small *m = f->small;
    const kz_variant *v = m->variant;
    place *p = &f->at;
    bool any = false;
    bool check = f->attacks[ENEMY] & bit(p->king[OWN]); /* and no drop does anything about it */
    for (int slot = 0; slot < v->hand_types; slot++) {
        int type = v->hand_type[slot];
        int piece = kz_piece(type, OWN);
        if (!p->hand[OWN][slot]) {
            continue;
        }
        for (squares left = (squares)(m->board & ~(p->side[0] | p->side[1])); left;) {
            int to = next(&left);
            if (!kz_variant_may_drop(v, p->at, OWN, type, to)) {
                continue;
            }
            any = true;
            if (check) {
                f->refuted = true;
                return true;
            }
            put(p, to, piece);
            judge(f, f->quiet->key + piece_key(m, piece) - hand_key(m, OWN, slot),
                  f->attacks[OWN] | m->capture[piece][to], f->attacks[ENEMY]);
            take(p, to);
        }
    }
    return any;
}

/* Whether the king can step to where that wins. */
static bool reaches_flag(const future *f) {
    const kz_variant_small *m = f->small;
    const place *p = &f->at;
    int piece = kz_piece(m->king, OWN);
    squares free = (squares) ~(p->side[0] | p->side[1]);
    squares targets = (m->step[piece][p->king[OWN]] & free) | (m->capture[piece][p->king[OWN]] & p->side[ENEMY]);
    return targets & m->flag[OWN] & (m->variant->flag_safe ? (squares)~f->attacks[ENEMY] : m->board);
}

/* NOLINTBEGIN(readability-non-const-parameter): written through the list of numbers */
int kz_variant_small_after(const kz_variant_small *m, const kz_piece_set *s, uint64_t index, uint64_t *list,
                           kz_sight *sight) {
    /* NOLINTEND(readability-non-const-parameter) */
    future f; /* `at` has no initial values: that would cost more than the rest */
    men all;
    place *p = &f.at;
    f.small = m;
    f.quiet = &m->index->piece_sets[s->quiet];
    f.list = (kz_number_list){list, 0, KZ_VARIANT_MOVES};
    f.won = f.refuted = false;
    f.attacks[0] = f.attacks[1] = 0;
    if (!is_position(m, s, index, &all)) {
        return -1;
    }
    for (int i = 0; i < all.count; i++) {
        f.attacks[kz_piece_color(all.piece[i])] |= m->capture[all.piece[i]][all.square[i]];
    }
    if (f.attacks[OWN] & bit(all.square[1]) &&
        !is_safe_flag(m, OWN, all.square[0], f.attacks[ENEMY])) { /* the most frequent case */
        sight->win = 1;
        return 0;
    }
    set_up(m, s, &all, p);
    if (m->variant->flag_safe && is_safe_flag(m, OWN, p->king[OWN], f.attacks[ENEMY])) {
        sight->over = KZ_WIN;
        return 0;
    }
    if (f.attacks[OWN] & bit(p->king[ENEMY]) || reaches_flag(&f)) {
        sight->win = 1;
        return 0;
    }
    int enemy_king = kz_piece(m->king, ENEMY);
    f.goals = (m->step[enemy_king][p->king[ENEMY]] | m->capture[enemy_king][p->king[ENEMY]]) & m->flag[ENEMY];
    for (squares left = p->side[OWN]; left && !f.won;) {
        add_steps(&f, next(&left));
    }
    bool dropped = m->variant->drops && !f.won && add_drops(&f);
    if (f.won) {
        sight->win = 1;
        return 0;
    }
    if (!f.list.count && !f.refuted && !dropped) {
        sight->over = KZ_LOSS;
    }
    sight->worst = f.refuted;
    return m->fixed[p->king[ENEMY]] ? kz_number_list_distinct(&f.list) : f.list.count;
}

/* ---- Backwards --------------------------------------------------------------------------------------------------- */

/* A position whose predecessors are listed: the place is changed to each of them in turn. */
typedef struct past {
    const kz_variant_small *small;
    place at;
    const kz_piece_set *quiet;
    kz_number_list list;
} past;

static void keep(past *f, uint64_t key) {
    const kz_piece_set *s = find_set(f->small, f->quiet, key);
    if (s && !kz_number_list_is_full(&f->list)) {
        kz_number_list_add(&f->list, rank_turned(f->small, s, &f->at));
    }
}

/* A piece has gone back from `to` after a capture: something that is in the hand now. */
static void put_back(past *f, int to, uint64_t key) {
    const kz_variant_small *m = f->small;
    const kz_variant *v = m->variant;
    place *p = &f->at;
    for (int slot = 0; slot < v->hand_types; slot++) {
        for (int type = 0; p->hand[ENEMY][slot] && type < v->types; type++) {
            int piece = kz_piece(type, OWN);
            if (v->type[type].letter && v->type[type].hand == slot && has(m->allowed[piece], to)) {
                put(p, to, piece);
                keep(f, key + piece_key(m, piece) - hand_key(m, ENEMY, slot));
                take(p, to);
            }
        }
    }
}

/* The piece on `to`, which is off the board now, was a `was` before its step. */
static void take_back(past *f, int to, int was, int is, squares rest) {
    const kz_variant_small *m = f->small;
    const kz_variant *v = m->variant;
    place *p = &f->at;
    int piece = kz_piece(was, ENEMY);
    bool plain = v->type[was].promotes_to < 0 && !v->immobile_illegal;
    squares free = (squares)(m->board & ~(p->side[0] | p->side[1]));
    squares quiet = m->back_step[piece][to];
    squares captures = v->captures_to_hand ? m->back_capture[piece][to] : 0;
    uint64_t key = f->quiet->key + piece_key(m, piece) - piece_key(m, kz_piece(is, ENEMY));
    int king = p->king[ENEMY];
    for (squares left = (quiet | captures) & free & m->allowed[piece]; left;) {
        int from = next(&left);
        if ((rest | m->capture[piece][from]) & bit(p->king[OWN])) {
            continue; /* it was won at once, by a capture of the king */
        }
        put(p, from, piece);
        p->king[ENEMY] = was == m->king ? (uint8_t)from : p->king[ENEMY];
        if (quiet & bit(from) && (plain || may_become(v, ENEMY, was, is, from, to, false))) {
            keep(f, key);
        }
        if (captures & bit(from) && (plain || may_become(v, ENEMY, was, is, from, to, true))) {
            put_back(f, to, key);
        }
        take(p, from);
    }
    p->king[ENEMY] = (uint8_t)king;
}

/* NOLINTBEGIN(readability-non-const-parameter): written through the list of numbers */
int kz_variant_small_before(const kz_variant_small *m, const kz_piece_set *s, uint64_t index, uint64_t *list,
                            int room) {
    /* NOLINTEND(readability-non-const-parameter) */
    const kz_variant *v = m->variant;
    past f;
    men all;
    place *p = &f.at;
    f.small = m;
    f.quiet = &m->index->piece_sets[s->quiet];
    f.list = (kz_number_list){list, 0, room};
    if (!is_position(m, s, index, &all)) {
        return 0;
    }
    set_up(m, s, &all, p);
    for (squares left = p->side[ENEMY]; left;) {
        int to = next(&left);
        int piece = p->at[to];
        int type = kz_piece_type_of(piece);
        int slot = v->type[type].hand;
        squares rest = attacks(m, p, ENEMY, bit(to));
        bool settled = rest & bit(p->king[OWN]);
        if (settled) {
            continue;
        }
        take(p, to);
        take_back(&f, to, type, type, rest);
        if (v->type[type].promoted) {
            take_back(&f, to, v->type[type].base, type, rest);
        }
        if (v->drops && slot >= 0 && !v->type[type].promoted && kz_variant_may_drop(v, p->at, ENEMY, type, to)) {
            keep(&f, f.quiet->key - piece_key(m, piece) + hand_key(m, ENEMY, slot));
        }
        put(p, to, piece);
    }
    return m->fixed[p->king[OWN]] ? kz_number_list_distinct(&f.list) : f.list.count;
}
