/* SPDX-License-Identifier: MIT */
#include "games/pushfight/check/value_moves.h"

#include "base/bits.h"
#include "base/cpu.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>
#ifdef KZ_PF_AVX2
#include <immintrin.h>
#endif

/* A pattern with a place added: those from there on move up. */
static uint32_t with_place(uint32_t pattern, int place, uint32_t bit) {
    uint32_t below = (UINT32_C(1) << place) - 1;
    return (pattern & below) | (pattern & ~below) << 1 | bit << place;
}

static void number_roles(kz_pf_value_moves *moves) {
    const kz_pf_space *space = moves->space;
    int roles = 0;
    for (uint32_t mover = 0; mover < 2; mover++) { /* whether the piece that moves is one */
        for (uint32_t pattern = 0; pattern < UINT32_C(1) << (space->pieces - 1); pattern++) {
            if (kz_popcount32(pattern) + mover == (uint32_t)space->board->movers) {
                for (int place = 0; place < space->pieces; place++) {
                    moves->rho[place][roles] = space->split_number[with_place(pattern, place, mover)];
                }
                roles++;
            }
        }
    }
}

static void list_placements(kz_pf_value_moves *moves) {
    const kz_pf_space *space = moves->space;
    uint32_t stay = 0;
    for (uint32_t packed = 0; packed < UINT32_C(1) << moves->room; packed++) {
        if ((int)kz_popcount32(packed) != space->pieces - 1) {
            continue;
        }
        for (int square = 0; square < moves->room; square++) {
            uint32_t bit = UINT32_C(1) << square;
            if (!(packed & bit)) {
                moves->placements[(size_t)stay * (size_t)moves->room + (size_t)square] =
                    (kz_pf_made_set){.own_rank = (uint16_t)kz_pf_rank(&space->others, packed | bit),
                                     .place = (uint8_t)kz_popcount32(packed & (bit - 1))};
            }
        }
        moves->staying[stay++] = packed;
    }
}

kz_status kz_pf_value_moves_open(const kz_pf_space *space, kz_pf_value_moves **opened, kz_error *error) {
    kz_pf_value_moves *moves = calloc(1, sizeof *moves);
    if (moves) {
        moves->space = space;
        moves->avx2 = kz_cpu_level() >= KZ_CPU_AVX2;
        moves->room = space->squares - space->pieces;
        /* Each own set has `pieces` ways to leave one out, each of these so many squares for it. */
        uint32_t open = (uint32_t)(moves->room - space->pieces + 1);
        moves->stays = space->enemy_sets * (uint32_t)space->pieces / open;
        moves->staying = calloc(moves->stays, sizeof *moves->staying);
        moves->placements = calloc((size_t)moves->stays * (size_t)moves->room, sizeof *moves->placements);
        /* A region has a square at least. So there are no more sizes of regions than squares, and the end. */
        moves->regions = calloc(2 * (size_t)moves->stays * open + 1, sizeof *moves->regions);
    }
    if (!moves || !moves->staying || !moves->placements || !moves->regions) {
        kz_pf_value_moves_close(moves);
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for the moves of the board");
    }
    number_roles(moves);
    list_placements(moves);
    *opened = moves;
    return KZ_OK;
}

void kz_pf_value_moves_close(kz_pf_value_moves *moves) {
    if (moves) {
        free(moves->staying);
        free(moves->placements);
        free(moves->regions);
        free(moves);
    }
}

/* The squares of `within` that a piece on `square` reaches. */
static uint32_t region_of(uint32_t square, uint32_t within) {
    for (;;) {
        uint32_t grown = square | (kz_pf_neighbours(square) & within);
        if (grown == square) {
            return grown;
        }
        square = grown;
    }
}

void kz_pf_value_moves_begin(kz_pf_value_moves *moves, uint32_t enemy) {
    uint32_t room = moves->space->board->squares & ~enemy;
    uint32_t square_at[KZ_PF_MOST_SQUARES] = {0}; /* of the grid, by packed square */
    int packed_at[KZ_PF_GRID] = {0};
    int count = 0;
    for (uint32_t rest = room; rest; rest &= rest - 1, count++) {
        square_at[count] = rest & -rest;
        packed_at[kz_lowest_bit32(rest)] = count;
    }
    uint32_t *regions = moves->regions;
    for (uint32_t stay = 0; stay < moves->stays; stay++) {
        const kz_pf_made_set *placements = moves->placements + (size_t)stay * (size_t)moves->room;
        uint32_t open = room;
        for (uint32_t packed = moves->staying[stay]; packed; packed &= packed - 1) {
            open ^= square_at[kz_lowest_bit32(packed)];
        }
        while (open) {
            uint32_t squares = region_of(open & -open, open);
            uint32_t *size = regions++;
            for (uint32_t rest = squares; rest; rest &= rest - 1) {
                const kz_pf_made_set *p = &placements[packed_at[kz_lowest_bit32(rest)]];
                *regions++ = KZ_PF_AT_PLACE(p->own_rank, p->place);
            }
            *size = (uint32_t)(regions - size) - 1;
            open ^= squares;
        }
    }
    *regions = 0;
}

/* The own sets that a piece makes on the squares of its region. */
typedef struct region {
    unsigned count;
    size_t cells[KZ_PF_MOST_SQUARES]; /* where the cells of each begin */
    const uint8_t *rho[KZ_PF_MOST_SQUARES];
} region;

KZ_PF_FOR_A_WIDTH void spread_in_region(const region *in, int splits, int width, const uint8_t *from,
                                        uint8_t *restrict to) {
    for (int roles = 0; roles < splits; roles++) {
        kz_pf_cell best = {{0}};
        for (unsigned i = 0; i < in->count; i++) {
            best = kz_pf_larger(best, from + in->cells[i] + in->rho[i][roles] * width, width);
        }
        for (unsigned i = 0; i < in->count; i++) {
            uint8_t *target = to + in->cells[i] + in->rho[i][roles] * width;
            kz_pf_cell larger = kz_pf_larger(best, target, width);
            memcpy(target, &larger, (size_t)width);
        }
    }
}

#ifdef KZ_PF_AVX2
/* The same for the larger width: a cell is one vector. */
KZ_PF_AVX2 static inline void spread_in_region_avx2(const region *in, int splits, int width, const uint8_t *from,
                                                    uint8_t *restrict to) {
    for (int roles = 0; roles < splits; roles++) {
        __m256i best = _mm256_setzero_si256();
        for (unsigned i = 0; i < in->count; i++) {
            const uint8_t *cell = from + in->cells[i] + in->rho[i][roles] * width;
            best = _mm256_max_epu8(best, _mm256_loadu_si256((const __m256i *)(const void *)cell));
        }
        for (unsigned i = 0; i < in->count; i++) {
            __m256i *target = (__m256i *)(void *)(to + in->cells[i] + in->rho[i][roles] * width);
            _mm256_storeu_si256(target, _mm256_max_epu8(best, _mm256_loadu_si256(target)));
        }
    }
}
#endif

/* Spreads worths in one region. */
typedef void region_work(const region *in, int splits, int width, const uint8_t *from, uint8_t *restrict to);

KZ_PF_FOR_A_WIDTH void spread(const kz_pf_value_moves *moves, int width, const uint8_t *from, uint8_t *to,
                              region_work *in_region) {
    const kz_pf_space *space = moves->space;
    size_t own_set_size = (size_t)space->splits * (size_t)width;
    memset(to, 0, (size_t)space->enemy_sets * own_set_size);
    const uint32_t *regions = moves->regions;
    while (*regions) {
        region in = {.count = *regions++};
        for (unsigned i = 0; i < in.count; i++, regions++) {
            in.cells[i] = (*regions >> KZ_PF_PLACE_BITS) * own_set_size;
            in.rho[i] = moves->rho[*regions % (1U << KZ_PF_PLACE_BITS)];
        }
        in_region(&in, space->splits, width, from, to);
    }
}

#ifdef KZ_PF_AVX2
KZ_PF_AVX2 static void spread_wide(const kz_pf_value_moves *moves, const uint8_t *from, uint8_t *to) {
    spread(moves, KZ_PF_WIDE, from, to, spread_in_region_avx2);
}
#endif

void kz_pf_value_moves_spread(const kz_pf_value_moves *moves, int width, const uint8_t *from, uint8_t *to) {
#ifdef KZ_PF_AVX2
    if (width == KZ_PF_WIDE && moves->avx2) {
        spread_wide(moves, from, to);
        return;
    }
#endif
    if (width == KZ_PF_WIDE) {
        spread(moves, KZ_PF_WIDE, from, to, spread_in_region);
    } else {
        spread(moves, KZ_PF_NARROW, from, to, spread_in_region);
    }
}
