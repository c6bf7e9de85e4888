/* SPDX-License-Identifier: MIT
 *
 * Records of nshogi's teachers, 47 bytes, little-endian:
 *
 *     code[32]  ply u16  most plies u16  value of a draw for black f32, for white f32  move u16  winner u8
 *
 * The code is a stream of 256 bits, the lowest bit of a byte first: black king's square (7), white king's square (7), a
 * code for each square without a king, the side to move (1), a code for each piece in black's hand, then in white's.
 * With p for promoted and c for the colour:
 *
 *     on the board   empty 1, pawn 00pc, lance 0100pc, knight 0101pc, silver 0110pc, gold 01111c, bishop 011100pc,
 *                    rook 011101pc
 *     in hand        pawn 00c, lance 1000c, knight 1010c, silver 1100c, gold 1110c, bishop 111100c, rook 111110c
 *
 * Squares count down the files from the right as here, but from the last rank: 1i is 0, 1a is 8. A move has `to` in
 * bits 0 to 6, `from` or 80 + type of a drop in bits 7 to 13, and promotion in bit 14: the dialect of Apery with these
 * squares. A move from 1 to 1 declares a win, one from 2 to 2 is a pass. */
#include "base/bits.h"
#include "shogi/src/huffman.h"
#include "shogi/src/outcome.h"
#include "shogi/src/position.h"

enum { PLY_AT = 32, MOVE_AT = 44, WINNER_AT = 46, SQUARE_BITS = 7, SQUARE_MASK = 127, DECLARES = 129, PASSES = 258 };

typedef struct code {
    uint8_t bits;   /* without p and c, the first bit lowest */
    uint8_t length; /* of these */
    uint8_t code;   /* black's piece, or a kind in hand */
    bool promotes;  /* p follows */
} code;

static const code on_board[] = {{0x0, 2, KZ_SHOGI_CODE_PAWN, true},   {0x2, 4, KZ_SHOGI_CODE_LANCE, true},
                                {0xA, 4, KZ_SHOGI_CODE_KNIGHT, true}, {0x6, 4, KZ_SHOGI_CODE_SILVER, true},
                                {0x1E, 5, KZ_SHOGI_CODE_GOLD, false}, {0x0E, 6, KZ_SHOGI_CODE_BISHOP, true},
                                {0x2E, 6, KZ_SHOGI_CODE_ROOK, true}};
static const code in_hand[] = {{0x0, 2, KZ_SHOGI_PAWN, false},   {0x1, 4, KZ_SHOGI_LANCE, false},
                               {0x5, 4, KZ_SHOGI_KNIGHT, false}, {0x3, 4, KZ_SHOGI_SILVER, false},
                               {0x7, 4, KZ_SHOGI_GOLD, false},   {0x0F, 6, KZ_SHOGI_BISHOP, false},
                               {0x1F, 6, KZ_SHOGI_ROOK, false}};
enum { CODES = sizeof on_board / sizeof *on_board };
_Static_assert(CODES == sizeof in_hand / sizeof *in_hand, "a code for each kind");

/* From a square of nshogi, or to one. */
static int turned(int square) { return kz_shogi_square(kz_shogi_file_of(square), 8 - kz_shogi_rank_of(square)); }

static const code *find(const code *codes, uint64_t stream) {
    for (int i = 0; i < CODES; i++) {
        if ((stream & ((1U << codes[i].length) - 1)) == codes[i].bits) {
            return &codes[i];
        }
    }
    return NULL;
}

static kz_shogi_defect read_position(const uint8_t *record, kz_shogi_position *position) {
    unsigned at = 2 * SQUARE_BITS;
    int black = (int)(kz_shogi_stream_at(record, 0) & SQUARE_MASK);
    int white = (int)(kz_shogi_stream_at(record, SQUARE_BITS) & SQUARE_MASK);
    if (black >= KZ_SHOGI_SQUARES || white >= KZ_SHOGI_SQUARES || black == white) {
        return KZ_SHOGI_KING_SQUARE;
    }
    memset(position, 0, sizeof *position);
    for (int square = 0; square < KZ_SHOGI_SQUARES; square++) {
        uint64_t stream = kz_shogi_stream_at(record, at);
        if (square == black || square == white) {
            position->board[turned(square)] = KZ_SHOGI_CODE_KING | (square == white ? KZ_SHOGI_WHITES : 0);
        } else if (at >= KZ_SHOGI_STREAM_BITS) {
            return KZ_SHOGI_CUT_OFF;
        } else if ((stream & 1) != 0) {
            at++;
        } else {
            const code *found = find(on_board, stream);
            if (!found) {
                return KZ_SHOGI_UNKNOWN;
            }
            unsigned after = (unsigned)(stream >> found->length);
            bool promoted = found->promotes && (after & 1) != 0;
            bool whites = (found->promotes ? after >> 1 & 1 : after & 1) != 0;
            position->board[turned(square)] =
                (uint8_t)(found->code | (promoted ? KZ_SHOGI_PROMOTED : 0) | (whites ? KZ_SHOGI_WHITES : 0));
            at += found->length + (found->promotes ? 2U : 1U);
        }
    }
    if (at >= KZ_SHOGI_STREAM_BITS) {
        return KZ_SHOGI_CUT_OFF;
    }
    position->side = kz_shogi_stream_at(record, at++) & 1;
    while (at < KZ_SHOGI_STREAM_BITS) {
        uint64_t stream = kz_shogi_stream_at(record, at);
        const code *found = find(in_hand, stream);
        if (!found) {
            return KZ_SHOGI_UNKNOWN;
        }
        at += found->length + 1U;
        if (at > KZ_SHOGI_STREAM_BITS) {
            return KZ_SHOGI_CUT_OFF;
        }
        uint8_t *hand = &position->hand[stream >> found->length & 1][found->code];
        *hand = (uint8_t)(*hand + 1);
    }
    return kz_shogi_check(position);
}

static kz_shogi_defect read_move(unsigned bits, kz_shogi_move *move) {
    if (bits == DECLARES || bits == PASSES) {
        *move = (kz_shogi_move){.special = bits == DECLARES ? KZ_SHOGI_DECLARES : KZ_SHOGI_NULL};
        return KZ_SHOGI_FINE;
    }
    kz_shogi_defect defect = kz_shogi_read_move(KZ_SHOGI_APERY, (uint16_t)bits, move);
    if (defect == KZ_SHOGI_FINE && move->special == KZ_SHOGI_MOVE) {
        move->to = (uint8_t)turned(move->to);
        move->from = move->from < KZ_SHOGI_SQUARES ? (uint8_t)turned(move->from) : move->from;
    }
    return defect;
}

kz_shogi_defect kz_shogi_read_nshogi(const uint8_t bytes[KZ_SHOGI_NSHOGI_BYTES], kz_shogi_position *position,
                                     kz_shogi_note *note) {
    static const uint8_t winners[3] = {KZ_SHOGI_BLACK_WON, KZ_SHOGI_WHITE_WON, KZ_SHOGI_DRAWN};
    *note = (kz_shogi_note){.ply = kz_load_le16(bytes + PLY_AT), .has = KZ_SHOGI_HAS_PLY};
    kz_shogi_defect defect = read_position(bytes, position);
    if (defect != KZ_SHOGI_FINE) {
        return defect;
    }
    defect = read_move(kz_load_le16(bytes + MOVE_AT), &note->move);
    if (defect != KZ_SHOGI_FINE) {
        note->move = (kz_shogi_move){.special = KZ_SHOGI_NONE};
        return defect;
    }
    note->has |= KZ_SHOGI_HAS_MOVE;
    if (bytes[WINNER_AT] >= sizeof winners) {
        return KZ_SHOGI_BAD_RESULT;
    }
    note->result = kz_shogi_result_for((kz_shogi_side)position->side, (kz_shogi_winner)winners[bytes[WINNER_AT]]);
    note->has |= KZ_SHOGI_HAS_RESULT;
    return KZ_SHOGI_FINE;
}
