/* SPDX-License-Identifier: MIT */
#include "games/pushfight/index/permutation.h"

#include "base/bits.h"
#include "games/pushfight/rules/rules.h"

static int length_of(kz_pf_counts counts) {
    int length = 0;
    for (int code = 0; code < KZ_PF_CODES; code++) {
        length += counts.of[code];
    }
    return length;
}

kz_pf_counts kz_pf_board_counts(const kz_pf_board *board) {
    int pieces = board->movers + board->pushers;
    return (kz_pf_counts){{
        [KZ_PF_EMPTY] = kz_pf_square_count(board) - 2 * pieces,
        [KZ_PF_OWN_MOVER] = board->movers,
        [KZ_PF_OWN_PUSHER] = board->pushers,
        [KZ_PF_ENEMY_MOVER] = board->movers,
        [KZ_PF_ENEMY_PUSHER] = board->pushers - 1,
        [KZ_PF_ANCHORED] = 1,
    }};
}

uint64_t kz_pf_strings(kz_pf_counts counts) {
    uint64_t strings = 1;
    int length = 0;
    for (int code = 0; code < KZ_PF_CODES; code++) {
        /* Times the binomial coefficient of the places that this code takes; each division leaves no rest. */
        for (int i = 1; i <= counts.of[code]; i++) {
            strings = strings * (uint64_t)++length / (uint64_t)i;
        }
    }
    return strings;
}

/* Of all strings of some counts, counts.of[code] / length begin with a code. So one number, that of the strings which
 * are still possible, is carried along, and no table of coefficients is needed. */

uint64_t kz_pf_string_rank(const uint8_t *codes, int length) {
    kz_pf_counts counts = {{0}};
    for (int i = 0; i < length; i++) {
        counts.of[codes[i]]++;
    }
    uint64_t strings = kz_pf_strings(counts);
    uint64_t rank = 0;
    for (int i = 0; i < length; i++) {
        int below = 0;
        for (int code = 0; code < codes[i]; code++) {
            below += counts.of[code];
        }
        uint64_t left = (uint64_t)(length - i);
        rank += strings * (uint64_t)below / left;
        strings = strings * (uint64_t)counts.of[codes[i]]-- / left;
    }
    return rank;
}

void kz_pf_string_at(uint64_t rank, kz_pf_counts counts, uint8_t *codes) {
    uint64_t strings = kz_pf_strings(counts);
    int length = length_of(counts);
    for (int i = 0; i < length; i++) {
        uint64_t left = (uint64_t)(length - i);
        int code = 0;
        uint64_t begins = strings * (uint64_t)counts.of[code] / left;
        while (rank >= begins && code < KZ_PF_CODES - 1) {
            rank -= begins;
            begins = strings * (uint64_t)counts.of[++code] / left;
        }
        codes[i] = (uint8_t)code;
        counts.of[code]--;
        strings = begins;
    }
}

void kz_pf_codes(const kz_pf_position *position, uint8_t codes[KZ_PF_MOST_SQUARES]) {
    uint32_t anchor = kz_pf_anchor_square(position);
    int number = 0;
    for (uint32_t rest = kz_pf_board_of(position)->squares; rest; rest &= rest - 1) {
        uint32_t square = rest & -rest;
        codes[number++] = (uint8_t)(square & anchor                    ? KZ_PF_ANCHORED
                                    : square & position->enemy_pushers ? KZ_PF_ENEMY_PUSHER
                                    : square & position->enemy_movers  ? KZ_PF_ENEMY_MOVER
                                    : square & position->own_pushers   ? KZ_PF_OWN_PUSHER
                                    : square & position->own_movers    ? KZ_PF_OWN_MOVER
                                                                       : KZ_PF_EMPTY);
    }
}

void kz_pf_from_codes(int board, const uint8_t *codes, kz_pf_position *position) {
    *position = (kz_pf_position){.anchor = KZ_PF_NO_ANCHOR, .board = (uint8_t)board};
    int number = 0;
    for (uint32_t rest = kz_pf_board_at(board)->squares; rest; rest &= rest - 1) {
        uint32_t square = rest & -rest;
        switch (codes[number++]) {
        case KZ_PF_OWN_MOVER:
            position->own_movers |= square;
            break;
        case KZ_PF_OWN_PUSHER:
            position->own_pushers |= square;
            break;
        case KZ_PF_ENEMY_MOVER:
            position->enemy_movers |= square;
            break;
        case KZ_PF_ANCHORED:
            position->anchor = (int8_t)kz_lowest_bit32(square);
            position->enemy_pushers |= square;
            break;
        case KZ_PF_ENEMY_PUSHER:
            position->enemy_pushers |= square;
            break;
        default:
            break;
        }
    }
}

uint64_t kz_pf_permutations(const kz_pf_board *board) { return kz_pf_strings(kz_pf_board_counts(board)); }

uint64_t kz_pf_permutation(const kz_pf_position *position) {
    uint8_t codes[KZ_PF_MOST_SQUARES] = {0};
    kz_pf_codes(position, codes);
    return kz_pf_string_rank(codes, kz_pf_square_count(kz_pf_board_of(position)));
}

void kz_pf_permutation_at(int board, uint64_t index, kz_pf_position *position) {
    uint8_t codes[KZ_PF_MOST_SQUARES] = {0};
    kz_pf_string_at(index, kz_pf_board_counts(kz_pf_board_at(board)), codes);
    kz_pf_from_codes(board, codes, position);
}
