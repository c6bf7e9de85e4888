/* SPDX-License-Identifier: MIT
 *
 * SSPFv1 with AVX-512 VBMI2. The list of pieces is the board with the empty squares squeezed out of it; a field is a
 * bit of all bytes of the list, and PEXT squeezes out of it what the field leaves out.
 *
 * Moving a mask between its own registers and the others takes as long as several of these steps, so there are as few
 * such moves as can be: bits of bytes become words, and words bits of bytes, by turning
 * matrices. */
#include "shogi/sspf_pext.h"

#ifdef __x86_64__

/* Turns each of 8 matrices of 8 by 8 bits: byte j of a word gets bit j of the word's bytes. */
static inline __m512i turn_words(__m512i words) {
    const __m512i identity = _mm512_set1_epi64((long long)0x8040201008040201U);
    const __m512i reverse =
        _mm512_set4_epi64(0x08090A0B0C0D0E0F, 0x0001020304050607, 0x08090A0B0C0D0E0F, 0x0001020304050607);
    return _mm512_gf2p8affine_epi64_epi8(identity, _mm512_shuffle_epi8(words, reverse), 0);
}

/* Indices of bytes: byte i of each word, in a row. Of words that have been turned, that is bit i of all bytes. */
#define ROW(i) (i), 8 + (i), 16 + (i), 24 + (i), 32 + (i), 40 + (i), 48 + (i), 56 + (i)
#define ROW_OF_ZEROS 63, 63, 63, 63, 63, 63, 63, 63 /* a list has no more than 38 bytes */
static const _Alignas(64) uint8_t rows[64] = {ROW(0), ROW(1), ROW(2), ROW(3), ROW(4), ROW(5), ROW(6), ROW(7)};
static const _Alignas(64) uint8_t rows_from[64] = {ROW(7), ROW(0), ROW(1), ROW(1),
                                                   ROW(1), ROW(3), ROW(4), ROW_OF_ZEROS};
static const _Alignas(64) uint8_t rows_from_too[64] = {ROW(7), ROW(0), ROW(2), ROW(1),
                                                       ROW(2), ROW(3), ROW(4), ROW_OF_ZEROS};

/* kz_sspf_numbers of a list whose words have been turned. The bits to count are 7, 0, 1 or 2, 1, 1 and 2, 3, 4. */
static inline uint64_t numbers_of(__m512i turned) {
    const __m512i either = _mm512_set_epi64(-1, -1, -1, 0, -1, -1, -1, -1);
    __m512i one = _mm512_permutexvar_epi8(_mm512_load_si512(rows_from), turned);
    __m512i other = _mm512_permutexvar_epi8(_mm512_load_si512(rows_from_too), turned);
    __m512i counts = _mm512_popcnt_epi64(_mm512_ternarylogic_epi64(one, other, either, 0xE8)); /* two out of three */
    uint64_t from = (uint64_t)_mm_cvtsi128_si64(_mm512_cvtepi64_epi8(counts));
    return from - (from >> 8);
}

/* 0 to 63, twice: what begins at byte n of it moves bytes down by n, and what begins at 64 - n moves them up. */
#define COUNT8(i) (i), (i) + 1, (i) + 2, (i) + 3, (i) + 4, (i) + 5, (i) + 6, (i) + 7
#define COUNT64 COUNT8(0), COUNT8(8), COUNT8(16), COUNT8(24), COUNT8(32), COUNT8(40), COUNT8(48), COUNT8(56)
static const _Alignas(64) uint8_t twice[128] = {COUNT64, COUNT64};

KZ_SSPF_INLINE bool pack_base(const kz_shogi_position *position, uint8_t *record) {
    const uint8_t *board = position->board;
    const __m256i no_hands = _mm256_setr_epi64x(-1, -1, 0xFF, 0);
    const __m512i low = _mm512_loadu_si512(board);
    const __m256i high = _mm256_and_si256(_mm256_loadu_si256((const __m256i *)(const void *)(board + 64)), no_hands);
    const __mmask64 low_pieces = _mm512_movepi8_mask(low);
    const __mmask32 high_pieces = _mm256_movepi8_mask(high);
    /* Kings are above 0, as signed numbers, and pieces below. */
    const uint64_t kings[2] = {_mm512_cmpgt_epi8_mask(low, _mm512_setzero_si512()),
                               _mm256_cmpgt_epi8_mask(high, _mm256_setzero_si256())};
    unsigned in_low = kz_popcount64(low_pieces);
    unsigned count = in_low + kz_popcount32(high_pieces);
    kz_sspf_fields fields;
    if ((count > KZ_SSPF_LIST) | !kz_sspf_find_kings(board, kings, fields.king)) {
        return false;
    }

    /* The list: that of the low squares, and that of the high ones moved up behind it. */
    __m512i high_list = _mm512_zextsi256_si512(_mm256_maskz_compress_epi8(high_pieces, high));
    __m512i list = _mm512_or_si512(_mm512_maskz_compress_epi8(low_pieces, low),
                                   _mm512_permutexvar_epi8(_mm512_loadu_si512(twice + 64 - in_low), high_list));
    __m512i turned = turn_words(list);
    uint64_t black = kz_sspf_black_hand(position);
    uint64_t white = kz_sspf_white_hand(position);
    if (numbers_of(turned) + black + white != KZ_SSPF_FULL_SET) {
        return false;
    }
    _Alignas(64) uint64_t bit[8];
    _mm512_store_si512(bit, _mm512_permutexvar_epi8(_mm512_load_si512(rows), turned));
    uint64_t golds_up = bit[1] & bit[2];
    fields.kind[0] = bit[0];
    fields.kind[1] = _pext_u64(bit[1], bit[0]);
    fields.kind[2] = _pext_u64(bit[2], bit[0]);
    fields.kind[3] = _pext_u64(bit[3], golds_up);
    fields.kind[4] = _pext_u64(bit[4], bit[3]);

    /* Behind the list there are zeros, which are no golds; they are not promoted either. */
    fields.promoted = _pext_u64(bit[5], ~(golds_up & ~bit[3]));
    fields.colour = bit[6] | kz_sspf_pext_tail(black + white, black) << count;
    fields.side = position->side & 1;
    fields.occupied[0] = low_pieces;
    fields.occupied[1] = high_pieces;
    kz_sspf_pext_kings(fields.occupied, kings);
    kz_sspf_store(&fields, record);
    return true;
}

KZ_SSPF_INLINE bool unpack_base(const uint8_t *record, kz_shogi_position *position) {
    kz_sspf_fields fields = kz_sspf_load(record);
    unsigned count = kz_popcount64(fields.occupied[0]) + kz_popcount64(fields.occupied[1]);
    uint64_t total;
    if (!kz_sspf_is_base(&fields, count, &total)) {
        return false;
    }
    uint64_t bit1 = _pdep_u64(fields.kind[1], fields.kind[0]);
    uint64_t bit2 = _pdep_u64(fields.kind[2], fields.kind[0]);
    uint64_t bit3 = _pdep_u64(fields.kind[3], bit1 & bit2);
    uint64_t bit4 = _pdep_u64(fields.kind[4], bit3);
    uint64_t bit5 = _pdep_u64(fields.promoted, ~(bit1 & bit2 & ~bit3));
    __m512i bits = _mm512_set_epi64(-1, (long long)fields.colour, (long long)bit5, (long long)bit4, (long long)bit3,
                                    (long long)bit2, (long long)bit1, (long long)fields.kind[0]);
    __m512i list = turn_words(_mm512_permutexvar_epi8(_mm512_load_si512(rows), bits));

    kz_sspf_pdep_kings(fields.occupied, fields.king);
    unsigned in_low = kz_popcount64(fields.occupied[0]);
    __m256i high_list = _mm512_castsi512_si256(_mm512_permutexvar_epi8(_mm512_loadu_si512(twice + in_low), list));
    _mm512_storeu_si512(position->board, _mm512_maskz_expand_epi8(fields.occupied[0], list));
    _mm256_storeu_si256((__m256i *)(void *)(position->board + 64),
                        _mm256_maskz_expand_epi8((__mmask32)fields.occupied[1], high_list));
    position->board[fields.king[0]] = KZ_SHOGI_CODE_KING;
    position->board[fields.king[1]] = KZ_SHOGI_CODE_KING | KZ_SHOGI_WHITES;
    uint64_t white = kz_sspf_pdep_white_in_tail(total, fields.colour >> count);
    kz_sspf_store_hands(position, total - white, white, fields.side);
    return true;
}

#include "shogi/sspf_codec.h"

KZ_SSPF_CODECS(vbmi2)
#endif
