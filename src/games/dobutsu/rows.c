/* SPDX-License-Identifier: MIT */
#include "games/dobutsu/rows.h"

#include "base/bigmem.h"
#include "base/bits.h"
#include "games/dobutsu/cells.h"
#include "games/dobutsu/rules.h"

#include <stdlib.h>
#include <string.h>

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

enum {
    NO_RUN = KZ_DOBUTSU_TARGET_RUN,
    SLICES_MOST = KZ_DOBUTSU_LION_CLASSES_SOLVED * KZ_DOBUTSU_PLAIN_STATES, /* with those that don't fit */
    DROP = KZ_DOBUTSU_SQUARES                                               /* where a dropped piece comes from */
};

static size_t targets_bytes(const kz_dobutsu_rows *rows) {
    return (size_t)rows->count * KZ_DOBUTSU_TARGETS_A_RUN * sizeof *rows->targets;
}

static size_t plane_bytes(const kz_dobutsu_rows *rows) { return (size_t)rows->count * sizeof(kz_dobutsu_row); }

void kz_dobutsu_rows_free(kz_dobutsu_rows *rows) {
    if (rows) {
        free(rows->row_of);
        free(rows->first_target);
        free(rows->target_count);
        kz_big_free(rows->targets, targets_bytes(rows));
        free(rows->moved[0]);
        free(rows->moved[1]);
        free(rows->captured);
        kz_big_free(rows->not_won, plane_bytes(rows));
        kz_big_free(rows->lost, plane_bytes(rows));
        free(rows->new_losses);
        free(rows->new_wins);
        free(rows);
    }
}

static uint32_t *row_at(const kz_dobutsu_rows *rows, unsigned lion_class, unsigned elephants, unsigned giraffes) {
    return &rows->row_of[((size_t)lion_class * KZ_DOBUTSU_PLAIN_STATES + elephants) * KZ_DOBUTSU_PLAIN_STATES +
                         giraffes];
}

static void number_runs(kz_dobutsu_rows *rows) {
    const kz_dobutsu_space *space = rows->retro->space;
    for (size_t i = 0; i < (size_t)SLICES_MOST * KZ_DOBUTSU_PLAIN_STATES; i++) {
        rows->row_of[i] = NO_RUN;
    }
    for (uint32_t run = 0; run < rows->count; run++) {
        const kz_dobutsu_run *r = &space->runs[run];
        *row_at(rows, r->lion_class, r->elephants, r->giraffes) = run;
    }
}

/* Moves of elephants and giraffes, from those that are taken back. */
static void fill_moves(kz_dobutsu_rows *rows) {
    const kz_dobutsu_unmoves *unmoves = rows->retro->unmoves;
    const kz_dobutsu_unmove_list *lists[2] = {unmoves->elephant, unmoves->giraffe};
    for (int kind = 0; kind < 2; kind++) {
        memset(rows->moved[kind], 0xFF, KZ_DOBUTSU_PLAIN_STATES * sizeof *rows->moved[kind]);
        for (unsigned after = 0; after < KZ_DOBUTSU_PLAIN_STATES; after++) {
            for (unsigned i = 0; i < lists[kind][after].count; i++) {
                const kz_dobutsu_unmove *u = &lists[kind][after].unmoves[i];
                rows->moved[kind][u->state][u->from == KZ_DOBUTSU_FROM_HAND ? DROP : u->from][u->to] = (uint16_t)after;
            }
        }
    }
    memset(rows->captured, 0xFF, KZ_DOBUTSU_PLAIN_STATES * sizeof *rows->captured);
    for (unsigned after = 0; after < KZ_DOBUTSU_PLAIN_STATES; after++) {
        for (int square = 0; square < KZ_DOBUTSU_SQUARES; square++) {
            unsigned before = unmoves->plain_returned[after][square];
            if (before != KZ_DOBUTSU_NO_STATE) {
                rows->captured[before][square] = (uint16_t)after;
            }
        }
    }
}

/* A square, or a set of squares, as the other side sees it. */
static int flip_square(int square) { return KZ_DOBUTSU_SQUARES - 1 - square; }

static unsigned flip_set(unsigned set) {
    unsigned flipped = 0;
    for (; set; set &= set - 1) {
        flipped |= 1U << flip_square((int)kz_lowest_bit32(set));
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

static void fill_tables(kz_dobutsu_row_tables *tables) {
    for (int x = 0; x < KZ_DOBUTSU_SQUARES; x++) {
        for (int y = 0; y < KZ_DOBUTSU_VECTOR_WORDS; y++) {
            bool square = y < KZ_DOBUTSU_SQUARES && x != y;
            tables->side_from[0][x][y] = (uint16_t)(square && x < y ? word_of(x, y) : (unsigned)KZ_DOBUTSU_NO_WORD);
            tables->side_from[1][x][y] = (uint16_t)(square && x > y ? word_of(x, y) : (unsigned)KZ_DOBUTSU_NO_WORD);
        }
    }
    for (int a = 0; a < KZ_DOBUTSU_SQUARES; a++) {
        tables->hen_from[a] = (uint16_t)flip_set(kz_dobutsu_steps(KZ_DOBUTSU_HEN, flip_square(a)));
        fill_lanes(tables->chick_lanes[a], flip_set(kz_dobutsu_steps(KZ_DOBUTSU_CHICK, flip_square(a))));
        fill_lanes(tables->hen_lanes[a], tables->hen_from[a]);
        fill_lanes(tables->lanes_below[a + 1], (2U << a) - 1);
        tables->chick_arrives[a] =
            a / 3 == 0 ? 0x80 : 0x08; /* it is a hen there, or still a chick; the other is held */
        for (int b = 0; b < KZ_DOBUTSU_SQUARES; b++) {
            tables->pair_word[a][b] = (uint8_t)(a == b ? 0 : word_of(a, b));
            tables->hen_to[b] |= (uint16_t)((tables->hen_from[a] >> b & 1) << a);
        }
        for (int mirrored = 0; mirrored < 2; mirrored++) {
            kz_dobutsu_turn *turn = &tables->turns[mirrored];
            int to_a = flip_square(mirrored ? kz_dobutsu_mirror_square(a) : a);
            turn->single_from[to_a] = (uint8_t)a;
            for (int b = a + 1; b < KZ_DOBUTSU_SQUARES; b++) {
                int to_b = flip_square(mirrored ? kz_dobutsu_mirror_square(b) : b);
                turn->from[word_of(to_a, to_b)] = (uint16_t)word_of(a, b);
                turn->swaps.of.pairs[word_of(a, b)] = to_a > to_b ? 0xFFFF : 0;
            }
        }
    }
    for (unsigned bits = 0; bits < 256; bits++) {
        for (unsigned i = 0; i < 8; i++) {
            tables->bytes_of[bits] |= (bits >> i & 1) * (UINT64_C(255) << 8 * i);
        }
    }
}

kz_dobutsu_rows *kz_dobutsu_rows_new(kz_dobutsu_retro *retro) {
    kz_dobutsu_rows *rows = aligned_alloc(_Alignof(kz_dobutsu_rows), sizeof *rows); /* it has vectors */
    if (!rows) {
        return NULL;
    }
    memset(rows, 0, sizeof *rows);
    rows->retro = retro;
    rows->cpu = kz_cpu_level();
    rows->count = retro->space->solved_runs;
    rows->row_of = malloc((size_t)SLICES_MOST * KZ_DOBUTSU_PLAIN_STATES * sizeof *rows->row_of);
    rows->first_target = malloc(rows->count * sizeof *rows->first_target);
    rows->target_count = malloc(rows->count);
    rows->targets = kz_big_alloc(targets_bytes(rows));
    rows->moved[0] = malloc(KZ_DOBUTSU_PLAIN_STATES * sizeof *rows->moved[0]);
    rows->moved[1] = malloc(KZ_DOBUTSU_PLAIN_STATES * sizeof *rows->moved[1]);
    rows->captured = malloc(KZ_DOBUTSU_PLAIN_STATES * sizeof *rows->captured);
    rows->not_won = kz_big_alloc(plane_bytes(rows));
    rows->lost = kz_big_alloc(plane_bytes(rows));
    rows->new_losses = calloc(rows->count, 1);
    rows->new_wins = malloc(rows->count);
    if (!rows->row_of || !rows->first_target || !rows->target_count || !rows->targets || !rows->moved[0] ||
        !rows->moved[1] || !rows->captured || !rows->not_won || !rows->lost || !rows->new_losses || !rows->new_wins) {
        kz_dobutsu_rows_free(rows);
        return NULL;
    }
    memset(rows->new_wins, 1, rows->count); /* what the rules decide */
    number_runs(rows);
    fill_moves(rows);
    fill_tables(&rows->tables);
    return rows;
}

/* ---- Where moves lead -------------------------------------------------------------------------------------------- */

/* A run with what its targets are found from, as the side to move sees it. */
typedef struct listing {
    const kz_dobutsu_rows *rows;
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
    const kz_dobutsu_space *space = l->rows->retro->space;
    int own = flip_square(l->enemy_lion);
    int enemy = flip_square(own_lion);
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
    uint32_t run = *row_at(l->rows, lion_class, elephants, giraffes);
    if (run == NO_RUN) {
        return;
    }
    unsigned seen = KZ_DOBUTSU_TARGET_NO_SQUARE;
    if (square >= 0) {
        seen = (unsigned)(mirrored ? kz_dobutsu_mirror_square(flip_square(square)) : flip_square(square));
    }
    l->targets[l->count++] = run | (mirrored ? (uint32_t)KZ_DOBUTSU_TARGET_MIRRORED : 0) |
                             seen << KZ_DOBUTSU_TARGET_SQUARE_SHIFT | kind << KZ_DOBUTSU_TARGET_KIND_SHIFT;
}

/* The states after a capture on a square, if there is an elephant or a giraffe of the enemy. Returns whether. */
static bool capture(const listing *l, int to, unsigned states[2]) {
    for (int kind = 0; kind < 2; kind++) {
        if (l->enemy[kind] >> to & 1) {
            states[kind] = l->rows->captured[states[kind]][to];
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
            states[kind] = l->rows->moved[kind][states[kind]][from][square];
            add_target(l, l->own_lion, states, took ? -1 : square, KZ_DOBUTSU_PIECE_MOVES);
        }
    }
    for (int to = 0; to < KZ_DOBUTSU_SQUARES; to++) {
        unsigned states[2] = {l->states[0], l->states[1]};
        states[kind] = l->rows->moved[kind][states[kind]][DROP][to];
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

static void list_targets(kz_dobutsu_rows *rows, uint32_t run) {
    const kz_dobutsu_space *space = rows->retro->space;
    const kz_dobutsu_run *r = &space->runs[run];
    const kz_dobutsu_footprint *e = &space->elephant[r->elephants];
    const kz_dobutsu_footprint *g = &space->giraffe[r->giraffes];
    listing l = {.rows = rows,
                 .own_lion = space->own_lion[r->lion_class],
                 .enemy_lion = space->enemy_lion[r->lion_class],
                 .states = {r->elephants, r->giraffes},
                 .enemy = {e->enemy, g->enemy}};
    l.own = (unsigned)e->own | g->own | 1U << l.own_lion;
    list_lion_moves(&l);
    list_pair_moves(&l, 0, e->own);
    list_pair_moves(&l, 1, g->own);
    list_chick_moves(&l);
    uint32_t first = atomic_fetch_add_explicit(&rows->targets_used, l.count, memory_order_relaxed);
    rows->first_target[run] = first;
    rows->target_count[run] = (uint8_t)l.count;
    memcpy(&rows->targets[first], l.targets, l.count * sizeof *l.targets);
}

/* ---- Between cells and rows --------------------------------------------------------------------------------------
 *
 * Eight states that follow each other from a multiple of eight on stand on the same squares (space.h). So they have
 * eight cells that follow each other, or none, but where mirror images are folded. */

enum { SINGLES = 16 * KZ_DOBUTSU_PAIR_WORDS, HANDS = SINGLES + 8 * KZ_DOBUTSU_SQUARES, HAND_STATES = 3 };

/* The row as a bit for each state, state 0 the lowest of the first word. */
enum { STATE_WORDS = sizeof(kz_dobutsu_row) / sizeof(uint64_t) };

static void words_of(const kz_dobutsu_row *row, uint64_t words[STATE_WORDS]) {
    uint8_t bytes[sizeof *row];
    memcpy(bytes, row, sizeof bytes);
    for (unsigned word = 0; word < KZ_DOBUTSU_PAIR_WORDS; word++) {
        kz_store_le16(bytes + 2 * word, row->of.pairs[word]); /* all the rest is bytes already */
    }
    for (unsigned i = 0; i < STATE_WORDS; i++) {
        words[i] = kz_load_le64(bytes + 8 * i);
    }
}

static void add_octet(kz_dobutsu_row *row, unsigned octet, unsigned bits) {
    if (octet < SINGLES / 8) {
        row->of.pairs[octet / 2] |= (uint16_t)(bits << octet % 2 * 8);
    } else if (octet < HANDS / 8) {
        row->of.singles[octet - SINGLES / 8] |= (uint8_t)bits;
    } else {
        row->of.hands |= (uint8_t)bits;
    }
}

static uint8_t *cells_at(const kz_dobutsu_rows *rows, uint32_t index) {
    return (uint8_t *)(void *)(uintptr_t)&rows->retro->cells[index]; /* no other thread uses the cells of this run */
}

/* The highest bits of eight bytes. */
static unsigned gather_bits(uint64_t bytes) {
    return (unsigned)(((bytes >> 7 & UINT64_C(0x0101010101010101)) * UINT64_C(0x0102040810204080)) >> 56);
}

static void fill_row(kz_dobutsu_rows *rows, uint32_t run) {
    const kz_dobutsu_space *space = rows->retro->space;
    const kz_dobutsu_run *r = &space->runs[run];
    unsigned ranking = kz_dobutsu_run_chicks(space, r);
    if (r->folded) {
        for (unsigned i = 0; i < r->size; i++) {
            unsigned state = space->chick_state[ranking][i];
            unsigned image = space->chick_mirror[state];
            uint8_t cell = kz_dobutsu_cell_load(rows->retro, r->base + i);
            kz_dobutsu_row *planes[2] = {&rows->not_won[run], &rows->lost[run]};
            for (int plane = 0; plane < 2; plane++) {
                if (cell == 0 || (plane == 0 && cell >= KZ_DOBUTSU_CELL_OPEN)) {
                    add_octet(planes[plane], state / 8, 1U << state % 8);
                    add_octet(planes[plane], image / 8, 1U << image % 8);
                }
            }
        }
        return;
    }
    for (unsigned octet = 0; octet < KZ_DOBUTSU_OCTETS; octet++) {
        unsigned rank = space->octets[ranking][octet];
        if (rank != KZ_DOBUTSU_NO_STATE) {
            bool whole = octet < HANDS / 8;
            uint8_t bytes[8] = {1, 1, 1, 1, 1, 1, 1, 1};
            memcpy(bytes, cells_at(rows, r->base + rank), whole ? 8 : HAND_STATES);
            uint64_t cells = kz_load_le64(bytes);
            const uint64_t low = UINT64_C(0x7F7F7F7F7F7F7F7F);
            unsigned lost = gather_bits(~(((cells & low) + low) | cells)); /* zero bytes */
            add_octet(&rows->not_won[run], octet, lost | gather_bits(cells & cells << 1));
            add_octet(&rows->lost[run], octet, lost);
        }
    }
}

void kz_dobutsu_rows_fill(kz_dobutsu_rows *rows, uint64_t begin, uint64_t end) {
    const uint32_t *slices = rows->retro->space->slices;
    for (uint32_t run = slices[begin]; run < slices[end]; run++) {
        list_targets(rows, run);
        fill_row(rows, run);
    }
}

static uint64_t decide_one_by_one(const kz_dobutsu_rows *rows, const kz_dobutsu_run *r, unsigned ranking,
                                  unsigned octet, unsigned bits, int n) {
    const kz_dobutsu_space *space = rows->retro->space;
    const uint16_t *ranks = r->folded ? space->chick_rank[ranking - space->unfolded_rankings] : space->octets[ranking];
    const kz_dobutsu_run_base base = {.base = r->base, .folded = r->folded, .ranks = ranks};
    uint64_t count = 0;
    for (; bits; bits &= bits - 1) {
        uint32_t index = r->base + kz_dobutsu_chick_rank(&base, octet * 8 + kz_lowest_bit32(bits));
        count += kz_dobutsu_cell_load(rows->retro, index) >= KZ_DOBUTSU_CELL_OPEN;
        kz_dobutsu_cell_store(rows->retro, index, n);
    }
    return count;
}

/* Writes the distance of the states of a row. Returns how many positions they are. */
static uint64_t decide(const kz_dobutsu_rows *rows, uint32_t run, const kz_dobutsu_row *found, int n) {
    const kz_dobutsu_space *space = rows->retro->space;
    const kz_dobutsu_run *r = &space->runs[run];
    unsigned ranking = kz_dobutsu_run_chicks(space, r);
    const uint64_t number = (uint64_t)n * UINT64_C(0x0101010101010101);
    uint64_t count = 0;
    uint64_t words[STATE_WORDS];
    words_of(found, words);
    for (unsigned i = 0; i < STATE_WORDS; i++) {
        while (words[i]) {
            unsigned octet = 8 * i + kz_lowest_bit64(words[i]) / 8;
            unsigned bits = words[i] >> octet % 8 * 8 & 255;
            words[i] &= ~(UINT64_C(255) << octet % 8 * 8);
            if (r->folded || octet == HANDS / 8) {
                count += decide_one_by_one(rows, r, ranking, octet, bits, n);
                continue;
            }
            uint8_t *cells = cells_at(rows, r->base + space->octets[ranking][octet]);
            uint64_t mask = rows->tables.bytes_of[bits];
            kz_store_le64(cells, (kz_load_le64(cells) & ~mask) | (number & mask));
            count += kz_popcount32(bits);
        }
    }
    return count;
}

/* ---- Sweeps ------------------------------------------------------------------------------------------------------ */

static void gather(const kz_dobutsu_rows *rows, uint32_t run, const kz_dobutsu_row *plane, const uint8_t *only,
                   const kz_dobutsu_row *wanted, kz_dobutsu_row *result) {
#ifdef __x86_64__
    if (rows->cpu >= KZ_CPU_AVX512) {
        kz_dobutsu_gather_avx512(rows, run, plane, only, wanted, result);
        return;
    }
    if (rows->cpu >= KZ_CPU_AVX2) {
        kz_dobutsu_gather_avx2(rows, run, plane, only, wanted, result);
        return;
    }
#endif
    kz_dobutsu_gather_plain(rows, run, plane, only, wanted, result);
}

static bool is_empty(const kz_dobutsu_row *row) {
    uint64_t words[sizeof *row / sizeof(uint64_t)];
    uint64_t any = 0;
    memcpy(words, row, sizeof words);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        any |= words[i];
    }
    return any == 0;
}

/* The rows of a run that comes next will be asked for. */
static void prefetch_rows(const kz_dobutsu_rows *rows, uint32_t run, const kz_dobutsu_row *plane) {
    enum { CACHE_LINE = 64 };
    const uint32_t *targets = &rows->targets[rows->first_target[run]];
    for (unsigned i = 0; i < rows->target_count[run]; i++) {
        const uint8_t *row = (const uint8_t *)&plane[targets[i] & KZ_DOBUTSU_TARGET_RUN];
        for (unsigned at = 0; at < sizeof *plane; at += CACHE_LINE) {
            __builtin_prefetch(row + at);
        }
    }
}

/* Whether a run leads to one that is marked. */
static bool touches(const kz_dobutsu_rows *rows, uint32_t run, const uint8_t *marked) {
    const uint32_t *targets = &rows->targets[rows->first_target[run]];
    unsigned any = 0;
    for (unsigned i = 0; i < rows->target_count[run]; i++) {
        any |= marked[targets[i] & KZ_DOBUTSU_TARGET_RUN];
    }
    return any;
}

uint64_t kz_dobutsu_rows_sweep(kz_dobutsu_rows *rows, int n, uint64_t begin, uint64_t end) {
    const uint32_t *slices = rows->retro->space->slices;
    bool wins = n % 2;
    const uint8_t *marked = wins ? rows->new_losses : rows->new_wins;
    uint8_t *fresh = wins ? rows->new_wins : rows->new_losses;
    uint64_t count = 0;
    for (uint32_t run = slices[begin]; run < slices[end]; run++) {
        kz_dobutsu_row *not_won = &rows->not_won[run];
        kz_dobutsu_row *lost = &rows->lost[run];
        kz_dobutsu_row open;
        kz_dobutsu_row found;
        if (!wins && run + 1 < slices[end]) {
            prefetch_rows(rows, run + 1, rows->not_won);
        }
        fresh[run] = 0;
        if (!touches(rows, run, marked)) {
            continue;
        }
        for (int i = 0; i < KZ_DOBUTSU_ROW_VECTORS; i++) {
            open.vectors[i] = not_won->vectors[i] & ~lost->vectors[i];
        }
        if (is_empty(&open)) {
            continue;
        }
        gather(rows, run, wins ? rows->lost : rows->not_won, wins ? marked : NULL, wins ? NULL : &open, &found);
        for (int i = 0; i < KZ_DOBUTSU_ROW_VECTORS; i++) {
            found.vectors[i] = open.vectors[i] & (wins ? found.vectors[i] : ~found.vectors[i]);
        }
        if (is_empty(&found)) {
            continue;
        }
        fresh[run] = 1;
        for (int i = 0; i < KZ_DOBUTSU_ROW_VECTORS; i++) {
            if (wins) { /* the other plane is being read by other threads */
                not_won->vectors[i] &= ~found.vectors[i];
            } else {
                lost->vectors[i] |= found.vectors[i];
            }
        }
        count += decide(rows, run, &found, n);
    }
    return count;
}
