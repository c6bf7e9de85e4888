/* SPDX-License-Identifier: MIT
 *
 * A game that is played through as its file is read.
 *
 * Every position wants to be told with the result, which comes last, so a file is read twice: first without a visitor,
 * to find mistakes and the outcome, then for the visitor. That costs time where little is spent, and no memory. */
#ifndef KZ_SHOGI_GAME_H
#define KZ_SHOGI_GAME_H

#include "base/text.h"
#include "shogi/src/outcome.h"
#include <kanzen/shogi_records.h>

typedef struct kz_shogi_game {
    kz_shogi_position position; /* as it stands now */
    kz_shogi_outcome outcome;   /* known in the second reading */
    int ply;                    /* the number of the move that comes next */
    kz_shogi_visit *visit;      /* NULL in the first reading */
    void *user;
    bool stopped; /* by the visitor */
    /* The position before the last move is told when all that the file says about that move has been read. */
    bool waiting;
    kz_shogi_position before;
    kz_shogi_note note;
} kz_shogi_game;

/* What the words for the end of a game mean; "mover" is the side whose turn it is. */
typedef enum kz_shogi_verdict {
    KZ_SHOGI_UNDECIDED,
    KZ_SHOGI_DRAW,
    KZ_SHOGI_MOVER_LOSES,
    KZ_SHOGI_MOVER_WINS,
    KZ_SHOGI_BLACK_LOSES,
    KZ_SHOGI_WHITE_LOSES
} kz_shogi_verdict;

typedef struct kz_shogi_end_word {
    const char *word;
    kz_shogi_verdict verdict;
    uint8_t ending;
} kz_shogi_end_word;

/* Makes a move. KZ_SHOGI_ILLEGAL_MOVE if it can't be made. */
kz_shogi_defect kz_shogi_game_move(kz_shogi_game *game, kz_shogi_move move);
/* The score that was given with the last move, as black sees it. Beyond 16 bits it is cut down to 32,767. */
void kz_shogi_game_score(kz_shogi_game *game, long black_score);
void kz_shogi_game_over(kz_shogi_game *game, const kz_shogi_end_word *end);
/* Tells what waits to be told. At the end of a file. */
void kz_shogi_game_tell(kz_shogi_game *game);

/* Texts in UTF-16 are refused. */
#define KZ_SHOGI_NO_UTF16 "this text is in UTF-16, which is not read; convert it to UTF-8 first"

/* Reads the next game of a CSA, KIF or KI2 file. After a mistake the lines go on with the game after it, and `lost` is
 * about how many moves are lost with this one. */
typedef kz_status kz_shogi_next_game(kz_lines *lines, kz_shogi_visit *visit, void *user, bool *stopped, uint64_t *lost,
                                     kz_error *error);
kz_shogi_next_game kz_shogi_next_csa;
kz_shogi_next_game kz_shogi_next_kif;
kz_shogi_next_game kz_shogi_next_ki2;
/* Reads all games of a text with one of these; the first mistake is told in the end. */
kz_status kz_shogi_read_games(const char *text, size_t length, kz_shogi_next_game *next, kz_shogi_visit *visit,
                              void *user, kz_error *error);

/* ---- Where things are in a game of hcpe3; hcpe3.c describes it --------------------------------------------------- */

enum {
    KZ_HCPE3_HEAD_BYTES = 36,
    KZ_HCPE3_MOVE_BYTES = 6,
    KZ_HCPE3_CANDIDATE_BYTES = 4,
    KZ_HCPE3_COUNT_AT = 32,
    KZ_HCPE3_RESULT_AT = 34,
    KZ_HCPE3_SCORE_AT = 2,
    KZ_HCPE3_CANDIDATES_AT = 4
};

/* kz_shogi_read_hcpe3; during each visit `*entry` is where the move and its candidates are. */
kz_status kz_hcpe3_read(const uint8_t *bytes, size_t size, size_t *used, kz_shogi_visit *visit, void *user,
                        const uint8_t **entry, kz_error *error);

/* ---- Pieces by what a text calls them ---------------------------------------------------------------------------- */

typedef struct kz_piece_name {
    const char *name;
    uint8_t code; /* of black's */
} kz_piece_name;

/* Steps over the first of `count` names that the text begins with. */
static inline bool kz_span_accept_piece(kz_span *text, const kz_piece_name *names, size_t count, uint8_t *code) {
    for (size_t i = 0; i < count; i++) {
        if (kz_span_accept(text, names[i].name)) {
            *code = names[i].code;
            return true;
        }
    }
    return false;
}

#endif
