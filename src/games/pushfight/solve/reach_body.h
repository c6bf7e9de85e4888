/* SPDX-License-Identifier: MIT
 *
 * The kernel of reach.h, compiled like those of slice.h. */
#include "games/pushfight/solve/reach.h"
#include "games/pushfight/solve/slice_turns.h"

/* ---- Cells ------------------------------------------------------------------------------------------------------- */

static inline uint64_t cell_bits(const kz_pf_reached *reached, const uint8_t *cell, const uint8_t digits[256]) {
    uint64_t bits = 0;
    for (unsigned i = 0; i < reached->cell_bytes; i++) {
        bits |= (uint64_t)digits[__atomic_load_n(&cell[i], __ATOMIC_RELAXED)] << i * KZ_PF_DIGITS;
    }
    return bits;
}

/* Bits that are there already stay what they are, whoever else is writing. */
static inline void reach_bits(const kz_pf_reached *reached, uint8_t *cell, uint64_t bits) {
    for (; bits; cell++, bits >>= KZ_PF_DIGITS) {
        unsigned wanted = bits & ((1U << KZ_PF_DIGITS) - 1);
        uint8_t old = __atomic_load_n(cell, __ATOMIC_RELAXED);
        for (unsigned fresh = wanted & ~reached->seen[old]; fresh; fresh = wanted & ~reached->seen[old]) {
            if (__atomic_compare_exchange_n(cell, &old, (uint8_t)(old + reached->once[fresh]), false, __ATOMIC_RELAXED,
                                            __ATOMIC_RELAXED)) {
                break;
            }
        }
    }
}

/* ---- Before the moves -------------------------------------------------------------------------------------------- */

/* The cells of a slice's elements are all over the memory: so many are asked for ahead. */
enum { CELLS_AHEAD = 32 };

typedef struct cells {
    uint64_t pair;
    uint64_t base; /* number of the base that its cells are counted from */
    const uint8_t *first;
    uint32_t anchors; /* pieces of E that have a cell, in this order or, if rotated, from the last on */
    bool rotated;
} cells;

static inline uint32_t find_cells(const kz_pf_reached *reached, uint32_t enemy, uint32_t begin, cells *found) {
    const kz_pf_tables *tables = reached->tables;
    const kz_pf_space *space = reached->space;
    uint32_t open = space->board->squares & ~enemy;
    uint32_t left = space->enemy_sets - begin;
    uint32_t count = left < CELLS_AHEAD ? left : CELLS_AHEAD;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t own = unpack(space->others.patterns[begin + i], open);
        uint32_t kept = space->kept[kz_pf_rank(&space->sets, pack(own, space->board->squares))];
        uint32_t packed = pack(enemy, space->board->squares & ~own);
        cells *c = &found[i];
        c->rotated = kept & 1;
        uint32_t rank = c->rotated ? rotated_rank(tables, packed) : straight_rank(tables, packed);
        c->anchors = pack(anchorable(tables, own | enemy), enemy);
        c->pair = (uint64_t)(kept >> 1) * space->enemy_sets + rank;
        c->base = (uint64_t)(kept >> 1) * reached->base_count + rank / KZ_PF_CELL_BASE_PAIRS;
        __builtin_prefetch(&reached->offsets[c->pair]);
        __builtin_prefetch(&reached->bases[c->base]);
    }
    for (uint32_t i = 0; i < count; i++) {
        cells *c = &found[i];
        uint64_t number = (uint64_t)reached->bases[c->base] + reached->offsets[c->pair];
        c->first = reached->cells + number * reached->cell_bytes;
        __builtin_prefetch(c->first);
    }
    return count;
}

/* An element: all that was reached before. */
static inline void read_cells(const kz_pf_reached *reached, const cells *c, uint32_t *words) {
    const kz_pf_tables *tables = reached->tables;
    const kz_pf_space *space = reached->space;
    unsigned sigmas = (unsigned)space->anchored_splits;
    const uint8_t *cell = c->first;
    memset(words, 0, KZ_PF_WORDS * sizeof *words);
    for (uint32_t anchors = c->anchors; anchors; cell += reached->cell_bytes) {
        unsigned alpha = c->rotated ? 31U - (unsigned)__builtin_clz(anchors) : kz_lowest_bit32(anchors);
        anchors &= ~(UINT32_C(1) << alpha);
        uint64_t bits = cell_bits(reached, cell, reached->before);
        for (int rho = 0; bits; rho++, bits >>= sigmas) {
            uint32_t set = (uint32_t)bits & ((UINT32_C(1) << sigmas) - 1);
            if (c->rotated) {
                words[space->split_reversed[rho]] |= (uint32_t)tables->rotated_sigmas[set] << alpha * sigmas;
            } else {
                words[rho] |= set << alpha * sigmas;
            }
        }
    }
}

static void seed_reached(const kz_pf_reached *reached, const kz_pf_slice *slice, uint32_t enemy) {
    cells found[CELLS_AHEAD];
    for (uint32_t begin = 0; begin < reached->space->enemy_sets; begin += CELLS_AHEAD) {
        uint32_t count = find_cells(reached, enemy, begin, found);
        for (uint32_t i = 0; i < count; i++) {
            read_cells(reached, &found[i], slice->now + (size_t)(begin + i) * KZ_PF_WORDS);
        }
    }
}

/* Starting positions have all roles on both sides and no anchor, so that one lane says it all. False if there are none
 * in this slice. */
static bool seed_starts(const kz_pf_reached *reached, const kz_pf_slice *slice, uint32_t enemy) {
    const kz_pf_space *space = reached->space;
    uint32_t home = space->board->home;
    uint32_t open = space->board->squares & ~enemy;
    if (!(enemy & ~home) && space->folded) {
        home = space->board->squares & ~home; /* rotations of starting positions */
    }
    if (enemy & home) {
        return false;
    }
    for (uint32_t o = 0; o < space->enemy_sets; o++) {
        uint32_t own = unpack(space->others.patterns[o], open);
        element e = own & ~home ? nothing() : with_lanes(nothing(), (uint16_t)((1U << space->splits) - 1), 1);
        store(slice->now + (size_t)o * KZ_PF_WORDS, e);
    }
    return true;
}

/* All positions that there are. */
static void seed_all(const kz_pf_reached *reached, const kz_pf_slice *slice, uint32_t enemy) {
    const kz_pf_space *space = reached->space;
    uint32_t open = space->board->squares & ~enemy;
    uint32_t sigmas = (UINT32_C(1) << space->anchored_splits) - 1;
    for (uint32_t o = 0; o < space->enemy_sets; o++) {
        uint32_t own = unpack(space->others.patterns[o], open);
        uint32_t lanes = 0;
        for (uint32_t rest = pack(anchorable(reached->tables, own | enemy), enemy); rest; rest &= rest - 1) {
            lanes |= sigmas << kz_lowest_bit32(rest) * (unsigned)space->anchored_splits;
        }
        element e = with_lanes(nothing(), (uint16_t)((1U << space->splits) - 1), lanes);
        store(slice->now + (size_t)o * KZ_PF_WORDS, e);
    }
}

/* ---- Pushes ------------------------------------------------------------------------------------------------------ */

/* The bits of a cell that one push reaches from an element. */
static inline uint64_t pushed_bits(const kz_pf_reached *reached, element e, const kz_pf_target *target, unsigned pusher,
                                   unsigned order) {
    const kz_pf_tables *tables = reached->tables;
    const kz_pf_space *space = reached->space;
    /* Roles with a pusher there come in the order of the sigmas that they become. */
    uint32_t roles = tables->pusher_words[pusher];
    const uint8_t *reordered = reached->reordered[order];
    uint64_t bits = 0;
    for (int rho = space->splits - 1; rho >= 0; rho--) {
        bits = bits << space->anchored_splits | reordered[pack(words_with(e, target->lanes[rho]), roles)];
    }
    return bits;
}

static inline void make_push(kz_pf_reached *reached, kz_pf_slice *slice, element e, uint32_t own, uint32_t enemy,
                             kz_pf_direction d, unsigned square, uint32_t line, bool all_roles) {
    const kz_pf_tables *tables = reached->tables;
    const kz_pf_space *space = reached->space;
    uint32_t pusher = UINT32_C(1) << square;
    uint32_t moved = line | pusher;
    const kz_pf_target *target = &slice->targets[d][pack(line & enemy, enemy)];
    if (target->known != slice->number) {
        target = find_target(slice, enemy, d, line & enemy, NULL);
    }
    uint32_t after = (own & ~moved) | kz_pf_step(own & moved, d);
    uint32_t packed = pack(after, target->open);
    uint32_t rank = target->rotated ? rotated_rank(tables, packed) : straight_rank(tables, packed);
    uint32_t anchors = pack(anchorable(tables, after | target->after), after);
    uint32_t alpha = UINT32_C(1) << kz_popcount32(after & (kz_pf_step(pusher, d) - 1));
    uint32_t earlier = anchors & (target->rotated ? ~(alpha | (alpha - 1)) : alpha - 1);
    uint64_t number =
        (uint64_t)reached->bases[(uint64_t)target->own_set * reached->base_count + rank / KZ_PF_CELL_BASE_PAIRS] +
        reached->offsets[(uint64_t)target->own_set * space->enemy_sets + rank] + kz_popcount32(earlier);
    uint8_t *cell = reached->cells + number * reached->cell_bytes;
    uint64_t unseen = reached->full & ~cell_bits(reached, cell, reached->seen);
    if (!unseen) {
        return;
    }
    uint64_t fresh = unseen;
    if (!all_roles) {
        unsigned order = target->rotated ? tables->reversed_order : tables->same_order;
        if (line & own && (d == KZ_PF_UP || d == KZ_PF_DOWN)) {
            order = find_order(own & ~pusher, moved, d, target->rotated);
        }
        fresh &= pushed_bits(reached, e, target, kz_popcount32(own & (pusher - 1)), order);
    }
    if (fresh) {
        uint32_t next = space->kept[kz_pf_rank(&space->sets, pack(after, space->board->squares))] >> 1;
        reach_bits(reached, cell, fresh);
        __atomic_store_n(&reached->changed[target->own_set], 1, __ATOMIC_RELAXED);
        __atomic_store_n(&reached->due_next[next], 1, __ATOMIC_RELAXED);
    }
}

static inline void make_pushes(kz_pf_reached *reached, kz_pf_slice *slice, uint32_t enemy, bool all_roles) {
    const kz_pf_tables *tables = reached->tables;
    const kz_pf_space *space = reached->space;
    uint32_t open = space->board->squares & ~enemy;
    for (uint32_t o = 0; o < space->enemy_sets; o++) {
        element e = load(slice->now + (size_t)o * KZ_PF_WORDS);
        if (is_nothing(e)) {
            continue;
        }
        uint32_t own = unpack(space->others.patterns[o], open);
        uint32_t taken = own | enemy;
        for (kz_pf_direction d = 0; d < KZ_PF_DIRECTIONS; d++) {
            for (uint32_t pushers = against(own, taken, d); pushers; pushers &= pushers - 1) {
                unsigned square = kz_lowest_bit32(pushers);
                push p = find_push(tables, d, square, own, taken);
                if (p.line && !p.falls) {
                    make_push(reached, slice, e, own, enemy, d, square, p.line, all_roles);
                }
            }
        }
    }
}

void KERNEL(reach)(kz_pf_reached *reached, kz_pf_slice *memory, uint32_t enemy, kz_pf_sources from) {
    if (from == KZ_PF_FROM_REACHED) {
        seed_reached(reached, memory, enemy);
    } else if (from == KZ_PF_FROM_ALL) {
        seed_all(reached, memory, enemy);
    } else if (!seed_starts(reached, memory, enemy)) {
        return;
    }
    memory->number++;
    find_components(memory, enemy, NULL, reached->tables->rests_count);
    dilate_twice(memory);
    make_pushes(reached, memory, enemy, from == KZ_PF_FROM_STARTS);
}
