/* SPDX-License-Identifier: MIT
 *
 * SSPFv1 for any processor. Lists of bytes are made shorter or longer one byte after the other, without branches, since
 * what stands on a square can't be foretold; eight bytes at a time give or take a field. */
#include "shogi/src/sspf_fields.h"

#include <string.h>

/* Groups of 8 bytes that a list has at most, that of the pieces and that of those which are no pawns. A position that
 * is not well-formed may have 38 of the latter, too. */
enum { LIST_GROUPS = 5, OTHERS_GROUPS = 3, ROOM = 8 * LIST_GROUPS };

/* One bit of each of 8 bytes, as 8 bits. */
static inline uint64_t gather8(uint64_t bytes, int bit) {
    return (bytes >> bit & KZ_SSPF_EACH_BYTE) * 0x0102040810204080U >> 56;
}

/* 8 bits, each as one bit of a byte. */
static inline uint64_t scatter8(uint64_t bits, int bit) {
    uint64_t own =
        (bits & 0xFF) * KZ_SSPF_EACH_BYTE & 0x8040201008040201U; /* each byte has its own bit, in its place */
    return ((own + KZ_SSPF_EACH_BYTE * 0x7F) >> 7 & KZ_SSPF_EACH_BYTE) << bit;
}

/* One bit of each byte of some groups of 8. */
static inline uint64_t gather(const uint8_t *list, int groups, int bit) {
    uint64_t bits = 0;
    for (int i = 0; i < groups; i++) {
        bits |= gather8(kz_load_le64(list + 8 * i), bit) << 8 * i;
    }
    return bits;
}

KZ_SSPF_INLINE bool pack_base(const kz_shogi_position *position, uint8_t *record, bool extended) {
    (void)extended; /* what takes the extension is left to others */
    const uint8_t *board = position->board;
    uint64_t pieces[2] = {0, 0};
    uint64_t kings[2] = {0, 0};
    for (int i = 0; i < 10; i++) {
        uint64_t group = kz_load_le64(board + 8 * i);
        pieces[i / 8] |= gather8(group, 7) << 8 * (i % 8);
        kings[i / 8] |= gather8(group & ~(group >> 7), 0) << 8 * (i % 8); /* no pawn, and not marked as a piece */
    }
    pieces[1] |= (uint64_t)(board[80] >> 7) << 16;
    kings[1] |= (uint64_t)(board[80] & ~(board[80] >> 7) & 1) << 16;
    unsigned count = kz_sspf_count(pieces[0]) + kz_sspf_count(pieces[1]);
    kz_sspf_fields fields;
    if ((count > KZ_SSPF_LIST) | !kz_sspf_find_kings(board, kings, fields.king)) {
        return false;
    }

    /* All pieces, and those that are no pawns. Behind their end there are zeros, and perhaps a pawn. */
    uint8_t list[ROOM] = {0}, others[ROOM] = {0};
    uint8_t *list_end = list, *others_end = others;
    for (int word = 0; word < 2; word++) {
        for (uint64_t left = pieces[word]; left; left &= left - 1) {
            uint8_t code = board[64 * word + (int)kz_lowest_bit64(left)];
            *list_end++ = code;
            *others_end = code;
            others_end += code & 1;
        }
    }
    uint64_t bit[5];
    for (int i = 1; i < 5; i++) {
        bit[i] = gather(others, OTHERS_GROUPS, i);
    }
    fields.kind[0] = gather(list, LIST_GROUPS, 0);
    fields.kind[1] = bit[1];
    fields.kind[2] = bit[2];
    fields.kind[3] = kz_sspf_take_few(bit[3], bit[1] & bit[2], 8);
    fields.kind[4] = kz_sspf_take_few(bit[4], bit[3], 4);
    uint64_t black = kz_sspf_black_hand(position);
    uint64_t white = kz_sspf_white_hand(position);
    if ((kz_sspf_numbers(count, fields.kind) + black + white != KZ_SSPF_FULL_SET)) {
        return false;
    }
    uint64_t golds = 0;
    for (int i = 0; i < LIST_GROUPS; i++) {
        uint64_t group = kz_load_le64(list + 8 * i);
        golds |= gather8(group & group >> 1 & ~(group >> 2), 1) << 8 * i;
    }
    fields.promoted = kz_sspf_leave_out_few(gather(list, LIST_GROUPS, 5), golds, 4);
    fields.colour = gather(list, LIST_GROUPS, 6) | kz_sspf_tail(black + white, white) << count;
    fields.side = position->side & 1;
    fields.occupied[0] = pieces[0];
    fields.occupied[1] = pieces[1];
    kz_sspf_take_out_kings(fields.occupied, fields.king);
    kz_sspf_store(&fields, record);
    return true;
}

KZ_SSPF_INLINE bool unpack_base(const uint8_t *record, kz_shogi_position *position, bool extended) {
    (void)extended;
    kz_sspf_fields fields = kz_sspf_load(record);
    unsigned count = kz_sspf_count(fields.occupied[0]) + kz_sspf_count(fields.occupied[1]);
    uint64_t total;
    if (!kz_sspf_is_base(&fields, count, &total)) {
        return false;
    }
    /* Those who are no pawns. */
    uint8_t others[ROOM];
    uint64_t bit3 = kz_sspf_place_few(fields.kind[3], fields.kind[1] & fields.kind[2], 8);
    uint64_t bit4 = kz_sspf_place_few(fields.kind[4], bit3, 4);
    for (int i = 0; i < OTHERS_GROUPS; i++) {
        kz_store_le64(others + 8 * i, KZ_SSPF_EACH_BYTE | scatter8(fields.kind[1] >> 8 * i, 1) |
                                          scatter8(fields.kind[2] >> 8 * i, 2) | scatter8(bit3 >> 8 * i, 3) |
                                          scatter8(bit4 >> 8 * i, 4));
    }

    kz_sspf_put_in_kings(fields.occupied, fields.king);
    memset(position->board, 0, sizeof position->board);
    const uint8_t *next = others;
    uint64_t colour = fields.colour;
    for (int word = 0; word < 2; word++) {
        for (uint64_t left = fields.occupied[word]; left; left &= left - 1) {
            uint64_t other = fields.kind[0] & 1;
            uint64_t code = *next & (0 - other);
            uint64_t promotable = (code & 0xF) != 7;
            position->board[64 * word + (int)kz_lowest_bit64(left)] =
                (uint8_t)(KZ_SHOGI_CODE_PAWN | code | (fields.promoted & promotable) << 5 | (colour & 1) << 6);
            next += other;
            fields.kind[0] >>= 1;
            fields.promoted >>= promotable;
            colour >>= 1;
        }
    }
    position->board[fields.king[0]] = KZ_SHOGI_CODE_KING;
    position->board[fields.king[1]] = KZ_SHOGI_CODE_KING | KZ_SHOGI_WHITES;
    uint64_t white = kz_sspf_white_in_tail(total, colour);
    kz_sspf_store_hands(position, total - white, white, fields.side);
    return true;
}

#include "shogi/src/sspf_codec.h"

KZ_SSPF_CODECS(plain)
