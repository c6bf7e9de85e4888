/* SPDX-License-Identifier: MIT
 *
 * Step 1 of a sweep (slice.h): what each own set of a slice reaches by its pushes alone. Compiled like slice_turns.h.
 */
#ifndef KZ_PUSHFIGHT_SLICE_SEED_H
#define KZ_PUSHFIGHT_SLICE_SEED_H

#include "games/pushfight/solve/slice_turns.h"

enum { LEGAL_SHIFT = 8 };

/* Phase 0 asks for each (O, rho, alpha) whether some push throws a piece off the board, and whether there is a push at
 * all: neither depends on sigma. So a word has other lanes here: bit alpha for the first question, and bit LEGAL_SHIFT
 * + alpha for the second.
 *
 * A push is legal for all alpha whose piece is not in the line that is pushed: the anchored piece can't be moved. And
 * it is legal for all rho in which the piece that pushes is a pusher. `list` has the own sets to look at; NULL: all. */
static inline void seed_start(kz_pf_slice *slice, uint32_t enemy, const uint32_t *list, uint32_t count) {
    const kz_pf_tables *tables = slice->tables;
    const kz_pf_space *space = tables->space;
    uint32_t open = space->board->squares & ~enemy;
    uint32_t alphas = (UINT32_C(1) << space->pieces) - 1;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t o = list ? list[k] : k;
        uint32_t own = unpack(space->others.patterns[o], open);
        uint32_t taken = own | enemy;
        element e = nothing();
        for (kz_pf_direction d = 0; d < KZ_PF_DIRECTIONS; d++) {
            for (uint32_t pushers = against(own, taken, d); pushers; pushers &= pushers - 1) {
                unsigned square = kz_lowest_bit32(pushers);
                push p = find_push(tables, d, square, own, taken);
                if (p.line) {
                    uint32_t lanes = alphas & ~pack(p.line & enemy, enemy); /* those whose anchor is not pushed */
                    unsigned pusher = kz_popcount32(own & ((UINT32_C(1) << square) - 1));
                    lanes = lanes << LEGAL_SHIFT | (p.falls ? lanes : 0);
                    e = with_lanes(e, tables->pusher_words[pusher], lanes);
                }
            }
        }
        store(slice->now + (size_t)o * KZ_PF_WORDS, e);
    }
}

/* Pushes of one element after the other, in batches: what a push leads to is anywhere in the pages, so all addresses of
 * a batch are worked out and fetched before the first one is read. */
enum { SEEDED = 16, MOST_PUSHES = SEEDED * KZ_PF_MOST_PIECES * KZ_PF_DIRECTIONS };

/* A push, on its way to the run that it leads to.
 *
 * After the push the sides change. E, with the pieces in the line shifted, is the own set of the successor: that is the
 * page, target. The own pieces, shifted as well, are its enemy set: that is the pair in the page, `rank`. The pusher
 * has the anchor then: that is alpha there. So of the successor's pair only the bits and the runs of this alpha matter,
 * one run for each rho of the successor. Of a run the bits are its sigmas:
 *
 *     here:   own pieces: pusher, others (rho)    enemy pieces: anchored, others (alpha, sigma)
 *                    |        |                          |         |
 *     after:       anchor   sigma                        +---rho---+
 *
 * A rho of the successor says which enemy pieces are movers: that selects lanes (target->lanes). A sigma of the
 * successor says which own pieces but the pusher are movers: that selects words of the element (words). */
typedef struct pushed {
    const kz_pf_target *target;
    const uint16_t *words; /* by the sigmas of a run: words of the element */
    uint32_t *element;
    uint32_t after; /* the own pieces after the push */
    uint32_t rank;
    uint32_t shift; /* of the bits of alpha in the pair */
    const uint16_t *runs;
    uint32_t open; /* rhos that have a run */
} pushed;

/* For a batch of own sets: the pieces that can push in a direction without throwing a piece off the board. They stand
 * beside a line of pieces with an empty square at its end. From the empty squares such lines grow backwards, piece by
 * piece. The compiler makes vectors of the sets. */
static inline void find_pushers(const uint32_t *own, uint32_t enemy, uint32_t squares, kz_pf_direction d,
                                uint32_t *pushers) {
    int longest = (d == KZ_PF_LEFT || d == KZ_PF_RIGHT ? KZ_PF_COLUMNS : KZ_PF_ROWS) - 2;
    for (int k = 0; k < SEEDED; k++) {
        uint32_t taken = own[k] | enemy;
        uint32_t lines = taken & kz_pf_step(squares & ~taken, d ^ 1);
        for (int i = 1; i < longest; i++) {
            lines |= taken & kz_pf_step(lines, d ^ 1);
        }
        pushers[k] = own[k] & kz_pf_step(lines, d ^ 1);
    }
}

/* The same for pieces that throw an enemy piece off the board: the line of pieces beside them ends at an edge without a
 * railing, with an enemy piece there. */
static inline void find_throwers(const kz_pf_tables *tables, const uint32_t *own, uint32_t enemy, kz_pf_direction d,
                                 uint32_t *throwers) {
    int longest = (d == KZ_PF_LEFT || d == KZ_PF_RIGHT ? KZ_PF_COLUMNS : KZ_PF_ROWS) - 1;
    for (int k = 0; k < SEEDED; k++) {
        uint32_t taken = own[k] | enemy;
        uint32_t lines = enemy & tables->exits[d];
        for (int i = 1; i < longest; i++) {
            lines |= taken & kz_pf_step(lines, d ^ 1);
        }
        throwers[k] = own[k] & kz_pf_step(lines, d ^ 1);
    }
}

/* What an element reaches by throwing a piece off: these pushes win, whoever has the anchor, but for a piece of the
 * line, which can't be moved. */
static inline element throw_off(const kz_pf_tables *tables, element e, uint32_t own, uint32_t enemy, uint64_t throwers,
                                kz_pf_direction low, kz_pf_direction high) {
    for (; throwers; throwers &= throwers - 1) {
        unsigned number = kz_lowest_bit64(throwers);
        unsigned square = number % KZ_PF_GRID;
        uint32_t line = tables->ray[number >= KZ_PF_GRID ? high : low][square];
        unsigned pusher = kz_popcount32(own & ((UINT32_C(1) << square) - 1));
        e = with_lanes(e, tables->pusher_words[pusher], tables->unmoved_lanes[pack(line & enemy, enemy)]);
    }
    return e;
}

/* The pushes of one element in the directions `low` and `high`, both of them towards higher squares (rising) or towards
 * lower ones; in one loop, because the end of a loop is hard to guess. */
/* NOLINTNEXTLINE(readability-non-const-parameter): the list keeps it, and what it leads to is written */
static inline pushed *list_pushes(kz_pf_slice *slice, uint32_t own, uint32_t enemy, uint32_t *words, uint64_t pushers,
                                  kz_pf_direction low, kz_pf_direction high, const kz_pf_state *state, pushed *list) {
    const kz_pf_tables *tables = slice->tables;
    const kz_pf_space *space = tables->space;
    uint32_t taken = own | enemy;
    uint32_t empty = space->board->squares & ~taken;
    bool rising = low == KZ_PF_RIGHT;
    for (; pushers; pushers &= pushers - 1) {
        unsigned number = kz_lowest_bit64(pushers);
        unsigned square = number % KZ_PF_GRID;
        bool upright = number >= KZ_PF_GRID;
        kz_pf_direction d = upright ? high : low;
        unsigned step = upright ? KZ_PF_COLUMNS : 1;
        uint32_t pusher = UINT32_C(1) << square;
        uint32_t ray = tables->ray[d][square];
        uint32_t line = ray & before_first(ray & empty, rising);
        uint32_t moved = line | pusher;
        uint32_t pattern = pack(line & enemy, enemy);
        const kz_pf_target *target = &slice->targets[d][pattern];
        if (target->known != slice->number) {
            target = find_target(slice, enemy, d, line & enemy, state);
        }
        /* Nothing leaves the board, so a step is a shift. */
        uint32_t shifted = rising ? (own & moved) << step : (own & moved) >> step;
        uint32_t stands = rising ? pusher << step : pusher >> step;
        uint32_t after = (own & ~moved) | shifted;
        /* The number of the pusher among the own pieces, where it stands after the push. */
        unsigned alpha = kz_popcount32(after & (stands - 1));
        alpha = target->rotated ? (unsigned)space->pieces - 1 - alpha : alpha;
        /* A push along a column can carry own pieces past others in the order of the squares; along a row it can't. */
        unsigned order = target->rotated ? tables->reversed_order : tables->same_order;
        if (upright && line & own) {
            order = find_order(own & ~pusher, moved, d, target->rotated);
        }
        *list = (pushed){
            .target = target,
            .words = tables->words[kz_popcount32(own & (pusher - 1))][order],
            .element = words,
            .after = after,
            .rank = either_rank(tables, pack(after, target->open), target->rotated),
            .shift = alpha * (unsigned)space->splits,
        };
        __builtin_prefetch(&target->pairs[list->rank]);
        list++;
    }
    return list;
}

/* Keeps those pushes after which the opponent does not win at once whatever rho is, and finds their runs. */
static inline size_t find_runs(const kz_pf_tables *tables, pushed *list, size_t count) {
    uint32_t split_bits = (UINT32_C(1) << tables->space->splits) - 1;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        pushed p = list[i];
        list[kept] = p;
        kept += (~p.target->pairs[p.rank] >> p.shift & split_bits) != 0;
    }
    for (size_t i = 0; i < kept; i++) {
        pushed *p = &list[i];
        const kz_pf_target *target = p->target;
        uint64_t pair = target->pairs[p->rank];
        uint32_t anchors = pack(anchorable(tables, p->after | target->after), p->after);
        uint64_t open = ~pair & (target->rotated ? tables->allowed_rotated : tables->allowed)[anchors];
        uint64_t run = target->bases[p->rank / KZ_PF_BASE_PAIRS] + (pair >> KZ_PF_WIN_BITS) +
                       kz_popcount64(open & ((UINT64_C(1) << p->shift) - 1));
        p->runs = target->runs + run;
        p->open = (uint32_t)(open >> p->shift) & split_bits;
        __builtin_prefetch(p->runs);
    }
    return kept;
}

/* Adds to an element what a push reaches: the lanes whose successor is not won (when losses are sought), or lost (when
 * wins are). */
static inline void add_push(const pushed *p, bool losses) {
    element e = load(p->element);
    const uint16_t *run = p->runs;
    for (uint32_t rhos = p->open; rhos; rhos &= rhos - 1) {
        /* The thread whose run this is may be writing it: see kz_pf_state. Both bits: decided in this phase, so open.
         */
        unsigned seen = __atomic_load_n(run++, __ATOMIC_RELAXED);
        unsigned won = seen & KZ_PF_STATE_MASK;
        unsigned lost = seen >> KZ_PF_LOSS_SHIFT & KZ_PF_STATE_MASK;
        unsigned reached = losses ? ~(won & ~lost) & KZ_PF_STATE_MASK : lost & ~won;
        if (reached) {
            e = with_lanes(e, p->words[reached], p->target->lanes[kz_lowest_bit32(rhos)]);
        }
    }
    store(p->element, e);
}

/* Both pushers in one word, for loops that can be guessed better. */
static inline uint64_t both(uint32_t low, uint32_t high) { return low | (uint64_t)high << KZ_PF_GRID; }

/* Step 1 of a sweep: what each own set reaches without a move. What is won at once counts as reached in every phase: so
 * the elements only change by what is decided in between. */
static inline void seed_sweep(kz_pf_slice *slice, uint32_t enemy, bool losses, const kz_pf_state *state) {
    const kz_pf_tables *tables = slice->tables;
    const kz_pf_space *space = tables->space;
    uint32_t open = space->board->squares & ~enemy;
    pushed list[MOST_PUSHES];
    uint32_t own[SEEDED] = {0};
    uint32_t pushers[KZ_PF_DIRECTIONS][SEEDED];
    uint32_t throwers[KZ_PF_DIRECTIONS][SEEDED];
    for (uint32_t begin = 0; begin < space->enemy_sets; begin += SEEDED) {
        uint32_t left = space->enemy_sets - begin;
        uint32_t sets = left < SEEDED ? left : SEEDED;
        for (uint32_t k = 0; k < sets; k++) {
            own[k] = unpack(space->others.patterns[begin + k], open);
        }
        find_pushers(own, enemy, space->board->squares, KZ_PF_LEFT, pushers[KZ_PF_LEFT]);
        find_pushers(own, enemy, space->board->squares, KZ_PF_RIGHT, pushers[KZ_PF_RIGHT]);
        find_pushers(own, enemy, space->board->squares, KZ_PF_UP, pushers[KZ_PF_UP]);
        find_pushers(own, enemy, space->board->squares, KZ_PF_DOWN, pushers[KZ_PF_DOWN]);
        find_throwers(tables, own, enemy, KZ_PF_LEFT, throwers[KZ_PF_LEFT]);
        find_throwers(tables, own, enemy, KZ_PF_RIGHT, throwers[KZ_PF_RIGHT]);
        find_throwers(tables, own, enemy, KZ_PF_UP, throwers[KZ_PF_UP]);
        find_throwers(tables, own, enemy, KZ_PF_DOWN, throwers[KZ_PF_DOWN]);
        pushed *last = list;
        for (uint32_t k = 0; k < sets; k++) {
            uint32_t *words = slice->now + (size_t)(begin + k) * KZ_PF_WORDS;
            element e = throw_off(tables, nothing(), own[k], enemy,
                                  both(throwers[KZ_PF_RIGHT][k], throwers[KZ_PF_DOWN][k]), KZ_PF_RIGHT, KZ_PF_DOWN);
            e = throw_off(tables, e, own[k], enemy, both(throwers[KZ_PF_LEFT][k], throwers[KZ_PF_UP][k]), KZ_PF_LEFT,
                          KZ_PF_UP);
            store(words, e);
            last = list_pushes(slice, own[k], enemy, words, both(pushers[KZ_PF_RIGHT][k], pushers[KZ_PF_DOWN][k]),
                               KZ_PF_RIGHT, KZ_PF_DOWN, state, last);
            last = list_pushes(slice, own[k], enemy, words, both(pushers[KZ_PF_LEFT][k], pushers[KZ_PF_UP][k]),
                               KZ_PF_LEFT, KZ_PF_UP, state, last);
        }
        size_t count = find_runs(tables, list, (size_t)(last - list));
        for (size_t i = 0; i < count; i++) {
            add_push(&list[i], losses);
        }
    }
}

#endif
