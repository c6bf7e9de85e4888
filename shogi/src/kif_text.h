/* SPDX-License-Identifier: MIT
 *
 * What KIF and KI2 have in common: names of pieces, squares, what stands before the moves, and comments. Both are lines
 * of UTF-8 or Shift_JIS, and one text may have lines of both (files that were put one after the other). What is neither
 * a move nor about the position is passed over. */
#ifndef KZ_SHOGI_KIF_TEXT_H
#define KZ_SHOGI_KIF_TEXT_H

#include "base/kif.h"
#include "shogi/src/game.h"

typedef struct kz_kif_handicap {
    const char *name;
    const char *without; /* what white plays without, as files and ranks; NULL: any position */
} kz_kif_handicap;

enum { KZ_KIF_LINE_BYTES = 8192 };

typedef struct kz_kif_reader {
    kz_lines lines;
    const char *name; /* "KIF" or "KI2" */
    kz_error *error;
    kz_shogi_game game;
    bool first;     /* the first game of the text */
    bool said;      /* a line was not empty */
    size_t strange; /* the first line that is neither a move nor anything that stands before moves; 0: there is none */
    bool ready;     /* the position is complete: there was a move */
    bool known;     /* a line was one of KIF and KI2 */
    bool ki2;       /* a line was one of KI2's moves */
    bool kif;       /* a line was one of KIF's moves */
    bool csa;       /* a line was one of CSA */
    bool over;
    int last_to; /* the square that the last move went to, KZ_SHOGI_NO_SQUARE before the first */
    /* What was said about the position so far. */
    const kz_kif_handicap *handicap; /* NULL: one that is not known */
    int ranks;                       /* of the diagram, which is being drawn in game.position */
    int side;                        /* the side to move, -1 if nothing was said */
    char line[KZ_KIF_LINE_BYTES];    /* a line of Shift_JIS in UTF-8 */
} kz_kif_reader;

/* The names that files are written with: by kind, and by kind + 8 for promoted ones; "成香" in moves, "杏" in diagrams.
 */
extern const char *const kz_kif_piece_names[16];
extern const char *const kz_kif_diagram_names[16];

/* The handicap that a position is, NULL if it is none. The board alone counts, and hands that are empty. */
const kz_kif_handicap *kz_kif_handicap_of(const kz_shogi_position *position);

/* Fails with "line 7: why". */
kz_status kz_kif_bad(const kz_kif_reader *kif, const char *why);
bool kz_kif_accept_piece(kz_span *text, uint8_t *code);
extern const kz_kif_square kz_kif_board;
uint8_t kz_kif_square_code(kz_kif_square square);
/* Steps over a word for the end of a game; NULL if there is none. */
const kz_shogi_end_word *kz_kif_accept_end(kz_span *text);
/* Takes a line before the first move. */
kz_status kz_kif_header(kz_kif_reader *kif, kz_span text);
/* Before a move or an end is read: refuses what comes after the end of the game, and completes the position before the
 * first move, which `first` then says. */
kz_status kz_kif_before_move(kz_kif_reader *kif, bool *first);
/* Steps over how the game ended; false if the text says nothing about that. */
bool kz_kif_take_end(kz_kif_reader *kif, kz_span *text);
/* Takes a comment, which may have a score. */
void kz_kif_comment(kz_kif_reader *kif, kz_span text);
/* Notes what a line tells about the format. */
void kz_kif_recognise(kz_kif_reader *kif, kz_span line);

/* Reads the next game of a file: `read_line` takes each line, in UTF-8. A game ends where the next one begins; its
 * variations are passed over. `count_moves` is for counting what is lost. */
typedef kz_status kz_kif_read_line(kz_kif_reader *kif, kz_span line);
kz_status kz_kif_next_game(kz_lines *lines, const char *name, kz_kif_read_line *read_line,
                           uint64_t (*count_moves)(kz_span line), kz_shogi_visit *visit, void *user, bool *stopped,
                           uint64_t *lost, kz_error *error);

#endif
