/* SPDX-License-Identifier: MIT
 *
 * Writing games. Records that follow each other belong to one game if the move of one leads to the position of the
 * next, the result is the same, and their plies, where they have some, follow each other; that is looked at in the
 * order of the file. */
#ifndef KZ_RECORDS_GAMES_H
#define KZ_RECORDS_GAMES_H

#include "base/list.h"
#include "shogi/src/game_write.h"
#include "shogi/src/records/encode.h"

/* What the next record is joined to. With the bytes that are not written yet, a later run can go on from it. */
typedef struct kz_records_join {
    int any;                /* there was a game before */
    int open;               /* a game is not over */
    kz_shogi_position next; /* of that game: the position after its last move */
    kz_shogi_outcome outcome;
    int moves;
    int number; /* of the next move */
    int last_to;
    int ply; /* that the next record has to have if it has any; 0: any */
    /* What was there and could not be written, and what was not there (KZ_SHOGI_HAS_...). */
    unsigned lost;
    unsigned missing;
} kz_records_join;

typedef struct kz_records_games {
    kz_shogi_record record;
    const kz_game_style *style; /* NULL: hcpe3 */
    bool stop_at_bad;
    kz_buffer text; /* what has not been written yet */
    size_t begin;   /* where the game begins in it that is not over (hcpe3) */
    kz_records_join join;
} kz_records_games;

/* Whether records of this kind are written game by game. */
bool kz_records_is_game(kz_shogi_record record);
void kz_records_games_begin(kz_records_games *games, kz_shogi_record record, bool stop_at_bad);
/* Goes on after a run that was interrupted: where it was, and the bytes that it had not written. False, and nothing is
 * changed, if that can't be. */
bool kz_records_games_resume(kz_records_games *games, const kz_records_join *join, const kz_buffer *pending);
void kz_records_games_free(kz_records_games *games);
/* Marks the records of a batch that no game can have: without a move that can be made, or (hcpe3) without a king. Any
 * number of threads at a time. */
void kz_records_games_check(const kz_records_games *games, const kz_records_batch *batch);
/* Adds the records of a batch, in the order of the file. What can be written now is the first `ready` bytes of `text`.
 */
kz_status kz_records_games_add(kz_records_games *games, const kz_records_batch *batch, uint64_t *written, size_t *ready,
                               kz_error *error);
/* Forgets these. */
void kz_records_games_drop(kz_records_games *games, size_t ready);
/* Ends the last game; all of `text` can be written. */
kz_status kz_records_games_end(kz_records_games *games, kz_error *error);

#endif
