/* SPDX-License-Identifier: MIT */

#include "base/bits.h"
#include "base/cpu.h"
#include "shogi/src/position.h"

#include <string.h>

/* The codes of a set's squares get more bits. */
static void add_bits(kz_shogi_position *position, const uint64_t set[2], unsigned split, uint8_t bits) {
    for (int word = 0; word < 2; word++) {
        for (uint64_t left = set[word]; left != 0; left &= left - 1) {
            unsigned square = kz_lowest_bit64(left) + (word != 0 ? split : 0);
            if (square < KZ_SHOGI_SQUARES) {
                position->board[square] |= bits;
            }
        }
    }
}

static void place(const kz_shogi_bitboards *boards, kz_shogi_position *position) {
    memset(position->board, 0, sizeof position->board);
    for (int kind = 0; kind <= KZ_SHOGI_KING; kind++) {
        add_bits(position, boards->kinds[kind], boards->split, kz_shogi_codes[kind]);
    }
    add_bits(position, boards->sides[KZ_SHOGI_WHITE], boards->split, KZ_SHOGI_WHITES);
    add_bits(position, boards->promoted, boards->split, KZ_SHOGI_PROMOTED);
    memcpy(position->hand, boards->hand, sizeof position->hand);
    position->side = boards->side;
}

void kz_shogi_bitboards_plain(const kz_shogi_bitboards *boards, size_t count, kz_shogi_position *positions) {
    for (size_t i = 0; i < count; i++) {
        place(&boards[i], &positions[i]);
    }
}

kz_shogi_bitboards_fn *kz_shogi_bitboards_for(const char *path) {
#ifdef __x86_64__
    bool has_vbmi2 = (path ? kz_cpu_available() : kz_cpu_level()) >= KZ_CPU_VBMI2;
    if (has_vbmi2 && (!path || strcmp(path, "vbmi2") == 0)) {
        return kz_shogi_bitboards_vbmi2;
    }
#endif
    return !path || strcmp(path, "plain") == 0 ? kz_shogi_bitboards_plain : NULL;
}

void kz_shogi_to_bitboards(const kz_shogi_position *position, unsigned split, kz_shogi_bitboards *boards) {
    memset(boards, 0, sizeof *boards);
    for (unsigned square = 0; square < KZ_SHOGI_SQUARES; square++) {
        uint8_t code = position->board[square];
        unsigned word = square >= split;
        uint64_t bit = UINT64_C(1) << (square - (word ? split : 0));
        if (code != KZ_SHOGI_EMPTY) {
            boards->sides[kz_shogi_side_of(code)][word] |= bit;
            boards->kinds[kz_shogi_kind_of(code)][word] |= bit;
            boards->promoted[word] |= (code & KZ_SHOGI_PROMOTED) != 0 ? bit : 0;
        }
    }
    memcpy(boards->hand, position->hand, sizeof boards->hand);
    boards->side = position->side;
    boards->split = (uint8_t)split;
}
