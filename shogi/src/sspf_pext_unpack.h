/* SPDX-License-Identifier: MIT
 *
 * Unpacks SSPFv1 with PDEP. The file that includes this has included sspf_list_vbmi2.h or sspf_list_bmi2.h, which put a
 * list on the board. */
#ifndef KZ_SHOGI_SSPF_PEXT_UNPACK_H
#define KZ_SHOGI_SSPF_PEXT_UNPACK_H

KZ_SSPF_INLINE bool unpack_base(const uint8_t *record, kz_shogi_position *position, bool extended) {
    kz_sspf_fields fields = kz_sspf_load(record);
    unsigned count = kz_popcount64(fields.occupied[0]) + kz_popcount64(fields.occupied[1]);
    uint64_t removed = 0;
    if (extended) {
        removed = fields.kind[0] >> (count & 63);
        fields.kind[0] &= kz_sspf_ones(count & 63);
    }
    uint64_t total;
    if (!kz_sspf_is_base(&fields, count, &total) || (removed & fields.colour >> count) != 0) {
        return false;
    }
    uint64_t bit[7] = {fields.kind[0], _pdep_u64(fields.kind[1], fields.kind[0]),
                       _pdep_u64(fields.kind[2], fields.kind[0])};
    bit[3] = _pdep_u64(fields.kind[3], bit[1] & bit[2]);
    bit[4] = _pdep_u64(fields.kind[4], bit[3]);
    bit[5] = _pdep_u64(fields.promoted, ~kz_sspf_golds(bit));
    bit[6] = fields.colour;
    kz_sspf_pdep_kings(fields.occupied, fields.king);
    kz_sspf_put_list(bit, fields.occupied, position->board);
    position->board[fields.king[0]] = KZ_SHOGI_CODE_KING;
    position->board[fields.king[1]] = KZ_SHOGI_CODE_KING | KZ_SHOGI_WHITES;
    uint64_t white = kz_sspf_pdep_white_in_tail(total, fields.colour >> count);
    uint64_t black = total - white;
    if (__builtin_expect(removed != 0, 0)) {
        black -= kz_sspf_pdep_white_in_tail(total, removed);
    }
    kz_sspf_store_hands(position, black, white, fields.side);
    return true;
}

#endif
