/* SPDX-License-Identifier: MIT */
#include "games/pushfight/solve/reach.h"

#include "base/bigmem.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

/* ---- Tables and memory ------------------------------------------------------------------------------------------- */

enum { UNREACHED, REACHED_NOW, REACHED_BEFORE, BASE, BYTES = 243 };

static void make_digits(kz_pf_reached *reached) {
    static const uint8_t weight[KZ_PF_DIGITS] = {1, BASE, BASE * BASE, BASE * BASE * BASE, BASE * BASE * BASE * BASE};
    for (unsigned byte = 0; byte < BYTES; byte++) {
        reached->settled[byte] = (uint8_t)byte;
        for (unsigned i = 0; i < KZ_PF_DIGITS; i++) {
            unsigned digit = byte / weight[i] % BASE;
            reached->before[byte] |= (uint8_t)((digit == REACHED_BEFORE) << i);
            reached->seen[byte] |= (uint8_t)((digit != UNREACHED) << i);
            reached->settled[byte] = (uint8_t)(reached->settled[byte] + (digit == REACHED_NOW ? weight[i] : 0));
        }
    }
    for (unsigned bits = 0; bits < 1U << KZ_PF_DIGITS; bits++) {
        for (unsigned i = 0; i < KZ_PF_DIGITS; i++) {
            reached->once[bits] = (uint8_t)(reached->once[bits] + (bits >> i & 1) * weight[i]);
        }
    }
}

/* Numbers that are no order are never used. */
static void make_reordered(kz_pf_reached *reached) {
    const kz_pf_space *space = reached->space;
    int others = space->pieces - 1;
    for (unsigned order = 0; order < KZ_PF_ORDERS; order++) {
        for (int sigma = 0; sigma < space->anchored_splits; sigma++) {
            uint32_t movers = space->anchored_pattern[sigma];
            uint32_t after = 0;
            for (int t = 0; t < others; t++) {
                after |= (movers >> t & 1) << (order >> 2 * t & 3);
            }
            if (kz_popcount32(after) != kz_popcount32(movers) || after >> others) {
                continue;
            }
            for (unsigned set = 0; set < 1U << space->anchored_splits; set++) {
                reached->reordered[order][set] |= (uint8_t)((set >> sigma & 1) << space->anchored_number[after]);
            }
        }
    }
}

kz_status kz_pf_reached_open(const kz_pf_tables *tables, kz_pf_reached **opened, kz_error *error) {
    const kz_pf_space *space = tables->space;
    kz_pf_reached *reached = calloc(1, sizeof *reached);
    if (reached) {
        unsigned bits = (unsigned)(space->splits * space->anchored_splits);
        reached->tables = tables;
        reached->space = space;
        reached->cell_bytes = (bits + KZ_PF_DIGITS - 1) / KZ_PF_DIGITS;
        reached->full = (UINT64_C(1) << bits) - 1;
        reached->base_count = (space->enemy_sets + KZ_PF_CELL_BASE_PAIRS - 1) / KZ_PF_CELL_BASE_PAIRS;
        reached->bases = kz_big_alloc((size_t)space->own_sets * reached->base_count * sizeof *reached->bases);
        reached->offsets = kz_big_alloc(space->pairs);
        reached->first_cells = calloc((size_t)space->own_sets + 1, sizeof *reached->first_cells);
        reached->due = calloc(space->own_sets, 1);
        reached->due_next = calloc(space->own_sets, 1);
        reached->changed = calloc(space->own_sets, 1);
    }
    if (!reached || !reached->bases || !reached->offsets || !reached->first_cells || !reached->due ||
        !reached->due_next || !reached->changed) {
        kz_pf_reached_close(reached);
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for the places of all positions");
    }
    make_digits(reached);
    make_reordered(reached);
    *opened = reached;
    return KZ_OK;
}

static size_t cells_size(const kz_pf_reached *reached) {
    return (size_t)reached->first_cells[reached->space->own_sets] * reached->cell_bytes;
}

void kz_pf_reached_close(kz_pf_reached *reached) {
    if (reached) {
        const kz_pf_space *space = reached->space;
        if (reached->cells) {
            kz_big_free(reached->cells, cells_size(reached));
        }
        kz_big_free(reached->bases, (size_t)space->own_sets * reached->base_count * sizeof *reached->bases);
        kz_big_free(reached->offsets, space->pairs);
        free(reached->first_cells);
        free(reached->due);
        free(reached->due_next);
        free(reached->changed);
        free(reached);
    }
}

/* ---- Where the cells are ----------------------------------------------------------------------------------------- */

void kz_pf_reached_measure(kz_pf_reached *reached, uint32_t page) {
    const kz_pf_space *space = reached->space;
    uint8_t *offsets = reached->offsets + (uint64_t)page * space->enemy_sets;
    uint32_t *bases = reached->bases + (uint64_t)page * reached->base_count;
    uint32_t cells = 0;
    /* First the anchors of each pair, then the numbers that follow from them. */
    kz_pf_anchors(reached->tables, space->own_squares[page], offsets);
    for (uint32_t i = 0; i < space->enemy_sets; i++) {
        if (i % KZ_PF_CELL_BASE_PAIRS == 0) {
            bases[i / KZ_PF_CELL_BASE_PAIRS] = cells;
        }
        uint32_t here = kz_popcount32(offsets[i]);
        offsets[i] = (uint8_t)(cells - bases[i / KZ_PF_CELL_BASE_PAIRS]);
        cells += here;
    }
    reached->first_cells[page + 1] = cells;
}

kz_status kz_pf_reached_lay_out(kz_pf_reached *reached, kz_error *error) {
    const kz_pf_space *space = reached->space;
    for (uint32_t page = 0; page < space->own_sets; page++) {
        reached->first_cells[page + 1] += reached->first_cells[page];
    }
    if (reached->first_cells[space->own_sets] > UINT32_MAX) {
        return kz_fail(error, KZ_ERR_UNSUPPORTED, "the board has too many positions");
    }
    for (uint32_t page = 0; page < space->own_sets; page++) {
        for (uint32_t i = 0; i < reached->base_count; i++) {
            reached->bases[(uint64_t)page * reached->base_count + i] += (uint32_t)reached->first_cells[page];
        }
    }
    reached->cells = kz_big_alloc(cells_size(reached));
    return reached->cells ? KZ_OK
                          : kz_fail(error, KZ_ERR_MEMORY, "no memory for the %zu MB of all positions",
                                    cells_size(reached) / 1000000);
}

uint64_t kz_pf_reached_positions(const kz_pf_reached *reached) {
    return reached->first_cells[reached->space->own_sets] * kz_popcount64(reached->full);
}

/* ---- Turns ------------------------------------------------------------------------------------------------------- */

void kz_pf_reached_turn(kz_pf_reached *reached, kz_pf_slice *memory, uint32_t slice, kz_pf_sources from) {
    uint32_t enemy = reached->space->own_squares[slice];
#ifdef __x86_64__
    if (reached->tables->cpu >= KZ_CPU_AVX512) {
        kz_pf_avx512_reach(reached, memory, enemy, from);
        return;
    }
    if (reached->tables->cpu >= KZ_CPU_BMI2) {
        kz_pf_avx2_reach(reached, memory, enemy, from);
        return;
    }
#endif
    kz_pf_plain_reach(reached, memory, enemy, from);
}

uint64_t kz_pf_reached_settle(kz_pf_reached *reached, uint32_t page) {
    uint64_t found = 0;
    uint64_t end = reached->first_cells[page + 1] * reached->cell_bytes;
    for (uint64_t i = reached->first_cells[page] * reached->cell_bytes; i < end; i++) {
        uint8_t byte = reached->cells[i];
        uint8_t settled = reached->settled[byte];
        if (settled != byte) {
            found += kz_popcount32(reached->seen[byte] & ~(uint32_t)reached->before[byte]);
            reached->cells[i] = settled;
        }
    }
    return found;
}

void kz_pf_reached_next(kz_pf_reached *reached) {
    uint8_t *due = reached->due;
    reached->due = reached->due_next;
    reached->due_next = due;
    memset(due, 0, reached->space->own_sets);
    memset(reached->changed, 0, reached->space->own_sets);
}

/* ---- Results ----------------------------------------------------------------------------------------------------- */

static uint32_t anchors_of(const kz_pf_space *space, uint32_t page, uint32_t enemy_set) {
    uint32_t own = space->own_squares[page];
    uint32_t enemy = kz_pf_unpack(space->others.patterns[enemy_set], space->board->squares & ~own);
    return kz_pf_pack(kz_pf_anchorable(space->board, own | enemy), enemy);
}

static uint64_t reached_bits(const kz_pf_reached *reached, uint64_t cell) {
    uint64_t bits = 0;
    for (unsigned i = 0; i < reached->cell_bytes; i++) {
        bits |= (uint64_t)reached->seen[reached->cells[cell * reached->cell_bytes + i]] << i * KZ_PF_DIGITS;
    }
    return bits;
}

static uint64_t first_cell(const kz_pf_reached *reached, uint32_t page, uint32_t enemy_set) {
    return (uint64_t)reached->bases[(uint64_t)page * reached->base_count + enemy_set / KZ_PF_CELL_BASE_PAIRS] +
           reached->offsets[(uint64_t)page * reached->space->enemy_sets + enemy_set];
}

bool kz_pf_reached_has(const kz_pf_reached *reached, uint64_t index) {
    const kz_pf_space *space = reached->space;
    uint64_t bits = kz_popcount64(reached->full);
    unsigned bit = (unsigned)(index % bits);
    unsigned alpha = (unsigned)(index / bits % (uint64_t)space->pieces);
    uint64_t pair = index / bits / (uint64_t)space->pieces;
    uint32_t page = (uint32_t)(pair / space->enemy_sets);
    uint32_t enemy_set = (uint32_t)(pair % space->enemy_sets);
    uint32_t earlier = anchors_of(space, page, enemy_set) & ((UINT32_C(1) << alpha) - 1);
    return reached_bits(reached, first_cell(reached, page, enemy_set) + kz_popcount32(earlier)) >> bit & 1;
}

kz_pf_missing kz_pf_reached_missing(const kz_pf_reached *reached, uint32_t page) {
    const kz_pf_space *space = reached->space;
    uint32_t own = space->own_squares[page];
    uint32_t free_pieces = kz_pf_pack(reached->tables->across | reached->tables->along, own);
    uint64_t sigmas = (UINT64_C(1) << space->anchored_splits) - 1;
    uint64_t cornered = 0;
    for (int rho = 0; rho < space->splits; rho++) {
        cornered |= free_pieces & ~(uint32_t)space->split_pattern[rho] ? 0 : sigmas << rho * space->anchored_splits;
    }
    kz_pf_missing missing = {0, 0};
    for (uint64_t cell = reached->first_cells[page]; cell < reached->first_cells[page + 1]; cell++) {
        uint64_t bits = reached->full & ~reached_bits(reached, cell);
        missing.all += kz_popcount64(bits);
        missing.cornered += kz_popcount64(bits & cornered);
    }
    return missing;
}

size_t kz_pf_reached_list_missing(const kz_pf_reached *reached, uint32_t page, uint64_t *indices, size_t room) {
    const kz_pf_space *space = reached->space;
    size_t found = 0;
    uint64_t cell = reached->first_cells[page];
    for (uint32_t enemy_set = 0; enemy_set < space->enemy_sets; enemy_set++) {
        uint64_t pair = (uint64_t)page * space->enemy_sets + enemy_set;
        for (uint32_t anchors = anchors_of(space, page, enemy_set); anchors; anchors &= anchors - 1, cell++) {
            uint64_t place = (pair * (uint64_t)space->pieces + kz_lowest_bit32(anchors)) * kz_popcount64(reached->full);
            for (uint64_t rest = reached->full & ~reached_bits(reached, cell); rest; rest &= rest - 1) {
                if (found == room) {
                    return found;
                }
                indices[found++] = place + kz_lowest_bit64(rest);
            }
        }
    }
    return found;
}
