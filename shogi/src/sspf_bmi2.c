/* SPDX-License-Identifier: MIT
 *
 * SSPFv1 with AVX2 and BMI2: a field is a bit of all bytes of the board, out of which PEXT squeezes the squares that
 * the field leaves out. */
#include "shogi/src/sspf_fields.h"

#ifdef __x86_64__
#include "shogi/src/sspf_list_bmi2.h"
#include "shogi/src/sspf_pext_unpack.h"

typedef kz_sspf_squares squares;

static inline squares both(squares a, squares b) { return (squares){a.low & b.low, a.high & b.high}; }
static inline squares without(squares a, squares b) { return (squares){a.low & ~b.low, a.high & ~b.high}; }

/* The bits of `set` on the squares of `of`. Those are no more than 38. */
static inline uint64_t squeeze(squares set, squares of) {
    return _pext_u64(set.low, of.low) | _pext_u64(set.high, of.high) << (kz_popcount64(of.low) & 63);
}

KZ_SSPF_INLINE bool pack_base(const kz_shogi_position *position, uint8_t *record, bool extended) {
    const uint64_t high_squares = kz_sspf_ones(KZ_SHOGI_SQUARES - 64);
    squares bit[8];
    kz_sspf_gather_board(position->board, bit);
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
    kz_sspf_hands hands;
    if (!kz_sspf_pext_hands(position, kz_sspf_numbers(count, fields.kind), extended, &hands)) {
        return false;
    }
    fields.kind[0] |= hands.removed_tail << count;
    fields.promoted = squeeze(bit[5], without(pieces, without(golds_up, bishops_up)));
    fields.colour = squeeze(bit[6], pieces) | hands.colour_tail << count;
    fields.side = position->side & 1;
    fields.occupied[0] = pieces.low;
    fields.occupied[1] = pieces.high;
    kz_sspf_pext_kings(fields.occupied, kings);
    kz_sspf_store(&fields, record);
    return true;
}

#include "shogi/src/sspf_codec.h"

KZ_SSPF_CODECS(bmi2)
#endif
