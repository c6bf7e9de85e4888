/* SPDX-License-Identifier: MIT
 *
 * What the kernels that go over slices have in common: elements, the moves of a turn as dilations, pushes. It is
 * compiled once for each kind of processor. What differs between processors is in the first part, behind a handful of
 * operations on elements; everything else is the same plain C. */
#ifndef KZ_PUSHFIGHT_SLICE_TURNS_H
#define KZ_PUSHFIGHT_SLICE_TURNS_H

#include "games/pushfight/solve/slice_kernels.h"

#include <string.h>

#ifdef __BMI2__
#include <immintrin.h>
#endif

/* ---- What the processor does ------------------------------------------------------------------------------------- */

#ifdef __BMI2__
static inline uint32_t pack(uint32_t squares, uint32_t mask) { return _pext_u32(squares, mask); }
static inline uint32_t unpack(uint32_t packed, uint32_t mask) { return _pdep_u32(packed, mask); }
#else
static inline uint32_t pack(uint32_t squares, uint32_t mask) { return kz_pf_pack(squares, mask); }
static inline uint32_t unpack(uint32_t packed, uint32_t mask) { return kz_pf_unpack(packed, mask); }
#endif

#if defined(__AVX512F__)
typedef __m512i element;
static inline element nothing(void) { return _mm512_setzero_si512(); }
static inline element load(const uint32_t *words) { return _mm512_load_si512(words); }
static inline void store(uint32_t *words, element e) { _mm512_store_si512(words, e); }
static inline element either(element a, element b) { return _mm512_or_si512(a, b); }
static inline element rearranged(element e, const uint32_t *order) {
    return _mm512_permutexvar_epi32(_mm512_loadu_si512(order), e);
}
/* `lanes` go into the words whose bit is set in `words`. */
static inline element with_lanes(element e, uint16_t words, uint32_t lanes) {
    return _mm512_mask_or_epi32(e, words, e, _mm512_set1_epi32((int)lanes));
}
static inline bool is_nothing(element e) { return _mm512_test_epi32_mask(e, e) == 0; }
/* The words that have one of `lanes`, as bits. */
static inline uint32_t words_with(element e, uint32_t lanes) {
    return _mm512_test_epi32_mask(e, _mm512_set1_epi32((int)lanes));
}
#elif defined(__AVX2__)
typedef struct element {
    __m256i low, high;
} element;
static inline element nothing(void) { return (element){_mm256_setzero_si256(), _mm256_setzero_si256()}; }
static inline element load(const uint32_t *words) {
    return (element){_mm256_load_si256((const __m256i *)words), _mm256_load_si256((const __m256i *)(words + 8))};
}
static inline void store(uint32_t *words, element e) {
    _mm256_store_si256((__m256i *)words, e.low);
    _mm256_store_si256((__m256i *)(words + 8), e.high);
}
static inline element either(element a, element b) {
    return (element){_mm256_or_si256(a.low, b.low), _mm256_or_si256(a.high, b.high)};
}
static inline __m256i rearranged_half(element e, __m256i order) {
    __m256i in_high = _mm256_cmpgt_epi32(order, _mm256_set1_epi32(7));
    return _mm256_blendv_epi8(_mm256_permutevar8x32_epi32(e.low, order), _mm256_permutevar8x32_epi32(e.high, order),
                              in_high);
}
static inline element rearranged(element e, const uint32_t *order) {
    return (element){rearranged_half(e, _mm256_loadu_si256((const __m256i *)order)),
                     rearranged_half(e, _mm256_loadu_si256((const __m256i *)(order + 8)))};
}
static inline element with_lanes(element e, uint16_t words, uint32_t lanes) {
    const __m256i bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    __m256i low = _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32(words), bits), bits);
    __m256i high = _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32(words >> 8), bits), bits);
    __m256i all = _mm256_set1_epi32((int)lanes);
    return (element){_mm256_or_si256(e.low, _mm256_and_si256(low, all)),
                     _mm256_or_si256(e.high, _mm256_and_si256(high, all))};
}
static inline bool is_nothing(element e) {
    __m256i any = _mm256_or_si256(e.low, e.high);
    return _mm256_testz_si256(any, any);
}
static inline uint32_t words_without_half(__m256i half, __m256i lanes) {
    __m256i none = _mm256_cmpeq_epi32(_mm256_and_si256(half, lanes), _mm256_setzero_si256());
    return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(none));
}
static inline uint32_t words_with(element e, uint32_t lanes) {
    __m256i all = _mm256_set1_epi32((int)lanes);
    return ~(words_without_half(e.low, all) | words_without_half(e.high, all) << 8) & 0xFFFF;
}
#else
typedef struct element {
    uint32_t word[KZ_PF_WORDS];
} element;
static inline element nothing(void) { return (element){{0}}; }
static inline element load(const uint32_t *words) {
    element e;
    memcpy(e.word, words, sizeof e.word);
    return e;
}
static inline void store(uint32_t *words, element e) { memcpy(words, e.word, sizeof e.word); }
static inline element either(element a, element b) {
    for (int i = 0; i < KZ_PF_WORDS; i++) {
        a.word[i] |= b.word[i];
    }
    return a;
}
static inline element rearranged(element e, const uint32_t *order) {
    element result;
    for (int i = 0; i < KZ_PF_WORDS; i++) {
        result.word[i] = e.word[order[i]];
    }
    return result;
}
static inline element with_lanes(element e, uint16_t words, uint32_t lanes) {
    for (int i = 0; i < KZ_PF_MOST_SPLITS; i++) {
        e.word[i] |= words >> i & 1 ? lanes : 0;
    }
    return e;
}
static inline bool is_nothing(element e) {
    uint32_t any = 0;
    for (int i = 0; i < KZ_PF_WORDS; i++) {
        any |= e.word[i];
    }
    return any == 0;
}
static inline uint32_t words_with(element e, uint32_t lanes) {
    uint32_t words = 0;
    for (int i = 0; i < KZ_PF_WORDS; i++) {
        words |= (uint32_t)((e.word[i] & lanes) != 0) << i;
    }
    return words;
}
#endif

static inline uint32_t split_rank(const kz_pf_split_ranks *ranks, uint32_t first, uint32_t second) {
    return (uint32_t)ranks->first[first] + ranks->second[kz_popcount32(first)][second];
}

/* The rank of an own set among the squares that the enemy leaves free, or that of its rotation. */
static inline uint32_t straight_rank(const kz_pf_tables *tables, uint32_t packed) {
    return split_rank(&tables->straight, packed & ((1U << KZ_PF_RANK_BITS) - 1), packed >> KZ_PF_RANK_BITS);
}

static inline uint32_t rotated_rank(const kz_pf_tables *tables, uint32_t packed) {
    return split_rank(&tables->rotated, packed >> KZ_PF_RANK_BITS, packed & ((1U << KZ_PF_RANK_BITS) - 1));
}

/* The one or the other, without a branch. */
static inline uint32_t either_rank(const kz_pf_tables *tables, uint32_t packed, bool is_rotated) {
    uint32_t low = packed & ((1U << KZ_PF_RANK_BITS) - 1);
    uint32_t high = packed >> KZ_PF_RANK_BITS;
    return split_rank(is_rotated ? &tables->rotated : &tables->straight, is_rotated ? high : low,
                      is_rotated ? low : high);
}

static inline uint32_t anchorable(const kz_pf_tables *tables, uint32_t taken) {
    return ((kz_pf_step(taken, KZ_PF_LEFT) ^ kz_pf_step(taken, KZ_PF_RIGHT)) & tables->across) |
           ((kz_pf_step(taken, KZ_PF_UP) ^ kz_pf_step(taken, KZ_PF_DOWN)) & tables->along);
}

/* ---- Moves: components and dilations ----------------------------------------------------------------------------- */

/* For each rest (or those that are listed): the components of the squares that E and the rest leave free, each as a set
 * of numbers of free squares. Within a component the last piece can move anywhere. A component of one square allows no
 * move and is left out. Flood fill, with all squares of a component as bits:
 *
 *     free     . . # .      left & -left     1 0 # 0     + neighbours     1 1 # 0     ... until it no longer grows
 *              . # # .                       0 # # 0                      1 # # 0
 *
 * Several rests are filled side by side, as long as any of them grows: the compiler makes vectors of them. */
enum { FILLED = 16, MOST_COMPONENTS = KZ_PF_MOST_FREE / 2 };

/* The components of one filling; those of rest k are in column k. Returns how many lines have any. */
static inline int fill(const uint32_t *free, uint32_t filled[MOST_COMPONENTS][FILLED]) {
    uint32_t left[FILLED];
    uint32_t any = 0;
    for (int k = 0; k < FILLED; k++) {
        left[k] = free[k] & kz_pf_neighbours(free[k]);
        any |= left[k];
    }
    int lines = 0;
    for (; any; lines++) {
        uint32_t *grown = filled[lines];
        for (int k = 0; k < FILLED; k++) {
            grown[k] = left[k] & -left[k];
        }
        uint32_t more;
        do {
            more = 0;
            for (int k = 0; k < FILLED; k++) {
                uint32_t before = grown[k];
                uint32_t after = before | (kz_pf_neighbours(before) & left[k]);
                /* Two steps for each test: a test costs as much as a step. */
                after |= kz_pf_neighbours(after) & left[k];
                grown[k] = after;
                more |= before ^ after;
            }
        } while (more);
        any = 0;
        for (int k = 0; k < FILLED; k++) {
            left[k] &= ~grown[k];
            any |= left[k];
        }
    }
    return lines;
}

static inline void find_components(kz_pf_slice *slice, uint32_t enemy, const uint32_t *list, uint32_t count) {
    const kz_pf_tables *tables = slice->tables;
    uint32_t open = tables->space->board->squares & ~enemy;
    uint32_t *component = slice->components;
    uint32_t free[FILLED] = {0};
    uint32_t filled[MOST_COMPONENTS][FILLED];
    for (uint32_t begin = 0; begin < count; begin += FILLED) {
        uint32_t rests = count - begin < FILLED ? count - begin : FILLED;
        for (uint32_t k = 0; k < rests; k++) {
            uint32_t rest = list ? list[begin + k] : begin + k;
            free[k] = open & ~unpack(tables->rests[rest].squares, open);
        }
        int lines = fill(free, filled);
        for (uint32_t k = 0; k < rests; k++) {
            slice->first_component[begin + k] = (uint32_t)(component - slice->components);
            for (int i = 0; i < lines; i++) {
                *component = pack(filled[i][k], free[k]);
                component += filled[i][k] != 0;
            }
        }
    }
    slice->first_component[count] = (uint32_t)(component - slice->components);
}

/* One move: all own sets that differ in where the last piece stands within one component get the lanes of all of them.
 * `to` has a copy of `from` already. The components are those that find_components found last, for the same list.
 *
 * rho counts the own pieces by their squares, so the same piece has another number when it stands behind another one of
 * the rest. The words of each element are therefore put into the order in which the last piece is the first, combined,
 * and put back into the order of each element:
 *
 *     free squares of the component    0 1 | 2 3 4 | 5          "|": a piece of the rest stands between
 *     number of the last piece          0  |   1   | 2
 *     combined                         or(0, 1) + to_first[1](or(2, 3, 4)) + to_first[2](5)
 *
 * Where putting an element into another order takes several instructions, it is done once for the squares with the same
 * number. Where it takes one, doing it for each square is faster: there are fewer loops, whose ends can't be guessed.
 */
#ifdef __AVX512F__
static inline void dilate_component(const kz_pf_tables *tables, const kz_pf_rest *rest, uint32_t squares,
                                    const uint32_t *restrict from, uint32_t *restrict to) {
    element all = nothing();
    for (uint32_t here = squares; here; here &= here - 1) {
        unsigned i = kz_lowest_bit32(here);
        element e = load(from + (size_t)rest->rank[i] * KZ_PF_WORDS);
        all = either(all, rearranged(e, tables->to_first[rest->number[i]]));
    }
    if (is_nothing(all)) {
        return;
    }
    for (uint32_t here = squares; here; here &= here - 1) {
        unsigned i = kz_lowest_bit32(here);
        uint32_t *target = to + (size_t)rest->rank[i] * KZ_PF_WORDS;
        store(target, either(load(target), rearranged(all, tables->from_first[rest->number[i]])));
    }
}
#else
static inline void dilate_component(const kz_pf_tables *tables, const kz_pf_rest *rest, uint32_t squares,
                                    const uint32_t *restrict from, uint32_t *restrict to) {
    int pieces = tables->space->pieces;
    element all = nothing();
    uint32_t below = 0;
    for (int j = 0; j < pieces; j++) {
        uint32_t gap = (UINT32_C(1) << rest->gap[j]) - 1;
        uint32_t here = squares & gap & ~below;
        below = gap;
        if (here) {
            element some = load(from + (size_t)rest->rank[kz_lowest_bit32(here)] * KZ_PF_WORDS);
            for (here &= here - 1; here; here &= here - 1) {
                some = either(some, load(from + (size_t)rest->rank[kz_lowest_bit32(here)] * KZ_PF_WORDS));
            }
            all = either(all, rearranged(some, tables->to_first[j]));
        }
    }
    if (is_nothing(all)) {
        return;
    }
    below = 0;
    for (int j = 0; j < pieces; j++) {
        uint32_t gap = (UINT32_C(1) << rest->gap[j]) - 1;
        uint32_t here = squares & gap & ~below;
        below = gap;
        if (here) {
            element theirs = rearranged(all, tables->from_first[j]);
            for (; here; here &= here - 1) {
                uint32_t *target = to + (size_t)rest->rank[kz_lowest_bit32(here)] * KZ_PF_WORDS;
                store(target, either(load(target), theirs));
            }
        }
    }
}
#endif

static inline void dilate(const kz_pf_slice *slice, const uint32_t *list, uint32_t count, const uint32_t *restrict from,
                          uint32_t *restrict to) {
    const kz_pf_tables *tables = slice->tables;
    for (uint32_t k = 0; k < count; k++) {
        const kz_pf_rest *rest = &tables->rests[list ? list[k] : k];
        for (uint32_t c = slice->first_component[k]; c < slice->first_component[k + 1]; c++) {
            dilate_component(tables, rest, slice->components[c], from, to); /* numbers of free squares */
        }
    }
}

/* Step 2 of a sweep. A turn may have fewer than two moves: a dilation keeps what was there. */
static void dilate_twice(kz_pf_slice *slice) {
    const kz_pf_tables *tables = slice->tables;
    size_t bytes = (size_t)tables->space->enemy_sets * KZ_PF_WORDS * sizeof *slice->now;
    memcpy(slice->next, slice->now, bytes);
    dilate(slice, NULL, tables->rests_count, slice->now, slice->next);
    memcpy(slice->now, slice->next, bytes);
    dilate(slice, NULL, tables->rests_count, slice->next, slice->now);
}

/* ---- Pushes ------------------------------------------------------------------------------------------------------ */

/* A push of the piece on `square`: what it moves. `line` is empty if it is not legal; `falls` is the piece that leaves
 * the board, if one does (an enemy piece: no side may push its own pieces off). Whether the anchor is in the line is
 * for the caller to see, lane by lane. */
typedef struct push {
    uint32_t line; /* the pieces pushed, without the pusher */
    uint32_t falls;
} push;

/* All squares before the first one of a set, in a direction towards higher squares (rising) or towards lower ones. */
static inline uint32_t before_first(uint32_t squares, bool rising) {
    return rising ? (squares & -squares) - 1 : ~(UINT32_MAX >> __builtin_clz(squares));
}

/* The ray of a square is all squares beyond it in a direction. The line ends before the first empty square of the ray.
 * If there is none, the last piece would fall, unless a railing holds it. */
static inline push find_push(const kz_pf_tables *tables, kz_pf_direction d, unsigned square, uint32_t own,
                             uint32_t taken) {
    uint32_t ray = tables->ray[d][square];
    uint32_t empty = ray & ~taken;
    bool rising = d == KZ_PF_RIGHT || d == KZ_PF_DOWN;
    if (empty) {
        return (push){ray & before_first(empty, rising), 0};
    }
    uint32_t last = rising ? UINT32_C(1) << (31 - __builtin_clz(ray)) : ray & -ray;
    if (tables->blocked_ray[d] >> square & 1 || own & last) {
        return (push){0, 0};
    }
    return (push){ray, last};
}

/* The own pieces that have a piece beside them in a direction. */
static inline uint32_t against(uint32_t own, uint32_t taken, kz_pf_direction d) {
    return own & kz_pf_step(taken, d ^ 1);
}

/* The page with the successors whose own set is E with the pieces in `moved` shifted in a direction, and the lanes that
 * lead to each rho of it. It is found once in a sweep of a slice: slice->number tells whether an entry is of this one.
 * Without a state, only the number of the page is found. */
static kz_pf_target *find_target(kz_pf_slice *slice, uint32_t enemy, kz_pf_direction d, uint32_t moved,
                                 const kz_pf_state *state) {
    const kz_pf_tables *tables = slice->tables;
    const kz_pf_space *space = tables->space;
    uint32_t pattern = pack(moved, enemy);
    kz_pf_target *target = &slice->targets[d][pattern];
    if (target->known == slice->number) {
        return target;
    }
    uint32_t after = (enemy & ~moved) | kz_pf_step(moved, d);
    uint32_t kept = space->kept[kz_pf_rank(&space->sets, pack(after, space->board->squares))];
    bool rotated = kept & 1;
    *target = (kz_pf_target){
        .known = slice->number,
        .rotated = rotated,
        .open = space->board->squares & ~after,
        .after = after,
        .own_set = kept >> 1,
    };
    if (state && state->views) {
        const kz_pf_view *view = &state->views[target->own_set];
        target->pairs = view->pairs;
        target->bases = view->bases;
        target->runs = view->runs;
    } else if (state) {
        target->pairs = state->pairs + (uint64_t)target->own_set * space->enemy_sets;
        target->bases = state->bases + (uint64_t)target->own_set * kz_pf_base_count(space);
        target->runs = state->runs;
    }
    /* Which piece of E becomes which piece of the new set, as the page counts them. */
    uint8_t becomes[KZ_PF_MOST_PIECES];
    int t = 0;
    for (uint32_t rest = enemy; rest; rest &= rest - 1, t++) {
        uint32_t square = rest & -rest;
        square = square & moved ? kz_pf_step(square, d) : square;
        unsigned number = kz_popcount32(after & (square - 1));
        becomes[t] = (uint8_t)(rotated ? (unsigned)space->pieces - 1 - number : number);
    }
    for (int alpha = 0; alpha < space->pieces; alpha++) {
        if (pattern >> alpha & 1) {
            continue; /* the anchored piece can't be pushed */
        }
        uint32_t below = (UINT32_C(1) << alpha) - 1;
        for (int sigma = 0; sigma < space->anchored_splits; sigma++) {
            uint32_t movers = space->anchored_pattern[sigma];
            movers = (movers & below) | (movers & ~below) << 1; /* counted with the anchored piece */
            uint32_t new_movers = 0;
            for (; movers; movers &= movers - 1) {
                new_movers |= UINT32_C(1) << becomes[kz_lowest_bit32(movers)];
            }
            target->lanes[space->split_number[new_movers]] |= UINT32_C(1) << (alpha * space->anchored_splits + sigma);
        }
    }
    return target;
}

/* The order of the own pieces but the pusher after a push that moves some of them: bits 2t, 2t + 1 are the new number
 * of the t-th. */
static unsigned find_order(uint32_t others, uint32_t moved, kz_pf_direction d, bool rotated) {
    uint32_t after = (others & ~moved) | kz_pf_step(others & moved, d);
    unsigned last = kz_popcount32(others) - 1;
    unsigned order = 0;
    unsigned t = 0;
    for (uint32_t rest = others; rest; rest &= rest - 1, t++) {
        uint32_t square = rest & -rest;
        square = square & moved ? kz_pf_step(square, d) : square;
        unsigned number = kz_popcount32(after & (square - 1));
        order |= (rotated ? last - number : number) << 2 * t;
    }
    return order;
}

#endif
