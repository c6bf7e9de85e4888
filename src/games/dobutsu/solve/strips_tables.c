/* SPDX-License-Identifier: MIT
 *
 * What sweeps over strips need: memory, tables of chicks and of turning strips, and the runs that moves lead to. */
#include "games/dobutsu/solve/strips.h"

#include "base/bigmem.h"
#include "base/bits.h"
#include "games/dobutsu/rules/rules.h"

#include <stdlib.h>
#include <string.h>

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

enum {
    NO_RUN = KZ_DOBUTSU_TARGET_RUN,
    SLICES_MOST = KZ_DOBUTSU_LION_CLASSES_SOLVED * KZ_DOBUTSU_PLAIN_STATES, /* with those that don't fit */
    DROP = KZ_DOBUTSU_SQUARES                                               /* where a dropped piece comes from */
};

static size_t targets_bytes(const kz_dobutsu_strips *strips) {
    return (size_t)strips->count * KZ_DOBUTSU_TARGETS_A_RUN * sizeof *strips->targets;
}

static size_t plane_bytes(const kz_dobutsu_strips *strips) { return (size_t)strips->count * sizeof(kz_dobutsu_strip); }

void kz_dobutsu_strips_free(kz_dobutsu_strips *strips) {
    if (strips) {
        free(strips->strip_of);
        free(strips->first_target);
        free(strips->target_count);
        kz_big_free(strips->targets, targets_bytes(strips));
        free(strips->moved[0]);
        free(strips->moved[1]);
        free(strips->captured);
        kz_dobutsu_chick_moves_free(&strips->chick_moves);
        kz_big_free(strips->open, plane_bytes(strips));
        kz_big_free(strips->lost, plane_bytes(strips));
        free(strips->live);
        free(strips->new_losses);
        free(strips->new_wins);
        free(strips);
    }
}

static uint32_t *strip_at(const kz_dobutsu_strips *strips, unsigned lion_class, unsigned elephants, unsigned giraffes) {
    return &strips->strip_of[((size_t)lion_class * KZ_DOBUTSU_PLAIN_STATES + elephants) * KZ_DOBUTSU_PLAIN_STATES +
                             giraffes];
}

static void number_runs(kz_dobutsu_strips *strips) {
    const kz_dobutsu_space *space = strips->retro->space;
    for (size_t i = 0; i < (size_t)SLICES_MOST * KZ_DOBUTSU_PLAIN_STATES; i++) {
        strips->strip_of[i] = NO_RUN;
    }
    for (uint32_t run = 0; run < strips->count; run++) {
        const kz_dobutsu_run *r = &space->runs[run];
        *strip_at(strips, r->lion_class, r->elephants, r->giraffes) = run;
    }
}

/* Moves of elephants and giraffes, from those that are taken back. */
static void fill_moves(kz_dobutsu_strips *strips) {
    const kz_dobutsu_unmoves *unmoves = strips->retro->unmoves;
    const kz_dobutsu_unmove_list *lists[2] = {unmoves->elephant, unmoves->giraffe};
    for (int kind = 0; kind < 2; kind++) {
        memset(strips->moved[kind], 0xFF, KZ_DOBUTSU_PLAIN_STATES * sizeof *strips->moved[kind]);
        for (unsigned after = 0; after < KZ_DOBUTSU_PLAIN_STATES; after++) {
            for (unsigned i = 0; i < lists[kind][after].count; i++) {
                const kz_dobutsu_unmove *u = &lists[kind][after].unmoves[i];
                strips->moved[kind][u->state][u->from == KZ_DOBUTSU_FROM_HAND ? DROP : u->from][u->to] =
                    (uint16_t)after;
            }
        }
    }
    memset(strips->captured, 0xFF, KZ_DOBUTSU_PLAIN_STATES * sizeof *strips->captured);
    for (unsigned after = 0; after < KZ_DOBUTSU_PLAIN_STATES; after++) {
        for (int square = 0; square < KZ_DOBUTSU_SQUARES; square++) {
            unsigned before = unmoves->plain_returned[after][square];
            if (before != KZ_DOBUTSU_NO_STATE) {
                strips->captured[before][square] = (uint16_t)after;
            }
        }
    }
}

/* A set of squares, as the other side sees it. */
static unsigned flip_set(unsigned set) {
    unsigned flipped = 0;
    for (; set; set &= set - 1) {
        flipped |= 1U << kz_dobutsu_flip_square((int)kz_lowest_bit32(set));
    }
    return flipped;
}

static unsigned word_of(int a, int b) {
    int low = a < b ? a : b;
    int high = a < b ? b : a;
    return (unsigned)(high * (high - 1) / 2 + low);
}

static void fill_lanes(kz_dobutsu_lanes lanes, unsigned squares) {
    for (; squares; squares &= squares - 1) {
        lanes[kz_lowest_bit32(squares)] = 0xFFFF;
    }
}

/* Word by word where it is among the sides. */
static void fill_joins(kz_dobutsu_strip_tables *tables) {
    enum { WORDS = 2 * KZ_DOBUTSU_VECTOR_WORDS, SIDES = 4, LAST = 2 };
    memset(tables->join_from, KZ_DOBUTSU_NO_WORD, sizeof tables->join_from);
    for (int y = 0; y < KZ_DOBUTSU_SQUARES; y++) {
        for (int x = 0; x < y; x++) {
            unsigned word = word_of(x, y);
            tables->join_from[0][word / WORDS][x / SIDES][word % WORDS] =
                (uint16_t)(x % SIDES * KZ_DOBUTSU_VECTOR_WORDS + y);
            tables->join_from[1][word / WORDS][y / SIDES][word % WORDS] =
                (uint16_t)(y % SIDES * KZ_DOBUTSU_VECTOR_WORDS + x);
        }
        unsigned single = KZ_DOBUTSU_PAIR_WORDS + (unsigned)y;
        tables->join_from[0][LAST][y / SIDES][single % WORDS] =
            (uint16_t)(y % SIDES * KZ_DOBUTSU_VECTOR_WORDS + KZ_DOBUTSU_SQUARES);
    }
    for (int y = 0; y < KZ_DOBUTSU_VECTOR_WORDS; y++) {
        tables->lane_images[0][y] = (uint16_t)y;
        tables->lane_images[1][y] = (uint16_t)(y < KZ_DOBUTSU_SQUARES ? kz_dobutsu_mirror_square(y) : y);
    }
}

static void fill_lanes_from(kz_dobutsu_turn *turn, int to, int from) {
    enum { HALF = KZ_DOBUTSU_VECTOR_WORDS / 2 };
    uint8_t *bytes = turn->lanes_from[to < HALF ? from / HALF : 2] + 2 * (to % HALF);
    bytes[0] = (uint8_t)(2 * (from % HALF));
    bytes[1] = (uint8_t)(bytes[0] + 1);
}

static void fill_tables(kz_dobutsu_strip_tables *tables) {
    fill_joins(tables);
    for (int mirrored = 0; mirrored < 2; mirrored++) { /* 255: nothing comes */
        memset(tables->turns[mirrored].lanes_from, 255, sizeof tables->turns[mirrored].lanes_from);
    }
    for (int x = 0; x < KZ_DOBUTSU_SQUARES; x++) {
        for (int y = 0; y < KZ_DOBUTSU_VECTOR_WORDS; y++) {
            bool square = y < KZ_DOBUTSU_SQUARES && x != y;
            tables->side_from[0][x][y] = (uint16_t)(square && x < y ? word_of(x, y) : (unsigned)KZ_DOBUTSU_NO_WORD);
            tables->side_from[1][x][y] = (uint16_t)(square && x > y ? word_of(x, y) : (unsigned)KZ_DOBUTSU_NO_WORD);
        }
        tables->side_from[0][x][KZ_DOBUTSU_SQUARES] = (uint16_t)(KZ_DOBUTSU_PAIR_WORDS + x);
    }
    for (int a = 0; a < KZ_DOBUTSU_SQUARES; a++) {
        tables->hen_from[a] = (uint16_t)flip_set(kz_dobutsu_steps(KZ_DOBUTSU_HEN, kz_dobutsu_flip_square(a)));
        fill_lanes(tables->chick_lanes[a], flip_set(kz_dobutsu_steps(KZ_DOBUTSU_CHICK, kz_dobutsu_flip_square(a))));
        fill_lanes(tables->hen_lanes[a], tables->hen_from[a]);
        fill_lanes(tables->lanes_below[a + 1], (2U << a) - 1);
        tables->chick_arrives[a] =
            a / 3 == 0 ? 0x80 : 0x08; /* it is a hen there, or still a chick; the other is held */
        for (int b = 0; b < KZ_DOBUTSU_SQUARES; b++) {
            tables->pair_word[a][b] = (uint8_t)(a == b ? 0 : word_of(a, b));
            if (a < b) {
                tables->word_squares[word_of(a, b)][0] = (uint8_t)(4 * a);
                tables->word_squares[word_of(a, b)][1] = (uint8_t)(4 * b);
            }
            tables->hen_to[b] |= (uint16_t)((tables->hen_from[a] >> b & 1) << a);
        }
        for (int mirrored = 0; mirrored < 2; mirrored++) {
            kz_dobutsu_turn *turn = &tables->turns[mirrored];
            int to_a = kz_dobutsu_flip_square(mirrored ? kz_dobutsu_mirror_square(a) : a);
            turn->single_from[to_a] = (uint8_t)a;
            fill_lanes_from(turn, to_a, a);
            for (int b = a + 1; b < KZ_DOBUTSU_SQUARES; b++) {
                int to_b = kz_dobutsu_flip_square(mirrored ? kz_dobutsu_mirror_square(b) : b);
                turn->from[word_of(to_a, to_b)] = (uint16_t)word_of(a, b);
                turn->swaps.of.pairs[word_of(a, b)] = to_a > to_b ? 0xFFFF : 0;
            }
        }
    }
    for (unsigned taken = 0; taken < 1U << KZ_DOBUTSU_SQUARES; taken++) {
        for (unsigned b = 1; b < KZ_DOBUTSU_SQUARES; b++) {
            uint64_t below = taken >> b & 1 ? 0 : ~taken & ((1U << b) - 1);
            tables->fitting[taken] |= below << b * (b - 1) / 2; /* the last two words are beyond it */
        }
    }
    for (unsigned bits = 0; bits < 256; bits++) {
        for (unsigned i = 0; i < 8; i++) {
            tables->bytes_of[bits] |= (bits >> i & 1) * (UINT64_C(255) << 8 * i);
        }
    }
}

/* The way of gathering pieces and chicks at once for this processor; NULL: there is none. */
static kz_dobutsu_gather *choose_gather(kz_cpu cpu) {
#ifdef __x86_64__
    if (cpu >= KZ_CPU_AVX2) {
        return cpu >= KZ_CPU_AVX512 ? kz_dobutsu_gather_avx512 : kz_dobutsu_gather_avx2;
    }
#endif
    (void)cpu;
    return NULL;
}

kz_dobutsu_strips *kz_dobutsu_strips_new(kz_dobutsu_retro *retro) {
    kz_dobutsu_strips *strips = aligned_alloc(_Alignof(kz_dobutsu_strips), sizeof *strips); /* it has vectors */
    if (!strips) {
        return NULL;
    }
    memset(strips, 0, sizeof *strips);
    strips->retro = retro;
    strips->cpu = kz_cpu_level();
    strips->gather = choose_gather(strips->cpu);
    strips->count = retro->space->solved_runs;
    strips->strip_of = malloc((size_t)SLICES_MOST * KZ_DOBUTSU_PLAIN_STATES * sizeof *strips->strip_of);
    strips->first_target = malloc(strips->count * sizeof *strips->first_target);
    strips->target_count = malloc(strips->count);
    strips->targets = kz_big_alloc(targets_bytes(strips));
    strips->moved[0] = malloc(KZ_DOBUTSU_PLAIN_STATES * sizeof *strips->moved[0]);
    strips->moved[1] = malloc(KZ_DOBUTSU_PLAIN_STATES * sizeof *strips->moved[1]);
    strips->captured = malloc(KZ_DOBUTSU_PLAIN_STATES * sizeof *strips->captured);
    bool moves = kz_dobutsu_chick_moves_fill(&strips->chick_moves, retro->space, retro->unmoves);
    strips->open = kz_big_alloc(plane_bytes(strips));
    strips->lost = kz_big_alloc(plane_bytes(strips));
    strips->live = malloc(strips->count);
    strips->new_losses = calloc(strips->count, 1);
    strips->new_wins = malloc(strips->count);
    if (!strips->strip_of || !strips->first_target || !strips->target_count || !strips->targets || !strips->moved[0] ||
        !strips->moved[1] || !strips->captured || !moves || !strips->open || !strips->lost || !strips->live ||
        !strips->new_losses || !strips->new_wins) {
        kz_dobutsu_strips_free(strips);
        return NULL;
    }
    memset(strips->new_wins, 1, strips->count); /* what the rules decide */
    number_runs(strips);
    fill_moves(strips);
    fill_tables(&strips->tables);
    return strips;
}

/* ---- Where moves lead -------------------------------------------------------------------------------------------- */

/* A run with what its targets are found from, as the side to move sees it. */
typedef struct listing {
    const kz_dobutsu_strips *strips;
    int own_lion;
    int enemy_lion;
    unsigned states[2]; /* elephants, giraffes */
    unsigned own;       /* squares of own elephants, giraffes and the lion */
    unsigned enemy[2];  /* squares of the enemy's elephants; giraffes */
    unsigned count;
    uint32_t targets[KZ_DOBUTSU_TARGETS_MOST];
} listing;

/* Adds the run in which the own lion and the states are these after the move. A square is as the mover sees it. */
static void add_target(listing *l, int own_lion, const unsigned states[2], int square, unsigned kind) {
    const kz_dobutsu_space *space = l->strips->retro->space;
    int own = kz_dobutsu_flip_square(l->enemy_lion);
    int enemy = kz_dobutsu_flip_square(own_lion);
    unsigned elephants = space->plain_flip[states[0]];
    unsigned giraffes = space->plain_flip[states[1]];
    unsigned lion_class = space->lion_class[own][enemy];
    if (lion_class >= KZ_DOBUTSU_LION_CLASSES_SOLVED) {
        return;
    }
    bool central = kz_dobutsu_lions_central(own, enemy);
    unsigned image = space->plain_mirror[elephants];
    bool mirrored = space->lion_mirror[own][enemy] || (central && image < elephants) ||
                    (central && image == elephants && space->plain_mirror[giraffes] < giraffes);
    if (mirrored) {
        elephants = image;
        giraffes = space->plain_mirror[giraffes];
    }
    uint32_t run = *strip_at(l->strips, lion_class, elephants, giraffes);
    if (run == NO_RUN) {
        return;
    }
    unsigned seen = KZ_DOBUTSU_TARGET_NO_SQUARE;
    if (square >= 0) {
        seen = (unsigned)(mirrored ? kz_dobutsu_mirror_square(kz_dobutsu_flip_square(square))
                                   : kz_dobutsu_flip_square(square));
    }
    l->targets[l->count++] = run | (mirrored ? (uint32_t)KZ_DOBUTSU_TARGET_MIRRORED : 0) |
                             seen << KZ_DOBUTSU_TARGET_SQUARE_SHIFT | kind << KZ_DOBUTSU_TARGET_KIND_SHIFT;
}

/* The states after a capture on a square, if there is an elephant or a giraffe of the enemy. Returns whether. */
static bool capture(const listing *l, int to, unsigned states[2]) {
    for (int kind = 0; kind < 2; kind++) {
        if (l->enemy[kind] >> to & 1) {
            states[kind] = l->strips->captured[states[kind]][to];
            return true;
        }
    }
    return false;
}

static void list_lion_moves(listing *l) {
    for (unsigned to = kz_dobutsu_steps(KZ_DOBUTSU_LION, l->own_lion) & ~l->own; to; to &= to - 1) {
        int square = (int)kz_lowest_bit32(to);
        unsigned states[2] = {l->states[0], l->states[1]};
        if (square != l->enemy_lion) {
            bool took = capture(l, square, states);
            add_target(l, square, states, took ? -1 : square, KZ_DOBUTSU_PIECE_MOVES);
        }
    }
}

/* Moves of the elephants (0) or the giraffes (1), and drops. */
static void list_pair_moves(listing *l, int kind, unsigned own) {
    unsigned taken = l->own | l->enemy[0] | l->enemy[1] | 1U << l->enemy_lion;
    for (; own; own &= own - 1) {
        int from = (int)kz_lowest_bit32(own);
        unsigned steps = kz_dobutsu_steps(kind == 0 ? KZ_DOBUTSU_ELEPHANT : KZ_DOBUTSU_GIRAFFE, from);
        for (unsigned to = steps & ~l->own & ~(1U << l->enemy_lion); to; to &= to - 1) {
            int square = (int)kz_lowest_bit32(to);
            unsigned states[2] = {l->states[0], l->states[1]};
            bool took = capture(l, square, states);
            states[kind] = l->strips->moved[kind][states[kind]][from][square];
            add_target(l, l->own_lion, states, took ? -1 : square, KZ_DOBUTSU_PIECE_MOVES);
        }
    }
    for (int to = 0; to < KZ_DOBUTSU_SQUARES; to++) {
        unsigned states[2] = {l->states[0], l->states[1]};
        states[kind] = l->strips->moved[kind][states[kind]][DROP][to];
        if (states[kind] != KZ_DOBUTSU_NO_STATE && !(taken >> to & 1)) {
            add_target(l, l->own_lion, states, -1, KZ_DOBUTSU_PIECE_MOVES);
        }
    }
}

static void list_chick_moves(listing *l) {
    add_target(l, l->own_lion, l->states, -1, KZ_DOBUTSU_CHICK_MOVES);
    for (unsigned to = l->enemy[0] | l->enemy[1]; to; to &= to - 1) {
        int square = (int)kz_lowest_bit32(to);
        unsigned states[2] = {l->states[0], l->states[1]};
        capture(l, square, states);
        add_target(l, l->own_lion, states, square, KZ_DOBUTSU_CHICK_CAPTURES);
    }
}

void kz_dobutsu_strips_list_targets(kz_dobutsu_strips *strips, uint32_t run) {
    const kz_dobutsu_space *space = strips->retro->space;
    const kz_dobutsu_run *r = &space->runs[run];
    const kz_dobutsu_footprint *e = &space->elephant[r->elephants];
    const kz_dobutsu_footprint *g = &space->giraffe[r->giraffes];
    listing l = {.strips = strips,
                 .own_lion = space->own_lion[r->lion_class],
                 .enemy_lion = space->enemy_lion[r->lion_class],
                 .states = {r->elephants, r->giraffes},
                 .enemy = {e->enemy, g->enemy}};
    l.own = (unsigned)e->own | g->own | 1U << l.own_lion;
    list_lion_moves(&l);
    list_pair_moves(&l, 0, e->own);
    list_pair_moves(&l, 1, g->own);
    list_chick_moves(&l);
    uint32_t first = atomic_fetch_add_explicit(&strips->targets_used, l.count, memory_order_relaxed);
    strips->first_target[run] = first;
    strips->target_count[run] = (uint8_t)l.count;
    memcpy(&strips->targets[first], l.targets, l.count * sizeof *l.targets);
}
