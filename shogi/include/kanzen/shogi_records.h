/* SPDX-License-Identifier: MIT
 *
 * Positions with what training data says about them: a score, a move, a result.
 *
 * What is said about a position is a kz_shogi_note; `has` tells which of its members mean anything. Each kind of record
 * holds a position in one of the packed formats and some of these members:
 *
 *     sspf sspfx sspfc psfen hcp   32 bytes   the position alone
 *     psv                          40 bytes   psfen, score, move, ply, result, extra
 *     sspv                         40 bytes   sspf, and then the same eight bytes as psv
 *     hcpe                         38 bytes   hcp, score, move, result
 *     hcpe2                        38 bytes   hcp, score, move, result, ending
 *     hcpe3                        a game: its first position in hcp, and for each move a score and candidates
 *     sfen                         a line of text: position, ply
 *     plain                        lines of text "sfen ...", "move ...", "score ...", "ply ...", "result ...", "e"
 *     csa, kif, ki2                game files
 *     usi                          a line of text for a game: "startpos moves 7g7f ..."
 *     pack                         games of rshogi's tools: moves and scores
 *     nshogi                       47 bytes   records of nshogi's teachers: position, ply, move, winner
 */
#ifndef KANZEN_SHOGI_RECORDS_H
#define KANZEN_SHOGI_RECORDS_H

#include <kanzen/shogi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Members of a note, as bits. */
enum {
    KZ_SHOGI_HAS_SCORE = 1,
    KZ_SHOGI_HAS_MOVE = 2,
    KZ_SHOGI_HAS_PLY = 4,
    KZ_SHOGI_HAS_RESULT = 8,
    KZ_SHOGI_HAS_ENDING = 16,
    KZ_SHOGI_HAS_EXTRA = 32,
    KZ_SHOGI_HAS_SPARE = 64, /* the spare bits of sspfc: of no note, but a conversion can lose them */
    KZ_SHOGI_MEMBERS = 127,  /* all of these */
    /* What else there is to say about a note. */
    KZ_SHOGI_UNSEARCHED = 128, /* hcpe3: the move has no candidates, so the score comes from no search */
    KZ_SHOGI_PLY_CUT = 256,    /* the ply was more than 65535, and is 65535 here */
    KZ_SHOGI_MIRRORED = 512    /* a filter took the mirror image, of the move, too */
};

/* How a game ended, as bits of `ending`. */
enum { KZ_SHOGI_BY_REPETITION = 1, KZ_SHOGI_BY_ENTERING = 2, KZ_SHOGI_BY_LENGTH = 4 };

typedef struct kz_shogi_note {
    int16_t score; /* as the side to move sees it, in the engine's units */
    uint16_t ply;  /* the number of the move that comes next, from 1 */
    kz_shogi_move move;
    int8_t result;  /* for the side to move: 1 won, 0 drawn, -1 lost */
    uint8_t ending; /* KZ_SHOGI_BY_... */
    uint8_t extra;  /* the last byte of psv, which some writers use */
    uint16_t has;   /* KZ_SHOGI_HAS_..., and what comes after them */
} kz_shogi_note;

typedef enum kz_shogi_record {
    KZ_SHOGI_RECORD_SSPF,
    KZ_SHOGI_RECORD_SSPFX,
    KZ_SHOGI_RECORD_SSPFC,
    KZ_SHOGI_RECORD_PSFEN,
    KZ_SHOGI_RECORD_HCP,
    KZ_SHOGI_RECORD_PSV,
    KZ_SHOGI_RECORD_SSPV,
    KZ_SHOGI_RECORD_HCPE,
    KZ_SHOGI_RECORD_HCPE2,
    KZ_SHOGI_FIXED_RECORDS, /* those before it have a fixed size */
    KZ_SHOGI_RECORD_HCPE3 = KZ_SHOGI_FIXED_RECORDS,
    KZ_SHOGI_RECORD_SFEN,
    KZ_SHOGI_RECORD_PLAIN,
    KZ_SHOGI_RECORD_CSA,
    KZ_SHOGI_RECORD_KIF,
    KZ_SHOGI_RECORD_USI,
    KZ_SHOGI_RECORD_KI2,
    KZ_SHOGI_RECORD_PACK,
    KZ_SHOGI_RECORD_NSHOGI,
    KZ_SHOGI_RECORDS
} kz_shogi_record;

typedef struct kz_shogi_record_info {
    const char *name;       /* "sspf", ..., as above */
    const char *summary;    /* a line for a person */
    size_t bytes;           /* 0 if the size varies */
    kz_shogi_format format; /* of the position; not for text */
    unsigned holds;         /* the members of a note that it has: KZ_SHOGI_HAS_... */
    bool written;           /* whether it can be written, and not only read */
} kz_shogi_record_info;

/* Constant data. */
const kz_shogi_record_info *kz_shogi_record_at(kz_shogi_record record);
/* KZ_SHOGI_RECORDS if no record has this name. */
kz_shogi_record kz_shogi_record_named(const char *name);

/* ---- Notes of records of fixed size. `record` is the whole record, whose position has been packed or unpacked; `side`
 * is the side to move there (hcpe names the winner by colour). ----------------------------------------------------- */

/* KZ_SHOGI_FINE, or what is wrong: KZ_SHOGI_BAD_MOVE (the rest of the note is read, `move` is KZ_SHOGI_NONE) or
 * KZ_SHOGI_BAD_RESULT for a result that means nothing. `dialect` is that of the moves; psv and sspv are usually
 * KZ_SHOGI_YANEURAOU, hcpe and hcpe2 KZ_SHOGI_APERY. */
kz_shogi_defect kz_shogi_read_note(kz_shogi_record record, kz_shogi_dialect dialect, const uint8_t *bytes,
                                   kz_shogi_side side, kz_shogi_note *note);
/* Members that the note has not are written as 0 (the move as none, the result as drawn). */
void kz_shogi_write_note(kz_shogi_record record, kz_shogi_dialect dialect, const kz_shogi_note *note,
                         kz_shogi_side side, uint8_t *bytes);

/* The dialects in which 16 bits can be a move, as bits 1 << kz_shogi_dialect: what tells is bit 15, a `from` of 81 or
 * of 88, a drop with bit 14. */
unsigned kz_shogi_possible_dialects(uint16_t bits);

/* ---- Games: hcpe3, CSA, KIF, KI2, pack
 * ----------------------------------------------------------------------------------------
 */

/* Told about each position of a game in order, by the thread that reads the game; position and note are there during
 * the call only. Return false to stop. */
typedef bool kz_shogi_visit(void *user, const kz_shogi_position *position, const kz_shogi_note *note);

/* Reads one game of hcpe3 at `bytes`, of which `size` are there. `used` is the size of the game; when it is cut off,
 * KZ_ERR_INPUT with `used` = 0. A move that can't be made ends the game there with KZ_ERR_CORRUPT and the whole game
 * in `used`, after the positions before it have been told; the message says how many positions are lost. A position
 * whose move has no candidates has KZ_SHOGI_UNSEARCHED in its note: programs that train with hcpe3 leave it out. */
kz_status kz_shogi_read_hcpe3(const uint8_t *bytes, size_t size, size_t *used, kz_shogi_visit *visit, void *user,
                              kz_error *error);
enum { KZ_SHOGI_HCPE3_BYTES = 46 };
/* Writes a position as a game of hcpe3 with one move, which is its only candidate, with one visit; dlshogi's own tools
 * write games without a search in the same way. KZ_SHOGI_BAD_MOVE if the note has no ordinary move, KZ_SHOGI_NO_KING if
 * a king is missing; then nothing is written. The ply is lost. */
kz_shogi_defect kz_shogi_write_hcpe3(const kz_shogi_position *position, const kz_shogi_note *note,
                                     uint8_t bytes[KZ_SHOGI_HCPE3_BYTES]);
/* Reads all games of a CSA file (they are parted by lines "/", or each begins with its version), of a KIF or of a KI2
 * file (UTF-8; Shift_JIS is understood as well; each game begins with a line such as 手合割). Positions from which a
 * move was made are told, with that move; scores where comments of engines give them (CSA "'** 123" after the move, KIF
 * "*#評価値=123", "**評価値=123" or "** 123", which black sees so: it is turned round where white moved, and cut down
 * to 16 bits). Games without a result, such as interrupted ones, have no KZ_SHOGI_HAS_RESULT and no
 * KZ_SHOGI_HAS_ENDING. Of a KIF or KI2 file only the main line is read. Nothing is told about a game in which there is
 * a mistake, because its result is not known; games after it are read, and the first mistake is told in the end, with
 * its line. */
kz_status kz_shogi_read_csa(const char *text, size_t length, kz_shogi_visit *visit, void *user, kz_error *error);
kz_status kz_shogi_read_kif(const char *text, size_t length, kz_shogi_visit *visit, void *user, kz_error *error);
kz_status kz_shogi_read_ki2(const char *text, size_t length, kz_shogi_visit *visit, void *user, kz_error *error);
/* Reads one game of a .pack file of rshogi's tools; the rest is as with hcpe3. Where a game does not begin as it
 * should, nothing can be said about what follows: KZ_ERR_CORRUPT, and `used` is `size`. */
kz_status kz_shogi_read_pack(const uint8_t *bytes, size_t size, size_t *used, kz_shogi_visit *visit, void *user,
                             kz_error *error);
enum { KZ_SHOGI_NSHOGI_BYTES = 47 };
/* Reads one record of nshogi's teachers. They have no score. */
kz_shogi_defect kz_shogi_read_nshogi(const uint8_t bytes[KZ_SHOGI_NSHOGI_BYTES], kz_shogi_position *position,
                                     kz_shogi_note *note);

/* ---- Text: sfen, plain ------------------------------------------------------------------------------------------- */

/* Reads a line of an sfen file: an SFEN, which may have "sfen" or "position sfen" before it, or "startpos", and
 * "moves ..." after it (then it is the position after them). */
kz_status kz_shogi_read_sfen_line(const char *text, size_t length, kz_shogi_position *position, kz_shogi_note *note,
                                  kz_error *error);
/* Reads the same line as a game: every position from which a move was made is told, with that move and its ply. A move
 * that can't be made is KZ_ERR_INPUT, after the positions before it have been told. */
kz_status kz_shogi_read_usi_line(const char *text, size_t length, kz_shogi_visit *visit, void *user, kz_error *error);
/* Reads an entry of a plain file, from "sfen" to "e". `used` is its length with the end of the line "e"; 0 if the text
 * ends before that (KZ_ERR_INPUT). After another error `used` is where the next entry begins. */
kz_status kz_shogi_read_plain(const char *text, size_t length, size_t *used, kz_shogi_position *position,
                              kz_shogi_note *note, kz_error *error);
enum { KZ_SHOGI_PLAIN_BYTES = 512 };
/* Writes one, members that the note has not left out, and returns its length. */
size_t kz_shogi_format_plain(const kz_shogi_position *position, const kz_shogi_note *note,
                             char text[KZ_SHOGI_PLAIN_BYTES]);

#ifdef __cplusplus
}
#endif
#endif
