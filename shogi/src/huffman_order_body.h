/* SPDX-License-Identifier: MIT
 *
 * Whether records of psfen and hcp are canonical, without packing their positions again. Each file that includes this
 * is compiled for another kind of processor, and defines DISORDERED, the name of its function. */
#include "shogi/src/huffman.h"
#include "shogi/src/position.h"

/* How many pieces other than kings a position has. */
static unsigned pieces_of(const kz_shogi_position *position) {
    const uint64_t ones = UINT64_C(0x0101010101010101);
    uint64_t sums = 0; /* a byte for every eighth square */
    for (int i = 0; i < KZ_SHOGI_SQUARES / 8; i++) {
        sums += kz_load_le64(position->board + 8 * i) >> 7 & ones;
    }
    /* The hands are 14 bytes after the board, and no more than 38 pieces. */
    const uint8_t *hands = (const uint8_t *)position + offsetof(kz_shogi_position, hand);
    sums += kz_load_le64(hands) + (kz_load_le64(hands + 6) >> 16);
    return (unsigned)(sums * ones >> 56) + (position->board[KZ_SHOGI_SQUARES - 1] >> 7);
}

static unsigned bits_in_hand(const uint8_t hand[KZ_SHOGI_HAND_KINDS]) {
    return 3U * hand[KZ_SHOGI_PAWN] +
           5U * ((unsigned)hand[KZ_SHOGI_LANCE] + hand[KZ_SHOGI_KNIGHT] + hand[KZ_SHOGI_SILVER] + hand[KZ_SHOGI_GOLD]) +
           7U * ((unsigned)hand[KZ_SHOGI_BISHOP] + hand[KZ_SHOGI_ROOK]);
}

/* Writes the hands again at the end of a copy of the record. False if that is not the way for this one: pieces are
 * missing, or a hand is too large. */
static bool write_hands(const kz_shogi_huffman *codes, const kz_shogi_position *position, const uint8_t *record,
                        uint8_t copy[KZ_SHOGI_MOST_BYTES]) {
    unsigned bits = bits_in_hand(position->hand[0]) + bits_in_hand(position->hand[1]);
    if (pieces_of(position) != KZ_SHOGI_NOT_KINGS) {
        return false;
    }
    unsigned at = KZ_SHOGI_STREAM_BITS - bits;
    memcpy(copy, record, KZ_SHOGI_RECORD_BYTES);
    copy[KZ_SHOGI_RECORD_BYTES] = 0;
    kz_shogi_stream stream = {copy + at / 8, kz_shogi_low_bits(copy[at / 8], at % 8), at % 8};
    return kz_shogi_put_hand(&stream, codes->run[KZ_SHOGI_BLACK], position->hand[KZ_SHOGI_BLACK]) &&
           kz_shogi_put_hand(&stream, codes->run[KZ_SHOGI_WHITE], position->hand[KZ_SHOGI_WHITE]);
}

size_t DISORDERED(kz_shogi_format format, const kz_shogi_position *positions, const uint8_t *records, size_t stride,
                  size_t count) {
    /* Copies are compared when a few others have been made: see unpack_many in shogi/huffman_read.h. */
    enum { GROUP = 8 };
    const kz_shogi_huffman *codes = format == KZ_SHOGI_PSFEN ? &kz_shogi_psfen_huffman : &kz_shogi_hcp_huffman;
    uint8_t copies[GROUP][KZ_SHOGI_MOST_BYTES];
    bool written[GROUP];
    size_t disordered = 0;
    for (size_t begin = 0; begin < count; begin += GROUP) {
        size_t group = count - begin < GROUP ? count - begin : GROUP;
        for (size_t i = 0; i < group; i++) {
            written[i] = write_hands(codes, &positions[begin + i], records + (begin + i) * stride, copies[i]);
        }
        for (size_t i = 0; i < group; i++) {
            const uint8_t *record = records + (begin + i) * stride;
            disordered += written[i] ? memcmp(copies[i], record, KZ_SHOGI_RECORD_BYTES) != 0
                                     : kz_shogi_check_canonical(format, record) != KZ_SHOGI_FINE;
        }
    }
    return disordered;
}
