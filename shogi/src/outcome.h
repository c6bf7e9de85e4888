/* SPDX-License-Identifier: MIT
 *
 * How a game went, named by colour as in hcpe, and what that is for the side to move. */
#ifndef KZ_SHOGI_OUTCOME_H
#define KZ_SHOGI_OUTCOME_H

#include <kanzen/shogi_records.h>

/* The numbers are those of hcpe. */
typedef enum kz_shogi_winner { KZ_SHOGI_DRAWN, KZ_SHOGI_BLACK_WON, KZ_SHOGI_WHITE_WON, KZ_SHOGI_OPEN } kz_shogi_winner;

typedef struct kz_shogi_outcome {
    kz_shogi_winner winner;
    uint8_t ending; /* KZ_SHOGI_BY_... */
} kz_shogi_outcome;

/* The bits of `result` in hcpe2 and hcpe3. Other bits mean nothing, and a winner of 3 is KZ_SHOGI_OPEN. */
enum { KZ_SHOGI_OUTCOME_BITS = 0x1F };
static inline kz_shogi_outcome kz_shogi_outcome_of(uint8_t result) {
    return (kz_shogi_outcome){(kz_shogi_winner)(result & 3), result >> 2 & 7};
}

/* For a game that is not open. These two are tables because nobody can predict results, processors included. */
static inline int8_t kz_shogi_result_for(kz_shogi_side side, kz_shogi_winner winner) {
    static const int8_t results[2][3] = {{0, 1, -1}, {0, -1, 1}};
    return results[side][winner];
}

/* The winner, from a result for the side to move. */
static inline kz_shogi_winner kz_shogi_winner_of(kz_shogi_side side, int8_t result) {
    static const uint8_t winners[2][3] = {{KZ_SHOGI_WHITE_WON, KZ_SHOGI_DRAWN, KZ_SHOGI_BLACK_WON},
                                          {KZ_SHOGI_BLACK_WON, KZ_SHOGI_DRAWN, KZ_SHOGI_WHITE_WON}};
    return (kz_shogi_winner)winners[side][result < 0 ? 0 : result > 0 ? 2 : 1];
}

static inline void kz_shogi_note_outcome(kz_shogi_note *note, kz_shogi_side side, kz_shogi_outcome outcome) {
    if (outcome.winner != KZ_SHOGI_OPEN) {
        note->result = kz_shogi_result_for(side, outcome.winner);
        note->ending = outcome.ending;
        note->has |= KZ_SHOGI_HAS_RESULT | KZ_SHOGI_HAS_ENDING;
    }
}

#endif
