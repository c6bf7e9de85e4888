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
#include "games/pushfight/slice_turns.h"

/* ---- Pushes --------------------------------------------------------------------------------------------------------
 */

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

/* ---- Results -------------------------------------------------------------------------------------------------------
 */

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
        uint32_t kept = space->kept[set_rank(&space->sets, pack(own, space->board->squares))];
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
static uint32_t list_changed(kz_pf_slice *slice, kz_pf_memo *memo, uint8_t *seen) {
    uint32_t elements = slice->tables->space->enemy_sets;
    uint32_t changed = 0;
    uint32_t lanes = 0;
    uint32_t difference = 0;
    bool fewer = memo->losses;
    for (uint32_t i = 0; i < elements; i++) {
        uint32_t here = lanes_of(slice->now + (size_t)i * KZ_PF_WORDS);
        lanes += here;
        uint8_t step = (uint8_t)(fewer ? seen[i] - here : here - seen[i]);
        difference += step;
        slice->sets[changed] = i;
        changed += step != 0;
        seen[i] = (uint8_t)here;
    }
    memo->grown = fewer ? memo->lanes - lanes : lanes - memo->lanes;
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
    uint32_t changed = list_changed(slice, memo, seen);
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
