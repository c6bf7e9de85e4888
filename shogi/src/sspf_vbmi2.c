/* SPDX-License-Identifier: MIT
 *
 * SSPFv1 with AVX-512 VBMI2. The list of pieces is the board with the empty squares squeezed out of it; a field is a
 * bit of all bytes of the list, and PEXT squeezes out of it what the field leaves out. */
#include "shogi/src/sspf_fields.h"

#ifdef __x86_64__
#include "shogi/src/sspf_list_vbmi2.h"
#include "shogi/src/sspf_pext_unpack.h"

#define ROW KZ_SSPF_ROW
#define ROW_OF_ZEROS 63, 63, 63, 63, 63, 63, 63, 63 /* a list has no more than 38 bytes */
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

KZ_SSPF_INLINE bool pack_base(const kz_shogi_position *position, uint8_t *record, bool extended) {
    kz_sspf_list list;
    __m512i turned = kz_sspf_turned_list(position->board, &list);
    kz_sspf_fields fields;
    if ((list.count > KZ_SSPF_LIST) | !kz_sspf_find_kings(position->board, list.kings, fields.king)) {
        return false;
    }
    kz_sspf_hands hands;
    if (!kz_sspf_pext_hands(position, numbers_of(turned), extended, &hands)) {
        return false;
    }
    kz_sspf_store_list(turned, &list);
    const uint64_t *bit = list.bit;
    fields.kind[0] = bit[0] | hands.removed_tail << list.count;
    fields.kind[1] = _pext_u64(bit[1], bit[0]);
    fields.kind[2] = _pext_u64(bit[2], bit[0]);
    fields.kind[3] = _pext_u64(bit[3], bit[1] & bit[2]);
    fields.kind[4] = _pext_u64(bit[4], bit[3]);
    /* Behind the list there are zeros, which are no golds; they are not promoted either. */
    fields.promoted = _pext_u64(bit[5], ~kz_sspf_golds(bit));
    fields.colour = bit[6] | hands.colour_tail << list.count;
    fields.side = position->side & 1;
    fields.occupied[0] = list.pieces[0];
    fields.occupied[1] = list.pieces[1];
    kz_sspf_pext_kings(fields.occupied, list.kings);
    kz_sspf_store(&fields, record);
    return true;
}

#include "shogi/src/sspf_codec.h"

KZ_SSPF_CODECS(vbmi2)
#endif
