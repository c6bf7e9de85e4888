/* SPDX-License-Identifier: MIT */
#include "games/dobutsu/solve/strips.h"

#include "base/bigmem.h"
#include "base/bits.h"
#include "games/dobutsu/rules/rules.h"
#include "games/dobutsu/solve/cells.h"

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

static void list_targets(kz_dobutsu_strips *strips, uint32_t run) {
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

/* ---- Between cells and strips --------------------------------------------------------------------------------------
 *
 * Eight states that follow each other from a multiple of eight on stand on the same squares (space.h). So they have
 * eight cells that follow each other, or none, but where mirror images are folded. */

enum { SINGLES = 16 * KZ_DOBUTSU_PAIR_WORDS, HANDS = SINGLES + 8 * KZ_DOBUTSU_SQUARES, HAND_STATES = 3 };

void kz_dobutsu_strip_words(const kz_dobutsu_strip *strip, uint64_t words[KZ_DOBUTSU_STATE_WORDS]) {
    memcpy(words, strip, sizeof *strip);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    uint8_t bytes[sizeof *strip];
    memcpy(bytes, strip, sizeof bytes);
    for (unsigned word = 0; word < KZ_DOBUTSU_PAIR_WORDS; word++) {
        kz_store_le16(bytes + 2 * word, strip->of.pairs[word]); /* all the rest is bytes already */
    }
    for (unsigned i = 0; i < KZ_DOBUTSU_STATE_WORDS; i++) {
        words[i] = kz_load_le64(bytes + 8 * i);
    }
#endif
}

static void add_octet(kz_dobutsu_strip *strip, unsigned octet, unsigned bits) {
    if (octet < SINGLES / 8) {
        strip->of.pairs[octet / 2] |= (uint16_t)(bits << octet % 2 * 8);
    } else if (octet < HANDS / 8) {
        strip->of.singles[octet - SINGLES / 8] |= (uint8_t)bits;
    } else {
        strip->of.hands |= (uint8_t)bits;
    }
}

static uint8_t *cells_at(const kz_dobutsu_strips *strips, uint32_t index) {
    return (uint8_t *)(void *)(uintptr_t)&strips->retro->cells[index]; /* no other thread uses the cells of this run */
}

/* The highest bits of eight bytes. */
static unsigned gather_bits(uint64_t bytes) {
    return (unsigned)(((bytes >> 7 & UINT64_C(0x0101010101010101)) * UINT64_C(0x0102040810204080)) >> 56);
}

static void fill_strip(kz_dobutsu_strips *strips, uint32_t run) {
    const kz_dobutsu_space *space = strips->retro->space;
    const kz_dobutsu_run *r = &space->runs[run];
    unsigned ranking = kz_dobutsu_run_chicks(space, r);
    kz_dobutsu_strip *open = &strips->open[run];
    if (r->folded) {
        for (unsigned i = 0; i < r->size; i++) {
            unsigned state = space->chick_state[ranking][i];
            unsigned image = space->chick_mirror[state];
            if (kz_dobutsu_cell_load(strips->retro, r->base + i) >= KZ_DOBUTSU_CELL_OPEN) {
                add_octet(open, state / 8, 1U << state % 8);
                add_octet(open, image / 8, 1U << image % 8);
            }
        }
        return;
    }
    for (unsigned octet = 0; octet < KZ_DOBUTSU_OCTETS; octet++) {
        unsigned rank = space->octets[ranking][octet];
        if (rank != KZ_DOBUTSU_NO_STATE) {
            bool whole = octet < HANDS / 8;
            uint8_t bytes[8] = {1, 1, 1, 1, 1, 1, 1, 1};
            memcpy(bytes, cells_at(strips, r->base + rank), whole ? 8 : HAND_STATES);
            uint64_t cells = kz_load_le64(bytes);
            add_octet(open, octet, gather_bits(cells & cells << 1));
        }
    }
}

static bool is_empty(const kz_dobutsu_strip *strip) {
    uint64_t words[sizeof *strip / sizeof(uint64_t)];
    uint64_t any = 0;
    memcpy(words, strip, sizeof words);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        any |= words[i];
    }
    return any == 0;
}

void kz_dobutsu_strips_fill(kz_dobutsu_strips *strips, uint64_t begin, uint64_t end) {
    const uint32_t *slices = strips->retro->space->slices;
    for (uint32_t run = slices[begin]; run < slices[end]; run++) {
        list_targets(strips, run);
        fill_strip(strips, run);
        strips->live[run] = !is_empty(&strips->open[run]);
    }
}

/* Returns how many positions these are, as far as they have not been counted yet. */
static uint64_t write_waiting(const kz_dobutsu_strips *strips, kz_dobutsu_waiting *waiting, int n) {
#ifdef __x86_64__
    if (strips->cpu >= KZ_CPU_VBMI2) {
        return kz_dobutsu_write_cells_vbmi2(strips, waiting, n);
    }
#endif
    const uint64_t number = (uint64_t)n * UINT64_C(0x0101010101010101);
    for (unsigned i = 0; i < waiting->count; i++) {
        uint8_t *cells = cells_at(strips, waiting->index[i]);
        uint64_t mask = strips->tables.bytes_of[waiting->bits[i]];
        kz_store_le64(cells, (kz_load_le64(cells) & ~mask) | (number & mask));
    }
    waiting->count = 0;
    return 0;
}

/* Writes the distance of the states of a strip, where mirror images are folded. Returns how many positions they are. */
static uint64_t decide_folded(const kz_dobutsu_strips *strips, const kz_dobutsu_run *r, const kz_dobutsu_strip *found,
                              int n) {
    const kz_dobutsu_space *space = strips->retro->space;
    const uint16_t *ranks = space->chick_rank[kz_dobutsu_run_chicks(space, r) - space->unfolded_rankings];
    uint64_t count = 0;
    uint64_t words[KZ_DOBUTSU_STATE_WORDS];
    kz_dobutsu_strip_words(found, words);
    for (unsigned i = 0; i < KZ_DOBUTSU_STATE_WORDS; i++) {
        for (; words[i]; words[i] &= words[i] - 1) {
            uint32_t index = r->base + ranks[64 * i + kz_lowest_bit64(words[i])];
            count += kz_dobutsu_cell_load(strips->retro, index) >= KZ_DOBUTSU_CELL_OPEN;
            kz_dobutsu_cell_store(strips->retro, index, n);
        }
    }
    return count;
}

/* The rank of eight states that follow each other, worked out: the tables of ranks are not in the nearest cache. `free`
 * is how many squares are free, `ranks` the rank of each of them. */
static unsigned rank_of_octet(const kz_dobutsu_strip_tables *tables, uint64_t ranks, unsigned free, unsigned octet) {
    unsigned pairs = 16 * (free * (free - 1) / 2);
    if (octet < SINGLES / 8) {
        unsigned a = ranks >> tables->word_squares[octet / 2][0] & 15;
        unsigned b = ranks >> tables->word_squares[octet / 2][1] & 15;
        return 16 * (b * (b - 1) / 2 + a) + octet % 2 * 8;
    }
    return pairs + 8 * (octet < HANDS / 8 ? (unsigned)(ranks >> 4 * (octet - SINGLES / 8) & 15) : free);
}

/* Writes the distance of the states of a strip, or lists the cells that wait for it. Returns how many positions they
 * are. */
static uint64_t decide(const kz_dobutsu_strips *strips, uint32_t run, const kz_dobutsu_strip *found, int n,
                       kz_dobutsu_waiting *waiting) {
    const kz_dobutsu_space *space = strips->retro->space;
    const kz_dobutsu_run *r = &space->runs[run];
    if (r->folded) {
        return decide_folded(strips, r, found, n);
    }
    unsigned taken = kz_dobutsu_run_taken(space, r);
#ifdef __x86_64__
    if (strips->cpu >= KZ_CPU_VBMI2) {
        kz_dobutsu_list_cells_vbmi2(strips, r, taken, found, waiting);
        return 0;
    }
#endif
    uint64_t ranks = space->ranks[taken];
    unsigned free = KZ_DOBUTSU_SQUARES - kz_popcount32(taken);
    uint64_t count = 0;
    uint64_t words[KZ_DOBUTSU_STATE_WORDS];
    kz_dobutsu_strip_words(found, words);
    for (unsigned i = 0; i < KZ_DOBUTSU_STATE_WORDS; i++) {
        while (words[i]) {
            unsigned place = kz_lowest_bit64(words[i]) & 56;
            unsigned octet = 8 * i + place / 8;
            unsigned bits = words[i] >> place & 255;
            uint32_t index = r->base + rank_of_octet(&strips->tables, ranks, free, octet);
            words[i] &= ~(UINT64_C(255) << place);
            if (octet == HANDS / 8) { /* after them comes the next run */
                for (; bits; bits &= bits - 1, count++) {
                    kz_dobutsu_cell_store(strips->retro, index + kz_lowest_bit32(bits), n);
                }
                continue;
            }
            __builtin_prefetch((const void *)&strips->retro->cells[index], 1);
            waiting->index[waiting->count] = index;
            waiting->bits[waiting->count++] = (uint8_t)bits;
            uint64_t ones = strips->tables.bytes_of[bits] & UINT64_C(0x0101010101010101);
            count += ones * UINT64_C(0x0101010101010101) >> 56;
        }
    }
    return count;
}

/* ---- Sweeps ------------------------------------------------------------------------------------------------------ */

/* strip &= ~others. Returns whether something is left. */
static bool take_away(kz_dobutsu_strip *strip, const kz_dobutsu_strip *others) {
    for (int i = 0; i < KZ_DOBUTSU_STRIP_VECTORS; i++) {
        strip->vectors[i] &= ~others->vectors[i];
    }
    return !is_empty(strip);
}

/* Lists the targets of a run that are marked, without a branch: nobody could tell which. */
static unsigned list_marked(const kz_dobutsu_strips *strips, uint32_t run, const uint8_t *marked, uint32_t *list) {
    const uint32_t *targets = &strips->targets[strips->first_target[run]];
    unsigned used = 0;
    for (unsigned i = 0; i < strips->target_count[run]; i++) {
        list[used] = targets[i];
        used += marked[targets[i] & KZ_DOBUTSU_TARGET_RUN];
    }
    return used;
}

/* Whether a run leads to one that is marked. Mostly one of the first tells. */
static bool touches(const kz_dobutsu_strips *strips, uint32_t run, const uint8_t *marked) {
    const uint32_t *targets = &strips->targets[strips->first_target[run]];
    unsigned i = 0;
    while (i < strips->target_count[run] && !marked[targets[i] & KZ_DOBUTSU_TARGET_RUN]) {
        i++;
    }
    return i < strips->target_count[run];
}

static void prefetch_strips(const uint32_t *targets, unsigned count, const kz_dobutsu_strip *plane) {
    enum { CACHE_LINE = 64 };
    for (unsigned i = 0; i < count; i++) {
        const uint8_t *strip = (const uint8_t *)&plane[targets[i] & KZ_DOBUTSU_TARGET_RUN];
        for (unsigned at = 0; at < sizeof *plane; at += CACHE_LINE) {
            __builtin_prefetch(strip + at);
        }
    }
}

/* Takes the positions out of `found` that have a move to an open one. With vectors a whole strip is the fastest way
 * also for few positions. */
static void drop_led(const kz_dobutsu_strips *strips, const uint32_t *targets, unsigned count,
                     kz_dobutsu_strip *found) {
    kz_dobutsu_strip led;
    if (strips->gather) {
        strips->gather(strips, targets, count, strips->open, &led);
        take_away(found, &led);
        return;
    }
    kz_dobutsu_gather_pieces_plain(strips, targets, count, strips->open, &led);
    if (!take_away(found, &led) || kz_dobutsu_drop_led_by_chicks(strips, targets, count, strips->open, found)) {
        return;
    }
    led = (kz_dobutsu_strip){.vectors = {{0}}};
    kz_dobutsu_gather_chicks_plain(strips, targets, count, strips->open, &led);
    take_away(found, &led);
}

/* What has a move to a new loss. */
static void gather_from_lost(const kz_dobutsu_strips *strips, const uint32_t *marked, unsigned count,
                             kz_dobutsu_strip *found) {
    if (strips->gather) {
        strips->gather(strips, marked, count, strips->lost, found);
        return;
    }
    kz_dobutsu_gather_pieces_plain(strips, marked, count, strips->lost, found);
    if (!kz_dobutsu_gather_few_chicks(strips, marked, count, strips->lost, found)) {
        kz_dobutsu_gather_chicks_plain(strips, marked, count, strips->lost, found);
    }
}

/* Losses: open positions that have no move to an open one. What is found stays open till the sweep for wins, because
 * other threads ask. */
static uint64_t find_losses(kz_dobutsu_strips *strips, uint32_t run, int n, kz_dobutsu_waiting *waiting) {
    kz_dobutsu_strip found = strips->open[run];
    drop_led(strips, &strips->targets[strips->first_target[run]], strips->target_count[run], &found);
    if (is_empty(&found)) {
        return 0;
    }
    strips->lost[run] = found;
    strips->new_losses[run] = 1;
    uint64_t before = write_waiting(strips, waiting, n);
    return before + decide(strips, run, &found, n, waiting);
}

/* Wins: open positions that have a move to a new loss. */
static uint64_t find_wins(kz_dobutsu_strips *strips, uint32_t run, const uint32_t *marked, unsigned count, int n,
                          kz_dobutsu_waiting *waiting) {
    kz_dobutsu_strip *open = &strips->open[run];
    kz_dobutsu_strip found;
    gather_from_lost(strips, marked, count, &found);
    for (int i = 0; i < KZ_DOBUTSU_STRIP_VECTORS; i++) {
        found.vectors[i] &= open->vectors[i];
    }
    if (is_empty(&found)) {
        return 0;
    }
    strips->live[run] = take_away(open, &found);
    strips->new_wins[run] = 1;
    uint64_t before = write_waiting(strips, waiting, n);
    return before + decide(strips, run, &found, n, waiting);
}

/* The first run from `run` on that has open positions. */
static uint32_t next_live(const kz_dobutsu_strips *strips, uint32_t run, uint32_t end) {
    while (run < end && !strips->live[run]) {
        run++;
    }
    return run;
}

/* A run to visit, and those of its targets that are asked. */
typedef struct visit {
    uint32_t run;
    unsigned count;
    uint32_t targets[KZ_DOBUTSU_TARGETS_MOST + 1];
} visit;

/* Lists what a run asks for losses, or wins, and fetches it. Returns whether there is something to do. */
static bool prepare(const kz_dobutsu_strips *strips, uint32_t run, bool wins, visit *v) {
    v->run = run;
    v->count = 0;
    if (wins) {
        v->count = list_marked(strips, run, strips->new_losses, v->targets);
        prefetch_strips(v->targets, v->count, strips->lost);
    } else if (touches(strips, run, strips->new_wins)) {
        v->count = strips->target_count[run];
        prefetch_strips(&strips->targets[strips->first_target[run]], v->count, strips->open);
    }
    return v->count > 0 || (wins && strips->new_losses[run]);
}

uint64_t kz_dobutsu_strips_sweep(kz_dobutsu_strips *strips, int n, uint64_t begin, uint64_t end) {
    enum { AHEAD = 2, VISITS = 4 };
    const uint32_t *slices = strips->retro->space->slices;
    uint32_t first = slices[begin];
    uint32_t last = slices[end];
    bool wins = n % 2;
    visit visits[VISITS]; /* those whose strips are on their way, in turn */
    uint64_t decided = 0;
    kz_dobutsu_waiting waiting;
    waiting.count = waiting.size = 0;
    memset((wins ? strips->new_wins : strips->new_losses) + first, 0, last - first);
    uint32_t next = next_live(strips, first, last);
    unsigned prepared = 0;
    for (unsigned done = 0;; done++) {
        for (; next < last && prepared <= done + AHEAD; next = next_live(strips, next + 1, last)) {
            prepared += prepare(strips, next, wins, &visits[prepared % VISITS]);
        }
        if (done == prepared) {
            return decided + write_waiting(strips, &waiting, n);
        }
        const visit *v = &visits[done % VISITS];
        /* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.ArraySubscript): fewer are done than are prepared */
        if (wins && strips->new_losses[v->run]) {
            strips->live[v->run] = take_away(&strips->open[v->run], &strips->lost[v->run]);
        }
        if (v->count > 0 && strips->live[v->run]) {
            decided += wins ? find_wins(strips, v->run, v->targets, v->count, n, &waiting)
                            : find_losses(strips, v->run, n, &waiting);
        }
    }
}
