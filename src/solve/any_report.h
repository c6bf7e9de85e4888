/* SPDX-License-Identifier: MIT
 *
 * Progress of a solve tier by tier. */
#ifndef KZ_SOLVE_ANY_REPORT_H
#define KZ_SOLVE_ANY_REPORT_H

#include "solve/any_rules.h"

#include <kanzen/progress.h>

enum { KZ_ANY_STAGE_BYTES = 128 };

typedef struct kz_any_report {
    const kz_any_rules *rules;
    const kz_progress *listener;
    int tier;    /* the one that is being solved */
    bool looked; /* at all of its moves */
    char stage[KZ_ANY_STAGE_BYTES];
} kz_any_report;

/* The listener for a tier: tells `report->listener` which tier is being solved, and how far the whole is. */
kz_progress kz_any_report_tier(kz_any_report *report, int tier);

#endif
