/* SPDX-License-Identifier: MIT
 *
 * Positions of shogi, in text and in records of 32 bytes.
 *
 * This header needs no other part of Kanzen. A position is 96 bytes:
 *
 *     board[81]   a code for each square       hand[2][7]   pieces in hand       side   whose turn it is
 *
 * Squares are numbered down the files from the right of the diagram: square (file, rank) = (file - 1) * 9 + rank - 1,
 * so 1a (1 1) is 0, 1i is 8 and 9i is 80. The move number is no part of a position.
 *
 * Codes are chosen so that each bit answers one question, and a vector of 64 squares answers it for all of them with
 * one instruction:
 *
 *     0x80  a piece other than a king    0x40  it is white's         0x20  it is promoted
 *     0x01  not a pawn                   0x02, 0x04  which other piece: lance 00, knight 01, silver 10, else 11
 *     0x08  of these, no gold            0x10  of these, a rook
 *
 * The low five bits are the Huffman code of SSPFv1. A king has 0x01 without 0x80; an empty square is 0. 81 + 14 + 1
 * bytes are one register of 64 bytes and one of 32, and leave nothing to waste when positions are streamed. */
#ifndef KANZEN_SHOGI_H
#define KANZEN_SHOGI_H

#include <kanzen/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    KZ_SHOGI_SQUARES = 81,
    KZ_SHOGI_NO_SQUARE = 81,
    KZ_SHOGI_RECORD_BYTES = 32,
    KZ_SHOGI_SFEN_BYTES = 256, /* enough for the SFEN of any position, the final 0 included */
    KZ_SHOGI_MOST_MOVES = 600  /* a position has 593 legal moves at most */
};

/* Kinds of pieces, in the order in which all formats here list hands; a promoted piece is of its kind. */
typedef enum kz_shogi_kind {
    KZ_SHOGI_PAWN,
    KZ_SHOGI_LANCE,
    KZ_SHOGI_KNIGHT,
    KZ_SHOGI_SILVER,
    KZ_SHOGI_GOLD,
    KZ_SHOGI_BISHOP,
    KZ_SHOGI_ROOK,
    KZ_SHOGI_HAND_KINDS,
    KZ_SHOGI_KING = KZ_SHOGI_HAND_KINDS
} kz_shogi_kind;

typedef enum kz_shogi_side { KZ_SHOGI_BLACK, KZ_SHOGI_WHITE } kz_shogi_side; /* black (sente) begins */

/* Codes on the board. */
enum {
    KZ_SHOGI_EMPTY = 0,
    KZ_SHOGI_CODE_PAWN = 0x80,
    KZ_SHOGI_CODE_LANCE = 0x81,
    KZ_SHOGI_CODE_KNIGHT = 0x85,
    KZ_SHOGI_CODE_SILVER = 0x83,
    KZ_SHOGI_CODE_GOLD = 0x87,
    KZ_SHOGI_CODE_BISHOP = 0x8F,
    KZ_SHOGI_CODE_ROOK = 0x9F,
    KZ_SHOGI_CODE_KING = 0x01,
    KZ_SHOGI_PROMOTED = 0x20, /* added to the code of a pawn, lance, knight, silver, bishop or rook */
    KZ_SHOGI_WHITES = 0x40    /* added to the code of a white piece */
};

typedef struct kz_shogi_position {
    uint8_t board[KZ_SHOGI_SQUARES];
    uint8_t hand[2][KZ_SHOGI_HAND_KINDS]; /* by side and kind */
    uint8_t side;                         /* kz_shogi_side: whose turn it is */
} kz_shogi_position;

/* What is wrong with a position, a record or a move. */
typedef enum kz_shogi_defect {
    KZ_SHOGI_FINE = 0,
    /* Positions that are not well-formed. */
    KZ_SHOGI_BAD_CODE,  /* a byte of the board is no code of a piece */
    KZ_SHOGI_BAD_SIDE,  /* the side to move is neither */
    KZ_SHOGI_TWO_KINGS, /* of one side */
    KZ_SHOGI_OVERFULL,  /* more than 18 4 4 4 4 2 2 of a kind */
    /* Positions that are well-formed, and that a format can't hold. */
    KZ_SHOGI_NO_KING, /* a king is missing */
    KZ_SHOGI_REMOVED, /* pieces are missing: a handicap */
    /* Positions that are well-formed and not legal (a missing king is another of these). */
    KZ_SHOGI_TWO_PAWNS,  /* unpromoted ones of one side on a file */
    KZ_SHOGI_DEAD_PIECE, /* a pawn or lance on the last rank, a knight on the last two */
    KZ_SHOGI_KING_HANGS, /* the side that does not move is in check */
    /* Records that are not well-formed. */
    KZ_SHOGI_KING_SQUARE, /* a king's square is no square, or both are the same */
    KZ_SHOGI_PADDING,     /* bits that must be 0 are not */
    KZ_SHOGI_CUT_OFF,     /* the codes go on past the last bit */
    KZ_SHOGI_UNKNOWN,     /* a code that means nothing */
    /* Records that are well-formed, and that are not what `pack` writes. */
    KZ_SHOGI_NOT_CANONICAL,
    /* Moves. */
    KZ_SHOGI_BAD_MOVE,     /* 16 bits that are no move in this dialect */
    KZ_SHOGI_ILLEGAL_MOVE, /* no move in this position */
    /* Records of files. */
    KZ_SHOGI_BAD_RESULT, /* the byte of the game's result means nothing */
    KZ_SHOGI_TRUNCATED,  /* the file ends in the middle of the record */
    KZ_SHOGI_LEFT_OUT,   /* no defect: a filter leaves the record out */
    KZ_SHOGI_DEFECTS
} kz_shogi_defect;

/* "fine", "bad-code", ...: a word for reports. Never NULL. */
const char *kz_shogi_defect_name(kz_shogi_defect defect);
/* The sentence that says it to a person, without a full stop. Never NULL. */
const char *kz_shogi_defect_text(kz_shogi_defect defect);

/* ---- Positions ------------------------------------------------------------------------------------------------- */

/* The code of an unpromoted piece; the kind of a code that is not empty, promoted or not; its side. */
uint8_t kz_shogi_code(kz_shogi_kind kind, kz_shogi_side side);
kz_shogi_kind kz_shogi_code_kind(uint8_t code);
kz_shogi_side kz_shogi_code_side(uint8_t code);
/* How many of a kind there are in a full set: 18 4 4 4 4 2 2, and 2 kings. */
int kz_shogi_full_set(kz_shogi_kind kind);

kz_shogi_position kz_shogi_start(void);
/* The square of a side's king, KZ_SHOGI_NO_SQUARE if it has none. */
int kz_shogi_king(const kz_shogi_position *position, kz_shogi_side side);
/* Pieces of a kind (no king) that are neither on the board nor in a hand of a well-formed position. */
int kz_shogi_removed(const kz_shogi_position *position, kz_shogi_kind kind);

/* Whether a position is well-formed: codes, at most one king a side, no more pieces than there are. Positions that
 * the calls below give are. */
kz_shogi_defect kz_shogi_check(const kz_shogi_position *position);
/* Whether it is legal, too: both kings, no two pawns on a file, no dead piece, nobody can take the king. */
kz_shogi_defect kz_shogi_check_legal(const kz_shogi_position *position);
bool kz_shogi_in_check(const kz_shogi_position *position, kz_shogi_side side);

/* Reads an SFEN ("lnsgkgsnl/... b - 1", the move number may be left out: then it is 1). Anything well-formed is
 * taken; the message of an error says at which character, counted from 1. `ply` may be NULL. */
kz_status kz_shogi_parse_sfen(const char *text, size_t length, kz_shogi_position *position, int *ply, kz_error *error);
/* Writes an SFEN with a 0 at its end and returns its length without that. Hands are in the usual order, R B G S N L P,
 * black's first. */
size_t kz_shogi_format_sfen(const kz_shogi_position *position, int ply, char text[KZ_SHOGI_SFEN_BYTES]);

/* ---- Moves ------------------------------------------------------------------------------------------------------ */

typedef enum kz_shogi_special {
    KZ_SHOGI_MOVE, /* an ordinary one */
    KZ_SHOGI_NONE, /* no move is given */
    KZ_SHOGI_NULL, /* a pass */
    KZ_SHOGI_RESIGNS,
    KZ_SHOGI_DECLARES /* a win, by entering */
} kz_shogi_special;

typedef struct kz_shogi_move {
    uint8_t special; /* kz_shogi_special; the other members are 0 unless it is KZ_SHOGI_MOVE */
    uint8_t from;    /* a square, or KZ_SHOGI_SQUARES + kind for a drop */
    uint8_t to;
    uint8_t promotes; /* 0 or 1 */
} kz_shogi_move;

/* The dialects of moves in 16 bits. In all of them bits 0-6 are `to` and 7-13 `from`. */
typedef enum kz_shogi_dialect {
    KZ_SHOGI_YANEURAOU, /* a drop has bit 14 and the type in `from`, promotion is bit 15 */
    KZ_SHOGI_DROPS_82,  /* a drop has `from` 81 + type (82..88), promotion is bit 14 */
    KZ_SHOGI_APERY,     /* a drop has `from` 80 + type (81..87), promotion is bit 14; hcpe */
    KZ_SHOGI_DIALECTS
} kz_shogi_dialect;

/* KZ_SHOGI_FINE or KZ_SHOGI_BAD_MOVE. 0 is KZ_SHOGI_NONE in all dialects. */
kz_shogi_defect kz_shogi_read_move(kz_shogi_dialect dialect, uint16_t bits, kz_shogi_move *move);
/* Special moves that a dialect has no bits for are written as 0. */
uint16_t kz_shogi_write_move(kz_shogi_dialect dialect, kz_shogi_move move);

/* USI text: "7g7f", "8h2b+", "P*5e", "none", "pass", "resign", "win". Writing returns the length, without the final 0.
 */
kz_status kz_shogi_parse_move(const char *text, size_t length, kz_shogi_move *move, kz_error *error);
size_t kz_shogi_format_move(kz_shogi_move move, char text[8]);

/* All legal moves (a drop of a pawn that mates is none), in order of `from`, `to`, `promotes`. Returns how many. */
size_t kz_shogi_moves(const kz_shogi_position *position, kz_shogi_move moves[KZ_SHOGI_MOST_MOVES]);
/* Makes an ordinary move; KZ_SHOGI_ILLEGAL_MOVE and an untouched position if the piece can't move so, or if there is
 * none. That the king is not left in check, or that a dropped pawn does not mate, is not looked at. */
kz_shogi_defect kz_shogi_make_move(kz_shogi_position *position, kz_shogi_move move);
/* Whether an ordinary move is legal: KZ_SHOGI_FINE exactly if kz_shogi_moves lists it. Looks at this move alone, so it
 * is much faster. The position has to be well-formed. */
kz_shogi_defect kz_shogi_check_move(const kz_shogi_position *position, kz_shogi_move move);

/* ---- Records of 32 bytes ----------------------------------------------------------------------------------------- */

typedef enum kz_shogi_format {
    KZ_SHOGI_SSPF,  /* "sspf": SSPFv1, both kings and all pieces */
    KZ_SHOGI_SSPFX, /* "sspfx": with its extension for removed pieces and missing kings; has all of sspf's records */
    KZ_SHOGI_SSPFC, /* "sspfc": the compaction, 250 bits and 6 spare ones; any well-formed position */
    KZ_SHOGI_PSFEN, /* "psfen": PackedSfen as YaneuraOu writes it; both kings */
    KZ_SHOGI_HCP,   /* "hcp": HuffmanCodedPos of Apery, dlshogi and cshogi; both kings */
    KZ_SHOGI_FORMATS
} kz_shogi_format;

/* How a format is written and read on one kind of processor. All paths of a format give the same bytes, positions and
 * defects. Positions must be well-formed (kz_shogi_check); nothing outside of them is touched if they are not.
 * The calls of a codec share nothing: any number of threads may use it. */
typedef struct kz_shogi_codec {
    kz_shogi_format format;
    const char *name; /* of the format */
    const char *path; /* "plain", "sse42", "avx2", "bmi2", "vbmi2" or "neon" */
    /* Fails if the format can't hold the position: then the record is left alone. */
    kz_shogi_defect (*pack)(const kz_shogi_position *position, uint8_t *record);
    /* Reads every well-formed record, canonical or not; otherwise the position is undefined. */
    kz_shogi_defect (*unpack)(const uint8_t *record, kz_shogi_position *position);
    /* Many at once: positions follow each other, records begin every `stride` bytes (at least 32). Returns how many
     * were done: `count`, or the number of the first that failed, whose defect is then in `defect`. Positions that are
     * unpacked may overlap with no record. */
    size_t (*pack_many)(const kz_shogi_position *positions, size_t count, uint8_t *records, size_t stride,
                        kz_shogi_defect *defect);
    size_t (*unpack_many)(const uint8_t *records, size_t stride, size_t count, kz_shogi_position *positions,
                          kz_shogi_defect *defect);
} kz_shogi_codec;

/* The codec of a format that suits this machine best (`path` NULL; the environment variable KANZEN_CPU may ask for
 * less), or the one of a path. NULL if there is no such path here. It is constant data: ask once and keep it. */
const kz_shogi_codec *kz_shogi_codec_for(kz_shogi_format format, const char *path);
/* "sspf", "sspfx", "sspfc", "psfen", "hcp". */
const char *kz_shogi_format_name(kz_shogi_format format);

/* Whether a record is well-formed: KZ_SHOGI_FINE exactly if `unpack` reads it. For sspf and sspfx a few bit tests. */
kz_shogi_defect kz_shogi_check_record(kz_shogi_format format, const uint8_t *record);
/* Whether it is also what `pack` writes for its position, so that equal positions have equal records. */
kz_shogi_defect kz_shogi_check_canonical(kz_shogi_format format, const uint8_t *record);
/* Makes it so. A record that is not well-formed is left alone. The spare bits of sspfc are kept. */
kz_shogi_defect kz_shogi_canonicalise(kz_shogi_format format, uint8_t *record);

/* Reads a record of psfen or hcp that was written before there were codes for the box: that of a handicap ends in 0s,
 * which `unpack` takes for pawns. Pawns are taken to be all there; of other kinds, those that are nowhere were removed.
 * A complete record is read as it is. Records of other formats are KZ_SHOGI_UNKNOWN. */
kz_shogi_defect kz_shogi_unpack_without_box(kz_shogi_format format, const uint8_t *record, kz_shogi_position *position);

/* The six spare bits of an sspfc record, 0 to 63. `pack` writes 0. They are not part of the position. */
unsigned kz_shogi_sspfc_spare(const uint8_t *record);
void kz_shogi_sspfc_set_spare(uint8_t *record, unsigned spare);

/* ---- For engines that hold bitboards ----------------------------------------------------------------------------- */

/* A position as sets of squares. A set is two words; bit n of the first is square n, and bit n of the second is square
 * `split` + n. Apery, dlshogi and YaneuraOu have 63 squares (seven files) in the first word. */
typedef struct kz_shogi_bitboards {
    uint64_t sides[2][2];                 /* all pieces of black, of white */
    uint64_t kinds[KZ_SHOGI_KING + 1][2]; /* all pieces of a kind, promoted or not */
    uint64_t promoted[2];
    uint8_t hand[2][KZ_SHOGI_HAND_KINDS];
    uint8_t side;  /* to move */
    uint8_t split; /* 63 or 64 */
} kz_shogi_bitboards;

/* Makes positions of bitboards. Where these contradict each other, so does the position: kz_shogi_check tells. */
typedef void kz_shogi_bitboards_fn(const kz_shogi_bitboards *boards, size_t count, kz_shogi_position *positions);
/* The function that suits this machine best (`path` NULL), or the one of a path ("plain", "vbmi2"); NULL if there is
 * none here. Ask once and keep it. */
kz_shogi_bitboards_fn *kz_shogi_bitboards_for(const char *path);
/* The other way round, with `split` squares in the first word. */
void kz_shogi_to_bitboards(const kz_shogi_position *position, unsigned split, kz_shogi_bitboards *boards);

#ifdef __cplusplus
}
#endif
#endif
