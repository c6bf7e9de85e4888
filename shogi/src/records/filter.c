/* SPDX-License-Identifier: MIT */
#include "shogi/src/records/decode.h"

#include "base/hash.h"
#include "shogi/src/boards.h"

#include <string.h>

enum { CAMP_RANKS = 3 };

bool kz_records_filter_is_active(const kz_shogi_filter *filter) {
    return filter &&
           (filter->require != 0 || filter->drop != 0 || filter->results != 0 || filter->least_ply != 0 ||
            filter->most_ply != 0 || filter->has_scores || filter->clip != 0 || filter->scale != 0 || filter->fold);
}

uint64_t kz_records_filter_hash(const kz_shogi_filter *filter) {
    if (!kz_records_filter_is_active(filter)) {
        return 0;
    }
    uint64_t scale;
    memcpy(&scale, &filter->scale, sizeof scale);
    const uint64_t members[] = {filter->require,
                                filter->drop,
                                filter->results,
                                filter->least_ply,
                                filter->most_ply,
                                filter->has_scores,
                                (uint16_t)filter->least_score,
                                (uint16_t)filter->most_score,
                                filter->clip,
                                scale,
                                filter->fold};
    return kz_hash64(members, sizeof members);
}

/* ---- Mirror images ----------------------------------------------------------------------------------------------- */

static int mirror_square(int square) { return kz_shogi_square(8 - kz_shogi_file_of(square), kz_shogi_rank_of(square)); }

kz_shogi_position kz_records_mirror(const kz_shogi_position *position) {
    kz_shogi_position mirrored = *position;
    for (int file = 0; file < 9; file++) {
        memcpy(mirrored.board + kz_shogi_square(8 - file, 0), position->board + kz_shogi_square(file, 0), 9);
    }
    return mirrored;
}

kz_shogi_move kz_records_mirror_move(kz_shogi_move move) {
    if (move.special == KZ_SHOGI_MOVE) {
        move.to = (uint8_t)mirror_square(move.to);
        move.from = move.from < KZ_SHOGI_SQUARES ? (uint8_t)mirror_square(move.from) : move.from;
    }
    return move;
}

/* Of a position and its mirror image the one whose board comes first, byte by byte, stands for both. */
static void fold(kz_shogi_position *position, kz_shogi_note *note) {
    kz_shogi_position mirrored = kz_records_mirror(position);
    if (memcmp(mirrored.board, position->board, sizeof mirrored.board) < 0) {
        *position = mirrored;
        note->move = kz_records_mirror_move(note->move);
        note->has |= KZ_SHOGI_MIRRORED;
    }
}

/* ---- Who stays --------------------------------------------------------------------------------------------------- */

static bool has_entered(const kz_shogi_position *position) {
    int black = kz_shogi_king(position, KZ_SHOGI_BLACK);
    int white = kz_shogi_king(position, KZ_SHOGI_WHITE);
    return (black != KZ_SHOGI_NO_SQUARE && kz_shogi_rank_of(black) < CAMP_RANKS) ||
           (white != KZ_SHOGI_NO_SQUARE && kz_shogi_rank_of(white) >= 9 - CAMP_RANKS);
}

static bool is_wanted_note(const kz_shogi_filter *filter, const kz_shogi_note *note) {
    if ((filter->require & ~(unsigned)note->has) != 0) {
        return false;
    }
    if ((filter->require & KZ_SHOGI_HAS_MOVE) != 0 && note->move.special == KZ_SHOGI_NONE) {
        return false;
    }
    if (filter->least_ply != 0 || filter->most_ply != 0) {
        if ((note->has & KZ_SHOGI_HAS_PLY) == 0 || note->ply < filter->least_ply ||
            (filter->most_ply != 0 && note->ply > filter->most_ply)) {
            return false;
        }
    }
    if (filter->has_scores) {
        if ((note->has & KZ_SHOGI_HAS_SCORE) == 0 || note->score < filter->least_score ||
            note->score > filter->most_score) {
            return false;
        }
    }
    return filter->results == 0 ||
           ((note->has & KZ_SHOGI_HAS_RESULT) != 0 && (filter->results >> (note->result + 1) & 1) != 0);
}

static bool is_wanted(const kz_shogi_filter *filter, const kz_shogi_rules *rules, const kz_shogi_position *position,
                      const kz_shogi_note *note) {
    unsigned drop = filter->drop;
    if (!is_wanted_note(filter, note)) {
        return false;
    }
    if (drop == 0) {
        return true;
    }
    bool moves = (note->has & KZ_SHOGI_HAS_MOVE) != 0 && note->move.special == KZ_SHOGI_MOVE;
    bool noisy = (drop & KZ_SHOGI_DROP_NOISY) != 0;
    if (moves && (noisy || (drop & KZ_SHOGI_DROP_CAPTURES) != 0) && note->move.from < KZ_SHOGI_SQUARES &&
        position->board[note->move.to] != KZ_SHOGI_EMPTY) {
        return false;
    }
    if (moves && (noisy || (drop & KZ_SHOGI_DROP_PROMOTIONS) != 0) && note->move.promotes != 0) {
        return false;
    }
    if ((noisy || (drop & KZ_SHOGI_DROP_IN_CHECK) != 0) && rules->in_check(position, (kz_shogi_side)position->side)) {
        return false;
    }
    if ((drop & KZ_SHOGI_DROP_ENTERING) != 0 && has_entered(position)) {
        return false;
    }
    return (drop & KZ_SHOGI_DROP_ILLEGAL_MOVES) == 0 || !moves || rules->move(position, note->move) == KZ_SHOGI_FINE;
}

/* ---- Edits ------------------------------------------------------------------------------------------------------- */

static int16_t edited_score(const kz_shogi_filter *filter, int score) {
    if (filter->scale != 0) {
        double scaled = score * filter->scale;
        scaled = scaled < -INT16_MAX ? -INT16_MAX : scaled > INT16_MAX ? INT16_MAX : scaled;
        score = (int)(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
        score = score < -INT16_MAX ? -INT16_MAX : score > INT16_MAX ? INT16_MAX : score;
    }
    int most = filter->clip != 0 ? filter->clip : -INT16_MIN;
    return (int16_t)(score > most ? most : score < -most ? -most : score);
}

void kz_records_filter(const kz_shogi_filter *filter, size_t count, kz_shogi_position *positions, kz_shogi_note *notes,
                       kz_shogi_defect *defects) {
    const kz_shogi_rules *rules = kz_shogi_rules_for(NULL);
    for (size_t i = 0; i < count; i++) {
        if (defects[i] != KZ_SHOGI_FINE) {
            continue;
        }
        if (!is_wanted(filter, rules, &positions[i], &notes[i])) {
            defects[i] = KZ_SHOGI_LEFT_OUT;
            continue;
        }
        if ((notes[i].has & KZ_SHOGI_HAS_SCORE) != 0) {
            notes[i].score = edited_score(filter, notes[i].score);
        }
        if (filter->fold) {
            fold(&positions[i], &notes[i]);
        }
    }
}
