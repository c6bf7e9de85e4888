/* SPDX-License-Identifier: MIT */
#include "dobutsu/retro.h"

#include "base/bigmem.h"
#include "base/bits.h"
#include "base/error.h"
#include "base/gamedef.h"
#include "dobutsu/rules.h"

#include <stdlib.h>
#include <string.h>

enum {
    LINES = KZ_DOBUTSU_INDEX_SIZE / KZ_LINE + 1,
    CELLS = LINES * KZ_LINE /* the last line is complete, so that lines can be read as a whole */
};

kz_retro *kz_retro_new(int rules) {
    kz_retro *retro = calloc(1, sizeof *retro);
    if (!retro) {
        return NULL;
    }
    retro->rules = rules;
    retro->space = kz_space_new();
    retro->unmoves = malloc(sizeof *retro->unmoves);
    retro->cells = kz_big_alloc(CELLS);
    retro->fresh[0] = calloc(LINES, 1);
    retro->fresh[1] = calloc(LINES, 1);
    bool simplified = rules == KZ_DOBUTSU_SIMPLIFIED;
    if (simplified) {
        retro->odd_ones = calloc(KZ_DOBUTSU_INDEX_SIZE / 64 + 1, sizeof *retro->odd_ones);
    }
    if (!retro->space || !retro->unmoves || !retro->cells || !retro->fresh[0] || !retro->fresh[1] ||
        (simplified && !retro->odd_ones)) {
        kz_retro_free(retro);
        return NULL;
    }
    kz_unmoves_fill(retro->unmoves);
    return retro;
}

void kz_retro_free(kz_retro *retro) {
    if (retro) {
        kz_space_free(retro->space);
        free(retro->unmoves);
        kz_big_free((void *)retro->cells, CELLS);
        free((void *)retro->odd_ones);
        free((void *)retro->fresh[0]);
        free((void *)retro->fresh[1]);
        free(retro);
    }
}

/* ---- Cells ------------------------------------------------------------------------------------------------------- */

static inline uint8_t cell_load(const kz_retro *retro, uint32_t index) {
    return atomic_load_explicit(&retro->cells[index], memory_order_relaxed);
}

static inline void cell_store(kz_retro *retro, uint32_t index, int value) {
    atomic_store_explicit(&retro->cells[index], (uint8_t)value, memory_order_relaxed);
}

/* Official parity: wins are odd, losses even. */
static inline bool is_odd_one(bool win, int n) { return win != (n & 1); }

static inline bool odd_one(const kz_retro *retro, uint32_t index) {
    return retro->odd_ones &&
           (atomic_load_explicit(&retro->odd_ones[index / 64], memory_order_relaxed) >> (index % 64) & 1);
}

/* Writes a decision down: value, parity, and the mark that makes the next phase look here. */
static inline void decide(kz_retro *retro, uint32_t index, bool win, int n) {
    cell_store(retro, index, n == 1 ? KZ_CELL_STALEMATE : n);
    if (retro->odd_ones && is_odd_one(win, n)) {
        atomic_fetch_or_explicit(&retro->odd_ones[index / 64], UINT64_C(1) << (index % 64), memory_order_relaxed);
    }
    atomic_store_explicit(&retro->fresh[n & 1][index / KZ_LINE], 1, memory_order_relaxed);
}

/* ---- Going back from the positions of one block
 * ---------------------------------------------------------------------- */

/* What is done to each position that a move is taken back to. */
enum effect {
    COUNT,  /* one more move that may save it */
    REFUTE, /* one less; with none left it is lost in n */
    WIN     /* won in n */
};

/* A position lies anywhere in 232 MB. So positions are asked for as they are found, and worked on in batches, when most of
 * them have arrived. */
enum { BATCH = 512 };

typedef struct worker {
    kz_retro *retro;
    enum effect effect;
    int n;
    unsigned waiting;
    uint32_t batch[BATCH];
} worker;

static inline void take_effect(worker *w, enum effect effect, uint32_t index) {
    kz_retro *retro = w->retro;
    uint8_t seen = cell_load(retro, index);
    if (seen < KZ_CELL_OPEN) {
        return;
    }
    if (effect == COUNT) {
        atomic_fetch_add_explicit(&retro->cells[index], 1, memory_order_relaxed);
    } else if (effect == WIN) {
        decide(retro, index, true, w->n);
    } else if (atomic_fetch_sub_explicit(&retro->cells[index], 1, memory_order_relaxed) == KZ_CELL_OPEN + 1) {
        decide(retro, index, false, w->n);
    }
}

static void work_off(worker *w, enum effect effect) {
    for (unsigned i = 0; i < w->waiting; i++) {
        take_effect(w, effect, w->batch[i]);
    }
    w->waiting = 0;
}

static inline void visit(worker *w, enum effect effect, uint32_t index) {
    __builtin_prefetch((const void *)&w->retro->cells[index], 1);
    w->batch[w->waiting++] = index;
    if (w->waiting == BATCH) {
        work_off(w, effect);
    }
}

/* The positions that a block's sources have in common, and their chicks, plain and mirrored. All seen by the side that
 * moved. */
typedef struct source {
    int own_lion;
    int enemy_lion;
    unsigned elephants;
    unsigned giraffes;
    unsigned taken;
    unsigned count;
    unsigned holding; /* how many, at the beginning of the list, have a chick in the own hand */
    struct {
        kz_slot slot;
        uint16_t state;
    } chicks[2][KZ_CHICK_STATES];
} source;

static inline void visit_chicks(worker *w, enum effect effect, const source *s, const kz_target *target) {
    for (unsigned i = 0; i < s->count; i++) {
        unsigned rank = kz_target_rank(w->retro->space, target, &s->chicks[target->mirrored][i].slot,
                                       s->chicks[target->mirrored][i].state);
        if (rank != KZ_NO_STATE) {
            visit(w, effect, target->base + rank);
        }
    }
}

static inline void visit_state(worker *w, enum effect effect, const kz_target *target, unsigned chicks) {
    if (chicks == KZ_NO_STATE) {
        return;
    }
    const kz_space *space = w->retro->space;
    chicks = target->mirrored ? space->chick_mirror[chicks] : chicks;
    unsigned rank = kz_target_rank(space, target, &space->chick_slot[chicks], chicks);
    if (rank != KZ_NO_STATE) {
        visit(w, effect, target->base + rank);
    }
}

/* A lion, elephant or giraffe goes back from `to`, with everything that it may have captured there. */
static inline void visit_step(worker *w, enum effect effect, const source *s, int own_lion, unsigned elephants,
                              unsigned giraffes, int to) {
    const kz_space *space = w->retro->space;
    const kz_unmoves *unmoves = w->retro->unmoves;
    kz_target target;
    if (kz_space_target(space, own_lion, s->enemy_lion, elephants, giraffes, &target)) {
        visit_chicks(w, effect, s, &target);
        for (unsigned i = 0; i < s->holding; i++) {
            const uint16_t *back = unmoves->chick_returned[s->chicks[0][i].state][to];
            visit_state(w, effect, &target, back[0]);
            visit_state(w, effect, &target, back[1]);
        }
    }
    unsigned back = unmoves->plain_returned[elephants][to];
    if (back != KZ_NO_STATE && kz_space_target(space, own_lion, s->enemy_lion, back, giraffes, &target)) {
        visit_chicks(w, effect, s, &target);
    }
    back = unmoves->plain_returned[giraffes][to];
    if (back != KZ_NO_STATE && kz_space_target(space, own_lion, s->enemy_lion, elephants, back, &target)) {
        visit_chicks(w, effect, s, &target);
    }
}

static inline void visit_chick_moves(worker *w, enum effect effect, const source *s) {
    const kz_space *space = w->retro->space;
    const kz_unmoves *unmoves = w->retro->unmoves;
    kz_target quiet = {0};
    kz_target took_elephant[KZ_DOBUTSU_SQUARES];
    kz_target took_giraffe[KZ_DOBUTSU_SQUARES];
    unsigned elephant_known = 0;
    unsigned giraffe_known = 0;
    unsigned elephant_possible = 0;
    unsigned giraffe_possible = 0;
    kz_space_target(space, s->own_lion, s->enemy_lion, s->elephants, s->giraffes, &quiet);
    for (unsigned i = 0; i < s->count; i++) {
        const kz_unmove_list *list = &unmoves->chick[s->chicks[0][i].state];
        for (unsigned k = 0; k < list->count; k++) {
            const kz_unmove *unmove = &list->unmoves[k];
            unsigned to = unmove->to;
            visit_state(w, effect, &quiet, unmove->state);
            if (unmove->from == KZ_FROM_HAND || (s->taken >> unmove->from & 1)) {
                continue;
            }
            if (!(elephant_known >> to & 1)) {
                unsigned back = unmoves->plain_returned[s->elephants][to];
                bool possible = back != KZ_NO_STATE && kz_space_target(space, s->own_lion, s->enemy_lion, back,
                                                                       s->giraffes, &took_elephant[to]);
                elephant_known |= 1U << to;
                elephant_possible |= (unsigned)possible << to;
            }
            if (!(giraffe_known >> to & 1)) {
                unsigned back = unmoves->plain_returned[s->giraffes][to];
                bool possible = back != KZ_NO_STATE && kz_space_target(space, s->own_lion, s->enemy_lion, s->elephants,
                                                                       back, &took_giraffe[to]);
                giraffe_known |= 1U << to;
                giraffe_possible |= (unsigned)possible << to;
            }
            if (elephant_possible >> to & 1) {
                visit_state(w, effect, &took_elephant[to], unmove->state);
            }
            if (giraffe_possible >> to & 1) {
                visit_state(w, effect, &took_giraffe[to], unmove->state);
            }
        }
        const kz_unmove_list *took = &unmoves->chick_took_chick[s->chicks[0][i].state];
        for (unsigned k = 0; k < took->count; k++) {
            visit_state(w, effect, &quiet, took->unmoves[k].state);
        }
    }
}

static inline __attribute__((always_inline)) void go_back(worker *w, enum effect effect, const source *s) {
    const kz_space *space = w->retro->space;
    const kz_unmoves *unmoves = w->retro->unmoves;
    kz_target target;
    for (unsigned from = unmoves->lion[s->own_lion] & ~s->taken; from; from &= from - 1) {
        int square = (int)kz_lowest_bit32(from);
        if (space->lion_class[square][s->enemy_lion] < KZ_LION_CLASSES_SOLVED) {
            visit_step(w, effect, s, square, s->elephants, s->giraffes, s->own_lion);
        }
    }
    for (int kind = KZ_ELEPHANT; kind <= KZ_GIRAFFE; kind++) {
        bool elephant = kind == KZ_ELEPHANT;
        const kz_unmove_list *list = elephant ? &unmoves->elephant[s->elephants] : &unmoves->giraffe[s->giraffes];
        for (unsigned i = 0; i < list->count; i++) {
            const kz_unmove *unmove = &list->unmoves[i];
            unsigned elephants = elephant ? unmove->state : s->elephants;
            unsigned giraffes = elephant ? s->giraffes : unmove->state;
            if (unmove->from == KZ_FROM_HAND) {
                if (kz_space_target(space, s->own_lion, s->enemy_lion, elephants, giraffes, &target)) {
                    visit_chicks(w, effect, s, &target);
                }
            } else if (!(s->taken >> unmove->from & 1)) {
                visit_step(w, effect, s, s->own_lion, elephants, giraffes, unmove->to);
            }
        }
    }
    visit_chick_moves(w, effect, s);
}

/* The block as the side that moved sees it; chicks are added by add_source. */
static void source_of(const kz_space *space, const kz_block *block, source *s) {
    s->own_lion = KZ_DOBUTSU_SQUARES - 1 - space->enemy_lion[block->lion_class];
    s->enemy_lion = KZ_DOBUTSU_SQUARES - 1 - space->own_lion[block->lion_class];
    s->elephants = space->plain_flip[block->elephants];
    s->giraffes = space->plain_flip[block->giraffes];
    const kz_footprint *e = &space->elephant[s->elephants];
    const kz_footprint *g = &space->giraffe[s->giraffes];
    s->taken = 1U << s->own_lion | 1U << s->enemy_lion | e->own | e->enemy | g->own | g->enemy;
    s->count = 0;
    s->holding = 0;
}

static inline void add_source(const kz_retro *retro, source *s, unsigned chicks) {
    const kz_space *space = retro->space;
    unsigned seen = space->chick_flip[chicks];
    unsigned at = s->count++;
    if (retro->unmoves->chick_held[seen]) { /* those come first */
        for (int image = 0; image < 2; image++) {
            s->chicks[image][at] = s->chicks[image][s->holding];
        }
        at = s->holding++;
    }
    unsigned image = space->chick_mirror[seen];
    s->chicks[0][at].state = (uint16_t)seen;
    s->chicks[0][at].slot = space->chick_slot[seen];
    s->chicks[1][at].state = (uint16_t)image;
    s->chicks[1][at].slot = space->chick_slot[image];
}

/* ---- The kernels
 * ----------------------------------------------------------------------------------------------------- */

/* Far-row squares that the lion can step onto and stay, as far as all but the chicks are concerned. */
static unsigned safe_tries(const kz_space *space, const kz_block *block) {
    int own_lion = space->own_lion[block->lion_class];
    int enemy_lion = space->enemy_lion[block->lion_class];
    const kz_footprint *e = &space->elephant[block->elephants];
    const kz_footprint *g = &space->giraffe[block->giraffes];
    unsigned far_row = 7U << 9;
    return far_row & kz_dobutsu_steps(KZ_LION, own_lion) & ~(unsigned)(e->own | g->own) &
           ~(unsigned)(e->enemy_attacks | g->enemy_attacks) & ~kz_dobutsu_steps(KZ_LION, enemy_lion);
}

/* Whether some safe Try leaves the opponent without a single move: by the simplified rules that wins a ply earlier than
 * other Tries. Hardly any position has an opponent with all his pieces on the board and his lion shut in by them. */
static bool try_stalemates(const kz_space *space, const kz_block *block, unsigned chicks, uint32_t offset,
                           unsigned tries) {
    int enemy_lion = space->enemy_lion[block->lion_class];
    unsigned enemy =
        space->elephant[block->elephants].enemy | space->giraffe[block->giraffes].enemy | space->chick[chicks].enemy;
    if (kz_dobutsu_steps(KZ_LION, enemy_lion) & ~enemy & ~tries) {
        return false;
    }
    kz_move moves[KZ_MAX_MOVES];
    for (; tries; tries &= tries - 1) {
        kz_dobutsu position;
        kz_space_unrank(space, block->base + offset, &position);
        int own_lion = space->own_lion[block->lion_class];
        kz_dobutsu_play(&position, kz_dobutsu_move(own_lion, (int)kz_lowest_bit32(tries)));
        if (kz_dobutsu_moves(KZ_DOBUTSU_SIMPLIFIED, &position, moves) == 0) {
            return true;
        }
    }
    return false;
}

/* Whether the mover has no move. That takes an empty hand and a lion among its own pieces, so hardly any position gets
 * as far as the list of moves. */
static bool is_blocked(const kz_space *space, const kz_block *block, unsigned chicks, uint32_t offset) {
    int own_lion = space->own_lion[block->lion_class];
    unsigned own =
        space->elephant[block->elephants].own | space->giraffe[block->giraffes].own | space->chick[chicks].own;
    if (kz_dobutsu_steps(KZ_LION, own_lion) & ~own) {
        return false;
    }
    kz_dobutsu position;
    kz_move moves[KZ_MAX_MOVES];
    kz_space_unrank(space, block->base + offset, &position);
    return kz_dobutsu_moves(KZ_DOBUTSU_SIMPLIFIED, &position, moves) == 0;
}

void kz_retro_start(kz_retro *retro, uint64_t begin, uint64_t end) {
    const kz_space *space = retro->space;
    bool official = retro->rules == KZ_DOBUTSU_OFFICIAL;
    for (uint64_t b = begin; b < end; b++) {
        const kz_block *block = &space->blocks[b];
        unsigned prey = 1U << space->enemy_lion[block->lion_class];
        const uint16_t *states = space->chick_state[kz_space_row(space, block)];
        unsigned tries = safe_tries(space, block);
        if ((space->elephant[block->elephants].own_attacks | space->giraffe[block->giraffes].own_attacks) & prey) {
            memset((void *)&retro->cells[block->base], 1, block->size);
            continue;
        }
        for (unsigned i = 0; i < block->size; i++) {
            const kz_footprint *chicks = &space->chick[states[i]];
            unsigned safe = tries & ~(unsigned)(chicks->own | chicks->enemy_attacks);
            bool captures = chicks->own_attacks & prey;
            if (captures || (official && safe)) {
                cell_store(retro, block->base + i, 1);
            } else if (is_blocked(space, block, states[i], i)) {
                decide(retro, block->base + i, false, 0);
            } else if (safe) {
                decide(retro, block->base + i, true, try_stalemates(space, block, states[i], i, safe) ? 1 : 2);
            } else {
                cell_store(retro, block->base + i, KZ_CELL_OPEN);
            }
        }
    }
}

void kz_retro_count(kz_retro *retro, uint64_t begin, uint64_t end) {
    const kz_space *space = retro->space;
    worker w = {.retro = retro, .effect = COUNT};
    source s;
    for (uint64_t b = begin; b < end; b++) {
        const kz_block *block = &space->blocks[b];
        const uint16_t *states = space->chick_state[kz_space_row(space, block)];
        source_of(space, block, &s);
        for (unsigned i = 0; i < block->size; i++) {
            uint8_t cell = cell_load(retro, block->base + i);
            if (cell != 1 && cell != KZ_CELL_STALEMATE && cell != 0) {
                add_source(retro, &s, states[i]);
            }
        }
        if (s.count) {
            go_back(&w, COUNT, &s);
        }
    }
    work_off(&w, w.effect);
}

void kz_retro_settle(kz_retro *retro, uint64_t begin, uint64_t end) {
    for (uint64_t b = begin; b < end; b++) {
        const kz_block *block = &retro->space->blocks[b];
        for (uint32_t index = block->base; index < block->base + block->size; index++) {
            if (cell_load(retro, index) == KZ_CELL_OPEN) {
                decide(retro, index, false, 2);
            }
        }
    }
}

void kz_retro_clear(kz_retro *retro, int n) {
    memset((void *)retro->fresh[n & 1], 0, LINES);
}

/* The set of positions of a line that hold the byte n. Eight bytes at a time: of x = bytes ^ n the zero bytes are wanted;
 * adding 0x7F to the lower seven bits of a byte sets its highest bit unless they are zero. */
static uint64_t find_in_line(const kz_retro *retro, uint32_t line, int n) {
    const uint64_t low = UINT64_C(0x7F7F7F7F7F7F7F7F);
    uint64_t found = 0;
    for (unsigned i = 0; i < KZ_LINE / 8; i++) {
        uint64_t bytes;
        memcpy(&bytes, (const void *)&retro->cells[line * KZ_LINE + 8 * i], sizeof bytes);
        uint64_t x = kz_load_le64((const uint8_t *)&bytes) ^ (uint64_t)n * UINT64_C(0x0101010101010101);
        uint64_t zero = ~(((x & low) + low) | x | low) >> 7;
        found |= (zero * UINT64_C(0x0102040810204080) >> 56) << (8 * i); /* gathers the eight bits */
    }
    return found;
}

/* Collects the positions of the block that were won (lost) in n. */
static void find_sources(const kz_retro *retro, const kz_block *block, bool odd, int n, source *s) {
    const kz_space *space = retro->space;
    const uint16_t *states = NULL;
    uint32_t end = block->base + block->size;
    s->count = 0;
    for (uint32_t line = block->base / KZ_LINE; line <= (end - 1) / KZ_LINE; line++) {
        if (!atomic_load_explicit(&retro->fresh[n & 1][line], memory_order_relaxed)) {
            continue;
        }
        for (uint64_t found = find_in_line(retro, line, n); found; found &= found - 1) {
            uint32_t index = line * KZ_LINE + kz_lowest_bit64(found);
            if (index < block->base || index >= end || odd_one(retro, index) != odd) {
                continue;
            }
            if (!states) {
                states = space->chick_state[kz_space_row(space, block)];
                source_of(space, block, s);
            }
            add_source(retro, s, states[index - block->base]);
        }
    }
}

uint64_t kz_retro_spread(kz_retro *retro, bool wins, int n, uint64_t begin, uint64_t end) {
    worker w = {.retro = retro, .effect = wins ? REFUTE : WIN, .n = n + 1};
    uint64_t sources = 0;
    source s;
    for (uint64_t b = begin; b < end; b++) {
        find_sources(retro, &retro->space->blocks[b], is_odd_one(wins, n), n, &s);
        if (s.count) {
            sources += s.count;
            if (wins) {
                go_back(&w, REFUTE, &s);
            } else {
                go_back(&w, WIN, &s);
            }
        }
    }
    work_off(&w, w.effect);
    return sources;
}

/* ---- What the solver layer sees ------------------------------------------------------------------------------------
 */

static kz_value value_of_cell(int cell, bool odd) {
    if (cell >= KZ_CELL_OPEN) {
        return (kz_value){KZ_DRAW, 0};
    }
    if (cell == KZ_CELL_STALEMATE) {
        return (kz_value){KZ_WIN, 1};
    }
    bool win = (cell & 1) != odd;
    return (kz_value){win ? KZ_WIN : KZ_LOSS, cell};
}

kz_value kz_retro_value(const kz_retro *retro, uint64_t index) {
    return value_of_cell(cell_load(retro, (uint32_t)index), odd_one(retro, (uint32_t)index));
}

static void *solver_open(int rules, kz_error *error) {
    kz_retro *retro = kz_retro_new(rules);
    if (!retro) {
        kz_fail(error, KZ_ERR_MEMORY, "no memory to solve Dobutsu Shogi: it takes about 400 MB");
    }
    return retro;
}

static void solver_close(void *solver) { kz_retro_free(solver); }

static uint64_t solver_units(const void *solver) { return ((const kz_retro *)solver)->space->solved_blocks; }

static void solver_start(void *solver, uint64_t begin, uint64_t end) { kz_retro_start(solver, begin, end); }

static void solver_count(void *solver, uint64_t begin, uint64_t end) { kz_retro_count(solver, begin, end); }

static void solver_settle(void *solver, uint64_t begin, uint64_t end) { kz_retro_settle(solver, begin, end); }

static uint64_t solver_spread(void *solver, bool wins, int n, uint64_t begin, uint64_t end) {
    return kz_retro_spread(solver, wins, n, begin, end);
}

static void solver_clear(void *solver, int n) { kz_retro_clear(solver, n); }

static kz_value solver_value(const void *solver, uint64_t index) { return kz_retro_value(solver, index); }

static void solver_tally(const void *solver, uint64_t begin, uint64_t end, uint64_t losses[KZ_MAX_DISTANCE + 1],
                         uint64_t wins[KZ_MAX_DISTANCE + 1], uint64_t *draws) {
    const kz_retro *retro = solver;
    uint64_t cells[2][256] = {0}; /* [odd one] */
    for (uint64_t index = begin; index < end; index++) {
        cells[odd_one(retro, (uint32_t)index)][cell_load(retro, (uint32_t)index)]++;
    }
    for (int odd = 0; odd < 2; odd++) {
        for (int cell = 0; cell < 256; cell++) {
            kz_value value = value_of_cell(cell, odd);
            uint64_t *count = value.outcome == KZ_DRAW  ? draws
                              : value.outcome == KZ_WIN ? &wins[value.distance]
                                                        : &losses[value.distance];
            *count += cells[odd][cell];
        }
    }
}

static void solver_losses(const void *solver, uint64_t begin, uint64_t end, uint8_t *out) {
    const kz_retro *retro = solver;
    uint8_t stored[2][256];
    for (int odd = 0; odd < 2; odd++) {
        for (int cell = 0; cell < 256; cell++) {
            kz_value value = value_of_cell(cell, odd);
            stored[odd][cell] = value.outcome == KZ_LOSS ? (uint8_t)(value.distance + 1) : 0;
        }
    }
    for (uint64_t index = begin; index < end; index++) {
        *out++ = stored[odd_one(retro, (uint32_t)index)][cell_load(retro, (uint32_t)index)];
    }
}

extern const kz_solver_ops kz_dobutsu_solver;
const kz_solver_ops kz_dobutsu_solver = {
    .open = solver_open,
    .close = solver_close,
    .units = solver_units,
    .start = solver_start,
    .count = solver_count,
    .settle = solver_settle,
    .spread = solver_spread,
    .clear = solver_clear,
    .value = solver_value,
    .tally = solver_tally,
    .losses = solver_losses,
};
