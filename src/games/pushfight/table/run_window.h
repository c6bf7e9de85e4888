/* SPDX-License-Identifier: MIT
 *
 * Tables of all values: the neighbours of all places of a run at once.
 *
 * The neighbours of a run's places are in few earlier runs of its group, in the run itself, and in the same run of two
 * other groups. A window has these runs, a word of 8 bytes each; which of its bytes are the neighbours of a place is
 * the same in all groups. So a processor that picks bytes out of 128 at once has them by one instruction. */
#ifndef KZ_TABLE_RUN_WINDOW_H
#define KZ_TABLE_RUN_WINDOW_H

#include "games/pushfight/table/run_coder.h"
#include "games/pushfight/table/run_views.h"

enum {
    KZ_WINDOW_WORDS = 16,
    KZ_WINDOW_BYTES = 8 * KZ_WINDOW_WORDS,
    /* Words of a window: so many earlier runs, then those below. */
    KZ_WINDOW_RUNS = 12,
    KZ_WINDOW_UNKNOWN = 12, /* KZ_NO_ENTRY only, for where there is no neighbour */
    KZ_WINDOW_OWN = 13,
    KZ_WINDOW_GROUPS = 14,
    /* A word is read where a run begins, so it must end before the next but one does. */
    KZ_WINDOW_LEAST_RUN = 4,
    KZ_WINDOW_MOST_RUN = 8,
    KZ_WINDOW_MOST_PLACES = KZ_GROUP_RUNS * KZ_WINDOW_MOST_RUN
};

typedef struct kz_run_windows {
    uint16_t back[KZ_GROUP_RUNS][KZ_WINDOW_RUNS]; /* by run: how many places before its first one these begin */
    uint8_t choose[KZ_WINDOW_MOST_PLACES][16];    /* by place: where in the window its neighbours are, then it itself */
    uint8_t kind[KZ_WINDOW_MOST_PLACES];          /* by place */
    uint8_t run_of[KZ_WINDOW_MOST_PLACES];        /* by place */
} kz_run_windows;

/* Makes the windows of a layout whose places are filled in. There are none if the processor has no use for them, and if
 * runs are too short or too long for that, or have neighbours in too many others; without them all goes the plain way.
 */
void kz_run_layout_complete(kz_run_layout *layout);

#endif
