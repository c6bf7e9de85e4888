/* SPDX-License-Identifier: MIT
 *
 * What psfen and hcp have in common. A record is a stream of 256 bits, the lowest bit of a byte first:
 *
 *     side to move (1 bit), black king's square (7), white king's square (7),
 *     a code for each square without a king, from 0 to 80,
 *     a code for each piece in black's hand, in white's hand, and in the box.
 *
 * The box holds the pieces that are neither on the board nor in a hand. With it, both kings and all pieces take exactly
 * 256 bits wherever they are: 15 + 79 for the kings and squares, and then 3 for a pawn, 5 for a lance, knight, silver
 * or gold and 7 for a bishop or rook, on the board (beyond the 1 of an empty square) as well as in a hand or the box.
 *
 * The formats differ in their codes only. Each writes them down once (psfen.c, hcp.c), and
 * shogi/huffman_table.h makes a kz_shogi_huffman of them when it is compiled. */
#ifndef KZ_SHOGI_HUFFMAN_H
#define KZ_SHOGI_HUFFMAN_H

#include "base/bits.h"

#include <kanzen/shogi.h>
#include <string.h>

/* Who has a piece that is not on the board: a side, or the box. */
enum { KZ_SHOGI_BOX = KZ_SHOGI_WHITE + 1, KZ_SHOGI_OWNERS };

enum {
    KZ_SHOGI_STREAM_BITS = 8 * KZ_SHOGI_RECORD_BYTES,
    KZ_SHOGI_HEAD_BITS = 15,
    KZ_SHOGI_LIST = KZ_SHOGI_SQUARES - 2, /* squares without a king */
    /* So many bits are looked up at once, and hold so many squares or less. */
    KZ_SHOGI_SQUARES_PEEK = 11,
    KZ_SHOGI_SQUARES_EACH = 6,
    KZ_SHOGI_PIECES_PEEK = 10,
    /* So many lookups are in what kz_shogi_stream_at gives, and so many squares are more than enough after them. */
    KZ_SHOGI_LOOKUPS = 5,
    KZ_SHOGI_LIST_ROOM = 160
};
_Static_assert(KZ_SHOGI_LOOKUPS *KZ_SHOGI_SQUARES_PEEK <= 57 && KZ_SHOGI_LOOKUPS * KZ_SHOGI_PIECES_PEEK <= 57,
               "kz_shogi_stream_at gives 57 bits");
_Static_assert(KZ_SHOGI_LIST + KZ_SHOGI_LOOKUPS * KZ_SHOGI_SQUARES_EACH + 8 <= KZ_SHOGI_LIST_ROOM, "lists need room");

/* Pieces of all kinds are counted at once, in fields of one number: 6 bits for pawns, 4 for lances, knights, silvers
 * and golds, 2 for bishops and rooks. Two such numbers are in an entry of `pieces` below. */
enum {
    KZ_SHOGI_PAWN_FIELD = 0,
    KZ_SHOGI_LANCE_FIELD = 6,
    KZ_SHOGI_KNIGHT_FIELD = 10,
    KZ_SHOGI_SILVER_FIELD = 14,
    KZ_SHOGI_GOLD_FIELD = 18,
    KZ_SHOGI_BISHOP_FIELD = 22,
    KZ_SHOGI_ROOK_FIELD = 24,
    KZ_SHOGI_FIELDS = 26,
    KZ_SHOGI_BLACK_FIELDS = 8,
    KZ_SHOGI_WHITE_FIELDS = KZ_SHOGI_BLACK_FIELDS + KZ_SHOGI_FIELDS
};

/* The codes of a format. Bits that come first in the stream are lowest. */
typedef struct kz_shogi_huffman {
    /* By what stands on a square. A king has no code: no bits. */
    uint8_t bits[256];
    uint8_t length[256];
    uint8_t ones[256]; /* as many as the code is long */
    /* All pieces of a kind that there are, one after the other; the first n times the length bits are n of them. */
    uint64_t run[KZ_SHOGI_OWNERS][KZ_SHOGI_HAND_KINDS];
    /* The next 7 bits -> kind + 8 * owner + 128; 0 for a code that means nothing. */
    uint8_t first_piece[128];
    /* The next 11 bits -> as many squares as they hold in bytes 0 to 5, the bits they take in byte 6, how many they are
     * in byte 7. */
    const uint64_t *squares;
    /* The next 10 bits -> the bits that are taken in byte 0, and fields that count pieces in hand. A code that means
     * nothing or a piece in the box ends an entry, and begins one that takes nothing. */
    const uint64_t *pieces;
} kz_shogi_huffman;

extern const kz_shogi_huffman kz_shogi_psfen_huffman;
extern const kz_shogi_huffman kz_shogi_hcp_huffman;

/* The bits of a code for a piece that is in a hand or the box. */
static const uint8_t kz_shogi_piece_bits[KZ_SHOGI_HAND_KINDS] = {3, 5, 5, 5, 5, 7, 7};

/* At least 57 bits of the stream from bit `at` on, if there are so many; 0s follow after its end. Anything if `at` is
 * beyond the end. Reads nothing outside of the record. */
static inline uint64_t kz_shogi_stream_at(const uint8_t *record, unsigned at) {
    unsigned byte = at >> 3 < KZ_SHOGI_RECORD_BYTES - 8 ? at >> 3 : KZ_SHOGI_RECORD_BYTES - 8;
    return kz_load_le64(record + byte) >> ((at - 8 * byte) & 63);
}

/* The end of a stream that is being written. */
typedef struct kz_shogi_stream {
    uint8_t *byte; /* the unfinished byte */
    uint64_t low;  /* its bits */
    unsigned fill; /* how many, less than 8 */
} kz_shogi_stream;

/* Writes up to 56 bits; there are no ones beyond them. 8 bytes are touched. */
static inline void kz_shogi_stream_put(kz_shogi_stream *stream, uint64_t bits, unsigned length) {
    uint64_t word = stream->low | bits << stream->fill;
    unsigned fill = stream->fill + length;
    kz_store_le64(stream->byte, word);
    stream->low = word >> (fill & 56);
    stream->byte += fill >> 3;
    stream->fill = fill & 7;
}

/* The stream of a record after its head, and whether it ends where the record does. `bytes` has room for what positions
 * that are not well-formed have too much. */
enum {
    KZ_SHOGI_MOST_BYTES = (KZ_SHOGI_HEAD_BITS + 8 * KZ_SHOGI_SQUARES + KZ_SHOGI_OWNERS * 162) / 8 + 8,
};
static inline kz_shogi_stream kz_shogi_stream_begin(uint8_t bytes[KZ_SHOGI_MOST_BYTES], unsigned side,
                                                    unsigned black_king, unsigned white_king) {
    bytes[0] = (uint8_t)((side & 1) | black_king << 1);
    return (kz_shogi_stream){bytes + 1, white_king, KZ_SHOGI_HEAD_BITS - 8};
}
static inline bool kz_shogi_stream_is_full(const kz_shogi_stream *stream, const uint8_t *bytes) {
    return stream->byte == bytes + KZ_SHOGI_RECORD_BYTES && stream->fill == 0;
}

static inline uint64_t kz_shogi_low_bits(uint64_t bits, unsigned length) {
    return bits & ((UINT64_C(1) << length) - 1);
}

/* Writes what a side has in hand. False if three steps are not enough, which takes all lances, knights and silvers in
 * one hand. */
__attribute__((always_inline)) static inline bool kz_shogi_put_hand(kz_shogi_stream *stream,
                                                                    const uint64_t run[KZ_SHOGI_HAND_KINDS],
                                                                    const uint8_t hand[KZ_SHOGI_HAND_KINDS]) {
    unsigned pawns = 3U * hand[KZ_SHOGI_PAWN];
    unsigned lances = 5U * hand[KZ_SHOGI_LANCE];
    unsigned knights = 5U * hand[KZ_SHOGI_KNIGHT];
    unsigned silvers = 5U * hand[KZ_SHOGI_SILVER];
    unsigned golds = 5U * hand[KZ_SHOGI_GOLD];
    unsigned bishops = 7U * hand[KZ_SHOGI_BISHOP];
    unsigned rooks = 7U * hand[KZ_SHOGI_ROOK];
    kz_shogi_stream_put(stream, kz_shogi_low_bits(run[KZ_SHOGI_PAWN], pawns), pawns);
    kz_shogi_stream_put(stream,
                        kz_shogi_low_bits(run[KZ_SHOGI_LANCE], lances) |
                            kz_shogi_low_bits(run[KZ_SHOGI_KNIGHT], knights) << lances |
                            kz_shogi_low_bits(run[KZ_SHOGI_SILVER], silvers) << (lances + knights),
                        lances + knights + silvers);
    kz_shogi_stream_put(stream,
                        kz_shogi_low_bits(run[KZ_SHOGI_GOLD], golds) |
                            kz_shogi_low_bits(run[KZ_SHOGI_BISHOP], bishops) << golds |
                            kz_shogi_low_bits(run[KZ_SHOGI_ROOK], rooks) << (golds + bishops),
                        golds + bishops + rooks);
    return lances + knights + silvers <= 56;
}

/* How many of the records are not canonical, that is, would be written in another way. They have been unpacked to these
 * positions. Only what is in hand is looked at: the codes of squares leave no choice. kz_shogi_check_canonical is the
 * plain twin. */
typedef size_t kz_shogi_disordered(kz_shogi_format format, const kz_shogi_position *positions, const uint8_t *records,
                                   size_t stride, size_t count);
kz_shogi_disordered kz_shogi_disordered_plain;
#ifdef __x86_64__
kz_shogi_disordered kz_shogi_disordered_bmi2;
#endif
/* The one that suits this machine best. */
kz_shogi_disordered *kz_shogi_disordered_for(void);

/* The plain twins, which the fast paths hand over to when pieces are missing or something is wrong. */
kz_shogi_defect kz_shogi_huffman_pack(const kz_shogi_huffman *codes, const kz_shogi_position *position,
                                      uint8_t *record);
kz_shogi_defect kz_shogi_huffman_unpack(const kz_shogi_huffman *codes, const uint8_t *record,
                                        kz_shogi_position *position);

/* Defines kz_shogi_FORMAT_PATH with two functions that take the codes of the format and then what kz_shogi_codec's
 * functions for many positions take. One position is many, too. */
#define KZ_SHOGI_HUFFMAN_CODEC(format_word, format_number, path_word, packs_many, unpacks_many)                        \
    static size_t format_word##_pack_many(const kz_shogi_position *positions, size_t count, uint8_t *records,          \
                                          size_t stride, kz_shogi_defect *defect) {                                    \
        return packs_many(&kz_shogi_##format_word##_huffman, positions, count, records, stride, defect);               \
    }                                                                                                                  \
    static size_t format_word##_unpack_many(const uint8_t *records, size_t stride, size_t count,                       \
                                            kz_shogi_position *positions, kz_shogi_defect *defect) {                   \
        return unpacks_many(&kz_shogi_##format_word##_huffman, records, stride, count, positions, defect);             \
    }                                                                                                                  \
    static kz_shogi_defect format_word##_pack(const kz_shogi_position *position, uint8_t *record) {                    \
        kz_shogi_defect defect = KZ_SHOGI_FINE;                                                                        \
        packs_many(&kz_shogi_##format_word##_huffman, position, 1, record, KZ_SHOGI_RECORD_BYTES, &defect);            \
        return defect;                                                                                                 \
    }                                                                                                                  \
    static kz_shogi_defect format_word##_unpack(const uint8_t *record, kz_shogi_position *position) {                  \
        kz_shogi_defect defect = KZ_SHOGI_FINE;                                                                        \
        unpacks_many(&kz_shogi_##format_word##_huffman, record, KZ_SHOGI_RECORD_BYTES, 1, position, &defect);          \
        return defect;                                                                                                 \
    }                                                                                                                  \
    const kz_shogi_codec kz_shogi_##format_word##_##path_word = {                                                      \
        format_number,                                                                                                 \
        #format_word,                                                                                                  \
        #path_word,                                                                                                    \
        format_word##_pack,                                                                                            \
        format_word##_unpack,                                                                                          \
        format_word##_pack_many,                                                                                       \
        format_word##_unpack_many,                                                                                     \
    };

#endif
