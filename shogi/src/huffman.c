/* SPDX-License-Identifier: MIT
 *
 * psfen and hcp in plain C: what all records go through on processors without a faster path, and what records of
 * handicaps and faulty ones go through everywhere. */
#include "shogi/src/huffman.h"

#include "shogi/src/codec.h"

static const uint8_t full_set[KZ_SHOGI_HAND_KINDS] = {18, 4, 4, 4, 4, 2, 2};

/* Pieces of all kinds are counted at once, in the bytes of a number. */
#define ONE_OF(kind) (UINT64_C(1) << 8 * (kind))

static uint64_t kind_on(uint8_t code) {
    enum { PROMOTED_OR_WHITES = KZ_SHOGI_PROMOTED | KZ_SHOGI_WHITES };
    static const uint64_t one_of[256 - PROMOTED_OR_WHITES] = {
        [KZ_SHOGI_CODE_PAWN] = ONE_OF(KZ_SHOGI_PAWN),     [KZ_SHOGI_CODE_LANCE] = ONE_OF(KZ_SHOGI_LANCE),
        [KZ_SHOGI_CODE_KNIGHT] = ONE_OF(KZ_SHOGI_KNIGHT), [KZ_SHOGI_CODE_SILVER] = ONE_OF(KZ_SHOGI_SILVER),
        [KZ_SHOGI_CODE_GOLD] = ONE_OF(KZ_SHOGI_GOLD),     [KZ_SHOGI_CODE_BISHOP] = ONE_OF(KZ_SHOGI_BISHOP),
        [KZ_SHOGI_CODE_ROOK] = ONE_OF(KZ_SHOGI_ROOK),
    };
    return one_of[code & ~PROMOTED_OR_WHITES];
}

static unsigned number_of(int kind, uint64_t kinds) { return kinds >> 8 * kind & 255; }

/* Writes the codes of `count` pieces of one kind that the owner has off the board. `run` has the codes of as many as
 * the game has, one after the other, so these are its first bits. */
static void put_pieces(kz_shogi_stream *stream, const kz_shogi_huffman *codes, int owner, int kind, unsigned count) {
    unsigned length = count * kz_shogi_piece_bits[kind];
    kz_shogi_stream_put(stream, codes->run[owner][kind] & ((UINT64_C(1) << length) - 1), length);
}

kz_shogi_defect kz_shogi_huffman_pack(const kz_shogi_huffman *codes, const kz_shogi_position *position,
                                      uint8_t *record) {
    enum { CODES_IN_57_BITS = 7 };
    uint8_t bytes[KZ_SHOGI_MOST_BYTES];
    const uint8_t *black_king = memchr(position->board, KZ_SHOGI_CODE_KING, KZ_SHOGI_SQUARES);
    const uint8_t *white_king = memchr(position->board, KZ_SHOGI_CODE_KING | KZ_SHOGI_WHITES, KZ_SHOGI_SQUARES);
    if (!black_king || !white_king) {
        return KZ_SHOGI_NO_KING;
    }
    kz_shogi_stream stream = kz_shogi_stream_begin(bytes, position->side, (unsigned)(black_king - position->board),
                                                   (unsigned)(white_king - position->board));
    for (int square = 0; square < KZ_SHOGI_SQUARES;) {
        uint64_t bits = 0;
        unsigned length = 0;
        for (int i = 0; i < CODES_IN_57_BITS && square < KZ_SHOGI_SQUARES; i++, square++) {
            uint8_t code = position->board[square];
            bits |= (uint64_t)codes->bits[code] << length;
            length += codes->length[code];
        }
        kz_shogi_stream_put(&stream, bits, length);
    }
    for (int side = 0; side < 2; side++) {
        for (int kind = 0; kind < KZ_SHOGI_HAND_KINDS; kind++) {
            if (position->hand[side][kind] > full_set[kind]) {
                return KZ_SHOGI_OVERFULL;
            }
            put_pieces(&stream, codes, side, kind, position->hand[side][kind]);
        }
    }
    if (!kz_shogi_stream_is_full(&stream, bytes)) {
        uint64_t on_board = 0;
        for (int square = 0; square < KZ_SHOGI_SQUARES; square++) {
            on_board += kind_on(position->board[square]);
        }
        for (int kind = 0; kind < KZ_SHOGI_HAND_KINDS; kind++) {
            unsigned there =
                number_of(kind, on_board) + position->hand[KZ_SHOGI_BLACK][kind] + position->hand[KZ_SHOGI_WHITE][kind];
            if (there > full_set[kind]) {
                return KZ_SHOGI_OVERFULL;
            }
            put_pieces(&stream, codes, KZ_SHOGI_BOX, kind, full_set[kind] - there);
        }
    }
    if (!kz_shogi_stream_is_full(&stream, bytes)) {
        return KZ_SHOGI_OVERFULL;
    }
    memcpy(record, bytes, KZ_SHOGI_RECORD_BYTES);
    return KZ_SHOGI_FINE;
}

/* Reads the codes of the squares without kings, until there are enough and a few more. `list` has room for these. */
static void read_list(const kz_shogi_huffman *codes, const uint8_t *record, uint8_t list[KZ_SHOGI_LIST_ROOM]) {
    unsigned at = KZ_SHOGI_HEAD_BITS;
    for (unsigned count = 0; count < KZ_SHOGI_LIST;) {
        uint64_t stream = kz_shogi_stream_at(record, at);
        for (int i = 0; i < KZ_SHOGI_LOOKUPS; i++) {
            uint64_t entry = codes->squares[stream & ((1 << KZ_SHOGI_SQUARES_PEEK) - 1)];
            unsigned taken = entry >> 48 & 255;
            kz_store_le64(list + count, entry);
            count += (unsigned)(entry >> 56);
            stream >>= taken;
            at += taken;
        }
    }
}

/* Whether all bits from `at` on are 0. */
static bool is_blank_from(const uint8_t *record, unsigned at) {
    for (; at < KZ_SHOGI_STREAM_BITS; at += 57) {
        if (kz_shogi_stream_at(record, at) & ((UINT64_C(1) << 57) - 1)) {
            return false;
        }
    }
    return true;
}

static kz_shogi_defect unpack(const kz_shogi_huffman *codes, const uint8_t *record, bool without_box,
                              kz_shogi_position *position) {
    unsigned head = kz_load_le16(record);
    unsigned black_king = head >> 1 & 127;
    unsigned white_king = head >> 8 & 127;
    if (black_king >= KZ_SHOGI_SQUARES || white_king >= KZ_SHOGI_SQUARES || black_king == white_king) {
        return KZ_SHOGI_KING_SQUARE;
    }
    uint8_t list[KZ_SHOGI_LIST_ROOM];
    uint64_t kinds = 0;
    unsigned at = KZ_SHOGI_HEAD_BITS;
    read_list(codes, record, list);
    unsigned first_king = black_king < white_king ? black_king : white_king;
    unsigned second_king = black_king < white_king ? white_king : black_king;
    for (unsigned i = 0; i < KZ_SHOGI_LIST; i++) {
        unsigned square = i + (i >= first_king);
        square += square >= second_king;
        position->board[square] = list[i];
        kinds += kind_on(list[i]);
        at += codes->length[list[i]];
    }
    position->board[black_king] = KZ_SHOGI_CODE_KING;
    position->board[white_king] = KZ_SHOGI_CODE_KING | KZ_SHOGI_WHITES;
    /* What was read beyond the end is of no meaning, but at least as long as what was missing. */
    if (at > KZ_SHOGI_STREAM_BITS) {
        return KZ_SHOGI_CUT_OFF;
    }
    memset(position->hand, 0, sizeof position->hand);
    while (at < KZ_SHOGI_STREAM_BITS) {
        if (without_box && is_blank_from(record, at)) {
            unsigned pawns = number_of(KZ_SHOGI_PAWN, kinds);
            if (pawns <= full_set[KZ_SHOGI_PAWN]) {
                position->hand[KZ_SHOGI_BLACK][KZ_SHOGI_PAWN] += (uint8_t)(full_set[KZ_SHOGI_PAWN] - pawns);
            }
            break;
        }
        unsigned bits = kz_shogi_stream_at(record, at) & 127;
        /* The first bits tell the length, whether the whole means anything or not. */
        unsigned length = (bits & 1) == 0 ? 3 : (bits & 15) == 15 ? 7 : 5;
        unsigned piece = codes->first_piece[bits];
        if (at + length > KZ_SHOGI_STREAM_BITS) {
            return KZ_SHOGI_CUT_OFF;
        }
        if (piece == 0) {
            return KZ_SHOGI_UNKNOWN;
        }
        unsigned kind = piece & 7;
        unsigned owner = piece >> 3 & 3;
        if (owner != KZ_SHOGI_BOX) {
            position->hand[owner][kind]++;
        }
        kinds += ONE_OF(kind);
        at += length;
    }
    /* All pieces take exactly the bits that there are: where no kind has too many, none has too few. A record of a
     * handicap that was written without a box ends in 0s, which read as pawns in black's hand; they are too many or end
     * in half a code, unless it is pawns that were removed, which can't be told from pawns in hand then. */
    for (int kind = 0; kind < KZ_SHOGI_HAND_KINDS; kind++) {
        if (number_of(kind, kinds) > full_set[kind]) {
            return KZ_SHOGI_OVERFULL;
        }
    }
    position->side = head & 1;
    return KZ_SHOGI_FINE;
}

kz_shogi_defect kz_shogi_huffman_unpack(const kz_shogi_huffman *codes, const uint8_t *record,
                                        kz_shogi_position *position) {
    return unpack(codes, record, false, position);
}

kz_shogi_defect kz_shogi_unpack_without_box(kz_shogi_format format, const uint8_t *record,
                                            kz_shogi_position *position) {
    switch (format) {
    case KZ_SHOGI_PSFEN:
        return unpack(&kz_shogi_psfen_huffman, record, true, position);
    case KZ_SHOGI_HCP:
        return unpack(&kz_shogi_hcp_huffman, record, true, position);
    default:
        return KZ_SHOGI_UNKNOWN;
    }
}

static size_t pack_many(const kz_shogi_huffman *codes, const kz_shogi_position *positions, size_t count,
                        uint8_t *records, size_t stride, kz_shogi_defect *defect) {
    for (size_t i = 0; i < count; i++) {
        *defect = kz_shogi_huffman_pack(codes, &positions[i], records + i * stride);
        if (*defect != KZ_SHOGI_FINE) {
            return i;
        }
    }
    return count;
}

static size_t unpack_many(const kz_shogi_huffman *codes, const uint8_t *records, size_t stride, size_t count,
                          kz_shogi_position *positions, kz_shogi_defect *defect) {
    for (size_t i = 0; i < count; i++) {
        *defect = kz_shogi_huffman_unpack(codes, records + i * stride, &positions[i]);
        if (*defect != KZ_SHOGI_FINE) {
            return i;
        }
    }
    return count;
}

KZ_SHOGI_HUFFMAN_CODEC(psfen, KZ_SHOGI_PSFEN, plain, pack_many, unpack_many)
KZ_SHOGI_HUFFMAN_CODEC(hcp, KZ_SHOGI_HCP, plain, pack_many, unpack_many)
