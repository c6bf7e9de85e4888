/* SPDX-License-Identifier: MIT
 *
 * Games as text, a part at a time: what comes before the moves, each move, the end. */
#ifndef KZ_SHOGI_GAME_WRITE_H
#define KZ_SHOGI_GAME_WRITE_H

#include "shogi/src/outcome.h"

enum { KZ_GAME_TEXT_BYTES = 2048 }; /* more than any part needs */

/* What the word for the end of a game says of how it ended. */
typedef enum kz_game_ending {
    KZ_GAME_ENDING_KEPT,
    KZ_GAME_ENDING_LOST,    /* there is no word for it, only for who won */
    KZ_GAME_ENDING_ASSUMED, /* nobody said how, and there is no word without a reason */
} kz_game_ending;

typedef struct kz_game_style {
    /* Each writes into `text` and returns the length. `again`: a game has been written before it. */
    size_t (*start)(const kz_shogi_position *position, bool again, char text[KZ_GAME_TEXT_BYTES]);
    /* A move that can be made, its number, and the square that the last one went to (KZ_SHOGI_NO_SQUARE: none did). */
    size_t (*move)(const kz_shogi_position *position, const kz_shogi_note *note, int number, int last_to,
                   char text[KZ_GAME_TEXT_BYTES]);
    /* The end, in front of the move with that number; `side` would make it. */
    size_t (*end)(kz_shogi_side side, kz_shogi_outcome outcome, int number, kz_game_ending *ending,
                  char text[KZ_GAME_TEXT_BYTES]);
    bool numbered; /* moves have numbers, so that the ply of the first one is kept */
} kz_game_style;

extern const kz_game_style kz_csa_style;
extern const kz_game_style kz_kif_style;

/* A score as black sees it. */
static inline int kz_game_black_score(const kz_shogi_position *position, const kz_shogi_note *note) {
    return position->side == KZ_SHOGI_BLACK ? note->score : -note->score;
}

#endif
