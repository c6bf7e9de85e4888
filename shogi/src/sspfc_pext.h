/* SPDX-License-Identifier: MIT
 *
 * sspfc with PEXT and PDEP, for the paths bmi2 and vbmi2. The file that includes this has included sspf_list_vbmi2.h or
 * sspf_list_bmi2.h, which take a board apart and put it together.
 *
 * Positions with both kings go this way, handicaps included. All others, and all records with a defect, go through the
 * plain twin, so that there is one place that knows what can be wrong. */
#ifndef KZ_SHOGI_SSPFC_PEXT_H
#define KZ_SHOGI_SSPFC_PEXT_H

#include "shogi/src/codec.h"
#include "shogi/src/sspf_pext.h"
#include "shogi/src/sspfc_fields.h"

/* Numbers of kinds in bytes, as in sspf_fields.h: pawns to golds, and then bishops and rooks. */
#define SMALL_KINDS UINT64_C(0xFFFFFFFFFF)
enum { BISHOPS_BYTE = 8 * KZ_SHOGI_BISHOP, ROOKS_BYTE = 8 * KZ_SHOGI_ROOK };
/* Where the words of a record begin, in bits. */
enum { WORD1 = 64, WORD2 = 128, WORD3 = 192 };

/* One bit for each square. */
typedef struct squares {
    uint64_t low, high;
} squares;

static inline unsigned count_of(squares set) { return kz_popcount64(set.low) + kz_popcount64(set.high); }

/* The squares of a list that `which` names. */
static inline squares squares_of(uint64_t which, const kz_sspf_list *list) {
    return (squares){_pdep_u64(which, list->pieces[0]), _pdep_u64(which >> (list->in_low & 63), list->pieces[1])};
}

/* The first and the last square of a set. Any number if the set is empty. */
static inline unsigned first_square(squares set) {
    return set.low != 0 ? kz_lowest_bit64(set.low) : 64 + kz_lowest_bit64(set.high | 1U << 16);
}
static inline unsigned last_square(squares set) {
    uint64_t low = set.low | 1;
    return set.high != 0 ? 127 - (unsigned)__builtin_clzll(set.high) : 63 - (unsigned)__builtin_clzll(low);
}

/* ---- Packing ----------------------------------------------------------------------------------------------------- */

/* The number of a pair. `lent` are the bits that those lend which are not on the board. */
static inline uint64_t pair_number(squares set, unsigned on_board, unsigned in_hand, unsigned lent) {
    unsigned last_index = on_board + in_hand < 2 ? KZ_SSPFC_ABSENT : KZ_SSPFC_IN_HAND;
    unsigned low = first_square(set);
    unsigned high = last_square(set);
    if (on_board == 1) {
        high = last_index + (lent & 1);
    } else if (on_board == 0) {
        low = (in_hand > 0 ? KZ_SSPFC_IN_HAND : KZ_SSPFC_ABSENT) + (lent & 1);
        high = last_index + (lent >> 1 & 1);
        if (low > high) {
            low = high = in_hand == 2 ? KZ_SSPFC_HANDS_REVERSED : KZ_SSPFC_ABSENT_REVERSED;
        }
    }
    return high * (high + 1) / 2 + low;
}

KZ_SSPF_INLINE bool pack_fast(const kz_shogi_position *position, uint8_t *record) {
    kz_sspf_list list;
    unsigned king[2];
    kz_sspf_take_list(position->board, &list);
    const uint64_t *bit = list.bit;
    unsigned big_count = kz_popcount64(bit[3]);
    unsigned king_count = kz_popcount64(list.kings[0]) + kz_popcount64(list.kings[1]);
    if (list.count > KZ_SSPF_LIST || big_count > 4 || king_count != 2 ||
        !kz_sspf_find_kings(position->board, list.kings, king)) {
        return false;
    }
    const uint64_t kinds[5] = {bit[0], bit[1], bit[2], bit[3], bit[4]};
    uint64_t on_board = kz_sspf_numbers(list.count, kinds);
    uint64_t black = kz_sspf_black_hand(position);
    uint64_t white = kz_sspf_white_hand(position);
    uint64_t missing;
    if (!kz_sspf_missing(on_board, black, white, &missing)) {
        return false;
    }
    uint64_t in_hand = black + white;
    uint64_t colour_tail = kz_sspf_pext_tail(in_hand, black);
    uint64_t removed_tail = 0;
    if (__builtin_expect(missing != 0, 0)) {
        colour_tail = kz_sspf_pext_middle(in_hand + missing, black, in_hand);
        uint64_t small = in_hand & SMALL_KINDS;
        uint64_t total = (in_hand + missing) & SMALL_KINDS;
        removed_tail = kz_sspf_pext_middle(total, small, total);
    }

    /* The items: squares without those of kings, bishops and rooks. */
    squares big = squares_of(bit[3], &list);
    squares rooks = squares_of(bit[4], &list);
    squares bishops = {big.low ^ rooks.low, big.high ^ rooks.high};
    squares taken = {big.low | list.kings[0], big.high | list.kings[1]};
    uint64_t high = _pext_u64(list.pieces[1] & ~big.high, ~taken.high & kz_sspf_ones(KZ_SHOGI_SQUARES - 64));
    unsigned gap = kz_popcount64(taken.low);
    unsigned item_count = KZ_SHOGI_SQUARES - gap - kz_popcount64(taken.high);
    uint64_t turn_over = 0 - (uint64_t)(position->side != KZ_SHOGI_BLACK);
    uint64_t items = (_pext_u64(list.pieces[0] & ~big.low, ~taken.low) | high << 1 << (63 - gap)) ^ turn_over;
    uint64_t more_items = (high >> gap ^ turn_over) & kz_sspf_ones(item_count - 64);
    unsigned lent = (unsigned)(more_items >> (KZ_SSPFC_OCCUPIED_BITS - 64));
    unsigned bishops_on_board = on_board >> BISHOPS_BYTE & 3;
    uint64_t bishops_number = pair_number(bishops, bishops_on_board, in_hand >> BISHOPS_BYTE & 3, lent);
    lent >>= (2 - bishops_on_board) & 3;
    uint64_t rooks_number = pair_number(rooks, on_board >> ROOKS_BYTE & 3, in_hand >> ROOKS_BYTE & 3, lent);

    /* Small pieces, and those of them that are no pawns. Behind the list there are zeros. */
    uint64_t others = bit[0] & ~bit[3];
    uint64_t kind0 = _pext_u64(bit[0], ~bit[3]) | removed_tail << (list.count - big_count);
    uint64_t kind1 = _pext_u64(bit[1], others);
    uint64_t kind2 = _pext_u64(bit[2], others);
    uint64_t promoted = _pext_u64(bit[5], ~kz_sspf_golds(bit));
    uint64_t colour = bit[6] | colour_tail << list.count;
    uint64_t kings_number = (uint64_t)king[0] * KZ_SSPFC_KING_INDEXES + king[1];
    kz_store_le64(record, items);
    kz_store_le64(record + 8,
                  (more_items & kz_sspf_ones(KZ_SSPFC_OCCUPIED_BITS - 64)) |
                      kings_number << (KZ_SSPFC_KINGS_AT - WORD1) | bishops_number << (KZ_SSPFC_BISHOPS_AT - WORD1) |
                      rooks_number << (KZ_SSPFC_ROOKS_AT - WORD1) | promoted << (KZ_SSPFC_PROMOTED_AT - WORD1));
    kz_store_le64(record + 16, promoted >> (WORD2 - KZ_SSPFC_PROMOTED_AT) | kind0 << (KZ_SSPFC_KIND0_AT - WORD2) |
                                   kind1 << (KZ_SSPFC_KIND1_AT - WORD2));
    kz_store_le64(record + 24, kind1 >> (WORD3 - KZ_SSPFC_KIND1_AT) | kind2 << (KZ_SSPFC_KIND2_AT - WORD3) |
                                   colour << (KZ_SSPFC_COLOUR_AT - WORD3));
    return true;
}

/* ---- Unpacking --------------------------------------------------------------------------------------------------- */

/* A pair as a record has it. */
typedef struct pair {
    squares set;
    unsigned on_board, in_hand;
    unsigned lent;
} pair;

/* The squares of an index; none if it is not on the board. */
static inline squares square_of(unsigned index) {
    uint64_t bit = UINT64_C(1) << (index & 63);
    uint64_t is_high = 0 - (uint64_t)(index >> 6);
    return (squares){bit & ~is_high, bit & is_high & kz_sspf_ones(KZ_SHOGI_SQUARES - 64)};
}

static inline bool read_pair(unsigned number, pair *read) {
    /* The root is exact where the number is j * (j + 1) / 2, and far enough from that of the next one elsewhere. */
    float root = _mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss((float)(int)(8 * number + 1))));
    unsigned high = ((unsigned)root - 1) / 2;
    unsigned low = number - high * (high + 1) / 2;
    if (__builtin_expect(high >= KZ_SSPFC_PAIR_INDEXES || (low == high && high < KZ_SSPFC_IN_HAND), 0)) {
        if (low != KZ_SSPFC_HANDS_REVERSED || high != KZ_SSPFC_HANDS_REVERSED) {
            return false; /* two on one square, or two that are missing: the plain twin tells these apart */
        }
        low = KZ_SSPFC_IN_HAND + 1;
        high = KZ_SSPFC_IN_HAND;
    }
    squares one = square_of(low);
    squares other = square_of(high);
    unsigned low_off = low >= KZ_SSPFC_IN_HAND;
    unsigned high_off = high >= KZ_SSPFC_IN_HAND;
    *read = (pair){
        .set = {one.low | other.low, one.high | other.high},
        .on_board = 2 - low_off - high_off,
        .in_hand = low_off + high_off - (low >= KZ_SSPFC_ABSENT) - (high >= KZ_SSPFC_ABSENT),
        .lent = (~low & low_off) | (~high & high_off) << low_off,
    };
    return true;
}

/* Bits of the tail that stand for bishops and rooks that are neither on the board nor in hand. */
static inline uint64_t removed_pairs(const pair *bishops, const pair *rooks, unsigned small) {
    unsigned bishops_off = 2 - bishops->on_board;
    uint64_t of_bishops = kz_sspf_ones(bishops_off) ^ kz_sspf_ones(bishops->in_hand);
    uint64_t of_rooks = kz_sspf_ones(2 - rooks->on_board) ^ kz_sspf_ones(rooks->in_hand);
    return (of_bishops | of_rooks << bishops_off) << (KZ_SSPFC_MOST_SMALL - small);
}

KZ_SSPF_INLINE bool unpack_fast(const uint8_t *record, kz_shogi_position *position) {
    const uint64_t words[4] = {kz_load_le64(record), kz_load_le64(record + 8), kz_load_le64(record + 16),
                               kz_load_le64(record + 24)};
    unsigned kings = (unsigned)(words[1] >> (KZ_SSPFC_KINGS_AT - WORD1) & kz_sspf_ones(KZ_SSPFC_KINGS_BITS));
    unsigned king[2] = {kings / KZ_SSPFC_KING_INDEXES, kings % KZ_SSPFC_KING_INDEXES};
    pair bishops, rooks;
    const unsigned pair_numbers = (1U << KZ_SSPFC_PAIR_BITS) - 1;
    if (!read_pair((unsigned)(words[1] >> (KZ_SSPFC_BISHOPS_AT - WORD1)) & pair_numbers, &bishops) ||
        !read_pair((unsigned)(words[1] >> (KZ_SSPFC_ROOKS_AT - WORD1)) & pair_numbers, &rooks)) {
        return false;
    }
    squares big = {bishops.set.low | rooks.set.low, bishops.set.high | rooks.set.high};
    squares black_king = square_of(king[0]);
    squares white_king = square_of(king[1]);
    squares taken = {big.low | black_king.low | white_king.low, big.high | black_king.high | white_king.high};
    unsigned big_count = bishops.on_board + rooks.on_board;
    unsigned taken_count = big_count + 2;
    unsigned lent = bishops.lent | rooks.lent << (2 - bishops.on_board);
    uint64_t items = words[0];
    uint64_t more_items = (words[1] & kz_sspf_ones(KZ_SSPFC_OCCUPIED_BITS - 64)) | (uint64_t)lent
                                                                                       << (KZ_SSPFC_OCCUPIED_BITS - 64);
    unsigned item_count = KZ_SHOGI_SQUARES - taken_count;
    unsigned small = kz_popcount64(items) + kz_popcount64(more_items);
    unsigned side = small > KZ_SSPFC_MOST_SMALL;
    uint64_t turn_over = 0 - (uint64_t)side;
    items ^= turn_over;
    more_items = (more_items ^ turn_over) & kz_sspf_ones(item_count - 64);
    small = side != 0 ? item_count - small : small;
    /* If a king is missing or two share a square, fewer squares are taken. */
    if (count_of(taken) != taken_count || small > KZ_SSPFC_MOST_SMALL) {
        return false;
    }
    unsigned gap = kz_popcount64(taken.low);
    uint64_t squares_left = kz_sspf_ones(KZ_SHOGI_SQUARES - 64) & ~taken.high;
    const uint64_t pieces[2] = {_pdep_u64(items, ~taken.low) | big.low,
                                _pdep_u64(more_items << gap | items >> 1 >> (63 - gap), squares_left) | big.high};
    unsigned count = small + big_count;

    /* The lists, and how many of each kind they have. */
    uint64_t kind0 = words[2] >> (KZ_SSPFC_KIND0_AT - WORD2) & kz_sspf_ones(KZ_SSPFC_KIND0_BITS);
    uint64_t kind1 = (words[2] >> (KZ_SSPFC_KIND1_AT - WORD2) | words[3] << (WORD3 - KZ_SSPFC_KIND1_AT)) &
                     kz_sspf_ones(KZ_SSPFC_KIND12_BITS);
    uint64_t kind2 = words[3] >> (KZ_SSPFC_KIND2_AT - WORD3) & kz_sspf_ones(KZ_SSPFC_KIND12_BITS);
    uint64_t promoted = (words[1] >> (KZ_SSPFC_PROMOTED_AT - WORD1) | words[2] << (WORD2 - KZ_SSPFC_PROMOTED_AT)) &
                        kz_sspf_ones(KZ_SSPFC_PROMOTED_BITS);
    uint64_t colour = words[3] >> (KZ_SSPFC_COLOUR_AT - WORD3) & kz_sspf_ones(KZ_SSPFC_COLOUR_BITS);
    uint64_t removed_tail = kind0 >> small;
    kind0 &= kz_sspf_ones(small);
    unsigned others = kz_popcount64(kind0);
    unsigned golds = kz_popcount64(kind1 & kind2);
    const uint64_t kinds[5] = {kind0, kind1, kind2, 0, 0};
    uint64_t on_board = kz_sspf_numbers(small, kinds) + ((uint64_t)bishops.on_board << BISHOPS_BYTE) +
                        ((uint64_t)rooks.on_board << ROOKS_BYTE);
    uint64_t padding = (kind1 | kind2) >> others | promoted >> ((count - golds) & 63);
    uint64_t colour_tail = colour >> count;
    uint64_t in_hand = ((uint64_t)bishops.in_hand << BISHOPS_BYTE) + ((uint64_t)rooks.in_hand << ROOKS_BYTE);
    uint64_t total = KZ_SSPF_FULL_SET - on_board;
    uint64_t removed = (total & ~SMALL_KINDS) - in_hand; /* bishops and rooks */
    uint64_t is_removed = removed_tail | (removed != 0 ? removed_pairs(&bishops, &rooks, small) : 0);
    if ((padding | kz_sspf_above_full_set(on_board) | (is_removed & colour_tail)) != 0) {
        return false;
    }
    if (__builtin_expect(removed_tail != 0, 0)) {
        removed += kz_sspf_pdep_white_in_tail(total & SMALL_KINDS, removed_tail);
    }

    uint64_t bit[7];
    bit[3] = _pext_u64(big.low, pieces[0]) | _pext_u64(big.high, pieces[1]) << (kz_popcount64(pieces[0]) & 63);
    bit[4] = _pext_u64(rooks.set.low, pieces[0]) | _pext_u64(rooks.set.high, pieces[1])
                                                       << (kz_popcount64(pieces[0]) & 63);
    uint64_t are_others = _pdep_u64(kind0, ~bit[3]);
    bit[0] = are_others | bit[3];
    bit[1] = _pdep_u64(kind1, are_others) | bit[3];
    bit[2] = _pdep_u64(kind2, are_others) | bit[3];
    bit[5] = _pdep_u64(promoted, ~kz_sspf_golds(bit));
    bit[6] = colour;
    kz_sspf_put_list(bit, pieces, position->board);
    position->board[king[0]] = KZ_SHOGI_CODE_KING;
    position->board[king[1]] = KZ_SHOGI_CODE_KING | KZ_SHOGI_WHITES;
    uint64_t white = kz_sspf_pdep_white_in_tail(total, colour_tail);
    kz_sspf_store_hands(position, total - removed - white, white, side);
    return true;
}

/* ---- The codec --------------------------------------------------------------------------------------------------- */

KZ_SSPF_INLINE kz_shogi_defect pack_any(const kz_shogi_position *position, uint8_t *record) {
    return __builtin_expect(pack_fast(position, record), 1) ? KZ_SHOGI_FINE
                                                            : kz_shogi_sspfc_plain.pack(position, record);
}

KZ_SSPF_INLINE kz_shogi_defect unpack_any(const uint8_t *record, kz_shogi_position *position) {
    return __builtin_expect(unpack_fast(record, position), 1) ? KZ_SHOGI_FINE
                                                              : kz_shogi_sspfc_plain.unpack(record, position);
}

static kz_shogi_defect sspfc_pack(const kz_shogi_position *position, uint8_t *record) {
    return pack_any(position, record);
}

static kz_shogi_defect sspfc_unpack(const uint8_t *record, kz_shogi_position *position) {
    return unpack_any(record, position);
}

static size_t sspfc_pack_many(const kz_shogi_position *positions, size_t count, uint8_t *records, size_t stride,
                              kz_shogi_defect *defect) {
    kz_shogi_defect found = KZ_SHOGI_FINE;
    size_t done = 0;
    while (done < count && (found = pack_any(&positions[done], records + done * stride)) == KZ_SHOGI_FINE) {
        done++;
    }
    *defect = found;
    return done;
}

static size_t sspfc_unpack_many(const uint8_t *records, size_t stride, size_t count, kz_shogi_position *positions,
                                kz_shogi_defect *defect) {
    kz_shogi_defect found = KZ_SHOGI_FINE;
    size_t done = 0;
    while (done < count && (found = unpack_any(records + done * stride, &positions[done])) == KZ_SHOGI_FINE) {
        done++;
    }
    *defect = found;
    return done;
}

#endif
