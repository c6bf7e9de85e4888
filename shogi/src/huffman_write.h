/* SPDX-License-Identifier: MIT
 *
 * Writes psfen and hcp many codes at a time; compiled for several kinds of processors (paths_avx2.c,
 * paths_bmi2.c, paths_vbmi2.c).
 *
 * Only positions with both kings and no piece too many go this way, which shows in the end: they fill the record. All
 * others start again with the plain twin. */
#ifndef KZ_SHOGI_HUFFMAN_WRITE_H
#define KZ_SHOGI_HUFFMAN_WRITE_H

#include "shogi/src/huffman.h"

#include <immintrin.h>

/* What is known of a position while it is written. */
typedef struct half_written {
    /* The board, eight squares a word. With BMI2 each code is at the bottom of a byte, and `ones` has as many ones
     * there as the code has bits: PEXT joins them. Without it they are joined already, and `ones` has their number.
     * Kings have no code, and what is beyond the board has none. */
    uint64_t bits[12];
    uint64_t ones[12];
    unsigned king[2];
    bool as_mostly; /* there are kings, and nobody has more in hand than there is */
    uint8_t bytes[KZ_SHOGI_MOST_BYTES];
} half_written;

/* The square of a king from masks of those who hold one: the first one, 81 or more if there is none. */
static inline unsigned king_square(uint64_t low, uint32_t high) {
    return low != 0 ? kz_lowest_bit64(low) : 64 + kz_lowest_bit32(high | 1U << 31);
}

/* Whether nobody has more in hand than there is, and one of two is to move. */
static inline bool hands_are_fine(const kz_shogi_position *position) {
    /* The last square comes first, which may be anything. */
    __m128i end = _mm_loadu_si128((const __m128i *)((const uint8_t *)position + KZ_SHOGI_SQUARES - 1));
    __m128i most = _mm_setr_epi8(-1, 18, 4, 4, 4, 4, 2, 2, 18, 4, 4, 4, 4, 2, 2, KZ_SHOGI_WHITE);
    return _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_max_epu8(end, most), most)) == 0xFFFF;
}

static inline __m256i table_of_16(const uint8_t *bytes) {
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)bytes));
}

/* `bytes` where `squares` has a bit set, and 0 elsewhere. */
static inline __m256i where(__m256i squares, char bit, __m256i bytes) {
    __m256i bits = _mm256_set1_epi8(bit);
    return _mm256_and_si256(_mm256_cmpeq_epi8(_mm256_and_si256(squares, bits), bits), bytes);
}

#ifndef __BMI2__

/* What PEXT would do with eight squares: joins neighbours, twice as many each time. */
static inline void join_squares(__m256i bits, __m256i ones, __m256i lengths, uint64_t *words, uint64_t *word_lengths) {
    __m256i low = _mm256_set1_epi16(0xFF);
    __m256i power = _mm256_add_epi16(_mm256_and_si256(ones, low), _mm256_set1_epi16(1)); /* 2 to the length */
    bits = _mm256_or_si256(_mm256_and_si256(bits, low), _mm256_mullo_epi16(_mm256_srli_epi16(bits, 8), power));
    lengths = _mm256_maddubs_epi16(lengths, _mm256_set1_epi8(1));
    low = _mm256_set1_epi32(0xFFFF);
    bits = _mm256_or_si256(_mm256_and_si256(bits, low),
                           _mm256_sllv_epi32(_mm256_srli_epi32(bits, 16), _mm256_and_si256(lengths, low)));
    lengths = _mm256_madd_epi16(lengths, _mm256_set1_epi16(1));
    low = _mm256_set1_epi64x(0xFFFFFFFF);
    bits = _mm256_or_si256(_mm256_and_si256(bits, low),
                           _mm256_sllv_epi64(_mm256_srli_epi64(bits, 32), _mm256_and_si256(lengths, low)));
    lengths = _mm256_add_epi64(_mm256_and_si256(lengths, low), _mm256_srli_epi64(lengths, 32));
    _mm256_storeu_si256((__m256i *)words, bits);
    _mm256_storeu_si256((__m256i *)word_lengths, lengths);
}

#endif

static inline void code_board(const kz_shogi_huffman *codes, const kz_shogi_position *position, half_written *half) {
    /* The low four bits tell pieces apart, but for bishops and rooks, whose codes differ in one bit; so do those of
     * white and promoted pieces from others. */
    const uint8_t *bits_of = codes->bits;
    const __m256i black = table_of_16(bits_of + KZ_SHOGI_CODE_PAWN);
    const __m256i if_white = _mm256_xor_si256(black, table_of_16(bits_of + (KZ_SHOGI_CODE_PAWN | KZ_SHOGI_WHITES)));
    const __m256i if_promoted =
        _mm256_xor_si256(black, table_of_16(bits_of + (KZ_SHOGI_CODE_PAWN | KZ_SHOGI_PROMOTED)));
    const __m256i if_rook = _mm256_set1_epi8((char)(bits_of[KZ_SHOGI_CODE_ROOK] ^ bits_of[KZ_SHOGI_CODE_BISHOP]));
    const __m256i ones_of = table_of_16(codes->ones + KZ_SHOGI_CODE_PAWN);
    uint32_t king[2][3];
#pragma GCC unroll 3
    for (int i = 0; i < 3; i++) {
        __m256i squares = _mm256_loadu_si256((const __m256i *)(position->board + 32 * i));
        __m256i empty = _mm256_cmpeq_epi8(squares, _mm256_setzero_si256());
        if (i == 2) {
            __m256i on_board = _mm256_setr_epi64x(-1, -1, 0xFF, 0);
            squares = _mm256_and_si256(squares, on_board);
            empty = _mm256_and_si256(empty, on_board);
        }
        king[0][i] = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(squares, _mm256_set1_epi8(KZ_SHOGI_CODE_KING)));
        king[1][i] = (uint32_t)_mm256_movemask_epi8(
            _mm256_cmpeq_epi8(squares, _mm256_set1_epi8(KZ_SHOGI_CODE_KING | KZ_SHOGI_WHITES)));
        /* An index with bit 7 set gives 0: that is what is empty or a king. */
        __m256i index =
            _mm256_and_si256(_mm256_xor_si256(squares, _mm256_set1_epi8((char)0x80)), _mm256_set1_epi8((char)0x8F));
        __m256i bits = _mm256_shuffle_epi8(black, index);
        bits = _mm256_xor_si256(bits, where(squares, KZ_SHOGI_WHITES, _mm256_shuffle_epi8(if_white, index)));
        bits = _mm256_xor_si256(bits, where(squares, KZ_SHOGI_PROMOTED, _mm256_shuffle_epi8(if_promoted, index)));
        bits = _mm256_xor_si256(bits, where(squares, 0x10, if_rook));
        __m256i one = _mm256_and_si256(empty, _mm256_set1_epi8(1));
        __m256i ones = _mm256_or_si256(_mm256_shuffle_epi8(ones_of, index), one);
#ifdef __BMI2__
        _mm256_storeu_si256((__m256i *)(half->bits + 4 * i), bits);
        _mm256_storeu_si256((__m256i *)(half->ones + 4 * i), ones);
#else
        __m256i lengths = _mm256_shuffle_epi8(table_of_16(codes->length + KZ_SHOGI_CODE_PAWN), index);
        join_squares(bits, ones, _mm256_or_si256(lengths, one), half->bits + 4 * i, half->ones + 4 * i);
#endif
    }
    for (int side = 0; side < 2; side++) {
        half->king[side] = king_square(king[side][0] | (uint64_t)king[side][1] << 32, king[side][2]);
    }
    half->as_mostly = half->king[0] < KZ_SHOGI_SQUARES && half->king[1] < KZ_SHOGI_SQUARES && hands_are_fine(position);
}

/* How many pieces of each kind are on the board, and bits for those that are not there. */
static inline void count_board(const uint8_t *board, unsigned counts[KZ_SHOGI_HAND_KINDS]) {
    uint64_t low[8];
    uint32_t high[8];
#pragma GCC unroll 8
    for (int bit = 0; bit < 8; bit++) {
        uint32_t masks[3];
        for (int i = 0; i < 3; i++) {
            __m256i squares = _mm256_loadu_si256((const __m256i *)(const void *)(board + 32 * i));
            masks[i] = (uint32_t)_mm256_movemask_epi8(_mm256_slli_epi16(squares, 7 - bit));
        }
        low[bit] = masks[0] | (uint64_t)masks[1] << 32;
        high[bit] = masks[2] & 0x1FFFF;
    }
#define COUNT(set) (kz_popcount64(set(low)) + kz_popcount32((uint32_t)(set(high))))
#define PAWNS(b) ((b)[7] & ~(b)[0])
#define LANCES(b) ((b)[7] & (b)[0] & ~(b)[1] & ~(b)[2])
#define KNIGHTS(b) ((b)[7] & ~(b)[1] & (b)[2])
#define SILVERS(b) ((b)[7] & (b)[1] & ~(b)[2])
#define GOLDS(b) ((b)[7] & (b)[1] & (b)[2] & ~(b)[3])
#define BISHOPS(b) ((b)[7] & (b)[3] & ~(b)[4])
#define ROOKS(b) ((b)[7] & (b)[3] & (b)[4])
    counts[KZ_SHOGI_PAWN] = COUNT(PAWNS);
    counts[KZ_SHOGI_LANCE] = COUNT(LANCES);
    counts[KZ_SHOGI_KNIGHT] = COUNT(KNIGHTS);
    counts[KZ_SHOGI_SILVER] = COUNT(SILVERS);
    counts[KZ_SHOGI_GOLD] = COUNT(GOLDS);
    counts[KZ_SHOGI_BISHOP] = COUNT(BISHOPS);
    counts[KZ_SHOGI_ROOK] = COUNT(ROOKS);
#undef COUNT
#undef PAWNS
#undef LANCES
#undef KNIGHTS
#undef SILVERS
#undef GOLDS
#undef BISHOPS
#undef ROOKS
}

/* Writes the box of a position from which pieces are missing. False if some kind has too many. */
static inline bool put_box(const kz_shogi_huffman *codes, const kz_shogi_position *position, kz_shogi_stream *stream) {
    static const uint8_t full_sets[KZ_SHOGI_HAND_KINDS] = {18, 4, 4, 4, 4, 2, 2};
    unsigned counts[KZ_SHOGI_HAND_KINDS];
    count_board(position->board, counts);
    for (int kind = 0; kind < KZ_SHOGI_HAND_KINDS; kind++) {
        unsigned there = counts[kind] + position->hand[KZ_SHOGI_BLACK][kind] + position->hand[KZ_SHOGI_WHITE][kind];
        if (there > full_sets[kind]) {
            return false;
        }
        unsigned length = (full_sets[kind] - there) * kz_shogi_piece_bits[kind];
        kz_shogi_stream_put(stream, kz_shogi_low_bits(codes->run[KZ_SHOGI_BOX][kind], length), length);
    }
    return true;
}

/* False if it has not the bits of a full set. */
static inline bool put_all(const kz_shogi_huffman *codes, const kz_shogi_position *position, half_written *half) {
    if (!half->as_mostly) {
        return false;
    }
    kz_shogi_stream stream = kz_shogi_stream_begin(half->bytes, position->side, half->king[0], half->king[1]);
#pragma GCC unroll 11
    for (int i = 0; i < 11; i++) {
#ifdef __BMI2__
        kz_shogi_stream_put(&stream, _pext_u64(half->bits[i], half->ones[i]), kz_popcount64(half->ones[i]));
#else
        kz_shogi_stream_put(&stream, half->bits[i], (unsigned)half->ones[i]);
#endif
    }
    return kz_shogi_put_hand(&stream, codes->run[KZ_SHOGI_BLACK], position->hand[KZ_SHOGI_BLACK]) &&
           kz_shogi_put_hand(&stream, codes->run[KZ_SHOGI_WHITE], position->hand[KZ_SHOGI_WHITE]) &&
           (kz_shogi_stream_is_full(&stream, half->bytes) ||
            (put_box(codes, position, &stream) && kz_shogi_stream_is_full(&stream, half->bytes)));
}

static inline size_t pack_many(const kz_shogi_huffman *codes, const kz_shogi_position *positions, size_t count,
                               uint8_t *records, size_t stride, kz_shogi_defect *defect) {
    enum { GROUP = 8 };
    half_written halves[GROUP];
    for (size_t begin = 0; begin < count; begin += GROUP) {
        size_t group = count - begin < GROUP ? count - begin : GROUP;
        for (size_t i = 0; i < group; i++) {
            code_board(codes, &positions[begin + i], &halves[i]);
        }
        for (size_t i = 0; i < group; i++) {
            halves[i].as_mostly = put_all(codes, &positions[begin + i], &halves[i]);
        }
        for (size_t i = 0; i < group; i++) {
            uint8_t *record = records + (begin + i) * stride;
            if (halves[i].as_mostly) {
                memcpy(record, halves[i].bytes, KZ_SHOGI_RECORD_BYTES);
            } else {
                *defect = kz_shogi_huffman_pack(codes, &positions[begin + i], record);
                if (*defect != KZ_SHOGI_FINE) {
                    return begin + i;
                }
            }
        }
    }
    return count;
}

#endif
