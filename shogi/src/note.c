/* SPDX-License-Identifier: MIT
 *
 * What follows the 32 bytes of the position in records of fixed size. All of it is little-endian.
 *
 *     psv, sspv   32 score  34 move  36 ply  38 result for the side to move  39 extra
 *     hcpe        32 score  34 move  36 winner by colour                     37 nothing
 *     hcpe2       32 score  34 move  36 winner by colour and ending          37 nothing */
#include "base/bits.h"
#include "shogi/src/outcome.h"

enum { SCORE_AT = 32, MOVE_AT = 34, PLY_AT = 36, RESULT_AT = 38, EXTRA_AT = 39, WINNER_AT = 36, NOTHING_AT = 37 };

/* All of these records have a score and a move, at the same place. */
static kz_shogi_defect read_score_and_move(kz_shogi_dialect dialect, const uint8_t *bytes, kz_shogi_note *note) {
    note->score = (int16_t)kz_load_le16(bytes + SCORE_AT);
    note->has |= KZ_SHOGI_HAS_SCORE;
    kz_shogi_defect defect = kz_shogi_read_move(dialect, kz_load_le16(bytes + MOVE_AT), &note->move);
    if (defect == KZ_SHOGI_FINE) {
        note->has |= KZ_SHOGI_HAS_MOVE;
    } else {
        note->move = (kz_shogi_move){.special = KZ_SHOGI_NONE};
    }
    return defect;
}

static kz_shogi_defect read_psv(const uint8_t *bytes, kz_shogi_note *note) {
    note->ply = kz_load_le16(bytes + PLY_AT);
    note->extra = bytes[EXTRA_AT];
    note->has |= KZ_SHOGI_HAS_PLY | KZ_SHOGI_HAS_EXTRA;
    int8_t result = (int8_t)bytes[RESULT_AT];
    if (result < -1 || result > 1) {
        return KZ_SHOGI_BAD_RESULT;
    }
    note->result = result;
    note->has |= KZ_SHOGI_HAS_RESULT;
    return KZ_SHOGI_FINE;
}

static kz_shogi_defect read_hcpe2(const uint8_t *bytes, kz_shogi_side side, kz_shogi_note *note) {
    kz_shogi_outcome outcome = kz_shogi_outcome_of(bytes[WINNER_AT]);
    if (bytes[WINNER_AT] & ~KZ_SHOGI_OUTCOME_BITS || outcome.winner == KZ_SHOGI_OPEN) {
        return KZ_SHOGI_BAD_RESULT;
    }
    kz_shogi_note_outcome(note, side, outcome);
    return KZ_SHOGI_FINE;
}

static kz_shogi_defect read_hcpe(const uint8_t *bytes, kz_shogi_side side, kz_shogi_note *note) {
    if (bytes[WINNER_AT] > KZ_SHOGI_WHITE_WON) {
        return KZ_SHOGI_BAD_RESULT;
    }
    note->result = kz_shogi_result_for(side, (kz_shogi_winner)bytes[WINNER_AT]);
    note->has |= KZ_SHOGI_HAS_RESULT;
    return KZ_SHOGI_FINE;
}

kz_shogi_defect kz_shogi_read_note(kz_shogi_record record, kz_shogi_dialect dialect, const uint8_t *bytes,
                                   kz_shogi_side side, kz_shogi_note *note) {
    *note = (kz_shogi_note){.move = {.special = KZ_SHOGI_NONE}};
    if (kz_shogi_record_at(record)->holds == 0) {
        return KZ_SHOGI_FINE;
    }
    kz_shogi_defect moved = read_score_and_move(dialect, bytes, note);
    kz_shogi_defect ended = record == KZ_SHOGI_RECORD_HCPE    ? read_hcpe(bytes, side, note)
                            : record == KZ_SHOGI_RECORD_HCPE2 ? read_hcpe2(bytes, side, note)
                                                              : read_psv(bytes, note);
    return moved != KZ_SHOGI_FINE ? moved : ended;
}

void kz_shogi_write_note(kz_shogi_record record, kz_shogi_dialect dialect, const kz_shogi_note *note,
                         kz_shogi_side side, uint8_t *bytes) {
    if (kz_shogi_record_at(record)->holds == 0) {
        return;
    }
    unsigned has = note->has;
    kz_store_le16(bytes + SCORE_AT, has & KZ_SHOGI_HAS_SCORE ? (uint16_t)note->score : 0);
    kz_store_le16(bytes + MOVE_AT, has & KZ_SHOGI_HAS_MOVE ? kz_shogi_write_move(dialect, note->move) : 0);
    int8_t result = has & KZ_SHOGI_HAS_RESULT ? note->result : 0;
    if (record == KZ_SHOGI_RECORD_HCPE || record == KZ_SHOGI_RECORD_HCPE2) {
        unsigned winner = kz_shogi_winner_of(side, result);
        unsigned ending = record == KZ_SHOGI_RECORD_HCPE2 && has & KZ_SHOGI_HAS_ENDING ? note->ending : 0;
        bytes[WINNER_AT] = (uint8_t)(winner | ending << 2);
        bytes[NOTHING_AT] = 0;
    } else {
        kz_store_le16(bytes + PLY_AT, has & KZ_SHOGI_HAS_PLY ? note->ply : 0);
        bytes[RESULT_AT] = (uint8_t)result;
        bytes[EXTRA_AT] = has & KZ_SHOGI_HAS_EXTRA ? note->extra : 0;
    }
}

unsigned kz_shogi_possible_dialects(uint16_t bits) {
    unsigned possible = 0;
    for (int dialect = 0; dialect < KZ_SHOGI_DIALECTS; dialect++) {
        kz_shogi_move move;
        if (kz_shogi_read_move((kz_shogi_dialect)dialect, bits, &move) == KZ_SHOGI_FINE) {
            possible |= 1U << dialect;
        }
    }
    return possible;
}
