/* SPDX-License-Identifier: MIT
 *
 * The kernels of slice.h, compiled once for each kind of processor: a source file defines KERNEL(name), which names its
 * functions, and includes this.
 *
 * In the order of a sweep (slice.h has the picture):
 *
 *     seed_start, seed_sweep     pushes without a move         page of the successor -> slice->now
 *     dilate_twice               up to two moves before them   slice->now -> next -> now
 *     mark, write_update         what is new                   slice->now -> runs of the pairs (O, E), or updates
 *
 * KERNEL(start) is phase 0, KERNEL(sweep) a later one, KERNEL(sweep_apart) the same in a team. KERNEL(wins) is phase 0
 * for a few own sets only. */
#include "games/pushfight/solve/slice_seed.h"

/* ---- Results ----------------------------------------------------------------------------------------------------- */

/* The pairs (O, E) of a slice lie in the pages of all own sets, so each look at one is a cache miss. They are located
 * in batches of this many, and prefetched. */
enum { AHEAD = 32 };

/* Where the results of an element belong. The page may hold the rotation of (O, E), in which the pieces of both sides
 * are counted from the other end. */
typedef struct location {
    uint64_t pair;    /* number of the pair in the state */
    uint64_t run;     /* number of its base at first; then of its first run */
    uint64_t allowed; /* bits of the pair whose anchor passes the test: these are positions */
    uint64_t bits;    /* wins at once */
    const uint32_t *words;
    bool rotated;
} location;

/* Locates the pairs of the elements number begin, begin + 1 and so on, or of those that a list has there, AHEAD of them
 * or fewer, up to number `end`; returns how many. */
static inline uint32_t locate_pairs(const kz_pf_slice *slice, uint32_t enemy, const uint32_t *list, uint32_t begin,
                                    uint32_t end, const kz_pf_state *state, location *found) {
    const kz_pf_tables *tables = slice->tables;
    const kz_pf_space *space = tables->space;
    uint32_t open = space->board->squares & ~enemy;
    uint32_t left = begin < end ? end - begin : 0;
    uint32_t count = left < AHEAD ? left : AHEAD;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t number = list ? list[begin + i] : begin + i;
        uint32_t own = unpack(space->others.patterns[number], open);
        uint32_t anchors = pack(anchorable(tables, own | enemy), enemy);
        uint32_t kept = space->kept[kz_pf_rank(&space->sets, pack(own, space->board->squares))];
        uint32_t packed = pack(enemy, space->board->squares & ~own);
        location *p = &found[i];
        p->words = slice->now + (size_t)number * KZ_PF_WORDS;
        p->rotated = kept & 1;
        uint32_t rank = either_rank(tables, packed, p->rotated);
        p->allowed = (p->rotated ? tables->allowed_rotated : tables->allowed)[anchors];
        p->pair = (uint64_t)(kept >> 1) * space->enemy_sets + rank;
        p->run = (uint64_t)(kept >> 1) * kz_pf_base_count(space) + rank / KZ_PF_BASE_PAIRS;
        if (state) {
            __builtin_prefetch(&state->pairs[p->pair]);
            __builtin_prefetch(&state->bases[p->run]);
        }
    }
    return count;
}

/* The bits of a pair, alpha * splits + rho, from an element of phase 0; `shift` chooses one of the two questions. */
static inline uint64_t element_bits(const kz_pf_tables *tables, const uint32_t *words, unsigned shift) {
    uint64_t bits = 0;
    for (int rho = 0; rho < tables->space->splits; rho++) {
        bits |= tables->spread[words[rho] >> shift & (KZ_PF_SUBSETS - 1)] << rho;
    }
    return bits;
}

/* The bits of a pair with the pieces of both sides counted from the other end. */
static inline uint64_t rotated_bits(const kz_pf_tables *tables, uint64_t bits) {
    unsigned splits = (unsigned)tables->space->splits;
    uint64_t result = 0;
    for (int alpha = 0; alpha < tables->space->pieces; alpha++) {
        result = result << splits | tables->rotated_splits[bits & ((1U << splits) - 1)];
        bits >>= splits;
    }
    return result;
}

void KERNEL(start)(kz_pf_slice *slice, uint32_t enemy, kz_pf_state *state, kz_pf_elements *elements,
                   kz_pf_stuck_list *stuck, kz_pf_start_counts *counts) {
    const kz_pf_tables *tables = slice->tables;
    const kz_pf_space *space = tables->space;
    uint64_t all = tables->allowed[(1U << space->pieces) - 1];
    find_components(slice, enemy, NULL, tables->rests_count);
    seed_start(slice, enemy, NULL, space->enemy_sets);
    dilate_twice(slice);
    location found[AHEAD];
    for (uint32_t begin = 0; begin < space->enemy_sets; begin += AHEAD) {
        uint32_t count = locate_pairs(slice, enemy, NULL, begin, space->enemy_sets, state, found);
        for (uint32_t i = 0; i < count; i++) {
            const location *p = &found[i];
            const uint32_t *words = p->words;
            uint64_t wins = element_bits(tables, words, 0);
            uint64_t immobile = all & ~element_bits(tables, words, LEGAL_SHIFT);
            if (p->rotated) {
                wins = rotated_bits(tables, wins);
                immobile = rotated_bits(tables, immobile);
            }
            counts->wins += kz_popcount64(wins);
            counts->stuck += kz_popcount64(immobile);
            counts->anchored += kz_popcount64(p->allowed);
            counts->anchored_wins += kz_popcount64(wins & p->allowed);
            counts->anchored_stuck += kz_popcount64(immobile & p->allowed);
            if (state) {
                state->pairs[p->pair] = wins;
            } else if (elements) {
                elements->pairs[begin + i] = (uint32_t)p->pair;
                elements->wins[begin + i] = wins;
                elements->runs += kz_popcount64(p->allowed & ~wins);
            }
            if (stuck) {
                for (uint64_t rest = immobile & p->allowed; rest; rest &= rest - 1) {
                    kz_pf_stuck_add(stuck, p->pair, (uint8_t)kz_lowest_bit64(rest));
                }
            }
        }
    }
}

/* Lists the rests of the listed own sets, each once: those that are marked already are left out. */
static uint32_t list_rests(const kz_pf_slice *slice, const uint32_t *sets, uint32_t count, uint8_t *marked,
                           uint32_t *rests) {
    const kz_pf_tables *tables = slice->tables;
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

/* Adds to the list the own sets that have one of the rests, each once. */
static uint32_t list_sets(const kz_pf_slice *slice, const uint32_t *rests, uint32_t count, uint8_t *marked,
                          uint32_t *sets, uint32_t found) {
    const kz_pf_tables *tables = slice->tables;
    for (uint32_t k = 0; k < count; k++) {
        for (int i = 0; i < tables->free; i++) {
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

/* Works out only what the wanted own sets need. What they can reach with a last move are the sets that share a rest
 * with them (`near`), and what those can reach with a first move the sets that share a rest with those (`all`). Seed
 * all of them, dilate over the first move's rests into `near`, then over the last move's rests into the wanted ones. */
void KERNEL(wins)(kz_pf_slice *slice, uint32_t enemy, const uint32_t *wanted, uint32_t count, uint64_t *wins) {
    const kz_pf_tables *tables = slice->tables;
    const kz_pf_space *space = tables->space;
    memset(slice->marked_sets, 0, space->enemy_sets);
    memset(slice->marked_rests, 0, tables->rests_count);
    for (uint32_t k = 0; k < count; k++) {
        slice->marked_sets[wanted[k]] = 1;
        slice->sets[k] = wanted[k];
    }
    uint32_t last_rests = list_rests(slice, slice->sets, count, slice->marked_rests, slice->rests);
    uint32_t near = list_sets(slice, slice->rests, last_rests, slice->marked_sets, slice->sets, count);
    /* The first move starts from those, so it needs all of their rests, the last move's again. */
    memset(slice->marked_rests, 0, tables->rests_count);
    uint32_t *first = slice->rests + last_rests;
    uint32_t first_rests = list_rests(slice, slice->sets, near, slice->marked_rests, first);
    uint32_t all = list_sets(slice, first, first_rests, slice->marked_sets, slice->sets, near);

    seed_start(slice, enemy, slice->sets, all);
    copy_elements(slice->sets, all, slice->now, slice->next);
    find_components(slice, enemy, first, first_rests);
    dilate(slice, first, first_rests, slice->now, slice->next);
    copy_elements(slice->sets, near, slice->next, slice->now);
    find_components(slice, enemy, slice->rests, last_rests);
    dilate(slice, slice->rests, last_rests, slice->next, slice->now);
    for (uint32_t k = 0; k < count; k++) {
        wins[k] = element_bits(tables, slice->now + (size_t)wanted[k] * KZ_PF_WORDS, 0);
    }
}

/* Step 3: marks in the runs of the pairs what their elements say. For each (alpha, rho) that is not won at once,
 * `found` is the set of sigmas that are decided: the lanes themselves when wins are sought, the others when losses are.
 * All of them are counted, but only those whose anchor passes the test have a run. A position that is decided already
 * keeps its bits; a new one gets both bits, which is the mark of this phase. No other thread writes these runs, but
 * others read them. */
static inline unsigned marked(unsigned known, unsigned fresh) { return known | fresh | fresh << KZ_PF_LOSS_SHIFT; }

#ifdef __AVX512VBMI2__
/* The sets of sigmas of one element, a byte for each bit of the pair. */
static inline __m512i sigma_sets(const kz_pf_tables *tables, element e, bool rotated) {
    __m512i low = _mm512_multishift_epi64_epi8(_mm512_loadu_si512(tables->fields[0]), e);
    __m512i high = _mm512_multishift_epi64_epi8(_mm512_loadu_si512(tables->fields[1]), e);
    return _mm512_permutex2var_epi8(low, _mm512_loadu_si512(tables->field_of_bit[rotated]), high);
}

static inline void mark(const kz_pf_tables *tables, const location *found, uint32_t count, uint16_t *runs, bool losses,
                        kz_pf_slice_counts *counts) {
    uint64_t all = tables->allowed[(1U << tables->space->pieces) - 1];
    __m512i sigmas = _mm512_set1_epi8((char)((1U << tables->space->anchored_splits) - 1));
    __m512i flipped = losses ? sigmas : _mm512_setzero_si512();
    __m512i rotate = _mm512_loadu_si512(tables->rotated_sigmas);
    /* Counts in bytes and in words: a batch has at most AHEAD elements with six positions a byte. */
    __m512i decided = _mm512_setzero_si512();
    __m512i fresh_ones = _mm512_setzero_si512();
    for (uint32_t i = 0; i < count; i++) {
        const location *p = &found[i];
        __m512i sets = sigma_sets(tables, load(p->words), p->rotated);
        sets = _mm512_xor_si512(_mm512_and_si512(sets, sigmas), flipped);
        uint64_t open = ~p->bits & all;
        decided = _mm512_add_epi8(decided, _mm512_maskz_popcnt_epi8(open, sets));
        if (p->rotated) {
            sets = _mm512_permutexvar_epi8(sets, rotate);
        }
        sets = _mm512_maskz_compress_epi8(open & p->allowed, sets);
        uint16_t *run = runs + p->run;
        for (unsigned left = kz_popcount64(open & p->allowed); left; run += 32) {
            unsigned here = left < 32 ? left : 32;
            left -= here;
            __m512i known = _mm512_maskz_loadu_epi16(_bzhi_u32(UINT32_MAX, here), run);
            __m512i fresh = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(sets));
            fresh = _mm512_andnot_si512(_mm512_or_si512(known, _mm512_srli_epi16(known, KZ_PF_LOSS_SHIFT)), fresh);
            uint32_t changed = _mm512_test_epi16_mask(fresh, fresh);
            if (changed) {
                uint16_t new_marks[32];
                uint16_t before[32];
                _mm512_storeu_si512(new_marks, fresh);
                _mm512_storeu_si512(before, known);
                fresh_ones = _mm512_add_epi16(fresh_ones, _mm512_popcnt_epi16(fresh));
                for (; changed; changed &= changed - 1) {
                    unsigned k = kz_lowest_bit32(changed);
                    __atomic_store_n(&run[k], (uint16_t)marked(before[k], new_marks[k]), __ATOMIC_RELAXED);
                }
            }
            sets = _mm512_castsi256_si512(_mm512_extracti64x4_epi64(sets, 1));
        }
    }
    __m512i even = _mm512_and_si512(fresh_ones, _mm512_set1_epi32(0xFFFF));
    __m512i odd = _mm512_srli_epi32(fresh_ones, 16);
    counts->decided += (uint64_t)_mm512_reduce_add_epi64(_mm512_sad_epu8(decided, _mm512_setzero_si512()));
    counts->fresh += (uint64_t)(uint32_t)_mm512_reduce_add_epi32(_mm512_add_epi32(even, odd));
}
#else
static inline void mark_one(const kz_pf_tables *tables, const location *p, uint16_t *run, bool losses,
                            kz_pf_slice_counts *counts) {
    const kz_pf_space *space = tables->space;
    unsigned sigmas = (1U << space->anchored_splits) - 1;
    uint64_t all = tables->allowed[(1U << space->pieces) - 1];
    for (uint64_t rest = ~p->bits & all; rest; rest &= rest - 1) {
        unsigned bit = kz_lowest_bit64(rest);
        unsigned source = p->rotated ? tables->rotated_bit[bit] : bit;
        unsigned found =
            p->words[tables->bit_rho[source]] >> (unsigned)(tables->bit_alpha[source] * space->anchored_splits) &
            sigmas;
        found = losses ? ~found & sigmas : found;
        counts->decided += kz_popcount32(found);
        if (p->allowed >> bit & 1) {
            unsigned known = *run;
            unsigned fresh = p->rotated ? tables->rotated_sigmas[found] : found;
            fresh &= ~(known | known >> KZ_PF_LOSS_SHIFT);
            if (fresh) {
                __atomic_store_n(run, (uint16_t)marked(known, fresh), __ATOMIC_RELAXED);
                counts->fresh += kz_popcount32(fresh);
            }
            run++;
        }
    }
}

static inline void mark(const kz_pf_tables *tables, const location *found, uint32_t count, uint16_t *runs, bool losses,
                        kz_pf_slice_counts *counts) {
    for (uint32_t i = 0; i < count; i++) {
        mark_one(tables, &found[i], runs + found[i].run, losses, counts);
    }
}
#endif

/* Step 1: slice->now becomes what each element reaches without a move. The compiler makes two loops of it, without a
 * branch for `losses` in them. */
static void seed(kz_pf_slice *slice, uint32_t enemy, bool losses, const kz_pf_state *state) {
    slice->number++;
    if (losses) {
        seed_sweep(slice, enemy, true, state);
    } else {
        seed_sweep(slice, enemy, false, state);
    }
}

/* Step 2. */
static void spread(kz_pf_slice *slice, uint32_t enemy) {
    find_components(slice, enemy, NULL, slice->tables->rests_count);
    dilate_twice(slice);
}

/* How many lanes an element has. */
static inline uint32_t lanes_of(const uint32_t *words) {
    uint64_t pairs[KZ_PF_MOST_SPLITS / 2];
    uint32_t lanes = 0;
    memcpy(pairs, words, sizeof pairs);
    for (int i = 0; i < KZ_PF_MOST_SPLITS / 2; i++) {
        lanes += kz_popcount64(pairs[i]);
    }
    return lanes;
}

static uint32_t count_lanes(const kz_pf_slice *slice) {
    uint32_t lanes = 0;
    for (uint32_t i = 0; i < slice->tables->space->enemy_sets; i++) {
        lanes += lanes_of(slice->now + (size_t)i * KZ_PF_WORDS);
    }
    return lanes;
}

/* Lists the elements whose lanes are others than when the slice was swept last (slice->sets), and remembers how many
 * each has now. From one phase to the next of a kind lanes are added only, or taken away only, so an element with as
 * many of them as before has the same ones. Of each number its lowest byte is kept; whether that was enough shows the
 * sum over all elements, which is exact: if it does not fit, or if nothing is known, all elements are listed. */
static uint32_t list_changed(kz_pf_slice *slice, bool losses, kz_pf_memo *memo, uint8_t *seen) {
    uint32_t elements = slice->tables->space->enemy_sets;
    uint32_t changed = 0;
    uint32_t lanes = 0;
    uint32_t difference = 0;
    for (uint32_t i = 0; i < elements; i++) {
        uint32_t here = lanes_of(slice->now + (size_t)i * KZ_PF_WORDS);
        lanes += here;
        uint8_t step = (uint8_t)(losses ? seen[i] - here : here - seen[i]);
        difference += step;
        slice->sets[changed] = i;
        changed += step != 0;
        seen[i] = (uint8_t)here;
    }
    memo->grown = losses ? memo->lanes - lanes : lanes - memo->lanes;
    memo->lanes = lanes;
    return memo->known && difference == memo->grown ? changed : elements + 1;
}

/* Reads the located pairs, and fetches the runs that they lead to. */
static inline void locate_runs(const kz_pf_state *state, location *found, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        location *p = &found[i];
        p->bits = state->pairs[p->pair];
        p->run = state->bases[p->run] + (p->bits >> KZ_PF_WIN_BITS);
        __builtin_prefetch(&state->runs[p->run], 1);
    }
}

/* Step 3 for the elements of a list, or for all. Each batch waits twice for memory: for its pairs, then for its runs.
 * So three batches are under way: one is located, the pairs of the one before are read, and the one before that is
 * marked. */
static void mark_elements(kz_pf_slice *slice, uint32_t enemy, const uint32_t *list, uint32_t elements, bool losses,
                          kz_pf_state *state, kz_pf_slice_counts *counts) {
    enum { STAGES = 3 };
    location found[STAGES][AHEAD];
    uint32_t size[STAGES] = {0};
    uint32_t begin = 0;
    for (uint32_t batch = 0; batch == 0 || size[0] || size[1] || size[2]; batch++, begin += AHEAD) {
        uint32_t last = (batch + 1) % STAGES; /* the oldest of the three */
        uint32_t middle = (batch + 2) % STAGES;
        locate_runs(state, found[middle], size[middle]);
        mark(slice->tables, found[last], size[last], state->runs, losses, counts);
        size[last] = 0;
        size[batch % STAGES] = locate_pairs(slice, enemy, list, begin, elements, state, found[batch % STAGES]);
    }
}

void KERNEL(sweep)(kz_pf_slice *slice, uint32_t enemy, bool losses, kz_pf_state *state, kz_pf_memo *memo, uint8_t *seen,
                   kz_pf_slice_counts *counts) {
    uint32_t elements = slice->tables->space->enemy_sets;
    seed(slice, enemy, losses, state);
    if (!memo) {
        spread(slice, enemy);
        mark_elements(slice, enemy, NULL, elements, losses, state, counts);
        return;
    }
    uint32_t seeds = count_lanes(slice);
    if (memo->known && memo->seeds == seeds) {
        counts->decided = memo->decided; /* no push leads to anything new */
        return;
    }
    spread(slice, enemy);
    uint32_t changed = list_changed(slice, losses, memo, seen);
    bool all = changed > elements;
    mark_elements(slice, enemy, all ? NULL : slice->sets, all ? elements : changed, losses, state, counts);
    memo->decided = all ? (uint32_t)counts->decided : memo->decided + memo->grown;
    memo->seeds = seeds;
    memo->known = true;
    counts->decided = memo->decided;
}

/* Step 3 in a team: as `mark`, but compares with what the slice has found before (`known`, which takes what is new),
 * and writes what is new as an update for the page. Returns its end; there is none if nothing is new. */
static inline uint8_t *write_update(const kz_pf_tables *tables, const uint32_t *words, const location *p, bool losses,
                                    uint8_t **known, uint8_t *update, kz_pf_slice_counts *counts) {
    const kz_pf_space *space = tables->space;
    unsigned sigmas = (1U << space->anchored_splits) - 1;
    uint64_t all = tables->allowed[(1U << space->pieces) - 1];
    uint8_t *items = update + 4;
    unsigned run = 0;
    for (uint64_t rest = ~p->bits & all; rest; rest &= rest - 1) {
        unsigned bit = kz_lowest_bit64(rest);
        unsigned source = p->rotated ? tables->rotated_bit[bit] : bit;
        unsigned found =
            words[tables->bit_rho[source]] >> (unsigned)(tables->bit_alpha[source] * space->anchored_splits) & sigmas;
        found = losses ? ~found & sigmas : found;
        counts->decided += kz_popcount32(found);
        if (p->allowed >> bit & 1) {
            unsigned fresh = p->rotated ? tables->rotated_sigmas[found] : found;
            fresh &= ~(unsigned)(*known)[run];
            if (fresh) {
                (*known)[run] |= (uint8_t)fresh;
                kz_store_le16(items, (uint16_t)(run | fresh << KZ_PF_ITEM_BITS));
                items += 2;
            }
            run++;
        }
    }
    *known += run;
    if (items == update + 4) {
        return update;
    }
    kz_store_le32(update, (uint32_t)p->pair);
    kz_store_le16(items - 2, (uint16_t)(kz_load_le16(items - 2) | KZ_PF_LAST_ITEM));
    return items;
}

uint8_t *KERNEL(sweep_apart)(kz_pf_slice *slice, uint32_t enemy, bool losses, const kz_pf_state *state,
                             const uint64_t *wins, uint8_t *known, uint8_t *updates, kz_pf_slice_counts *counts) {
    const kz_pf_tables *tables = slice->tables;
    const kz_pf_space *space = tables->space;
    seed(slice, enemy, losses, state);
    spread(slice, enemy);
    location found[AHEAD];
    for (uint32_t begin = 0; begin < space->enemy_sets; begin += AHEAD) {
        uint32_t count = locate_pairs(slice, enemy, NULL, begin, space->enemy_sets, NULL, found);
        for (uint32_t i = 0; i < count; i++) {
            found[i].bits = wins[begin + i];
            updates = write_update(tables, found[i].words, &found[i], losses, &known, updates, counts);
        }
    }
    return updates;
}

void KERNEL(anchors)(const kz_pf_tables *tables, uint32_t own, uint8_t *anchors) {
    const kz_pf_space *space = tables->space;
    uint32_t open = space->board->squares & ~own;
    for (uint32_t i = 0; i < space->enemy_sets; i++) {
        uint32_t enemy = unpack(space->others.patterns[i], open);
        anchors[i] = (uint8_t)pack(anchorable(tables, own | enemy), enemy);
    }
}
