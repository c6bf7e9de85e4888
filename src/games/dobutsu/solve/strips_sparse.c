/* SPDX-License-Identifier: MIT
 *
 * What moves of chicks and captures of chicks lead to, for few states of a strip: one by one, from lists. */
#include "base/bits.h"
#include "games/dobutsu/solve/strips.h"

#include <stdlib.h>
#include <string.h>

/* More states than that are faster with all of the strip at once: measured, and any number gives the same results. */
enum { FEW = 12 };

/* ---- The list of moves ------------------------------------------------------------------------------------------- */

/* Moves are listed by the state after them. This goes through all of them; where there is room it writes them down
 * by the state before. */
typedef struct inversion {
    kz_dobutsu_chick_moves *list;
    const kz_dobutsu_space *space;
    uint32_t used[KZ_DOBUTSU_CHICK_STATES];
} inversion;

static void add_inverse(inversion *v, unsigned before, unsigned after, unsigned square, bool captures) {
    if (v->list->moves) {
        unsigned seen = v->space->chick_flip[after];
        v->list->moves[v->list->first[before] + v->used[before]] = (kz_dobutsu_chick_move){
            .after = {(uint16_t)seen, v->space->chick_mirror[seen]}, .square = (uint8_t)square, .captures = captures};
    }
    v->used[before]++;
}

static void add_all(inversion *v, const kz_dobutsu_unmoves *unmoves) {
    memset(v->used, 0, sizeof v->used);
    for (unsigned after = 0; after < KZ_DOBUTSU_CHICK_STATES; after++) {
        const kz_dobutsu_unmove_list *list = &unmoves->chick[after];
        for (unsigned i = 0; i < list->count; i++) {
            const kz_dobutsu_unmove *u = &list->unmoves[i];
            add_inverse(v, u->state, after, u->to, u->from != KZ_DOBUTSU_FROM_HAND);
        }
        list = &unmoves->chick_took_chick[after];
        for (unsigned i = 0; i < list->count; i++) {
            add_inverse(v, list->unmoves[i].state, after, list->unmoves[i].to, false);
        }
    }
    for (unsigned state = 0; state < KZ_DOBUTSU_CHICK_STATES; state++) {
        v->list->taken[state] = v->list->first[state] + v->used[state];
    }
    for (unsigned after = 0; after < KZ_DOBUTSU_CHICK_STATES; after++) {
        for (unsigned square = 0; square < KZ_DOBUTSU_SQUARES; square++) {
            for (int hen = 0; hen < 2 && unmoves->chick_held[after]; hen++) {
                unsigned before = unmoves->chick_returned[after][square][hen];
                if (before != KZ_DOBUTSU_NO_STATE) {
                    add_inverse(v, before, after, square, false);
                }
            }
        }
    }
}

bool kz_dobutsu_chick_moves_fill(kz_dobutsu_chick_moves *moves, const kz_dobutsu_space *space,
                                 const kz_dobutsu_unmoves *unmoves) {
    inversion v = {.list = moves, .space = space};
    memset(moves, 0, sizeof *moves);
    add_all(&v, unmoves);
    for (unsigned state = 0; state < KZ_DOBUTSU_CHICK_STATES; state++) {
        moves->first[state + 1] = moves->first[state] + v.used[state];
    }
    moves->moves = malloc(moves->first[KZ_DOBUTSU_CHICK_STATES] * sizeof *moves->moves);
    if (moves->moves) {
        add_all(&v, unmoves);
    }
    return moves->moves;
}

void kz_dobutsu_chick_moves_free(kz_dobutsu_chick_moves *moves) { free(moves->moves); }

/* ---- Strips as lists of states ----------------------------------------------------------------------------------- */

enum { SINGLES = 16 * KZ_DOBUTSU_PAIR_WORDS };

/* Where a state's bit is if the strip is taken as bytes. */
static inline unsigned place_of(unsigned state) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return state < SINGLES ? state ^ 8 : state;
#else
    return state;
#endif
}

static inline bool has_state(const kz_dobutsu_strip *strip, unsigned state) {
    unsigned place = place_of(state);
    return ((const uint8_t *)strip)[place / 8] >> place % 8 & 1;
}

static inline void add_state(kz_dobutsu_strip *strip, unsigned state) {
    unsigned place = place_of(state);
    ((uint8_t *)strip)[place / 8] |= (uint8_t)(1U << place % 8);
}

static inline void drop_state(kz_dobutsu_strip *strip, unsigned state) {
    unsigned place = place_of(state);
    ((uint8_t *)strip)[place / 8] &= (uint8_t) ~(1U << place % 8);
}

/* The bits of 64 states that follow each other. */
static inline uint64_t word_of(const kz_dobutsu_strip *strip, unsigned word) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    uint64_t words[KZ_DOBUTSU_STATE_WORDS];
    kz_dobutsu_strip_words(strip, words);
    return words[word];
#else
    uint64_t bits;
    memcpy(&bits, (const uint8_t *)strip + sizeof bits * word, sizeof bits);
    return bits;
#endif
}

/* Lists the states from `first` on; FEW + 1 means that there are more than FEW. */
static inline unsigned list_states(const kz_dobutsu_strip *strip, unsigned first, uint16_t states[FEW]) {
    unsigned count = 0;
    uint64_t hidden = (UINT64_C(1) << first % 64) - 1;
    for (unsigned i = first / 64; i <= KZ_DOBUTSU_CHICK_STATES / 64; i++, hidden = 0) {
        for (uint64_t word = word_of(strip, i) & ~hidden; word; word &= word - 1) {
            if (count == FEW) {
                return FEW + 1;
            }
            states[count++] = (uint16_t)(64 * i + kz_lowest_bit64(word));
        }
    }
    return count;
}

/* ---- Targets by what leads to them ------------------------------------------------------------------------------- */

/* The square of a target as the mover sees it; KZ_DOBUTSU_TARGET_NO_SQUARE: none. */
static inline unsigned square_of(uint32_t target) {
    unsigned square = kz_dobutsu_target_square(target);
    if (square == KZ_DOBUTSU_TARGET_NO_SQUARE) {
        return square;
    }
    return (unsigned)kz_dobutsu_flip_square(kz_dobutsu_is_mirrored(target) ? kz_dobutsu_mirror_square((int)square)
                                                                           : (int)square);
}

/* A state as the other side sees it, in a run: its mirror image if the run holds that. */
static inline unsigned seen_in(const kz_dobutsu_space *space, uint32_t target, unsigned state) {
    return kz_dobutsu_is_mirrored(target) ? space->chick_mirror[state] : state;
}

/* The targets of a run that chicks have to do with. A square has one target at most in which a chick captures a piece
 * there; several pieces may capture a chick on it. */
typedef struct chick_targets {
    const kz_dobutsu_strip *quiet; /* NULL: none */
    bool quiet_mirrored;
    uint16_t capture_squares;
    const kz_dobutsu_strip *captures[KZ_DOBUTSU_SQUARES];
    bool capture_mirrored[KZ_DOBUTSU_SQUARES];
    uint16_t taking_squares;
    unsigned taking;
    uint32_t takes[KZ_DOBUTSU_TARGETS_MOST];
    uint8_t take_squares[KZ_DOBUTSU_TARGETS_MOST];
} chick_targets;

static void sort_targets(const uint32_t *targets, unsigned count, const kz_dobutsu_strip *plane, chick_targets *t) {
    t->quiet = NULL;
    t->capture_squares = t->taking_squares = 0;
    t->taking = 0;
    for (unsigned i = 0; i < count; i++) {
        unsigned square = square_of(targets[i]);
        const kz_dobutsu_strip *strip = &plane[targets[i] & KZ_DOBUTSU_TARGET_RUN];
        if (kz_dobutsu_target_kind(targets[i]) == KZ_DOBUTSU_CHICK_MOVES) {
            t->quiet = strip;
            t->quiet_mirrored = kz_dobutsu_is_mirrored(targets[i]);
        } else if (square == KZ_DOBUTSU_TARGET_NO_SQUARE) {
            continue;
        } else if (kz_dobutsu_target_kind(targets[i]) == KZ_DOBUTSU_CHICK_CAPTURES) {
            t->captures[square] = strip;
            t->capture_mirrored[square] = kz_dobutsu_is_mirrored(targets[i]);
            t->capture_squares |= (uint16_t)(1U << square);
        } else {
            t->takes[t->taking] = targets[i];
            t->take_squares[t->taking++] = (uint8_t)square;
            t->taking_squares |= (uint16_t)(1U << square);
        }
    }
}

static bool leads(const kz_dobutsu_chick_moves *list, const chick_targets *t, const kz_dobutsu_strip *plane,
                  unsigned state) {
    const kz_dobutsu_chick_move *m = &list->moves[list->first[state]];
    const kz_dobutsu_chick_move *taken = &list->moves[list->taken[state]];
    const kz_dobutsu_chick_move *end = &list->moves[list->first[state + 1]];
    for (; m != taken; m++) {
        if (t->quiet && has_state(t->quiet, m->after[t->quiet_mirrored])) {
            return true;
        }
        if (m->captures && (t->capture_squares >> m->square & 1) &&
            has_state(t->captures[m->square], m->after[t->capture_mirrored[m->square]])) {
            return true;
        }
    }
    for (; m != end; m++) {
        for (unsigned i = 0; i < t->taking && (t->taking_squares >> m->square & 1); i++) {
            if (t->take_squares[i] == m->square &&
                has_state(&plane[t->takes[i] & KZ_DOBUTSU_TARGET_RUN], m->after[kz_dobutsu_is_mirrored(t->takes[i])])) {
                return true;
            }
        }
    }
    return false;
}

bool kz_dobutsu_drop_led_by_chicks(const kz_dobutsu_strips *strips, const uint32_t *targets, unsigned count,
                                   const kz_dobutsu_strip *plane, kz_dobutsu_strip *states) {
    uint16_t few[FEW];
    unsigned number = list_states(states, 0, few);
    if (number > FEW) {
        return false;
    }
    chick_targets sorted;
    sort_targets(targets, count, plane, &sorted);
    for (unsigned i = 0; i < number; i++) {
        if (leads(&strips->chick_moves, &sorted, plane, few[i])) {
            drop_state(states, few[i]);
        }
    }
    return true;
}

/* From the states of a target, as the run has them, to those before the moves. */
static void take_back(const kz_dobutsu_strips *strips, uint32_t target, const uint16_t *states, unsigned count,
                      kz_dobutsu_strip *result) {
    const kz_dobutsu_space *space = strips->retro->space;
    const kz_dobutsu_unmoves *unmoves = strips->retro->unmoves;
    unsigned square = square_of(target);
    for (unsigned k = 0; k < count; k++) {
        unsigned after = space->chick_flip[seen_in(space, target, states[k])];
        const kz_dobutsu_unmove_list *list = &unmoves->chick[after];
        if (kz_dobutsu_target_kind(target) == KZ_DOBUTSU_PIECE_MOVES) {
            for (int hen = 0; hen < 2 && unmoves->chick_held[after]; hen++) {
                unsigned before = unmoves->chick_returned[after][square][hen];
                if (before != KZ_DOBUTSU_NO_STATE) {
                    add_state(result, before);
                }
            }
            continue;
        }
        bool quiet = kz_dobutsu_target_kind(target) == KZ_DOBUTSU_CHICK_MOVES;
        for (unsigned i = 0; i < list->count; i++) {
            const kz_dobutsu_unmove *u = &list->unmoves[i];
            if (quiet || (u->to == square && u->from != KZ_DOBUTSU_FROM_HAND)) {
                add_state(result, u->state);
            }
        }
        list = &unmoves->chick_took_chick[after];
        for (unsigned i = 0; quiet && i < list->count; i++) {
            add_state(result, list->unmoves[i].state);
        }
    }
}

bool kz_dobutsu_gather_few_chicks(const kz_dobutsu_strips *strips, const uint32_t *targets, unsigned count,
                                  const kz_dobutsu_strip *plane, kz_dobutsu_strip *result) {
    uint16_t states[FEW];
    for (unsigned i = count; i-- > 0;) { /* moves of chicks come last, and have most states */
        bool piece = kz_dobutsu_target_kind(targets[i]) == KZ_DOBUTSU_PIECE_MOVES;
        if (piece && square_of(targets[i]) == KZ_DOBUTSU_TARGET_NO_SQUARE) {
            continue;
        }
        /* A piece that has captured a chick holds it. */
        unsigned number = list_states(&plane[targets[i] & KZ_DOBUTSU_TARGET_RUN], piece ? SINGLES : 0, states);
        if (number > FEW) {
            return false;
        }
        take_back(strips, targets[i], states, number, result);
    }
    return true;
}
