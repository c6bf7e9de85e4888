/* SPDX-License-Identifier: MIT
 *
 * Reads psfen and hcp many codes at a time; compiled for several kinds of processors (paths_avx2.c,
 * paths_bmi2.c, paths_vbmi2.c).
 *
 * Only records with the box after the hands go this way. Whether that is so shows in the end, in the bits that were
 * taken and the pieces that were found; all other records start again with the plain twin, so that there is one place
 * that knows what can be wrong. */
#ifndef KZ_SHOGI_HUFFMAN_READ_H
#define KZ_SHOGI_HUFFMAN_READ_H

#include "shogi/src/huffman.h"

#include <immintrin.h>

/* A lookup can't begin before the one before it has ended, so that several records side by side take little longer than
 * one. */
enum { LANES = 4 };

/* What is known of a record while it is read. */
typedef struct half_read {
    /* Squares without kings, one after the other. Two bytes before them are read, too; what comes after the last one is
     * of no meaning. */
    uint8_t before[32];
    uint8_t list[KZ_SHOGI_LIST_ROOM];
    uint64_t board; /* fields that count the pieces on the board */
    unsigned end;   /* the bit after the codes of the board */
    uint64_t hands; /* the sum of entries of kz_shogi_huffman.pieces */
} half_read;

/* Reads the codes of squares until there are enough, and a little into the hands. */
__attribute__((always_inline)) static inline void read_squares(const kz_shogi_huffman *codes, const uint8_t *records,
                                                               size_t stride, half_read *halves, int lanes) {
    const uint64_t *table = codes->squares;
    unsigned at[LANES];
    uint64_t stream[LANES];
    uint64_t taken[LANES]; /* squares << 8 | bits since `at` */
    uint64_t fewest;
    for (int lane = 0; lane < lanes; lane++) {
        at[lane] = KZ_SHOGI_HEAD_BITS;
        taken[lane] = 0;
    }
    do {
        fewest = KZ_SHOGI_LIST << 8;
#pragma GCC unroll 4
        for (int lane = 0; lane < lanes; lane++) {
            stream[lane] = kz_shogi_stream_at(records + (size_t)lane * stride, at[lane]);
        }
#pragma GCC unroll 5
        for (int i = 0; i < KZ_SHOGI_LOOKUPS; i++) {
#pragma GCC unroll 4
            for (int lane = 0; lane < lanes; lane++) {
                uint64_t entry = table[stream[lane] & ((1 << KZ_SHOGI_SQUARES_PEEK) - 1)];
                kz_store_le64(halves[lane].list + (taken[lane] >> 8), entry);
                stream[lane] >>= entry >> 48 & 63;
                taken[lane] += entry >> 48;
            }
        }
#pragma GCC unroll 4
        for (int lane = 0; lane < lanes; lane++) {
            at[lane] += taken[lane] & 255;
            taken[lane] &= ~UINT64_C(255);
            /* Who has enough goes on, and writes no further. */
            taken[lane] = taken[lane] < KZ_SHOGI_LIST << 8 ? taken[lane] : KZ_SHOGI_LIST << 8;
            fewest = taken[lane] < fewest ? taken[lane] : fewest;
        }
    } while (fewest < KZ_SHOGI_LIST << 8);
}

/* ---- One record alone --------------------------------------------------------------------------------------------
 *
 * Where there are no other records to work on meanwhile, the stream is read from three bits at once. Nobody knows
 * whether a code begins at the second and the third of them. But who begins in the middle of a code soon comes to the
 * beginning of another one and is right from there on. So where the first part ends is looked up in the second part: if
 * a code begins there in that, too, the rest of the second part is what follows. That is so in 97 of 100 records;
 * others are read from the beginning to the end. */

enum {
    PARTS = 3,
    PART_REFILLS = 3,
    PART_STEPS = 4, /* lookups of a refill */
    PART_LOOKUPS = PART_REFILLS * PART_STEPS,
    PART_MEETS = 8, /* among so many lookups a part looks for the end of the one before */
    PART_MOST = PART_LOOKUPS * KZ_SHOGI_SQUARES_EACH,
    PART_BITS = 80 /* from the beginning of a part to that of the next one: fewer than a part takes */
};
_Static_assert(PART_STEPS *KZ_SHOGI_SQUARES_PEEK <= 57, "kz_shogi_stream_at gives 57 bits");
_Static_assert(PART_LOOKUPS *KZ_SHOGI_SQUARES_PEEK <= 255, "the bits of a part are counted in a byte");
_Static_assert(KZ_SHOGI_LIST + PART_MOST <= KZ_SHOGI_LIST_ROOM && PART_MOST + 8 <= KZ_SHOGI_LIST_ROOM,
               "lists need room");

static inline unsigned part_begin(int part) { return (unsigned)(KZ_SHOGI_HEAD_BITS + part * PART_BITS); }

/* How many squares a part has before the code that begins `at` bits after the beginning of the part. -1 if none begins
 * there. `marks` are what the part had taken before each lookup: squares << 8 | bits. */
static inline int meet(const kz_shogi_huffman *codes, const uint8_t *record, const uint16_t marks[PART_MEETS],
                       unsigned begin, unsigned at) {
    enum { LONGEST = 8, PEEK_MASK = (1 << KZ_SHOGI_SQUARES_PEEK) - 1 };
    unsigned lookup = 0;
#pragma GCC unroll 8
    for (int i = 1; i < PART_MEETS; i++) {
        lookup += (marks[i] & 255) <= at;
    }
    unsigned bits = marks[lookup] & 255;
    unsigned into = at - bits; /* large if the part begins after `at` */
    if (into >= KZ_SHOGI_SQUARES_PEEK) {
        return -1;
    }
    /* What comes after is made ones. These complete no code, but for the longest one if there are enough of them: then
     * there is room for nothing but empty squares before. */
    unsigned below = (1U << into) - 1;
    unsigned window = (unsigned)kz_shogi_stream_at(record, begin + bits) & below;
    uint64_t entry = codes->squares[window | (PEEK_MASK & ~below)];
    bool few = into <= KZ_SHOGI_SQUARES_PEEK - LONGEST;
    bool begins = few ? window == 0 : (entry >> 48 & 63) == into;
    unsigned before = few ? into : (unsigned)(entry >> 56);
    return begins ? (int)((marks[lookup] >> 8) + before) : -1;
}

/* The same as read_squares for one record. False if the parts don't meet. */
static inline bool read_squares_alone(const kz_shogi_huffman *codes, const uint8_t *record, half_read *half) {
    const uint64_t *table = codes->squares;
    /* What comes after the last square of a list is of no meaning. */
    uint8_t second[2 * PART_MOST + 8], third[2 * PART_MOST + 8];
    uint8_t *const lists[PARTS] = {half->list, second, third};
    uint16_t marks[PARTS][PART_MEETS]; /* the first part needs none */
    uint64_t stream[PARTS];
    uint64_t taken[PARTS] = {0, 0, 0};
#pragma GCC unroll 3
    for (int refill = 0; refill < PART_REFILLS; refill++) {
#pragma GCC unroll 3
        for (int i = 0; i < PARTS; i++) {
            stream[i] = kz_shogi_stream_at(record, part_begin(i) + (unsigned)(taken[i] & 255));
        }
#pragma GCC unroll 4
        for (int step = 0; step < PART_STEPS; step++) {
            int lookup = refill * PART_STEPS + step;
#pragma GCC unroll 3
            for (int i = 0; i < PARTS; i++) {
                uint64_t entry = table[stream[i] & ((1 << KZ_SHOGI_SQUARES_PEEK) - 1)];
                if (i > 0 && lookup < PART_MEETS) {
                    marks[i][lookup] = (uint16_t)taken[i];
                }
                kz_store_le64(lists[i] + (taken[i] >> 8), entry);
                stream[i] >>= entry >> 48 & 63;
                taken[i] += entry >> 48;
            }
        }
    }
    unsigned count = (unsigned)(taken[0] >> 8);
#pragma GCC unroll 2
    for (int i = 1; i < PARTS && count < KZ_SHOGI_LIST; i++) {
        unsigned end = (unsigned)(taken[i - 1] & 255) - PART_BITS; /* of the part before, from the beginning of this */
        int before = meet(codes, record, marks[i], part_begin(i), end);
        if (before < 0) {
            return false;
        }
        memcpy(half->list + count, lists[i] + before, PART_MOST);
        count += (unsigned)(taken[i] >> 8) - (unsigned)before;
    }
    return count >= KZ_SHOGI_LIST;
}

/* ---- The pieces -------------------------------------------------------------------------------------------------- */

/* Counts pieces with masks of the squares whose codes have a bit set, one for each bit. */
static inline void count_pieces(const uint64_t low[8], const unsigned high[8], half_read *half) {
#define SQUARES_WITH(bit) ((uint64_t)kz_popcount64(low[bit]) + kz_popcount32(high[bit]))
    uint64_t pieces = SQUARES_WITH(7);
    uint64_t no_pawns = SQUARES_WITH(0);
    uint64_t no_lances_or_silvers = SQUARES_WITH(2);
    uint64_t no_lances_or_knights = SQUARES_WITH(1);
    uint64_t golds_and_better = (uint64_t)kz_popcount64(low[1] & low[2]) + kz_popcount32(high[1] & high[2]);
    uint64_t bishops_and_rooks = SQUARES_WITH(3);
    uint64_t rooks = SQUARES_WITH(4);
#undef SQUARES_WITH
    uint64_t knights = no_lances_or_silvers - golds_and_better;
    uint64_t silvers = no_lances_or_knights - golds_and_better;
    half->board = (pieces - no_pawns) << KZ_SHOGI_PAWN_FIELD;
    half->board += (no_pawns - knights - silvers - golds_and_better) << KZ_SHOGI_LANCE_FIELD;
    half->board += knights << KZ_SHOGI_KNIGHT_FIELD;
    half->board += silvers << KZ_SHOGI_SILVER_FIELD;
    half->board += (golds_and_better - bishops_and_rooks) << KZ_SHOGI_GOLD_FIELD;
    half->board += (bishops_and_rooks - rooks) << KZ_SHOGI_BISHOP_FIELD;
    half->board += rooks << KZ_SHOGI_ROOK_FIELD;
    half->end = KZ_SHOGI_HEAD_BITS + KZ_SHOGI_LIST + (unsigned)(3 * pieces + 2 * no_pawns + 2 * bishops_and_rooks);
}

#ifdef __AVX512VBMI2__

static inline void sum_board(half_read *half) {
    enum { REST = KZ_SHOGI_LIST - 64 };
    __m512i first = _mm512_loadu_si512(half->list);
    __m128i rest = _mm_maskz_loadu_epi8((1 << REST) - 1, half->list + 64);
    uint64_t low[8];
    unsigned high[8];
#pragma GCC unroll 8
    for (int bit = 0; bit < 8; bit++) {
        low[bit] = _mm512_test_epi8_mask(first, _mm512_set1_epi8((char)(1 << bit)));
        high[bit] = _mm_test_epi8_mask(rest, _mm_set1_epi8((char)(1 << bit)));
    }
    count_pieces(low, high, half);
}

/* Puts the squares where they belong and leaves room for the kings; writes 96 bytes. */
static inline void place_squares(const half_read *half, unsigned first_king, unsigned second_king, uint8_t *board) {
    enum { WORD = 64 };
    uint64_t low =
        ~((first_king < WORD ? UINT64_C(1) << first_king : 0) | (second_king < WORD ? UINT64_C(1) << second_king : 0));
    uint32_t high =
        ~((first_king < WORD ? 0 : 1U << (first_king - WORD)) | (second_king < WORD ? 0 : 1U << (second_king - WORD)));
    const uint8_t *rest = half->list + kz_popcount64(low);
    __m256i after = _mm256_maskz_expand_epi8(high, _mm256_loadu_si256((const __m256i *)rest));
    _mm512_storeu_si512(board, _mm512_maskz_expand_epi8(low, _mm512_loadu_si512(half->list)));
    _mm256_storeu_si256((__m256i *)(board + WORD), after);
}

#else

static inline void sum_board(half_read *half) {
    static const uint8_t fifteen[32] = {255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};
    __m256i squares[3];
    uint64_t low[8];
    unsigned high[8];
    for (int i = 0; i < 3; i++) {
        squares[i] = _mm256_loadu_si256((const __m256i *)(half->list + 32 * i));
    }
    squares[2] = _mm256_and_si256(squares[2], _mm256_loadu_si256((const __m256i *)fifteen));
#pragma GCC unroll 8
    for (int bit = 0; bit < 8; bit++) {
        low[bit] = (uint32_t)_mm256_movemask_epi8(_mm256_slli_epi16(squares[0], 7 - bit)) |
                   (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_slli_epi16(squares[1], 7 - bit)) << 32;
        high[bit] = (uint32_t)_mm256_movemask_epi8(_mm256_slli_epi16(squares[2], 7 - bit));
    }
    count_pieces(low, high, half);
}

/* Puts the squares where they belong and leaves room for the kings; writes 96 bytes. */
static inline void place_squares(const half_read *half, unsigned first_king, unsigned second_king, uint8_t *board) {
    const __m256i places = _mm256_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20,
                                            21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31);
    __m256i first = _mm256_set1_epi8((char)first_king);
    __m256i second = _mm256_set1_epi8((char)second_king);
#pragma GCC unroll 3
    for (int i = 0; i < 3; i++) {
        __m256i place = _mm256_add_epi8(places, _mm256_set1_epi8((char)(32 * i)));
        __m256i squares = _mm256_loadu_si256((const __m256i *)(half->list + 32 * i));
        __m256i one_back = _mm256_loadu_si256((const __m256i *)(half->list + 32 * i - 1));
        __m256i two_back = _mm256_loadu_si256((const __m256i *)(half->list + 32 * i - 2));
        squares = _mm256_blendv_epi8(squares, one_back, _mm256_cmpgt_epi8(place, first));
        squares = _mm256_blendv_epi8(squares, two_back, _mm256_cmpgt_epi8(place, second));
        _mm256_storeu_si256((__m256i *)(board + 32 * i), squares);
    }
}

#endif

/* Reads what is in hand, until the end or up to what is no piece in hand. */
__attribute__((always_inline)) static inline void read_hands(const kz_shogi_huffman *codes, const uint8_t *records,
                                                             size_t stride, half_read *halves, int lanes) {
    /* 0 1 1 again and again, which means nothing in either format: nothing is taken beyond the end. */
    const uint64_t nothing = 0x6DB6DB6DB6DB6DB6;
    const uint64_t *table = codes->pieces;
    uint64_t stream[LANES];
    uint64_t sum[LANES];
    uint64_t some[LANES];
    unsigned at[LANES];
    uint64_t progress;
    for (int lane = 0; lane < lanes; lane++) {
        at[lane] = halves[lane].end < KZ_SHOGI_STREAM_BITS ? halves[lane].end : KZ_SHOGI_STREAM_BITS;
        sum[lane] = 0;
    }
    do {
        progress = 0;
#pragma GCC unroll 4
        for (int lane = 0; lane < lanes; lane++) {
            unsigned left = KZ_SHOGI_STREAM_BITS - at[lane];
            uint64_t end = left < 64 ? nothing << left : 0;
            stream[lane] = kz_shogi_stream_at(records + (size_t)lane * stride, at[lane]);
            stream[lane] = at[lane] < KZ_SHOGI_STREAM_BITS ? stream[lane] | end : nothing;
            some[lane] = 0;
        }
#pragma GCC unroll 5
        for (int i = 0; i < KZ_SHOGI_LOOKUPS; i++) {
#pragma GCC unroll 4
            for (int lane = 0; lane < lanes; lane++) {
                uint64_t entry = table[stream[lane] & ((1 << KZ_SHOGI_PIECES_PEEK) - 1)];
                stream[lane] >>= entry & 63;
                some[lane] += entry;
            }
        }
#pragma GCC unroll 4
        for (int lane = 0; lane < lanes; lane++) {
            at[lane] += (unsigned)(some[lane] & 255);
            sum[lane] += some[lane];
            /* Something was taken, and something is left. */
            progress |= at[lane] < KZ_SHOGI_STREAM_BITS ? some[lane] : 0;
        }
    } while (progress & 255);
    for (int lane = 0; lane < lanes; lane++) {
        halves[lane].hands = sum[lane];
    }
}

/* Fields -> bytes. */
static inline uint64_t spread_fields(uint64_t fields) {
#ifdef __BMI2__
    return _pdep_u64(fields, 0x0003030F0F0F0F3F);
#else
    return (fields & 0x3F) | (fields & 0x3C0) << 2 | (fields & 0x3C00) << 6 | (fields & 0x3C000) << 10 |
           (fields & 0x3C0000) << 14 | (fields & 0xC00000) << 18 | (fields & 0x3000000) << 24;
#endif
}

/* Reads the codes of the box, from bit `at` to the end of the record. False if there is something else. */
static inline bool read_box(const kz_shogi_huffman *codes, const uint8_t *record, unsigned at, uint64_t *box) {
    static const uint64_t one_of[KZ_SHOGI_HAND_KINDS] = {
        1 << KZ_SHOGI_PAWN_FIELD, 1 << KZ_SHOGI_LANCE_FIELD,  1 << KZ_SHOGI_KNIGHT_FIELD, 1 << KZ_SHOGI_SILVER_FIELD,
        1 << KZ_SHOGI_GOLD_FIELD, 1 << KZ_SHOGI_BISHOP_FIELD, 1 << KZ_SHOGI_ROOK_FIELD};
    while (at < KZ_SHOGI_STREAM_BITS) {
        unsigned piece = codes->first_piece[kz_shogi_stream_at(record, at) & 127];
        if (piece == 0 || (piece >> 3 & 3) != KZ_SHOGI_BOX) {
            return false;
        }
        *box += one_of[piece & 7];
        at += kz_shogi_piece_bits[piece & 7];
    }
    return at == KZ_SHOGI_STREAM_BITS;
}

/* Makes the position. False if there is something about the record that is not as it mostly is. */
static inline bool finish(const kz_shogi_huffman *codes, const uint8_t *record, const half_read *half,
                          kz_shogi_position *position) {
    const uint64_t full_set = 18 << KZ_SHOGI_PAWN_FIELD | 4 << KZ_SHOGI_LANCE_FIELD | 4 << KZ_SHOGI_KNIGHT_FIELD |
                              4 << KZ_SHOGI_SILVER_FIELD | 4 << KZ_SHOGI_GOLD_FIELD | 2 << KZ_SHOGI_BISHOP_FIELD |
                              2 << KZ_SHOGI_ROOK_FIELD;
    unsigned head = kz_load_le16(record);
    unsigned black_king = head >> 1 & 127;
    unsigned white_king = head >> 8 & 127;
    uint64_t black = half->hands >> KZ_SHOGI_BLACK_FIELDS & ((1 << KZ_SHOGI_FIELDS) - 1);
    uint64_t white = half->hands >> KZ_SHOGI_WHITE_FIELDS;
    uint64_t box = 0;
    unsigned end = half->end + (unsigned)(half->hands & 255);
    if (end < KZ_SHOGI_STREAM_BITS && !read_box(codes, record, end, &box)) {
        return false;
    }
    /* A field that overflows is one more in its neighbour. Then the fields stand for fewer bits than there were, and
     * the last two comparisons can't both hold: a full set has all bits. */
    if (black_king >= KZ_SHOGI_SQUARES || white_king >= KZ_SHOGI_SQUARES || black_king == white_king ||
        end > KZ_SHOGI_STREAM_BITS || half->board + black + white + box != full_set) {
        return false;
    }
    place_squares(half, black_king < white_king ? black_king : white_king,
                  black_king < white_king ? white_king : black_king, position->board);
    position->board[black_king] = KZ_SHOGI_CODE_KING;
    position->board[white_king] = KZ_SHOGI_CODE_KING | KZ_SHOGI_WHITES;
    /* Seven bytes and one more, which the next store is for; the last one is the side to move. */
    uint8_t *after_board = (uint8_t *)position + offsetof(kz_shogi_position, hand);
    kz_store_le64(after_board, spread_fields(black));
    kz_store_le64(after_board + KZ_SHOGI_HAND_KINDS, spread_fields(white) | (uint64_t)(head & 1) << 56);
    return true;
}

static inline size_t unpack_many(const kz_shogi_huffman *codes, const uint8_t *records, size_t stride, size_t count,
                                 kz_shogi_position *positions, kz_shogi_defect *defect) {
    /* Lists are used when a few others have been made: what was written in small pieces is read in large ones, and the
     * processor would wait for the former. */
    enum { GROUP = 8 };
    half_read halves[GROUP];
    for (size_t begin = 0; begin < count; begin += GROUP) {
        const uint8_t *first = records + begin * stride;
        size_t group = count - begin < GROUP ? count - begin : GROUP;
        size_t fours = group / LANES * LANES;
        for (size_t i = 0; i < fours; i += LANES) {
            read_squares(codes, first + i * stride, stride, &halves[i], LANES);
        }
        for (size_t i = fours; i < group; i++) {
            if (!read_squares_alone(codes, first + i * stride, &halves[i])) {
                read_squares(codes, first + i * stride, stride, &halves[i], 1);
            }
        }
        for (size_t i = 0; i < group; i++) {
            sum_board(&halves[i]);
        }
        for (size_t i = 0; i < fours; i += LANES) {
            read_hands(codes, first + i * stride, stride, &halves[i], LANES);
        }
        for (size_t i = fours; i < group; i++) {
            read_hands(codes, first + i * stride, stride, &halves[i], 1);
        }
        for (size_t i = 0; i < group; i++) {
            kz_shogi_position *position = &positions[begin + i];
            if (!finish(codes, first + i * stride, &halves[i], position)) {
                *defect = kz_shogi_huffman_unpack(codes, first + i * stride, position);
                if (*defect != KZ_SHOGI_FINE) {
                    return begin + i;
                }
            }
        }
    }
    return count;
}

#endif
