/* SPDX-License-Identifier: MIT
 *
 * The tables of the slice kernels. */
#include "base/error.h"
#include "games/pushfight/solve/slice.h"

#include <stdlib.h>
#include <string.h>

/* The rank of a set is what its low part has by itself, and what its high part adds to so many squares below. */
static void make_split_ranks(kz_pf_tables *tables) {
    const kz_pf_ranks *others = &tables->space->others;
    int low_bits = others->width < KZ_PF_RANK_BITS ? others->width : KZ_PF_RANK_BITS;
    for (uint32_t rank = 0; rank < others->count; rank++) {
        uint32_t low = others->patterns[rank] & ((UINT32_C(1) << low_bits) - 1);
        uint32_t high = others->patterns[rank] >> low_bits;
        uint32_t low_rank = kz_pf_rank(others, low);
        tables->straight.first[low] = (uint16_t)low_rank;
        tables->straight.second[kz_popcount32(low)][high] = (uint16_t)(rank - low_rank);
        /* Rotated, the high part comes first. */
        uint32_t rotated_rank = kz_pf_rank(others, kz_pf_reversed(others->patterns[rank], others->width));
        uint32_t high_rank = kz_pf_rank(others, kz_pf_reversed(high, others->width - low_bits));
        tables->rotated.first[high] = (uint16_t)high_rank;
        tables->rotated.second[kz_popcount32(high)][low] = (uint16_t)(rotated_rank - high_rank);
    }
}

static bool make_rests(kz_pf_tables *tables) {
    const kz_pf_space *space = tables->space;
    int width = space->others.width;
    int fixed = space->pieces - 1;
    tables->free = width - fixed;
    size_t room = 1;
    for (uint32_t squares = 0; squares < UINT32_C(1) << width; squares++) {
        room += (int)kz_popcount32(squares) == fixed;
    }
    tables->rests = calloc(room, sizeof *tables->rests);
    tables->rest_number = calloc((size_t)1 << width, sizeof *tables->rest_number);
    if (!tables->rests || !tables->rest_number) {
        return false;
    }
    for (uint32_t squares = 0; squares < UINT32_C(1) << width; squares++) {
        if ((int)kz_popcount32(squares) != fixed) {
            continue;
        }
        tables->rest_number[squares] = (uint16_t)tables->rests_count;
        kz_pf_rest *rest = &tables->rests[tables->rests_count++];
        rest->squares = squares;
        int free = 0; /* free squares so far */
        for (int i = 0; i < width; i++) {
            uint32_t square = UINT32_C(1) << i;
            if (!(squares & square)) {
                unsigned before = kz_popcount32(squares & (square - 1));
                rest->number[free] = (uint8_t)before;
                rest->rank[free++] = (uint16_t)kz_pf_rank(&space->others, squares | square);
                for (unsigned j = before; j <= (unsigned)fixed; j++) {
                    rest->gap[j] = (uint8_t)free;
                }
            }
        }
    }
    return true;
}

static void make_rays(kz_pf_tables *tables) {
    const kz_pf_board *board = tables->space->board;
    uint32_t on = board->squares;
    tables->across = kz_pf_step(on, KZ_PF_LEFT) & kz_pf_step(on, KZ_PF_RIGHT);
    tables->along = kz_pf_step(on, KZ_PF_UP) & kz_pf_step(on, KZ_PF_DOWN);
    for (kz_pf_direction d = 0; d < KZ_PF_DIRECTIONS; d++) {
        for (unsigned square = 0; square < KZ_PF_GRID; square++) {
            uint32_t last = UINT32_C(1) << square;
            if (!(on & last)) {
                continue;
            }
            for (uint32_t next = kz_pf_step(last, d) & on; next; next = kz_pf_step(next, d) & on) {
                tables->ray[d][square] |= next;
                last = next;
            }
            tables->blocked_ray[d] |= board->rail[d] & last ? UINT32_C(1) << square : 0;
        }
        tables->exits[d] = on & ~kz_pf_step(on, d ^ 1) & ~board->rail[d];
    }
}

/* The pattern of a subset after piece number `from` has become number `to`: those between move by one. */
static uint32_t renumbered(uint32_t pattern, int from, int to) {
    uint32_t bit = pattern >> from & 1;
    uint32_t rest = kz_pf_without_bit(pattern, (unsigned)from);
    uint32_t below = (UINT32_C(1) << to) - 1;
    return (rest & below) | bit << to | (rest & ~below) << 1;
}

static void make_roles(kz_pf_tables *tables) {
    const kz_pf_space *space = tables->space;
    for (int j = 0; j < space->pieces; j++) {
        /* Unused words stay where they are. */
        for (unsigned word = 0; word < KZ_PF_WORDS; word++) {
            tables->to_first[j][word] = word;
            tables->from_first[j][word] = word;
        }
        for (unsigned rho = 0; rho < (unsigned)space->splits; rho++) {
            unsigned first = space->split_number[renumbered(space->split_pattern[rho], j, 0)];
            tables->to_first[j][first] = rho;
            tables->from_first[j][rho] = first;
            if (!(space->split_pattern[rho] >> j & 1)) {
                tables->pusher_words[j] |= (uint16_t)(1U << rho);
            }
        }
    }
}

/* The t-th of the own pieces but the pusher becomes the one that bits 2t, 2t + 1 of the order say. Numbers that are no
 * order are never used. */
static void make_orders(kz_pf_tables *tables) {
    const kz_pf_space *space = tables->space;
    unsigned others = (unsigned)space->pieces - 1;
    for (unsigned t = 0; t < others; t++) {
        tables->same_order |= (uint8_t)(t << 2 * t);
        tables->reversed_order |= (uint8_t)((others - 1 - t) << 2 * t);
    }
    for (int pusher = 0; pusher < space->pieces; pusher++) {
        for (unsigned order = 0; order < KZ_PF_ORDERS; order++) {
            for (unsigned rho = 0; rho < (unsigned)space->splits; rho++) {
                uint32_t pattern = space->split_pattern[rho];
                if (pattern >> pusher & 1) {
                    continue;
                }
                uint32_t rest = kz_pf_without_bit(pattern, (unsigned)pusher);
                uint32_t after = 0;
                for (unsigned t = 0; t < others; t++) {
                    after |= (rest >> t & 1) << (order >> 2 * t & 3);
                }
                if (kz_popcount32(after) != kz_popcount32(rest) || after >> others) {
                    continue;
                }
                unsigned sigma = space->anchored_number[after];
                for (unsigned sigmas = 0; sigmas < 64; sigmas++) {
                    tables->words[pusher][order][sigmas] |= (uint16_t)((sigmas >> sigma & 1) << rho);
                }
            }
        }
    }
}

static void make_bits(kz_pf_tables *tables) {
    const kz_pf_space *space = tables->space;
    for (uint32_t anchors = 0; anchors < UINT32_C(1) << space->pieces; anchors++) {
        tables->allowed[anchors] = kz_pf_allowed(space, anchors);
        tables->allowed_rotated[anchors] = kz_pf_allowed(space, kz_pf_reversed(anchors, space->pieces));
        for (int alpha = 0; alpha < space->pieces; alpha++) {
            tables->spread[anchors] |= (uint64_t)(anchors >> alpha & 1) << alpha * space->splits;
        }
    }
    for (int alpha = 0; alpha < space->pieces; alpha++) {
        for (int rho = 0; rho < space->splits; rho++) {
            int bit = alpha * space->splits + rho;
            tables->bit_alpha[bit] = (uint8_t)alpha;
            tables->bit_rho[bit] = (uint8_t)rho;
            tables->rotated_bit[bit] =
                (uint8_t)((space->pieces - 1 - alpha) * space->splits + space->split_reversed[rho]);
        }
    }
    uint32_t all_sigmas = (UINT32_C(1) << space->anchored_splits) - 1;
    for (uint32_t pattern = 0; pattern < UINT32_C(1) << space->pieces; pattern++) {
        for (int alpha = 0; alpha < space->pieces; alpha++) {
            tables->unmoved_lanes[pattern] |= pattern >> alpha & 1 ? 0 : all_sigmas << alpha * space->anchored_splits;
        }
    }
    for (int byte = 0; byte < 64; byte++) {
        int word_begin = byte % 8 / 4 * 32; /* of two words of an element */
        tables->fields[0][byte] = (uint8_t)(word_begin + byte % 4 * space->anchored_splits);
        tables->fields[1][byte] = (uint8_t)(word_begin + 4 * space->anchored_splits);
    }
    for (int bit = 0; bit < space->pieces * space->splits; bit++) {
        for (int rotated = 0; rotated < 2; rotated++) {
            int source = rotated ? tables->rotated_bit[bit] : bit;
            int alpha = source / space->splits;
            int rho = source % space->splits;
            tables->field_of_bit[rotated][bit] = (uint8_t)(4 * rho + (alpha < 4 ? alpha : 64));
        }
    }
    for (unsigned rhos = 0; rhos < 1U << space->splits; rhos++) {
        for (int rho = 0; rho < space->splits; rho++) {
            tables->rotated_splits[rhos] |= (uint16_t)((rhos >> rho & 1) << space->split_reversed[rho]);
        }
    }
    for (unsigned sigmas = 0; sigmas < 64; sigmas++) {
        for (int sigma = 0; sigma < space->anchored_splits; sigma++) {
            tables->rotated_sigmas[sigmas] |= (uint8_t)((sigmas >> sigma & 1) << space->anchored_reversed[sigma]);
        }
    }
}

kz_status kz_pf_tables_open(const kz_pf_space *space, kz_pf_tables **opened, kz_error *error) {
    kz_pf_tables *tables = calloc(1, sizeof *tables);
    if (!tables) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for the tables of the sweep");
    }
    tables->space = space;
    tables->cpu = kz_cpu_level();
    if (!make_rests(tables)) {
        kz_pf_tables_close(tables);
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for the tables of the sweep");
    }
    make_split_ranks(tables);
    make_rays(tables);
    make_roles(tables);
    make_orders(tables);
    make_bits(tables);
    *opened = tables;
    return KZ_OK;
}

void kz_pf_tables_close(kz_pf_tables *tables) {
    if (tables) {
        free(tables->rests);
        free(tables->rest_number);
        free(tables);
    }
}
