/* SPDX-License-Identifier: MIT
 *
 * Bitboards with AVX-512: a bit of all codes at a time. */
#ifdef __x86_64__
#include "shogi/src/position.h"

#include <immintrin.h>
#include <string.h>

enum { HIGH_MASK = 0x1FFFF };

/* A set with 64 squares in its first word. */
typedef struct set {
    uint64_t low;
    uint32_t high;
} set;

static inline set set_of(const uint64_t words[2], unsigned split) {
    unsigned moved = 64 - split; /* 0 or 1: squares of the second word that belong to the first */
    return (set){words[0] | (moved != 0 ? words[1] << 63 : 0), (uint32_t)(words[1] >> moved) & HIGH_MASK};
}

static inline set either(set a, set b) { return (set){a.low | b.low, a.high | b.high}; }

#define WITH_BIT(bit, squares)                                                                                         \
    low = _mm512_or_si512(low, _mm512_maskz_mov_epi8((squares).low, _mm512_set1_epi8((char)(bit))));                   \
    high = _mm256_or_si256(high, _mm256_maskz_mov_epi8((squares).high, _mm256_set1_epi8((char)(bit))))

static inline void place(const kz_shogi_bitboards *boards, kz_shogi_position *position) {
    unsigned split = boards->split;
    set lances = set_of(boards->kinds[KZ_SHOGI_LANCE], split);
    set knights = set_of(boards->kinds[KZ_SHOGI_KNIGHT], split);
    set silvers = set_of(boards->kinds[KZ_SHOGI_SILVER], split);
    set golds = set_of(boards->kinds[KZ_SHOGI_GOLD], split);
    set bishops = set_of(boards->kinds[KZ_SHOGI_BISHOP], split);
    set rooks = set_of(boards->kinds[KZ_SHOGI_ROOK], split);
    set kings = set_of(boards->kinds[KZ_SHOGI_KING], split);
    set majors = either(bishops, rooks);
    set large = either(golds, majors);
    set others = either(either(lances, knights), either(silvers, large));
    __m512i low = _mm512_setzero_si512();
    __m256i high = _mm256_setzero_si256();
    WITH_BIT(0x80, either(others, set_of(boards->kinds[KZ_SHOGI_PAWN], split)));
    WITH_BIT(0x01, either(others, kings));
    WITH_BIT(0x02, either(silvers, large));
    WITH_BIT(0x04, either(knights, large));
    WITH_BIT(0x08, majors);
    WITH_BIT(0x10, rooks);
    WITH_BIT(KZ_SHOGI_PROMOTED, set_of(boards->promoted, split));
    WITH_BIT(KZ_SHOGI_WHITES, set_of(boards->sides[KZ_SHOGI_WHITE], split));
    /* What comes after the board is written over the end of the second register. */
    _mm512_storeu_si512(position->board, low);
    _mm256_storeu_si256((__m256i *)(void *)((uint8_t *)position + 64), high);
    memcpy(position->hand, boards->hand, sizeof position->hand);
    position->side = boards->side;
}

void kz_shogi_bitboards_vbmi2(const kz_shogi_bitboards *boards, size_t count, kz_shogi_position *positions) {
    for (size_t i = 0; i < count; i++) {
        place(&boards[i], &positions[i]);
    }
}
#else
typedef int kz_shogi_nothing_here;
#endif
