/* SPDX-License-Identifier: MIT
 *
 * The kernels of block.h, compiled once for each kind of processor: a source file defines KERNEL(name), which names its
 * functions, and includes this. What differs between processors is in the first part, behind a handful of operations on
 * elements; everything else is the same plain C. */
#include "pushfight/block_kernels.h"

#include <string.h>

#ifdef __BMI2__
#include <immintrin.h>
#endif

/* ---- What the processor does ---------------------------------------------------------------------------------------
 */

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
#endif

static inline uint32_t split_rank(const kz_pf_split_ranks *ranks, uint32_t first, uint32_t second) {
    return (uint32_t)ranks->first[first] + ranks->second[kz_popcount32(first)][second];
}

/* The rank of an own set among the squares that the enemy leaves free, or that of its half turn. */
static inline uint32_t straight_rank(const kz_pf_tables *tables, uint32_t packed) {
    return split_rank(&tables->straight, packed & ((1U << KZ_PF_RANK_BITS) - 1), packed >> KZ_PF_RANK_BITS);
}

static inline uint32_t turned_rank(const kz_pf_tables *tables, uint32_t packed) {
    return split_rank(&tables->turned, packed >> KZ_PF_RANK_BITS, packed & ((1U << KZ_PF_RANK_BITS) - 1));
}

/* kz_pf_rank, compiled for this processor. */
static inline uint32_t set_rank(const kz_pf_ranks *ranks, uint32_t packed) {
    uint32_t low = packed & (KZ_PF_PART - 1);
    return ranks->low[low] + ranks->high[(size_t)kz_popcount32(low) * KZ_PF_PART + (packed >> KZ_PF_LOW_BITS)];
}

static inline uint32_t anchorable(const kz_pf_tables *tables, uint32_t taken) {
    return ((kz_pf_step(taken, KZ_PF_LEFT) ^ kz_pf_step(taken, KZ_PF_RIGHT)) & tables->across) |
           ((kz_pf_step(taken, KZ_PF_UP) ^ kz_pf_step(taken, KZ_PF_DOWN)) & tables->along);
}

/* ---- Moves: components and dilations -------------------------------------------------------------------------------
 */

/* For each way to place all own pieces but one (or those that are listed): the components of free squares, as sets of
 * places for the last. A component of one square allows no move and is left out. */
static inline void find_components(kz_pf_block *block, uint32_t enemy, const uint32_t *list, uint32_t count) {
    const kz_pf_tables *tables = block->tables;
    uint32_t open = tables->space->board->squares & ~enemy;
    uint32_t *component = block->components;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t i = list ? list[k] : k;
        block->first_component[k] = (uint32_t)(component - block->components);
        uint32_t free = open & ~unpack(tables->rests[i].squares, open);
        uint32_t left = free;
        while (left) {
            uint32_t grown = left & -left;
            uint32_t filled;
            do {
                filled = grown;
                grown |= kz_pf_neighbours(grown) & left;
                /* Twice a turn: the test costs as much as a step. */
                grown |= kz_pf_neighbours(grown) & left;
            } while (grown != filled);
            left &= ~filled;
            if (filled & (filled - 1)) {
                *component++ = pack(filled, free);
            }
        }
    }
    block->first_component[count] = (uint32_t)(component - block->components);
}

/* Adds to `to` what each own set has in `from`, carried to those that one move makes of it. Components as they were
 * found last. */
static inline void dilate(const kz_pf_block *block, const uint32_t *list, uint32_t count, const uint32_t *restrict from,
                          uint32_t *restrict to) {
    const kz_pf_tables *tables = block->tables;
    int pieces = tables->space->pieces;
    for (uint32_t k = 0; k < count; k++) {
        const kz_pf_rest *rest = &tables->rests[list ? list[k] : k];
        for (uint32_t c = block->first_component[k]; c < block->first_component[k + 1]; c++) {
            uint32_t places = block->components[c];
            element all = nothing();
            uint32_t below = 0;
            for (int j = 0; j < pieces; j++) {
                uint32_t gap = (UINT32_C(1) << rest->gap[j]) - 1;
                uint32_t here = places & gap & ~below;
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
                continue;
            }
            below = 0;
            for (int j = 0; j < pieces; j++) {
                uint32_t gap = (UINT32_C(1) << rest->gap[j]) - 1;
                uint32_t here = places & gap & ~below;
                below = gap;
                if (here) {
                    element share = rearranged(all, tables->from_first[j]);
                    for (; here; here &= here - 1) {
                        uint32_t *target = to + (size_t)rest->rank[kz_lowest_bit32(here)] * KZ_PF_WORDS;
                        store(target, either(load(target), share));
                    }
                }
            }
        }
    }
}

/* ---- Pushes --------------------------------------------------------------------------------------------------------
 */

/* A push of the piece on `square`: what it moves. `line` is empty if it is not legal; `falls` is the piece that leaves
 * the board, if one does (an enemy: own ones may not). */
typedef struct push {
    uint32_t line; /* the pieces pushed, without the pusher */
    uint32_t falls;
} push;

static inline push find_push(const kz_pf_tables *tables, kz_pf_direction d, unsigned square, uint32_t own,
                             uint32_t taken) {
    uint32_t ray = tables->ray[d][square];
    uint32_t empty = ray & ~taken;
    bool rising = d == KZ_PF_RIGHT || d == KZ_PF_DOWN;
    if (empty) {
        uint32_t nearer = rising ? (empty & -empty) - 1 : ~(UINT32_MAX >> __builtin_clz(empty));
        return (push){ray & nearer, 0};
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

enum { LEGAL_SHIFT = 8 };

/* Phase 0: lanes alpha of a word for "pushes off", and LEGAL_SHIFT above for "can push". */
static inline void seed_start(kz_pf_block *block, uint32_t enemy, const uint32_t *list, uint32_t count) {
    const kz_pf_tables *tables = block->tables;
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
                    uint32_t lanes = alphas & ~pack(p.line & enemy, enemy);
                    unsigned pusher = kz_popcount32(own & ((UINT32_C(1) << square) - 1));
                    lanes = lanes << LEGAL_SHIFT | (p.falls ? lanes : 0);
                    e = with_lanes(e, tables->pusher_words[pusher], lanes);
                }
            }
        }
        store(block->now + (size_t)o * KZ_PF_WORDS, e);
    }
}

/* Where the successors lie whose own set is E with the pieces in `moved` shifted in a direction. */
static kz_pf_target *find_target(kz_pf_block *block, uint32_t enemy, kz_pf_direction d, uint32_t moved,
                                 const kz_pf_state *state) {
    const kz_pf_tables *tables = block->tables;
    const kz_pf_space *space = tables->space;
    uint32_t pattern = pack(moved, enemy);
    kz_pf_target *target = &block->targets[d][pattern];
    if (target->known == block->number) {
        return target;
    }
    uint32_t after = (enemy & ~moved) | kz_pf_step(moved, d);
    uint32_t kept = space->kept[kz_pf_rank(&space->sets, pack(after, space->board->squares))];
    bool turned = kept & 1;
    *target = (kz_pf_target){
        .known = block->number,
        .turned = turned,
        .open = space->board->squares & ~after,
        .after = after,
        .pairs = state->pairs + (uint64_t)(kept >> 1) * space->enemy_sets,
        .bases = state->bases + (uint64_t)(kept >> 1) * kz_pf_groups(space),
    };
    /* Which piece of E becomes which of the new set, as the page counts them. */
    uint8_t becomes[KZ_PF_MOST_PIECES];
    int t = 0;
    for (uint32_t rest = enemy; rest; rest &= rest - 1, t++) {
        uint32_t square = rest & -rest;
        square = square & moved ? kz_pf_step(square, d) : square;
        unsigned place = kz_popcount32(after & (square - 1));
        becomes[t] = (uint8_t)(turned ? (unsigned)space->pieces - 1 - place : place);
    }
    for (int alpha = 0; alpha < space->pieces; alpha++) {
        if (pattern >> alpha & 1) {
            continue; /* the anchored piece can't be pushed */
        }
        uint32_t below = (UINT32_C(1) << alpha) - 1;
        for (int sigma = 0; sigma < space->anchored_splits; sigma++) {
            uint32_t movers = space->anchored_pattern[sigma];
            movers = (movers & below) | (movers & ~below) << 1;
            uint32_t new_movers = 0;
            for (; movers; movers &= movers - 1) {
                new_movers |= UINT32_C(1) << becomes[kz_lowest_bit32(movers)];
            }
            target->lanes[space->split_number[new_movers]] |= UINT32_C(1) << (alpha * space->anchored_splits + sigma);
        }
    }
    return target;
}

/* The order of the own pieces but the pusher after a push that moves some of them. */
static unsigned find_order(uint32_t others, uint32_t moved, kz_pf_direction d, bool turned) {
    uint32_t after = (others & ~moved) | kz_pf_step(others & moved, d);
    unsigned last = kz_popcount32(others) - 1;
    unsigned order = 0;
    unsigned t = 0;
    for (uint32_t rest = others; rest; rest &= rest - 1, t++) {
        uint32_t square = rest & -rest;
        square = square & moved ? kz_pf_step(square, d) : square;
        unsigned place = kz_popcount32(after & (square - 1));
        order |= (turned ? last - place : place) << 2 * t;
    }
    return order;
}

/* Adds to an element what one push can reach: lanes whose successor is not won (losses are sought), or lost. */
static inline element add_push(kz_pf_block *block, element e, uint32_t own, uint32_t enemy, kz_pf_direction d,
                               unsigned square, uint32_t line, bool losses, const kz_pf_state *state) {
    const kz_pf_tables *tables = block->tables;
    const kz_pf_space *space = tables->space;
    uint32_t pusher = UINT32_C(1) << square;
    uint32_t moved = line | pusher;
    const kz_pf_target *target = &block->targets[d][pack(line & enemy, enemy)];
    if (target->known != block->number) {
        target = find_target(block, enemy, d, line & enemy, state);
    }
    uint32_t after = (own & ~moved) | kz_pf_step(own & moved, d);
    uint32_t packed = pack(after, target->open);
    uint32_t rank = target->turned ? turned_rank(tables, packed) : straight_rank(tables, packed);
    uint64_t pair = target->pairs[rank];
    unsigned alpha = kz_popcount32(after & (kz_pf_step(pusher, d) - 1));
    alpha = target->turned ? (unsigned)space->pieces - 1 - alpha : alpha;
    unsigned shift = alpha * (unsigned)space->splits;
    uint32_t split_bits = (UINT32_C(1) << space->splits) - 1;
    if (!(~pair >> shift & split_bits)) {
        return e; /* won at once, whoever is a mover */
    }
    uint32_t anchors = pack(anchorable(tables, after | target->after), after);
    uint64_t open = ~pair & (target->turned ? tables->allowed_turned : tables->allowed)[anchors];
    uint64_t row = target->bases[rank / KZ_PF_GROUP] + (pair >> KZ_PF_WIN_BITS) +
                   kz_popcount64(open & ((UINT64_C(1) << shift) - 1));
    const uint16_t *rows = state->rows + row;
    unsigned order = target->turned ? tables->reversed_order : tables->same_order;
    if (line & own && (d == KZ_PF_UP || d == KZ_PF_DOWN)) {
        order = find_order(own & ~pusher, moved, d, target->turned);
    }
    const uint16_t *words = tables->words[kz_popcount32(own & (pusher - 1))][order];
    for (uint32_t rhos = (uint32_t)(open >> shift) & split_bits; rhos; rhos &= rhos - 1) {
        unsigned won = *rows & KZ_PF_STATE_MASK;
        unsigned lost = *rows >> KZ_PF_LOSS_SHIFT & KZ_PF_STATE_MASK;
        rows++;
        unsigned reached = losses ? ~(won & ~lost) & KZ_PF_STATE_MASK : lost & ~won;
        if (reached) {
            e = with_lanes(e, words[reached], target->lanes[kz_lowest_bit32(rhos)]);
        }
    }
    return e;
}

static inline void seed_sweep(kz_pf_block *block, uint32_t enemy, bool losses, const kz_pf_state *state) {
    const kz_pf_tables *tables = block->tables;
    const kz_pf_space *space = tables->space;
    uint32_t open = space->board->squares & ~enemy;
    for (uint32_t o = 0; o < space->enemy_sets; o++) {
        uint32_t own = unpack(space->others.patterns[o], open);
        uint32_t taken = own | enemy;
        element e = nothing();
        for (kz_pf_direction d = 0; d < KZ_PF_DIRECTIONS; d++) {
            for (uint32_t pushers = against(own, taken, d); pushers; pushers &= pushers - 1) {
                unsigned square = kz_lowest_bit32(pushers);
                push p = find_push(tables, d, square, own, taken);
                if (p.line && !p.falls) {
                    e = add_push(block, e, own, enemy, d, square, p.line, losses, state);
                }
            }
        }
        store(block->now + (size_t)o * KZ_PF_WORDS, e);
    }
}

/* ---- Results -------------------------------------------------------------------------------------------------------
 */

/* The pairs of a block's elements are all over the memory: so many are asked for ahead. */
enum { AHEAD = 32 };

typedef struct place {
    uint64_t pair;
    uint64_t row;
    uint64_t allowed;
    uint64_t bits;
    bool turned;
} place;

/* Where the elements from `begin` on belong; returns how many. */
static inline uint32_t find_places(const kz_pf_tables *tables, uint32_t enemy, uint32_t begin, const kz_pf_state *state,
                                   place *places) {
    const kz_pf_space *space = tables->space;
    uint32_t open = space->board->squares & ~enemy;
    uint32_t left = space->enemy_sets - begin;
    uint32_t count = left < AHEAD ? left : AHEAD;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t own = unpack(space->others.patterns[begin + i], open);
        uint32_t anchors = pack(anchorable(tables, own | enemy), enemy);
        uint32_t kept = space->kept[set_rank(&space->sets, pack(own, space->board->squares))];
        uint32_t packed = pack(enemy, space->board->squares & ~own);
        place *p = &places[i];
        p->turned = kept & 1;
        uint32_t rank = p->turned ? turned_rank(tables, packed) : straight_rank(tables, packed);
        p->allowed = (p->turned ? tables->allowed_turned : tables->allowed)[anchors];
        p->pair = (uint64_t)(kept >> 1) * space->enemy_sets + rank;
        p->row = (uint64_t)(kept >> 1) * kz_pf_groups(space) + rank / KZ_PF_GROUP;
        if (state) {
            __builtin_prefetch(&state->pairs[p->pair], 1);
            __builtin_prefetch(&state->bases[p->row]);
        }
    }
    return count;
}

/* The bits alpha * splits + rho that an element of phase 0 has in lanes `shift` to shift + alpha. */
static inline uint64_t element_bits(const kz_pf_tables *tables, const uint32_t *words, unsigned shift) {
    uint64_t bits = 0;
    for (int rho = 0; rho < tables->space->splits; rho++) {
        bits |= tables->spread[words[rho] >> shift & (KZ_PF_SUBSETS - 1)] << rho;
    }
    return bits;
}

static inline uint64_t turned_bits(const kz_pf_tables *tables, uint64_t bits) {
    unsigned splits = (unsigned)tables->space->splits;
    uint64_t result = 0;
    for (int alpha = 0; alpha < tables->space->pieces; alpha++) {
        result = result << splits | tables->turned_splits[bits & ((1U << splits) - 1)];
        bits >>= splits;
    }
    return result;
}

static void dilate_twice(kz_pf_block *block) {
    const kz_pf_tables *tables = block->tables;
    size_t bytes = (size_t)tables->space->enemy_sets * KZ_PF_WORDS * sizeof *block->now;
    memcpy(block->next, block->now, bytes);
    dilate(block, NULL, tables->rests_count, block->now, block->next);
    memcpy(block->now, block->next, bytes);
    dilate(block, NULL, tables->rests_count, block->next, block->now);
}

void KERNEL(start)(kz_pf_block *block, uint32_t enemy, kz_pf_state *state, kz_pf_stuck_list *stuck,
                   kz_pf_start_counts *counts) {
    const kz_pf_tables *tables = block->tables;
    const kz_pf_space *space = tables->space;
    uint64_t all = tables->allowed[(1U << space->pieces) - 1];
    find_components(block, enemy, NULL, tables->rests_count);
    seed_start(block, enemy, NULL, space->enemy_sets);
    dilate_twice(block);
    place places[AHEAD];
    for (uint32_t begin = 0; begin < space->enemy_sets; begin += AHEAD) {
        uint32_t count = find_places(tables, enemy, begin, state, places);
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t *words = block->now + (size_t)(begin + i) * KZ_PF_WORDS;
            const place *p = &places[i];
            uint64_t wins = element_bits(tables, words, 0);
            uint64_t immobile = all & ~element_bits(tables, words, LEGAL_SHIFT);
            if (p->turned) {
                wins = turned_bits(tables, wins);
                immobile = turned_bits(tables, immobile);
            }
            counts->wins += kz_popcount64(wins);
            counts->stuck += kz_popcount64(immobile);
            counts->anchored += kz_popcount64(p->allowed);
            counts->anchored_wins += kz_popcount64(wins & p->allowed);
            counts->anchored_stuck += kz_popcount64(immobile & p->allowed);
            if (state) {
                state->pairs[p->pair] = wins;
                for (uint64_t rest = immobile & p->allowed; rest; rest &= rest - 1) {
                    kz_pf_stuck_add(stuck, p->pair, (uint8_t)kz_lowest_bit64(rest));
                }
            }
        }
    }
}

/* The rests that the listed own sets have, each once. Own sets and rests that are marked already are left out. */
static uint32_t list_rests(const kz_pf_block *block, const uint32_t *sets, uint32_t count, uint8_t *marked,
                           uint32_t *rests) {
    const kz_pf_tables *tables = block->tables;
    uint32_t found = 0;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t pattern = tables->space->others.patterns[sets[k]];
        for (uint32_t left = pattern; left; left &= left - 1) {
            uint32_t rest = tables->rest_number[pattern & ~(left & -left)];
            if (!marked[rest]) {
                marked[rest] = 1;
                rests[found++] = rest;
            }
        }
    }
    return found;
}

/* Adds to the list the own sets that the rests are part of. */
static uint32_t list_sets(const kz_pf_block *block, const uint32_t *rests, uint32_t count, uint8_t *marked,
                          uint32_t *sets, uint32_t found) {
    const kz_pf_tables *tables = block->tables;
    for (uint32_t k = 0; k < count; k++) {
        for (int i = 0; i < tables->places; i++) {
            uint32_t set = tables->rests[rests[k]].rank[i];
            if (!marked[set]) {
                marked[set] = 1;
                sets[found++] = set;
            }
        }
    }
    return found;
}

static void copy_elements(const uint32_t *sets, uint32_t count, const uint32_t *from, uint32_t *to) {
    for (uint32_t k = 0; k < count; k++) {
        store(to + (size_t)sets[k] * KZ_PF_WORDS, load(from + (size_t)sets[k] * KZ_PF_WORDS));
    }
}

/* Two moves back from the own sets that are wanted, nothing else is worked out. */
void KERNEL(wins)(kz_pf_block *block, uint32_t enemy, const uint32_t *wanted, uint32_t count, uint64_t *wins) {
    const kz_pf_tables *tables = block->tables;
    const kz_pf_space *space = tables->space;
    memset(block->marked_sets, 0, space->enemy_sets);
    memset(block->marked_rests, 0, tables->rests_count);
    for (uint32_t k = 0; k < count; k++) {
        block->marked_sets[wanted[k]] = 1;
        block->sets[k] = wanted[k];
    }
    uint32_t last_rests = list_rests(block, block->sets, count, block->marked_rests, block->rests);
    uint32_t near = list_sets(block, block->rests, last_rests, block->marked_sets, block->sets, count);
    /* The first move starts from those, so all their rests are needed, the last move's again. */
    memset(block->marked_rests, 0, tables->rests_count);
    uint32_t *first = block->rests + last_rests;
    uint32_t first_rests = list_rests(block, block->sets, near, block->marked_rests, first);
    uint32_t all = list_sets(block, first, first_rests, block->marked_sets, block->sets, near);

    seed_start(block, enemy, block->sets, all);
    copy_elements(block->sets, all, block->now, block->next);
    find_components(block, enemy, first, first_rests);
    dilate(block, first, first_rests, block->now, block->next);
    copy_elements(block->sets, near, block->next, block->now);
    find_components(block, enemy, block->rests, last_rests);
    dilate(block, block->rests, last_rests, block->next, block->now);
    for (uint32_t k = 0; k < count; k++) {
        wins[k] = element_bits(tables, block->now + (size_t)wanted[k] * KZ_PF_WORDS, 0);
    }
}

/* Marks what an element says in the rows of its pair. */
static inline void mark(const kz_pf_tables *tables, const uint32_t *words, uint64_t pair, uint64_t allowed, bool turned,
                        uint16_t *row, bool losses, kz_pf_block_counts *counts) {
    const kz_pf_space *space = tables->space;
    unsigned sigmas = (1U << space->anchored_splits) - 1;
    uint64_t all = tables->allowed[(1U << space->pieces) - 1];
    for (uint64_t rest = ~pair & all; rest; rest &= rest - 1) {
        unsigned bit = kz_lowest_bit64(rest);
        unsigned source = turned ? tables->turned_bit[bit] : bit;
        unsigned found =
            words[tables->bit_rho[source]] >> (unsigned)(tables->bit_alpha[source] * space->anchored_splits) & sigmas;
        found = losses ? ~found & sigmas : found;
        counts->decided += kz_popcount32(found);
        if (allowed >> bit & 1) {
            unsigned known = *row;
            unsigned fresh = turned ? tables->turned_sigmas[found] : found;
            fresh &= ~(known | known >> KZ_PF_LOSS_SHIFT);
            if (fresh) {
                *row = (uint16_t)(known | fresh | fresh << KZ_PF_LOSS_SHIFT);
                counts->fresh += kz_popcount32(fresh);
            }
            row++;
        }
    }
}

void KERNEL(sweep)(kz_pf_block *block, uint32_t enemy, bool losses, kz_pf_state *state, kz_pf_block_counts *counts) {
    const kz_pf_tables *tables = block->tables;
    const kz_pf_space *space = tables->space;
    block->number++;
    find_components(block, enemy, NULL, tables->rests_count);
    if (losses) {
        seed_sweep(block, enemy, true, state);
    } else {
        seed_sweep(block, enemy, false, state);
    }
    dilate_twice(block);
    place places[AHEAD];
    for (uint32_t begin = 0; begin < space->enemy_sets; begin += AHEAD) {
        uint32_t count = find_places(tables, enemy, begin, state, places);
        for (uint32_t i = 0; i < count; i++) {
            place *p = &places[i];
            p->bits = state->pairs[p->pair];
            p->row = state->bases[p->row] + (p->bits >> KZ_PF_WIN_BITS);
            __builtin_prefetch(&state->rows[p->row], 1);
        }
        for (uint32_t i = 0; i < count; i++) {
            const place *p = &places[i];
            mark(tables, block->now + (size_t)(begin + i) * KZ_PF_WORDS, p->bits, p->allowed, p->turned,
                 state->rows + p->row, losses, counts);
        }
    }
}

void KERNEL(anchors)(const kz_pf_tables *tables, uint32_t own, uint8_t *anchors) {
    const kz_pf_space *space = tables->space;
    uint32_t open = space->board->squares & ~own;
    for (uint32_t i = 0; i < space->enemy_sets; i++) {
        uint32_t enemy = unpack(space->others.patterns[i], open);
        anchors[i] = (uint8_t)pack(anchorable(tables, own | enemy), enemy);
    }
}
