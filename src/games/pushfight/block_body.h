/* SPDX-License-Identifier: MIT
 *
 * The kernels of block.h, compiled once for each kind of processor: a source file defines KERNEL(name), which names its
 * functions, and includes this. */
#include "games/pushfight/block_turns.h"

/* ---- Pushes --------------------------------------------------------------------------------------------------------
 */

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
    const uint16_t *rows = target->rows + row;
    unsigned order = target->turned ? tables->reversed_order : tables->same_order;
    if (line & own && (d == KZ_PF_UP || d == KZ_PF_DOWN)) {
        order = find_order(own & ~pusher, moved, d, target->turned);
    }
    const uint16_t *words = tables->words[kz_popcount32(own & (pusher - 1))][order];
    for (uint32_t rhos = (uint32_t)(open >> shift) & split_bits; rhos; rhos &= rhos - 1) {
        /* The thread whose row this is may be writing it: see kz_pf_state. */
        unsigned seen = __atomic_load_n(rows++, __ATOMIC_RELAXED);
        unsigned won = seen & KZ_PF_STATE_MASK;
        unsigned lost = seen >> KZ_PF_LOSS_SHIFT & KZ_PF_STATE_MASK;
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

void KERNEL(start)(kz_pf_block *block, uint32_t enemy, kz_pf_state *state, kz_pf_elements *elements,
                   kz_pf_stuck_list *stuck, kz_pf_start_counts *counts) {
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
            } else if (elements) {
                elements->pairs[begin + i] = (uint32_t)p->pair;
                elements->wins[begin + i] = wins;
                elements->rows += kz_popcount64(p->allowed & ~wins);
            }
            if (stuck) {
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
                __atomic_store_n(row, (uint16_t)(known | fresh | fresh << KZ_PF_LOSS_SHIFT), __ATOMIC_RELAXED);
                counts->fresh += kz_popcount32(fresh);
            }
            row++;
        }
    }
}

/* Finds what each element reaches. */
static void spread_sweep(kz_pf_block *block, uint32_t enemy, bool losses, const kz_pf_state *state) {
    block->number++;
    find_components(block, enemy, NULL, block->tables->rests_count);
    if (losses) {
        seed_sweep(block, enemy, true, state);
    } else {
        seed_sweep(block, enemy, false, state);
    }
    dilate_twice(block);
}

void KERNEL(sweep)(kz_pf_block *block, uint32_t enemy, bool losses, kz_pf_state *state, kz_pf_block_counts *counts) {
    const kz_pf_tables *tables = block->tables;
    const kz_pf_space *space = tables->space;
    spread_sweep(block, enemy, losses, state);
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

/* As `mark`, but notes in `known` what an element says, and writes what is new there as a record. Returns its end. */
static inline uint8_t *note(const kz_pf_tables *tables, const uint32_t *words, const place *p, bool losses,
                            uint8_t **known, uint8_t *record, kz_pf_block_counts *counts) {
    const kz_pf_space *space = tables->space;
    unsigned sigmas = (1U << space->anchored_splits) - 1;
    uint64_t all = tables->allowed[(1U << space->pieces) - 1];
    uint8_t *items = record + 4;
    unsigned row = 0;
    for (uint64_t rest = ~p->bits & all; rest; rest &= rest - 1) {
        unsigned bit = kz_lowest_bit64(rest);
        unsigned source = p->turned ? tables->turned_bit[bit] : bit;
        unsigned found =
            words[tables->bit_rho[source]] >> (unsigned)(tables->bit_alpha[source] * space->anchored_splits) & sigmas;
        found = losses ? ~found & sigmas : found;
        counts->decided += kz_popcount32(found);
        if (p->allowed >> bit & 1) {
            unsigned fresh = p->turned ? tables->turned_sigmas[found] : found;
            fresh &= ~(unsigned)(*known)[row];
            if (fresh) {
                (*known)[row] |= (uint8_t)fresh;
                kz_store_le16(items, (uint16_t)(row | fresh << KZ_PF_ITEM_BITS));
                items += 2;
            }
            row++;
        }
    }
    *known += row;
    if (items == record + 4) {
        return record;
    }
    kz_store_le32(record, (uint32_t)p->pair);
    kz_store_le16(items - 2, (uint16_t)(kz_load_le16(items - 2) | KZ_PF_LAST_ITEM));
    return items;
}

uint8_t *KERNEL(sweep_apart)(kz_pf_block *block, uint32_t enemy, bool losses, const kz_pf_state *state,
                             const uint64_t *wins, uint8_t *known, uint8_t *records, kz_pf_block_counts *counts) {
    const kz_pf_tables *tables = block->tables;
    const kz_pf_space *space = tables->space;
    spread_sweep(block, enemy, losses, state);
    place places[AHEAD];
    for (uint32_t begin = 0; begin < space->enemy_sets; begin += AHEAD) {
        uint32_t count = find_places(tables, enemy, begin, NULL, places);
        for (uint32_t i = 0; i < count; i++) {
            places[i].bits = wins[begin + i];
            records = note(tables, block->now + (size_t)(begin + i) * KZ_PF_WORDS, &places[i], losses, &known, records,
                           counts);
        }
    }
    return records;
}

void KERNEL(anchors)(const kz_pf_tables *tables, uint32_t own, uint8_t *anchors) {
    const kz_pf_space *space = tables->space;
    uint32_t open = space->board->squares & ~own;
    for (uint32_t i = 0; i < space->enemy_sets; i++) {
        uint32_t enemy = unpack(space->others.patterns[i], open);
        anchors[i] = (uint8_t)pack(anchorable(tables, own | enemy), enemy);
    }
}
