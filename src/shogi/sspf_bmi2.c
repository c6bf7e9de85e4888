/* SPDX-License-Identifier: MIT
 *
 * SSPFv1 with AVX2 and BMI2: a field is a bit of all bytes of the board, out of which PEXT squeezes the squares that
 * the field leaves out. */
#include "shogi/sspf_groups.h"
#include "shogi/sspf_pext.h"

#ifdef __x86_64__
/* A bit for each square, 0-63 and 64-80. */
typedef struct squares {
    uint64_t low;
    uint64_t high;
} squares;

static inline squares both(squares a, squares b) { return (squares){a.low & b.low, a.high & b.high}; }
static inline squares without(squares a, squares b) { return (squares){a.low & ~b.low, a.high & ~b.high}; }

/* The bits of `set` on the squares of `of`. Those are no more than 38. */
static inline uint64_t squeeze(squares set, squares of) {
    return _pext_u64(set.low, of.low) | _pext_u64(set.high, of.high) << (kz_popcount64(of.low) & 63);
}

static inline uint32_t gather32(__m256i bytes, int bit) {
    return (uint32_t)_mm256_movemask_epi8(_mm256_slli_epi16(bytes, 7 - bit));
}

KZ_SSPF_INLINE bool pack_base(const kz_shogi_position *position, uint8_t *record) {
    const uint64_t high_squares = kz_sspf_ones(KZ_SHOGI_SQUARES - 64);
    const __m256i *blocks = (const __m256i *)(const void *)position->board;
    const __m256i block[3] = {_mm256_loadu_si256(blocks), _mm256_loadu_si256(blocks + 1),
                              _mm256_loadu_si256(blocks + 2)};
    squares bit[8]; /* hands are behind the high squares, so these have to be cut off where it matters */
    for (int i = 0; i < 8; i++) {
        bit[i].low = gather32(block[0], i) | (uint64_t)gather32(block[1], i) << 32;
        bit[i].high = gather32(block[2], i);
    }
    squares pieces = {bit[7].low, bit[7].high & high_squares};
    /* A king has the bit of those who are no pawns, but not that of a piece. */
    const uint64_t kings[2] = {bit[0].low & ~bit[7].low, bit[0].high & ~bit[7].high & high_squares};
    unsigned count = kz_popcount64(pieces.low) + kz_popcount64(pieces.high);
    kz_sspf_fields fields;
    if ((count > KZ_SSPF_LIST) | !kz_sspf_find_kings(position->board, kings, fields.king)) {
        return false;
    }
    squares others = both(bit[0], pieces);
    squares golds_up = both(both(bit[1], bit[2]), others);
    squares bishops_up = both(bit[3], golds_up);
    fields.kind[0] = squeeze(bit[0], pieces);
    fields.kind[1] = squeeze(bit[1], others);
    fields.kind[2] = squeeze(bit[2], others);
    fields.kind[3] = squeeze(bit[3], golds_up);
    fields.kind[4] = squeeze(bit[4], bishops_up);
    uint64_t black = kz_sspf_black_hand(position);
    uint64_t white = kz_sspf_white_hand(position);
    if (kz_sspf_numbers(count, fields.kind) + black + white != KZ_SSPF_FULL_SET) {
        return false;
    }
    fields.promoted = squeeze(bit[5], without(pieces, without(golds_up, bishops_up)));
    fields.colour = squeeze(bit[6], pieces) | kz_sspf_pext_tail(black + white, black) << count;
    fields.side = position->side & 1;
    fields.occupied[0] = pieces.low;
    fields.occupied[1] = pieces.high;
    kz_sspf_pext_kings(fields.occupied, kings);
    kz_sspf_store(&fields, record);
    return true;
}

/* The list in the making: entries 0-31 and 32-39. */
typedef struct half_made {
    __m256i first;
    uint64_t last;
} half_made;

static inline half_made add_bit(half_made list, uint64_t where, int bit) {
    const __m256i own_bit = _mm256_set1_epi64x((long long)0x8040201008040201U);
    const __m256i own_byte = _mm256_set_epi64x(0x0303030303030303, 0x0202020202020202, 0x0101010101010101, 0);
    __m256i spread = _mm256_shuffle_epi8(_mm256_set1_epi32((int)(uint32_t)where), own_byte);
    __m256i is_set = _mm256_cmpeq_epi8(_mm256_and_si256(spread, own_bit), own_bit);
    list.first = _mm256_or_si256(list.first, _mm256_and_si256(is_set, _mm256_set1_epi8((char)bit)));
    list.last |= _pdep_u64(where >> 32, KZ_SSPF_EACH_BYTE * (unsigned)bit);
    return list;
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
    half_made made = {_mm256_set1_epi8((char)KZ_SHOGI_CODE_PAWN), KZ_SSPF_EACH_BYTE << 7};
    made = add_bit(made, fields.kind[0], 1);
    made = add_bit(made, bit1, 2);
    made = add_bit(made, bit2, 4);
    made = add_bit(made, bit3, 8);
    made = add_bit(made, _pdep_u64(fields.kind[4], bit3), 16);
    made = add_bit(made, _pdep_u64(fields.promoted, ~(bit1 & bit2 & ~bit3)), KZ_SHOGI_PROMOTED);
    made = add_bit(made, fields.colour, KZ_SHOGI_WHITES);
    uint8_t bytes[64];
    _mm256_storeu_si256((__m256i *)(void *)bytes, made.first);
    kz_store_le64(bytes + 32, made.last);

    kz_sspf_pdep_kings(fields.occupied, fields.king);
    kz_sspf_stretch_board(position->board, bytes, fields.occupied);
    position->board[fields.king[0]] = KZ_SHOGI_CODE_KING;
    position->board[fields.king[1]] = KZ_SHOGI_CODE_KING | KZ_SHOGI_WHITES;
    uint64_t white = kz_sspf_pdep_white_in_tail(total, fields.colour >> count);
    kz_sspf_store_hands(position, total - white, white, fields.side);
    return true;
}

#include "shogi/sspf_codec.h"

KZ_SSPF_CODECS(bmi2)
#endif
