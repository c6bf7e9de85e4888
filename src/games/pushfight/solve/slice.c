/* SPDX-License-Identifier: MIT */
#include "games/pushfight/solve/slice.h"

#include "base/bigmem.h"
#include "base/error.h"
#include "games/pushfight/solve/slice_kernels.h"

#include <stdlib.h>

static size_t element_bytes(const kz_pf_tables *tables) {
    return (size_t)tables->space->enemy_sets * KZ_PF_WORDS * sizeof(uint32_t);
}

kz_pf_slice *kz_pf_slice_open(const kz_pf_tables *tables, kz_error *error) {
    kz_pf_slice *slice = calloc(1, sizeof *slice);
    if (slice) {
        slice->tables = tables;
        slice->now = kz_big_alloc(element_bytes(tables));
        slice->next = kz_big_alloc(element_bytes(tables));
        slice->first_component = malloc(((size_t)tables->rests_count + 1) * sizeof *slice->first_component);
        /* A component has two squares or more, so a rest has at most half as many as it has free squares. The kernels
         * write each component behind the last one before they know whether it has two: hence one more. */
        slice->components =
            malloc(((size_t)tables->rests_count * (KZ_PF_MOST_FREE / 2) + 1) * sizeof *slice->components);
        slice->sets = malloc(tables->space->enemy_sets * sizeof *slice->sets);
        slice->rests = malloc(2 * (size_t)tables->rests_count * sizeof *slice->rests);
        slice->marked_sets = malloc(tables->space->enemy_sets);
        slice->marked_rests = malloc(tables->rests_count);
        if (slice->now && slice->next && slice->first_component && slice->components && slice->sets && slice->rests &&
            slice->marked_sets && slice->marked_rests) {
            return slice;
        }
        kz_pf_slice_close(slice);
    }
    kz_fail(error, KZ_ERR_MEMORY, "no memory for a slice of the sweep");
    return NULL;
}

void kz_pf_slice_close(kz_pf_slice *slice) {
    if (slice) {
        kz_big_free(slice->now, element_bytes(slice->tables));
        kz_big_free(slice->next, element_bytes(slice->tables));
        free(slice->first_component);
        free(slice->components);
        free(slice->sets);
        free(slice->rests);
        free(slice->marked_sets);
        free(slice->marked_rests);
        free(slice);
    }
}

void kz_pf_stuck_add(kz_pf_stuck_list *list, uint64_t pair, uint8_t bit) {
    if (list->count == list->room) {
        size_t room = list->room * 2 + 64;
        kz_pf_stuck *items = realloc(list->items, room * sizeof *items);
        if (!items) {
            list->failed = true;
            return;
        }
        list->items = items;
        list->room = room;
    }
    list->items[list->count++] = (kz_pf_stuck){pair, bit};
}

#ifdef __x86_64__
#define CHOOSE(tables, name, ...)                                                                                      \
    ((tables)->cpu >= KZ_CPU_VBMI2    ? kz_pf_vbmi2_##name(__VA_ARGS__)                                                \
     : (tables)->cpu >= KZ_CPU_AVX512 ? kz_pf_avx512_##name(__VA_ARGS__)                                               \
     : (tables)->cpu >= KZ_CPU_BMI2   ? kz_pf_avx2_##name(__VA_ARGS__)                                                 \
                                      : kz_pf_plain_##name(__VA_ARGS__))
#else
#define CHOOSE(tables, name, ...) kz_pf_plain_##name(__VA_ARGS__)
#endif

void kz_pf_slice_start(kz_pf_slice *slice, uint32_t enemy, kz_pf_state *state, kz_pf_elements *elements,
                       kz_pf_stuck_list *stuck, kz_pf_start_counts *counts) {
    CHOOSE(slice->tables, start, slice, enemy, state, elements, stuck, counts);
}

void kz_pf_slice_wins(kz_pf_slice *slice, uint32_t enemy, const uint32_t *wanted, uint32_t count, uint64_t *wins) {
    CHOOSE(slice->tables, wins, slice, enemy, wanted, count, wins);
}

void kz_pf_slice_sweep(kz_pf_slice *slice, uint32_t enemy, bool losses, kz_pf_state *state, kz_pf_memo *memo,
                       uint8_t *seen, kz_pf_slice_counts *counts) {
    CHOOSE(slice->tables, sweep, slice, enemy, losses, state, memo, seen, counts);
}

uint8_t *kz_pf_slice_sweep_apart(kz_pf_slice *slice, uint32_t enemy, bool losses, const kz_pf_state *state,
                                 const uint64_t *wins, uint8_t *known, uint8_t *updates, kz_pf_slice_counts *counts) {
    return CHOOSE(slice->tables, sweep_apart, slice, enemy, losses, state, wins, known, updates, counts);
}

void kz_pf_anchors(const kz_pf_tables *tables, uint32_t own, uint8_t *anchors) {
    CHOOSE(tables, anchors, tables, own, anchors);
}

/* Goes over the pages that a slice looks at, until one is found that `changed` marks; or writes them all to a list. */
static bool look_for(const kz_pf_tables *tables, uint32_t enemy, const uint8_t *changed, uint32_t *list,
                     size_t *listed) {
    const kz_pf_space *space = tables->space;
    const kz_pf_board *board = space->board;
    for (kz_pf_direction d = 0; d < KZ_PF_DIRECTIONS; d++) {
        for (uint32_t pattern = 0; pattern < UINT32_C(1) << space->pieces; pattern++) {
            uint32_t moved = kz_pf_unpack(pattern, enemy);
            uint32_t after = (enemy & ~moved) | kz_pf_step(moved, d);
            if ((int)kz_popcount32(after & board->squares) != space->pieces) {
                continue;
            }
            /* Pieces that one push moves stand in one line. */
            uint32_t first = moved & -moved;
            if (moved && moved & ~first & ~tables->ray[d][kz_lowest_bit32(first)] &
                             ~tables->ray[d ^ 1][kz_lowest_bit32(first)]) {
                continue;
            }
            uint32_t page = space->kept[kz_pf_rank(&space->sets, kz_pf_pack(after, board->squares))] >> 1;
            if (list) {
                list[(*listed)++] = page;
            } else if (changed[page]) {
                return true;
            }
        }
    }
    return false;
}

size_t kz_pf_slice_needs(const kz_pf_tables *tables, uint32_t enemy, uint32_t pages[KZ_PF_MOST_NEEDS]) {
    size_t count = 0;
    look_for(tables, enemy, NULL, pages, &count);
    return count;
}

bool kz_pf_slice_touched(const kz_pf_tables *tables, uint32_t enemy, const uint8_t *changed) {
    return look_for(tables, enemy, changed, NULL, NULL);
}
