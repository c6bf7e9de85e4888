/* SPDX-License-Identifier: MIT */
#include <kanzen/annotate.h>

#include "base/error.h"

#include <stdlib.h>

const char *kz_mistake_name(kz_mistake mistake) {
    static const char *const names[KZ_MISTAKES] = {
        [KZ_MISTAKE_LONGER_WIN] = "longer_win",     [KZ_MISTAKE_SHORTER_LOSS] = "shorter_loss",
        [KZ_MISTAKE_DRAW_TO_LOSS] = "draw_to_loss", [KZ_MISTAKE_WIN_TO_DRAW] = "win_to_draw",
        [KZ_MISTAKE_WIN_TO_LOSS] = "win_to_loss",
    };
    return mistake < KZ_MISTAKES ? names[mistake] : NULL;
}

static void judge(const kz_game *game, kz_note *note) {
    kz_outcome before = note->before.outcome;
    kz_outcome after = note->after.outcome;
    note->mistake = KZ_MISTAKE_NONE;
    note->cost = 0;
    if (before == KZ_UNKNOWN || after == KZ_UNKNOWN) {
        note->mistake = KZ_MISTAKE_UNKNOWN;
    } else if (before != after) {
        note->mistake = before == KZ_DRAW  ? KZ_MISTAKE_DRAW_TO_LOSS
                        : after == KZ_DRAW ? KZ_MISTAKE_WIN_TO_DRAW
                                           : KZ_MISTAKE_WIN_TO_LOSS;
    } else if (note->before.distance != note->after.distance) {
        note->mistake = before == KZ_WIN ? KZ_MISTAKE_LONGER_WIN : KZ_MISTAKE_SHORTER_LOSS;
        note->cost = abs(kz_distance_shown(game, note->after) - kz_distance_shown(game, note->before));
    }
}

/* The value of the position after a move is that before the next one, so each position is looked up once. */
kz_status kz_annotate(const kz_values *values, const kz_record *record, const kz_progress *progress, kz_note *notes,
                      kz_error *error) {
    kz_position position = record->start;
    for (size_t i = 0; i <= record->count; i++) {
        kz_value value;
        kz_move best = 0;
        kz_status status = kz_values_best(values, &position, &value, &best, error);
        if (status != KZ_OK) {
            return status;
        }
        if (i > 0) {
            notes[i - 1].after = kz_value_before(value);
            judge(values->game, &notes[i - 1]);
        }
        if (i < record->count) {
            notes[i] = (kz_note){.before = value, .best = best};
            kz_play(values->game, values->rules, &position, record->moves[i]);
        }
        if (progress && progress->report && !progress->report(progress->user, "annotating", i, record->count)) {
            return kz_fail(error, KZ_ERR_CANCELLED, "cancelled");
        }
    }
    return KZ_OK;
}
