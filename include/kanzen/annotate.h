/* SPDX-License-Identifier: MIT
 *
 * What each move of a game was worth, and what it should have been. */
#ifndef KANZEN_ANNOTATE_H
#define KANZEN_ANNOTATE_H

#include <kanzen/record.h>
#include <kanzen/values.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a move spoiled, the worst last. */
typedef enum kz_mistake {
    KZ_MISTAKE_NONE = 0,
    KZ_MISTAKE_UNKNOWN, /* the values are not known */
    KZ_MISTAKE_LONGER_WIN,
    KZ_MISTAKE_SHORTER_LOSS,
    KZ_MISTAKE_DRAW_TO_LOSS,
    KZ_MISTAKE_WIN_TO_DRAW,
    KZ_MISTAKE_WIN_TO_LOSS,
    KZ_MISTAKES
} kz_mistake;

/* "longer_win" and so on; NULL for the first two. */
const char *kz_mistake_name(kz_mistake mistake);

typedef struct kz_note {
    kz_value before; /* of the position, for the side that moves */
    kz_value after;  /* of the move, for the same side */
    kz_move best;    /* 0: not known */
    kz_mistake mistake;
    int cost; /* how much longer or shorter it takes, as people count (kz_distance_shown) */
} kz_note;

/* Writes a note for each move of the record; `notes` has room for `count` of them. `progress` may be NULL. */
kz_status kz_annotate(const kz_values *values, const kz_record *record, const kz_progress *progress, kz_note *notes,
                      kz_error *error);

#ifdef __cplusplus
}
#endif
#endif
