/* SPDX-License-Identifier: MIT
 *
 * SSPFv1 for processors that can shuffle bytes, and that have no PEXT: lists of bytes are squeezed and stretched in
 * groups of eight. The paths sse42, avx2 and neon are this code. */
#include "shogi/src/sspf_groups.h"

enum { ROOM = 64 }; /* for a list of 38, and for what is read or written past its end */

KZ_SSPF_INLINE bool pack_base(const kz_shogi_position *position, uint8_t *record, bool extended) {
    (void)extended; /* what takes the extension is left to others */
    const uint8_t *board = position->board;
    const uint64_t high_squares = kz_sspf_ones(KZ_SHOGI_SQUARES - 64);
    const uint64_t piece[2] = {kz_sspf_gather(board, 4, 7), kz_sspf_gather(board + 64, 2, 7) & high_squares};
    const uint64_t not_pawn[2] = {kz_sspf_gather(board, 4, 0), kz_sspf_gather(board + 64, 2, 0) & high_squares};
    const uint64_t kings[2] = {not_pawn[0] & ~piece[0], not_pawn[1] & ~piece[1]};
    const unsigned in_low = kz_sspf_count(piece[0]);
    const unsigned count = in_low + kz_sspf_count(piece[1]);
    kz_sspf_fields fields;
    if ((count > KZ_SSPF_LIST) | !kz_sspf_find_kings(board, kings, fields.king)) {
        return false;
    }

    /* Both lists come from the board: one from the other would have to wait for memory. */
    uint8_t list[ROOM], others[ROOM];
    const uint64_t other[2] = {not_pawn[0] & piece[0], not_pawn[1] & piece[1]};
    const unsigned others_in_low = kz_sspf_count(other[0]);
    const unsigned others_count = others_in_low + kz_sspf_count(other[1]);
    kz_sspf_squeeze_list(list, board, 8, piece[0]);
    kz_sspf_squeeze_list(list + in_low, board + 64, 3, piece[1]);
    kz_sspf_squeeze_list(others, board, 8, other[0]);
    kz_sspf_squeeze_list(others + others_in_low, board + 64, 3, other[1]);
    uint64_t bit[3];
    for (int i = 1; i < 3; i++) {
        bit[i] = kz_sspf_gather(others, 2, i) & kz_sspf_ones(others_count & 31);
    }
    /* More than 8 make no position; then the numbers below are wrong, whatever is here. */
    uint64_t golds_up = kz_sspf_squeeze_few(others, bit[1] & bit[2]);
    fields.kind[0] = kz_sspf_gather(list, 3, 0) & kz_sspf_ones(count);
    fields.kind[1] = bit[1];
    fields.kind[2] = bit[2];
    fields.kind[3] = kz_sspf_bit_of_8(golds_up, 3);
    fields.kind[4] = kz_sspf_bit_of_8(kz_word8(kz_shuffle_word8(golds_up, &kz_sspf_squeeze[fields.kind[3]])), 4);
    uint64_t black = kz_sspf_black_hand(position);
    uint64_t white = kz_sspf_white_hand(position);
    if (kz_sspf_numbers(count, fields.kind) + black + white != KZ_SSPF_FULL_SET) {
        return false;
    }

    uint64_t golds = 0;
    for (int i = 0; i < 3; i++) {
        golds |= kz_equal16(kz_and16(kz_load16(list + 16 * i), kz_fill16(0x0F)), 7) << 16 * i;
    }
    fields.promoted =
        kz_sspf_leave_out_few(kz_sspf_gather(list, 3, 5) & kz_sspf_ones(count), golds & kz_sspf_ones(count), 4);
    fields.colour = kz_sspf_gather(list, 3, 6) & kz_sspf_ones(count);
    fields.colour |= kz_sspf_tail_at_once(black + white, white) << count;
    fields.side = position->side & 1;
    fields.occupied[0] = piece[0];
    fields.occupied[1] = piece[1];
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
    uint8_t bishops_up[ROOM], golds_up[ROOM], others[ROOM], promoted[ROOM], list[ROOM];
    /* From the few to the many: the bits that bishops and rooks have, golds as well, all but pawns, everyone. */
    kz_store16(bishops_up, kz_scatter16(fields.kind[4], 0x10));
    kz_store16(golds_up,
               kz_or16(kz_sspf_stretch_block(bishops_up, 0, fields.kind[3], 0), kz_scatter16(fields.kind[3], 0x08)));
    uint64_t are_golds_up = fields.kind[1] & fields.kind[2];
    uint64_t offsets = kz_sspf_offsets(are_golds_up);
    for (int i = 0; i < 2; i++) {
        kz_bytes16 block = kz_sspf_stretch_block(golds_up, i, are_golds_up, offsets);
        block = kz_or16(block, kz_scatter16(fields.kind[1] >> 16 * i, 0x02));
        block = kz_or16(block, kz_scatter16(fields.kind[2] >> 16 * i, 0x04));
        kz_store16(others + 16 * i, kz_or16(block, kz_fill16(0x01)));
    }
    uint64_t golds = 0;
    kz_bytes16 block[3];
    offsets = kz_sspf_offsets(fields.kind[0]);
    for (int i = 0; i < 3; i++) {
        block[i] = kz_sspf_stretch_block(others, i, fields.kind[0], offsets);
        golds |= kz_equal16(block[i], 0x07) << 16 * i;
        kz_store16(promoted + 16 * i, kz_scatter16(fields.promoted >> 16 * i, KZ_SHOGI_PROMOTED));
    }
    uint64_t promotable = ~golds;
    offsets = kz_sspf_offsets(promotable);
    for (int i = 0; i < 3; i++) {
        block[i] = kz_or16(block[i], kz_sspf_stretch_block(promoted, i, promotable, offsets));
        block[i] = kz_or16(block[i], kz_scatter16(fields.colour >> 16 * i, KZ_SHOGI_WHITES));
        kz_store16(list + 16 * i, kz_or16(block[i], kz_fill16(KZ_SHOGI_CODE_PAWN)));
    }

    kz_sspf_put_in_kings(fields.occupied, fields.king);
    kz_sspf_stretch_board(position->board, list, fields.occupied);
    position->board[fields.king[0]] = KZ_SHOGI_CODE_KING;
    position->board[fields.king[1]] = KZ_SHOGI_CODE_KING | KZ_SHOGI_WHITES;
    uint64_t white = kz_sspf_white_in_tail(total, fields.colour >> count);
    kz_sspf_store_hands(position, total - white, white, fields.side);
    return true;
}
